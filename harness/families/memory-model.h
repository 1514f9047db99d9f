/* Shared by the parts of the memory families' model. */
#ifndef VEBENCH_MEMORY_MODEL_H
#define VEBENCH_MEMORY_MODEL_H

#include "model/family-model.h"

/* Bytes that all resident work-items of a row request in a step (docs/model.md: q). */
double memory_bytes_in_flight(const struct record *record);

/* Writes the row's working set and stride as they appear in parameter names, "set65536.stride1", to
 * `set`, which has VARIANT_NAME_BYTES. */
void memory_curve_set(char *set, const struct record *record);

/* The parameter of these rows, "latency" or "bandwidth", or NULL. */
const struct parameter *memory_find(const struct model *model, const char *family,
                                    const char *variant, unsigned subgroup_size, const char *set,
                                    const char *term);

enum status advise_memory(struct advising *advising);

#endif
