#include "failing-memory.h"

#include <stdatomic.h>
#include <stddef.h>

/* As the linker calls the C library's functions and those that stand in for them (--wrap). */
void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *memory, size_t bytes);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *memory, size_t bytes);

static atomic_ulong left; /* allocations up to the one that fails; 0: none does */

void memory_fails_at(unsigned long allocation)
{
    atomic_store(&left, allocation);
}

bool memory_has_failed(void)
{
    return atomic_load(&left) == 0;
}

static bool fails(void)
{
    return atomic_load(&left) > 0 && atomic_fetch_sub(&left, 1) == 1;
}

void *__wrap_malloc(size_t bytes)
{
    return fails() ? NULL : __real_malloc(bytes);
}

void *__wrap_calloc(size_t count, size_t bytes)
{
    return fails() ? NULL : __real_calloc(count, bytes);
}

void *__wrap_realloc(void *memory, size_t bytes)
{
    return fails() ? NULL : __real_realloc(memory, bytes);
}
