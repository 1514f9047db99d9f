/* What becomes of a process that waits for what a hang of its GPU lost. A driver that asks the
 * kernel learns of the loss, and the program of an error. One that polls memory waits for ever, and
 * its process with it. */
#ifndef VESIM_AFTER_HANG_H
#define VESIM_AFTER_HANG_H

#include <stdbool.h>

struct node;

/* Exit status of a process that is ended for it: none of vesim's own, of a shell's, of timeout(1)'s
 * or of the test harnesses'. `vesim --help` has it. */
#define AFTER_HANG_STATUS 122

/* Seconds unless told otherwise, and the least that a limit for kernels lowers them to: a driver
 * asks the kernel for a loss only after it has polled for half a second, and on a busy host later
 * still (`gpuHangCheckPeriod` of NEO). */
#define AFTER_HANG_SECONDS       30.0
#define AFTER_HANG_LEAST_SECONDS 5.0

/* Seconds after which such a process is ended; below 0: never. With `stacks`, gdb prints where all
 * its threads stand before. */
void after_hang_plan(double seconds, bool stacks);

/* A request to the node is made from the code at `caller`: whoever does that is a driver. */
void after_hang_note_request(const void *caller);

/* This thread yields the processor, in the code at `caller`; the node's GPU has hung and has
 * nothing to do. May not return. */
void after_hang_note_yield(const struct node *node, const void *caller);

#endif
