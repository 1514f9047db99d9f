/* What the names in rows stand for: operations, methods, and parameters such as "side". The words
 * are those that `vebench list` prints. */
#ifndef VEBENCH_NAMES_H
#define VEBENCH_NAMES_H

#include "report/plots.h"

#include <stdio.h>

/* What a row's variant does: "32 bits, any permutation, by sub-group function"; NULL where the
 * families are not known. */
const char *name_means(const struct family_list *families, const struct record *record);

/* A folded list of what occurs in the usable rows of a family; nothing if that is not known. */
void names_put(FILE *out, const struct plot_source *source, const char *family);

#endif
