#include "ze/ze-api.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_LOADER "libze_loader.so.1"

struct entry_point {
    const char *name;
    size_t offset; /* of the pointer in struct ze_api */
    int required;
};

#define REQUIRED(type, name) {#name, offsetof(struct ze_api, name), 1},
#define OPTIONAL(type, name) {#name, offsetof(struct ze_api, name), 0},
static const struct entry_point entry_points[] = {ZE_API_REQUIRED(REQUIRED)
                                                      ZE_API_OPTIONAL(OPTIONAL)};
#undef REQUIRED
#undef OPTIONAL

enum status ze_api_open(struct ze_api *api, const char *path, struct error *error)
{
    memset(api, 0, sizeof(*api));
    api->library = dlopen(path ? path : DEFAULT_LOADER, RTLD_NOW | RTLD_LOCAL);
    if (!api->library) {
        return error_set(error, STATUS_FAILED,
                         "cannot load the Level Zero loader (%s): install the Debian packages "
                         "libze1 and intel-opencl-icd",
                         dlerror());
    }
    for (size_t i = 0; i < sizeof(entry_points) / sizeof(entry_points[0]); i++) {
        void *symbol = dlsym(api->library, entry_points[i].name);

        if (!symbol && entry_points[i].required) {
            enum status status =
                error_set(error, STATUS_FAILED,
                          "the Level Zero loader lacks %s: it is too old, or not a Level Zero "
                          "loader; install the Debian package libze1",
                          entry_points[i].name);

            ze_api_close(api);
            return status;
        }
        /* ISO C cannot convert object pointers to function pointers; in POSIX they have the same
         * representation. */
        memcpy((char *)api + entry_points[i].offset, &symbol, sizeof(symbol));
    }
    return STATUS_OK;
}

/* The driver and the compiler, as the loader and the driver call them. */
void ze_api_preload(void)
{
    static const char *const names[] = {DEFAULT_LOADER, "libze_intel_gpu.so.1", "libigc.so.2",
                                        "libigc.so.1"};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
}

void ze_api_close(struct ze_api *api)
{
    memset(api, 0, sizeof(*api));
}

void ze_loader_version(const struct ze_api *api, char *text, size_t text_bytes)
{
    zel_component_version_t components[16];
    size_t count = 0;

    snprintf(text, text_bytes, "unknown");
    if (!api->zelLoaderGetVersions || api->zelLoaderGetVersions(&count, NULL) != ZE_RESULT_SUCCESS)
        return;
    if (count > sizeof(components) / sizeof(components[0]))
        count = sizeof(components) / sizeof(components[0]);
    memset(components, 0, sizeof(components));
    if (api->zelLoaderGetVersions(&count, components) != ZE_RESULT_SUCCESS)
        return;
    for (size_t i = 0; i < count; i++) {
        const zel_version_t *version = &components[i].component_lib_version;

        if (!strcmp(components[i].component_name, "loader")) {
            snprintf(text, text_bytes, "%d.%d.%d", version->major, version->minor, version->patch);
        }
    }
}

#define RESULTS(X)                                                                                 \
    X(ZE_RESULT_SUCCESS)                                                                           \
    X(ZE_RESULT_NOT_READY)                                                                         \
    X(ZE_RESULT_ERROR_DEVICE_LOST)                                                                 \
    X(ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY)                                                          \
    X(ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY)                                                        \
    X(ZE_RESULT_ERROR_MODULE_BUILD_FAILURE)                                                        \
    X(ZE_RESULT_ERROR_MODULE_LINK_FAILURE)                                                         \
    X(ZE_RESULT_ERROR_DEVICE_REQUIRES_RESET)                                                       \
    X(ZE_RESULT_ERROR_DEVICE_IN_LOW_POWER_STATE)                                                   \
    X(ZE_RESULT_ERROR_INSUFFICIENT_PERMISSIONS)                                                    \
    X(ZE_RESULT_ERROR_NOT_AVAILABLE)                                                               \
    X(ZE_RESULT_ERROR_DEPENDENCY_UNAVAILABLE)                                                      \
    X(ZE_RESULT_ERROR_UNINITIALIZED)                                                               \
    X(ZE_RESULT_ERROR_UNSUPPORTED_VERSION)                                                         \
    X(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE)                                                         \
    X(ZE_RESULT_ERROR_INVALID_ARGUMENT)                                                            \
    X(ZE_RESULT_ERROR_INVALID_NULL_HANDLE)                                                         \
    X(ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE)                                                        \
    X(ZE_RESULT_ERROR_INVALID_NULL_POINTER)                                                        \
    X(ZE_RESULT_ERROR_INVALID_SIZE)                                                                \
    X(ZE_RESULT_ERROR_UNSUPPORTED_SIZE)                                                            \
    X(ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT)                                                       \
    X(ZE_RESULT_ERROR_INVALID_SYNCHRONIZATION_OBJECT)                                              \
    X(ZE_RESULT_ERROR_INVALID_ENUMERATION)                                                         \
    X(ZE_RESULT_ERROR_UNSUPPORTED_ENUMERATION)                                                     \
    X(ZE_RESULT_ERROR_INVALID_NATIVE_BINARY)                                                       \
    X(ZE_RESULT_ERROR_INVALID_GLOBAL_NAME)                                                         \
    X(ZE_RESULT_ERROR_INVALID_KERNEL_NAME)                                                         \
    X(ZE_RESULT_ERROR_INVALID_FUNCTION_NAME)                                                       \
    X(ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION)                                                \
    X(ZE_RESULT_ERROR_INVALID_GLOBAL_WIDTH_DIMENSION)                                              \
    X(ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_INDEX)                                               \
    X(ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE)                                                \
    X(ZE_RESULT_ERROR_INVALID_KERNEL_ATTRIBUTE_VALUE)                                              \
    X(ZE_RESULT_ERROR_INVALID_MODULE_UNLINKED)                                                     \
    X(ZE_RESULT_ERROR_INVALID_COMMAND_LIST_TYPE)                                                   \
    X(ZE_RESULT_ERROR_OVERLAPPING_REGIONS)                                                         \
    X(ZE_RESULT_ERROR_UNKNOWN)

const char *ze_result_name(ze_result_t result)
{
#define CASE(name)                                                                                 \
    if (result == name)                                                                            \
        return #name;
    RESULTS(CASE)
#undef CASE
    return "a result unknown to this program";
}

enum status ze_report(ze_result_t result, const char *call, const char *file, int line,
                      struct error *error)
{
    enum status status = STATUS_FAILED;
    const char *slash = strrchr(file, '/'); /* omit the build's path, which says nothing */

    if (result == ZE_RESULT_SUCCESS)
        return STATUS_OK;
    if (result == ZE_RESULT_ERROR_DEVICE_LOST)
        status = STATUS_LOST;
    if (result == ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION)
        status = STATUS_UNSUPPORTED;
    error_set(error, status, "%s returned %s (0x%x) at %s:%d", call, ze_result_name(result),
              (unsigned)result, slash ? slash + 1 : file, line);
    if (result == ZE_RESULT_ERROR_DEPENDENCY_UNAVAILABLE && getenv("ZET_ENABLE_METRICS"))
        error_append(error, ": with --counters, or ZET_ENABLE_METRICS, the driver needs "
                            "libigdmd.so.1 and libigdml.so.1 (Intel's Metrics Discovery and "
                            "Metrics Library; where packaged, libigdmd1 and libigdml1)");
    else if (result == ZE_RESULT_ERROR_DEPENDENCY_UNAVAILABLE)
        error_append(error, ": the driver misses a library, most likely its compiler; install the "
                            "Debian package libigc1");
    return status;
}
