/* The GPU's clock under load, as far as it is known. */
#ifndef VEBENCH_CLOCK_H
#define VEBENCH_CLOCK_H

#include "ze/session.h"

/* Some ms of a driver that answers in 1 us, as what is asked of lies right before the end. */
#define CLOCK_SAMPLES_MAX 4096u

/* What system management says the clock is at present, in MHz; 0: nothing. */
double clock_now_mhz(const struct session *session);

/* What system management said last while a list ran. */
struct clock_samples {
    struct {
        uint64_t from_ns, to_ns; /* when it was asked and when it had answered, host's clock */
        double mhz;
    } sample[CLOCK_SAMPLES_MAX];
    size_t count; /* of all; the latest CLOCK_SAMPLES_MAX are kept, a ring */
};

/* Asks for the frequency of the GPU domain of the session's device or tile again and again, from
 * `sample_after_ns` on until the list is done, or has taken `limit_ns`. No samples if the driver
 * has no system management or does not permit it. */
void clock_sample(struct session *session, uint64_t limit_ns, struct clock_samples *samples);

/* The median in MHz of the samples that were taken while the kernel that counts ran, by the
 * device's timestamps; 0 if there are none, or the driver cannot tell the device's time now. An
 * idle GPU's clock says nothing about a busy one's. */
double clock_during_subject(const struct session *session, const struct clock_samples *samples);

/* The clock for converting time to cycles, in MHz, given the observed clock (0: none), which was
 * `counted` or came from system management. `*source` gets how it is known: "counter", "sysman",
 * "emulated_constant" or "unknown" (the return value is then 0). */
double clock_choose(const struct target *target, double observed_mhz, bool counted,
                    const char **source);

#endif
