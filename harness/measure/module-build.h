/* A module's machine code: compiled once, in a process that the compiler may crash, and loaded
 * wherever it is needed. */
#ifndef VEBENCH_MODULE_BUILD_H
#define VEBENCH_MODULE_BUILD_H

#include "measure/kernel.h"
#include "measure/measure.h"
#include "measure/wire.h"

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

/* Compiles the module on the session's device. Errors are recorded. */
void module_build_compile(struct module_build *build, const struct spirv_module *spirv,
                          struct session *session);

/* Creates the module on the session's device. */
enum status module_build_load(const struct module_build *build, const struct spirv_module *spirv,
                              struct session *session, ze_module_handle_t *module,
                              struct error *error);

void module_build_free(struct module_build *build);

/* A build's result as sent between processes, followed by the machine code. */
struct wire_build {
    size_t index; /* which of several this is */
    enum build_state state;
    char reason[REASON_BYTES];
};

/* False if the other end is gone. */
bool module_build_send(const struct module_build *build, size_t index, enum wire_kind kind,
                       int socket);
/* What `data` is about, if it can be a build at all; otherwise NULL. */
const struct wire_build *module_build_head(const void *data, size_t bytes);
/* Takes in what module_build_head() has recognised; false if memory ran out. */
bool module_build_receive(struct module_build *build, const void *data, size_t bytes);

#endif
