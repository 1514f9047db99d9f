#include "memory/guard.h"

#include <pthread.h>
#include <setjmp.h>
#include <stddef.h>

struct guard {
    sigjmp_buf resume;
    const struct address_space *space; /* whose memory may trap; that of nothing else */
    uint64_t address;                  /* what has trapped */
    struct guard *outer;
};

/* In the block that each thread has from its start: a signal handler cannot wait for memory. */
static _Thread_local struct guard *innermost __attribute__((tls_model("initial-exec")));

int memory_guard_run(const struct address_space *space, void (*work)(void *context), void *context,
                     uint64_t *address)
{
    struct guard guard = {.space = space, .outer = innermost};

    innermost = &guard;
    if (sigsetjmp(guard.resume, 0)) {
        innermost = guard.outer;
        *address = guard.address;
        return -1;
    }
    work(context);
    innermost = guard.outer;
    return 0;
}

void memory_guard_trap(const void *host)
{
    struct guard *guard = innermost;

    for (size_t i = 0; guard && i < guard->space->count; i++) {
        const struct mapping *mapping = &guard->space->mappings[i];
        uint64_t offset = (uintptr_t)host - (uintptr_t)mapping->host;

        if (offset < mapping->size) {
            guard->address = mapping->address + offset;
            siglongjmp(guard->resume, 1);
        }
    }
}

void memory_guard_block_signals(sigset_t *before)
{
    static const int raised[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT, SIGSYS};
    sigset_t blocked;

    sigfillset(&blocked);
    for (unsigned i = 0; i < sizeof(raised) / sizeof(raised[0]); i++)
        sigdelset(&blocked, raised[i]);
    pthread_sigmask(SIG_SETMASK, &blocked, before);
}
