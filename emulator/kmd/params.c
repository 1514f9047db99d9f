/* DRM_IOCTL_VERSION, I915_GETPARAM and I915_REG_READ: small facts about the device. */
#include <drm.h>
#include <errno.h>
#include <i915_drm.h>
#include <string.h>

#include "kmd/node.h"

/* Copies as the kernel does: as much as fits, and reports the full length. */
static int copy_string(char *to, __kernel_size_t *length, const char *from)
{
    size_t size = *length < strlen(from) ? *length : strlen(from);

    *length = strlen(from);
    return to ? user_write((uintptr_t)to, from, size) : 0;
}

int ioctl_version(struct node_file *file, void *argument)
{
    struct drm_version *version = argument;

    /* As Linux 6.12 reports them. */
    static const struct {
        int minor;
        const char *name, *date, *description;
    } drivers[] = {
        [VESIM_I915] = {6, "i915", "20201103", "Intel Graphics"},
        [VESIM_XE] = {1, "xe", "20201103", "Intel Xe Graphics"},
    };
    const enum vesim_kernel_driver driver = file->node->device.kernel_driver;

    version->version_major = 1;
    version->version_minor = drivers[driver].minor;
    version->version_patchlevel = 0;
    if (copy_string(version->name, &version->name_len, drivers[driver].name) ||
        copy_string(version->date, &version->date_len, drivers[driver].date) ||
        copy_string(version->desc, &version->desc_len, drivers[driver].description))
        return -EFAULT;
    return 0;
}

int ioctl_getparam(struct node_file *file, void *argument)
{
    const struct vesim_device *device = &file->node->device;
    const struct drm_i915_getparam *request = argument;
    uint64_t xe_cores = device->slices * device->xe_cores_per_slice, value;

    switch (request->param) {
    case I915_PARAM_CHIPSET_ID:
        value = device->pci_device;
        break;
    case I915_PARAM_REVISION:
        value = device->pci_revision;
        break;
    case I915_PARAM_SUBSLICE_TOTAL:
        value = xe_cores;
        break;
    case I915_PARAM_EU_TOTAL:
        value = xe_cores * device->ves_per_xe_core;
        break;
    case I915_PARAM_SLICE_MASK:
        value = (UINT64_C(1) << device->slices) - 1;
        break;
    case I915_PARAM_SUBSLICE_MASK:
        value = (UINT64_C(1) << device->xe_cores_per_slice) - 1;
        break;
    case I915_PARAM_CS_TIMESTAMP_FREQUENCY:
        value = device->timestamp_frequency;
        break;
    case I915_PARAM_HAS_SCHEDULER:
        value = I915_SCHEDULER_CAP_ENABLED | I915_SCHEDULER_CAP_PRIORITY |
                I915_SCHEDULER_CAP_PREEMPTION;
        break;
    case I915_PARAM_HAS_LLC:
        value = device->local_memory == 0;
        break;
    case I915_PARAM_HAS_EXEC_SOFTPIN:
    case I915_PARAM_HAS_EXEC_NO_RELOC:
    case I915_PARAM_HAS_EXEC_BATCH_FIRST:
    case I915_PARAM_HAS_CONTEXT_ISOLATION:
    case I915_PARAM_HAS_WAIT_TIMEOUT:
    case I915_PARAM_HAS_EXECBUF2:
    case I915_PARAM_HAS_BLT:
        value = 1;
        break;
    case I915_PARAM_MMAP_GTT_VERSION: /* 4: I915_GEM_MMAP_OFFSET exists */
        value = 4;
        break;
    case I915_PARAM_HAS_ALIASING_PPGTT: /* 3: full 48 bits */
        value = 3;
        break;
    case I915_PARAM_HAS_POOLED_EU:
    case I915_PARAM_MIN_EU_IN_POOL:
        value = 0;
        break;
    default:
        node_log(file->node, "parameter %d is not modelled", request->param);
        return -EINVAL;
    }
    int answer = (int)value;
    return user_write((uintptr_t)request->value, &answer, sizeof(answer));
}

int ioctl_reg_read(struct node_file *file, void *argument)
{
    struct drm_i915_reg_read *request = argument;

    /* The render engine's timestamp is the only register the kernel lets programs read; bit 0 asks
     * for all 36 bits in one go (I915_REG_READ_8B_WA). */
    if ((request->offset & ~UINT64_C(7)) != 0x2358)
        return -EINVAL;
    request->val = cs_timestamp(file->node->cs, 0) & ((UINT64_C(1) << 36) - 1);
    if (!(request->offset & I915_REG_READ_8B_WA))
        request->val &= UINT32_MAX;
    return 0;
}
