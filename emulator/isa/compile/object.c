#include "isa/compile/object.h"

#include <stdlib.h>
#include <string.h>

#include "isa/compile/kept-code.h"

void object_add_table(struct emitter *e)
{
    LLVMTypeRef type = emit_vector(e->i64, ADDRESSES);
    LLVMValueRef table = llvm.AddGlobal(e->module, type, OBJECT_TABLE);

    llvm.SetInitializer(table, llvm.ConstNull(type));
    e->table = llvm.BuildBitCast(e->builder, table, e->pointer, "");
}

static LLVMTargetMachineRef open_machine(void)
{
    char *triple = llvm.GetDefaultTargetTriple(), *error = NULL;
    LLVMTargetMachineRef machine = NULL;
    LLVMTargetRef target;

    if (llvm.GetTargetFromTriple(triple, &target, &error))
        llvm.DisposeMessage(error);
    else
        machine =
            llvm.CreateTargetMachine(target, triple, llvm.cpu, llvm.features, LLVMCodeGenLevelLess,
                                     LLVMRelocDefault, LLVMCodeModelJITDefault);
    llvm.DisposeMessage(triple);
    return machine;
}

/* NULL: there is no memory. */
static LLVMMemoryBufferRef compile_module(LLVMModuleRef module)
{
    LLVMTargetMachineRef machine = open_machine();
    LLVMMemoryBufferRef object = NULL;
    char *error = NULL;

    if (!machine)
        return NULL;
    if (llvm.TargetMachineEmitToMemoryBuffer(machine, module, LLVMObjectFile, &error, &object)) {
        llvm.DisposeMessage(error);
        object = NULL;
    }
    llvm.DisposeTargetMachine(machine);
    return object;
}

/* What the code depends on: the module, as it was before it is compiled, the host's processor, and
 * the release of LLVM, which the module names. */
static LLVMMemoryBufferRef find_or_compile(LLVMModuleRef module, const char *folder)
{
    if (!folder)
        return compile_module(module);
    LLVMMemoryBufferRef bitcode = llvm.WriteBitcodeToMemoryBuffer(module), object;
    const struct code_key key = {.bitcode = llvm.GetBufferStart(bitcode),
                                 .bytes = llvm.GetBufferSize(bitcode),
                                 .cpu = llvm.cpu,
                                 .features = llvm.features};
    size_t bytes;
    void *kept = kept_code_read(folder, &key, &bytes);

    if (kept) {
        object = llvm.CreateMemoryBufferWithMemoryRangeCopy(kept, bytes, "block");
        free(kept);
    } else {
        object = compile_module(module);
        if (object)
            kept_code_write(folder, &key, llvm.GetBufferStart(object), llvm.GetBufferSize(object));
    }
    llvm.DisposeMemoryBuffer(bitcode);
    return object;
}

static bool failed(LLVMErrorRef error)
{
    if (error)
        llvm.ConsumeError(error);
    return error != NULL;
}

/* For the processor that llvm.c has asked what it is. By default LLVM asks it for each, which
 * takes a while on a virtual machine, as what runs that has to answer. */
static LLVMOrcLLJITRef open_jit(void)
{
    LLVMOrcLLJITBuilderRef builder = llvm.OrcCreateLLJITBuilder();
    LLVMTargetMachineRef machine = open_machine();
    LLVMOrcLLJITRef jit;

    if (machine)
        llvm.OrcLLJITBuilderSetJITTargetMachineBuilder(
            builder, llvm.OrcJITTargetMachineBuilderCreateFromTargetMachine(machine));
    return failed(llvm.OrcCreateLLJIT(&jit, builder)) ? NULL : jit;
}

/* Functions of the C library that code may call are found in the process. */
static int link_object(LLVMOrcLLJITRef jit, LLVMMemoryBufferRef object)
{
    LLVMOrcJITDylibRef library = llvm.OrcLLJITGetMainJITDylib(jit);
    LLVMOrcDefinitionGeneratorRef process;

    if (failed(llvm.OrcCreateDynamicLibrarySearchGeneratorForProcess(
            &process, llvm.OrcLLJITGetGlobalPrefix(jit), NULL, NULL))) {
        llvm.DisposeMemoryBuffer(object);
        return -1;
    }
    llvm.OrcJITDylibAddGenerator(library, process);
    return failed(llvm.OrcLLJITAddObjectFile(jit, library, object)) ? -1 : 0;
}

int object_build(const struct emitter *e, const char *folder, struct built_block *built)
{
    LLVMMemoryBufferRef object = find_or_compile(e->module, folder);
    uint64_t function, table;

    if (!object)
        return -1;
    LLVMOrcLLJITRef jit = open_jit();
    if (!jit) {
        llvm.DisposeMemoryBuffer(object);
        return -1;
    }
    if (link_object(jit, object) || failed(llvm.OrcLLJITLookup(jit, &function, OBJECT_FUNCTION)) ||
        failed(llvm.OrcLLJITLookup(jit, &table, OBJECT_TABLE))) {
        object_release(jit);
        return -1;
    }
    memcpy((void *)(uintptr_t)table, e->addresses, sizeof(e->addresses));
    built->block.run = (block_function)(uintptr_t)function;
    built->object = jit;
    return 0;
}

void object_release(LLVMOrcLLJITRef object)
{
    failed(llvm.OrcDisposeLLJIT(object));
}
