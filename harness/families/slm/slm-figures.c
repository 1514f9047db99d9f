/* Device figures from the parameters of family `slm`. */
#include "predict/family-figures.h"

static bool measure_slm_banks(const struct figure_input *input, struct figure_estimate *e)
{
    return figure_value(input, e, "slm.banks");
}

static const struct figure_rule rules[] = {
    {VESIM_FIGURE_slm_banks, measure_slm_banks, "slm",
     "vebench run slm --axis subgroup_size=16 --axis stride=1,8,16,32,64,128 --axis "
     "workgroup_size=4S,16S"},
};

const struct family_figures family_slm_figures = {rules, sizeof(rules) / sizeof(rules[0])};
