/* Turns a model into the figures of a vesim device description: measured where possible, the rest
 * from another description. */
#ifndef VEBENCH_FIGURES_H
#define VEBENCH_FIGURES_H

#include "vesim/vesim.h"

#include "model/model.h"

#include <stdbool.h>

struct figures {
    struct vesim_description description; /* values, rounded to the unit, and their sources */
    struct {
        bool measured;            /* otherwise the value is from `base` */
        double value;             /* not rounded */
        struct interval interval; /* 95 %, clamped to the figure's valid range; where not measured
                                     what the base assumes; of a time or rate that somebody has
                                     published a tenth around it, a quarter if the base is
                                     another device than the model's */
    } figure[VESIM_FIGURE_COUNT];
};

/* The families whose parameters determine figures of a device; see family-figures.h. */
struct family_figures;
struct family_figures_list {
    const struct family_figures *const *family;
    size_t count;
};

/* `base` is the name of a built-in description or a path; NULL: the one whose PCI device matches
 * the model's UUID. STATUS_FAILED, listing the choices, where there is none. */
enum status figures_of_model(struct figures *figures, const struct model *model,
                             const struct family_figures_list *families, const char *base,
                             struct error *error);

/* Takes what a calibration says of a figure that these have; others change nothing. */
void figures_know(struct figures *figures, const struct calibration *calibration);

/* Writes a description for `vesim --device PATH` to a temporary file, then renames it. */
enum status figures_write(const struct figures *figures, const char *path, struct error *error);

#endif
