/* The GPU's clock under load, as far as it is known. */
#ifndef VEBENCH_CLOCK_H
#define VEBENCH_CLOCK_H

#include "measure/session.h"

/* The current frequency of the GPU domain in MHz from the driver's system management; 0 if
 * unavailable or not permitted. Call it while a kernel runs: an idle GPU lowers its clock. */
double clock_sample_mhz(const struct session *session);

/* The clock for converting time to cycles, in MHz, given the observed clock (0: none), which was
 * `counted` or came from system management. `*source` gets how it is known: "counter", "sysman",
 * "maximum" (what the device can reach, not what it ran at), "emulated_constant" or "unknown" (the
 * return value is then 0). */
double clock_choose(const struct target *target, double observed_mhz, bool counted,
                    const char **source);

#endif
