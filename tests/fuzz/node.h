/* What the fuzzer of a node has to know of a kernel driver's requests. */
#ifndef FUZZ_NODE_H
#define FUZZ_NODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kmd/node.h"

#define ARENA_BYTES 8192

extern uint8_t *arena; /* the program's only memory, ARENA_BYTES of it */

extern const enum vesim_kernel_driver node_driver;
extern const unsigned long node_requests[];
extern const size_t node_request_count;

/* What a program may do to itself is useless here: waiting for a GPU that it has made wait for
 * ever, and having the GPU write to all of its own memory. Changes such a request, and returns
 * whether to make it. */
bool node_tame(struct node_file *file, unsigned long request, void *argument);

/* Gives back what a request that succeeded has given to the program outside of the node. */
void node_undo(unsigned long request, const void *argument);

#endif
