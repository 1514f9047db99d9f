#include "isa/survey.h"

#include "isa/builds.h"
#include "measure/plan.h"
#include "measure/schedule.h"
#include "measure/spirv-file.h"
#include "vesim/vesim.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enum status out_of_memory(struct error *error)
{
    return error_set(error, STATUS_FAILED, "out of memory");
}

static enum status add_target(struct isa_survey *survey, const char *name, size_t bytes,
                              struct error *error)
{
    char text[256];

    if (survey->target_count == ISA_TARGETS_MAX)
        return error_set(error, STATUS_USAGE, "--target: more than %d", ISA_TARGETS_MAX);
    snprintf(text, sizeof(text), "%.*s", (int)bytes, name);
    return isa_target_open(&survey->targets[survey->target_count++], text, error);
}

static enum status find_targets(struct isa_survey *survey, const char *names, struct error *error)
{
    enum status status = STATUS_OK;

    while (status == STATUS_OK) {
        size_t bytes = strcspn(names, ",");

        status = add_target(survey, names, bytes, error);
        if (!names[bytes])
            break;
        names += bytes + 1;
    }
    return status;
}

static struct isa_entry *add_entry(struct isa_survey *survey, const struct isa_target *target,
                                   const char *module, unsigned size, const char *kernel)
{
    if (survey->count == survey->room) {
        size_t room = survey->room ? 2 * survey->room : 64;
        struct isa_entry *more = realloc(survey->entries, room * sizeof(*more));

        if (!more)
            return NULL;
        survey->entries = more;
        survey->room = room;
    }
    struct isa_entry *entry = &survey->entries[survey->count++];
    *entry = (struct isa_entry){.target = isa_target_name(target),
                                .module = strdup(module),
                                .kernel = strdup(kernel),
                                .size = size};
    return entry->module && entry->kernel ? entry : NULL;
}

static bool says_error(const char *line, size_t bytes)
{
    const char *at = strstr(line, "rror");

    return at && at < line + bytes;
}

/* The line of the compiler's output that gives the reason: the first with "error", else the
 * first. */
static char *reason_of(const char *text)
{
    const char *line = text, *first = NULL;

    while (line && *line) {
        const char *end = line + strcspn(line, "\n");

        if (end > line && !strstr(line, "refuses the module:")) {
            if (!first)
                first = line;
            if (says_error(line, (size_t)(end - line)))
                return strndup(line, (size_t)(end - line));
        }
        line = *end ? end + 1 : NULL;
        if (!first && line && !*line)
            break;
    }
    return first ? strndup(first, strcspn(first, "\n")) : strdup(text);
}

static enum status refuse(struct isa_survey *survey, const struct isa_target *target,
                          const char *module, unsigned size, const char *kernel, const char *why,
                          struct error *error)
{
    struct isa_entry *entry = add_entry(survey, target, module, size, kernel);

    if (entry)
        entry->refused = reason_of(why);
    return entry && entry->refused ? STATUS_OK : out_of_memory(error);
}

/* A module for one target: what of it is audited. */
struct unit {
    const struct isa_target *target;
    const struct family *family; /* NULL: the file of the request */
    const struct spirv_module *module;
    const char *options;
    size_t build;
};

/* What a survey is made of, in its order. */
struct survey_plan {
    const struct isa_request *request;
    struct isa_builds builds;
    struct unit *units; /* owned */
    size_t count, room;
};

static enum status add_unit(struct survey_plan *plan, const struct unit *unit, struct error *error)
{
    if (plan->count == plan->room) {
        size_t room = plan->room ? 2 * plan->room : 64;
        struct unit *more = realloc(plan->units, room * sizeof(*more));

        if (!more)
            return out_of_memory(error);
        plan->units = more;
        plan->room = room;
    }
    struct unit *added = &plan->units[plan->count++];
    *added = *unit;
    return isa_builds_add(&plan->builds, unit->target, unit->module->bytes,
                          unit->module->size_bytes, unit->options, &added->build, error);
}

static void survey_plan_free(struct survey_plan *plan)
{
    isa_builds_free(&plan->builds);
    free(plan->units);
}

static enum status audit_kernel(struct isa_survey *survey, const struct survey_plan *plan,
                                const struct unit *unit, const char *module, const char *name,
                                const char *entry_point, struct error *error)
{
    const struct compiled *compiled = &plan->builds.build[unit->build].compiled;
    unsigned size = unit->family ? unit->module->subgroup_size : 0;
    int loop = plan->request->loop;
    struct vesim_kernel *kernel;
    struct isa_audit audit;
    char problem[ERROR_TEXT_BYTES];

    if (vesim_kernel_load(&kernel, compiled->bytes, compiled->size, entry_point, problem,
                          sizeof(problem)))
        return refuse(survey, unit->target, module, size, name, problem, error);
    enum status status = isa_audit_make(&audit, vesim_kernel_properties(kernel), unit->target,
                                        loop || !size ? loop : ISA_LOOP_OUTERMOST, error);
    vesim_kernel_free(kernel);
    if (status == STATUS_USAGE)
        return status;
    if (status != STATUS_OK)
        return refuse(survey, unit->target, module, size, name, error->text, error);
    struct isa_entry *entry = add_entry(survey, unit->target, module, size, name);
    if (!entry) {
        isa_audit_free(&audit);
        return out_of_memory(error);
    }
    entry->audit = audit;
    return STATUS_OK;
}

static bool is_asked_for(const struct isa_request *request, const char *name,
                         const char *entry_point)
{
    return !request->kernel || fnmatch(request->kernel, name, 0) == 0 ||
           fnmatch(request->kernel, entry_point, 0) == 0;
}

static bool same_options(const char *a, const char *b)
{
    return a == b || (a && b && !strcmp(a, b));
}

/* The variants of the family that have the unit's build flags. */
static enum status audit_variants(struct isa_survey *survey, const struct survey_plan *plan,
                                  const struct unit *unit, struct error *error)
{
    const struct family *family = unit->family;
    enum status status = STATUS_OK;

    for (size_t v = 0; status == STATUS_OK && v < family->variant_count; v++) {
        const struct variant *variant = &family->variants[v];

        if (same_options(variant->build_flags, unit->options) &&
            variant_has_size(variant, unit->module->subgroup_size) &&
            is_asked_for(plan->request, variant->name, variant->entry_point))
            status = audit_kernel(survey, plan, unit, family->name, variant->name,
                                  variant->entry_point, error);
    }
    return status;
}

static const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

static enum status audit_file(struct isa_survey *survey, const struct survey_plan *plan,
                              const struct unit *unit, struct error *error)
{
    const struct compiled *compiled = &plan->builds.build[unit->build].compiled;
    const char *module = file_name(plan->request->spirv_path);
    enum status status = STATUS_OK;

    for (size_t i = 0; status == STATUS_OK; i++) {
        const char *name = vesim_kernel_name(compiled->bytes, compiled->size, i);

        if (!name)
            break;
        if (is_asked_for(plan->request, name, name))
            status = audit_kernel(survey, plan, unit, module, name, name, error);
    }
    return status;
}

static enum status audit_unit(struct isa_survey *survey, const struct survey_plan *plan,
                              const struct unit *unit, struct error *error)
{
    const struct isa_build *build = &plan->builds.build[unit->build];
    const struct family *family = unit->family;
    const char *reason = build->error.status != STATUS_OK ? build->error.text
                         : isa_target_has_figures(unit->target)
                             ? NULL
                             : "the compiler knows it, but vebench has no figures for it: give "
                               "--target the path of a device description";

    if (reason && family)
        return refuse(survey, unit->target, family->name, unit->module->subgroup_size,
                      unit->options ? unit->options : "", reason, error);
    if (reason)
        return refuse(survey, unit->target, file_name(plan->request->spirv_path), 0, "", reason,
                      error);
    return family ? audit_variants(survey, plan, unit, error)
                  : audit_file(survey, plan, unit, error);
}

/* A family's module is compiled once per set of build flags. */
static enum status plan_module(struct survey_plan *plan, const struct isa_target *target,
                               const struct family *family, const struct spirv_module *module,
                               struct error *error)
{
    const struct isa_request *request = plan->request;
    enum status status = STATUS_OK;

    for (size_t v = 0; status == STATUS_OK && v < family->variant_count; v++) {
        const struct variant *variant = &family->variants[v];
        bool is_first = is_asked_for(request, variant->name, variant->entry_point) &&
                        variant_has_size(variant, module->subgroup_size);

        for (size_t before = 0; before < v; before++)
            is_first &= !same_options(family->variants[before].build_flags, variant->build_flags) ||
                        !is_asked_for(request, family->variants[before].name,
                                      family->variants[before].entry_point) ||
                        !variant_has_size(&family->variants[before], module->subgroup_size);
        const struct unit unit = {target, family, module, variant->build_flags, 0};
        if (is_first)
            status = add_unit(plan, &unit, error);
    }
    return status;
}

static enum status plan_family(struct survey_plan *plan, const struct isa_survey *survey,
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
        for (size_t i = 0; status == STATUS_OK && i < count; i++) {
            const struct spirv_module *module = family_module(family, sizes[i]);

            if (module)
                status = plan_module(plan, survey->targets[t], family, module, error);
        }
    }
    return status;
}

/* Compiles what is planned, and audits it. */
static enum status carry_out(struct isa_survey *survey, struct survey_plan *plan,
                             struct error *error)
{
    enum status status = isa_builds_compile(&plan->builds, schedule_processors(), error);

    for (size_t i = 0; status == STATUS_OK && i < plan->count; i++)
        status = audit_unit(survey, plan, &plan->units[i], error);
    return status;
}

static enum status survey_families(struct isa_survey *survey, const struct isa_request *request,
                                   struct error *error)
{
    struct survey_plan plan = {.request = request};
    enum status status = STATUS_OK;

    for (size_t i = 0; status == STATUS_OK && i < request->family_count; i++)
        status = plan_family(&plan, survey, request->families[i], error);
    if (status == STATUS_OK)
        status = carry_out(survey, &plan, error);
    survey_plan_free(&plan);
    return status;
}

static enum status survey_file(struct isa_survey *survey, const struct isa_request *request,
                               struct error *error)
{
    struct survey_plan plan = {.request = request};
    struct spirv_file file;
    enum status status = spirv_file_load(&file, request->spirv_path, NULL, error);

    if (status != STATUS_OK)
        return status;
    for (size_t t = 0; status == STATUS_OK && t < survey->target_count; t++) {
        const struct unit unit = {survey->targets[t], NULL, &file.module, request->options, 0};

        status = add_unit(&plan, &unit, error);
    }
    if (status == STATUS_OK)
        status = carry_out(survey, &plan, error);
    survey_plan_free(&plan);
    spirv_file_free(&file);
    return status;
}

enum status isa_survey_make(struct isa_survey *survey, const struct isa_request *request,
                            struct error *error)
{
    memset(survey, 0, sizeof(*survey));
    enum status status =
        find_targets(survey, request->targets ? request->targets : isa_default_targets, error);
    if (status == STATUS_OK)
        status = request->spirv_path ? survey_file(survey, request, error)
                                     : survey_families(survey, request, error);
    if (status == STATUS_OK && survey->count == 0)
        return error_set(error, STATUS_USAGE, "--kernel %s: there is no such kernel here",
                         request->kernel ? request->kernel : "*");
    return status;
}

void isa_survey_free(struct isa_survey *survey)
{
    for (size_t i = 0; i < survey->count; i++) {
        free(survey->entries[i].module);
        free(survey->entries[i].kernel);
        free(survey->entries[i].refused);
        isa_audit_free(&survey->entries[i].audit);
    }
    free(survey->entries);
    for (size_t i = 0; i < survey->target_count; i++)
        isa_target_close(survey->targets[i]);
    memset(survey, 0, sizeof(*survey));
}
