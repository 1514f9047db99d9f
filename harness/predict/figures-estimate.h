/* Figures on their way from a model's parameters to a description. */
#ifndef VEBENCH_FIGURES_ESTIMATE_H
#define VEBENCH_FIGURES_ESTIMATE_H

#include "predict/figures.h"

struct figure_estimate {
    double value;                     /* in the figure's unit */
    struct interval range;            /* 95 % */
    char parameter[MODEL_NAME_BYTES]; /* that it comes from; the first of several */
    bool is_bound; /* all that is known is `range`: the base's figure stands if it lies there */
};

/* What a figure is derived from. */
struct figure_input {
    const struct model *model;
    const struct vesim_device
        *device;   /* figures as far as they are measured, the others as in the base */
    double cycles; /* in a unit of time of the model's parameters */
    const struct figure_estimate *found; /* [VESIM_FIGURE_COUNT]; without parameter: nothing */
};

/* A parameter in cycles: of the family's rows of that variant and sub-group size, or, TERM empty,
 * the only one of these. False where there is none that can be told from nothing. */
bool figure_time(const struct figure_input *input, struct figure_estimate *estimate,
                 const char *family, const char *variant, unsigned subgroup_size, const char *term);

/* The same of the parameter of that name, as it is. */
bool figure_value(const struct figure_input *input, struct figure_estimate *estimate,
                  const char *name);

void figure_scale(struct figure_estimate *estimate, double factor);
void figure_shift(struct figure_estimate *estimate, double by);
void figure_exact(struct figure_estimate *estimate, double value);

/* Adds `times` another estimate, which may be negative; errors are taken as independent. */
void figure_combine(struct figure_estimate *estimate, double times,
                    const struct figure_estimate *other);

/* The same of the sub-group size that has the least: others may wait for something else besides. */
bool figure_least(const struct figure_input *input, struct figure_estimate *estimate,
                  const char *family, const char *variant, const char *term);

/* What the rules have found of another figure. */
bool figure_found(const struct figure_input *input, enum vesim_figure_index figure,
                  struct figure_estimate *estimate);

/* The Xe-cores of the device. */
double figure_xe_cores(const struct figure_input *input);

#endif
