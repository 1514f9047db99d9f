/* Machine code between the processes of a sweep: one compiles a module, all load it. */
#ifndef VEBENCH_MODULE_MESSAGES_H
#define VEBENCH_MODULE_MESSAGES_H

#include "measure/lead.h"
#include "measure/module-image.h"
#include "ranks/wire.h"

/* A build's result as sent between processes, followed by the machine code. */
struct wire_build {
    size_t index; /* which of several this is; from BUILDS_MAX on those that count cycles */
    enum build_state state;
    char reason[ERROR_TEXT_BYTES];
};

/* False if the other end is gone. */
bool module_build_send(const struct module_build *build, size_t index, enum wire_kind kind,
                       int socket);
/* What `data` is about, if it can be a build at all; otherwise NULL. */
const struct wire_build *module_build_head(const void *data, size_t bytes);
/* Takes in what module_build_head() has recognised; false if memory ran out. */
bool module_build_receive(struct module_build *build, const void *data, size_t bytes);

/* Sends all builds. False if the other end is gone. */
bool module_image_send(const struct module_image *image, int socket);
/* Takes in one of them; false if it does not belong to this image or memory ran out. */
bool module_image_receive(struct module_image *image, const void *data, size_t bytes);

/* The same for the lead. */
bool lead_image_send(const struct lead_image *image, int socket);
bool lead_image_receive(struct lead_image *image, const void *data, size_t bytes);

#endif
