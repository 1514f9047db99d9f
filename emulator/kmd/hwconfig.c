/* The table of hardware facts that i915 passes on from the GPU's firmware on Xe-HP and later
 * (DRM_I915_QUERY_HWCONFIG_TABLE) and xe (DRM_XE_DEVICE_QUERY_HWCONFIG): a list of key, length in
 * dwords, value. */
#include <errno.h>

#include "kmd/node.h"

/* Keys, as i915's guc_hwconfig_abi and compute-runtime's intel_hwconfig_types.h number them. */
enum key {
    MAX_SLICES = 1,
    MAX_DUAL_SUBSLICES = 2,
    MAX_VES_PER_DUAL_SUBSLICE = 3,
    MEMORY_TYPE = 11,
    THREADS_PER_VE = 15,
    TOTAL_VERTEX_THREADS = 16,
    TOTAL_GEOMETRY_THREADS = 17,
    TOTAL_HULL_THREADS = 18,
    TOTAL_DOMAIN_THREADS = 19,
    TOTAL_PIXEL_THREADS = 21,
    MAX_RENDER_ENGINES = 23,
    MAX_COMPUTE_ENGINES = 24,
    L3_BANK_KB = 64,
};

#define MEMORY_TYPE_GDDR6 4

int hwconfig_table(const struct vesim_device *device, uint64_t l3_banks, uint32_t *words,
                   size_t capacity)
{
    uint32_t cores = (uint32_t)(device->slices * device->xe_cores_per_slice);
    const uint32_t entries[][2] = {
        {MAX_SLICES, (uint32_t)device->slices},
        {MAX_DUAL_SUBSLICES, cores},
        {MAX_VES_PER_DUAL_SUBSLICE, (uint32_t)device->ves_per_xe_core},
        {MEMORY_TYPE, MEMORY_TYPE_GDDR6},
        {THREADS_PER_VE, (uint32_t)device->threads_per_ve},
        /* Threads of the 3D pipeline, which is not modelled: compute-runtime's values for DG2. */
        {TOTAL_VERTEX_THREADS, 336},
        {TOTAL_GEOMETRY_THREADS, 336},
        {TOTAL_HULL_THREADS, 336},
        {TOTAL_DOMAIN_THREADS, 336},
        {TOTAL_PIXEL_THREADS, 64},
        {MAX_RENDER_ENGINES, 1},
        {MAX_COMPUTE_ENGINES, 1},
        {L3_BANK_KB, (uint32_t)(device->l3_bytes / 1024 / l3_banks)},
    };
    size_t count = sizeof(entries) / sizeof(*entries);

    if (device->architecture < VESIM_XE_HPG)
        return -ENODEV;
    if (capacity < count * 3)
        return -EINVAL;
    for (size_t i = 0; i < count; i++) {
        words[3 * i] = entries[i][0];
        words[3 * i + 1] = 1;
        words[3 * i + 2] = entries[i][1];
    }
    return (int)(count * 3 * sizeof(*words));
}
