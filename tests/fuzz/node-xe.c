/* Requests of xe. */
#include <drm.h>

#include "kmd/xe-uapi.h"
#include "node.h"

const enum vesim_kernel_driver node_driver = VESIM_XE;

#define XE(number, type) DRM_IOWR(DRM_COMMAND_BASE + (number), type)

static const unsigned long vm_bind = XE(XE_VM_BIND, struct xe_vm_bind);
static const unsigned long wait_user_fence = XE(XE_WAIT_USER_FENCE, struct xe_wait_user_fence);

const unsigned long node_requests[] = {
    DRM_IOCTL_VERSION,
    DRM_IOCTL_GEM_CLOSE,
    DRM_IOCTL_PRIME_FD_TO_HANDLE, /* not the other way: nobody would close the descriptor */
    XE(XE_DEVICE_QUERY, struct xe_device_query),
    XE(XE_GEM_CREATE, struct xe_gem_create),
    XE(XE_GEM_MMAP_OFFSET, struct xe_gem_mmap_offset),
    XE(XE_VM_CREATE, struct xe_vm_create),
    XE(XE_VM_DESTROY, struct xe_vm_destroy),
    XE(XE_VM_BIND, struct xe_vm_bind),
    XE(XE_EXEC_QUEUE_CREATE, struct xe_exec_queue_create),
    XE(XE_EXEC_QUEUE_DESTROY, struct xe_exec_queue_destroy),
    XE(XE_EXEC_QUEUE_GET_PROPERTY, struct xe_exec_queue_get_property),
    XE(XE_EXEC, struct xe_exec),
    XE(XE_WAIT_USER_FENCE, struct xe_wait_user_fence),
    XE(XE_MADVISE, struct xe_madvise),
};
const size_t node_request_count = sizeof(node_requests) / sizeof(*node_requests);

/* The range of a user pointer, which user_may_write() keeps out of the fuzzer's own memory only
 * where that is not mapped. */
static void tame_bind(struct xe_bind *bind)
{
    uint64_t at = bind->offset - (uintptr_t)arena;

    if (bind->operation != XE_BIND_MAP_USERPTR)
        return;
    if (at >= ARENA_BYTES)
        bind->offset = (uintptr_t)arena;
    bind->range = 4096;
}

bool node_tame(struct node_file *file, unsigned long request, void *argument)
{
    (void)file;
    if (request == wait_user_fence) {
        struct xe_wait_user_fence *wait = argument;

        wait->timeout = 1000;
        wait->flags &= (uint16_t)~XE_FENCE_ABSOLUTE_TIME;
    } else if (request == vm_bind) {
        struct xe_vm_bind *bind = argument;

        bind->count = bind->count ? 1 : 0; /* several are read from the arena, unseen */
        tame_bind(&bind->binds.one);
    }
    return true;
}

void node_undo(unsigned long request, const void *argument)
{
    (void)request;
    (void)argument;
}
