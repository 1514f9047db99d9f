/* Figures being derived from a model's parameters for a description. */
#ifndef VEBENCH_FIGURES_ESTIMATE_H
#define VEBENCH_FIGURES_ESTIMATE_H

#include "predict/figures.h"

struct figure_estimate {
    double value;                     /* in the figure's unit */
    struct interval range;            /* 95 % */
    char parameter[MODEL_NAME_BYTES]; /* its source; the first of several */
    bool is_bound; /* only `range` is known: the base's figure is kept if it lies in it */
};

/* What a figure is derived from. */
struct figure_input {
    const struct model *model;
    const struct vesim_device *device; /* figures measured so far, the others from the base */
    const uint64_t *most; /* [VESIM_FIGURE_COUNT]: the most that each may be as the base has it */
    double cycles;        /* per unit of time of the model's parameters */
    const struct figure_estimate *found; /* [VESIM_FIGURE_COUNT]; no parameter: not found */
};

/* A parameter in cycles: TERM of the family's rows with this variant and sub-group size or, where
 * TERM is empty, their only one. False where there is none that can be told from 0. */
bool figure_time(const struct figure_input *input, struct figure_estimate *estimate,
                 const char *family, const char *variant, unsigned subgroup_size, const char *term);

/* The same for the parameter named `name`, without conversion. */
bool figure_value(const struct figure_input *input, struct figure_estimate *estimate,
                  const char *name);

void figure_scale(struct figure_estimate *estimate, double factor);
void figure_shift(struct figure_estimate *estimate, double by);
/* Turns an estimate above 0 into `numerator` over it: a time into a rate, or back. */
void figure_invert(struct figure_estimate *estimate, double numerator);
void figure_exact(struct figure_estimate *estimate, double value);

/* Adds `times` another estimate, where `times` may be negative; errors are treated as
 * independent. */
void figure_combine(struct figure_estimate *estimate, double times,
                    const struct figure_estimate *other);

/* As figure_time(), for the sub-group size with the least value: others may also wait for something
 * else. */
bool figure_least(const struct figure_input *input, struct figure_estimate *estimate,
                  const char *family, const char *variant, const char *term);

/* The same for a rate, with the sub-group size that has the highest. */
bool figure_most(const struct figure_input *input, struct figure_estimate *estimate,
                 const char *family, const char *variant, const char *term);

/* What the rules have found for another figure. */
bool figure_found(const struct figure_input *input, enum vesim_figure_index figure,
                  struct figure_estimate *estimate);

/* The Xe-cores of the device. */
double figure_xe_cores(const struct figure_input *input);

/* The lines per cycle of the core clock that memory moves. */
double figure_memory_lines(const struct vesim_device *device);

#endif
