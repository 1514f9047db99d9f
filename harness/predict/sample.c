#include "predict/sample.h"

#include <math.h>
#include <string.h>

/* What a host emulates in about a second. */
#define SECOND 2.5e7

/* The effort that everything may take, if the launch takes less: with the start of the program and
 * the compiler it is about a second. */
#define LEAST_EFFORT (0.9 * SECOND)

/* What is emulated whole, and twice, so that caches are warm: this share of a second. */
#define WHOLE_SHARE 0.25

/* What it takes to prepare an emulation, whatever it is of. */
#define PREPARATION 1e5

/* The share of the effort that goes into parts of a launch that is not emulated whole: three parts
 * or, if these would take more, two. */
#define PARTS_SHARE     0.4
#define TWO_PARTS_SHARE 0.6

/* What is left for other figures: at least a share of the effort, and no more than they need. */
#define AGAIN_SHARE 0.125
#define AGAIN_MOST  (2.0 * SECOND)

/* No part needs more to tell what a work-group costs, unless it takes more to fill the device. */
#define PART_MOST 4e6

/* A pilot that executes more is a spin-lock's, whose other side is not there. */
#define PILOT_MOST UINT64_C(500000000)

/* Evaluations with other figures that tell all, and fewer that tell enough; and a number for which
 * each goes far into a launch of which only the begin is emulated. */
enum { EVALUATIONS = 3 * UNCERTAINTY_DRAWS / 2, EVALUATIONS_LEAST = 10, EVALUATIONS_CUT = 18 };

/* Of a set that is so many times as large as the L3 something stays from one launch to the next, if
 * that replaces lines at random; of what is larger, less than a tenth. */
#define KEPT_MOST 2.5

/* Other figures are tried on so many Xe-cores, too, where what all of them can be tried on is off
 * by such a share. */
enum { CORES_FEW = 2 };
#define UNLIKE_LEAST 0.05

/* Where nothing less than the whole of a launch is within this share of being like it, or what the
 * L3 keeps between launches of a short one is in question, the whole is tried, so many times or, if
 * that is too much, fewer. */
#define UNLIKE_MOST 0.3
#define WHOLE_MOST  (7.0 * SECOND)
enum { EVALUATIONS_WHOLE = 12 };

/* Of work-groups, that a part has at least: what one waits for that follows another is in it. */
#define WAVES 2.0

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

/* Touches more than half of what the L3 holds. */
static bool overflows(const struct launch_sample *sample)
{
    return sample->times_cache > 0.5;
}

static double bytes_of(const struct predict_launch *launch)
{
    double bytes = 0.0;

    for (size_t i = 0; i < launch->buffer_count; i++)
        bytes += (double)launch->buffer[i].bytes;
    return bytes;
}

/* What a launch takes around its threads with the figures of the moment. */
static double launch_cycles(const struct predictor *predictor, bool uses_slm)
{
    return predictor_figure(predictor, VESIM_FIGURE_dispatch_latency) +
           predictor_figure(predictor, VESIM_FIGURE_retire_latency) +
           predict_stamp_cycles(predictor, uses_slm);
}

static enum status once(struct launch_sample *sample, const struct predict_launch *launch,
                        enum predict_caches caches, uint64_t most, struct outcome *outcome,
                        struct error *error)
{
    const struct predict_once how = {.caches = caches, .instructions_most = most};
    enum status status =
        predict_once(sample->predictor, sample->kernel, launch, &how, outcome, error);

    if (status == STATUS_OK)
        sample->spent += outcome->effort * (caches == PREDICT_WARM ? 2.0 : 1.0);
    return status;
}

/* Launches of a part: with warm caches there is one before it. */
static double passes(enum predict_caches caches)
{
    return caches == PREDICT_WARM ? 2.0 : 1.0;
}

/* The pilot, with empty caches, tells what is touched. What the L3 does not hold at once is not
 * there when a part begins, nor when the whole does; and only when it has been filled, lines that
 * were written make room for others. Returns the work-groups that fill it, or 0. */
static double groups_to_fill(struct launch_sample *sample, const struct outcome *pilot,
                             double groups)
{
    struct predict_topology topology = predictor_topology(sample->predictor);
    double per_group = pilot->lines * topology.line_bytes / groups;
    double touched = fmin(bytes_of(sample->launch), per_group * sample->groups);

    sample->times_cache = touched / topology.cache_bytes;
    sample->caches = overflows(sample) ? PREDICT_COLD : PREDICT_WARM;
    return sample->caches == PREDICT_COLD ? topology.cache_bytes / per_group : 0.0;
}

static bool is_short(const struct launch_sample *sample)
{
    return sample->effort <= WHOLE_SHARE * SECOND;
}

static bool is_taken_twice(const struct launch_sample *sample)
{
    return sample->effort <= LEAST_EFFORT;
}

/* Twice, so that caches are warm; what takes long takes it once: the longer a launch, the less it
 * matters what they hold at its begin. The pilot may have been all of it. */
static enum status take_whole(struct launch_sample *sample, const struct outcome *pilot,
                              double pilot_groups, struct error *error)
{
    enum status status = STATUS_OK;
    bool twice = is_taken_twice(sample);

    sample->outcome = *pilot;
    if (twice || pilot_groups < sample->groups)
        status = once(sample, sample->launch, twice ? PREDICT_WARM : PREDICT_COLD, 0,
                      &sample->outcome, error);
    sample->groups_run = sample->groups;
    sample->cold_cycles = sample->outcome.cold_cycles;
    sample->effort = sample->outcome.effort;
    return status;
}

/* The cycles of `groups` and twice as many work-groups somewhere: what one more takes. The outcome
 * is that of `*counted` work-groups. */
static enum status take_rate(struct launch_sample *sample, double groups, double position,
                             double *start, double *rate, double *counted, struct error *error)
{
    struct predict_launch some = window(sample->launch, groups, position);
    struct predict_launch more = window(sample->launch, 2.0 * groups, position);
    struct outcome few;
    enum status status = once(sample, &some, sample->caches, 0, &few, error);

    if (status == STATUS_OK)
        status = once(sample, &more, sample->caches, 0, &sample->outcome, error);
    if (status != STATUS_OK)
        return status;
    *rate =
        fmax(sample->outcome.cycles - few.cycles, 0.0) / (groups_run(&more) - groups_run(&some));
    *start = few.cycles - *rate * groups_run(&some);
    *counted = groups_run(&more);
    sample->groups_run += groups_run(&some) + groups_run(&more);
    return STATUS_OK;
}

/* Makes the outcome of `counted` work-groups that of all, which take so many cycles. Instructions
 * are as the work-groups, cycles are not: a part begins with memory that has nothing to do yet. */
static void scale_outcome(struct launch_sample *sample, double counted, double cycles, double least,
                          double most)
{
    struct outcome *outcome = &sample->outcome;
    double around = sample->around, was = outcome->cycles;

    outcome->instructions *= sample->groups / counted;
    outcome->cycles = cycles;
    for (size_t i = 0; i < outcome->part_count; i++) {
        struct part *part = &outcome->part[i];

        part->share = strcmp(part->name, PART_LAUNCH) == 0
                          ? around / cycles
                          : part->share * (1.0 - around / cycles) / (1.0 - around / was);
    }
    sample->spread = (most - least) / 2.0 / cycles;
}

/* `parts` of them, from the launch's begin to its end, each of `groups` and of twice as many. */
static enum status take_parts(struct launch_sample *sample, double groups, unsigned parts,
                              struct error *error)
{
    double least = INFINITY, most = 0.0, sum = 0.0, before = sample->spent, counted = 0.0;
    enum status status = STATUS_OK;

    for (unsigned i = 0; status == STATUS_OK && i < parts; i++) {
        double start = 0.0, rate = 0.0;

        status = take_rate(sample, groups, i / (parts - 1.0), &start, &rate, &counted, error);
        double cycles = start + rate * sample->groups;
        least = fmin(least, cycles);
        most = fmax(most, cycles);
        sum += cycles;
    }
    if (status != STATUS_OK)
        return status;
    scale_outcome(sample, counted, sum / parts, least, most);
    sample->effort =
        (sample->spent - before) / passes(sample->caches) / sample->groups_run * sample->groups;
    return STATUS_OK;
}

/* How much of the launch's work `again` has, 0 to 1. */
static double work_again(const struct launch_sample *sample)
{
    return groups_run(&sample->again) / sample->groups;
}

/* Whether each evaluation may go to the end, `least` being the effort that it may take. */
static bool take_to_the_end(struct launch_sample *sample, enum predict_caches caches, double least)
{
    sample->again_how.caches = caches;
    sample->again_effort = PREPARATION + sample->effort * work_again(sample) * passes(caches);
    return sample->again_effort <= least;
}

/* As far into it as there is effort for. */
static void take_begin(struct launch_sample *sample, double left)
{
    double whole = sample->effort * work_again(sample);

    sample->again_how.caches = PREDICT_COLD;
    sample->again_effort = left / EVALUATIONS_CUT;
    sample->again_how.instructions_most =
        (uint64_t)fmax((sample->again_effort - PREPARATION) / whole * work_again(sample) *
                           sample->outcome.instructions,
                       1.0);
}

/* What an evaluation with other figures emulates: the whole, if short; else as many work-groups as
 * there is effort for, if they fill the device; else the whole up to some instruction, with a
 * device as full as it is, though without its end. */
static void choose_again(struct launch_sample *sample, double per_group, double resident,
                         double left)
{
    double each = left / EVALUATIONS, least = left / EVALUATIONS_LEAST;
    double fill = resident * per_group * passes(sample->caches);

    sample->again = *sample->launch;
    sample->again_how = (struct predict_once){0};
    if (is_short(sample) && take_to_the_end(sample, PREDICT_WARM, least))
        return;
    if (PREPARATION + WAVES * fill <= least && WAVES * resident < sample->groups) {
        sample->again = window(sample->launch, fmax(each / fill, WAVES) * resident, 0.5);
        take_to_the_end(sample, sample->caches, least);
    } else if (!take_to_the_end(sample, PREDICT_COLD, least)) {
        take_begin(sample, left);
    }
}

/* The same on few Xe-cores, with their share of the work-groups: what cores do to each other, they
 * do through what is divided as well. On two, or on one if two would not get to the end. Returns
 * whether it can be: not where a work-group waits for others, which would not be there. */
static bool choose_cores(struct launch_sample *sample, double left)
{
    double cores = predictor_topology(sample->predictor).xe_cores, least = left / EVALUATIONS_LEAST;

    if (sample->groups_wait || cores <= CORES_FEW || sample->groups < 2.0 * cores)
        return false;
    for (unsigned few = CORES_FEW; few > 0; few--) {
        sample->again = window(sample->launch, sample->groups * few / cores, 0.5);
        sample->again_how = (struct predict_once){.cores = few, .splits_memory = overflows(sample)};
        if ((is_short(sample) && take_to_the_end(sample, PREDICT_WARM, least)) ||
            take_to_the_end(sample, sample->caches, least))
            return true;
    }
    take_begin(sample, left);
    return true;
}

/* Start and end of what sample_again() emulates, with the figures of the moment. */
static double around_again(const struct launch_sample *sample)
{
    return sample->again_how.instructions_most
               ? predictor_figure(sample->predictor, VESIM_FIGURE_dispatch_latency)
               : launch_cycles(sample->predictor, sample->uses_slm);
}

static enum status emulate_again(const struct launch_sample *sample, double *cycles,
                                 double *cold_cycles, struct error *error)
{
    return predict_cycles(sample->predictor, sample->kernel, &sample->again, &sample->again_how,
                          cycles, cold_cycles, error);
}

/* How much of the launch's time sample_again() emulates, 0 to 1: some of the cores have that much
 * less to do. */
static double share_again(const struct launch_sample *sample)
{
    const struct predict_once *how = &sample->again_how;
    double cores = predictor_topology(sample->predictor).xe_cores;
    double work = how->instructions_most
                      ? (double)how->instructions_most / sample->outcome.instructions
                      : work_again(sample);

    return how->cores ? work * cores / how->cores : work;
}

/* Whether sample_again() emulates just what has been emulated for the prediction. */
static bool is_again_known(const struct launch_sample *sample)
{
    return is_short(sample) && sample->again_how.caches == PREDICT_WARM &&
           !sample->again_how.cores && !sample->again_how.instructions_most &&
           work_again(sample) == 1.0;
}

/* How far off the launch's `cycles` are, as a share, if it goes on as in `again`. */
static double unlike(const struct launch_sample *sample, double again, double cycles)
{
    double like = (again - sample->again_around) / share_again(sample);

    return fabs(like / (cycles - sample->around) - 1.0);
}

/* Emulates what has been chosen with the predictor's own figures, which takes from the effort that
 * is left: how like the launch is it? */
static enum status compare_to_launch(struct launch_sample *sample, double *left,
                                     struct error *error)
{
    enum status status = STATUS_OK;

    sample->again_cycles = sample->outcome.cycles;
    sample->fresh.again_cycles = sample->cold_cycles;
    if (!is_again_known(sample)) {
        status = emulate_again(sample, &sample->again_cycles, &sample->fresh.again_cycles, error);
        *left -= sample->again_effort;
    }
    sample->again_most = (size_t)fmin(fmax(*left, 0.0) / sample->again_effort, 1e6);
    sample->again_around = around_again(sample);
    sample->unlike = unlike(sample, sample->again_cycles, sample->outcome.cycles);
    sample->fresh.unlike = unlike(sample, sample->fresh.again_cycles, sample->cold_cycles);
    return status;
}

static double effort_whole(const struct launch_sample *sample)
{
    return PREPARATION + sample->effort * passes(PREDICT_WARM);
}

/* How many times the whole launch can be tried with other figures. */
static double evaluations_whole(const struct launch_sample *sample)
{
    return fmin(floor(WHOLE_MOST / effort_whole(sample)), EVALUATIONS_WHOLE);
}

static void choose_whole(struct launch_sample *sample)
{
    sample->again = *sample->launch;
    sample->again_how = (struct predict_once){.caches = PREDICT_WARM};
    sample->again_effort = effort_whole(sample);
    sample->again_most = (size_t)evaluations_whole(sample);
    sample->again_cycles = sample->outcome.cycles;
    sample->fresh.again_cycles = sample->cold_cycles;
    sample->again_around = launch_cycles(sample->predictor, sample->uses_slm);
    sample->unlike = sample->fresh.unlike = 0.0;
}

/* The effort that all may take. Where a launch that is not short is emulated twice, the second time
 * takes nothing from the other figures. */
static double effort_allowed(const struct launch_sample *sample)
{
    double effort = sample->effort;

    if (sample->groups_run != sample->groups)
        return effort;
    return is_taken_twice(sample) && !is_short(sample) ? LEAST_EFFORT + effort
                                                       : fmax(LEAST_EFFORT, effort);
}

/* Whether what the last launch left in the L3 of what this one touches depends on figures. */
static bool may_keep_some(const struct launch_sample *sample)
{
    const struct uncertainty *uncertainty = predictor_uncertainty(sample->predictor);

    if (!overflows(sample) || sample->times_cache > KEPT_MOST)
        return false;
    return uncertainty_of(uncertainty, VESIM_FIGURE_l3_random) ||
           uncertainty_of(uncertainty, VESIM_FIGURE_l3_bytes) ||
           predictor_figure(sample->predictor, VESIM_FIGURE_l3_random) > 0.0;
}

static enum status prepare_again(struct launch_sample *sample, double resident, struct error *error)
{
    double budget = effort_allowed(sample);
    double per_group = sample->effort / sample->groups;
    double left = fmax(fmin(budget - sample->spent, AGAIN_MOST),
                       fmin(AGAIN_SHARE * budget, AGAIN_MOST / 2.0));

    sample->few = window(sample->launch, left / EVALUATIONS / per_group / 2.0, 0.5);
    if (is_short(sample) && may_keep_some(sample)) {
        sample->depends_on = &vesim_figures[VESIM_FIGURE_l3_random];
        choose_whole(sample);
        return STATUS_OK;
    }
    choose_again(sample, per_group, resident, left);
    enum status status = compare_to_launch(sample, &left, error);
    if (status != STATUS_OK || sample->unlike < UNLIKE_LEAST)
        return status;
    struct launch_sample other = *sample;
    if (choose_cores(&other, left) && compare_to_launch(&other, &left, error) == STATUS_OK &&
        other.unlike < sample->unlike)
        *sample = other;
    if (is_taken_twice(sample) && sample->unlike > UNLIKE_MOST &&
        evaluations_whole(sample) >= INTERVAL_EVALUATIONS_LEAST)
        choose_whole(sample);
    return STATUS_OK;
}

/* What a work-group of the launch costs: one that is emulated alone or, if it waits for others, as
 * many as are resident together. */
static enum status take_pilot(struct launch_sample *sample, double resident,
                              struct outcome *outcome, double *groups, struct error *error)
{
    struct predict_launch pilot = window(sample->launch, 1.0, 0.5);
    enum status status = once(sample, &pilot, PREDICT_COLD,
                              sample->groups > 1.0 ? (uint64_t)SECOND : PILOT_MOST, outcome, error);

    if (status != STATUS_OK && sample->groups > 1.0) {
        pilot = window(sample->launch, fmin(resident, sample->groups), 0.5);
        sample->groups_wait = true;
        status = once(sample, &pilot, PREDICT_COLD, PILOT_MOST, outcome, error);
    }
    *groups = groups_run(&pilot);
    return status;
}

/* Work-groups of a part, if all parts, each of these and of twice as many, may take a share of the
 * launch's effort. */
static double groups_of_part(const struct launch_sample *sample, double share, unsigned parts)
{
    return share * sample->groups / (3.0 * parts) / passes(sample->caches);
}

enum status sample_launch(struct launch_sample *sample, struct predictor *predictor,
                          const struct predict_kernel *kernel, const struct predict_launch *launch,
                          struct error *error)
{
    struct predict_signature signature;
    struct outcome outcome;
    enum status status = predict_signature(predictor, kernel, &signature, error);
    double pilot = 1.0;

    if (status != STATUS_OK)
        return status;
    *sample = (struct launch_sample){.predictor = predictor,
                                     .kernel = kernel,
                                     .launch = launch,
                                     .cold_cycles = NAN,
                                     .around = launch_cycles(predictor, signature.uses_slm),
                                     .uses_slm = signature.uses_slm,
                                     .groups = groups_of(launch)};
    double resident = predict_groups_resident(predictor, launch, signature.simd_width);
    status = take_pilot(sample, resident, &outcome, &pilot, error);
    if (status != STATUS_OK)
        return status;
    sample->effort = outcome.effort / pilot * sample->groups;
    double least = fmax(resident, groups_to_fill(sample, &outcome, pilot));
    unsigned parts = 3;
    double most = groups_of_part(sample, PARTS_SHARE, parts);
    if (most < least)
        most = groups_of_part(sample, TWO_PARTS_SHARE, --parts);
    double part = fmin(most, fmax(2.0 * least, PART_MOST / outcome.effort * pilot));
    if (is_short(sample) || most < least)
        status = take_whole(sample, &outcome, pilot, error);
    else
        status = take_parts(sample, part, parts, error);
    if (status == STATUS_OK)
        status = prepare_again(sample, resident, error);
    return status;
}

/* The launch's time with the figures of the moment, from that of `again`, which was `before` with
 * the predictor's own, as all of it was `whole`. */
static double scale_again(const struct launch_sample *sample, double cycles, double before,
                          double whole)
{
    double inside = (cycles - around_again(sample)) / (before - sample->again_around);

    return launch_cycles(sample->predictor, sample->uses_slm) + inside * (whole - sample->around);
}

/* Whether `again` has a launch with empty caches before the one with warm ones. */
static bool again_begins_fresh(const struct launch_sample *sample)
{
    return sample->again_how.caches == PREDICT_WARM && !sample->again_how.instructions_most &&
           !isnan(sample->cold_cycles);
}

static void note_fresh(struct launch_sample *sample, double cycles)
{
    bool is_first = sample->fresh.count == 0;

    if (sample->fresh.count < UNCERTAINTY_DRAWS)
        sample->fresh.drawn[sample->fresh.count] = cycles;
    sample->fresh.count++;
    sample->fresh.least = is_first ? cycles : fmin(sample->fresh.least, cycles);
    sample->fresh.most = is_first ? cycles : fmax(sample->fresh.most, cycles);
}

enum status sample_again(struct launch_sample *sample, double *cycles, struct error *error)
{
    double cold;
    enum status status = emulate_again(sample, cycles, &cold, error);

    if (status != STATUS_OK)
        return status;
    if (again_begins_fresh(sample))
        note_fresh(sample,
                   scale_again(sample, cold, sample->fresh.again_cycles, sample->cold_cycles));
    *cycles = scale_again(sample, *cycles, sample->again_cycles, sample->outcome.cycles);
    return STATUS_OK;
}

enum status sample_other_contents(const struct launch_sample *sample,
                                  const struct predict_launch *other, double *ratio,
                                  struct error *error)
{
    bool is_cut = sample->again_how.instructions_most > 0;
    const struct predict_launch *part = is_cut ? &sample->few : &sample->again;
    const struct predict_once few = {.caches = sample->caches},
                              *how = is_cut ? &few : &sample->again_how;
    struct predict_launch filled = *other;
    double was = sample->again_cycles, is = NAN;
    enum status status = STATUS_OK;

    memcpy(filled.first_run, part->first_run, sizeof(filled.first_run));
    memcpy(filled.count_run, part->count_run, sizeof(filled.count_run));
    if (is_cut)
        status = predict_cycles(sample->predictor, sample->kernel, part, how, &was, NULL, error);
    if (status == STATUS_OK)
        status = predict_cycles(sample->predictor, sample->kernel, &filled, how, &is, NULL, error);
    double around = sample->around, whole = sample->outcome.cycles;
    *ratio = (around + (is - around) / (was - around) * (whole - around)) / whole;
    return status;
}

/* Widens by what is not known where what was emulated with other figures is so unlike the launch.
 */
static void widen_unlike(const struct launch_sample *sample, double unlike,
                         struct prediction_interval *interval)
{
    double below = interval->value - interval->low, above = interval->high - interval->value;
    double beyond = fmax(below, above) * unlike;

    interval->low = fmax(interval->low - beyond, 0.0);
    interval->high += beyond;
    interval->low *= 1.0 - fmin(sample->spread, 1.0);
    interval->high *= 1.0 + sample->spread;
}

/* As of a repeated launch: beyond the extremes of the draws, and to the ends of figures' ranges. */
static void span_fresh(const struct launch_sample *sample, double unit,
                       struct prediction_interval *fresh)
{
    interval_span(fresh, sample->fresh.drawn, sample->fresh.count, unit);
    fresh->low = fmin(fresh->low, unit * sample->fresh.least);
    fresh->high = fmax(fresh->high, unit * sample->fresh.most);
}

bool sample_fresh(const struct launch_sample *sample, const struct prediction_interval *repeated,
                  struct prediction_interval *fresh)
{
    double unit = repeated->value / sample->outcome.cycles, cold = unit * sample->cold_cycles;

    *fresh = (struct prediction_interval){.value = cold, .draws = repeated->draws};
    if (isnan(cold))
        return false;
    if (sample->fresh.count && repeated->draws) {
        span_fresh(sample, unit, fresh);
        widen_unlike(sample, sample->fresh.unlike, fresh);
    } else {
        fresh->low = cold * repeated->low / repeated->value;
        fresh->high = cold * repeated->high / repeated->value;
    }
    return true;
}

void sample_widen(const struct launch_sample *sample, struct prediction_interval *interval)
{
    widen_unlike(sample, sample->unlike, interval);
}
