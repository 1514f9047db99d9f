#include "predict/sample.h"

#include <math.h>
#include <string.h>

/* Instructions: the most that are emulated of a launch that is emulated whole though only part of
 * it fills the device; for each evaluation with other figures; and for all of these. A core of a
 * host emulates some 20 million a second. */
#define WHOLE_MOST 1e8
#define AGAIN_MOST 4e6
#define DRAWS_MOST 2e8

/* A pilot that executes more is a spin-lock's, whose other side is not there. */
#define PILOT_MOST UINT64_C(500000000)

static double groups_of(const struct predict_launch *launch)
{
    return (double)launch->count[0] * launch->count[1] * launch->count[2];
}

static double groups_run(const struct predict_launch *launch)
{
    double groups = 1.0;

    for (unsigned i = 0; i < 3; i++)
        groups *=
            launch->count_run[i] ? launch->count_run[i] : launch->count[i] - launch->first_run[i];
    return groups;
}

/* How many work-groups fill the device's threads. */
static double groups_resident(struct predictor *predictor, const struct predict_launch *launch,
                              unsigned simd_width)
{
    struct predict_topology topology = predictor_topology(predictor);
    double items = (double)launch->local[0] * launch->local[1] * launch->local[2];

    double per_core = floor((double)topology.engines * topology.threads / ceil(items / simd_width));

    return fmax(1.0, per_core) * topology.xe_cores;
}

/* About `groups` neighbouring work-groups of the launch, `position` (0 to 1) of the way through
 * it: whole rows, and whole planes, where it is more than one. */
static struct predict_launch window(const struct predict_launch *launch, double groups,
                                    double position)
{
    struct predict_launch part = *launch;
    double inner = 1.0;

    for (unsigned i = 0; i < 3; i++) {
        double wanted = fmin(fmax(floor(groups / inner + 0.5), 1.0), launch->count[i]);

        part.count_run[i] = (uint32_t)wanted;
        part.first_run[i] = (uint32_t)floor(position * (launch->count[i] - wanted));
        inner *= launch->count[i];
    }
    return part;
}

static double bytes_of(const struct predict_launch *launch)
{
    double bytes = 0.0;

    for (size_t i = 0; i < launch->buffer_count; i++)
        bytes += (double)launch->buffer[i].bytes;
    return bytes;
}

/* What the launch takes around its threads with the figures of the moment. */
static double launch_cycles(const struct predictor *predictor)
{
    return predictor_figure(predictor, VESIM_FIGURE_dispatch_latency) +
           predictor_figure(predictor, VESIM_FIGURE_retire_latency);
}

static enum status once(const struct launch_sample *sample, const struct predict_launch *launch,
                        enum predict_caches caches, uint64_t most, struct outcome *outcome,
                        struct error *error)
{
    const struct predict_once how = {.caches = caches, .instructions_most = most};

    return predict_once(sample->predictor, sample->kernel, launch, &how, outcome, error);
}

/* A part of a launch whose data the L3 does not hold finds none of it there, the whole neither. */
static enum predict_caches caches_of_part(const struct launch_sample *sample)
{
    return bytes_of(sample->launch) >
                   predictor_figure(sample->predictor, VESIM_FIGURE_l3_bytes) / 2.0
               ? PREDICT_COLD
               : PREDICT_WARM;
}

/* What takes long takes it once: what the caches hold at its begin makes no difference. */
static enum status take_whole(struct launch_sample *sample, double instructions,
                              struct error *error)
{
    enum status status = once(sample, sample->launch, PREDICT_COLD, 0, &sample->outcome, error);

    sample->groups_run = sample->groups;
    sample->cold_cycles = sample->outcome.cycles;
    if (status != STATUS_OK || instructions > WHOLE_MOST)
        return status;
    return once(sample, sample->launch, PREDICT_WARM, 0, &sample->outcome, error);
}

/* The cycles of `groups` and twice as many work-groups somewhere: what one more takes. */
static enum status take_rate(struct launch_sample *sample, double groups, double position,
                             double *start, double *rate, struct error *error)
{
    struct predict_launch some = window(sample->launch, groups, position);
    struct predict_launch more = window(sample->launch, 2.0 * groups, position);
    enum predict_caches caches = caches_of_part(sample);
    struct outcome few;
    enum status status = once(sample, &some, caches, 0, &few, error);

    if (status == STATUS_OK)
        status = once(sample, &more, caches, 0, &sample->outcome, error);
    if (status != STATUS_OK)
        return status;
    *rate =
        fmax(sample->outcome.cycles - few.cycles, 0.0) / (groups_run(&more) - groups_run(&some));
    *start = few.cycles - *rate * groups_run(&some);
    sample->groups_run += groups_run(&some) + groups_run(&more);
    return STATUS_OK;
}

static void scale_outcome(struct launch_sample *sample, double cycles, double least, double most)
{
    struct outcome *outcome = &sample->outcome;
    double around = launch_cycles(sample->predictor), was = outcome->cycles;

    outcome->instructions *= (cycles - around) / (was - around);
    outcome->cycles = cycles;
    for (size_t i = 0; i < outcome->part_count; i++) {
        struct part *part = &outcome->part[i];

        part->share = strcmp(part->name, PART_LAUNCH) == 0
                          ? around / cycles
                          : part->share * (1.0 - around / cycles) / (1.0 - around / was);
    }
    sample->spread = (most - least) / 2.0 / cycles;
}

static enum status take_parts(struct launch_sample *sample, double groups, struct error *error)
{
    enum { PARTS = 3 };
    double least = INFINITY, most = 0.0, sum = 0.0;
    enum status status = STATUS_OK;

    for (unsigned i = 0; status == STATUS_OK && i < PARTS; i++) {
        double start = 0.0, rate = 0.0;

        status = take_rate(sample, groups, i / (PARTS - 1.0), &start, &rate, error);
        double cycles = start + rate * sample->groups;
        least = fmin(least, cycles);
        most = fmax(most, cycles);
        sum += cycles;
    }
    if (status == STATUS_OK)
        scale_outcome(sample, sum / PARTS, least, most);
    return status;
}

/* What is emulated for each evaluation with other figures: the whole, or as many work-groups as
 * fit, but at least a quarter of those that fill the device, and fewer evaluations. */
static enum status prepare_again(struct launch_sample *sample, double per_group, double resident,
                                 struct error *error)
{
    double whole = per_group * sample->groups, twice = 2.0;
    double groups = fmax(AGAIN_MOST / per_group, fmin(resident, sample->groups) / 4.0);
    struct outcome outcome;

    sample->again = *sample->launch;
    sample->again_caches = PREDICT_WARM;
    if (whole > AGAIN_MOST && groups < sample->groups) {
        sample->again = window(sample->launch, groups, 0.5);
        sample->again_caches = caches_of_part(sample);
        twice = sample->again_caches == PREDICT_WARM ? 2.0 : 1.0;
    }
    sample->draws_most = (size_t)fmin(
        fmax(DRAWS_MOST, whole) / (twice * per_group * groups_run(&sample->again)), 1e6);
    enum status status = once(sample, &sample->again, sample->again_caches, 0, &outcome, error);
    sample->again_cycles = outcome.cycles;
    sample->again_launch = launch_cycles(sample->predictor);
    return status;
}

enum status sample_launch(struct launch_sample *sample, struct predictor *predictor,
                          const struct predict_kernel *kernel, const struct predict_launch *launch,
                          struct error *error)
{
    struct predict_signature signature;
    struct outcome outcome;
    enum status status = predict_signature(predictor, kernel, &signature, error);

    if (status != STATUS_OK)
        return status;
    *sample = (struct launch_sample){.predictor = predictor,
                                     .kernel = kernel,
                                     .launch = launch,
                                     .cold_cycles = NAN,
                                     .groups = groups_of(launch)};
    double resident = groups_resident(predictor, launch, signature.simd_width);
    struct predict_launch pilot = window(launch, fmin(resident, sample->groups), 0.5);
    status = once(sample, &pilot, PREDICT_COLD, PILOT_MOST, &outcome, error);
    if (status != STATUS_OK)
        return status;
    double per_group = outcome.instructions / groups_run(&pilot);
    double part = fmax(2.0 * resident, AGAIN_MOST / per_group);
    if (per_group * sample->groups <= WHOLE_MOST || 4.0 * part >= sample->groups)
        status = take_whole(sample, per_group * sample->groups, error);
    else
        status = take_parts(sample, part, error);
    if (status == STATUS_OK)
        status = prepare_again(sample, per_group, resident, error);
    return status;
}

enum status sample_again(const struct launch_sample *sample, double *cycles, struct error *error)
{
    struct outcome outcome;
    enum status status = once(sample, &sample->again, sample->again_caches, 0, &outcome, error);
    double around = launch_cycles(sample->predictor);

    if (status != STATUS_OK)
        return status;
    double inside = (outcome.cycles - around) / (sample->again_cycles - sample->again_launch);
    *cycles = around + inside * (sample->outcome.cycles - sample->again_launch);
    return STATUS_OK;
}
