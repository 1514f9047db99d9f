/* Device figures from the parameters of family `launch`: how the device starts work-groups and
 * threads. */
#include "predict/family-figures.h"

static bool measure_group_interval(const struct figure_input *input, struct figure_estimate *e)
{
    return figure_least(input, e, "launch", "dispatch", "per_group");
}

/* All Xe-cores start threads simultaneously. */
static bool measure_thread_interval(const struct figure_input *input, struct figure_estimate *e)
{
    if (!figure_least(input, e, "launch", "dispatch", "per_thread"))
        return false;
    figure_scale(e, figure_xe_cores(input));
    return true;
}

static const struct figure_rule rules[] = {
    {VESIM_FIGURE_group_dispatch_interval, measure_group_interval},
    {VESIM_FIGURE_thread_dispatch_interval, measure_thread_interval},
};

const struct family_figures family_launch_figures = {rules, sizeof(rules) / sizeof(rules[0])};
