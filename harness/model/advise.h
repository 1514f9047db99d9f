/* What to choose for a family of things: the best sub-group size, work-group size and variant, by
 * how much, and whether that is more than the noise; and where one way overtakes another. */
#ifndef VEBENCH_ADVISE_H
#define VEBENCH_ADVISE_H

#include "model/choices.h"
#include "model/parameter-name.h"
#include "model/records.h"

/* Work-groups larger than this are not considered: no device has them. */
#define ADVISE_ITEMS_MAX 1024u

/* Writes the advice to `out`: from the model's parameters of the family, and from the family's rows
 * where `records` is not NULL. STATUS_FAILED, naming the commands that would help, where neither
 * says anything, and for rows of another device than the model's. */
enum status advise(FILE *out, const struct model *model, const struct records *records,
                   const char *family, struct error *error);

/* What the advice of a family works on. */
struct advising {
    FILE *out;
    const struct model *model;
    const char *family;
    size_t said; /* pieces of advice so far */
    struct error *error;
};

/* Ranks the family's usable rows: those of the same parameters against each other. */
enum status advise_rows(struct advising *advising, const struct records *records);

#endif
