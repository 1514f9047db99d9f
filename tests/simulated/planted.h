/* What the kernels cost on the simulated GPU: known to the simulation and to the test, not to
 * vebench. */
#ifndef TESTS_SIMULATED_PLANTED_H
#define TESTS_SIMULATED_PLANTED_H

#include <string.h>

/* Cycles of one iteration of a kernel of family `barrier`, with work-groups of so many hardware
 * threads; negative for other kernels. */
static inline double planted_barrier_cycles(const char *entry_point, unsigned threads)
{
    static const struct {
        const char *entry_point;
        double alone, each_thread;
    } costs[] = {
        {"barrier_none", 0.0, 0.0},
        {"barrier_sub_group_local", 0.0, 0.0},
        {"barrier_sub_group_global", 24.0, 0.0},
        {"barrier_work_group_local", 60.0, 4.0},
        {"barrier_work_group_global", 90.0, 6.0},
        {"barrier_work_group_both", 120.0, 6.0},
        {"barrier_sub_group_both", 30.0, 0.0},
        {"barrier_sub_group_none", 0.0, 0.0},
        {"barrier_work_group_none", 48.0, 4.0},
    };
    const double loop = 240.0;

    for (unsigned i = 0; i < sizeof(costs) / sizeof(costs[0]); i++) {
        if (!strcmp(entry_point, costs[i].entry_point))
            return loop + costs[i].alone + costs[i].each_thread * threads;
    }
    return -1.0;
}

/* Of one more work-group of family `launch`. */
#define PLANTED_GROUP_CYCLES 24.0

/* Of one step of the spin, and of the spin around it. */
#define PLANTED_SPIN_CYCLES 10.0

/* Of an instruction of a dependent chain, and of the loop around it. */
#define PLANTED_CHAIN_CYCLES 11.0
#define PLANTED_LOOP_CYCLES  30.0

/* Of a copy: at its start, and then. */
#define PLANTED_COPY_NS           2000.0
#define PLANTED_COPY_BYTES_PER_NS 20.0

#endif
