#include "isa/survey.h"

#include "isa/target.h"
#include "measure/plan.h"
#include "measure/spirv-file.h"
#include "predict/compiler.h"
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

/* The outcome of compiling a module for one target. */
struct build {
    struct compiled compiled;
    struct error error;
    enum status status;
};

static enum status audit_kernel(struct isa_survey *survey, const struct isa_request *request,
                                const struct isa_target *target, const struct build *build,
                                const char *module, unsigned size, const char *name,
                                const char *entry_point, struct error *error)
{
    struct vesim_kernel *kernel;
    struct isa_audit audit;
    char problem[ERROR_TEXT_BYTES];

    if (vesim_kernel_load(&kernel, build->compiled.bytes, build->compiled.size, entry_point,
                          problem, sizeof(problem)))
        return refuse(survey, target, module, size, name, problem, error);
    enum status status =
        isa_audit_make(&audit, vesim_kernel_properties(kernel), target,
                       request->loop || !size ? request->loop : ISA_LOOP_OUTERMOST, error);
    vesim_kernel_free(kernel);
    if (status == STATUS_USAGE)
        return status;
    if (status != STATUS_OK)
        return refuse(survey, target, module, size, name, error->text, error);
    struct isa_entry *entry = add_entry(survey, target, module, size, name);
    if (!entry) {
        isa_audit_free(&audit);
        return out_of_memory(error);
    }
    entry->audit = audit;
    return STATUS_OK;
}

static void build_module(struct build *build, const struct isa_target *target, const void *bytes,
                         size_t size, const char *options)
{
    build->status = compiler_compile(bytes, size, isa_target_compiler(target), options,
                                     &build->compiled, &build->error);
    if (build->status == STATUS_OK && !isa_target_has_figures(target)) {
        compiled_free(&build->compiled);
        build->status = error_set(&build->error, STATUS_FAILED,
                                  "the compiler knows it, but vebench has no figures for it: give "
                                  "--target the path of a device description");
    }
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

/* Adds the variants from `first` on that have the same build flags. */
static enum status survey_build(struct isa_survey *survey, const struct isa_request *request,
                                const struct isa_target *target, const struct family *family,
                                const struct spirv_module *module, const char *options,
                                struct error *error)
{
    struct build build = {0};
    enum status status = STATUS_OK;

    build_module(&build, target, module->bytes, module->size_bytes, options);
    if (build.status != STATUS_OK)
        status = refuse(survey, target, family->name, module->subgroup_size, options ? options : "",
                        build.error.text, error);
    for (size_t v = 0;
         build.status == STATUS_OK && status == STATUS_OK && v < family->variant_count; v++) {
        const struct variant *variant = &family->variants[v];

        if (same_options(variant->build_flags, options) &&
            variant_has_size(variant, module->subgroup_size) &&
            is_asked_for(request, variant->name, variant->entry_point))
            status =
                audit_kernel(survey, request, target, &build, family->name, module->subgroup_size,
                             variant->name, variant->entry_point, error);
    }
    compiled_free(&build.compiled);
    return status;
}

/* Surveys a family for one target and sub-group size: its module is compiled once per set of build
 * flags. */
static enum status survey_module(struct isa_survey *survey, const struct isa_request *request,
                                 const struct isa_target *target, const struct family *family,
                                 const struct spirv_module *module, struct error *error)
{
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
        if (is_first)
            status =
                survey_build(survey, request, target, family, module, variant->build_flags, error);
    }
    return status;
}

static enum status survey_family(struct isa_survey *survey, const struct isa_request *request,
                                 const struct family *family, struct error *error)
{
    static const struct axis_units units = {.subgroup_size = 16, .xe_cores = 1, .threads = 1};
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
                status = survey_module(survey, request, survey->targets[t], family, module, error);
        }
    }
    return status;
}

static const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

static enum status survey_file_for(struct isa_survey *survey, const struct isa_request *request,
                                   const struct isa_target *target, const struct spirv_file *file,
                                   struct error *error)
{
    const char *module = file_name(request->spirv_path);
    struct build build = {0};
    enum status status = STATUS_OK;

    build_module(&build, target, file->module.bytes, file->module.size_bytes, request->options);
    if (build.status != STATUS_OK)
        return refuse(survey, target, module, 0, "", build.error.text, error);
    for (size_t i = 0; status == STATUS_OK; i++) {
        const char *name = vesim_kernel_name(build.compiled.bytes, build.compiled.size, i);

        if (!name)
            break;
        if (is_asked_for(request, name, name))
            status = audit_kernel(survey, request, target, &build, module, 0, name, name, error);
    }
    compiled_free(&build.compiled);
    return status;
}

static enum status survey_file(struct isa_survey *survey, const struct isa_request *request,
                               struct error *error)
{
    struct spirv_file file;
    enum status status = spirv_file_load(&file, request->spirv_path, NULL, error);

    if (status != STATUS_OK)
        return status;
    for (size_t t = 0; status == STATUS_OK && t < survey->target_count; t++)
        status = survey_file_for(survey, request, survey->targets[t], &file, error);
    spirv_file_free(&file);
    return status;
}

enum status isa_survey_make(struct isa_survey *survey, const struct isa_request *request,
                            struct error *error)
{
    memset(survey, 0, sizeof(*survey));
    enum status status =
        find_targets(survey, request->targets ? request->targets : isa_default_targets, error);
    if (status == STATUS_OK && request->spirv_path)
        status = survey_file(survey, request, error);
    for (size_t i = 0; status == STATUS_OK && i < request->family_count; i++)
        status = survey_family(survey, request, request->families[i], error);
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
