#include "measure/module-image.h"

#include "base/text.h"

#include <stdio.h>
#include <string.h>

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
    for (size_t i = 0; i < image->build_count; i++)
        module_build_free(&image->builds[i]);
    spirv_file_free(&image->file);
    memset(image, 0, sizeof(*image));
}

void module_image_compile(struct module_image *image, struct session *session)
{
    bool possible = device_has_subgroup_size(session->device, image->spirv->subgroup_size);

    for (size_t i = 0; possible && i < image->build_count; i++) {
        if (image->builds[i].state != BUILD_FAILED)
            module_build_compile(&image->builds[i], image->builds[i].spirv, session);
    }
    image->compiled = true;
}
