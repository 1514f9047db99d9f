/* The GPU's clock while it works, as far as anybody says. */
#ifndef VEBENCH_CLOCK_H
#define VEBENCH_CLOCK_H

#include "measure/session.h"

/* The frequency of the GPU domain right now in MHz, from the driver's system management; 0 where
 * there is none or it is not permitted. Call it while a kernel runs: an idle GPU lowers its clock.
 */
double clock_sample_mhz(const struct session *session);

/* The clock to count cycles with, in MHz, given what was observed (0: nothing), by counting cycles
 * or by system management. `*source` gets how it is known: "counter", "sysman", "maximum" (what the
 * device can reach, not what it ran at), "emulated_constant" or "unknown" (the return value is then
 * 0). */
double clock_choose(const struct target *target, double observed_mhz, bool counted,
                    const char **source);

#endif
