/* Which memory a kernel only writes: what it held before cannot change what the kernel does. */
#ifndef VEBENCH_SPIRV_STORES_H
#define VEBENCH_SPIRV_STORES_H

#include <stddef.h>
#include <stdint.h>

/* The kernel's arguments through which it stores and does nothing else, a bit for each of the first
 * 64; other names for the same memory count apart. An argument that is used in a way not known here
 * is not among them. 0 where the module, of `size` bytes, has no kernel called `name`, or memory
 * runs out. */
uint64_t spirv_only_stored(const void *bytes, size_t size, const char *name);

#endif
