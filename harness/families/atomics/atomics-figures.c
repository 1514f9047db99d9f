/* Device figures from the parameters of family `atomics`. */
#include "families/atomics/atomics-figures.h"

static bool measure_atomic_interval(const struct figure_input *input, struct figure_estimate *e)
{
    return figure_least(input, e, "atomics", "global_add_u32", "per_lane");
}

const char *const atomics_each_own[] = {"global_add_u32", NULL};

bool atomics_of_device(const struct figure_input *input, struct figure_estimate *e)
{
    return figure_most(input, e, "atomics", "global_add_u32", "device");
}

static const struct figure_rule rules[] = {
    {VESIM_FIGURE_atomic_interval, measure_atomic_interval, "atomics",
     "vebench run atomics --variant global_add_u32"},
};

const struct family_figures family_atomics_figures = {rules, sizeof(rules) / sizeof(rules[0])};
