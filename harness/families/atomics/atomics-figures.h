/* What family `atomics` tells of figures that belong to memory. */
#ifndef VEBENCH_ATOMICS_FIGURES_H
#define VEBENCH_ATOMICS_FIGURES_H

#include "predict/family-figures.h"

/* Measures what atomics_of_device() gives. */
#define ATOMICS_OF_DEVICE                                                                          \
    "vebench run atomics --variant global_add_u32 --axis subgroup_size=16 --axis sharers=1 "       \
    "--axis workgroup_size=8S,16S --axis workgroup_count=C"
extern const char *const atomics_each_own[];

/* The most atomics a cycle that all Xe-cores get together, on neighbouring elements, one each.
 * False where the model does not have it. */
bool atomics_of_device(const struct figure_input *input, struct figure_estimate *estimate);

#endif
