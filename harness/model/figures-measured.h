/* Which figures of a device follow from a model's parameters, and how. */
#ifndef VEBENCH_FIGURES_MEASURED_H
#define VEBENCH_FIGURES_MEASURED_H

#include "figures.h"

/* What a rule works on. */
struct figure_input {
    const struct model *model;
    const struct device
        *device;   /* figures as far as they are measured, the others as in the base */
    double cycles; /* in a unit of time of the model's parameters */
};

struct figure_estimate {
    double value;                     /* in the figure's unit */
    struct interval range;            /* 95 % */
    char parameter[MODEL_NAME_BYTES]; /* that it comes from; the first of several */
    bool is_bound; /* all that is known is `range`: the base's figure stands if it lies there */
};

struct figure_rule {
    enum figure_index figure;

    /* False where the model does not determine it. */
    bool (*measure)(const struct figure_input *input, struct figure_estimate *estimate);
};

/* In an order in which each finds the figures measured that it needs. */
extern const struct figure_rule figure_rules[];
extern const size_t figure_rule_count;

#endif
