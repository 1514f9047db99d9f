/* I915_QUERY: topology, engines, memory regions. */
#include <errno.h>
#include <i915_drm.h>
#include <stdlib.h>
#include <string.h>

#include "kmd/node.h"

/* Newer than some distributions' header. */
#define QUERY_HWCONFIG_TABLE     5
#define QUERY_GEOMETRY_SUBSLICES 6
#define ENGINE_CLASS_COMPUTE     4

#define REPLY_MAX                4096

union reply {
    uint8_t bytes[REPLY_MAX];
    uint32_t words[REPLY_MAX / 4];
    struct drm_i915_query_topology_info topology;
    struct drm_i915_query_engine_info engines;
    struct drm_i915_query_memory_regions regions;
};

static void set_bit(uint8_t *mask, unsigned bit)
{
    mask[bit / 8] |= (uint8_t)(1u << bit % 8);
}

/* Masks of what exists: slices, then sub-slices of each slice, then VEs of each sub-slice. */
static int topology(const struct vesim_device *device, union reply *reply)
{
    struct drm_i915_query_topology_info *info = &reply->topology;
    unsigned slices = (unsigned)device->slices, cores = (unsigned)device->xe_cores_per_slice;
    unsigned ves = (unsigned)device->ves_per_xe_core;
    unsigned core_stride = (cores + 7) / 8, ve_stride = (ves + 7) / 8;
    unsigned core_offset = (slices + 7) / 8, ve_offset = core_offset + slices * core_stride;
    size_t size = sizeof(*info) + ve_offset + (size_t)slices * cores * ve_stride;

    if (size > REPLY_MAX)
        return -EINVAL;
    info->max_slices = (uint16_t)slices;
    info->max_subslices = (uint16_t)cores;
    info->max_eus_per_subslice = (uint16_t)ves;
    info->subslice_offset = (uint16_t)core_offset;
    info->subslice_stride = (uint16_t)core_stride;
    info->eu_offset = (uint16_t)ve_offset;
    info->eu_stride = (uint16_t)ve_stride;
    for (unsigned s = 0; s < slices; s++) {
        set_bit(info->data, s);
        for (unsigned c = 0; c < cores; c++) {
            set_bit(info->data + core_offset + s * core_stride, c);
            for (unsigned v = 0; v < ves; v++)
                set_bit(info->data + ve_offset + (s * cores + c) * ve_stride, v);
        }
    }
    return (int)size;
}

static int engines(const struct vesim_device *device, union reply *reply)
{
    struct drm_i915_query_engine_info *info = &reply->engines;

    info->engines[info->num_engines++].engine.engine_class = I915_ENGINE_CLASS_RENDER;
    info->engines[info->num_engines++].engine.engine_class = I915_ENGINE_CLASS_COPY;
    if (device->architecture >= VESIM_XE_HPG)
        info->engines[info->num_engines++].engine.engine_class = ENGINE_CLASS_COMPUTE;
    return (int)(sizeof(*info) + info->num_engines * sizeof(info->engines[0]));
}

static int regions(struct node *node, union reply *reply)
{
    struct drm_i915_query_memory_regions *info = &reply->regions;
    const struct vesim_device *device = &node->device;
    struct drm_i915_memory_region_info *region = &info->regions[info->num_regions++];

    pthread_mutex_lock(&node->lock);
    region->region.memory_class = I915_MEMORY_CLASS_SYSTEM;
    region->probed_size = device->system_memory << 20;
    region->unallocated_size = region->probed_size; /* the kernel does not account for it */
    if (device->local_memory) {
        region = &info->regions[info->num_regions++];
        region->region.memory_class = I915_MEMORY_CLASS_DEVICE;
        region->probed_size = device->local_memory << 20;
        region->unallocated_size = region->probed_size - node->memory.used[LOCAL_REGION];
    }
    pthread_mutex_unlock(&node->lock);
    return (int)(sizeof(*info) + info->num_regions * sizeof(info->regions[0]));
}

/* i915 tells of no banks of the L3: drivers take one for each Xe-core. */
static int hardware_table(const struct vesim_device *device, union reply *reply)
{
    return hwconfig_table(device, device->slices * device->xe_cores_per_slice, reply->words,
                          REPLY_MAX / 4);
}

/* Returns the reply's size, or a negative errno, which goes into the item's length. */
static int fill_reply(struct node *node, const struct drm_i915_query_item *item, union reply *reply)
{
    if (item->query_id == DRM_I915_QUERY_ENGINE_INFO)
        return item->flags ? -EINVAL : engines(&node->device, reply);
    if (item->query_id == DRM_I915_QUERY_MEMORY_REGIONS)
        return item->flags ? -EINVAL : regions(node, reply);
    if (item->query_id == DRM_I915_QUERY_TOPOLOGY_INFO)
        return item->flags ? -EINVAL : topology(&node->device, reply);
    if (item->query_id == QUERY_HWCONFIG_TABLE)
        return item->flags ? -EINVAL : hardware_table(&node->device, reply);
    if (item->query_id == QUERY_GEOMETRY_SUBSLICES)
        return topology(&node->device, reply); /* flags name the render engine */
    node_log(node, "query %llu is not modelled", (unsigned long long)item->query_id);
    return -EINVAL;
}

/* Replies to the item at the program's `address`. Returns 0, or -EFAULT if there is none. */
static int answer_item(struct node *node, uint64_t address, union reply *reply)
{
    struct drm_i915_query_item item;

    if (user_read(&item, address, sizeof(item)))
        return -EFAULT;
    memset(reply, 0, sizeof(*reply));
    int size = fill_reply(node, &item, reply);
    if (size > 0 && item.length) {
        if (item.length < size)
            size = -EINVAL;
        else if (user_write(item.data_ptr, reply, (size_t)size))
            size = -EFAULT;
    }
    item.length = size;
    return user_write(address, &item, sizeof(item));
}

int ioctl_query(struct node_file *file, void *argument)
{
    const struct drm_i915_query *query = argument;
    int status = 0;

    if (query->flags)
        return -EINVAL;
    union reply *reply = malloc(sizeof(*reply));
    if (!reply)
        return -ENOMEM;
    for (uint32_t i = 0; i < query->num_items && !status; i++)
        status = answer_item(file->node, query->items_ptr + i * sizeof(struct drm_i915_query_item),
                             reply);
    free(reply);
    return status;
}
