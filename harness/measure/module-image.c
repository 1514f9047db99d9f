#include "measure/module-image.h"

#include "base/text.h"
#include "spirv/spirv-elapsed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* For the driver's compiler: zeModuleGetGlobalPointer() will be called. */
#define FLAG_VARIABLES "-ze-take-global-address"
#define FLAGS_BYTES    200u

/* The module that has a variant's kernel: one from a file has those of all. */
static const struct spirv_module *module_of(const struct module_image *image,
                                            const struct variant *variant)
{
    if (!variant->module)
        return image->spirv;
    return variant_module(image->family, variant, image->spirv->subgroup_size);
}

const struct module_build *module_image_build(const struct module_image *image,
                                              const struct variant *variant)
{
    for (size_t i = 0; i < image->build_count; i++) {
        if (image->builds[i].spirv == module_of(image, variant) &&
            text_same(image->builds[i].flags, variant->build_flags))
            return &image->builds[i];
    }
    return NULL;
}

const char *module_image_sha256(const struct module_image *image, const struct variant *variant)
{
    return module_of(image, variant)->sha256;
}

/* A module that a compiler has refused has no build. */
static void add_build(struct module_image *image, const struct variant *variant)
{
    struct module_build *build = &image->builds[image->build_count++];

    build->spirv = module_of(image, variant);
    build->flags = variant->build_flags;
    if (!build->spirv->defect)
        return;
    build->state = BUILD_FAILED;
    snprintf(build->reason, sizeof(build->reason), "%s", build->spirv->defect);
}

static enum status list_builds(struct module_image *image, struct error *error)
{
    for (size_t v = 0; v < image->family->variant_count; v++) {
        const struct variant *variant = &image->family->variants[v];

        if (!variant_has_size(variant, image->spirv->subgroup_size) ||
            module_image_build(image, variant))
            continue;
        if (image->build_count == BUILDS_MAX)
            return error_set(error, STATUS_FAILED, "family %s has too many different build flags",
                             image->family->name);
        add_build(image, variant);
    }
    return STATUS_OK;
}

enum status module_image_init(struct module_image *image, const struct family *family,
                              unsigned subgroup_size, const char *path, struct error *error)
{
    const struct spirv_module *embedded = family_module(family, subgroup_size);
    enum status status = STATUS_OK;

    memset(image, 0, sizeof(*image));
    image->family = family;
    image->spirv = embedded;
    if (path) {
        status = spirv_file_load(&image->file, path, embedded, error);
        image->spirv = &image->file.module;
    }
    return status == STATUS_OK ? list_builds(image, error) : status;
}

void module_image_free(struct module_image *image)
{
    for (size_t i = 0; i < image->build_count; i++) {
        module_build_free(&image->builds[i]);
        module_build_free(&image->counting[i]);
    }
    spirv_file_free(&image->file);
    memset(image, 0, sizeof(*image));
}

/* What the kernels of a build are wanted for. */
struct wish {
    const struct module_image *image;
    const struct module_build *build;
};

/* A kernel counts its cycles if it is timed by its iterations alone: the others' whole launches are
 * what is measured. */
static bool shall_count(const char *entry_point, const void *context)
{
    const struct wish *wish = context;
    const struct family *family = wish->image->family;
    bool counts = false;

    for (size_t v = 0; v < family->variant_count; v++) {
        const struct variant *variant = &family->variants[v];

        if (strcmp(variant->entry_point, entry_point) != 0 ||
            module_image_build(wish->image, variant) != wish->build)
            continue;
        if (variant->estimator != ESTIMATOR_SLOPE)
            return false;
        counts = counts || (!variant->is_part && variant->list == LIST_REGULAR);
    }
    return counts;
}

/* Compiles the build's module with kernels that count, if any of them shall; a user's module is
 * compiled as it is alone. */
static void compile_counting(struct module_image *image, size_t i, struct session *session)
{
    const struct module_build *build = &image->builds[i];
    const struct wish wish = {image, build};
    struct spirv_module module = *build->spirv;
    struct module_build *counting = &image->counting[i];
    char flags[FLAGS_BYTES];

    if (image->family->modules || build->spirv == &image->file.module)
        return;
    void *bytes = spirv_count_elapsed(module.bytes, module.size_bytes, shall_count, &wish,
                                      &module.size_bytes);
    if (!bytes)
        return;
    snprintf(flags, sizeof(flags), "%s %s", build->flags ? build->flags : "", FLAG_VARIABLES);
    module.bytes = bytes;
    counting->flags = flags;
    module_build_compile(counting, &module, session);
    counting->flags = build->flags;
    free(bytes);
    /* What cannot be handed out would have to be compiled in every process. */
    if (counting->state != BUILD_NATIVE)
        counting->state = BUILD_NONE;
}

void module_image_compile(struct module_image *image, struct session *session)
{
    bool possible = device_has_subgroup_size(session->device, image->spirv->subgroup_size);

    for (size_t i = 0; possible && i < image->build_count; i++) {
        if (image->builds[i].state == BUILD_FAILED)
            continue;
        module_build_compile(&image->builds[i], image->builds[i].spirv, session);
        if (session->counts_cycles && image->builds[i].state != BUILD_FAILED)
            compile_counting(image, i, session);
    }
    image->compiled = true;
}
