/* Shared by the parts of family `latency`: the names of its levels. */
#ifndef VEBENCH_LATENCY_MODEL_H
#define VEBENCH_LATENCY_MODEL_H

#include "model/parameter-name.h"

#define LATENCY_FAMILY "latency"

/* Writes "level2.latency" to `term`, which has VARIANT_NAME_BYTES; `what` is latency or capacity.
 * Levels count from 1, the nearest. */
void latency_level_term(char *term, unsigned level, const char *what);

/* The parameter of a level of these chases, or NULL. */
const struct parameter *latency_level(const struct model *model, const char *variant,
                                      unsigned subgroup_size, unsigned level, const char *what);

/* The sizes of the first and the last working set of a level; false where its form has none. */
bool latency_level_sizes(const struct parameter *latency, double *first, double *last);

#endif
