#include "measure/module-image.h"

#include "base/text.h"
#include "measure/kernel.h"
#include "measure/wire.h"

#include <stdlib.h>
#include <string.h>

/* Intel's compiler takes seconds for the largest of our modules. */
#define COMPILATION_LIMIT_NS UINT64_C(300000000000)

const struct module_build *module_image_build(const struct module_image *image, const char *flags)
{
    for (size_t i = 0; i < image->build_count; i++) {
        if (text_same(image->builds[i].flags, flags))
            return &image->builds[i];
    }
    return NULL;
}

static enum status list_builds(struct module_image *image, struct error *error)
{
    for (size_t v = 0; v < image->family->variant_count; v++) {
        const struct variant *variant = &image->family->variants[v];

        if (!variant_has_size(variant, image->spirv->subgroup_size) ||
            module_image_build(image, variant->build_flags))
            continue;
        if (image->build_count == BUILDS_MAX)
            return error_set(error, STATUS_FAILED, "family %s has too many different build flags",
                             image->family->name);
        image->builds[image->build_count++].flags = variant->build_flags;
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
        free(image->builds[i].native);
    spirv_file_free(&image->file);
    memset(image, 0, sizeof(*image));
}

static void take_native(struct module_build *build, struct session *session,
                        ze_module_handle_t module)
{
    size_t bytes = 0;

    build->state = BUILD_PLAIN;
    if (!session->ze.zeModuleGetNativeBinary ||
        session->ze.zeModuleGetNativeBinary(module, &bytes, NULL) != ZE_RESULT_SUCCESS ||
        bytes == 0)
        return;
    build->native = malloc(bytes);
    if (!build->native ||
        session->ze.zeModuleGetNativeBinary(module, &bytes, build->native) != ZE_RESULT_SUCCESS)
        return;
    build->native_bytes = bytes;
    build->state = BUILD_NATIVE;
}

void module_image_compile(struct module_image *image, struct session *session)
{
    bool possible = device_has_subgroup_size(session->device, image->spirv->subgroup_size);

    for (size_t i = 0; possible && i < image->build_count; i++) {
        struct module_build *build = &image->builds[i];
        ze_module_handle_t module;
        struct error error;

        watch_enter(session->watch, WATCH_COMPILATION, COMPILATION_LIMIT_NS);
        if (module_create(session, image->spirv, build->flags, &module, &error) == STATUS_OK) {
            take_native(build, session, module);
            module_destroy(session, module);
        } else {
            build->state = BUILD_FAILED;
            snprintf(build->reason, sizeof(build->reason), "%s", error.text);
        }
    }
    image->compiled = true;
}

enum status module_image_load(const struct module_image *image, const struct module_build *build,
                              struct session *session, ze_module_handle_t *module,
                              struct error *error)
{
    *module = NULL;
    if (build->state == BUILD_FAILED)
        return error_set(error, STATUS_FAILED, "%s", build->reason);
    if (build->state == BUILD_NATIVE)
        return module_load(session, build->native, build->native_bytes, build->flags, module,
                           error);
    watch_enter(session->watch, WATCH_COMPILATION, COMPILATION_LIMIT_NS);
    return module_create(session, image->spirv, build->flags, module, error);
}

bool module_image_send(const struct module_image *image, int socket)
{
    for (size_t i = 0; i < image->build_count; i++) {
        const struct module_build *build = &image->builds[i];
        struct wire_build head = {.index = i, .state = build->state};

        memcpy(head.reason, build->reason, sizeof(head.reason));
        if (!wire_send_parts(socket, WIRE_BUILD, &head, sizeof(head), build->native,
                             build->native_bytes))
            return false;
    }
    return true;
}

bool module_image_receive(struct module_image *image, const void *data, size_t bytes)
{
    const struct wire_build *head = data;

    if (bytes < sizeof(*head) || head->index >= image->build_count)
        return false;
    struct module_build *build = &image->builds[head->index];
    free(build->native);
    build->native_bytes = bytes - sizeof(*head);
    build->native = build->native_bytes ? malloc(build->native_bytes) : NULL;
    if (build->native_bytes && !build->native)
        return false;
    if (build->native)
        memcpy(build->native, head + 1, build->native_bytes);
    build->state = head->state;
    memcpy(build->reason, head->reason, sizeof(build->reason));
    return true;
}
