/* A family's module for one sub-group size, from SPIR-V to machine code: compiled once, in a
 * process that the compiler may crash, and loaded wherever it is measured. */
#ifndef VEBENCH_MODULE_IMAGE_H
#define VEBENCH_MODULE_IMAGE_H

#include "measure/family.h"
#include "measure/measure.h"
#include "measure/spirv-file.h"

#define BUILDS_MAX 4 /* distinct build_flags in a family */

/* The result of a compilation; BUILD_PLAIN if the driver does not hand out machine code, so that
 * each process that loads the module has to compile it. */
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
    struct module_build builds[BUILDS_MAX]; /* those used by variants of this size */
    size_t build_count;
    bool compiled; /* no build is BUILD_NONE */
};

/* Takes the embedded module, or the one in the file `path` if that is not NULL; compiles nothing.
 * Fails if the file cannot be read or the family has too many builds. */
enum status module_image_init(struct module_image *image, const struct family *family,
                              unsigned subgroup_size, const char *path, struct error *error);
void module_image_free(struct module_image *image);

/* The build with these flags, or NULL. */
const struct module_build *module_image_build(const struct module_image *image, const char *flags);

/* Compiles all builds on the session's device. Errors are recorded in the builds. */
void module_image_compile(struct module_image *image, struct session *session);

/* Creates the module of a build on the session's device. */
enum status module_image_load(const struct module_image *image, const struct module_build *build,
                              struct session *session, ze_module_handle_t *module,
                              struct error *error);

/* A build's result as sent between processes, followed by the machine code. */
struct wire_build {
    size_t index;
    enum build_state state;
    char reason[REASON_BYTES];
};

/* Sends all builds. False if the other end is gone. */
bool module_image_send(const struct module_image *image, int socket);
/* Takes in one of them; false if it does not belong to this image or memory ran out. */
bool module_image_receive(struct module_image *image, const void *data, size_t bytes);

#endif
