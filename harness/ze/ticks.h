/* Converts the device's timestamps to time. */
#ifndef VEBENCH_TICKS_H
#define VEBENCH_TICKS_H

#include "base/error.h"

#include <stdint.h>

/* A counter as the device describes it. */
struct timer {
    uint64_t hz;         /* ticks per second */
    unsigned valid_bits; /* of a kernel timestamp, after which the counter wraps */
    uint64_t seen;       /* bits set in any timestamp so far, see timer_step() */
};

/* All ones in the low `valid_bits` bits. 64 and more give all ones: shifting a 64-bit value by 64
 * is undefined, and some devices do report 64. */
uint64_t ticks_mask(unsigned valid_bits);

/* Ticks from `start` to `end`, over at most one wrap of the counter. A kernel that runs longer than
 * one full period of the counter (224 s with 32 bits at 19.2 MHz) cannot be told from a short one;
 * the launches here are thousands of times shorter. */
uint64_t ticks_between(uint64_t start, uint64_t end, unsigned valid_bits);

/* Nanoseconds for a number of ticks. */
double ticks_to_ns(double ticks, uint64_t hz);

/* Records a timestamp of the counter for timer_step(). */
void timer_note(struct timer *timer, uint64_t timestamp);

/* The resolution in ticks of the timestamps recorded so far: more than one if some low bits are
 * never set. Intel's driver clears the lowest one when it has commands write timestamps, as it does
 * for Gen12LP (compute-runtime, writeTimestamp()). */
uint64_t timer_step(const struct timer *timer);

/* Initialises a timer from the two figures that a driver reports for
 * ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES_1_2, where `resolution` is in ticks per second. A driver that
 * does not know that structure type reports nanoseconds per tick instead; such a value is
 * recognised by its size and converted. STATUS_FAILED if the figures make no sense as either. */
enum status timer_init(struct timer *timer, uint64_t resolution, unsigned valid_bits,
                       struct error *error);

#endif
