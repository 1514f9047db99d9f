/* A module's machine code: compiled once, in a process that the compiler may crash, and loaded
 * wherever it is needed. */
#ifndef VEBENCH_MODULE_BUILD_H
#define VEBENCH_MODULE_BUILD_H

#include "ze/kernel.h"

/* The result of a compilation; BUILD_PLAIN if the driver does not hand out machine code, so that
 * each process that loads the module has to compile it. */
enum build_state { BUILD_NONE, BUILD_NATIVE, BUILD_PLAIN, BUILD_FAILED };

struct module_build {
    const struct spirv_module *spirv; /* borrowed; NULL: its owner's */
    const char *flags;                /* for the driver's compiler; NULL: none */
    enum build_state state;
    bool counts_elapsed;   /* it is of the module with kernels that count their cycles */
    unsigned char *native; /* owned */
    size_t native_bytes;
    char reason[ERROR_TEXT_BYTES]; /* of BUILD_FAILED */
};

/* Compiles the module on the session's device. Errors are recorded. */
void module_build_compile(struct module_build *build, const struct spirv_module *spirv,
                          struct session *session);

/* Creates the module on the session's device. */
enum status module_build_load(const struct module_build *build, const struct spirv_module *spirv,
                              struct session *session, ze_module_handle_t *module,
                              struct error *error);

void module_build_free(struct module_build *build);

#endif
