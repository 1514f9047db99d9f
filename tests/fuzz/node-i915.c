/* Requests of i915. */
#include <i915_drm.h>
#include <sys/mman.h>

#include "node.h"

const enum vesim_kernel_driver node_driver = VESIM_I915;

const unsigned long node_requests[] = {
    DRM_IOCTL_VERSION,
    DRM_IOCTL_GEM_CLOSE,
    DRM_IOCTL_PRIME_FD_TO_HANDLE, /* not the other way: nobody would close the descriptor */
    DRM_IOCTL_I915_GETPARAM,
    DRM_IOCTL_I915_QUERY,
    DRM_IOCTL_I915_REG_READ,
    DRM_IOCTL_I915_GEM_CREATE,
    DRM_IOCTL_I915_GEM_CREATE_EXT,
    DRM_IOCTL_I915_GEM_USERPTR,
    DRM_IOCTL_I915_GEM_MMAP,
    DRM_IOCTL_I915_GEM_MMAP_OFFSET,
    DRM_IOCTL_I915_GEM_SET_DOMAIN,
    DRM_IOCTL_I915_GEM_SET_TILING,
    DRM_IOCTL_I915_GEM_GET_TILING,
    DRM_IOCTL_I915_GEM_MADVISE,
    DRM_IOCTL_I915_GEM_WAIT,
    DRM_IOCTL_I915_GEM_BUSY,
    DRM_IOCTL_I915_GEM_EXECBUFFER2,
    DRM_IOCTL_I915_GEM_CONTEXT_CREATE,
    DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT,
    DRM_IOCTL_I915_GEM_CONTEXT_DESTROY,
    DRM_IOCTL_I915_GEM_CONTEXT_GETPARAM,
    DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM,
    DRM_IOCTL_I915_GET_RESET_STATS,
    DRM_IOCTL_I915_GEM_VM_CREATE,
    DRM_IOCTL_I915_GEM_VM_DESTROY,
};
const size_t node_request_count = sizeof(node_requests) / sizeof(*node_requests);

bool node_tame(struct node_file *file, unsigned long request, void *argument)
{
    if (request == DRM_IOCTL_I915_GEM_WAIT) {
        ((struct drm_i915_gem_wait *)argument)->timeout_ns = 1000;
    } else if (request == DRM_IOCTL_I915_GEM_SET_DOMAIN) {
        struct drm_i915_gem_busy busy = {
            .handle = ((const struct drm_i915_gem_set_domain *)argument)->handle};

        return node_ioctl(file, DRM_IOCTL_I915_GEM_BUSY, &busy) || !busy.busy;
    } else if (request == DRM_IOCTL_I915_GEM_USERPTR) {
        struct drm_i915_gem_userptr *userptr = argument;
        uint64_t at = userptr->user_ptr - (uintptr_t)arena;

        if (at < ARENA_BYTES && userptr->user_size > ARENA_BYTES - at)
            userptr->user_size = ARENA_BYTES - at;
    } else if (request == DRM_IOCTL_I915_GEM_CONTEXT_DESTROY) {
        struct drm_i915_gem_context_param param = {
            .ctx_id = ((const struct drm_i915_gem_context_destroy *)argument)->ctx_id,
            .param = I915_CONTEXT_PARAM_PERSISTENCE};

        node_ioctl(file, DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, &param);
    }
    return true;
}

void node_undo(unsigned long request, const void *argument)
{
    const struct drm_i915_gem_mmap *mapped = argument;

    if (request == DRM_IOCTL_I915_GEM_MMAP)
        munmap((void *)(uintptr_t)mapped->addr_ptr, mapped->size);
}
