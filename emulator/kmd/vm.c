/* Address spaces, and what is bound in them. In i915, a buffer stays where a submission put it
 * until its handle is closed or another buffer replaces it: drivers rely on that, and do not list
 * everything in every submission. */
#include <errno.h>
#include <i915_drm.h>
#include <stdlib.h>
#include <string.h>

#include "kmd/node.h"

struct vm *vm_create(void)
{
    struct vm *vm = calloc(1, sizeof(*vm));

    if (vm)
        vm->references = 1;
    return vm;
}

void vm_put(struct node *node, struct vm *vm)
{
    if (--vm->references)
        return;
    for (uint32_t i = 0; vm->holds_buffers && i < vm->binding_count; i++)
        buffer_put(node, vm->bindings[i].buffer);
    free(vm->bindings);
    free(vm);
}

int vm_add(struct node_file *file, struct vm *vm, uint32_t *id)
{
    uint32_t slot = 0;

    while (slot < file->vm_slots && file->vms[slot])
        slot++;
    if (slot == file->vm_slots) {
        uint32_t slots = slot ? slot * 2 : 4;
        struct vm **grown = realloc(file->vms, slots * sizeof(struct vm *));

        if (!grown)
            return -ENOMEM;
        memset(grown + slot, 0, (slots - slot) * sizeof(struct vm *));
        file->vms = grown;
        file->vm_slots = slots;
    }
    vm->references++;
    file->vms[slot] = vm;
    *id = slot + 1; /* 0 is no address space */
    return 0;
}

struct vm *vm_find(const struct node_file *file, uint32_t id)
{
    return id && id <= file->vm_slots ? file->vms[id - 1] : NULL;
}

int file_create_vm(struct node_file *file, bool holds_buffers, uint32_t *id)
{
    int status = -ENOMEM;

    pthread_mutex_lock(&file->node->lock);
    struct vm *vm = vm_create();
    if (vm) {
        vm->holds_buffers = holds_buffers;
        status = vm_add(file, vm, id);
        vm_put(file->node, vm);
    }
    pthread_mutex_unlock(&file->node->lock);
    return status;
}

int file_destroy_vm(struct node_file *file, uint32_t id)
{
    pthread_mutex_lock(&file->node->lock);
    struct vm *vm = vm_find(file, id);
    if (vm) {
        file->vms[id - 1] = NULL;
        vm_put(file->node, vm);
    }
    pthread_mutex_unlock(&file->node->lock);
    return vm ? 0 : -ENOENT;
}

int ioctl_vm_create(struct node_file *file, void *argument)
{
    struct drm_i915_gem_vm_control *request = argument;

    if (request->flags || request->extensions)
        return -EINVAL;
    return file_create_vm(file, false, &request->vm_id);
}

int ioctl_vm_destroy(struct node_file *file, void *argument)
{
    const struct drm_i915_gem_vm_control *request = argument;

    if (request->flags || request->extensions)
        return -EINVAL;
    return file_destroy_vm(file, request->vm_id);
}

struct binding binding_of(struct buffer_object *buffer, uint64_t address)
{
    return (struct binding){.address = address, .size = buffer->size, .buffer = buffer};
}

struct mapping binding_mapping(const struct binding *binding)
{
    const struct buffer_object *buffer = binding->buffer;

    return (struct mapping){.address = binding->address,
                            .size = binding->size,
                            .host = buffer->host + binding->offset,
                            .physical = buffer->physical + binding->offset,
                            .local = buffer->region != HOST_REGION};
}

int bindings_reserve(struct vm *vm, uint32_t more)
{
    uint32_t wanted = vm->binding_count + more, capacity = vm->binding_capacity;

    if (wanted <= capacity)
        return 0;
    capacity = wanted > 2 * capacity ? wanted : 2 * capacity;
    struct binding *grown = realloc(vm->bindings, capacity * sizeof(*grown));
    if (!grown)
        return -ENOMEM;
    vm->bindings = grown;
    vm->binding_capacity = capacity;
    return 0;
}

static void forget(struct vm *vm, const struct buffer_object *buffer)
{
    for (uint32_t i = 0; i < vm->binding_count; i++) {
        if (vm->bindings[i].buffer == buffer) {
            vm->bindings[i] = vm->bindings[--vm->binding_count];
            return;
        }
    }
}

void binding_set(struct vm *vm, struct buffer_object *buffer, uint64_t address)
{
    for (uint32_t i = 0; i < vm->binding_count; i++) {
        if (vm->bindings[i].buffer == buffer) {
            vm->bindings[i].address = address;
            return;
        }
    }
    vm->bindings[vm->binding_count++] = binding_of(buffer, address);
}

void bindings_forget(struct node_file *file, const struct buffer_object *buffer)
{
    if (file->node->device.kernel_driver == VESIM_XE)
        return; /* where they go with UNMAP alone */
    for (uint32_t i = 0; i < file->context_slots; i++) {
        if (file->contexts[i])
            forget(file->contexts[i]->vm, buffer);
    }
    for (uint32_t i = 0; i < file->vm_slots; i++) {
        if (file->vms[i])
            forget(file->vms[i], buffer);
    }
}
