/* Shared by families `device_arithmetic` and `device_fp64`: kernels in which every work-item runs
 * chains of multiply-adds. */
#ifndef VEBENCH_MULTIPLY_ADD_H
#define VEBENCH_MULTIPLY_ADD_H

#include "measure/family.h"

/* As in spirv_kernels/multiply-add.h. */
#define MULTIPLY_ADD_CHAINS 8u
#define MULTIPLY_ADD_STEPS  15u

/* Counts `operations` per step, in millions as units. */
void multiply_add_work(const struct configuration *configuration, double operations,
                       struct work *work);

/* Adds the buffers: out, witness. */
enum status multiply_add_setup(struct workspace *workspace,
                               const struct configuration *configuration, struct error *error);

/* Sets: out, witness, the factor, the addend, iterations. With `counts`, both are 1: a step then
 * adds
 * 1. Otherwise they are -1 and 3. */
void multiply_add_arguments(const struct workspace *workspace, const struct launch *launch,
                            bool counts, struct arguments *arguments);

/* Compares out and witness. */
enum status multiply_add_verify(struct workspace *workspace, const struct launch *launch,
                                bool counts, struct error *error);

#endif
