#include "measure/estimate.h"

#include "measure/evaluate.h"
#include "measure/rounds.h"

#include <math.h>

/* Time for the driver's compiler, and for a launch with its copies and verification: medians of one
 * default sweep on the model of A380, on a server that was not idle. */
#define COMPILE_S      0.05
#define MODEL_LAUNCH_S 0.0033
#define MODEL_WORKER_S 0.01
/* Processor time per second of a modelled hardware thread. */
#define MODEL_THREAD_S 8.0

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

/* One timed launch and the short one that precedes it. */
static double launch_s(const struct target *target, const struct family *family,
                       const struct configuration *c, size_t variant, unsigned points)
{
    bool model = target->kind == DEVICE_EMULATED;
    double threads = busy_threads(target, c);
    double iteration = iteration_s(family, c, variant, threads);
    double timed = run_fewest_ticks(&target->device, !model, c) / (double)target->timer.hz *
                   CALIBRATION_MARGIN(!model);
    double kernel = fmax(timed, iteration) * (points + 1) / 2.0 + iteration;
    double bytes = family->buffer_bytes ? (double)family->buffer_bytes(c) : 0.0;

    if (model)
        return MODEL_LAUNCH_S + MODEL_THREAD_S * kernel * threads;
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

struct duration estimate_configuration(const struct target *target, const struct family *family,
                                       const struct configuration *configuration,
                                       const bool *takes_part, const struct stop_rule *asked)
{
    bool model = target->kind == DEVICE_EMULATED;
    struct stop_rule stop = stop_complete(asked, !model);
    unsigned points = model ? EVALUATION_POINTS_MODEL : EVALUATION_POINTS_HARDWARE;
    double round = 0.0, once = 0.0;

    for (size_t v = 0; v < family->variant_count; v++) {
        if (!takes_part[v])
            continue;
        double launch = launch_s(target, family, configuration, v, points);
        round += launch * (family->variants[v].method == METHOD_OBSERVE ? 1 : points);
        once += 2.0 * launch; /* calibration and proof */
    }
    once += model ? MODEL_WORKER_S : 0.0;
    return (struct duration){once + round * stop.min,
                             once + round * stop.max * (model ? 1 : MOST_BATCHES)};
}

double estimate_compilation(size_t kernels)
{
    return COMPILE_S * (double)kernels;
}
