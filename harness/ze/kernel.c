#include "ze/kernel.h"

#include "spirv/spirv-elapsed.h"

#include <stdlib.h>
#include <string.h>

/* The extension structure is newer than the oldest supported headers (Level Zero 1.11; layout and
 * number from the specification of ZE_extension_kernel_max_group_size_properties). */
#define STYPE_KERNEL_MAX_GROUP_SIZE 0x10013

struct kernel_max_group_size {
    ze_structure_type_t stype;
    void *next;
    uint32_t max_group_size;
};

/* Appends the log to the error, as one line. */
static void append_build_log(struct session *session, ze_module_build_log_handle_t log,
                             struct error *error)
{
    size_t bytes = 0;

    if (!log || session->ze.zeModuleBuildLogGetString(log, &bytes, NULL) != ZE_RESULT_SUCCESS ||
        bytes < 2)
        return;
    char *text = calloc(1, bytes + 1);
    if (text && session->ze.zeModuleBuildLogGetString(log, &bytes, text) == ZE_RESULT_SUCCESS &&
        text[0]) {
        for (char *c = text; *c; c++) {
            if (*c == '\n' || *c == '\r')
                *c = ' ';
        }
        error_append(error, "; the compiler says: %.400s", text);
    }
    free(text);
}

static enum status create_module(struct session *session, const ze_module_desc_t *desc,
                                 ze_module_handle_t *module, struct error *error)
{
    ze_module_build_log_handle_t log = NULL;
    enum status status = ZE_CALL(&session->ze, error, zeModuleCreate, session->context,
                                 session->device->handle, desc, module, &log);

    if (status != STATUS_OK) {
        *module = NULL;
        append_build_log(session, log, error);
    }
    if (log)
        session->ze.zeModuleBuildLogDestroy(log);
    return status;
}

enum status module_create(struct session *session, const struct spirv_module *spirv,
                          const char *build_flags, ze_module_handle_t *module, struct error *error)
{
    ze_module_desc_t desc = {
        .stype = ZE_STRUCTURE_TYPE_MODULE_DESC,
        .format = ZE_MODULE_FORMAT_IL_SPIRV,
        .inputSize = spirv->size_bytes,
        .pInputModule = spirv->bytes,
        .pBuildFlags = build_flags,
    };

    return create_module(session, &desc, module, error);
}

enum status module_load(struct session *session, const void *native, size_t bytes,
                        const char *build_flags, ze_module_handle_t *module, struct error *error)
{
    ze_module_desc_t desc = {
        .stype = ZE_STRUCTURE_TYPE_MODULE_DESC,
        .format = ZE_MODULE_FORMAT_NATIVE,
        .inputSize = bytes,
        .pInputModule = native,
        .pBuildFlags = build_flags,
    };

    return create_module(session, &desc, module, error);
}

/* The device memory of a module's 32-bit variable, or NULL if it has none of the name. */
static void *module_variable(struct session *session, ze_module_handle_t module, const char *name)
{
    void *memory = NULL;
    size_t bytes = 0;

    if (!session->ze.zeModuleGetGlobalPointer ||
        session->ze.zeModuleGetGlobalPointer(module, name, &bytes, &memory) != ZE_RESULT_SUCCESS ||
        bytes < sizeof(uint32_t))
        return NULL;
    return memory;
}

void module_destroy(struct session *session, ze_module_handle_t module)
{
    if (module && !session->lost)
        session->ze.zeModuleDestroy(module);
}

static enum status read_kernel_properties(struct session *session, struct kernel *kernel,
                                          struct error *error)
{
    struct kernel_max_group_size limit = {
        .stype = (ze_structure_type_t)STYPE_KERNEL_MAX_GROUP_SIZE,
    };
    ze_kernel_properties_t properties = {
        .stype = ZE_STRUCTURE_TYPE_KERNEL_PROPERTIES,
        .pNext = session->device->has_kernel_max_group_size ? &limit : NULL,
    };
    enum status status =
        ZE_CALL(&session->ze, error, zeKernelGetProperties, kernel->handle, &properties);

    if (status != STATUS_OK)
        return status;
    kernel->required_subgroup_size = properties.requiredSubgroupSize;
    kernel->compiled_subgroup_size = properties.maxSubgroupSize;
    kernel->spill_bytes = properties.spillMemSize;
    kernel->private_bytes = properties.privateMemSize;
    kernel->slm_bytes = properties.localMemSize;
    kernel->max_group_size = session->device->max_group_size;
    if (limit.max_group_size && limit.max_group_size < kernel->max_group_size)
        kernel->max_group_size = limit.max_group_size;
    return STATUS_OK;
}

enum status kernel_create(struct session *session, ze_module_handle_t module,
                          const char *entry_point, unsigned subgroup_size, struct kernel *kernel,
                          struct error *error)
{
    ze_kernel_desc_t desc = {
        .stype = ZE_STRUCTURE_TYPE_KERNEL_DESC,
        .pKernelName = entry_point,
    };

    memset(kernel, 0, sizeof(*kernel));
    enum status status =
        ZE_CALL(&session->ze, error, zeKernelCreate, module, &desc, &kernel->handle);
    if (status != STATUS_OK) {
        kernel->handle = NULL;
        error_append(error, " (entry point %s)", entry_point);
        return status;
    }
    status = read_kernel_properties(session, kernel, error);
    if (status != STATUS_OK || subgroup_size == 0)
        return status;
    if (kernel->required_subgroup_size != 0 && kernel->required_subgroup_size != subgroup_size) {
        return error_set(error, STATUS_FAILED,
                         "%s requires sub-groups of %u in a module for sub-groups of %u",
                         entry_point, kernel->required_subgroup_size, subgroup_size);
    }
    if (kernel->compiled_subgroup_size != subgroup_size) {
        return error_set(error, STATUS_FAILED,
                         "the driver compiled %s for sub-groups of %u instead of %u", entry_point,
                         kernel->compiled_subgroup_size, subgroup_size);
    }
    return STATUS_OK;
}

enum status kernel_adopt(struct session *session, ze_kernel_handle_t handle, struct kernel *kernel,
                         struct error *error)
{
    *kernel = (struct kernel){.handle = handle};
    return read_kernel_properties(session, kernel, error);
}

void kernel_add_counting(struct session *session, ze_module_handle_t module,
                         const char *entry_point, struct kernel *kernel)
{
    void *elapsed = module_variable(session, module, SPIRV_ELAPSED_NAME);
    struct kernel counting;
    struct error error;

    if (elapsed && kernel_create(session, module, entry_point, kernel->compiled_subgroup_size,
                                 &counting, &error) == STATUS_OK)
        kernel->counting = (struct counting_kernel){counting.handle, elapsed};
    else if (elapsed)
        kernel_destroy(session, &counting);
}

void kernel_destroy(struct session *session, struct kernel *kernel)
{
    if (kernel->handle && !session->lost)
        session->ze.zeKernelDestroy(kernel->handle);
    if (kernel->counting.handle && !session->lost)
        session->ze.zeKernelDestroy(kernel->counting.handle);
    kernel->counting.handle = NULL;
    kernel->handle = NULL;
}

enum status kernel_set_group_size(struct session *session, const struct kernel *kernel,
                                  const uint32_t size[3], struct error *error)
{
    uint64_t items = (uint64_t)size[0] * size[1] * size[2];

    if (items > kernel->max_group_size) {
        return error_set(error, STATUS_UNSUPPORTED,
                         "work-groups of %llu work-items: the limit of this kernel on this device "
                         "is %u",
                         (unsigned long long)items, kernel->max_group_size);
    }
    enum status status = ZE_CALL(&session->ze, error, zeKernelSetGroupSize, kernel->handle, size[0],
                                 size[1], size[2]);
    if (status == STATUS_UNSUPPORTED) {
        error_set(error, status,
                  "work-groups of %u x %u x %u work-items: the driver refuses this size for this "
                  "kernel",
                  size[0], size[1], size[2]);
    }
    return status;
}

enum status kernel_resident_groups(struct session *session, const struct kernel *kernel,
                                   uint32_t *groups, struct error *error)
{
    if (!session->ze.zeKernelSuggestMaxCooperativeGroupCount)
        return error_set(error, STATUS_UNSUPPORTED,
                         "the loader cannot say how many work-groups are resident together");
    return ZE_CALL(&session->ze, error, zeKernelSuggestMaxCooperativeGroupCount, kernel->handle,
                   groups);
}

enum status kernel_set_argument(struct session *session, const struct kernel *kernel,
                                uint32_t index, size_t bytes, const void *value,
                                struct error *error)
{
    return ZE_CALL(&session->ze, error, zeKernelSetArgumentValue, kernel->handle, index, bytes,
                   value);
}
