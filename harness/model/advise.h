/* What to choose for a family of things: the best sub-group size, work-group size and variant, by
 * how much, and whether that is more than the noise; and where one way overtakes another. */
#ifndef VEBENCH_ADVISE_H
#define VEBENCH_ADVISE_H

#include "model/choices.h"
#include "model/parameter-name.h"
#include "model/records.h"

/* Work-groups larger than this are not considered: no device has them. */
#define ADVISE_ITEMS_MAX 1024u

/* Ways to do one thing, and what they cost. */
struct ranking {
    char title[3 * VARIANT_NAME_BYTES];
    char unit[64];          /* of the costs */
    struct choices choices; /* owned; in no order: choices_best() */
};

struct advice {
    char *text; /* owned: lines for a person */
    struct ranking
        *ranking; /* owned: what the model's parameters say of choices, in the same order */
    size_t ranking_count;
};

/* Advice from the model's parameters of the family, and from the family's rows where `records` is
 * not NULL. STATUS_FAILED, naming the commands that would help, where neither says anything, and
 * for rows of another device than the model's; there is nothing to free then. */
enum status advise(struct advice *advice, const struct model *model, const struct records *records,
                   const char *family, struct error *error);
void advice_free(struct advice *advice);

/* What the advice of a family works on. */
struct advising {
    FILE *out; /* the text */
    struct advice *advice;
    const struct model *model;
    const char *family;
    size_t said; /* pieces of advice so far */
    struct error *error;
};

/* Adds a ranking, and its lines; nothing where there is nothing to choose from. Copies `choices`.
 */
enum status advise_choices(struct advising *advising, const char *title,
                           const struct choices *choices, const char *unit);

/* Ranks the family's usable rows: those of the same parameters against each other. */
enum status advise_rows(struct advising *advising, const struct records *records);

#endif
