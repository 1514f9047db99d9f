/* Device figures from the parameters of family `launch`: how the device starts work-groups and
 * threads. */
#include "predict/family-figures.h"

#include <math.h>

/* Where the threads of every work-group took longer to start than the work-group itself, that took
 * at most what the fewest threads did. */
static bool measure_group_interval(const struct figure_input *input, struct figure_estimate *e)
{
    if (figure_least(input, e, "launch", "dispatch", "per_group"))
        return true;
    if (!figure_least(input, e, "launch", "dispatch", "per_thread"))
        return false;
    figure_scale(e, model_find(input->model, "%s", e->parameter)->least_threads);
    e->is_bound = true;
    e->range.low = 0.0;
    return e->value > 0.0;
}

/* What the threads of these work-groups take themselves, cycles: no more than this. */
#define THREAD_MOST 500.0

/* A parameter that is off by no more than this share in any row is the same in all of them. */
#define SAME 0.003

/* Where places come free too slowly, a thread takes longer the more there are in a work-group, as
 * each place is also kept while the others start. */
static bool is_same_of_any_threads(const struct figure_input *input, const char *name)
{
    const struct parameter *p = model_find(input->model, "%s", name);

    return p->most_threads >= 2 * p->least_threads &&
           fabs(p->worst_residual) <= SAME * p->value * p->least_threads;
}

/* All Xe-cores start threads simultaneously. Where their places may come free more slowly than
 * threads start, it is known only that these start no more slowly than that. */
static bool measure_thread_interval(const struct figure_input *input, struct figure_estimate *e)
{
    double places = (double)(input->device->ves_per_xe_core * input->device->threads_per_ve);
    double freed = ((double)input->most[VESIM_FIGURE_group_retire_latency] + THREAD_MOST) / places;

    if (!figure_least(input, e, "launch", "dispatch", "per_thread"))
        return false;
    bool is_same = is_same_of_any_threads(input, e->parameter);
    figure_scale(e, figure_xe_cores(input));
    e->is_bound = e->value <= freed && !is_same;
    if (e->is_bound)
        e->range.low = 0.0;
    return true;
}

/* An empty kernel takes the start and the end of a launch, of which only the sum matters and can be
 * told, and a thread in between: its start, its instructions, which have been fetched, and its last
 * message. How long that is depends on figures that nothing measures: from nothing to twice what is
 * assumed. */
#define EMPTY_THREAD 50.0 /* cycles */

static bool measure_either_end(const struct figure_input *input, struct figure_estimate *e)
{
    if (!figure_least(input, e, "launch", "duration", ""))
        return false;
    figure_shift(e, -EMPTY_THREAD);
    e->range.low -= EMPTY_THREAD;
    e->range.high += EMPTY_THREAD;
    figure_scale(e, 0.5);
    return e->value > 0.0;
}

/* Nearly all of this is waiting for code. */
static const char *const fetching[] = {"code_first", NULL};

/* Work-groups of many threads, which end at once, come as fast as those before them make room. */
static const char *const dispatching[] = {"dispatch", NULL};

#define SWEEP "vebench run launch --axis workgroup_size=S,16S,32S"

static const struct figure_rule rules[] = {
    {VESIM_FIGURE_dispatch_latency, measure_either_end, "launch", SWEEP},
    {VESIM_FIGURE_retire_latency, measure_either_end, "launch", SWEEP},
    {VESIM_FIGURE_group_dispatch_interval, measure_group_interval, "launch", SWEEP},
    {VESIM_FIGURE_thread_dispatch_interval, measure_thread_interval, "launch", SWEEP},
    {VESIM_FIGURE_instruction_miss, NULL, "launch", SWEEP, fetching},
    {VESIM_FIGURE_group_retire_latency, NULL, "launch", SWEEP, dispatching,
     .depends_on = VESIM_FIGURE_thread_dispatch_interval},
};

const struct family_figures family_launch_figures = {rules, sizeof(rules) / sizeof(rules[0])};
