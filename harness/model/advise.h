/* What to choose for each kind of task in a family: the best sub-group size, work-group size and
 * variant, by how much, and whether that exceeds the noise; and where one way overtakes another. */
#ifndef VEBENCH_ADVISE_H
#define VEBENCH_ADVISE_H

#include "model/choices.h"
#include "model/parameter-name.h"
#include "rows/records.h"

/* Larger work-groups are not considered: no device has them. */
#define ADVISE_ITEMS_MAX    1024u

#define RANKING_TITLE_BYTES 256

/* Ways of doing one thing, and their costs. */
struct ranking {
    char title[RANKING_TITLE_BYTES];
    char unit[64];          /* of the costs */
    struct choices choices; /* owned, unsorted; see choices_best() */
};

struct advice {
    char *text;              /* owned: lines for a person */
    struct ranking *ranking; /* owned: what the rows or, without any, the model's parameters say
                                about choices, in the order of the text */
    size_t ranking_count;
};

/* Advice from the model's parameters for the family or, unless `records` is NULL, from the family's
 * rows: rows rank choices, parameters do so only where there are none. STATUS_FAILED where neither
 * says anything, naming the commands that would help, and where the rows are of another device than
 * the model; nothing needs freeing then. */
enum status advise(struct advice *advice, const struct model *model, const struct records *records,
                   const char *family, struct error *error);
void advice_free(struct advice *advice);

/* State while the advice for a family is being made. */
struct advising {
    FILE *out; /* the text */
    struct advice *advice;
    const struct model *model;
    const char *family;
    bool has_rows; /* which rank: the parameters, fitted to such rows, do not rank a second time */
    size_t said;   /* pieces of advice given so far */
    struct error *error;
};

/* Adds a ranking by the model's parameters and its lines of text; nothing where there is no choice,
 * or rows that rank. Copies `choices`. */
enum status advise_choices(struct advising *advising, const char *title,
                           const struct choices *choices, const char *unit);

/* Adds a ranking without a text. Copies `choices`. */
enum status advise_add_ranking(struct advising *advising, const char *title,
                               const struct choices *choices, const char *unit);

struct verdicts;

/* Adds verdicts: a ranking for each, a text for each or, if `brief`, for the most work that one
 * choice wins on a ladder, and where the winner changes. */
enum status advise_verdicts(struct advising *advising, const struct verdicts *verdicts, bool brief);

/* Ranks the family's usable rows, by verdict.h. */
enum status advise_rows(struct advising *advising, const struct records *records);

#endif
