/* Has one allocation fail: NO_MEMORY_AT, counted from 1. Without it, writes to the file
 * NO_MEMORY_COUNT how many there were, and then, a line each, the first and the last of each place
 * in the program that allocates. Loaded before the C library (LD_PRELOAD), whose own functions it
 * calls.
 */
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define PLACES 4096 /* at most; a power of two */

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *memory, size_t bytes);

static atomic_ulong allocations;
static atomic_ulong failing; /* 0: not read yet */

/* By their addresses: an open hash table. */
static struct {
    atomic_uintptr_t at;
    unsigned long first, last; /* allocations */
} places[PLACES];

static void note(uintptr_t place, unsigned long allocation)
{
    for (size_t probe = 0; probe < PLACES; probe++) {
        size_t i = (place * UINT64_C(0x9e3779b97f4a7c15) / PLACES + probe) % PLACES;
        uintptr_t nobody = 0;

        if (atomic_compare_exchange_strong(&places[i].at, &nobody, place))
            places[i].first = allocation;
        if (atomic_load(&places[i].at) == place) {
            places[i].last = allocation;
            return;
        }
    }
}

static int fails(void *place)
{
    if (atomic_load(&failing) == 0) {
        const char *at = getenv("NO_MEMORY_AT");

        atomic_store(&failing, at ? strtoul(at, NULL, 10) : ~0ul);
    }
    unsigned long allocation = atomic_fetch_add(&allocations, 1) + 1;
    note((uintptr_t)place, allocation);
    if (allocation != atomic_load(&failing))
        return 0;
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t bytes)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_malloc(bytes);
}

void *calloc(size_t count, size_t bytes)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_calloc(count, bytes);
}

void *realloc(void *memory, size_t bytes)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_realloc(memory, bytes);
}

__attribute__((destructor)) static void tell(void)
{
    const char *path = getenv("NO_MEMORY_COUNT");
    unsigned long count = atomic_load(&allocations);
    FILE *file = path ? fopen(path, "w") : NULL;

    if (!file)
        return;
    fprintf(file, "%lu\n", count);
    for (size_t i = 0; i < PLACES; i++) {
        if (places[i].first && places[i].first <= count)
            fprintf(file, "%lu\n%lu\n", places[i].first,
                    places[i].last <= count ? places[i].last : places[i].first);
    }
    fclose(file);
}
