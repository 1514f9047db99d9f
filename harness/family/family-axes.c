#include "family/family-axes.h"

#include <string.h>

const struct axis *family_find_axis(const struct family *family, const char *name, size_t bytes)
{
    for (size_t i = 0; i < family->axis_count; i++) {
        if (strlen(family->axes[i].name) == bytes && !memcmp(family->axes[i].name, name, bytes))
            return &family->axes[i];
    }
    return NULL;
}

bool family_has_axis(const struct family *family, const char *override)
{
    size_t bytes = 0;

    return axis_split(override, &bytes) && family_find_axis(family, override, bytes);
}

/* Only a few sizes have modules; others cannot be measured on any device. */
static enum status check_subgroup_sizes(const struct family *family,
                                        const struct axis_values *values, struct error *error)
{
    const struct axis_units units = {1, 1, 1, 1};
    unsigned sizes[AXIS_VALUES_MAX];
    size_t count = axis_resolve(values, &units, sizes);

    for (size_t i = 0; i < count; i++) {
        if (family_module(family, sizes[i]))
            continue;
        error_set(error, STATUS_USAGE,
                  "axis subgroup_size: %u is not a sub-group size of family %s; it has kernels for",
                  sizes[i], family->name);
        for (unsigned size = 1; size <= 64; size *= 2) {
            if (family_module(family, size))
                error_append(error, " %u", size);
        }
        return STATUS_USAGE;
    }
    return STATUS_OK;
}

enum status family_axes_resolve(struct family_axes *axes, const struct family *family,
                                enum preset preset, const char *const *overrides, size_t count,
                                struct error *error)
{
    enum status status = STATUS_OK;

    for (size_t i = 0; status == STATUS_OK && i < family->axis_count; i++)
        status = axis_parse(&family->axes[i], axis_preset(&family->axes[i], preset),
                            &axes->values[i], error);
    memset(axes->asked, 0, sizeof(axes->asked));
    axes->has_points = preset != PRESET_FULL && preset != PRESET_HEALTH && family->points;
    axes->has_default_points = preset == PRESET_DEFAULT && family->default_points;
    for (size_t i = 0; status == STATUS_OK && i < count; i++) {
        size_t bytes = 0;
        const char *values = axis_split(overrides[i], &bytes);
        const struct axis *axis = values ? family_find_axis(family, overrides[i], bytes) : NULL;

        if (!axis)
            continue;
        status = axis_parse(axis, values, &axes->values[axis - family->axes], error);
        axes->asked[axis - family->axes] = true;
        axes->has_points = axes->has_default_points = false;
    }
    if (status == STATUS_OK)
        status = check_subgroup_sizes(family, &axes->values[AXIS_SUBGROUP_SIZE], error);
    return status;
}
