#include "measure/estimate.h"

#include "measure/contents.h"

#include <math.h>

/* Time for the driver's compiler, and for a launch with its copies and verification: medians of one
 * default sweep on the emulated A380, on a server that was not idle. */
#define COMPILE_S      0.05
#define MODEL_LAUNCH_S 0.0033
#define MODEL_WORKER_S 0.01
/* Processor time per second of an emulated hardware thread, most of which wait most of the time. */
#define MODEL_THREAD_S 8.0
/* Processor time per cycle of a vector engine that issues all the time, as those of kernels do that
 * only compute: device_arithmetic on UHD 770, Iris Xe and A380. */
#define MODEL_CYCLE_S 1e-7

/* Two submissions, one with the spin before the timed kernel (lead.h). */
#define GPU_LAUNCH_S 0.0006
#define GPU_LEAD_S   0.004
#define GPU_COPY_HZ  5e9 /* bytes/s, over the bus and verified */

/* Latency of a message that depends on the previous one. */
#define MESSAGE_S 250e-9

/* Time of a one-iteration launch: the latency of each thread's messages, one after another. */
static double iteration_s(const struct family *family, const struct configuration *c,
                          size_t variant, double threads)
{
    struct work work = family_work(family, c, variant);

    return work.messages / threads * MESSAGE_S;
}

static double busy_threads(const struct target *target, const struct configuration *c)
{
    return device_busy_threads(&target->device, c->subgroup_size, c->workgroup_size,
                               c->workgroup_count);
}

/* Do its threads only compute, so that none waits for memory? */
static bool only_computes(const struct work *work)
{
    return work->flops > 0.0 && work->messages <= 0.0 && work->bytes <= 0.0;
}

/* Processor time of a launch on an emulated device. */
static double model_s(const struct target *target, const struct work *work, double kernel_s,
                      double threads)
{
    const struct device *device = &target->device;
    double engines = fmin(threads, device_xe_cores(device) * device->eus_per_subslice);
    double cycles = engines * kernel_s * device->max_clock_mhz * 1e6;

    return fmax(MODEL_THREAD_S * kernel_s * threads,
                only_computes(work) ? MODEL_CYCLE_S * cycles : 0.0);
}

/* One timed launch and the short one that precedes it. */
static double launch_s(const struct target *target, const struct family *family,
                       const struct configuration *c, size_t variant, unsigned points)
{
    bool model = target->is_deterministic;
    double threads = busy_threads(target, c);
    double iteration = iteration_s(family, c, variant, threads);
    double timed = run_fewest_ticks(&target->device, !model, family, c, variant) /
                   (double)target->timer.hz * CALIBRATION_MARGIN(!model);
    double kernel = fmax(timed, iteration) * (points + 1) / 2.0 + iteration;
    double bytes = (double)family_buffer_bytes(family, c);

    struct work work = family_work(family, c, variant);

    if (model)
        return MODEL_LAUNCH_S + model_s(target, &work, kernel, threads);
    return GPU_LAUNCH_S + GPU_LEAD_S + kernel + bytes / GPU_COPY_HZ;
}

double estimate_longest_launch(const struct target *target, const struct family *family,
                               const struct configuration *configuration, const bool *takes_part)
{
    double threads = busy_threads(target, configuration), longest = 0.0;

    for (size_t v = 0; v < family->variant_count; v++) {
        if (takes_part[v])
            longest = fmax(longest, iteration_s(family, configuration, v, threads));
    }
    return longest * EVALUATION_POINTS_HARDWARE;
}

/* What runs before the rounds, in timed launches: calibration and proof, of which the former
 * extrapolates on an emulated device, and four contents of half the mean length there. */
static double before_rounds(const struct target *target, const struct family *family,
                            const struct configuration *c, size_t variant)
{
    struct work work = family_work(family, c, variant);

    if (!target->is_deterministic)
        return 2.0;
    return contents_are_few(busy_threads(target, c), &work) ? 3.0 : 1.0;
}

struct duration estimate_configuration(const struct target *target, const struct family *family,
                                       const struct configuration *configuration,
                                       const bool *takes_part, const struct stop_rule *asked)
{
    bool model = target->is_deterministic;
    struct stop_rule stop = stop_complete(asked, !model);
    unsigned points = model ? EVALUATION_POINTS_MODEL : EVALUATION_POINTS_HARDWARE;
    double round = 0.0, once = 0.0;

    for (size_t v = 0; v < family->variant_count; v++) {
        if (!takes_part[v])
            continue;
        double launch = launch_s(target, family, configuration, v, points);
        round += launch * (family->variants[v].estimator == ESTIMATOR_SLOPE ? points : 1);
        once += before_rounds(target, family, configuration, v) * launch;
    }
    once += model ? MODEL_WORKER_S : 0.0;
    return (struct duration){
        once + round * stop.min,
        once + round * (model ? fmin(stop.max, ROUNDS_TO_AGREE) : stop.max * MOST_BATCHES)};
}

double estimate_compilation(size_t kernels)
{
    return COMPILE_S * (double)kernels;
}
