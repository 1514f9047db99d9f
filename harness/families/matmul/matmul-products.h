/* Products of matrices, for families `matmul` and `matmul_fp64`. */
#ifndef VEBENCH_MATMUL_PRODUCTS_H
#define VEBENCH_MATMUL_PRODUCTS_H

#include "family/common-axes.h"
#include "family/family.h"

enum matmul_type { MATMUL_FLOAT, MATMUL_HALF, MATMUL_INT, MATMUL_DOUBLE };

enum matmul_method {
    MATMUL_NAIVE,
    MATMUL_SLM,
    MATMUL_WORK_GROUP,
    MATMUL_BROADCAST,
    MATMUL_BROADCAST_BLOCK,
};

/* The `own` of a variant. */
struct matmul_variant {
    enum matmul_type type;
    enum matmul_method method;
    size_t a, c; /* the buffers: B follows A */
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
         .largest = 65536},                                                                        \
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
enum status matmul_check(const struct configuration *configuration, const struct variant *variant,
                         struct error *error);

/* As in struct family. */
void matmul_work(const struct configuration *configuration, const struct variant *variant,
                 struct work *work);
void matmul_arguments(const struct workspace *workspace, const struct launch *launch,
                      struct arguments *arguments);
enum status matmul_verify(struct workspace *workspace, const struct launch *launch,
                          struct error *error);

/* For tables of buffers: bytes of matrices with elements of so many bytes, and their contents. */
size_t matmul_a_2(const struct configuration *configuration);
size_t matmul_a_4(const struct configuration *configuration);
size_t matmul_a_8(const struct configuration *configuration);
size_t matmul_b_2(const struct configuration *configuration);
size_t matmul_b_4(const struct configuration *configuration);
size_t matmul_b_8(const struct configuration *configuration);
size_t matmul_c_4(const struct configuration *configuration);
size_t matmul_c_8(const struct configuration *configuration);
void matmul_fill_floats(struct workspace *workspace, const struct configuration *configuration,
                        struct buffer *buffer);
void matmul_fill_halves(struct workspace *workspace, const struct configuration *configuration,
                        struct buffer *buffer);
void matmul_fill_ints(struct workspace *workspace, const struct configuration *configuration,
                      struct buffer *buffer);
void matmul_fill_doubles(struct workspace *workspace, const struct configuration *configuration,
                         struct buffer *buffer);

#endif
