#include "sweep/module-messages.h"

#include <stdlib.h>
#include <string.h>

bool module_build_send(const struct module_build *build, size_t index, enum wire_kind kind,
                       int socket)
{
    struct wire_build head = {.index = index, .state = build->state};

    memcpy(head.reason, build->reason, sizeof(head.reason));
    return wire_send_parts(socket, kind, &head, sizeof(head), build->native, build->native_bytes);
}

const struct wire_build *module_build_head(const void *data, size_t bytes)
{
    return bytes < sizeof(struct wire_build) ? NULL : data;
}

bool module_build_receive(struct module_build *build, const void *data, size_t bytes)
{
    const struct wire_build *head = data;

    module_build_free(build);
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

bool module_image_send(const struct module_image *image, int socket)
{
    for (size_t i = 0; i < image->build_count; i++) {
        if (!module_build_send(&image->builds[i], i, WIRE_BUILD, socket) ||
            (image->counting[i].state != BUILD_NONE &&
             !module_build_send(&image->counting[i], BUILDS_MAX + i, WIRE_BUILD, socket)))
            return false;
    }
    return true;
}

bool module_image_receive(struct module_image *image, const void *data, size_t bytes)
{
    const struct wire_build *head = module_build_head(data, bytes);

    if (!head || head->index % BUILDS_MAX >= image->build_count || head->index / BUILDS_MAX > 1)
        return false;
    return module_build_receive(head->index < BUILDS_MAX
                                    ? &image->builds[head->index]
                                    : &image->counting[head->index - BUILDS_MAX],
                                data, bytes);
}

bool lead_image_send(const struct lead_image *image, int socket)
{
    return module_build_send(&image->build, image->source, WIRE_LEAD, socket);
}

bool lead_image_receive(struct lead_image *image, const void *data, size_t bytes)
{
    const struct wire_build *head = module_build_head(data, bytes);

    if (!head || head->index >= LEAD_SOURCES || !module_build_receive(&image->build, data, bytes))
        return false;
    image->source = head->index;
    image->compiled = true;
    return true;
}
