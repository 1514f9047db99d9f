/* I915_GEM_EXECBUFFER2: a submission with the memory it may touch. */
#include <errno.h>
#include <i915_drm.h>
#include <stdlib.h>

#include "kmd/node.h"
#include "kmd/page.h"

#define OBJECTS_MAX (1u << 20)

/* Adds one object to the submission. Lock held. */
static int add_object(struct node_file *file, const struct drm_i915_gem_exec_object2 *object,
                      struct submission *submission, struct address_space *space)
{
    struct buffer_object *buffer = file_buffer(file, object->handle);

    if (!buffer)
        return -ENOENT;
    if (!(object->flags & EXEC_OBJECT_PINNED) || object->relocation_count ||
        object->offset % PAGE_BYTES) {
        node_log(file->node, "buffer %u is not pinned at a page-aligned address", object->handle);
        return -EINVAL;
    }
    int status = buffer_check_userptr(buffer);
    if (status)
        return status;
    const struct binding binding = binding_of(buffer, object->offset);
    const struct mapping mapping = binding_mapping(&binding);
    const struct mapping *there = address_space_find(space, mapping.address, mapping.size);
    /* Like i915, accept an object that is listed twice: drivers list what a kernel may reach
     * indirectly beside its arguments. */
    status = there && there->host == mapping.host ? 0 : address_space_add(space, &mapping);
    if (status) {
        node_log(file->node, "buffer %u at 0x%llx overlaps another", object->handle,
                 (unsigned long long)object->offset);
        return status == -EEXIST ? -EINVAL : status;
    }
    node_log(file->node, "  buffer %u: 0x%llx, %llu bytes, physical 0x%llx", object->handle,
             (unsigned long long)object->offset, (unsigned long long)buffer->size,
             (unsigned long long)buffer->physical);
    submission_keep(submission, buffer);
    buffer->busy++;
    submission->listed = submission->count;
    return 0;
}

/* Adds what earlier submissions bound and this one does not replace, and binds what it lists. Lock
 * held. */
static int add_bound(struct vm *vm, const struct drm_i915_gem_exec_object2 *objects,
                     struct submission *submission, struct address_space *space)
{
    uint32_t kept = 0;
    int status = bindings_reserve(vm, submission->listed);

    for (uint32_t i = 0; i < submission->listed && !status; i++)
        binding_set(vm, submission->buffers[i], objects[i].offset);
    if (status)
        return status;
    for (uint32_t i = 0; i < vm->binding_count; i++) {
        struct binding *binding = &vm->bindings[i];
        const struct mapping mapping = binding_mapping(binding);
        const struct mapping *there = address_space_find(space, mapping.address, mapping.size);

        if (!there || there->host != mapping.host) {
            int added = address_space_add(space, &mapping);

            if (added == -ENOMEM)
                status = added;
            if (added)
                continue; /* its place is taken */
            submission_keep(submission, binding->buffer);
        }
        vm->bindings[kept++] = *binding;
    }
    vm->binding_count = kept;
    return status;
}

static int check_request(const struct drm_i915_gem_execbuffer2 *request)
{
    const uint64_t accepted =
        I915_EXEC_RING_MASK | I915_EXEC_NO_RELOC | I915_EXEC_BATCH_FIRST | I915_EXEC_HANDLE_LUT;

    if (request->flags & ~accepted || request->buffer_count == 0 ||
        request->buffer_count > OBJECTS_MAX || request->num_cliprects ||
        request->batch_start_offset % 4)
        return -EINVAL;
    return 0;
}

/* Builds the job and queues it. Lock held. On errors the caller undoes what `submission` has. */
static int submit(struct node_file *file, const struct drm_i915_gem_execbuffer2 *request,
                  const struct drm_i915_gem_exec_object2 *objects, struct submission *submission,
                  struct address_space *space)
{
    uint32_t last = request->buffer_count - 1;
    struct gem_context *context = file_context(file, i915_execbuffer2_get_context_id(*request));
    int status;

    if (!context)
        return -ENOENT;
    if (node_is_lost(file->node))
        return -EIO;
    struct cs_context *engine =
        gem_context_engine(file->node, context, request->flags & I915_EXEC_RING_MASK);
    if (!engine)
        return -EINVAL;
    status = submission_reserve(submission, request->buffer_count + context->vm->binding_count);
    if (status)
        return status;
    for (uint32_t i = 0; i < request->buffer_count; i++) {
        status = add_object(file, &objects[i], submission, space);
        if (status)
            return status;
    }
    status = add_bound(context->vm, objects, submission, space);
    if (status)
        return status;
    struct cs_job job = {
        .space = *space,
        .batch_address = objects[request->flags & I915_EXEC_BATCH_FIRST ? 0 : last].offset +
                         request->batch_start_offset,
        .done = submission_done,
        .owner = submission,
    };
    return cs_submit(engine, &job);
}

/* The program's list of objects, for the caller to free; NULL with `*status` set. */
static struct drm_i915_gem_exec_object2 *
read_objects(const struct drm_i915_gem_execbuffer2 *request, int *status)
{
    size_t size = request->buffer_count * sizeof(struct drm_i915_gem_exec_object2);
    struct drm_i915_gem_exec_object2 *objects = malloc(size);

    *status = objects ? user_read(objects, request->buffers_ptr, size) : -ENOMEM;
    if (!*status)
        return objects;
    free(objects);
    return NULL;
}

int ioctl_gem_execbuffer2(struct node_file *file, void *argument)
{
    const struct drm_i915_gem_execbuffer2 *request = argument;
    struct node *node = file->node;
    struct address_space space = {.wide = address_wide(vesim_address_bits(&node->device))};
    int status = check_request(request);

    if (status)
        return status;
    struct drm_i915_gem_exec_object2 *objects = read_objects(request, &status);
    if (!objects)
        return status;
    struct submission *submission = submission_create(node);
    if (!submission) {
        free(objects);
        return -ENOMEM;
    }

    pthread_mutex_lock(&node->lock);
    status = submit(file, request, objects, submission, &space);
    pthread_mutex_unlock(&node->lock);
    free(objects);
    if (status) {
        address_space_release(&space);
        submission_done(submission);
    }
    return status;
}
