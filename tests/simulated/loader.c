/* A Level Zero loader and driver for a GPU whose time is simulated (engine.c). It does what
 * vebench asks of a driver, and fails what it does not know. */
#include "simulated.h"

#include "host-clock.h"
#include "host-files.h"
#include "kernels.h"

#include "base/prng.h"
#include "spirv/spirv-elapsed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GROUP_SIZE_MAX 1024u
#define SPIRV_MAGIC    0x07230203u

/* What a module calls that reads the cycle counter. */
#define COUNTER_NAME "_Z23intel_get_cycle_counterv"

struct settings settings;

struct module {
    bool counts; /* it has kernels that count their cycles */
    uint32_t elapsed;
    size_t bytes;
    uint8_t spirv[];
};

static struct simulated_device devices[4]; /* two tiles, the card, and a card with one tile left */
static unsigned shown[2], shown_count;     /* by zeDeviceGet() */
static bool is_flat;                       /* tiles are called devices, not tiles */
static struct prng host_noise;
static unsigned long calls;
unsigned simulated_objects;
static char driver_place, context_place;

/* As Intel's driver does on the GPUs that have several tiles: FLAT unless told otherwise; a mask
 * that leaves one tile makes a card of it that has no tiles. */
static void show_devices(void)
{
    const char *hierarchy = getenv("ZE_FLAT_DEVICE_HIERARCHY"), *mask = getenv("ZE_AFFINITY_MASK");
    bool is_composite = hierarchy && !strcmp(hierarchy, "COMPOSITE");

    is_flat = !is_composite && !(hierarchy && !strcmp(hierarchy, "COMBINED"));
    shown_count = 1;
    devices[0] = (struct simulated_device){settings.tiles > 1.0, 0};
    devices[1] = (struct simulated_device){true, 1};
    if (settings.tiles <= 1.0)
        return;
    if (mask && mask[0]) {
        devices[3].tile = (uint32_t)atoi(mask + (is_composite ? strcspn(mask, ".") + 1 : 0));
        shown[0] = 3;
    } else if (is_composite) {
        shown[0] = 2;
    } else {
        shown[1] = 1;
        shown_count = 2;
    }
}

static void begin(void)
{
    static bool begun;

    if (begun)
        return;
    begun = true;
    settings_read(&settings, getenv("SIMULATED_GPU"));
    prng_seed(&host_noise, (uint64_t)settings.seed + 1);
    host_clock_begin(settings.reading_ns);
    if (settings.wsl > 0.0)
        host_files_begin_wsl();
    if (settings.drm_vendor > 0.0)
        host_files_begin_drm((unsigned)settings.drm_vendor);
    engine_begin();
    show_devices();
}

/* Each process has its own count of calls, but one mark. */
static bool is_to_fail(const char *call)
{
    if (!settings.fail_call[0] ||
        (strcmp(settings.fail_call, "any") != 0 && strcmp(call, settings.fail_call) != 0) ||
        ++calls != (unsigned long)settings.fail_count)
        return false;
    if (!settings.fail_mark[0])
        return true;
    FILE *mark = fopen(settings.fail_mark, "wx");
    if (!mark)
        return false;
    fprintf(mark, "%s", call);
    fclose(mark);
    return true;
}

void simulated_work_on_host(void)
{
    host_clock_advance(settings.host_ms * 1e6 * 2.0 * (double)prng_below(&host_noise, 1000) / 1e3);
}

ze_result_t enter(const char *call)
{
    begin();
    host_clock_advance(settings.call_ns *
                       (0.8 + 0.4 * (double)prng_below(&host_noise, 1000) / 1e3));
    return is_to_fail(call) ? ZE_RESULT_ERROR_UNKNOWN : ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeInit(ze_init_flags_t flags)
{
    (void)flags;
    ENTER();
    return ZE_RESULT_SUCCESS;
}

/* Gives one handle, as functions that enumerate do. */
#define GIVE(count, handles, type, place)                                                          \
    do {                                                                                           \
        if ((handles) && *(count) > 0)                                                             \
            *(handles) = (type)(void *)(place);                                                    \
        *(count) = 1;                                                                              \
    } while (0)

ze_result_t ZE_APICALL zeDriverGet(uint32_t *count, ze_driver_handle_t *drivers)
{
    ENTER();
    GIVE(count, drivers, ze_driver_handle_t, &driver_place);
    return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeDriverGetProperties(ze_driver_handle_t driver,
                                             ze_driver_properties_t *properties)
{
    (void)driver;
    ENTER();
    properties->driverVersion = 1u << 24 | 3u << 16 | 27000u;
    return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeDriverGetExtensionProperties(ze_driver_handle_t driver, uint32_t *count,
                                                      ze_driver_extension_properties_t *extensions)
{
    (void)driver;
    ENTER();
    if (extensions && *count > 0)
        snprintf(extensions[0].name, sizeof(extensions[0].name),
                 "ZE_experimental_event_pool_counter_based");
    *count = 1;
    return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeDeviceGet(ze_driver_handle_t driver, uint32_t *count,
                                   ze_device_handle_t *handles)
{
    (void)driver;
    ENTER();
    for (uint32_t i = 0; handles && i < *count && i < shown_count; i++)
        handles[i] = (ze_device_handle_t)(void *)&devices[shown[i]];
    *count = shown_count;
    return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeDeviceGetSubDevices(ze_device_handle_t handle, uint32_t *count,
                                             ze_device_handle_t *handles)
{
    bool is_card = (void *)handle == &devices[2];

    ENTER();
    for (uint32_t i = 0; is_card && handles && i < *count && i < 2; i++)
        handles[i] = (ze_device_handle_t)(void *)&devices[i];
    *count = is_card ? 2 : 0;
    return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeDeviceGetProperties(ze_device_handle_t handle, ze_device_properties_t *p)
{
    const struct simulated_device *device = (const void *)handle;
    ze_eu_count_ext_t *eus = p->pNext;
    bool is_card = device == &devices[2];

    ENTER();
    REQUIRE(p->stype == ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES ||
                p->stype == ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES_1_2,
            ZE_RESULT_ERROR_INVALID_ARGUMENT);
    p->type = ZE_DEVICE_TYPE_GPU;
    p->vendorId = 0x8086;
    p->deviceId = (uint32_t)settings.device_id;
    p->flags = device->is_tile && !is_flat ? ZE_DEVICE_PROPERTY_FLAG_SUBDEVICE : 0;
    p->subdeviceId = device->is_tile ? device->tile : 0;
    p->coreClockRate = (uint32_t)settings.max_mhz;
    p->numThreadsPerEU = THREADS_PER_EU;
    p->numEUsPerSubslice = EUS_PER_CORE;
    p->physicalEUSimdWidth = 8;
    p->numSubslicesPerSlice = XE_CORES;
    p->numSlices = is_card ? 2 : 1;
    if (eus && eus->stype == ZE_STRUCTURE_TYPE_EU_COUNT_EXT)
        eus->numTotalEUs = (uint32_t)settings.eus;
    p->timerResolution = (uint64_t)settings.timer_hz;
    p->timestampValidBits = 64;
    p->kernelTimestampValidBits = (uint32_t)settings.timer_bits;
    memset(&p->uuid, 0, sizeof(p->uuid));
    p->uuid.id[0] = 0x51;
    p->uuid.id[1] = (uint8_t)settings.number;
    p->uuid.id[15] = device->is_tile || device == &devices[3] ? (uint8_t)(device->tile + 1) : 0;
    snprintf(p->name, sizeof(p->name), "%s",
             settings.device_name[0] ? settings.device_name : "Simulated GPU");
    for (char *at = p->name; (at = strchr(at, '_'));)
        *at = ' ';
    return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeDeviceGetComputeProperties(ze_device_handle_t device,
                                                    ze_device_compute_properties_t *compute)
{
    (void)device;
    ENTER();
    REQUIRE(compute->stype == ZE_STRUCTURE_TYPE_DEVICE_COMPUTE_PROPERTIES && !compute->pNext,
            ZE_RESULT_ERROR_INVALID_ARGUMENT);
    compute->maxTotalGroupSize = GROUP_SIZE_MAX;
    compute->maxSharedLocalMemory = 65536;
    compute->numSubGroupSizes = 1;
    compute->subGroupSizes[0] = 16;
    return ZE_RESULT_SUCCESS;
}

/* A small cache beside the last one: the largest counts. */
ze_result_t ZE_APICALL zeDeviceGetCacheProperties(ze_device_handle_t device, uint32_t *count,
                                                  ze_device_cache_properties_t *caches)
{
    (void)device;
    ENTER();
    REQUIRE(settings.cache_kb > 0.0, ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
    for (uint32_t i = 0; caches && i < *count && i < 2; i++) {
        REQUIRE(caches[i].stype == ZE_STRUCTURE_TYPE_DEVICE_CACHE_PROPERTIES && !caches[i].pNext,
                ZE_RESULT_ERROR_INVALID_ARGUMENT);
        caches[i].cacheSize = i == 0 ? (size_t)settings.cache_kb * 1024 : 65536;
    }
    *count = 2;
    return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeDeviceGetMemoryProperties(ze_device_handle_t device, uint32_t *count,
                                                   ze_device_memory_properties_t *memories)
{
    (void)device;
    ENTER();
    REQUIRE(settings.memory_mb > 0.0, ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
    for (uint32_t i = 0; memories && i < *count && i < 2; i++) {
        REQUIRE(memories[i].stype == ZE_STRUCTURE_TYPE_DEVICE_MEMORY_PROPERTIES &&
                    !memories[i].pNext,
                ZE_RESULT_ERROR_INVALID_ARGUMENT);
        memories[i].totalSize = i == 0 ? (uint64_t)settings.memory_mb << 20 : 1 << 20;
    }
    *count = 2;
    return ZE_RESULT_SUCCESS;
}

/* What follows the stype and pNext of Intel's extension for dot products. */
#define STRUCTURE_DOT_PRODUCTS 0x00030013

struct dot_products {
    ze_base_properties_t base;
    uint32_t flags;
};

ze_result_t ZE_APICALL zeDeviceGetModuleProperties(ze_device_handle_t device,
                                                   ze_device_module_properties_t *properties)
{
    ze_base_properties_t *next = properties->pNext;

    (void)device;
    ENTER();
    REQUIRE(properties->stype == ZE_STRUCTURE_TYPE_DEVICE_MODULE_PROPERTIES,
            ZE_RESULT_ERROR_INVALID_ARGUMENT);
    properties->flags = settings.fp64 > 0.0 ? ZE_DEVICE_MODULE_FLAG_FP64 : 0;
    if (next && next->stype == ZE_STRUCTURE_TYPE_FLOAT_ATOMIC_EXT_PROPERTIES)
        ((ze_float_atomic_ext_properties_t *)(void *)next)->fp32Flags =
            (ze_device_fp_atomic_ext_flags_t)settings.float_atomics;
    else if (next && (int)next->stype == STRUCTURE_DOT_PRODUCTS)
        ((struct dot_products *)(void *)next)->flags = (uint32_t)settings.dot_products;
    return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeDeviceGetCommandQueueGroupProperties(
    ze_device_handle_t device, uint32_t *count, ze_command_queue_group_properties_t *groups)
{
    (void)device;
    ENTER();
    if (groups && *count > 0) {
        REQUIRE(groups->stype == ZE_STRUCTURE_TYPE_COMMAND_QUEUE_GROUP_PROPERTIES && !groups->pNext,
                ZE_RESULT_ERROR_INVALID_ARGUMENT);
        groups->flags = ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE |
                        ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COPY;
        groups->numQueues = (uint32_t)settings.engines;
    }
    *count = 1;
    return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeDevicePciGetPropertiesExt(ze_device_handle_t device,
                                                   ze_pci_ext_properties_t *pci)
{
    (void)device;
    ENTER();
    REQUIRE(pci->stype == ZE_STRUCTURE_TYPE_PCI_EXT_PROPERTIES && !pci->pNext,
            ZE_RESULT_ERROR_INVALID_ARGUMENT);
    pci->address = (ze_pci_address_ext_t){0, 3, 0, 0};
    return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeDeviceGetGlobalTimestamps(ze_device_handle_t device, uint64_t *host,
                                                   uint64_t *ticks)
{
    (void)device;
    ENTER();
    if (!(settings.has_correlation > 0.0))
        return ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
    *host = (uint64_t)host_clock_now();
    *ticks = engine_ticks(host_clock_now());
    host_clock_advance(2000.0);
    return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeContextCreate(ze_driver_handle_t driver, const ze_context_desc_t *desc,
                                       ze_context_handle_t *context)
{
    ENTER();
    REQUIRE(driver && desc->stype == ZE_STRUCTURE_TYPE_CONTEXT_DESC,
            ZE_RESULT_ERROR_INVALID_ARGUMENT);
    *context = (ze_context_handle_t)(void *)&context_place;
    return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeContextDestroy(ze_context_handle_t context)
{
    ENTER();
    REQUIRE(context, ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
    if (simulated_objects > 0)
        fprintf(stderr, "the simulated GPU: %u objects are left\n", simulated_objects);
    return ZE_RESULT_SUCCESS;
}

static ze_result_t allocate(size_t bytes, void **memory)
{
    REQUIRE(bytes > 0, ZE_RESULT_ERROR_UNSUPPORTED_SIZE);
    *memory = calloc(1, bytes);
    simulated_objects += *memory != NULL;
    return *memory ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
}

ze_result_t ZE_APICALL zeMemAllocHost(ze_context_handle_t context,
                                      const ze_host_mem_alloc_desc_t *desc, size_t bytes,
                                      size_t alignment, void **memory)
{
    ENTER();
    REQUIRE(context && desc->stype == ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC && !desc->pNext,
            ZE_RESULT_ERROR_INVALID_ARGUMENT);
    REQUIRE((alignment & (alignment - 1)) == 0, ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT);
    return allocate(bytes, memory);
}

ze_result_t ZE_APICALL zeMemAllocDevice(ze_context_handle_t context,
                                        const ze_device_mem_alloc_desc_t *desc, size_t bytes,
                                        size_t alignment, ze_device_handle_t device, void **memory)
{
    ENTER();
    REQUIRE(context && device && desc->stype == ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC,
            ZE_RESULT_ERROR_INVALID_ARGUMENT);
    REQUIRE((alignment & (alignment - 1)) == 0, ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT);
    return allocate(bytes, memory);
}

ze_result_t ZE_APICALL zeMemFree(ze_context_handle_t context, void *memory)
{
    (void)context;
    ENTER();
    REQUIRE(memory, ZE_RESULT_ERROR_INVALID_NULL_POINTER);
    free(memory);
    simulated_objects--;
    return ZE_RESULT_SUCCESS;
}

/* Does the module have this name? In SPIR-V it ends with a NUL. */
static bool has_name(const struct module *module, const char *name)
{
    size_t bytes = strlen(name) + 1;

    for (size_t i = 0; name[0] && i + bytes <= module->bytes; i++) {
        if (!memcmp(module->spirv + i, name, bytes))
            return true;
    }
    return false;
}

static bool is_to_fail_to_build(const struct module *module)
{
    bool is_spin = has_name(module, "spin_counting") || has_name(module, "spin");

    return has_name(module, settings.fail_module) ||
           (!(settings.has_counter > 0.0) && has_name(module, COUNTER_NAME)) ||
           (!strcmp(settings.fail_module, "spin*") && is_spin);
}

/* SPIR-V, by its magic number; it is the machine code as well. */
static bool is_module(const ze_module_desc_t *desc)
{
    uint32_t magic;

    if (desc->stype != ZE_STRUCTURE_TYPE_MODULE_DESC ||
        (desc->format != ZE_MODULE_FORMAT_IL_SPIRV && desc->format != ZE_MODULE_FORMAT_NATIVE) ||
        desc->inputSize < sizeof(magic) || desc->inputSize % sizeof(magic) != 0)
        return false;
    memcpy(&magic, desc->pInputModule, sizeof(magic));
    return magic == SPIRV_MAGIC;
}

ze_result_t ZE_APICALL zeModuleCreate(ze_context_handle_t context, ze_device_handle_t device,
                                      const ze_module_desc_t *desc, ze_module_handle_t *module,
                                      ze_module_build_log_handle_t *log)
{
    ENTER();
    if (log)
        *log = NULL;
    REQUIRE(context && device && is_module(desc), ZE_RESULT_ERROR_INVALID_ARGUMENT);
    struct module *made = malloc(sizeof(*made) + desc->inputSize);
    REQUIRE(made, ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
    made->bytes = desc->inputSize;
    memcpy(made->spirv, desc->pInputModule, desc->inputSize);
    made->elapsed = 0;
    made->counts = settings.counts_in_kernels > 0.0 && has_name(made, SPIRV_ELAPSED_NAME);
    if (is_to_fail_to_build(made)) {
        free(made);
        return ZE_RESULT_ERROR_MODULE_BUILD_FAILURE;
    }
    simulated_objects++;
    *module = (ze_module_handle_t)(void *)made;
    return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeModuleGetNativeBinary(ze_module_handle_t handle, size_t *bytes,
                                               uint8_t *native)
{
    const struct module *module = (const void *)handle;

    ENTER();
    REQUIRE(module && bytes, ZE_RESULT_ERROR_INVALID_ARGUMENT);
    if (native)
        memcpy(native, module->spirv, module->bytes);
    *bytes = module->bytes;
    return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeModuleGetGlobalPointer(ze_module_handle_t handle, const char *name,
                                                size_t *bytes, void **memory)
{
    struct module *module = (void *)handle;

    ENTER();
    REQUIRE(module && name, ZE_RESULT_ERROR_INVALID_ARGUMENT);
    if (!module->counts || strcmp(name, SPIRV_ELAPSED_NAME) != 0)
        return ZE_RESULT_ERROR_INVALID_GLOBAL_NAME;
    *bytes = sizeof(module->elapsed);
    *memory = &module->elapsed;
    return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeModuleDestroy(ze_module_handle_t module)
{
    ENTER();
    REQUIRE(module, ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
    free((void *)module);
    simulated_objects--;
    return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeModuleBuildLogDestroy(ze_module_build_log_handle_t log)
{
    (void)log;
    ENTER();
    return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeModuleBuildLogGetString(ze_module_build_log_handle_t log, size_t *bytes,
                                                 char *text)
{
    (void)log;
    (void)text;
    ENTER();
    *bytes = 0;
    return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeKernelCreate(ze_module_handle_t module, const ze_kernel_desc_t *desc,
                                      ze_kernel_handle_t *handle)
{
    struct simulated_launch *kernel = calloc(1, sizeof(*kernel));
    struct module *of = (void *)module;

    ENTER();
    REQUIRE(kernel, ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
    if (!module || desc->stype != ZE_STRUCTURE_TYPE_KERNEL_DESC ||
        !has_name(of, desc->pKernelName) || !strcmp(desc->pKernelName, settings.fail_kernel)) {
        free(kernel);
        return ZE_RESULT_ERROR_INVALID_KERNEL_NAME;
    }
    snprintf(kernel->name, sizeof(kernel->name), "%s", desc->pKernelName);
    kernel->elapsed = of->counts ? &of->elapsed : NULL;
    simulated_objects++;
    *handle = (ze_kernel_handle_t)(void *)kernel;
    return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeKernelDestroy(ze_kernel_handle_t kernel)
{
    ENTER();
    REQUIRE(kernel, ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
    free((void *)kernel);
    simulated_objects--;
    return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeKernelSetGroupSize(ze_kernel_handle_t kernel, uint32_t x, uint32_t y,
                                            uint32_t z)
{
    ENTER();
    REQUIRE(x > 0 && y > 0 && z > 0 && (uint64_t)x * y * z <= GROUP_SIZE_MAX,
            ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION);
    ((struct simulated_launch *)(void *)kernel)->group_size = x * y * z;
    return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeKernelSetArgumentValue(ze_kernel_handle_t handle, uint32_t index,
                                                size_t bytes, const void *value)
{
    struct simulated_launch *kernel = (void *)handle;

    ENTER();
    if (index >= 8 || (value && bytes > sizeof(uint64_t)))
        return ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_INDEX;
    kernel->arguments[index] = 0;
    if (value)
        memcpy(&kernel->arguments[index], value, bytes);
    return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeKernelGetProperties(ze_kernel_handle_t kernel,
                                             ze_kernel_properties_t *properties)
{
    const struct simulated_launch *launch = (const void *)kernel;

    ENTER();
    REQUIRE(kernel && properties->stype == ZE_STRUCTURE_TYPE_KERNEL_PROPERTIES,
            ZE_RESULT_ERROR_INVALID_ARGUMENT);
    bool requires_size = !strstr(launch->name, "any_size");
    properties->requiredSubgroupSize = requires_size ? 16 : 0;
    properties->maxSubgroupSize = requires_size ? 16 : (uint32_t)settings.chosen_size;
    properties->privateMemSize = properties->localMemSize = 0;
    properties->spillMemSize = !strcmp(launch->name, settings.spill_kernel) ? 64 : 0;
    return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeKernelSuggestMaxCooperativeGroupCount(ze_kernel_handle_t handle,
                                                               uint32_t *groups)
{
    struct simulated_launch group;

    ENTER();
    REQUIRE(handle, ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
    group = *(const struct simulated_launch *)(const void *)handle;
    group.group_count = 1;
    *groups = XE_CORES * EUS_PER_CORE * THREADS_PER_EU / kernel_threads(&group);
    return ZE_RESULT_SUCCESS;
}
