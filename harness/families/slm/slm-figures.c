/* Device figures from the parameters of family `slm`, and from exchanges through shared local
 * memory. */
#include "families/exchange/exchange-figures.h"
#include "predict/family-figures.h"

static bool measure_slm_banks(const struct figure_input *input, struct figure_estimate *e)
{
    return figure_value(input, e, "slm.banks");
}

/* Of these the load/store unit takes messages of one kind alone, of all engines. It loses the
 * same between engines whether messages are short or, as those of load_x4, long. */
static const char *const messages[] = {"load", "store", "load_x4", NULL};

/* Of these it takes stores and loads in turn, without a barrier between. */
static const char *const through_slm[] = EXCHANGE_THROUGH_SLM;

static const struct figure_rule rules[] = {
    {VESIM_FIGURE_slm_banks, measure_slm_banks, "slm",
     "vebench run slm --axis subgroup_size=16 --axis stride=1,8,16,32,64,128 --axis "
     "workgroup_size=4S,16S"},
    {VESIM_FIGURE_l1_engine_turn, NULL, "slm",
     "vebench run slm --variant load --variant store --variant load_x4 --axis subgroup_size=16 "
     "--axis stride=1 --axis workgroup_size=64S",
     messages, .most = 100.0},
    {VESIM_FIGURE_slm_turn_interval, NULL, EXCHANGE_FAMILY, EXCHANGE_THROUGH_SLM_SWEEP,
     through_slm},
};

const struct family_figures family_slm_figures = {rules, sizeof(rules) / sizeof(rules[0])};
