/* LLVM through its C interface. The library is opened when the first block is compiled, not linked:
 * programs that compile nothing do not load its 110 MB. On Debian 12 Intel's compiler has loaded
 * the same file by then; other releases live beside it, as their symbols carry versions. */
#ifndef VESIM_LLVM_H
#define VESIM_LLVM_H

#include <llvm-c/BitWriter.h>
#include <llvm-c/Core.h>
#include <llvm-c/LLJIT.h>
#include <llvm-c/Orc.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>

/* The functions used, without their prefix. */
/* clang-format off */
#define LLVM_FUNCTIONS(X) \
    X(AddFunction) X(AddGlobal) X(AddIncoming) X(AddTargetDependentFunctionAttr) \
    X(AppendBasicBlockInContext) X(BuildAShr) X(BuildAdd) X(BuildAnd) X(BuildBitCast) X(BuildBr) \
    X(BuildCall2) X(BuildCondBr) X(BuildExtractElement) X(BuildFAdd) X(BuildFCmp) X(BuildFDiv) \
    X(BuildFMul) X(BuildFPExt) X(BuildFPToSI) X(BuildFPTrunc) X(BuildFSub) X(BuildGEP2) X(BuildICmp) \
    X(BuildInsertElement) X(BuildIntToPtr) X(BuildLShr) X(BuildLoad2) X(BuildMul) X(BuildNeg) \
    X(BuildNot) X(BuildOr) X(BuildPhi) X(BuildPtrToInt) X(BuildRet) X(BuildSExt) X(BuildSIToFP) \
    X(BuildSelect) X(BuildShl) X(BuildShuffleVector) X(BuildStore) X(BuildSub) X(BuildTrunc) \
    X(BuildXor) X(BuildZExt) X(ConstInt) X(ConstNull) X(ConstVector) X(ConsumeError) \
    X(ContextCreate) X(ContextDispose) X(CreateBuilderInContext) \
    X(CreateMemoryBufferWithMemoryRangeCopy) X(CreateTargetMachine) X(DisposeBuilder) \
    X(DisposeMemoryBuffer) X(DisposeMessage) X(DisposeModule) X(DisposeTargetMachine) \
    X(DoubleTypeInContext) X(FloatTypeInContext) X(FunctionType) X(GetBufferSize) \
    X(GetBufferStart) X(GetDefaultTargetTriple) X(GetHostCPUFeatures) X(GetHostCPUName) \
    X(GetInsertBlock) X(GetIntrinsicDeclaration) X(GetParam) X(GetTargetFromTriple) X(GetUndef) \
    X(GetVectorSize) X(HalfTypeInContext) X(Int16TypeInContext) X(Int32TypeInContext) X(Int64TypeInContext) \
    X(Int8TypeInContext) X(IntTypeInContext) X(IntrinsicGetType) X(LookupIntrinsicID) \
    X(ModuleCreateWithNameInContext) X(OrcCreateDynamicLibrarySearchGeneratorForProcess) \
    X(OrcCreateLLJIT) X(OrcCreateLLJITBuilder) X(OrcDisposeLLJIT) X(OrcJITDylibAddGenerator) \
    X(OrcJITTargetMachineBuilderCreateFromTargetMachine) X(OrcLLJITAddObjectFile) \
    X(OrcLLJITBuilderSetJITTargetMachineBuilder) X(OrcLLJITGetGlobalPrefix) \
    X(OrcLLJITGetMainJITDylib) X(OrcLLJITLookup) X(PointerType) X(PositionBuilderAtEnd) \
    X(SetAlignment) X(SetInitializer) X(SetVolatile) \
    X(TargetMachineEmitToMemoryBuffer) X(TypeOf) X(VectorType) X(WriteBitcodeToMemoryBuffer)
/* clang-format on */

struct llvm {
#define X(name) __typeof__(LLVM##name) *name;
    LLVM_FUNCTIONS(X)
#undef X
    char *cpu, *features; /* of this host */
};

/* Valid between llvm_enter() and llvm_leave(). */
extern struct llvm llvm;

/* LLVM is used between these two, by any number of threads; a thread may do so twice. exit() waits
 * for them before it destroys what LLVM has. Returns 0; or -1 if this host has no such library or
 * the process exits. */
int llvm_enter(void);
void llvm_leave(void);

#endif
