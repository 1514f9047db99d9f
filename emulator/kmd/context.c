/* ioctls on contexts. */
#include <errno.h>
#include <i915_drm.h>
#include <linux/capability.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "kmd/node.h"

#define ENGINE_CLASS_COMPUTE 4 /* newer than some distributions' header */

struct gem_context *file_context(const struct node_file *file, uint32_t id)
{
    return id < file->context_slots ? file->contexts[id] : NULL;
}

int file_add_context(struct node_file *file, uint32_t *id)
{
    uint32_t slot = 0;

    while (slot < file->context_slots && file->contexts[slot])
        slot++;
    if (slot == file->context_slots) {
        uint32_t slots = slot ? slot * 2 : 16;
        struct gem_context **grown = realloc(file->contexts, slots * sizeof(*grown));

        if (!grown)
            return -ENOMEM;
        memset(grown + slot, 0, (slots - slot) * sizeof(*grown));
        file->contexts = grown;
        file->context_slots = slots;
    }
    struct gem_context *context = calloc(1, sizeof(*context));
    if (!context)
        return -ENOMEM;
    context->vm = vm_create();
    if (!context->vm) {
        free(context);
        return -ENOMEM;
    }
    context->id = slot;
    context->persistent = true;
    file->contexts[slot] = context;
    *id = slot;
    return 0;
}

struct gem_context *file_take_context(struct node_file *file, uint32_t id)
{
    struct gem_context *context = file_context(file, id);

    if (!context)
        return NULL;
    file->contexts[id] = NULL;
    vm_put(file->node, context->vm); /* what runs has a copy */
    context->vm = NULL;
    return context;
}

void gem_context_free(struct gem_context *context, bool cancel)
{
    for (unsigned i = 0; i < ENGINE_SLOTS_MAX; i++) {
        if (context->slots[i].context)
            cs_context_destroy(context->slots[i].context, cancel || !context->persistent);
    }
    free(context);
}

struct cs_context *gem_context_engine(struct node *node, struct gem_context *context, unsigned slot)
{
    if (slot >= ENGINE_SLOTS_MAX)
        return NULL;
    if (!context->has_map) { /* legacy rings: default, render and copy */
        if (slot > I915_EXEC_BLT || slot == I915_EXEC_BSD)
            return NULL;
        slot = slot == I915_EXEC_BLT ? I915_EXEC_BLT : I915_EXEC_RENDER;
        context->slots[slot].engine = slot == I915_EXEC_BLT ? CS_ENGINE_COPY : CS_ENGINE_RENDER;
        context->slots[slot].valid = true;
    }
    if (!context->slots[slot].valid)
        return NULL;
    if (!context->slots[slot].context) {
        context->slots[slot].context =
            cs_context_create(node->cs, context->slots[slot].stack, context->slots[slot].engine);
        if (context->slots[slot].context)
            cs_context_set_priority(context->slots[slot].context, context->priority);
    }
    return context->slots[slot].context;
}

bool user_may_raise_priority(void)
{
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3] = {0};

    return syscall(SYS_capget, &header, sets) == 0 &&
           sets[CAP_TO_INDEX(CAP_SYS_NICE)].effective & CAP_TO_MASK(CAP_SYS_NICE);
}

int gem_context_set_priority(struct gem_context *context, int64_t priority, int64_t highest)
{
    if (priority > highest || priority < -highest)
        return -EINVAL;
    if (priority > 0 && !user_may_raise_priority())
        return -EPERM;
    context->priority = (int)priority;
    for (unsigned i = 0; i < ENGINE_SLOTS_MAX; i++) {
        if (context->slots[i].context)
            cs_context_set_priority(context->slots[i].context, context->priority);
    }
    return 0;
}

/* Below xe, the Max GPUs have a main copy engine and eight on the links, of which xe keeps the last
 * for itself (Linux, xe_pci.c: graphics_xehpc; xe_hw_engine.c: reserved_bcs_instance). */
unsigned copy_engine_count(const struct vesim_device *device)
{
    return device->architecture == VESIM_XE_HPC && device->kernel_driver == VESIM_XE ? 8 : 1;
}

int engine_of_class(const struct vesim_device *device, unsigned engine_class,
                    enum cs_engine *engine)
{
    if (engine_class == I915_ENGINE_CLASS_RENDER)
        *engine = CS_ENGINE_RENDER;
    else if (engine_class == I915_ENGINE_CLASS_COPY)
        *engine = CS_ENGINE_COPY;
    else if (engine_class == ENGINE_CLASS_COMPUTE && device->architecture >= VESIM_XE_HPG)
        *engine = CS_ENGINE_COMPUTE;
    else
        return -ENOENT;
    return 0;
}

/* A balanced slot may run on any of its engines: there is one of each class, so the first. */
static int set_balanced(struct node *node, struct gem_context *context, uint64_t address)
{
    struct i915_context_engines_load_balance balance;
    struct i915_engine_class_instance first;
    int status = user_read(&balance, address, sizeof(balance));

    if (status)
        return status;
    unsigned slot = balance.engine_index;
    if (slot >= context->slot_count || context->slots[slot].valid || balance.num_siblings == 0)
        return -EINVAL;
    status = user_read(&first, address + sizeof(balance), sizeof(first));
    if (status)
        return status;
    status = engine_of_class(&node->device, first.engine_class, &context->slots[slot].engine);
    context->slots[slot].valid = !status;
    return status;
}

static bool is_running(const struct gem_context *context)
{
    for (unsigned i = 0; i < ENGINE_SLOTS_MAX; i++) {
        if (context->slots[i].context)
            return true;
    }
    return false;
}

static int set_engines(struct node *node, struct gem_context *context,
                       const struct drm_i915_gem_context_param *param)
{
    struct i915_context_param_engines map;
    struct i915_engine_class_instance engines[ENGINE_SLOTS_MAX];

    if (is_running(context))
        return -EINVAL;
    if (param->size < sizeof(map))
        return -EINVAL;
    uint64_t count = (param->size - sizeof(map)) / sizeof(engines[0]);
    if (count > ENGINE_SLOTS_MAX)
        return -EINVAL;
    int status = user_read(&map, param->value, sizeof(map));
    if (!status)
        status = user_read(engines, param->value + sizeof(map), count * sizeof(engines[0]));
    if (status)
        return status;

    memset(context->slots, 0, sizeof(context->slots));
    context->has_map = true;
    context->slot_count = (unsigned)count;
    for (unsigned i = 0; i < count; i++) {
        if (engines[i].engine_class == (uint16_t)I915_ENGINE_CLASS_INVALID)
            continue; /* for an extension to fill in */
        status = engine_of_class(&node->device, engines[i].engine_class, &context->slots[i].engine);
        if (status)
            return status;
        context->slots[i].valid = true;
    }
    uint64_t address = map.extensions;
    for (unsigned i = 0; address; i++) {
        struct i915_user_extension extension;

        if (i == EXTENSIONS_MAX)
            return -E2BIG;
        status = user_read(&extension, address, sizeof(extension));
        if (status)
            return status;
        if (extension.name != I915_CONTEXT_ENGINES_EXT_LOAD_BALANCE)
            return -EINVAL;
        status = set_balanced(node, context, address);
        if (status)
            return status;
        address = extension.next_extension;
    }
    return 0;
}

void gem_context_use_vm(struct node *node, struct gem_context *context, struct vm *vm)
{
    vm->references++;
    vm_put(node, context->vm);
    context->vm = vm;
}

/* Like the engines, the address space is chosen before the first submission. */
static int set_vm(const struct node_file *file, struct gem_context *context,
                  const struct drm_i915_gem_context_param *param)
{
    struct vm *vm = param->value <= UINT32_MAX ? vm_find(file, (uint32_t)param->value) : NULL;

    if (param->size || is_running(context))
        return -EINVAL;
    if (!vm)
        return -ENOENT;
    gem_context_use_vm(file->node, context, vm);
    return 0;
}

static int set_param(const struct node_file *file, struct gem_context *context,
                     const struct drm_i915_gem_context_param *param)
{
    struct node *node = file->node;

    switch (param->param) {
    case I915_CONTEXT_PARAM_ENGINES:
        return set_engines(node, context, param);
    case I915_CONTEXT_PARAM_VM:
        return set_vm(file, context, param);
    case I915_CONTEXT_PARAM_PERSISTENCE:
        context->persistent = param->value;
        return 0;
    case I915_CONTEXT_PARAM_RECOVERABLE: /* no context goes on after a hang */
    case I915_CONTEXT_PARAM_BANNABLE:
        return 0;
    case I915_CONTEXT_PARAM_PRIORITY:
        if (param->size)
            return -EINVAL;
        return gem_context_set_priority(context, (int64_t)param->value,
                                        I915_CONTEXT_MAX_USER_PRIORITY);
    default:
        node_log(node, "context parameter %llu is not modelled", (unsigned long long)param->param);
        return -EINVAL;
    }
}

int ioctl_context_create(struct node_file *file, void *argument)
{
    struct drm_i915_gem_context_create_ext *create = argument;
    bool extended = create->flags & I915_CONTEXT_CREATE_FLAGS_USE_EXTENSIONS;
    uint64_t address = extended ? create->extensions : 0;
    struct node *node = file->node;
    struct gem_context *context;
    uint32_t id;
    int status;

    if (create->flags & ~(uint32_t)(I915_CONTEXT_CREATE_FLAGS_USE_EXTENSIONS |
                                    I915_CONTEXT_CREATE_FLAGS_SINGLE_TIMELINE))
        return -EINVAL;
    pthread_mutex_lock(&node->lock);
    status = file_add_context(file, &id);
    if (status)
        goto out;
    context = file->contexts[id];
    for (unsigned i = 0; address && !status; i++) {
        struct drm_i915_gem_context_create_ext_setparam set;

        if (i == EXTENSIONS_MAX)
            status = -E2BIG;
        else
            status = user_read(&set, address, sizeof(set));
        if (!status && set.base.name != I915_CONTEXT_CREATE_EXT_SETPARAM)
            status = -EINVAL;
        if (!status)
            status = set_param(file, context, &set.param);
        if (!status)
            address = set.base.next_extension;
    }
    if (status) {
        gem_context_free(file_take_context(file, id), true); /* nothing runs on it */
        goto out;
    }
    create->ctx_id = id;
out:
    pthread_mutex_unlock(&node->lock);
    return status;
}

int ioctl_context_destroy(struct node_file *file, void *argument)
{
    const struct drm_i915_gem_context_destroy *request = argument;

    if (request->ctx_id == 0)
        return -ENOENT; /* the default context stays */
    pthread_mutex_lock(&file->node->lock);
    struct gem_context *context = file_take_context(file, request->ctx_id);
    pthread_mutex_unlock(&file->node->lock);
    if (!context)
        return -ENOENT;
    gem_context_free(context, false); /* waits for threads that take the lock */
    return 0;
}

int ioctl_context_getparam(struct node_file *file, void *argument)
{
    struct drm_i915_gem_context_param *param = argument;
    uint32_t id = 0;
    int status = 0;

    pthread_mutex_lock(&file->node->lock);
    const struct gem_context *context = file_context(file, param->ctx_id);
    if (!context) {
        status = -ENOENT;
    } else {
        switch (param->param) {
        case I915_CONTEXT_PARAM_GTT_SIZE:
            param->value = UINT64_C(1) << vesim_address_bits(&file->node->device);
            break;
        case I915_CONTEXT_PARAM_PERSISTENCE:
            param->value = context->persistent;
            break;
        case I915_CONTEXT_PARAM_VM:
            status = vm_add(file, context->vm, &id);
            param->value = id;
            param->size = 0;
            break;
        case I915_CONTEXT_PARAM_PRIORITY:
            param->value = (uint64_t)(int64_t)context->priority;
            param->size = 0;
            break;
        case I915_CONTEXT_PARAM_RECOVERABLE:
            param->value = 0;
            break;
        default: /* I915_CONTEXT_PARAM_SSEU among them: slices cannot be switched off */
            status = -EINVAL;
            break;
        }
    }
    pthread_mutex_unlock(&file->node->lock);
    return status;
}

int ioctl_context_setparam(struct node_file *file, void *argument)
{
    const struct drm_i915_gem_context_param *param = argument;

    pthread_mutex_lock(&file->node->lock);
    struct gem_context *context = file_context(file, param->ctx_id);
    int status = context ? set_param(file, context, param) : -ENOENT;
    pthread_mutex_unlock(&file->node->lock);
    return status;
}

int ioctl_reset_stats(struct node_file *file, void *argument)
{
    struct drm_i915_reset_stats *stats = argument;

    if (stats->flags)
        return -EINVAL;
    pthread_mutex_lock(&file->node->lock);
    const struct gem_context *context = file_context(file, stats->ctx_id);
    if (context) {
        stats->reset_count = 0; /* for administrators only */
        stats->batch_active = 0;
        stats->batch_pending = 0;
        for (unsigned i = 0; i < ENGINE_SLOTS_MAX; i++)
            stats->batch_active +=
                context->slots[i].context && cs_context_hung(context->slots[i].context);
    }
    pthread_mutex_unlock(&file->node->lock);
    return context ? 0 : -ENOENT;
}
