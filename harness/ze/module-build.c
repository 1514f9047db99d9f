#include "ze/module-build.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Intel's compiler takes seconds for the largest of our modules. */
#define COMPILATION_LIMIT_NS UINT64_C(300000000000)

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

void module_build_compile(struct module_build *build, const struct spirv_module *spirv,
                          struct session *session)
{
    ze_module_handle_t module;
    struct error error;

    watch_enter(session->watch, WATCH_COMPILATION, COMPILATION_LIMIT_NS);
    if (module_create(session, spirv, build->flags, &module, &error) == STATUS_OK) {
        take_native(build, session, module);
        module_destroy(session, module);
    } else {
        build->state = BUILD_FAILED;
        snprintf(build->reason, sizeof(build->reason), "%s", error.text);
    }
}

enum status module_build_load(const struct module_build *build, const struct spirv_module *spirv,
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
    return module_create(session, spirv, build->flags, module, error);
}

void module_build_free(struct module_build *build)
{
    free(build->native);
    build->native = NULL;
    build->native_bytes = 0;
}
