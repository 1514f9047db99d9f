/* The host's processors. */
#ifndef VEBENCH_PROCESSORS_H
#define VEBENCH_PROCESSORS_H

#include <stddef.h>

/* How many this process may run on; at least 1. During processors_divide() each of its processes
 * has a part of them. */
unsigned processors_available(void);

/* Zeroed memory that this process shares with its children. NULL: out of memory. */
void *processors_allocate(size_t bytes);
void processors_free(void *memory, size_t bytes);

/* Divides the indices from 0 to below `count` among so many processes, of which this is one. Each
 * takes the next ones whenever it has done its last, `together` neighbours at a time:
 * `work(context, i, end)` does those from i to below `end`. Of what the others do, only what they
 * write to shared memory remains; of one that crashes, what it had written. */
void processors_divide(size_t count, size_t together, unsigned processes,
                       void (*work)(void *context, size_t i, size_t end), void *context);

#endif
