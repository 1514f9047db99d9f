/* The execution queues of xe, each of which runs batches on one engine in their order. A queue is a
 * context with one slot. */
#include <errno.h>
#include <stdlib.h>
#include <time.h>

#include "kmd/node.h"
#include "kmd/xe-uapi.h"
#include "streamer/device-time.h"

enum { FENCE_BYTES = 8 };

/* No program has memory below (Linux, mmap_min_addr): the GPU, too, stops at null pointers. */
#define MIRROR_START UINT64_C(0x10000)
/* Nor beyond: user space of x86-64 ends there. */
#define MIRROR_END (UINT64_C(1) << 47)

static int set_engine(struct node *node, struct gem_context *queue, uint64_t instances)
{
    struct xe_engine_instance first = {0}; /* of those that it may run on */
    int status = user_read(&first, instances, sizeof(first));

    if (!status && !xe_has_engine(&node->device, &first))
        status = -EINVAL;
    if (!status)
        status = engine_of_class(&node->device, first.engine_class, &queue->slots[0].engine);
    if (status)
        return status;
    queue->has_map = queue->slots[0].valid = true;
    queue->slots[0].stack = first.gt;
    queue->slot_count = 1;
    return 0;
}

static int set_property(const struct node *node, struct gem_context *queue,
                        const struct xe_set_property *set)
{
    const int64_t normal = XE_PRIORITY_NORMAL;

    switch (set->property) {
    case XE_QUEUE_PRIORITY:
        return set->value > XE_PRIORITY_HIGH
                   ? -EINVAL
                   : gem_context_set_priority(queue, (int64_t)set->value - normal, normal);
    case XE_QUEUE_TIMESLICE: /* who waits at a semaphore lets others run */
        return 0;
    case XE_QUEUE_GROUP: /* its queues take turns as all do */
    case XE_QUEUE_GROUP_PRIORITY:
        return node->device.architecture >= VESIM_XE3P ? 0 : -EINVAL;
    default:
        node_log(node, "queue property %u is not modelled", set->property);
        return -EINVAL;
    }
}

static int set_properties(const struct node *node, struct gem_context *queue, uint64_t address)
{
    for (unsigned i = 0; address; i++) {
        struct xe_set_property set;

        if (i == EXTENSIONS_MAX)
            return -E2BIG;
        int status = user_read(&set, address, sizeof(set));
        if (!status && (set.base.name != XE_EXTENSION_SET_PROPERTY || set.base.pad || set.pad))
            status = -EINVAL;
        if (!status)
            status = set_property(node, queue, &set);
        if (status)
            return status;
        address = set.base.next;
    }
    return 0;
}

int ioctl_xe_queue_create(struct node_file *file, void *argument)
{
    struct xe_exec_queue_create *create = argument;
    struct node *node = file->node;

    if (create->width != 1 || create->placements == 0 ||
        create->flags & ~(uint32_t)XE_QUEUE_LOW_LATENCY)
        return -EINVAL;
    pthread_mutex_lock(&node->lock);
    struct vm *vm = vm_find(file, create->vm);
    int status = vm ? file_add_context(file, &create->queue) : -ENOENT;
    if (!status) {
        struct gem_context *queue = file->contexts[create->queue];

        gem_context_use_vm(node, queue, vm);
        status = set_engine(node, queue, create->instances);
        if (!status)
            status = set_properties(node, queue, create->extensions);
        if (status)
            gem_context_free(file_take_context(file, create->queue), true); /* nothing runs on it */
    }
    pthread_mutex_unlock(&node->lock);
    return status;
}

int ioctl_xe_queue_destroy(struct node_file *file, void *argument)
{
    const struct xe_exec_queue_destroy *request = argument;

    pthread_mutex_lock(&file->node->lock);
    struct gem_context *queue = request->queue ? file_take_context(file, request->queue) : NULL;
    pthread_mutex_unlock(&file->node->lock);
    if (!queue)
        return -ENOENT;
    gem_context_free(queue, true); /* waits for threads that take the lock */
    return 0;
}

/* A queue that faulted runs nothing more. Lock held. */
static bool is_banned(const struct node *node, const struct gem_context *queue)
{
    return node->is_lost || (queue->slots[0].context && cs_context_hung(queue->slots[0].context));
}

int ioctl_xe_queue_property(struct node_file *file, void *argument)
{
    struct xe_exec_queue_get_property *request = argument;
    int status = 0;

    pthread_mutex_lock(&file->node->lock);
    const struct gem_context *queue = file_context(file, request->queue);
    if (request->property != XE_EXEC_QUEUE_BANNED)
        status = -EINVAL;
    else if (!queue)
        status = -ENOENT;
    else
        request->value = is_banned(file->node, queue);
    pthread_mutex_unlock(&file->node->lock);
    return status;
}

/* Everything bound, for the job to see and to keep alive. Lock held. */
static int add_bindings(struct submission *submission, struct address_space *space)
{
    const struct vm *vm = submission->vm;
    int status = submission_reserve(submission, vm->binding_count);

    submission->changes = vm->changes;
    for (uint32_t i = 0; i < vm->binding_count && !status; i++) {
        const struct mapping mapping = binding_mapping(&vm->bindings[i]);

        status = address_space_add(space, &mapping);
        if (!status)
            submission_keep(submission, vm->bindings[i].buffer);
    }
    const uint64_t end = vm->mirror_end < MIRROR_END ? vm->mirror_end : MIRROR_END;

    if (!status && end)
        status = address_space_mirror(space, MIRROR_START, end, PHYSICAL_MIRROR_BASE);
    return status;
}

/* Drivers keep a batch running that waits at a semaphore for more, and bind and unbind memory
 * meanwhile. */
static int refresh(void *owner, struct address_space *space)
{
    struct submission *submission = owner;
    struct node *node = submission->node;
    int status = 0;

    pthread_mutex_lock(&node->lock);
    if (submission->changes != submission->vm->changes) {
        submission_release_buffers(submission);
        address_space_release(space);
        status = add_bindings(submission, space);
    }
    pthread_mutex_unlock(&node->lock);
    return status;
}

/* Adds a fence at an address of the GPU. There must be room. Lock held. */
static int add_fence(struct submission *submission, const struct xe_sync *sync)
{
    const struct vm *vm = submission->vm;

    for (uint32_t i = 0; i < vm->binding_count; i++) {
        const struct binding *binding = &vm->bindings[i];
        uint64_t offset = sync->address - binding->address;

        if (sync->address < binding->address || offset >= binding->size)
            continue;
        binding->buffer->references++;
        submission->fences[submission->fence_count++] = (struct fence){
            .buffer = binding->buffer,
            .at = (uint64_t *)(void *)(binding->buffer->host + binding->offset + offset),
            .value = sync->value};
        return 0;
    }
    return -EINVAL;
}

/* The fences that the job signals at its end. Lock held. */
static int add_fences(const struct xe_exec *request, struct submission *submission)
{
    submission->fences = calloc(request->sync_count + 1, sizeof(submission->fences[0]));
    if (!submission->fences)
        return -ENOMEM;
    for (uint32_t i = 0; i < request->sync_count; i++) {
        struct xe_sync sync;
        int status = user_read(&sync, request->syncs + i * sizeof(sync), sizeof(sync));

        if (status)
            return status;
        if (sync.type != XE_SYNC_USER_FENCE || !(sync.flags & XE_SYNC_SIGNAL) ||
            sync.address % FENCE_BYTES)
            return -EINVAL;
        status = add_fence(submission, &sync);
        if (status)
            return status;
    }
    return 0;
}

/* Lock held. On errors the caller undoes what `submission` has. */
static int submit_exec(struct node_file *file, const struct xe_exec *request,
                       struct submission *submission, struct address_space *space)
{
    struct gem_context *queue = request->queue ? file_context(file, request->queue) : NULL;

    if (!queue)
        return -ENOENT;
    if (node_is_lost(file->node))
        return -ECANCELED;
    struct cs_context *engine = gem_context_engine(file->node, queue, 0);
    if (!engine)
        return -ENOMEM;
    submission->vm = queue->vm;
    submission->vm->references++;
    int status = add_bindings(submission, space);
    if (!status)
        status = add_fences(request, submission);
    if (status)
        return status;
    const struct cs_job job = {
        .space = *space,
        .batch_address = request->address,
        .outcome = &submission->outcome,
        .refresh = refresh,
        .done = submission_done,
        .owner = submission,
    };
    status = cs_submit(engine, &job);
    return status == -EIO ? -ECANCELED : status; /* banned */
}

int ioctl_xe_exec(struct node_file *file, void *argument)
{
    const struct xe_exec *request = argument;
    struct node *node = file->node;
    struct address_space space = {.wide = address_wide(vesim_address_bits(&node->device))};

    if (request->extensions || request->batches != 1 || request->sync_count > XE_SYNCS_MAX ||
        request->address % 4)
        return -EINVAL;
    struct submission *submission = submission_create(node);
    if (!submission)
        return -ENOMEM;
    pthread_mutex_lock(&node->lock);
    int status = submit_exec(file, request, submission, &space);
    pthread_mutex_unlock(&node->lock);
    if (status) {
        address_space_release(&space);
        submission_done(submission);
    }
    return status;
}

static bool holds(enum xe_fence_test test, uint64_t is, uint64_t value)
{
    switch (test) {
    case XE_FENCE_EQUAL:
        return is == value;
    case XE_FENCE_NOT_EQUAL:
        return is != value;
    case XE_FENCE_GREATER:
        return is > value;
    case XE_FENCE_GREATER_EQUAL:
        return is >= value;
    case XE_FENCE_LESS:
        return is < value;
    case XE_FENCE_LESS_EQUAL:
        return is <= value;
    }
    return false;
}

static bool queue_is_banned(struct node_file *file, uint32_t id)
{
    pthread_mutex_lock(&file->node->lock);
    const struct gem_context *queue = id ? file_context(file, id) : NULL;
    bool banned = queue && is_banned(file->node, queue);
    pthread_mutex_unlock(&file->node->lock);
    return banned;
}

/* The program's memory may change in any way, so it is looked at again and again. */
int ioctl_xe_wait_fence(struct node_file *file, void *argument)
{
    const struct xe_wait_user_fence *request = argument;
    const struct timespec pause = {.tv_nsec = 50000};
    bool absolute = request->flags & XE_FENCE_ABSOLUTE_TIME, forever = request->timeout < 0;
    uint64_t end = (uint64_t)request->timeout + (absolute ? 0 : host_time_ns());

    if (request->extensions || request->flags & ~XE_FENCE_ABSOLUTE_TIME ||
        request->test > XE_FENCE_LESS_EQUAL || request->address % FENCE_BYTES)
        return -EINVAL;
    for (;;) {
        uint64_t value;
        int status = user_read(&value, request->address, sizeof(value));

        if (status)
            return status;
        if (holds((enum xe_fence_test)request->test, value & request->mask,
                  request->value & request->mask))
            return 0;
        if (queue_is_banned(file, request->queue))
            return -EIO;
        if (!forever && host_time_ns() >= end)
            return -ETIME;
        if (!cs_wait_progress(file->node->cs, 1000))
            nanosleep(&pause, NULL);
    }
}
