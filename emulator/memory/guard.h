/* The GPU also works on the program's own memory, which the program may unmap or protect meanwhile.
 * The access then traps. A guard turns the trap into a return to where the work began, so that it
 * ends as a GPU fault. Guards are per thread, and nest.
 *
 * What the work holds when it touches GPU memory is lost, so it must hold no lock there. */
#ifndef VESIM_GUARD_H
#define VESIM_GUARD_H

#include <signal.h>

#include "memory/address-space.h"

/* Runs work(context). Returns 0, or -1 if an access to the memory of `space` has trapped; then
 * `*address` is the GPU virtual address, and the work has gone no farther. */
int memory_guard_run(const struct address_space *space, void (*work)(void *context), void *context,
                     uint64_t *address);

/* For the handler of SIGSEGV and SIGBUS, on the thread that trapped at `host`: goes to the thread's
 * innermost guard if that byte is in its address space, and returns if not. Touches no lock and no
 * memory but the guard's and the address space's. */
void memory_guard_trap(const void *host);

/* Blocks, for a thread about to be created, all signals but those that its own instructions raise;
 * `*before` is for setting the caller's mask back. The GPU takes none of the program's signals. */
void memory_guard_block_signals(sigset_t *before);

#endif
