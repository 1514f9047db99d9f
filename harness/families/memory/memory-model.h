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

/* Where accesses go. */
struct memory_place {
    double working_set; /* bytes */
    double stride;      /* elements; 0: any */
};

struct memory_place memory_place_of(const struct record *record);

/* Writes a place as it appears in parameter names, "set65536.stride1", to `name`, which has
 * VARIANT_NAME_BYTES. */
void memory_place_name(char *name, struct memory_place place);

/* Says of the parameters from `first` on where the accesses of their rows go. */
void memory_note_place(struct fit *fit, size_t first, struct memory_place place);

/* The parameter of these accesses, "latency" or "bandwidth" or, without a curve, the time of a KiB,
 * ""; NULL: there is none. */
const struct parameter *memory_find(const struct model *model, const char *family,
                                    const char *variant, unsigned subgroup_size,
                                    struct memory_place place, const char *term);

/* The same of the accesses of a row. */
const struct parameter *memory_find_of(const struct model *model, const struct record *record,
                                       const char *term);

enum status advise_memory(struct advising *advising);

#endif
