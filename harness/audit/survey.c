#include "audit/survey.h"

#include "audit/survey-plan.h"
#include "base/processors.h"
#include "spirv/spirv-file.h"
#include "vesim/vesim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    return entry && entry->refused ? STATUS_OK : error_out_of_memory(error);
}

static enum status audit_kernel(struct isa_survey *survey, const struct survey_plan *plan,
                                const struct survey_unit *unit, const char *module,
                                const char *name, const char *entry_point, struct error *error)
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
        return error_out_of_memory(error);
    }
    entry->audit = audit;
    return STATUS_OK;
}

/* The variants of the family that have the unit's build flags. */
static enum status audit_variants(struct isa_survey *survey, const struct survey_plan *plan,
                                  const struct survey_unit *unit, struct error *error)
{
    const struct family *family = unit->family;
    enum status status = STATUS_OK;

    for (size_t v = 0; status == STATUS_OK && v < family->variant_count; v++) {
        const struct variant *variant = &family->variants[v];

        if (survey_plan_has(plan, unit, variant))
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
                              const struct survey_unit *unit, struct error *error)
{
    const struct compiled *compiled = &plan->builds.build[unit->build].compiled;
    const char *module = file_name(plan->request->spirv_path);
    enum status status = STATUS_OK;

    for (size_t i = 0; status == STATUS_OK; i++) {
        const char *name = vesim_kernel_name(compiled->bytes, compiled->size, i);

        if (!name)
            break;
        if (survey_asks_for(plan->request, name, name))
            status = audit_kernel(survey, plan, unit, module, name, name, error);
    }
    return status;
}

static enum status audit_unit(struct isa_survey *survey, const struct survey_plan *plan,
                              const struct survey_unit *unit, struct error *error)
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

/* Compiles what is planned, and audits it. */
static enum status carry_out(struct isa_survey *survey, struct survey_plan *plan,
                             struct error *error)
{
    enum status status = isa_builds_compile(&plan->builds, processors_available(), error);

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
        status = survey_plan_family(&plan, survey, request->families[i], error);
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
    enum status status = spirv_file_read(&file, request->spirv_path, error);

    if (status != STATUS_OK)
        return status;
    snprintf(survey->objection, sizeof(survey->objection), "%.*s",
             (int)strcspn(file.objection, "\n"), file.objection);
    for (size_t t = 0; status == STATUS_OK && t < survey->target_count; t++) {
        const struct survey_unit unit = {survey->targets[t], NULL, &file.module, request->options,
                                         0};

        status = survey_plan_add(&plan, &unit, error);
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
