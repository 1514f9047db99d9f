/* XE_DEVICE_QUERY: what the device has. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "kmd/node.h"
#include "kmd/xe-uapi.h"

enum { XE_REPLY_MAX = 4096, XE_TIMESTAMP_BITS = 36 };

union xe_reply {
    uint8_t bytes[XE_REPLY_MAX];
    uint32_t words[XE_REPLY_MAX / 4];
    struct xe_config config;
    struct xe_engines engines;
    struct xe_memory_regions regions;
    struct xe_gt_list gts;
    struct xe_engine_cycles cycles;
};

static int fill_config(const struct vesim_device *device, union xe_reply *reply)
{
    reply->config = (struct xe_config){
        .count = XE_CONFIG_WORDS,
        .words = {
            [XE_CONFIG_DEVICE] = device->pci_revision << 16 | device->pci_device,
            [XE_CONFIG_FLAGS] = (device->local_memory ? XE_CONFIG_HAS_LOCAL_MEMORY : 0) |
                                (xe_serves_faults(device) ? XE_CONFIG_HAS_MIRROR : 0),
            [XE_CONFIG_ALIGNMENT] = device->local_memory ? 65536 : 4096,
            [XE_CONFIG_ADDRESS_BITS] = vesim_address_bits(device),
            [XE_CONFIG_PRIORITY] =
                user_may_raise_priority() ? XE_PRIORITY_HIGH : XE_PRIORITY_NORMAL,
        }};
    return sizeof(reply->config);
}

/* As many of a class as each stack shows. */
static unsigned engines_of_class(const struct vesim_device *device, unsigned engine_class)
{
    switch (engine_class) {
    case XE_ENGINE_COPY:
        return copy_engine_count(device);
    case XE_ENGINE_COMPUTE: /* Xe-LP computes on the render engine */
        return device->architecture >= VESIM_XE_HPG;
    case XE_ENGINE_RENDER: /* Xe-HPC and Xe3P-XPC render nothing */
        return device->architecture != VESIM_XE_HPC && device->architecture != VESIM_XE3P_XPC;
    default:
        return 0;
    }
}

bool xe_has_engine(const struct vesim_device *device, const struct xe_engine_instance *engine)
{
    return engine->gt < device->stacks &&
           engine->number < engines_of_class(device, engine->engine_class);
}

static int fill_engines(const struct vesim_device *device, union xe_reply *reply)
{
    static const uint16_t classes[] = {XE_ENGINE_COPY, XE_ENGINE_COMPUTE, XE_ENGINE_RENDER};
    struct xe_engines *list = &reply->engines;

    for (uint16_t gt = 0; gt < device->stacks; gt++)
        for (unsigned i = 0; i < sizeof(classes) / sizeof(classes[0]); i++)
            for (unsigned n = 0; n < engines_of_class(device, classes[i]); n++)
                list->engines[list->count++].instance = (struct xe_engine_instance){
                    .engine_class = classes[i], .number = (uint16_t)n, .gt = gt};
    return (int)(offsetof(struct xe_engines, engines) + list->count * sizeof(list->engines[0]));
}

static int fill_regions(struct node *node, union xe_reply *reply)
{
    const struct vesim_device *device = &node->device;
    struct xe_memory_regions *list = &reply->regions;

    pthread_mutex_lock(&node->lock);
    for (list->count = 0; list->count < region_count(device); list->count++) {
        const unsigned region = list->count;
        const bool local = region >= LOCAL_REGION;
        const uint64_t bytes = region_bytes(device, region), used = node->memory.used[region];

        list->regions[region] = (struct xe_memory_region){
            .memory_class = local ? XE_MEMORY_LOCAL : XE_MEMORY_SYSTEM,
            .instance = (uint16_t)region,
            .page_bytes = local ? 65536 : 4096,
            .bytes = bytes,
            .used = used,
            .visible_bytes = local ? bytes : 0,
            .visible_used = local ? used : 0,
        };
    }
    pthread_mutex_unlock(&node->lock);
    return (int)(offsetof(struct xe_memory_regions, regions) +
                 list->count * sizeof(list->regions[0]));
}

/* A tile is what xe calls a stack. */
static int fill_gts(const struct vesim_device *device, union xe_reply *reply)
{
    const uint64_t all = (UINT64_C(1) << region_count(device)) - 1;
    struct xe_gt_list *list = &reply->gts;

    list->count = (uint32_t)device->stacks;
    for (unsigned i = 0; i < list->count; i++) {
        const uint64_t near = UINT64_C(1)
                              << (device->local_memory ? LOCAL_REGION + i : HOST_REGION);

        list->gts[i].tile = list->gts[i].number = (uint16_t)i;
        list->gts[i].reference_clock = (uint32_t)device->timestamp_frequency;
        list->gts[i].near_regions = near;
        list->gts[i].far_regions = all & ~near;
    }
    return (int)(offsetof(struct xe_gt_list, gts) + list->count * sizeof(list->gts[0]));
}

/* Appends a mask of the first `count` bits to the reply, which has `size` bytes. Returns its size
 * then. */
static size_t add_mask(union xe_reply *reply, size_t size, unsigned gt, enum xe_topology_kind kind,
                       uint64_t count)
{
    struct xe_topology_mask mask = {
        .gt = (uint16_t)gt, .kind = (uint16_t)kind, .bytes = (uint32_t)((count + 63) / 64 * 8)};
    uint8_t *bits = reply->bytes + size + sizeof(mask);

    if (size + sizeof(mask) + mask.bytes > XE_REPLY_MAX)
        return size;
    memcpy(reply->bytes + size, &mask, sizeof(mask));
    for (uint64_t i = 0; i < count; i++)
        bits[i / 8] |= (uint8_t)(1u << i % 8);
    return size + sizeof(mask) + mask.bytes;
}

static int fill_topology(const struct vesim_device *device, union xe_reply *reply)
{
    uint64_t cores = device->slices * device->xe_cores_per_slice;
    bool wide = device->architecture >= VESIM_XE_HPC;
    size_t size = 0;

    for (unsigned gt = 0; gt < device->stacks; gt++) {
        size = add_mask(reply, size, gt, XE_TOPOLOGY_GEOMETRY, cores);
        size = add_mask(reply, size, gt, XE_TOPOLOGY_COMPUTE, cores);
        size = add_mask(reply, size, gt, XE_TOPOLOGY_L3_BANKS, device->l3_banks);
        size = add_mask(reply, size, gt, wide ? XE_TOPOLOGY_SIMD16_VES : XE_TOPOLOGY_VES,
                        device->ves_per_xe_core);
    }
    return (int)size;
}

/* The device's and the host's clock at one time. */
static int fill_cycles(struct node *node, const struct xe_device_query *query,
                       union xe_reply *reply)
{
    struct xe_engine_cycles *at = &reply->cycles;
    struct timespec before, after;

    if (query->size == 0)
        return sizeof(*at);
    if (user_read(at, query->data, sizeof(*at)))
        return -EFAULT;
    if (!xe_has_engine(&node->device, &at->engine) || clock_gettime(at->clock, &before))
        return -EINVAL;
    at->cycles = cs_timestamp(node->cs, at->engine.gt) & ((UINT64_C(1) << XE_TIMESTAMP_BITS) - 1);
    clock_gettime(at->clock, &after);
    at->width = XE_TIMESTAMP_BITS;
    at->host_ns = (uint64_t)before.tv_sec * 1000000000 + (uint64_t)before.tv_nsec;
    at->host_delta =
        (uint64_t)((after.tv_sec - before.tv_sec) * 1000000000 + after.tv_nsec - before.tv_nsec);
    return sizeof(*at);
}

/* Returns the reply's size, or a negative errno. */
static int fill_xe_reply(struct node *node, const struct xe_device_query *query,
                         union xe_reply *reply)
{
    switch (query->query) {
    case XE_QUERY_ENGINES:
        return fill_engines(&node->device, reply);
    case XE_QUERY_MEMORY_REGIONS:
        return fill_regions(node, reply);
    case XE_QUERY_CONFIG:
        return fill_config(&node->device, reply);
    case XE_QUERY_GT_LIST:
        return fill_gts(&node->device, reply);
    case XE_QUERY_HWCONFIG:
        /* The banks that the topology has. */
        return hwconfig_table(&node->device, node->device.l3_banks, reply->words, XE_REPLY_MAX / 4);
    case XE_QUERY_GT_TOPOLOGY:
        return fill_topology(&node->device, reply);
    case XE_QUERY_ENGINE_CYCLES:
        return fill_cycles(node, query, reply);
    default:
        node_log(node, "query %u is not modelled", query->query);
        return -EINVAL;
    }
}

int ioctl_xe_query(struct node_file *file, void *argument)
{
    struct xe_device_query *query = argument;
    int status = 0;

    if (query->extensions || query->reserved[0] || query->reserved[1])
        return -EINVAL;
    union xe_reply *reply = calloc(1, sizeof(*reply));
    if (!reply)
        return -ENOMEM;
    int size = fill_xe_reply(file->node, query, reply);
    if (size < 0)
        status = size;
    else if (query->size == 0)
        query->size = (uint32_t)size;
    else if (query->size != (uint32_t)size)
        status = -EINVAL;
    else
        status = user_write(query->data, reply, (size_t)size);
    free(reply);
    return status;
}
