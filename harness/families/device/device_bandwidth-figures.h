/* What family `device_bandwidth` tells of figures that belong to memory. */
#ifndef VEBENCH_DEVICE_BANDWIDTH_FIGURES_H
#define VEBENCH_DEVICE_BANDWIDTH_FIGURES_H

#include "predict/family-figures.h"

#define DEVICE_BANDWIDTH_FAMILY "device_bandwidth"

/* Measures lines that all Xe-cores load at once, each in order: of these variants, ending with
 * NULL. From memory; and from the last-level cache, by all of them and by one. */
#define LOADS_OF_DEVICE                                                                            \
    "vebench run " DEVICE_BANDWIDTH_FAMILY " --variant read --axis subgroup_size=16 --axis "       \
    "workgroup_count=T/16 --axis working_set=8L"
#define LOADS_OF_L3                                                                                \
    "vebench run " DEVICE_BANDWIDTH_FAMILY                                                         \
    " --variant read --variant write --axis subgroup_size=16 --axis workgroup_size=64S "           \
    "--axis workgroup_count=1,T/64 --axis working_set=L/2"
extern const char *const device_bandwidth_loads[];

/* Measures stores to a set that the L3 does not hold, by a hardware thread on each Xe-core: of
 * many, those that are ahead of others come back to what the L3 has of theirs. */
#define STORES_OF_THREADS                                                                          \
    "vebench run " DEVICE_BANDWIDTH_FAMILY " --variant write --axis subgroup_size=16 --axis "      \
    "workgroup_size=S --axis workgroup_count=C --axis working_set=2L"
extern const char *const device_bandwidth_stores_alone[];

/* Measures loads and stores that the bus to memory takes in turn: of the variants below. */
#define COPIES_OF_DEVICE                                                                           \
    "vebench run " DEVICE_BANDWIDTH_FAMILY                                                         \
    " --variant copy --variant triad --axis subgroup_size=16 --axis workgroup_count=T/16 "         \
    "--axis working_set=8L"

/* Measures loads and stores that banks take in turn, as above. */
#define TURNS_OF_DEVICE                                                                            \
    "vebench run " DEVICE_BANDWIDTH_FAMILY                                                         \
    " --variant copy --variant triad --axis subgroup_size=16 "                                     \
    "--axis workgroup_size=32S --axis workgroup_count=C --axis working_set=7L/8"
extern const char *const device_bandwidth_turns[];

/* The lines per cycle that the whole device stores to a set that the L3 holds. False where the
 * model does not have it. */
bool device_bandwidth_stores(const struct figure_input *input, struct figure_estimate *estimate);

/* The same of one work-group of many threads. */
bool device_bandwidth_stores_of_group(const struct figure_input *input,
                                      struct figure_estimate *estimate);

#endif
