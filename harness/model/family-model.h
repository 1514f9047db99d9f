/* What is known about a benchmark family beyond running it: how its rows become parameters, what
 * these predict, and what they advise. For a family with such knowledge it is in
 * harness/families/NAME-model.c, which ends with this descriptor, family_NAME_model. */
#ifndef VEBENCH_FAMILY_MODEL_H
#define VEBENCH_FAMILY_MODEL_H

#include "model/advise.h"
#include "model/fit.h"

struct family_model {
    const char *family;
    const char *const *covers; /* names of the families that it is of, up to NULL; NULL: `family` */
    unsigned rank;             /* position of its parameters in a model, lowest first */

    /* Adds the family's parameters, and notes what is absent, in fit->model. Rows that determine
     * nothing are an absence, not an error: STATUS_NO_MEMORY only when out of memory. */
    enum status (*fit)(struct fit *fit);

    /* Predicts the value of a row, in the unit that its parameters were fitted in; false where the
     * model has no parameters for it. NULL: the family's parameters predict no rows. */
    bool (*predict)(const struct model *model, const struct record *record, double *value);
    bool predicts_loop; /* predicts the whole loop per unit of work, baseline included, rather than
                           the row's value */

    /* Advises what to choose. NULL: only rows can tell. */
    enum status (*advise)(struct advising *advising);
};

/* Does the descriptor cover this family? */
bool family_model_covers(const struct family_model *family, const char *name);

/* The same of the names in a descriptor. */
bool family_name_covers(const char *family, const char *const *covers, const char *name);

#endif
