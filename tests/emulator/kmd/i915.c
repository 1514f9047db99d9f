#include "i915.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

int node_fd = -1;

int open_node(void **state)
{
    (void)state;
    node_fd = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);
    return node_fd < 0;
}

int close_node(void **state)
{
    (void)state;
    return close(node_fd);
}

int request(unsigned long number, void *argument)
{
    return ioctl(node_fd, number, argument) ? errno : 0;
}

uint32_t create(uint64_t size)
{
    struct drm_i915_gem_create argument = {.size = size};

    assert_int_equal(request(DRM_IOCTL_I915_GEM_CREATE, &argument), 0);
    return argument.handle;
}

void close_buffer(uint32_t handle)
{
    struct drm_gem_close argument = {.handle = handle};

    assert_int_equal(request(DRM_IOCTL_GEM_CLOSE, &argument), 0);
}

void *map(uint32_t handle, size_t size)
{
    struct drm_i915_gem_mmap_offset argument = {.handle = handle, .flags = I915_MMAP_OFFSET_WB};

    assert_int_equal(request(DRM_IOCTL_I915_GEM_MMAP_OFFSET, &argument), 0);
    void *mapped =
        mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, node_fd, (off_t)argument.offset);
    assert_ptr_not_equal(mapped, MAP_FAILED);
    return mapped;
}

int execute(struct drm_i915_gem_exec_object2 *objects, uint32_t count, uint32_t context)
{
    struct drm_i915_gem_execbuffer2 argument = {.buffers_ptr = (uintptr_t)objects,
                                                .buffer_count = count,
                                                .flags = I915_EXEC_NO_RELOC,
                                                .rsvd1 = context};

    return request(DRM_IOCTL_I915_GEM_EXECBUFFER2, &argument);
}

int wait_for(uint32_t handle, int64_t timeout_ns)
{
    struct drm_i915_gem_wait argument = {.bo_handle = handle, .timeout_ns = timeout_ns};

    return request(DRM_IOCTL_I915_GEM_WAIT, &argument);
}

struct drm_i915_gem_exec_object2 pinned(uint32_t handle, uint64_t address)
{
    return (struct drm_i915_gem_exec_object2){.handle = handle,
                                              .offset = address,
                                              .flags = EXEC_OBJECT_PINNED |
                                                       EXEC_OBJECT_SUPPORTS_48B_ADDRESS};
}

uint32_t create_context(void)
{
    struct drm_i915_gem_context_create_ext argument = {0};

    assert_int_equal(request(DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT, &argument), 0);
    return argument.ctx_id;
}

void store_batch(uint32_t *batch, uint64_t address, uint32_t value)
{
    batch[0] = 0x10000002; /* MI_STORE_DATA_IMM */
    batch[1] = (uint32_t)address;
    batch[2] = (uint32_t)(address >> 32);
    batch[3] = value;
    batch[4] = BATCH_END;
}
