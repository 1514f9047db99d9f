/* Has one allocation fail: NO_MEMORY_AT, counted from 1. Without it, writes how many there were to
 * the file NO_MEMORY_COUNT. Loaded before the C library (LD_PRELOAD), whose own functions it calls.
 */
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *memory, size_t bytes);

static atomic_ulong allocations;
static atomic_ulong failing; /* 0: not read yet */

static int fails(void)
{
    if (atomic_load(&failing) == 0) {
        const char *at = getenv("NO_MEMORY_AT");

        atomic_store(&failing, at ? strtoul(at, NULL, 10) : ~0ul);
    }
    if (atomic_fetch_add(&allocations, 1) + 1 != atomic_load(&failing))
        return 0;
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t bytes)
{
    return fails() ? NULL : __libc_malloc(bytes);
}

void *calloc(size_t count, size_t bytes)
{
    return fails() ? NULL : __libc_calloc(count, bytes);
}

void *realloc(void *memory, size_t bytes)
{
    return fails() ? NULL : __libc_realloc(memory, bytes);
}

__attribute__((destructor)) static void tell(void)
{
    const char *path = getenv("NO_MEMORY_COUNT");
    FILE *file = path ? fopen(path, "w") : NULL;

    if (!file)
        return;
    fprintf(file, "%lu\n", atomic_load(&allocations));
    fclose(file);
}
