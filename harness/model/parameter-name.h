/* Names of parameters: FAMILY.VARIANT.simdN for the rows of a variant and sub-group size or,
 * where several parameters are fitted to these rows, FAMILY.VARIANT.simdN.TERM. Formed and parsed
 * here. */
#ifndef VEBENCH_PARAMETER_NAME_H
#define VEBENCH_PARAMETER_NAME_H

#include "base/variant.h"
#include "model/model.h"

#include <stdbool.h>

#define VARIANT_NAME_BYTES 64

/* Writes FAMILY.VARIANT.simdN to `name`, which has MODEL_NAME_BYTES; longer names are truncated. */
void parameter_name(char *name, const char *family, const char *variant, unsigned subgroup_size);

/* Bytes of the family that a name begins with. */
size_t name_family_bytes(const char *name);

/* Does the name begin with these parts, whole: FAMILY, or FAMILY.VARIANT.simdN? */
bool name_is_within(const char *name, const char *start);

/* The parameter TERM of these rows, or their only one where TERM is empty; NULL: there is none. */
const struct parameter *parameter_find(const struct model *model, const char *family,
                                       const char *variant, unsigned subgroup_size,
                                       const char *term);

struct parameter_parts {
    char variant[VARIANT_NAME_BYTES];
    const struct variant *descriptor; /* of the variant, if this program has a table of it */
    unsigned subgroup_size;
};

/* False where the name is of another family or form. */
bool parameter_parts(const struct parameter *parameter, const char *family,
                     struct parameter_parts *parts);

/* Does the parameter belong to rows of this family and, if a variant is given, of this variant and
 * size? */
bool parameter_is_of(const struct parameter *parameter, const char *family, const char *variant,
                     unsigned subgroup_size);

#endif
