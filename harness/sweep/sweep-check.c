/* Checks a sweep request before anything is opened. */
#include "family/near.h"
#include "spirv/spirv-file.h"
#include "sweep/plan.h"
#include "sweep/sweep.h"

#include <stdio.h>
#include <string.h>

/* Parses "barrier:16=FILE" into the embedded module to replace and the file. */
static enum status parse_spirv(const char *text, const struct spirv_module **replaced,
                               const char **path, struct error *error)
{
    for (size_t i = 0; i < spirv_module_count; i++) {
        char prefix[100];
        size_t bytes = (size_t)snprintf(prefix, sizeof(prefix), "%s:%u=", spirv_modules[i].family,
                                        spirv_modules[i].subgroup_size);

        if (!strncmp(text, prefix, bytes) && text[bytes]) {
            *replaced = &spirv_modules[i];
            *path = text + bytes;
            return STATUS_OK;
        }
    }
    return error_set(error, STATUS_USAGE,
                     "--spirv %s: write FAMILY:SIZE=FILE with a family and a sub-group size that "
                     "`vebench list` shows",
                     text);
}

const char *sweep_replacement(const struct sweep_request *request, const struct family *family,
                              unsigned subgroup_size)
{
    const struct spirv_module *module = family_module(family, subgroup_size);
    const char *found = NULL;

    for (size_t i = 0; i < request->spirv_count; i++) {
        const struct spirv_module *replaced = NULL;
        const char *path = NULL;
        struct error ignored;

        if (parse_spirv(request->spirv[i], &replaced, &path, &ignored) == STATUS_OK &&
            replaced == module)
            found = path;
    }
    return found;
}

static enum status suggest_axis(const struct sweep_request *request, const char *text, size_t bytes,
                                struct error *error)
{
    struct near near = near_begin(text, bytes);

    for (size_t f = 0; f < request->family_count; f++) {
        for (size_t i = 0; i < request->families[f]->axis_count; i++)
            near_consider(&near, request->families[f]->axes[i].name);
    }
    near_append(&near, "", error);
    return STATUS_USAGE;
}

/* The axis must belong to at least one of the families. */
static enum status check_axis(const struct sweep_request *request, const char *text,
                              struct error *error)
{
    size_t bytes = 0;

    if (!axis_split(text, &bytes)) {
        return error_set(error, STATUS_USAGE,
                         "--axis %s: write NAME=VALUE,VALUE,... such as subgroup_size=8,16", text);
    }
    for (size_t i = 0; i < request->family_count; i++) {
        if (family_has_axis(request->families[i], text))
            return STATUS_OK;
    }
    if (request->family_count > 1) {
        error_set(error, STATUS_USAGE,
                  "--axis %s: none of the families has such an axis (see vebench list)", text);
        return suggest_axis(request, text, bytes, error);
    }
    error_set(error, STATUS_USAGE, "--axis %s: family %s has no such axis; it has", text,
              request->families[0]->name);
    for (size_t i = 0; i < request->families[0]->axis_count; i++)
        error_append(error, "%s %s", i ? "," : "", request->families[0]->axes[i].name);
    return suggest_axis(request, text, bytes, error);
}

static enum status check_spirv(const struct sweep_request *request, size_t index,
                               struct error *error)
{
    const struct spirv_module *replaced = NULL;
    const char *path = NULL;
    struct spirv_file file;
    enum status status = parse_spirv(request->spirv[index], &replaced, &path, error);

    if (status == STATUS_OK)
        status = spirv_file_load(&file, path, replaced, error);
    if (status == STATUS_OK)
        spirv_file_free(&file);
    return status;
}

enum status sweep_check(const struct sweep_request *request, struct error *error)
{
    enum status status = STATUS_OK;
    struct family_axes axes;

    for (size_t i = 0; status == STATUS_OK && i < request->axis_count; i++)
        status = check_axis(request, request->axes[i], error);
    for (size_t i = 0; status == STATUS_OK && i < request->variant_count; i++)
        status = sweep_check_pattern(request, request->variants[i], error);
    for (size_t i = 0; status == STATUS_OK && i < request->family_count; i++)
        status = family_axes_resolve(&axes, request->families[i], request->preset, request->axes,
                                     request->axis_count, error);
    for (size_t i = 0; status == STATUS_OK && i < spirv_module_count; i++)
        status = spirv_module_check(&spirv_modules[i], error);
    for (size_t i = 0; status == STATUS_OK && i < request->spirv_count; i++)
        status = check_spirv(request, i, error);
    return status;
}
