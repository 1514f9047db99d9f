#include "measure/family-kernels.h"

#include <stdlib.h>
#include <string.h>

static void exclude(struct family_kernels *kernels, size_t variant, enum row_outcome outcome,
                    const char *reason)
{
    kernels->outcomes[variant] = outcome;
    snprintf(kernels->reasons[variant], REASON_BYTES, "%s", reason);
}

/* Creates the variant's kernel; if the compiler chose its sub-group size, only for that size. One
 * that spills is another kernel than the variant's. */
static void create(struct family_kernels *kernels, struct session *session,
                   ze_module_handle_t module, const struct variant *variant, size_t v)
{
    unsigned size = kernels->image->spirv->subgroup_size;
    struct kernel *kernel = &kernels->kernels[v];
    char reason[REASON_BYTES];
    struct error error;

    if (kernel_create(session, module, variant->entry_point, variant->any_size ? 0 : size, kernel,
                      &error) != STATUS_OK) {
        exclude(kernels, v, OUTCOME_FAILED, error.text);
    } else if (variant->any_size && kernel->compiled_subgroup_size != size) {
        snprintf(reason, sizeof(reason), "the compiler chose sub-groups of %u for this kernel",
                 (unsigned)kernel->compiled_subgroup_size);
        exclude(kernels, v, OUTCOME_EXCLUDED, reason);
    } else if (kernel->spill_bytes > 0 && !variant->may_spill) {
        snprintf(reason, sizeof(reason),
                 "the compiler spills %u bytes of registers per thread to memory",
                 (unsigned)kernel->spill_bytes);
        exclude(kernels, v, OUTCOME_SKIPPED, reason);
    }
}

/* Gives the variant the kernel that counts, if its module has one. */
static void add_counting(struct family_kernels *kernels, struct session *session,
                         const struct variant *variant, size_t v, size_t build)
{
    const struct module_build *counting = &kernels->image->counting[build];
    ze_module_handle_t *module = &kernels->counting[build];
    struct error error;

    if (counting->state == BUILD_NONE || variant->estimator != ESTIMATOR_SLOPE ||
        kernels->outcomes[v] != OUTCOME_OK)
        return;
    if (*module || module_build_load(counting, NULL, session, module, &error) == STATUS_OK)
        kernel_add_counting(session, *module, variant->entry_point, &kernels->kernels[v]);
}

static void load_variant(struct family_kernels *kernels, struct session *session, size_t v)
{
    const struct module_image *image = kernels->image;
    const struct variant *variant = &image->family->variants[v];
    struct error error;

    if (!variant_has_size(variant, image->spirv->subgroup_size)) {
        exclude(kernels, v, OUTCOME_SKIPPED, variant->no_size);
        return;
    }
    const struct module_build *build = module_image_build(image, variant);
    size_t b = (size_t)(build - image->builds);
    ze_module_handle_t *module = &kernels->modules[b];
    if (!*module && module_build_load(build, build->spirv, session, module, &error) != STATUS_OK) {
        exclude(kernels, v, OUTCOME_FAILED, error.text);
        return;
    }
    create(kernels, session, *module, variant, v);
    add_counting(kernels, session, variant, v, b);
}

static void load_all(struct family_kernels *kernels, struct session *session)
{
    unsigned size = kernels->image->spirv->subgroup_size;
    char reason[REASON_BYTES];
    char sizes[80];

    device_subgroup_sizes_text(session->device, sizes, sizeof(sizes));
    snprintf(reason, sizeof(reason), "the device has no sub-groups of %u, only of %s", size, sizes);
    for (size_t v = 0; v < kernels->image->family->variant_count; v++) {
        if (device_has_subgroup_size(session->device, size))
            load_variant(kernels, session, v);
        else
            exclude(kernels, v, OUTCOME_SKIPPED, reason);
    }
}

/* A launch needs the kernels of all its parts. */
static void need_parts(struct family_kernels *kernels, size_t variant,
                       const struct variant *const *parts)
{
    const struct family *family = kernels->image->family;
    char reason[REASON_BYTES];

    for (; parts && *parts; parts++) {
        size_t part = (size_t)(*parts - family->variants);

        if (kernels->outcomes[variant] == OUTCOME_OK && kernels->outcomes[part] != OUTCOME_OK) {
            memcpy(reason, kernels->reasons[part], sizeof(reason));
            exclude(kernels, variant, kernels->outcomes[part], reason);
        }
    }
}

static void take_parts(struct family_kernels *kernels)
{
    const struct family *family = kernels->image->family;

    for (size_t v = 0; v < family->variant_count; v++) {
        need_parts(kernels, v, family->variants[v].before);
        need_parts(kernels, v, family->variants[v].after);
    }
    for (size_t v = 0; v < family->variant_count; v++) {
        if (family->variants[v].is_part)
            exclude(kernels, v, OUTCOME_EXCLUDED, "it is a part of other launches");
    }
}

struct family_kernels *family_kernels_load(const struct module_image *image,
                                           struct session *session)
{
    struct family_kernels *kernels = calloc(1, sizeof(*kernels));

    if (kernels) {
        kernels->image = image;
        load_all(kernels, session);
        take_parts(kernels);
    }
    return kernels;
}

void family_kernels_free(struct family_kernels *kernels, struct session *session)
{
    if (!kernels)
        return;
    for (size_t v = 0; v < kernels->image->family->variant_count; v++)
        kernel_destroy(session, &kernels->kernels[v]);
    for (size_t i = 0; i < BUILDS_MAX; i++) {
        module_destroy(session, kernels->modules[i]);
        module_destroy(session, kernels->counting[i]);
    }
    free(kernels);
}
