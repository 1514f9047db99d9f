/* The requests of Linux's driver `xe` that Intel's compute drivers make: numbers, and the layout of
 * their arguments, as documented in the kernel's include/uapi/drm/xe_drm.h. Distributions of 2023
 * have no such header. */
#ifndef VESIM_XE_UAPI_H
#define VESIM_XE_UAPI_H

#include <stdint.h>

enum xe_request {
    XE_DEVICE_QUERY,
    XE_GEM_CREATE,
    XE_GEM_MMAP_OFFSET,
    XE_VM_CREATE,
    XE_VM_DESTROY,
    XE_VM_BIND,
    XE_EXEC_QUEUE_CREATE,
    XE_EXEC_QUEUE_DESTROY,
    XE_EXEC_QUEUE_GET_PROPERTY,
    XE_EXEC,
    XE_WAIT_USER_FENCE,
    XE_MADVISE = 12,
};

/* DEVICE_QUERY: with `size` 0, asks for the size of the reply. */
enum xe_query_kind {
    XE_QUERY_ENGINES,
    XE_QUERY_MEMORY_REGIONS,
    XE_QUERY_CONFIG,
    XE_QUERY_GT_LIST,
    XE_QUERY_HWCONFIG,
    XE_QUERY_GT_TOPOLOGY,
    XE_QUERY_ENGINE_CYCLES,
};

struct xe_device_query {
    uint64_t extensions;
    uint32_t query; /* enum xe_query_kind */
    uint32_t size;  /* bytes at `data` */
    uint64_t data;
    uint64_t reserved[2];
};

enum xe_engine_class { XE_ENGINE_RENDER = 0, XE_ENGINE_COPY = 1, XE_ENGINE_COMPUTE = 4 };

struct xe_engine_instance {
    uint16_t engine_class, number, gt, pad;
};

/* As many as any device here has. */
#define XE_ENGINES_MAX 20

struct xe_engines {
    uint32_t count, pad;
    struct {
        struct xe_engine_instance instance;
        uint64_t reserved[3];
    } engines[XE_ENGINES_MAX];
};

enum xe_memory_class { XE_MEMORY_SYSTEM, XE_MEMORY_LOCAL };

struct xe_memory_region {
    uint16_t memory_class, instance;
    uint32_t page_bytes; /* the smallest */
    uint64_t bytes, used, visible_bytes, visible_used;
    uint64_t reserved[6];
};

struct xe_memory_regions {
    uint32_t count, pad;
    struct xe_memory_region regions[3];
};

enum xe_config_word {
    XE_CONFIG_DEVICE, /* revision in 31:16, device in 15:0 */
    XE_CONFIG_FLAGS,
    XE_CONFIG_ALIGNMENT,
    XE_CONFIG_ADDRESS_BITS,
    XE_CONFIG_PRIORITY, /* the highest of a queue */
    XE_CONFIG_WORDS
};

enum { XE_CONFIG_HAS_LOCAL_MEMORY = 1, XE_CONFIG_HAS_MIRROR = 4 };

struct xe_config {
    uint32_t count, pad;
    uint64_t words[XE_CONFIG_WORDS];
};

struct xe_gt_list {
    uint32_t count, pad;
    struct {
        uint16_t type; /* 0: not for media */
        uint16_t tile, number, pad[3];
        uint32_t reference_clock;              /* Hz, of timestamps */
        uint64_t near_regions, far_regions;    /* a bit for each region's instance */
        uint16_t major, minor, revision, pad2; /* of the graphics hardware; 0: not told */
        uint64_t reserved[7];
    } gts[2];
};

enum xe_topology_kind {
    XE_TOPOLOGY_GEOMETRY = 1, /* sub-slices that geometry runs on */
    XE_TOPOLOGY_COMPUTE = 2,  /* sub-slices that compute runs on */
    XE_TOPOLOGY_L3_BANKS = 3,
    XE_TOPOLOGY_VES = 4,        /* engines of each sub-slice */
    XE_TOPOLOGY_SIMD16_VES = 5, /* the same, native in 16 lanes */
};

struct xe_topology_mask {
    uint16_t gt, kind;
    uint32_t bytes; /* of the mask that follows */
};

struct xe_engine_cycles {
    struct xe_engine_instance engine;
    int32_t clock;  /* in: of clock_gettime() */
    uint32_t width; /* bits of `cycles` that count */
    uint64_t cycles, host_ns, host_delta;
};

struct xe_gem_create {
    uint64_t extensions, size;
    uint32_t placement; /* a bit for each region's instance */
    uint32_t flags, vm, handle;
    uint16_t caching, pad[3];
    uint64_t reserved[2];
};

struct xe_gem_mmap_offset {
    uint64_t extensions;
    uint32_t handle, flags;
    uint64_t offset;
    uint64_t reserved[2];
};

/* No buffer, but a page whose stores order those to the device's memory. */
enum { XE_MMAP_BARRIER = 1 };

enum {
    XE_VM_SCRATCH_PAGE = 1,
    XE_VM_LONG_RUNNING = 2,
    XE_VM_FAULT_MODE = 4,
    XE_VM_NO_OVERCOMMIT = 8, /* of memory, in fault mode */
};

struct xe_vm_create {
    uint64_t extensions;
    uint32_t flags, vm;
    uint64_t reserved[2];
};

struct xe_vm_destroy {
    uint32_t vm, pad;
    uint64_t reserved[2];
};

enum xe_bind_operation {
    XE_BIND_MAP,
    XE_BIND_UNMAP,
    XE_BIND_MAP_USERPTR,
    XE_BIND_UNMAP_ALL, /* of one buffer */
    XE_BIND_PREFETCH,
};

enum { XE_BIND_NULL = 4, XE_BIND_MIRROR = 32 /* of the program's addresses */ };

struct xe_bind {
    uint64_t extensions;
    uint32_t buffer;
    uint16_t pat_index, pad;
    uint64_t offset; /* in the buffer, or the user pointer */
    uint64_t range, address;
    uint32_t operation, flags, region, pad2;
    uint64_t reserved[3];
};

struct xe_vm_bind {
    uint64_t extensions;
    uint32_t vm, queue, pad;
    uint32_t count;
    union {
        struct xe_bind one;
        uint64_t several; /* where they are, for a count other than 1 */
    } binds;
    uint32_t pad2, sync_count;
    uint64_t syncs;
    uint64_t reserved[2];
};

/* MADVISE: where a range of addresses should be, who may execute atomics on it, how it is cached.
 */
enum xe_advice { XE_ADVICE_PLACE, XE_ADVICE_ATOMICS, XE_ADVICE_CACHING };

enum { XE_PLACE_SYSTEM = -1, XE_PLACE_DEVICE }; /* above: a descriptor of another device */
enum { XE_MIGRATE_ALL, XE_MIGRATE_SYSTEM_PAGES };
enum { XE_ATOMICS_UNDEFINED, XE_ATOMICS_DEVICE, XE_ATOMICS_GLOBAL, XE_ATOMICS_CPU };

struct xe_madvise {
    uint64_t extensions;
    uint64_t start, range;
    uint32_t vm, type; /* enum xe_advice */
    union {
        struct {
            int32_t device;
            uint16_t migrates, pad;
            uint64_t reserved;
        } place;
        struct {
            uint32_t value, pad; /* XE_ATOMICS_..., or a pat_index */
            uint64_t reserved;
        } other;
    } advice;
    uint64_t reserved[2];
};

struct xe_extension {
    uint64_t next; /* where the next one is; 0: none */
    uint32_t name, pad;
};

enum { XE_EXTENSION_SET_PROPERTY = 0 };

enum xe_queue_property {
    XE_QUEUE_PRIORITY, /* enum xe_priority; above the normal one only with CAP_SYS_NICE */
    XE_QUEUE_TIMESLICE,
    XE_QUEUE_PROTECTION, /* of content: PXP */
    XE_QUEUE_REPLAY_STATE,
    XE_QUEUE_GROUP,          /* of Xe3P: makes one, or joins that of another queue */
    XE_QUEUE_GROUP_PRIORITY, /* enum xe_priority, within its group */
};

enum xe_priority { XE_PRIORITY_LOW, XE_PRIORITY_NORMAL, XE_PRIORITY_HIGH };

struct xe_set_property {
    struct xe_extension base;
    uint32_t property, pad;
    uint64_t value;
    uint64_t reserved[2];
};

enum { XE_QUEUE_LOW_LATENCY = 1 };

struct xe_exec_queue_create {
    uint64_t extensions;
    uint16_t width, placements;
    uint32_t vm, flags, queue;
    uint64_t instances; /* where struct xe_engine_instance are */
    uint64_t reserved[2];
};

struct xe_exec_queue_destroy {
    uint32_t queue, pad;
    uint64_t reserved[2];
};

enum { XE_EXEC_QUEUE_BANNED = 0 };

struct xe_exec_queue_get_property {
    uint64_t extensions;
    uint32_t queue, property;
    uint64_t value;
    uint64_t reserved[2];
};

enum { XE_SYNC_USER_FENCE = 2, XE_SYNC_SIGNAL = 1 };
enum { XE_SYNCS_MAX = 1024 };

struct xe_sync {
    uint64_t extensions;
    uint32_t type, flags;
    uint64_t address; /* of a user fence: the GPU's in XE_EXEC, the program's in XE_VM_BIND */
    uint64_t value;
    uint64_t reserved[2];
};

struct xe_exec {
    uint64_t extensions;
    uint32_t queue, sync_count;
    uint64_t syncs, address;
    uint16_t batches, pad[3];
    uint64_t reserved[2];
};

enum xe_fence_test {
    XE_FENCE_EQUAL,
    XE_FENCE_NOT_EQUAL,
    XE_FENCE_GREATER,
    XE_FENCE_GREATER_EQUAL,
    XE_FENCE_LESS,
    XE_FENCE_LESS_EQUAL,
};

enum { XE_FENCE_ABSOLUTE_TIME = 1 };

struct xe_wait_user_fence {
    uint64_t extensions, address; /* the program's */
    uint16_t test;                /* enum xe_fence_test */
    uint16_t flags;
    uint32_t pad;
    uint64_t value, mask;
    int64_t timeout; /* ns; below 0: for ever */
    uint32_t queue, pad2;
    uint64_t reserved[2];
};

#endif
