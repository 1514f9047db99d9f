/* Shared by the parts of family `latency` that find device figures. */
#ifndef VEBENCH_LATENCY_FIGURES_H
#define VEBENCH_LATENCY_FIGURES_H

#include "predict/family-figures.h"

/* Bytes that a level of the device holds, and that the next nearer one does, counted from the far
 * end: 1 is memory, 2 the L3. */
struct level_bytes {
    double nearer, own;
};
struct level_bytes latency_level_bytes(const struct vesim_device *device, unsigned from_end);

/* Whether nothing but the level serves the sets: more than the nearer one holds, of which the
 * largest is certainly too large for it, and no more than half of what it holds itself. */
bool latency_serves(const struct level_bytes *bytes, const struct interval *sets);

/* A step, cycles, is the load and the cycle in which the next one is issued: leaves the load. */
void latency_take_load(struct figure_estimate *e);

/* The time of a step up through lines that the L3 holds and the first level does not: it crosses
 * into another page so seldom that no TLB is in it. NULL: there is none. */
const struct parameter *latency_up_in_l3(const struct figure_input *input, const char *variant);

/* Figures of the L3 (latency-l3.c). */
bool latency_measure_l3_prefetch(const struct figure_input *input, struct figure_estimate *e);
bool latency_measure_l3_random(const struct figure_input *input, struct figure_estimate *e);

/* l3_latency_spread (latency-spread.c). Without a first level it needs l1_line_interval. */
#define LATENCY_SPREAD_SWEEP                                                                       \
    "vebench run latency --axis subgroup_size=16 --variant global_uniform --variant "              \
    "global_divergent --axis working_set=16K,32K,L/2 --axis jump=0,1"
bool latency_measure_l3_spread(const struct figure_input *input, struct figure_estimate *e);

/* Loads of lines in no order, more of them from all Xe-cores than memory reads meanwhile. They are
 * so far apart that none is fetched with another, and of the set the L3 holds so little that chains
 * find nothing in it, whichever are ahead of others. */
#define LATENCY_SCATTERED_SWEEP                                                                    \
    "vebench run latency --axis subgroup_size=16 --axis workgroup_size=128,256 --axis "            \
    "workgroup_count=C --variant global_divergent --axis working_set=16L --axis stride=320"
extern const char *const latency_scattered[];

/* Chains of 5, 9 and 17 nodes that the first level has in one set, unless their addresses are
 * scattered over its sets: those stay there that have no more nodes than it has ways. */
#define LATENCY_IN_A_SET_STRIDE 65536
#define LATENCY_IN_A_SET_SWEEP                                                                     \
    "vebench run latency --axis subgroup_size=16 --variant global_one_lane --axis stride=65536 "   \
    "--axis working_set=320K,576K,1088K"

/* memory_latency where the L3 keeps a part even of the farthest sets: no level may be found, and
 * what is kept is no part of the latency. */
bool latency_measure_beyond_kept(const struct figure_input *input, struct figure_estimate *e);

/* memory_latency from steps that go farther up than lines are fetched ahead: all miss, whether or
 * not a level is clear. */
bool latency_measure_by_jumps(const struct figure_input *input, struct figure_estimate *e);

#endif
