/* What a sweep is going to measure: the axes of a family as asked for, and every configuration that
 * comes of them, in the order in which they run. */
#ifndef VEBENCH_PLAN_H
#define VEBENCH_PLAN_H

#include "measure/device.h"
#include "measure/family.h"

/* The chosen values of a family's axes, in the order of its table. */
struct family_axes {
    struct axis_values values[AXES_MAX];
    bool asked[AXES_MAX]; /* by the user, not by the preset */
};

/* Values by preset, then by `--axis NAME=VALUES` (`count` texts); those of axes that the family
 * lacks are passed over. STATUS_USAGE for bad values, and for sub-group sizes there is no module
 * for. */
enum status family_axes_resolve(struct family_axes *axes, const struct family *family,
                                enum preset preset, const char *const *overrides, size_t count,
                                struct error *error);

/* Does the family have the axis that "NAME=VALUES" names? */
bool family_has_axis(const struct family *family, const char *override);

struct plan {
    struct configuration *configurations; /* owned */
    size_t count;
};

/* Configurations that are left out because this device has no room for them. */
struct plan_gap {
    size_t count;
    char reason[ERROR_TEXT_BYTES]; /* of the first of them */
};

/* Does the device have the local and the global memory for it? STATUS_UNSUPPORTED, with what it
 * takes and what there is, where not. */
enum status plan_check_memory(const struct device *device, const struct family *family,
                              const struct configuration *configuration, struct error *error);

/* Notes one that is left out. */
void plan_leave_out(struct plan_gap *gap, const struct family *family, const struct error *error);

/* Every combination, shuffled by `seed`. Values that an axis cannot have once `S`, `C` and `L` are
 * what they are on the device: STATUS_USAGE where they were asked for, else they are in `gap`, one
 * for each, which is counted up. */
enum status plan_make(struct plan *plan, const struct family *family,
                      const struct family_axes *axes, const struct device *device, uint64_t seed,
                      struct plan_gap *gap, struct error *error);
void plan_free(struct plan *plan);

#endif
