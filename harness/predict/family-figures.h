/* Which figures of a device follow from a family's parameters, and how. Each family that says
 * something of the device has it in harness/families/NAME-figures.c, which ends with this
 * descriptor, family_NAME_figures. */
#ifndef VEBENCH_FAMILY_FIGURES_H
#define VEBENCH_FAMILY_FIGURES_H

#include "predict/figures-estimate.h"

struct figure_rule {
    enum vesim_figure_index figure;

    /* False where the model does not determine it. */
    bool (*measure)(const struct figure_input *input, struct figure_estimate *estimate);
};

/* In an order in which each rule finds the figures measured that it needs: of this family's above
 * it, and of families before this one in the list. */
struct family_figures {
    const struct figure_rule *rules;
    size_t count;
};

#endif
