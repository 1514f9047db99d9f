/* Shared by the parts of family `latency`: the names of its levels. */
#ifndef VEBENCH_LATENCY_MODEL_H
#define VEBENCH_LATENCY_MODEL_H

#include "model/fit.h"
#include "model/parameter-name.h"

#define LATENCY_FAMILY "latency"
#define LATENCY_SWEEP  "vebench run latency --axis subgroup_size=16"

/* The chases that the fit of pages takes. */
#define LATENCY_PAGES_SWEEP                                                                        \
    LATENCY_SWEEP " --variant global_uniform --axis stride=8256 "                                  \
                  "--axis working_set=40M,64M,96M,128M,192M,256M"

/* Writes "level2.latency" to `term`, which has VARIANT_NAME_BYTES; `what` is latency or capacity.
 * Levels count from 1, the nearest. */
void latency_level_term(char *term, unsigned level, const char *what);

/* The parameter of a level of these chases, or NULL. */
const struct parameter *latency_level(const struct model *model, const char *variant,
                                      unsigned subgroup_size, unsigned level, const char *what);

/* Chases over pages: whether a row is one; those of a group's rows, for which `pages` has room;
 * fits NAME.pages.miss and .reach to them once the group's levels are in the model; and predicts a
 * row. */
bool latency_visits_pages(const struct record *record);
void latency_take_pages(struct row_set *pages, const struct row_set *rows, const struct fit *fit);
enum status latency_fit_pages(struct fit *fit, const char *name, const char *variant,
                              unsigned subgroup_size, struct row_set *pages);
bool latency_predict_pages(const struct model *model, const struct record *record, double *value);

#endif
