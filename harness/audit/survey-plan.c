#include "audit/survey-plan.h"

#include "base/text.h"
#include "family/family-axes.h"

#include <fnmatch.h>
#include <stdlib.h>

enum status survey_plan_add(struct survey_plan *plan, const struct survey_unit *unit,
                            struct error *error)
{
    if (plan->count == plan->room) {
        size_t room = plan->room ? 2 * plan->room : 64;
        struct survey_unit *more = realloc(plan->units, room * sizeof(*more));

        if (!more)
            return error_out_of_memory(error);
        plan->units = more;
        plan->room = room;
    }
    struct survey_unit *added = &plan->units[plan->count++];
    *added = *unit;
    return isa_builds_add(&plan->builds, unit->target, unit->module->bytes,
                          unit->module->size_bytes, unit->options, &added->build, error);
}

void survey_plan_free(struct survey_plan *plan)
{
    isa_builds_free(&plan->builds);
    free(plan->units);
}

bool survey_asks_for(const struct isa_request *request, const char *name, const char *entry_point)
{
    return !request->kernel || fnmatch(request->kernel, name, 0) == 0 ||
           fnmatch(request->kernel, entry_point, 0) == 0;
}

bool survey_plan_has(const struct survey_plan *plan, const struct survey_unit *unit,
                     const struct variant *variant)
{
    return variant_module(unit->family, variant, unit->module->subgroup_size) == unit->module &&
           text_same(variant->build_flags, unit->options) &&
           variant_has_size(variant, unit->module->subgroup_size) &&
           survey_asks_for(plan->request, variant->name, variant->entry_point);
}

/* A family's module is compiled once per set of build flags. One that a compiler has refused is not
 * audited. */
static enum status plan_size(struct survey_plan *plan, const struct isa_target *target,
                             const struct family *family, unsigned size, struct error *error)
{
    enum status status = STATUS_OK;

    for (size_t v = 0; status == STATUS_OK && v < family->variant_count; v++) {
        const struct survey_unit unit = {
            .target = target,
            .family = family,
            .module = variant_module(family, &family->variants[v], size),
            .options = family->variants[v].build_flags,
        };
        bool is_first = unit.module && !unit.module->defect &&
                        survey_plan_has(plan, &unit, &family->variants[v]);

        for (size_t before = 0; is_first && before < v; before++)
            is_first = !survey_plan_has(plan, &unit, &family->variants[before]);
        if (is_first)
            status = survey_plan_add(plan, &unit, error);
    }
    return status;
}

enum status survey_plan_family(struct survey_plan *plan, const struct isa_survey *survey,
                               const struct family *family, struct error *error)
{
    static const struct axis_units units = {.subgroup_size = 16, .xe_cores = 1, .threads = 1};
    const struct isa_request *request = plan->request;
    unsigned sizes[AXIS_VALUES_MAX];
    struct family_axes axes;
    enum status status = family_axes_resolve(&axes, family, PRESET_DEFAULT, request->overrides,
                                             request->override_count, error);

    if (status != STATUS_OK)
        return status;
    size_t count = axis_resolve(&axes.values[AXIS_SUBGROUP_SIZE], &units, sizes);
    for (size_t t = 0; status == STATUS_OK && t < survey->target_count; t++) {
        for (size_t i = 0; status == STATUS_OK && i < count; i++)
            status = plan_size(plan, survey->targets[t], family, sizes[i], error);
    }
    return status;
}
