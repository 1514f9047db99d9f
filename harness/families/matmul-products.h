/* Products of matrices, for families `matmul` and `matmul_fp64`: of each element type, in this
 * order, all methods. */
#ifndef VEBENCH_MATMUL_PRODUCTS_H
#define VEBENCH_MATMUL_PRODUCTS_H

#include "measure/common-axes.h"
#include "measure/family.h"

enum matmul_type { MATMUL_FLOAT, MATMUL_HALF, MATMUL_INT, MATMUL_DOUBLE };

enum matmul_method {
    MATMUL_NAIVE,
    MATMUL_SLM,
    MATMUL_WORK_GROUP,
    MATMUL_BROADCAST,
    MATMUL_BROADCAST_BLOCK,
    MATMUL_METHODS,
};

#define MATMUL_TYPES_MAX 3

/* Those of a family. */
struct matmul_types {
    enum matmul_type type[MATMUL_TYPES_MAX];
    size_t count;
};

/* Rows of the table of axes. */
#define MATMUL_AXES                                                                                \
    SUBGROUP_SIZE_AXIS, WORKGROUP_SIZE_AXIS("2S", NULL, "2S,8S"),                                  \
        WORKGROUP_COUNT_AXIS("1", NULL, "1,C"),                                                    \
        {.name = "m",                                                                              \
         .means = "rows of A and C",                                                               \
         .defaults = "16",                                                                         \
         .quick = "8",                                                                             \
         .full = "64,256",                                                                         \
         .kind = AXIS_COUNT,                                                                       \
         .least = 1,                                                                               \
         .largest = 8192},                                                                         \
        {.name = "n",                                                                              \
         .means = "columns of B and C",                                                            \
         .defaults = "32",                                                                         \
         .full = "64,256",                                                                         \
         .kind = AXIS_COUNT,                                                                       \
         .least = 1,                                                                               \
         .largest = 8192},                                                                         \
    {                                                                                              \
        .name = "k", .means = "columns of A and rows of B", .defaults = "32,64", .quick = "32",    \
        .full = "32,256", .kind = AXIS_COUNT, .least = 1, .largest = 8192                          \
    }

/* STATUS_EXCLUDED for shapes that tiles do not divide. */
enum status matmul_check(const struct matmul_types *types,
                         const struct configuration *configuration, size_t variant,
                         struct error *error);

void matmul_work(const struct matmul_types *types, const struct configuration *configuration,
                 size_t variant, struct work *work);

/* Adds for each type the matrices A and B, then C and the witness; computes the expected C. */
enum status matmul_setup(const struct matmul_types *types, struct workspace *workspace,
                         const struct configuration *configuration, struct error *error);
void matmul_arguments(const struct matmul_types *types, const struct workspace *workspace,
                      const struct launch *launch, struct arguments *arguments);
enum status matmul_verify(const struct matmul_types *types, struct workspace *workspace,
                          const struct launch *launch, struct error *error);
void matmul_teardown(void *own);

/* The functions of struct family for `types` (struct matmul_types), but for check(). */
#define MATMUL_FUNCTIONS(types)                                                                    \
    static void work_of(const struct configuration *configuration, size_t variant,                 \
                        struct work *work)                                                         \
    {                                                                                              \
        matmul_work(&types, configuration, variant, work);                                         \
    }                                                                                              \
    static enum status setup(struct workspace *workspace,                                          \
                             const struct configuration *configuration, struct error *error)       \
    {                                                                                              \
        return matmul_setup(&types, workspace, configuration, error);                              \
    }                                                                                              \
    static void set_arguments(const struct workspace *workspace, const struct launch *launch,      \
                              struct arguments *arguments)                                         \
    {                                                                                              \
        matmul_arguments(&types, workspace, launch, arguments);                                    \
    }                                                                                              \
    static enum status verify(struct workspace *workspace, const struct launch *launch,            \
                              struct error *error)                                                 \
    {                                                                                              \
        return matmul_verify(&types, workspace, launch, error);                                    \
    }

#endif
