/* What family `exchange` tells of figures that belong to shared local memory. */
#ifndef VEBENCH_EXCHANGE_FIGURES_H
#define VEBENCH_EXCHANGE_FIGURES_H

#define EXCHANGE_FAMILY "exchange"

/* Variants in which threads store to shared local memory and load from it in turn, without a
 * barrier between. */
#define EXCHANGE_THROUGH_SLM                                                                       \
    {                                                                                              \
        "shuffle_u32_slm", "pairs_u32_slm", "up_u32_slm", "reverse_u32_slm", NULL                  \
    }

/* Measures them on a whole Xe-core. */
#define EXCHANGE_THROUGH_SLM_SWEEP                                                                 \
    "vebench run " EXCHANGE_FAMILY                                                                 \
    " --variant shuffle_u32_slm --variant pairs_u32_slm --variant up_u32_slm "                     \
    "--variant reverse_u32_slm --axis subgroup_size=16 --axis workgroup_size=64S"

#endif
