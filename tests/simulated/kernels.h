/* What the kernels of vebench do on the simulated GPU, and the work that takes. */
#ifndef TESTS_SIMULATED_KERNELS_H
#define TESTS_SIMULATED_KERNELS_H

#include "simulated.h"

struct kernel_work {
    bool is_spin;
    double cycles;    /* without those of the launch */
    double memory_ns; /* at any clock */
};

/* Fills the launch's buffers. False if there is no such kernel. */
bool kernel_run(const struct simulated_launch *launch, struct kernel_work *work);

/* Hardware threads of the launch. */
unsigned kernel_threads(const struct simulated_launch *launch);

#endif
