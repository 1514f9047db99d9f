/* The axes of a family as a user asks for them. */
#ifndef VEBENCH_FAMILY_AXES_H
#define VEBENCH_FAMILY_AXES_H

#include "family/family.h"

/* The chosen values of a family's axes, in table order. */
struct family_axes {
    struct axis_values values[AXES_MAX];
    bool asked[AXES_MAX];    /* by the user, not by the preset */
    bool has_points;         /* the family's `points` belong to the plan, */
    bool has_default_points; /* and its `default_points` */
};

/* Takes values from the preset, then from `--axis NAME=VALUES` (`count` texts); ignores axes that
 * the family lacks. STATUS_USAGE for bad values and for sub-group sizes without a module. */
enum status family_axes_resolve(struct family_axes *axes, const struct family *family,
                                enum preset preset, const char *const *overrides, size_t count,
                                struct error *error);

/* The axis of that name, whose length is `bytes`; NULL if the family has none. */
const struct axis *family_find_axis(const struct family *family, const char *name, size_t bytes);

/* Does the family have the axis that "NAME=VALUES" names? */
bool family_has_axis(const struct family *family, const char *override);

#endif
