/* Shared by the parts of the memory families' model. */
#ifndef VEBENCH_MEMORY_MODEL_H
#define VEBENCH_MEMORY_MODEL_H

#include "families/memory/memory-variants.h"
#include "model/family-model.h"

/* The memory families, in a list that ends with NULL. */
extern const char *const memory_families[];

/* What is known of a row's or a parameter's variant; NULL for other families and programs, and for
 * variants that access nothing. */
const struct memory_variant *memory_accessing(const struct variant *descriptor);

/* Is the row one of accesses of a memory family? */
bool memory_has(const struct record *record);

/* Bytes that all resident work-items of a row request in a step (docs/model.md: q). */
double memory_bytes_in_flight(const struct record *record);

/* Writes the row's working set and stride as they appear in parameter names, "set65536.stride1", to
 * `set`, which has VARIANT_NAME_BYTES. */
void memory_curve_set(char *set, const struct record *record);

/* What a parameter says of the accesses in one working set and stride. */
enum memory_term { MEMORY_OTHER, MEMORY_TIME, MEMORY_LATENCY, MEMORY_BANDWIDTH };

/* Takes apart the term of a parameter's name: what it says, and, unless that is MEMORY_OTHER, the
 * working set and stride as memory_curve_set() writes them. */
enum memory_term memory_term_of(const char *term, char *set);

/* The parameter of these rows, "latency" or "bandwidth", or NULL. */
const struct parameter *memory_find(const struct model *model, const char *family,
                                    const char *variant, unsigned subgroup_size, const char *set,
                                    const char *term);

enum status advise_memory(struct advising *advising);

#endif
