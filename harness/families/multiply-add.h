/* Kernels in which every work-item runs chains of operations and stores what they come to: families
 * `device_arithmetic`, `device_fp64` and `device_matrix`. In the first two these are
 * multiply-adds. */
#ifndef VEBENCH_MULTIPLY_ADD_H
#define VEBENCH_MULTIPLY_ADD_H

#include "family/family.h"

/* As in spirv_kernels/multiply-add.h. */
#define MULTIPLY_ADD_CHAINS 8u
#define MULTIPLY_ADD_STEPS  15u

/* Operations of an iteration, in millions as units. */
void operations_work(double flops, struct work *work);

/* The buffers: out, of so many dwords per work-item, and witness. */
#define OPERATIONS_BUFFERS(bytes_of_out)                                                           \
    {"out", BUFFER_OUTPUT, bytes_of_out},                                                          \
    {                                                                                              \
        "witness", BUFFER_WITNESS                                                                  \
    }

/* Sets: two operands, iterations. */
void operations_arguments(const struct launch *launch, uint32_t a, uint32_t b,
                          struct arguments *arguments);

/* Compares out. `expect` computes a value of work-item `item` of its work-group. */
enum status
operations_verify(struct workspace *workspace, const struct launch *launch, size_t values,
                  uint32_t (*expect)(const struct launch *launch, size_t item, size_t value),
                  struct error *error);

/* Counts `operations` per step, in millions as units. */
void multiply_add_work(const struct configuration *configuration, double operations,
                       struct work *work);

/* Bytes of out: a dword for each chain. */
size_t multiply_add_bytes(const struct configuration *configuration);

/* The operands are factor and addend. With `counts`, both are 1: a step then adds 1. Otherwise they
 * are -1 and 3. */
void multiply_add_arguments(const struct launch *launch, bool counts, struct arguments *arguments);

/* Compares out. */
enum status multiply_add_verify(struct workspace *workspace, const struct launch *launch,
                                bool counts, struct error *error);

#endif
