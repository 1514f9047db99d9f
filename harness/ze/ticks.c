#include "ze/ticks.h"

#include <inttypes.h>

/* Timers of Intel GPUs run at 12 MHz to 100 MHz, so a value between the first two limits is a
 * frequency, and one below the third is a period in nanoseconds. */
#define LOWEST_HZ         1000000u
#define HIGHEST_HZ        10000000000u
#define LONGEST_PERIOD_NS 1000u

/* A counter narrower than this wraps within one launch. */
#define FEWEST_BITS 24u

uint64_t ticks_mask(unsigned valid_bits)
{
    return valid_bits >= 64 ? UINT64_MAX : (UINT64_C(1) << valid_bits) - 1;
}

uint64_t ticks_between(uint64_t start, uint64_t end, unsigned valid_bits)
{
    return (end - start) & ticks_mask(valid_bits);
}

double ticks_to_ns(double ticks, uint64_t hz)
{
    return ticks * 1e9 / (double)hz;
}

void timer_note(struct timer *timer, uint64_t timestamp)
{
    timer->seen |= timestamp;
}

uint64_t timer_step(const struct timer *timer)
{
    return timer->seen ? timer->seen & -timer->seen : 1;
}

enum status timer_init(struct timer *timer, uint64_t resolution, unsigned valid_bits,
                       struct error *error)
{
    if (resolution >= 1 && resolution <= LONGEST_PERIOD_NS)
        resolution = (UINT64_C(1000000000) + resolution / 2) / resolution;
    if (resolution < LOWEST_HZ || resolution > HIGHEST_HZ) {
        return error_set(error, STATUS_FAILED,
                         "the driver reports a timer of %" PRIu64 " Hz, which no Intel GPU has: "
                         "its timestamps cannot be converted",
                         resolution);
    }
    if (valid_bits < FEWEST_BITS) {
        return error_set(error, STATUS_FAILED,
                         "the driver reports kernel timestamps with %u valid bits: too few to time "
                         "a kernel with",
                         valid_bits);
    }
    timer->hz = resolution;
    timer->valid_bits = valid_bits;
    timer->seen = 0;
    return STATUS_OK;
}
