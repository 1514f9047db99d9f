/* A model as the figures of a vesim device description: what was measured, and the rest as another
 * description has it. */
#ifndef VEBENCH_FIGURES_H
#define VEBENCH_FIGURES_H

#include "vesim/vesim.h"

#include "model/model.h"

#include <stdbool.h>

struct figures {
    struct vesim_description
        description; /* values, rounded to the unit, and where each comes from */
    struct {
        bool measured;            /* otherwise `base` has it, and the source says "assumed" */
        double value;             /* not rounded */
        struct interval interval; /* 95 %, within what the figure may be */
    } figure[VESIM_FIGURE_COUNT];
};

/* The families whose parameters say something of a device: what, is in family-figures.h. */
struct family_figures;
struct family_figures_list {
    const struct family_figures *const *family;
    size_t count;
};

/* `base` is the name of a built-in description or a path; NULL: the one whose PCI device is the
 * model's by its UUID. STATUS_FAILED, naming what there is, where none is. */
enum status figures_of_model(struct figures *figures, const struct model *model,
                             const struct family_figures_list *families, const char *base,
                             struct error *error);

/* Writes a description that `vesim --device PATH` takes, under another name first. */
enum status figures_write(const struct figures *figures, const char *path, struct error *error);

#endif
