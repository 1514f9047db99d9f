/* What the name of a variant is made of: "shuffle_u32_slm" is a shuffle of 32 bits by way of SLM.
 */
#ifndef VEBENCH_VARIANT_NAME_H
#define VEBENCH_VARIANT_NAME_H

#include "measure/family.h"

#define VARIANT_WORD_BYTES 48

struct variant_name {
    char op[VARIANT_WORD_BYTES];   /* the operation; the family's name where nothing else remains */
    char type[VARIANT_WORD_BYTES]; /* of its data: u8 to u64, i8 to i64, f16 to f64; "" if the
                                      family names none */
    char way[VARIANT_WORD_BYTES];  /* one of family.ways, or family.plain_way; "" for neither */
};

/* Takes the name of a variant apart: a data type, one of the family's ways, and the rest. Three
 * such words are of one variant of a family only. */
void variant_name_split(const struct family *family, size_t variant, struct variant_name *name);

#endif
