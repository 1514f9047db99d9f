#include "measure/family-kernels.h"

#include <stdlib.h>
#include <string.h>

static void exclude(struct family_kernels *kernels, size_t variant, enum outcome outcome,
                    const char *reason)
{
    kernels->outcomes[variant] = outcome;
    snprintf(kernels->reasons[variant], REASON_BYTES, "%s", reason);
}

static bool same_flags(const char *a, const char *b)
{
    return a == b || (a && b && !strcmp(a, b));
}

/* The module built with these flags: index in `builds`, or BUILDS_MAX. */
static size_t build(struct family_kernels *kernels, struct session *session, const char *flags)
{
    struct error error;
    size_t i = 0;

    while (i < kernels->build_count && !same_flags(kernels->builds[i].flags, flags))
        i++;
    if (i < kernels->build_count || i == BUILDS_MAX)
        return i;
    kernels->build_count++;
    kernels->builds[i].flags = flags;
    if (module_create(session, kernels->spirv, flags, &kernels->builds[i].module, &error) !=
        STATUS_OK) {
        kernels->builds[i].failed = true;
        snprintf(kernels->builds[i].reason, REASON_BYTES, "%s", error.text);
    }
    return i;
}

/* Creates the variant's kernel; where the compiler chose its size, only for that size. */
static void create(struct family_kernels *kernels, struct session *session,
                   ze_module_handle_t module, const struct variant *variant, size_t v)
{
    unsigned size = kernels->spirv->subgroup_size;
    struct kernel *kernel = &kernels->kernels[v];
    char reason[REASON_BYTES];
    struct error error;

    if (kernel_create(session, module, variant->entry_point, variant->any_size ? 0 : size, kernel,
                      &error) != STATUS_OK) {
        exclude(kernels, v, OUTCOME_FAILED, error.text);
    } else if (variant->any_size && kernel->compiled_subgroup_size != size) {
        snprintf(reason, sizeof reason, "the compiler chose sub-groups of %u for this kernel",
                 (unsigned)kernel->compiled_subgroup_size);
        exclude(kernels, v, OUTCOME_EXCLUDED, reason);
    }
}

static void load_variant(struct family_kernels *kernels, struct session *session,
                         const struct family *family, size_t v)
{
    const struct variant *variant = &family->variants[v];
    size_t built;

    if (!variant_has_size(variant, kernels->spirv->subgroup_size)) {
        exclude(kernels, v, OUTCOME_SKIPPED, variant->no_size);
        return;
    }
    built = build(kernels, session, variant->build_flags);
    if (built == BUILDS_MAX)
        exclude(kernels, v, OUTCOME_FAILED, "the family has too many different build flags");
    else if (kernels->builds[built].failed)
        exclude(kernels, v, OUTCOME_FAILED, kernels->builds[built].reason);
    else
        create(kernels, session, kernels->builds[built].module, variant, v);
}

static void load_all(struct family_kernels *kernels, struct session *session,
                     const struct family *family)
{
    unsigned size = kernels->spirv->subgroup_size;
    char reason[REASON_BYTES];
    char sizes[80];

    device_subgroup_sizes_text(session->device, sizes, sizeof sizes);
    snprintf(reason, sizeof reason, "the device has no sub-groups of %u, only of %s", size, sizes);
    for (size_t v = 0; v < family->variant_count; v++) {
        if (device_has_subgroup_size(session->device, size))
            load_variant(kernels, session, family, v);
        else
            exclude(kernels, v, OUTCOME_SKIPPED, reason);
    }
}

enum status family_kernels_load(struct family_kernels **kernels_out, struct session *session,
                                const struct family *family, unsigned subgroup_size,
                                const char *path, struct error *error)
{
    const struct spirv_module *embedded = family_module(family, subgroup_size);
    struct family_kernels *kernels = calloc(1, sizeof *kernels);
    enum status status = STATUS_OK;

    *kernels_out = NULL;
    if (!kernels)
        return error_set(error, STATUS_FAILED, "out of memory");
    if (path)
        status = spirv_file_load(&kernels->file, path, embedded, error);
    if (status != STATUS_OK) {
        free(kernels);
        return status;
    }
    kernels->spirv = path ? &kernels->file.module : embedded;
    load_all(kernels, session, family);
    *kernels_out = kernels;
    return STATUS_OK;
}

void family_kernels_free(struct family_kernels *kernels, struct session *session,
                         const struct family *family)
{
    if (!kernels)
        return;
    for (size_t v = 0; v < family->variant_count; v++)
        kernel_destroy(session, &kernels->kernels[v]);
    for (size_t i = 0; i < kernels->build_count; i++)
        module_destroy(session, kernels->builds[i].module);
    spirv_file_free(&kernels->file);
    free(kernels);
}
