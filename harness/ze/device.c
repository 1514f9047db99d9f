#include "ze/device.h"

#include "ze/emulator.h"
#include "ze/list-events.h"

#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define INTEL_VENDOR_ID 0x8086u
#define DRIVERS_MAX     8

/* Level Zero 1.11; drivers report whether they support it. */
#define MAX_GROUP_SIZE_EXTENSION "ZE_extension_kernel_max_group_size_properties"

/* Intel's own (compute-runtime, 2D_BLOCK_TRANSPOSE.md), which the loader's headers lack. */
#define BLOCK_2D_EXTENSION "ZE_intel_experimental_device_block_array_properties"
#define STRUCTURE_BLOCK_2D ((ze_structure_type_t)0x00030007)
enum { BLOCK_2D_STORE = 1, BLOCK_2D_LOAD = 2 };

struct block_2d_properties {
    ze_structure_type_t stype;
    void *pNext;
    uint32_t flags;
};

void device_format_uuid(const ze_device_uuid_t *uuid, char text[UUID_TEXT_BYTES])
{
    size_t at = 0;

    for (size_t i = 0; i < ZE_MAX_DEVICE_UUID_SIZE; i++) {
        if (i == 4 || i == 6 || i == 8 || i == 10)
            text[at++] = '-';
        snprintf(text + at, 3, "%02x", uuid->id[i]);
        at += 2;
    }
}

void device_format_pci(const zes_pci_address_t *address, char text[PCI_TEXT_BYTES])
{
    snprintf(text, PCI_TEXT_BYTES, "%04x:%02x:%02x.%x", address->domain & 0xffffu,
             address->bus & 0xffu, address->device & 0xffu, address->function & 0xfu);
}

static enum status read_device_properties(const struct ze_api *api, struct device *device,
                                          struct error *error)
{
    /* Version 1.2 of the structure: the older one gives the timer's resolution in whole
     * nanoseconds, which is 0.4 % off for a 12 MHz timer. */
    ze_eu_count_ext_t eus = {.stype = ZE_STRUCTURE_TYPE_EU_COUNT_EXT};
    ze_device_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES_1_2,
                                         .pNext = &eus};
    ze_device_compute_properties_t compute = {.stype = ZE_STRUCTURE_TYPE_DEVICE_COMPUTE_PROPERTIES};
    ze_pci_ext_properties_t pci = {.stype = ZE_STRUCTURE_TYPE_PCI_EXT_PROPERTIES};
    enum status status = ZE_CALL(api, error, zeDeviceGetProperties, device->handle, &properties);

    if (status == STATUS_OK)
        status = ZE_CALL(api, error, zeDeviceGetComputeProperties, device->handle, &compute);
    if (status != STATUS_OK)
        return status;
    snprintf(device->name, sizeof(device->name), "%.*s", (int)sizeof(properties.name) - 1,
             properties.name);
    device->id = properties.uuid;
    device_format_uuid(&properties.uuid, device->uuid);
    device->vendor_id = properties.vendorId;
    device->device_id = properties.deviceId;
    device->timer_resolution = properties.timerResolution;
    device->timestamp_valid_bits = properties.timestampValidBits;
    device->kernel_timestamp_valid_bits = properties.kernelTimestampValidBits;
    device->is_tile = properties.flags & ZE_DEVICE_PROPERTY_FLAG_SUBDEVICE;
    device->tile = properties.subdeviceId; /* also of tiles that are not called so */
    if (!device->is_tile && api->zeDeviceGetSubDevices &&
        api->zeDeviceGetSubDevices(device->handle, &device->tile_count, NULL) != ZE_RESULT_SUCCESS)
        device->tile_count = 0;
    device->is_integrated = properties.flags & ZE_DEVICE_PROPERTY_FLAG_INTEGRATED;
    device->max_clock_mhz = properties.coreClockRate;
    device->total_eus = eus.numTotalEUs;
    device->slices = properties.numSlices;
    device->subslices_per_slice = properties.numSubslicesPerSlice;
    device->eus_per_subslice = properties.numEUsPerSubslice;
    device->threads_per_eu = properties.numThreadsPerEU;
    device->eu_lanes = properties.physicalEUSimdWidth;
    device->max_group_size = compute.maxTotalGroupSize;
    device->max_slm_bytes = compute.maxSharedLocalMemory;
    device->subgroup_size_count = compute.numSubGroupSizes < ZE_SUBGROUPSIZE_COUNT
                                      ? compute.numSubGroupSizes
                                      : ZE_SUBGROUPSIZE_COUNT;
    memcpy(device->subgroup_sizes, compute.subGroupSizes, sizeof(device->subgroup_sizes));
    if (api->zeDevicePciGetPropertiesExt &&
        api->zeDevicePciGetPropertiesExt(device->handle, &pci) == ZE_RESULT_SUCCESS) {
        const zes_pci_address_t address = {pci.address.domain, pci.address.bus, pci.address.device,
                                           pci.address.function};

        device_format_pci(&address, device->pci_address);
    }
    return STATUS_OK;
}

/* Intel's driver reports banks of 128 KiB, whatever their real size, and none at all on Xe-HPG.
 * From that generation on, a device has at least this much last-level cache per Xe-core (Intel ARK:
 * Arc A380 4 MB for 8, A770 16 MB for 32; Gen12LP has more). */
#define LEAST_CACHE_PER_XE_CORE (512u * 1024u)

static void read_caches(const struct ze_api *api, struct device *device)
{
    ze_device_cache_properties_t caches[8];
    uint32_t count = sizeof(caches) / sizeof(caches[0]);

    device->cache_bytes = device_xe_cores(device) * LEAST_CACHE_PER_XE_CORE;
    memset(caches, 0, sizeof(caches));
    for (size_t i = 0; i < sizeof(caches) / sizeof(caches[0]); i++)
        caches[i].stype = ZE_STRUCTURE_TYPE_DEVICE_CACHE_PROPERTIES;
    if (!api->zeDeviceGetCacheProperties ||
        api->zeDeviceGetCacheProperties(device->handle, &count, caches) != ZE_RESULT_SUCCESS)
        return;
    for (uint32_t i = 0; i < count; i++) {
        if (caches[i].cacheSize > device->cache_bytes)
            device->cache_bytes = (uint32_t)caches[i].cacheSize;
    }
}

static void read_memory(const struct ze_api *api, struct device *device)
{
    ze_device_memory_properties_t memories[8];
    uint32_t count = sizeof(memories) / sizeof(memories[0]);

    memset(memories, 0, sizeof(memories));
    for (size_t i = 0; i < sizeof(memories) / sizeof(memories[0]); i++)
        memories[i].stype = ZE_STRUCTURE_TYPE_DEVICE_MEMORY_PROPERTIES;
    if (!api->zeDeviceGetMemoryProperties ||
        api->zeDeviceGetMemoryProperties(device->handle, &count, memories) != ZE_RESULT_SUCCESS)
        return;
    for (uint32_t i = 0; i < count; i++) {
        if (memories[i].totalSize > device->memory_bytes)
            device->memory_bytes = memories[i].totalSize;
    }
}

static void read_float_support(const struct ze_api *api, struct device *device)
{
    ze_float_atomic_ext_properties_t atomics = {.stype =
                                                    ZE_STRUCTURE_TYPE_FLOAT_ATOMIC_EXT_PROPERTIES};
    ze_device_module_properties_t module = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MODULE_PROPERTIES,
                                            .pNext = &atomics};

    if (api->zeDeviceGetModuleProperties &&
        api->zeDeviceGetModuleProperties(device->handle, &module) == ZE_RESULT_SUCCESS) {
        device->float_atomics = atomics.fp32Flags;
        device->has_fp64 = module.flags & ZE_DEVICE_MODULE_FLAG_FP64;
    }
}

/* Of Intel's extension for dot products (level_zero/ze_intel_gpu.h), which not every loader's
 * headers have. Drivers answer since 24.05. */
#define STRUCTURE_DOT_PRODUCTS ((ze_structure_type_t)0x00030013)
#define DOT_PRODUCTS_DPAS      ZE_BIT(1)

struct dot_products {
    ze_structure_type_t stype;
    void *pNext;
    uint32_t flags; /* 0 if the driver does not answer: dp4a would be there */
};

/* Older drivers know two kinds of device with systolic engines, by PCI id (pci.ids): DG2 and Ponte
 * Vecchio. */
static bool is_known_systolic(uint32_t id)
{
    return (id >= 0x4f80 && id <= 0x4f88) || (id >= 0x5690 && id <= 0x56c1) ||
           (id >= 0x0bd0 && id <= 0x0be5);
}

static void read_matrix_lanes(const struct ze_api *api, struct device *device)
{
    struct dot_products products = {.stype = STRUCTURE_DOT_PRODUCTS};
    ze_device_module_properties_t module = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MODULE_PROPERTIES,
                                            .pNext = &products};
    bool systolic = false;

    if (api->zeDeviceGetModuleProperties &&
        api->zeDeviceGetModuleProperties(device->handle, &module) == ZE_RESULT_SUCCESS)
        systolic = products.flags ? products.flags & DOT_PRODUCTS_DPAS
                                  : is_known_systolic(device->device_id);
    /* The extension's functions are for the smallest sub-group that the device has. */
    if (systolic)
        device->matrix_lanes = device_has_subgroup_size(device, 8) ? 8 : 16;
}

static bool driver_has_extension(const struct ze_api *api, ze_driver_handle_t driver,
                                 const char *name)
{
    uint32_t count = 0;
    bool found = false;

    if (api->zeDriverGetExtensionProperties(driver, &count, NULL) != ZE_RESULT_SUCCESS ||
        count == 0)
        return false;
    ze_driver_extension_properties_t *extensions = calloc(count, sizeof(*extensions));
    if (extensions &&
        api->zeDriverGetExtensionProperties(driver, &count, extensions) == ZE_RESULT_SUCCESS) {
        for (uint32_t i = 0; i < count; i++)
            found = found || !strcmp(extensions[i].name, name);
    }
    free(extensions);
    return found;
}

static void read_block_2d(const struct ze_api *api, struct device *device)
{
    struct block_2d_properties blocks = {.stype = STRUCTURE_BLOCK_2D};
    ze_device_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES,
                                         .pNext = &blocks};

    if (driver_has_extension(api, device->driver, BLOCK_2D_EXTENSION) &&
        api->zeDeviceGetProperties(device->handle, &properties) == ZE_RESULT_SUCCESS)
        device->has_block_2d = blocks.flags == (BLOCK_2D_STORE | BLOCK_2D_LOAD);
}

/* On DG1 Intel's driver ends the program at a list in order: its counter is in the GPU's memory,
 * whose canonical addresses MI_STORE_DATA_IMM::setAddress() of 26.27 refuses
 * (hw_cmds_generated_gen12lp.inl). */
static bool breaks_at_lists_in_order(const struct device *device)
{
    enum { DG1_FIRST = 0x4905, DG1_LAST = 0x4909 };

    return device->device_id >= DG1_FIRST && device->device_id <= DG1_LAST;
}

static enum status add_devices_of(const struct ze_api *api, ze_driver_handle_t driver,
                                  struct device_list *list, struct error *error)
{
    ze_device_handle_t handles[DEVICES_MAX];
    ze_driver_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_DRIVER_PROPERTIES};
    uint32_t count = 0;
    enum status status = ZE_CALL(api, error, zeDriverGetProperties, driver, &properties);

    if (status == STATUS_OK)
        status = ZE_CALL(api, error, zeDeviceGet, driver, &count, NULL);
    if (count > DEVICES_MAX)
        count = DEVICES_MAX;
    if (status == STATUS_OK && count > 0)
        status = ZE_CALL(api, error, zeDeviceGet, driver, &count, handles);
    if (status != STATUS_OK)
        return status;
    bool has_max_group_size = driver_has_extension(api, driver, MAX_GROUP_SIZE_EXTENSION);
    bool has_lists_in_order = driver_has_extension(api, driver, COUNTER_BASED_EVENTS_EXTENSION);
    for (uint32_t i = 0; i < count && list->count < DEVICES_MAX; i++) {
        struct device *device = &list->device[list->count];

        memset(device, 0, sizeof(*device));
        device->driver = driver;
        device->handle = handles[i];
        device->has_kernel_max_group_size = has_max_group_size;
        /* Intel's driver packs major, minor and build number into 8, 8 and 16 bits. */
        snprintf(device->driver_version, sizeof(device->driver_version), "%u.%u.%u",
                 properties.driverVersion >> 24, properties.driverVersion >> 16 & 0xffu,
                 properties.driverVersion & 0xffffu);
        status = read_device_properties(api, device, error);
        if (status != STATUS_OK)
            return status;
        device->has_lists_in_order = has_lists_in_order && !breaks_at_lists_in_order(device);
        read_caches(api, device);
        read_memory(api, device);
        read_float_support(api, device);
        read_matrix_lanes(api, device);
        read_block_2d(api, device);
        if (device->vendor_id == INTEL_VENDOR_ID)
            list->count++;
    }
    return STATUS_OK;
}

/* The first thing that a GPU's driver needs and this machine lacks. */
static const char *missing_part(void)
{
    glob_t nodes;
    const char *missing = "Intel's driver is not installed, or does not know this GPU: install the "
                          "Debian package intel-opencl-icd (today's systems: libze-intel-gpu1)";

    if (glob("/dev/dri/renderD*", 0, NULL, &nodes) != 0)
        return "there is no /dev/dri/renderD*, so this machine has no GPU that its kernel drives";
    bool may_open = false;
    for (size_t i = 0; i < nodes.gl_pathc; i++)
        may_open |= access(nodes.gl_pathv[i], R_OK | W_OK) == 0;
    if (!may_open)
        missing = "you may not open /dev/dri/renderD*: join the group render";
    globfree(&nodes);
    return missing;
}

/* Why no GPU may have answered, and the way out. */
static enum status no_gpu(struct error *error, const char *detail)
{
    const char *modelled = emulator_device_name(), *mask = getenv("ZE_AFFINITY_MASK");

    if (mask && *mask)
        return error_set(
            error, STATUS_FAILED,
            "no Intel GPU answers through Level Zero%s with ZE_AFFINITY_MASK=%s, which may "
            "hide all: with ZE_FLAT_DEVICE_HIERARCHY=COMPOSITE it names GPUs and their "
            "stacks, such as 0.1, otherwise each stack has a number of its own, such as 1",
            detail, mask);
    if (modelled)
        return error_set(error, STATUS_FAILED,
                         "the installed Intel driver does not open the emulated GPU %s, whose "
                         "kernel interface is %s%s: a driver has to know both, and those before "
                         "2024 know only i915 (vesim --kernel-driver chooses); docs/devices.md "
                         "says which driver knows which device, vebench doctor which one is "
                         "installed",
                         modelled, emulator_kernel_driver(), detail);
    return error_set(
        error, STATUS_FAILED,
        "no Intel GPU answers through Level Zero%s: %s. Without a GPU, an emulated one "
        "can be measured: vebench run --emulate a380 (vesim --list names them all)",
        detail, missing_part());
}

enum status device_list_fill(const struct ze_api *api, struct device_list *list,
                             struct error *error)
{
    ze_driver_handle_t drivers[DRIVERS_MAX];
    uint32_t driver_count = 0;
    ze_result_t result = api->zeInit(ZE_INIT_FLAG_GPU_ONLY);

    list->count = 0;
    if (result != ZE_RESULT_SUCCESS) {
        char detail[80];

        snprintf(detail, sizeof(detail), " (zeInit returned %s)", ze_result_name(result));
        return no_gpu(error, detail);
    }
    enum status status = ZE_CALL(api, error, zeDriverGet, &driver_count, NULL);
    if (driver_count > DRIVERS_MAX)
        driver_count = DRIVERS_MAX;
    if (status == STATUS_OK && driver_count > 0)
        status = ZE_CALL(api, error, zeDriverGet, &driver_count, drivers);
    for (uint32_t i = 0; status == STATUS_OK && i < driver_count; i++)
        status = add_devices_of(api, drivers[i], list, error);
    if (status == STATUS_OK && list->count == 0)
        status = no_gpu(error, "");
    device_list_find_tiles(list);
    return status;
}

uint32_t device_xe_cores(const struct device *device)
{
    if (device->total_eus && device->eus_per_subslice)
        return device->total_eus / device->eus_per_subslice;
    return device->slices * device->subslices_per_slice;
}

uint32_t device_threads_per_xe_core(const struct device *device)
{
    return device->eus_per_subslice * device->threads_per_eu;
}

double device_busy_threads(const struct device *device, unsigned subgroup_size,
                           unsigned workgroup_size, unsigned workgroup_count)
{
    double most = (double)device_xe_cores(device) * device_threads_per_xe_core(device);
    double asked = ceil((double)workgroup_size / subgroup_size) * workgroup_count;

    return fmax(1.0, most > 0.0 ? fmin(asked, most) : asked);
}

bool device_has_part(const struct device *device, bool on_tile, uint32_t tile)
{
    return !device->is_tile || !on_tile || tile == device->tile;
}

bool device_has_subgroup_size(const struct device *device, unsigned size)
{
    for (uint32_t i = 0; i < device->subgroup_size_count; i++) {
        if (device->subgroup_sizes[i] == size)
            return true;
    }
    return false;
}

void device_subgroup_sizes_text(const struct device *device, char *text, size_t text_bytes)
{
    size_t used = 0;

    text[0] = '\0';
    for (uint32_t i = 0; i < device->subgroup_size_count && used < text_bytes; i++) {
        used += (size_t)snprintf(text + used, text_bytes - used, "%s%u", i ? ", " : "",
                                 device->subgroup_sizes[i]);
    }
}
