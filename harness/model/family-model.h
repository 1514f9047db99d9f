/* What is known of a benchmark family beyond running it: how its rows become parameters, what these
 * predict, and what they advise. Each family that has such knowledge has it in
 * harness/families/NAME-model.c, which ends with this descriptor, family_NAME_model. */
#ifndef VEBENCH_FAMILY_MODEL_H
#define VEBENCH_FAMILY_MODEL_H

#include "model/advise.h"
#include "model/fit.h"

struct family_model {
    const char *family; /* "NAME_": all families that begin so */
    unsigned rank;      /* where its parameters stand in a model: those of lower rank first */

    /* Adds the family's parameters, and what is absent, to fit->model. STATUS_FAILED only when out
     * of memory: rows that determine nothing are an absence. */
    enum status (*fit)(struct fit *fit);

    /* The value of a row, in the unit that its parameters were fitted in; false where the model has
     * no parameters for it. NULL: the family's parameters predict no rows. */
    bool (*predict)(const struct model *model, const struct record *record, double *value);
    bool predicts_loop; /* for a unit of work, baseline and all, and not the row's value */

    /* Says what to choose. NULL: only rows can tell. */
    enum status (*advise)(struct advising *advising);
};

/* Whether the family is one of the descriptor's. */
bool family_model_covers(const struct family_model *family, const char *name);

/* The same of the name that a descriptor has: "NAME", or "NAME_" for all that begin so. */
bool family_name_covers(const char *covering, const char *name);

#endif
