/* Host code as an object file, which another process can load: it is the same for the same module,
 * release of LLVM and host processor. */
#ifndef VESIM_OBJECT_H
#define VESIM_OBJECT_H

#include "isa/compile/builder.h"
#include "isa/compile/emit.h"

/* Symbols of the object: the block's function, and the table of addresses (struct emitter). */
#define OBJECT_FUNCTION "block"
#define OBJECT_TABLE    "addresses"

/* Code that is kept for other processes has no address of this one in it, but reads them from a
 * table that is filled when the code is loaded. */
void object_add_table(struct emitter *e);

/* Takes the module's code from the folder, or compiles it and keeps it there, and loads it. Returns
 * 0, or -1 if there is no memory. There need not be a folder (NULL), or one that can be used. */
int object_build(const struct emitter *e, const char *folder, struct built_block *built);
void object_release(LLVMOrcLLJITRef object);

#endif
