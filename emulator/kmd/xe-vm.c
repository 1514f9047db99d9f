/* The address spaces of xe: what is bound stays until it is unbound or replaced, and submissions
 * list nothing. */
#include <errno.h>
#include <stdlib.h>

#include "kmd/node.h"
#include "kmd/page.h"
#include "kmd/xe-uapi.h"

enum { BINDS_MAX = 4096 };

int ioctl_xe_gem_create(struct node_file *file, void *argument)
{
    struct xe_gem_create *create = argument;
    const uint32_t regions = (UINT32_C(1) << region_count(&file->node->device)) - 1;
    struct buffer_object *buffer = NULL;

    if (create->extensions || create->size == 0 || create->size & PAGE_MASK ||
        create->placement == 0 || create->placement & ~regions)
        return -EINVAL;
    if (faults_strike(file->node->faults, FAULT_OUT_OF_MEMORY))
        return -ENOMEM;
    pthread_mutex_lock(&file->node->lock);
    for (unsigned region = LOCAL_REGION; region < REGIONS_MAX && !buffer; region++)
        if (create->placement >> region & 1)
            buffer = buffer_create(file->node, create->size, region);
    if (!buffer && create->placement >> HOST_REGION & 1)
        buffer = buffer_create(file->node, create->size, HOST_REGION);
    int status = file_add_buffer(file, buffer, &create->handle);
    pthread_mutex_unlock(&file->node->lock);
    return status;
}

int ioctl_xe_mmap_offset(struct node_file *file, void *argument)
{
    struct xe_gem_mmap_offset *request = argument;
    uint64_t size;

    if (request->extensions || request->flags & ~(uint32_t)XE_MMAP_BARRIER)
        return -EINVAL;
    if (request->flags & XE_MMAP_BARRIER) {
        if (request->handle || !file->node->device.local_memory)
            return -EINVAL;
        request->offset = NODE_BARRIER_OFFSET;
        return 0;
    }
    return file_mmap_offset(file, request->handle, &request->offset, &size);
}

/* Linux' has_usm of xe_pci.c. */
bool xe_serves_faults(const struct vesim_device *device)
{
    return device->architecture >= VESIM_XE_HPG;
}

/* As Linux' xe_vm_create_ioctl(), whose Xe2 and Xe3 need scratch pages (needs_scratch). */
static bool are_vm_flags_sound(const struct vesim_device *device, uint32_t flags)
{
    const enum vesim_architecture generation = device->architecture;
    const bool needs_scratch = generation == VESIM_XE2 || generation == VESIM_XE3;

    if (flags & ~(uint32_t)(XE_VM_SCRATCH_PAGE | XE_VM_LONG_RUNNING | XE_VM_FAULT_MODE |
                            XE_VM_NO_OVERCOMMIT))
        return false;
    if (!(flags & XE_VM_FAULT_MODE))
        return !(flags & XE_VM_NO_OVERCOMMIT);
    return xe_serves_faults(device) && flags & XE_VM_LONG_RUNNING &&
           (needs_scratch || !(flags & XE_VM_SCRATCH_PAGE));
}

int ioctl_xe_vm_create(struct node_file *file, void *argument)
{
    struct xe_vm_create *request = argument;

    /* In fault mode, too, what is bound is there at once, not at the first access. */
    if (request->extensions || !are_vm_flags_sound(&file->node->device, request->flags))
        return -EINVAL;
    int status = file_create_vm(file, true, &request->vm);
    if (!status && request->flags & XE_VM_FAULT_MODE) {
        pthread_mutex_lock(&file->node->lock);
        struct vm *vm = vm_find(file, request->vm);
        if (vm)
            vm->serves_faults = true;
        pthread_mutex_unlock(&file->node->lock);
    }
    return status;
}

int ioctl_xe_vm_destroy(struct node_file *file, void *argument)
{
    const struct xe_vm_destroy *request = argument;

    return file_destroy_vm(file, request->vm);
}

/* What remains of a binding before `address`, and after `end`. */
static bool part_before(const struct binding *binding, uint64_t address, struct binding *part)
{
    *part = *binding;
    part->size = address > binding->address ? address - binding->address : 0;
    return part->size > 0;
}

static bool part_after(const struct binding *binding, uint64_t end, struct binding *part)
{
    uint64_t skipped = end - binding->address;

    *part = *binding;
    if (skipped >= binding->size)
        return false;
    part->address += skipped;
    part->offset += skipped;
    part->size -= skipped;
    return true;
}

/* Unbinds [address, address + size). There must be room for one more binding, as the range may lie
 * within one. */
static void unbind(struct node *node, struct vm *vm, uint64_t address, uint64_t size)
{
    for (uint32_t i = 0; i < vm->binding_count;) {
        struct binding *binding = &vm->bindings[i], before, after;

        if (binding->address >= address + size || address >= binding->address + binding->size) {
            i++;
            continue;
        }
        cs_drop_translations(node->cs);
        struct buffer_object *buffer = binding->buffer;
        bool has_before = part_before(binding, address, &before);
        bool has_after = part_after(binding, address + size, &after);
        buffer->references += has_before + has_after;
        buffer_put(node, buffer);
        if (has_before)
            *binding = before;
        else if (has_after)
            *binding = after;
        else
            *binding = vm->bindings[--vm->binding_count];
        if (has_before && has_after)
            vm->bindings[vm->binding_count++] = after;
        i += has_before || has_after;
    }
}

/* Removes all bindings of a buffer. */
static int unbind_all(struct node *node, struct vm *vm, struct buffer_object *buffer)
{
    uint32_t kept = 0;

    if (!buffer)
        return -ENOENT;
    for (uint32_t i = 0; i < vm->binding_count; i++) {
        if (vm->bindings[i].buffer == buffer)
            buffer_put(node, buffer);
        else
            vm->bindings[kept++] = vm->bindings[i];
    }
    if (kept < vm->binding_count)
        cs_drop_translations(node->cs);
    vm->binding_count = kept;
    return 0;
}

/* The buffer that an operation maps, with a reference for the binding; NULL with `*status` set. */
static struct buffer_object *mapped_buffer(struct node_file *file, const struct xe_bind *bind,
                                           int *status)
{
    struct buffer_object *buffer;

    *status = 0;
    if (bind->operation == XE_BIND_MAP) {
        buffer = file_buffer(file, bind->buffer);
        if (!buffer)
            *status = -ENOENT;
        else if (bind->offset > buffer->size || bind->range > buffer->size - bind->offset)
            *status = -EINVAL;
        if (*status)
            return NULL;
        buffer->references++;
        return buffer;
    }
    buffer = buffer_create_userptr(file->node, bind->offset, bind->range);
    *status = buffer ? buffer_check_userptr(buffer) : -ENOMEM;
    if (!*status)
        return buffer;
    if (buffer)
        buffer_put(file->node, buffer);
    return NULL;
}

/* From then on the range has the program's memory wherever nothing is bound, also where something
 * is bound and unbound later: in Linux that takes another one of these. */
static int mirror(struct node_file *file, struct vm *vm, const struct xe_bind *bind)
{
    int status = bindings_reserve(vm, 1);

    if (bind->operation != XE_BIND_MAP || bind->buffer || bind->offset || !vm->serves_faults)
        return -EINVAL;
    if (status)
        return status;
    unbind(file->node, vm, bind->address, bind->range);
    if (bind->address + bind->range > vm->mirror_end)
        vm->mirror_end = bind->address + bind->range;
    return 0;
}

static int map(struct node_file *file, struct vm *vm, const struct xe_bind *bind)
{
    int status = bindings_reserve(vm, 2);

    if (bind->flags & XE_BIND_MIRROR)
        return mirror(file, vm, bind);
    if (bind->flags & XE_BIND_NULL) {
        node_log(file->node, "bind flags 0x%x are not modelled", bind->flags);
        return -EINVAL;
    }
    if (status)
        return status;
    struct buffer_object *buffer = mapped_buffer(file, bind, &status);
    if (!buffer)
        return status;
    unbind(file->node, vm, bind->address, bind->range);
    vm->bindings[vm->binding_count++] =
        (struct binding){.address = bind->address,
                         .size = bind->range,
                         .offset = bind->operation == XE_BIND_MAP ? bind->offset : 0,
                         .buffer = buffer};
    node_log(file->node, "  bound 0x%llx, %llu bytes, buffer %u at %llu",
             (unsigned long long)bind->address, (unsigned long long)bind->range, bind->buffer,
             (unsigned long long)bind->offset);
    return 0;
}

static int unmap(struct node_file *file, struct vm *vm, const struct xe_bind *bind)
{
    int status = bindings_reserve(vm, 1);

    if (!status)
        unbind(file->node, vm, bind->address, bind->range);
    return status;
}

/* Lock held. */
static int serve_bind(struct node_file *file, struct vm *vm, const struct xe_bind *bind)
{
    bool whole_buffer = bind->operation == XE_BIND_UNMAP_ALL;
    const uint64_t highest =
        GPU_ADDRESS_MASK | address_wide(vesim_address_bits(&file->node->device));

    if (!whole_buffer &&
        (bind->range == 0 || bind->address > highest || bind->range - 1 > highest - bind->address ||
         (bind->address | bind->range | bind->offset) & PAGE_MASK))
        return -EINVAL;
    vm->changes++;
    switch (bind->operation) {
    case XE_BIND_MAP:
    case XE_BIND_MAP_USERPTR:
        return map(file, vm, bind);
    case XE_BIND_UNMAP:
        return unmap(file, vm, bind);
    case XE_BIND_UNMAP_ALL:
        return unbind_all(file->node, vm, file_buffer(file, bind->buffer));
    case XE_BIND_PREFETCH: /* all memory is where it is */
        return 0;
    default:
        return -EINVAL;
    }
}

static int serve_binds(struct node_file *file, const struct xe_vm_bind *request)
{
    int status = 0;

    pthread_mutex_lock(&file->node->lock);
    struct vm *vm = vm_find(file, request->vm);
    if (!vm)
        status = -ENOENT;
    for (uint32_t i = 0; i < request->count && !status; i++) {
        struct xe_bind bind = request->binds.one;

        if (request->count > 1)
            status = user_read(&bind, request->binds.several + i * sizeof(bind), sizeof(bind));
        if (!status)
            status = serve_bind(file, vm, &bind);
    }
    pthread_mutex_unlock(&file->node->lock);
    return status;
}

/* A binding holds from the next submission on, so its fences signal at once. */
static int signal_syncs(const struct xe_vm_bind *request)
{
    for (uint32_t i = 0; i < request->sync_count; i++) {
        struct xe_sync sync;
        int status = user_read(&sync, request->syncs + i * sizeof(sync), sizeof(sync));

        if (!status && sync.type != XE_SYNC_USER_FENCE)
            status = -EINVAL;
        if (!status && sync.flags & XE_SYNC_SIGNAL)
            status = user_write(sync.address, &sync.value, sizeof(sync.value));
        if (status)
            return status;
    }
    return 0;
}

int ioctl_xe_vm_bind(struct node_file *file, void *argument)
{
    const struct xe_vm_bind *request = argument;

    if (request->extensions || request->count == 0 || request->count > BINDS_MAX ||
        request->sync_count > XE_SYNCS_MAX)
        return -EINVAL;
    int status = serve_binds(file, request);
    return status ? status : signal_syncs(request);
}

/* As Linux' madvise_args_are_sane(), but for a pat_index, of which any that a table has will do. */
static bool is_advice_sound(const struct xe_madvise *request)
{
    enum { PAT_ENTRIES = 32 };
    uint32_t most;

    if (request->extensions || request->range == 0 || (request->start | request->range) & PAGE_MASK)
        return false;
    switch (request->type) {
    case XE_ADVICE_PLACE:
        return request->advice.place.device >= XE_PLACE_SYSTEM &&
               request->advice.place.migrates <= XE_MIGRATE_SYSTEM_PAGES &&
               !request->advice.place.pad && !request->advice.place.reserved;
    case XE_ADVICE_ATOMICS:
        most = XE_ATOMICS_CPU;
        break;
    case XE_ADVICE_CACHING:
        most = PAT_ENTRIES - 1;
        break;
    default:
        return false;
    }
    return request->advice.other.value <= most && !request->advice.other.pad &&
           !request->advice.other.reserved;
}

/* Changes nothing: all memory is where it is, and atomics work wherever that is, as they do in
 * Linux where it moves a page first. */
int ioctl_xe_madvise(struct node_file *file, void *argument)
{
    const struct xe_madvise *request = argument;

    if (!is_advice_sound(request))
        return -EINVAL;
    pthread_mutex_lock(&file->node->lock);
    const struct vm *vm = vm_find(file, request->vm);
    pthread_mutex_unlock(&file->node->lock);
    return vm ? 0 : -ENOENT;
}
