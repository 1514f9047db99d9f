/* A family's module for one sub-group size, from SPIR-V to machine code: compiled once, by a
 * process that the compiler may take down with it, and loaded wherever it is measured. */
#ifndef VEBENCH_MODULE_IMAGE_H
#define VEBENCH_MODULE_IMAGE_H

#include "measure/family.h"
#include "measure/measure.h"
#include "measure/spirv-file.h"

#define BUILDS_MAX 4 /* different build_flags in a family */

/* What a compilation comes to; BUILD_PLAIN where the driver does not hand out machine code, and
 * whoever loads the module has to compile it. */
enum build_state { BUILD_NONE, BUILD_NATIVE, BUILD_PLAIN, BUILD_FAILED };

struct module_build {
    const char *flags; /* for the driver's compiler; NULL: none */
    enum build_state state;
    unsigned char *native; /* owned */
    size_t native_bytes;
    char reason[REASON_BYTES]; /* of BUILD_FAILED */
};

struct module_image {
    const struct family *family;
    const struct spirv_module *spirv; /* embedded, or from a file */
    struct spirv_file file;
    struct module_build builds[BUILDS_MAX]; /* those that variants of this size ask for */
    size_t build_count;
    bool compiled; /* no build is BUILD_NONE */
};

/* The embedded module, or the one in the file `path` where that is not NULL; nothing is compiled.
 * Fails where the file cannot be read, or the family asks for too many builds. */
enum status module_image_init(struct module_image *image, const struct family *family,
                              unsigned subgroup_size, const char *path, struct error *error);
void module_image_free(struct module_image *image);

/* The build with these flags, or NULL. */
const struct module_build *module_image_build(const struct module_image *image, const char *flags);

/* Compiles all builds on the session's device. What goes wrong is in the builds. */
void module_image_compile(struct module_image *image, struct session *session);

/* The module of a build, for the session's device. */
enum status module_image_load(const struct module_image *image, const struct module_build *build,
                              struct session *session, ze_module_handle_t *module,
                              struct error *error);

/* A build's result, between processes: this, then the machine code. */
struct wire_build {
    size_t index;
    enum build_state state;
    char reason[REASON_BYTES];
};

/* Sends all builds. False where the other end is gone. */
bool module_image_send(const struct module_image *image, int socket);
/* Takes in one of them; false where it is none of this image, or there is no memory. */
bool module_image_receive(struct module_image *image, const void *data, size_t bytes);

#endif
