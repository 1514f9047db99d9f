#include "family/family.h"

#include "base/unit.h"

#include <string.h>

size_t configuration_items(const struct configuration *configuration)
{
    return (size_t)configuration->workgroup_size * configuration->workgroup_count;
}

static const char *const common_axes[] = {"subgroup_size", "workgroup_size", "workgroup_count"};

const struct family *family_find(const struct family_list *list, const char *name)
{
    for (size_t i = 0; i < list->count; i++) {
        if (!strcmp(list->family[i]->name, name))
            return list->family[i];
    }
    return NULL;
}

static const struct spirv_module *find_module(const struct family *family, const char *name,
                                              unsigned subgroup_size)
{
    const struct spirv_module *modules = family->modules ? family->modules : spirv_modules;
    size_t count = family->modules ? family->module_count : spirv_module_count;

    for (size_t i = 0; i < count; i++) {
        if (modules[i].subgroup_size == subgroup_size && !strcmp(modules[i].family, name))
            return &modules[i];
    }
    return NULL;
}

const struct spirv_module *family_module(const struct family *family, unsigned subgroup_size)
{
    return variant_module(family, &family->variants[0], subgroup_size);
}

const struct spirv_module *variant_module(const struct family *family,
                                          const struct variant *variant, unsigned subgroup_size)
{
    return find_module(family, variant->module ? variant->module : family->name, subgroup_size);
}

static bool has_entry_point(const struct spirv_module *module, const char *name)
{
    for (size_t i = 0; i < module->entry_point_count; i++) {
        if (!strcmp(module->entry_points[i], name))
            return true;
    }
    return false;
}

size_t family_variant(const struct family *family, const char *name)
{
    for (size_t v = 0; v < family->variant_count; v++) {
        if (!strcmp(family->variants[v].name, name))
            return v;
    }
    return VARIANTS_MAX;
}

size_t family_baseline(const struct family *family, size_t variant)
{
    const char *name = family->variants[variant].baseline;

    return name ? family_variant(family, name) : VARIANTS_MAX;
}

size_t family_reference(const struct family *family, size_t variant)
{
    const char *name = family->variants[variant].reference;

    return name ? family_variant(family, name) : VARIANTS_MAX;
}

bool variant_has_size(const struct variant *variant, unsigned subgroup_size)
{
    unsigned bit = subgroup_size == 8 ? SIZE_8 : subgroup_size == 16 ? SIZE_16 : SIZE_32;

    return variant->sizes == 0 || (variant->sizes & bit);
}

const char *family_unit(const struct family *family, size_t variant)
{
    const struct variant *v = &family->variants[variant];

    if (v->unit)
        return v->unit;
    return v->baseline ? family->unit : family->baseline_unit;
}

bool family_is_time(const struct family *family, size_t variant)
{
    return unit_is_time(family_unit(family, variant));
}

struct work family_work(const struct family *family, const struct configuration *configuration,
                        size_t variant)
{
    struct work work = {.units = 1.0};

    if (family->work)
        family->work(configuration, &family->variants[variant], &work);
    return work;
}

uint32_t family_warming(const struct family *family, const struct configuration *configuration,
                        size_t variant)
{
    return family->warming ? family->warming(configuration, &family->variants[variant]) : 0;
}

struct geometry family_geometry(const struct family *family, const struct launch *launch)
{
    struct geometry geometry = {{launch->configuration.workgroup_size, 1, 1},
                                {launch->configuration.workgroup_count, 1, 1}};

    if (family->geometry)
        family->geometry(launch, &geometry);
    return geometry;
}

size_t family_parameters(const struct family *family, const struct configuration *configuration,
                         char *text, size_t bytes)
{
    size_t used = 0;

    if (bytes)
        text[0] = '\0';
    for (size_t i = COMMON_AXES; i < family->axis_count; i++) {
        unsigned value = configuration->own[i - COMMON_AXES];

        if (!value && family->axes[i].absent_is_zero)
            continue;
        used += (size_t)snprintf(used < bytes ? text + used : NULL, used < bytes ? bytes - used : 0,
                                 "%s%s=%u", used ? " " : "", family->axes[i].name, value);
    }
    return used;
}

/* The first defect of one variant, or NULL. */
static const char *variant_defect(const struct family *family, size_t index)
{
    const struct variant *variant = &family->variants[index];

    if (!variant->name || !variant->entry_point || !variant->means)
        return "a variant lacks a text";
    for (size_t v = 0; v < index; v++) {
        if (!strcmp(family->variants[v].name, variant->name))
            return "two variants have one name";
    }
    if (variant->baseline) {
        size_t baseline = family_baseline(family, index);

        if (baseline == VARIANTS_MAX || family->variants[baseline].baseline ||
            family->variants[baseline].estimator != ESTIMATOR_SLOPE ||
            variant->estimator != ESTIMATOR_SLOPE)
            return "a variant's baseline is none of its variants, or cannot be one";
    }
    if (variant->reference) {
        size_t reference = family_reference(family, index);

        if (reference == VARIANTS_MAX || family->variants[reference].estimator != ESTIMATOR_SLOPE ||
            variant->estimator != ESTIMATOR_SLOPE)
            return "a variant is compared with none of the family's, or with one without a loop";
    }
    if (variant->estimator == ESTIMATOR_OBSERVE && (!family->observe || !variant->unit))
        return "an observed variant needs a unit and observe()";
    if (variant->sizes && !variant->no_size)
        return "a variant does not say why it lacks a sub-group size";
    return NULL;
}

/* The first defect of the descriptor itself, or NULL. */
static const char *defect(const struct family *family)
{
    if (!family->name || !family->measures || !family->unit || !family->baseline_unit)
        return "a text is missing";
    if (!family->arguments || !family->verify)
        return "a function is missing";
    if (family->buffer_count < 1 || family->buffer_count > BUFFERS_MAX)
        return "the number of buffers is out of range";
    if (family->variant_count < 1 || family->variant_count > VARIANTS_MAX)
        return "the number of variants is out of range";
    if (family->axis_count < COMMON_AXES || family->axis_count > AXES_MAX)
        return "the number of axes is out of range";
    for (size_t i = 0; i < COMMON_AXES; i++) {
        if (strcmp(family->axes[i].name, common_axes[i]) != 0)
            return "the first axes are not subgroup_size, workgroup_size, workgroup_count";
    }
    for (size_t v = 0; v < family->variant_count; v++) {
        const char *wrong = variant_defect(family, v);

        if (wrong)
            return wrong;
    }
    return NULL;
}

static enum status check_axes(const struct family *family, struct error *error)
{
    static const enum preset presets[] = {PRESET_DEFAULT, PRESET_QUICK, PRESET_FULL};
    struct axis_values values;
    enum status status = STATUS_OK;

    for (size_t i = 0; i < family->axis_count; i++) {
        for (size_t p = 0; status == STATUS_OK && p < sizeof(presets) / sizeof(presets[0]); p++)
            status = axis_parse(&family->axes[i], axis_preset(&family->axes[i], presets[p]),
                                &values, error);
    }
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
            const struct variant *variant = &family->variants[v];

            if (variant_has_size(variant, module->subgroup_size) &&
                !has_entry_point(module, variant->entry_point)) {
                return error_set(error, STATUS_FAILED,
                                 "family %s: its module for sub-groups of %u has no kernel %s",
                                 family->name, module->subgroup_size, variant->entry_point);
            }
        }
    }
    if (found == 0)
        return error_set(error, STATUS_FAILED, "family %s: no module is built in", family->name);
    return STATUS_OK;
}

enum status family_check_all(const struct family_list *list, struct error *error)
{
    for (size_t i = 0; i < list->count; i++) {
        const struct family *family = list->family[i];
        const char *wrong = defect(family);

        if (wrong) {
            return error_set(error, STATUS_FAILED, "family %s (number %zu of the registry): %s",
                             family->name ? family->name : "without a name", i, wrong);
        }
        if (family_find(list, family->name) != family) {
            return error_set(error, STATUS_FAILED, "family %s is registered twice", family->name);
        }
        enum status status = check_axes(family, error);
        if (status == STATUS_OK)
            status = check_modules(family, error);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}
