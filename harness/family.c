#include "family.h"

#include <string.h>

static const char *const common_axes[] = {"subgroup_size", "workgroup_size", "workgroup_count"};

#define COMMON_AXIS_COUNT (sizeof common_axes / sizeof common_axes[0])

const struct family *family_find(const char *name)
{
    for (size_t i = 0; i < family_count; i++) {
        if (!strcmp(families[i]->name, name))
            return families[i];
    }
    return NULL;
}

const struct spirv_module *family_module(const struct family *family, unsigned subgroup_size)
{
    for (size_t i = 0; i < spirv_module_count; i++) {
        if (spirv_modules[i].subgroup_size == subgroup_size &&
            !strcmp(spirv_modules[i].family, family->name))
            return &spirv_modules[i];
    }
    return NULL;
}

static bool has_entry_point(const struct spirv_module *module, const char *name)
{
    for (size_t i = 0; i < module->entry_point_count; i++) {
        if (!strcmp(module->entry_points[i], name))
            return true;
    }
    return false;
}

/* The first thing wrong with the descriptor itself, or NULL. */
static const char *defect(const struct family *family)
{
    if (!family->name || !family->measures || !family->unit || !family->baseline_unit)
        return "a text is missing";
    if (!(family->work_per_iteration > 0.0))
        return "work_per_iteration is not positive";
    if (!family->setup || !family->run || !family->verify || !family->teardown ||
        !family->argument_slm_bytes)
        return "a function is missing";
    if (family->variant_count < 1 || family->variant_count > VARIANTS_MAX)
        return "the number of variants is out of range";
    if (family->axis_count < COMMON_AXIS_COUNT)
        return "an axis is missing";
    for (size_t i = 0; i < COMMON_AXIS_COUNT; i++) {
        if (strcmp(family->axes[i].name, common_axes[i]) != 0)
            return "the first axes are not subgroup_size, workgroup_size, workgroup_count";
    }
    return NULL;
}

static enum status check_axes(const struct family *family, struct error *error)
{
    struct axis_values values;
    enum status status = STATUS_OK;

    for (size_t i = 0; status == STATUS_OK && i < family->axis_count; i++)
        status = axis_parse(&family->axes[i], family->axes[i].defaults, &values, error);
    return status;
}

static enum status check_modules(const struct family *family, struct error *error)
{
    size_t found = 0;

    for (size_t i = 0; i < spirv_module_count; i++) {
        const struct spirv_module *module = &spirv_modules[i];

        if (strcmp(module->family, family->name) != 0)
            continue;
        found++;
        for (size_t v = 0; v < family->variant_count; v++) {
            if (!has_entry_point(module, family->variants[v].entry_point)) {
                return error_set(error, STATUS_FAILED,
                                 "family %s: its module for sub-groups of %u has no kernel %s",
                                 family->name, module->subgroup_size,
                                 family->variants[v].entry_point);
            }
        }
    }
    if (found == 0)
        return error_set(error, STATUS_FAILED, "family %s: no module is built in", family->name);
    return STATUS_OK;
}

enum status family_check_all(struct error *error)
{
    for (size_t i = 0; i < family_count; i++) {
        const char *wrong = defect(families[i]);
        enum status status;

        if (wrong) {
            return error_set(error, STATUS_FAILED, "family %s (number %zu of the registry): %s",
                             families[i]->name ? families[i]->name : "without a name", i, wrong);
        }
        if (family_find(families[i]->name) != families[i]) {
            return error_set(error, STATUS_FAILED, "family %s is registered twice",
                             families[i]->name);
        }
        status = check_axes(families[i], error);
        if (status == STATUS_OK)
            status = check_modules(families[i], error);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}
