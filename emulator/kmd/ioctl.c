/* Which function handles which request (drm.h, i915_drm.h, xe-uapi.h). */
#include <drm.h>
#include <errno.h>
#include <i915_drm.h>
#include <string.h>
#include <sys/ioctl.h>

#include "kmd/node.h"
#include "kmd/xe-uapi.h"

struct handler {
    unsigned number;        /* _IOC_NR of the request: sizes grow from version to version */
    unsigned argument_size; /* the least that the handler reads and writes */
    const char *name;
    enum { CHANGES, ASKS } purpose; /* whether it changes anything, or asks or waits */
    int (*serve)(struct node_file *file, void *argument);
};

static const struct handler i915_handlers[] = {
#define DRM(number, type, purpose, serve)                                                          \
    {                                                                                              \
        number, sizeof(type), #serve, purpose, serve                                               \
    }
#define I915(number, type, purpose, serve) DRM(DRM_COMMAND_BASE + number, type, purpose, serve)
    DRM(0x00, struct drm_version, ASKS, ioctl_version),
    DRM(0x09, struct drm_gem_close, CHANGES, ioctl_gem_close),
    DRM(0x2d, struct drm_prime_handle, CHANGES, ioctl_prime_export),
    DRM(0x2e, struct drm_prime_handle, CHANGES, ioctl_prime_import),
    I915(DRM_I915_GETPARAM, struct drm_i915_getparam, ASKS, ioctl_getparam),
    I915(DRM_I915_QUERY, struct drm_i915_query, ASKS, ioctl_query),
    I915(DRM_I915_REG_READ, struct drm_i915_reg_read, ASKS, ioctl_reg_read),
    I915(DRM_I915_GEM_CREATE, struct drm_i915_gem_create, CHANGES, ioctl_gem_create),
    I915(DRM_I915_GEM_CREATE_EXT, struct drm_i915_gem_create_ext, CHANGES, ioctl_gem_create_ext),
    I915(DRM_I915_GEM_USERPTR, struct drm_i915_gem_userptr, CHANGES, ioctl_gem_userptr),
    I915(DRM_I915_GEM_MMAP, struct drm_i915_gem_mmap, CHANGES, ioctl_gem_mmap),
    I915(DRM_I915_GEM_MMAP_GTT, struct drm_i915_gem_mmap_gtt, CHANGES, ioctl_gem_mmap_offset),
    I915(DRM_I915_GEM_SET_DOMAIN, struct drm_i915_gem_set_domain, ASKS, ioctl_gem_set_domain),
    I915(DRM_I915_GEM_SET_TILING, struct drm_i915_gem_set_tiling, CHANGES, ioctl_gem_set_tiling),
    I915(DRM_I915_GEM_GET_TILING, struct drm_i915_gem_get_tiling, ASKS, ioctl_gem_get_tiling),
    I915(DRM_I915_GEM_MADVISE, struct drm_i915_gem_madvise, CHANGES, ioctl_gem_madvise),
    I915(DRM_I915_GEM_WAIT, struct drm_i915_gem_wait, ASKS, ioctl_gem_wait),
    I915(DRM_I915_GEM_BUSY, struct drm_i915_gem_busy, ASKS, ioctl_gem_busy),
    I915(DRM_I915_GEM_EXECBUFFER2, struct drm_i915_gem_execbuffer2, CHANGES, ioctl_gem_execbuffer2),
    I915(DRM_I915_GEM_CONTEXT_CREATE, struct drm_i915_gem_context_create, CHANGES,
         ioctl_context_create),
    I915(DRM_I915_GEM_CONTEXT_DESTROY, struct drm_i915_gem_context_destroy, CHANGES,
         ioctl_context_destroy),
    I915(DRM_I915_GEM_CONTEXT_GETPARAM, struct drm_i915_gem_context_param, ASKS,
         ioctl_context_getparam),
    I915(DRM_I915_GEM_CONTEXT_SETPARAM, struct drm_i915_gem_context_param, CHANGES,
         ioctl_context_setparam),
    I915(DRM_I915_GET_RESET_STATS, struct drm_i915_reset_stats, ASKS, ioctl_reset_stats),
    I915(DRM_I915_GEM_VM_CREATE, struct drm_i915_gem_vm_control, CHANGES, ioctl_vm_create),
    I915(DRM_I915_GEM_VM_DESTROY, struct drm_i915_gem_vm_control, CHANGES, ioctl_vm_destroy),
#undef I915
};

static const struct handler xe_handlers[] = {
#define XE(number, type, purpose, serve) DRM(DRM_COMMAND_BASE + number, type, purpose, serve)
    DRM(0x00, struct drm_version, ASKS, ioctl_version),
    DRM(0x09, struct drm_gem_close, CHANGES, ioctl_gem_close),
    DRM(0x2d, struct drm_prime_handle, CHANGES, ioctl_prime_export),
    DRM(0x2e, struct drm_prime_handle, CHANGES, ioctl_prime_import),
    XE(XE_DEVICE_QUERY, struct xe_device_query, ASKS, ioctl_xe_query),
    XE(XE_GEM_CREATE, struct xe_gem_create, CHANGES, ioctl_xe_gem_create),
    XE(XE_GEM_MMAP_OFFSET, struct xe_gem_mmap_offset, CHANGES, ioctl_xe_mmap_offset),
    XE(XE_VM_CREATE, struct xe_vm_create, CHANGES, ioctl_xe_vm_create),
    XE(XE_VM_DESTROY, struct xe_vm_destroy, CHANGES, ioctl_xe_vm_destroy),
    XE(XE_VM_BIND, struct xe_vm_bind, CHANGES, ioctl_xe_vm_bind),
    XE(XE_EXEC_QUEUE_CREATE, struct xe_exec_queue_create, CHANGES, ioctl_xe_queue_create),
    XE(XE_EXEC_QUEUE_DESTROY, struct xe_exec_queue_destroy, CHANGES, ioctl_xe_queue_destroy),
    XE(XE_EXEC_QUEUE_GET_PROPERTY, struct xe_exec_queue_get_property, ASKS,
       ioctl_xe_queue_property),
    XE(XE_EXEC, struct xe_exec, CHANGES, ioctl_xe_exec),
    XE(XE_WAIT_USER_FENCE, struct xe_wait_user_fence, ASKS, ioctl_xe_wait_fence),
    XE(XE_MADVISE, struct xe_madvise, CHANGES, ioctl_xe_madvise),
#undef XE
#undef DRM
};

static const struct {
    const struct handler *handlers;
    size_t count;
} interfaces[] = {
    [VESIM_I915] = {i915_handlers, sizeof(i915_handlers) / sizeof(*i915_handlers)},
    [VESIM_XE] = {xe_handlers, sizeof(xe_handlers) / sizeof(*xe_handlers)},
};

/* Serves a request on a copy of its argument, as the kernel does: what another thread does to the
 * original has no effect, and a version of the structure that ends early reads as zeros. */
static int serve(const struct handler *handler, struct node_file *file, unsigned long request,
                 void *argument)
{
    union {
        uint8_t bytes[IOCTL_ARGUMENT_MAX];
        uint64_t aligned;
    } copy = {{0}};
    size_t size = _IOC_SIZE(request);
    int written = 0;

    if (size < handler->argument_size)
        return -EINVAL;
    if (size > sizeof(copy))
        size = sizeof(copy);
    int status = user_read(copy.bytes, (uintptr_t)argument, size);
    if (status)
        return status;
    status = handler->serve(file, copy.bytes);
    if (_IOC_DIR(request) & _IOC_READ) /* otherwise the original may be constant */
        written = user_write((uintptr_t)argument, copy.bytes, size);
    return status ? status : written;
}

int node_ioctl(struct node_file *file, unsigned long request, void *argument)
{
    unsigned number = _IOC_NR(request);

    if (file->node->disowned)
        return -EIO; /* inherited over fork(2) */
    if (_IOC_TYPE(request) != DRM_IOCTL_BASE)
        return -ENOTTY;
    const enum vesim_kernel_driver driver = file->node->device.kernel_driver;
    for (size_t i = 0; i < interfaces[driver].count; i++) {
        const struct handler *handler = &interfaces[driver].handlers[i];

        if (handler->number != number)
            continue;
        int status = serve(handler, file, request, argument);
        if (!status && handler->purpose == CHANGES)
            __atomic_add_fetch(&file->node->changes, 1, __ATOMIC_RELAXED);
        if (status || handler->serve != ioctl_reg_read)
            node_log(file->node, "%s: %s", handler->name, status ? strerror(-status) : "ok");
        return status;
    }
    node_log(file->node, "ioctl 0x%x is not modelled: EINVAL", number);
    return -EINVAL;
}
