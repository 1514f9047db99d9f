/* A family of two variants on a fake device whose time is disturbed in known ways, measured like
 * any other, to test the effect of the disturbance. */
#ifndef TESTS_HARNESS_NOISY_DEVICE_H
#define TESTS_HARNESS_NOISY_DEVICE_H

#include "measure/measure.h"

struct disturbance {
    double noise;        /* standard deviation of a launch's time, relative */
    double drift;        /* relative, from the first launch to the last */
    double outlier_rate; /* of launches */
    double outlier_ns;   /* that these take longer */
    double step;         /* relative change of all times at `step_at` */
    double step_at;      /* part of the run, 0 to 1 */
    double two_clocks;   /* every other launch, by chance, takes this much longer, relative */
    double ramp;         /* share of its clock that the device lacks after being idle */
    double ramp_ns;      /* time constant of its recovery */
    double curvature;    /* by how much a launch of 100 us takes longer than its iterations make it,
                            relative; longer launches in proportion to their length */
};

/* Measures a loop of 100 ns, and one that takes `cost_ns` longer, as on hardware; the measurement
 * of the latter. The same seed gives the same. */
struct measurement noisy_measure(const struct disturbance *disturbance, double cost_ns,
                                 const struct stop_rule *stop, uint64_t seed);

/* A number of the standard normal distribution. */
double noisy_normal(struct prng *prng);

#endif
