/* ioctls on buffer objects. */
#include <drm.h>
#include <errno.h>
#include <i915_drm.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "kmd/node.h"
#include "kmd/page.h"

struct buffer_object *file_buffer(const struct node_file *file, uint32_t handle)
{
    if (handle == 0 || handle > file->buffer_slots)
        return NULL;
    return file->buffers[handle - 1];
}

/* Lock held. Returns the handle, or 0 if out of memory. Lowest free one first, as the kernel. */
static uint32_t add_buffer(struct node_file *file, struct buffer_object *buffer)
{
    uint32_t slot = 0;

    while (slot < file->buffer_slots && file->buffers[slot])
        slot++;
    if (slot == file->buffer_slots) {
        uint32_t slots = slot ? slot * 2 : 64;

        struct buffer_object **grown = realloc(file->buffers, slots * sizeof(*grown));
        if (!grown)
            return 0;
        memset(grown + slot, 0, (slots - slot) * sizeof(*grown));
        file->buffers = grown;
        file->buffer_slots = slots;
    }
    file->buffers[slot] = buffer;
    return slot + 1;
}

int file_add_buffer(struct node_file *file, struct buffer_object *buffer, uint32_t *handle)
{
    if (!buffer)
        return -ENOMEM;
    *handle = add_buffer(file, buffer);
    if (!*handle) {
        buffer_put(file->node, buffer);
        return -ENOMEM;
    }
    return 0;
}

int ioctl_gem_create(struct node_file *file, void *argument)
{
    struct drm_i915_gem_create *create = argument;

    if (create->size == 0)
        return -EINVAL;
    if (faults_strike(file->node->faults, FAULT_OUT_OF_MEMORY))
        return -ENOMEM;
    pthread_mutex_lock(&file->node->lock);
    struct buffer_object *buffer = buffer_create(file->node, create->size, false);
    int status = file_add_buffer(file, buffer, &create->handle);
    if (!status)
        create->size = buffer->size;
    pthread_mutex_unlock(&file->node->lock);
    return status;
}

struct placement {
    unsigned region[2];
    unsigned count;
};

static int read_regions(const struct node *node,
                        const struct drm_i915_gem_create_ext_memory_regions *extension,
                        struct placement *placement)
{
    struct drm_i915_gem_memory_class_instance regions[2];

    if (extension->num_regions == 0 || extension->num_regions > 2)
        return -EINVAL;
    int status =
        user_read(regions, extension->regions, extension->num_regions * sizeof(regions[0]));
    if (status)
        return status;
    for (uint32_t i = 0; i < extension->num_regions; i++) {
        bool local = regions[i].memory_class == I915_MEMORY_CLASS_DEVICE;

        if ((!local && regions[i].memory_class != I915_MEMORY_CLASS_SYSTEM) ||
            regions[i].memory_instance || (local && !node->device.local_memory))
            return -EINVAL;
        placement->region[i] = local ? LOCAL_REGION : HOST_REGION;
    }
    placement->count = extension->num_regions;
    return 0;
}

static int read_create_extensions(const struct node *node, uint64_t address,
                                  struct placement *placement)
{
    for (unsigned i = 0; address; i++) {
        struct drm_i915_gem_create_ext_memory_regions extension;

        if (i == EXTENSIONS_MAX)
            return -E2BIG;
        int status = user_read(&extension.base, address, sizeof(extension.base));
        if (!status && extension.base.name != I915_GEM_CREATE_EXT_MEMORY_REGIONS)
            status = -EINVAL;
        if (!status)
            status = user_read(&extension, address, sizeof(extension));
        if (!status)
            status = read_regions(node, &extension, placement);
        if (status)
            return status;
        address = extension.base.next_extension;
    }
    return 0;
}

int ioctl_gem_create_ext(struct node_file *file, void *argument)
{
    struct drm_i915_gem_create_ext *create = argument;
    struct placement placement = {.count = 1}; /* system memory unless told */
    struct buffer_object *buffer = NULL;
    int status = read_create_extensions(file->node, create->extensions, &placement);

    if (status)
        return status;
    if (create->size == 0)
        return -EINVAL;
    if (faults_strike(file->node->faults, FAULT_OUT_OF_MEMORY))
        return -ENOMEM;
    pthread_mutex_lock(&file->node->lock);
    for (unsigned i = 0; i < placement.count && !buffer; i++)
        buffer = buffer_create(file->node, create->size, placement.region[i]);
    status = file_add_buffer(file, buffer, &create->handle);
    if (!status)
        create->size = buffer->size;
    pthread_mutex_unlock(&file->node->lock);
    return status;
}

int ioctl_gem_userptr(struct node_file *file, void *argument)
{
    struct drm_i915_gem_userptr *userptr = argument;

    if (userptr->user_size == 0 || (userptr->user_ptr | userptr->user_size) & PAGE_MASK ||
        userptr->user_size > GPU_ADDRESS_MASK || userptr->user_ptr > GPU_ADDRESS_MASK)
        return -EINVAL;
    pthread_mutex_lock(&file->node->lock);
    int status = file_add_buffer(
        file, buffer_create_userptr(file->node, userptr->user_ptr, userptr->user_size),
        &userptr->handle);
    pthread_mutex_unlock(&file->node->lock);
    return status;
}

int ioctl_gem_close(struct node_file *file, void *argument)
{
    const struct drm_gem_close *request = argument;

    pthread_mutex_lock(&file->node->lock);
    struct buffer_object *buffer = file_buffer(file, request->handle);
    if (buffer) {
        file->buffers[request->handle - 1] = NULL;
        bindings_forget(file, buffer);
        buffer_put(file->node, buffer);
    }
    pthread_mutex_unlock(&file->node->lock);
    return buffer ? 0 : -EINVAL;
}

int file_mmap_offset(struct node_file *file, uint32_t handle, uint64_t *offset, uint64_t *size)
{
    int status = 0;

    pthread_mutex_lock(&file->node->lock);
    const struct buffer_object *buffer = file_buffer(file, handle);
    if (!buffer)
        status = -ENOENT;
    else if (buffer->userptr)
        status = -ENODEV;
    if (!status) {
        *offset = buffer->physical;
        *size = buffer->size;
    }
    pthread_mutex_unlock(&file->node->lock);
    return status;
}

/* As Linux' xe_pci_barrier_mmap(). */
static int check_barrier(const struct node *node, size_t size, int protection)
{
    const bool is_there = node->device.kernel_driver == VESIM_XE && node->device.local_memory;

    return is_there && size <= PAGE_MASK + 1 && !(protection & (PROT_READ | PROT_EXEC)) ? 0
                                                                                        : -EINVAL;
}

int node_map(struct node_file *file, uint64_t offset, size_t size, int protection, void *address)
{
    int status = -EINVAL;

    if (file->node->disowned)
        return -EIO; /* inherited over fork(2) */
    if (offset == NODE_BARRIER_OFFSET)
        return check_barrier(file->node, size, protection);
    pthread_mutex_lock(&file->node->lock);
    for (uint32_t i = 0; i < file->buffer_slots; i++) {
        const struct buffer_object *buffer = file->buffers[i];

        if (buffer && !buffer->userptr && offset >= buffer->physical &&
            offset - buffer->physical < buffer->size) {
            uint64_t skipped = offset - buffer->physical;

            if (size && size <= buffer->size - skipped)
                status = buffer_map(buffer, skipped, size, address);
            break;
        }
    }
    pthread_mutex_unlock(&file->node->lock);
    return status;
}

int ioctl_gem_mmap_offset(struct node_file *file, void *argument)
{
    struct drm_i915_gem_mmap_gtt *request = argument; /* begins as drm_i915_gem_mmap_offset does */
    uint64_t offset, size;
    int status = file_mmap_offset(file, request->handle, &offset, &size);

    if (!status)
        request->offset = offset;
    return status;
}

int ioctl_gem_mmap(struct node_file *file, void *argument)
{
    struct drm_i915_gem_mmap *request = argument;
    uint64_t offset, size;
    int status = file_mmap_offset(file, request->handle, &offset, &size);

    if (status)
        return status;
    if (request->offset & PAGE_MASK || request->offset > size ||
        request->size > size - request->offset)
        return -EINVAL;
    void *mapped = mmap(NULL, request->size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED)
        return -errno;
    status =
        node_map(file, offset + request->offset, request->size, PROT_READ | PROT_WRITE, mapped);
    if (status) {
        munmap(mapped, request->size);
        return status;
    }
    request->addr_ptr = (uintptr_t)mapped;
    return 0;
}

int ioctl_gem_set_tiling(struct node_file *file, void *argument)
{
    struct drm_i915_gem_set_tiling *request = argument;

    (void)file;
    if (request->tiling_mode != I915_TILING_NONE)
        return -EINVAL; /* devices without fences: Xe-HPG */
    request->swizzle_mode = I915_BIT_6_SWIZZLE_NONE;
    return 0;
}

int ioctl_gem_get_tiling(struct node_file *file, void *argument)
{
    struct drm_i915_gem_get_tiling *request = argument;

    (void)file;
    request->tiling_mode = I915_TILING_NONE;
    request->swizzle_mode = request->phys_swizzle_mode = I915_BIT_6_SWIZZLE_NONE;
    return 0;
}

int ioctl_gem_madvise(struct node_file *file, void *argument)
{
    struct drm_i915_gem_madvise *request = argument;

    (void)file;
    request->retained = 1; /* nothing is ever purged */
    return 0;
}

static struct timespec deadline_after(int64_t nanoseconds)
{
    struct timespec at;

    clock_gettime(CLOCK_MONOTONIC, &at);
    at.tv_sec += nanoseconds / 1000000000;
    at.tv_nsec += nanoseconds % 1000000000;
    if (at.tv_nsec >= 1000000000) {
        at.tv_nsec -= 1000000000;
        at.tv_sec++;
    }
    return at;
}

/* Waits until no submission uses the buffer, at most `timeout_ns` (below 0: for ever). */
static int wait_idle(struct node_file *file, uint32_t handle, int64_t timeout_ns)
{
    struct node *node = file->node;
    struct timespec deadline = {0};
    int status = 0;

    if (timeout_ns > 0)
        deadline = deadline_after(timeout_ns);
    pthread_mutex_lock(&node->lock);
    struct buffer_object *buffer = file_buffer(file, handle);
    if (!buffer) {
        pthread_mutex_unlock(&node->lock);
        return -ENOENT;
    }
    buffer->references++; /* another thread may close the handle in between */
    cs_begin_wait(node->cs);
    while (buffer->busy && !status) {
        if (timeout_ns < 0)
            pthread_cond_wait(&node->idle, &node->lock);
        else if (timeout_ns == 0 ||
                 pthread_cond_timedwait(&node->idle, &node->lock, &deadline) == ETIMEDOUT)
            status = buffer->busy ? -ETIME : 0;
    }
    cs_end_wait(node->cs);
    buffer_put(node, buffer);
    pthread_mutex_unlock(&node->lock);
    return status;
}

int ioctl_gem_wait(struct node_file *file, void *argument)
{
    const struct drm_i915_gem_wait *request = argument;

    if (request->flags)
        return -EINVAL;
    return wait_idle(file, request->bo_handle, request->timeout_ns);
}

int ioctl_gem_set_domain(struct node_file *file, void *argument)
{
    const struct drm_i915_gem_set_domain *request = argument;

    return wait_idle(file, request->handle, -1);
}

int ioctl_gem_busy(struct node_file *file, void *argument)
{
    struct drm_i915_gem_busy *request = argument;

    pthread_mutex_lock(&file->node->lock);
    const struct buffer_object *buffer = file_buffer(file, request->handle);
    if (buffer) /* who reads (upper half) and who writes: the render engine stands for all */
        request->busy = buffer->busy ? 0x10001 : 0;
    pthread_mutex_unlock(&file->node->lock);
    return buffer ? 0 : -ENOENT;
}
