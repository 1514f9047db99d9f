/* Has one allocation fail: NO_MEMORY_AT, counted from 1. Without it, writes to the file
 * NO_MEMORY_COUNT how many there were, and then, a line each, the first of each place in the
 * program that allocates. A place is a chain of CALLS calls that ends in an allocation: who
 * asks for memory by a function of all, such as reading rows, is told apart. The library
 * NO_MEMORY_SPARES, such as libz, has all the memory it wants. Loaded before the C library
 * (LD_PRELOAD), whose own functions it calls.
 */
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unwind.h>

#define PLACES 16384 /* at most; a power of two */
#define CALLS  6
#define OWN    2 /* calls of this file's: fails() and malloc() */

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *memory, size_t bytes);

static atomic_ulong allocations;
static atomic_ulong failing; /* 0: not read yet */

/* By their hashes: an open hash table. */
static struct {
    atomic_uintptr_t at;
    unsigned long first; /* allocation */
} places[PLACES];

static void note(uintptr_t place, unsigned long allocation)
{
    for (size_t probe = 0; probe < PLACES; probe++) {
        size_t i = (place * UINT64_C(0x9e3779b97f4a7c15) / PLACES + probe) % PLACES;
        uintptr_t nobody = 0;

        if (atomic_compare_exchange_strong(&places[i].at, &nobody, place))
            places[i].first = allocation;
        if (atomic_load(&places[i].at) == place)
            return;
    }
}

static int is_spared(const void *caller)
{
    const char *library = getenv("NO_MEMORY_SPARES");
    Dl_info info;

    return library && dladdr(caller, &info) && strstr(info.dli_fname, library);
}

struct chain {
    unsigned seen; /* calls, from the innermost on */
    uintptr_t hash;
};

static _Unwind_Reason_Code take_call(struct _Unwind_Context *context, void *data)
{
    struct chain *chain = data;

    if (chain->seen++ >= OWN)
        chain->hash = (chain->hash ^ _Unwind_GetIP(context)) * UINT64_C(0x100000001b3);
    return chain->seen < OWN + CALLS ? _URC_NO_REASON : _URC_END_OF_STACK;
}

__attribute__((noinline)) static int fails(const void *caller)
{
    if (atomic_load(&failing) == 0) {
        const char *at = getenv("NO_MEMORY_AT");

        atomic_store(&failing, at ? strtoul(at, NULL, 10) : ~0ul);
    }
    unsigned long allocation = atomic_fetch_add(&allocations, 1) + 1;
    if (atomic_load(&failing) == ~0ul && !is_spared(caller)) {
        struct chain chain = {0, UINT64_C(0xcbf29ce484222325)};

        _Unwind_Backtrace(take_call, &chain);
        note(chain.hash, allocation);
    }
    if (allocation != atomic_load(&failing) || is_spared(caller))
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
            fprintf(file, "%lu\n", places[i].first);
    }
    fclose(file);
}
