/* What a sweep measures: the requested axes of a family and all resulting configurations, in the
 * order in which they run. */
#ifndef VEBENCH_PLAN_H
#define VEBENCH_PLAN_H

#include "family/family-axes.h"
#include "ze/device.h"

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
