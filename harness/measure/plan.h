/* What a sweep measures: the requested axes of a family and all resulting configurations, in the
 * order in which they run. */
#ifndef VEBENCH_PLAN_H
#define VEBENCH_PLAN_H

#include "measure/device.h"
#include "measure/family.h"

/* The chosen values of a family's axes, in table order. */
struct family_axes {
    struct axis_values values[AXES_MAX];
    bool asked[AXES_MAX]; /* by the user, not by the preset */
    bool has_points;      /* the family's `points` belong to the plan */
};

/* Takes values from the preset, then from `--axis NAME=VALUES` (`count` texts); ignores axes that
 * the family lacks. STATUS_USAGE for bad values and for sub-group sizes without a module. */
enum status family_axes_resolve(struct family_axes *axes, const struct family *family,
                                enum preset preset, const char *const *overrides, size_t count,
                                struct error *error);

/* Does the family have the axis that "NAME=VALUES" names? */
bool family_has_axis(const struct family *family, const char *override);

struct plan {
    struct configuration *configurations; /* owned */
    size_t count;
};

/* Configurations left out because the device has no room for them. */
struct plan_gap {
    size_t count;
    char reason[ERROR_TEXT_BYTES]; /* of the first one */
};

/* Does the device have enough local and global memory? STATUS_UNSUPPORTED, with the amounts needed
 * and available, if not. */
enum status plan_check_memory(const struct device *device, const struct family *family,
                              const struct configuration *configuration, struct error *error);

/* Records one configuration as left out. */
void plan_leave_out(struct plan_gap *gap, const struct family *family, const struct error *error);

/* Generates every combination and the family's points, each once, shuffled by `seed`. Values
 * outside an axis's limits once `S`, `C` and `L` are resolved for the device: STATUS_USAGE if the
 * user asked for them, otherwise each adds one to `gap`. */
enum status plan_make(struct plan *plan, const struct family *family,
                      const struct family_axes *axes, const struct device *device, uint64_t seed,
                      struct plan_gap *gap, struct error *error);
void plan_free(struct plan *plan);

#endif
