#include "runtime.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <level_zero/ze_api.h>

enum { BUFFERS = 64, MODULES = 32 };

static ze_driver_handle_t driver;
static ze_device_handle_t device;
static ze_context_handle_t context;
static ze_command_queue_handle_t queue;
static ze_command_list_handle_t list;
static ze_device_module_properties_t module_properties = {
    .stype = ZE_STRUCTURE_TYPE_DEVICE_MODULE_PROPERTIES};

static const char *module_folder;
static unsigned size_wanted;
static const char *flags_wanted = "";
static struct {
    char name[32];
    ze_module_handle_t handle;
} modules[MODULES];
static unsigned module_count;
static void *buffers[BUFFERS];
static unsigned buffer_count;
static uint64_t random_state = 1;

#define CHECK(call)                                                                                \
    do {                                                                                           \
        ze_result_t result_ = (call);                                                              \
        if (result_ != ZE_RESULT_SUCCESS)                                                          \
            fail_msg("%s: 0x%lx", #call, (unsigned long)result_);                                  \
    } while (0)

static void open_context(void)
{
    ze_command_queue_desc_t queue_description = {.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
                                                 .mode = ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS};

    CHECK(zeContextCreate(driver, &(ze_context_desc_t){.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC},
                          &context));
    CHECK(zeCommandQueueCreate(context, device, &queue_description, &queue));
    CHECK(zeCommandListCreate(
        context, device, &(ze_command_list_desc_t){.stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC},
        &list));
}

void runtime_open(const char *folder, unsigned sub_group_size, const char *build_flags)
{
    uint32_t count = 1;

    flags_wanted = build_flags;
    module_folder = folder;
    size_wanted = sub_group_size;
    CHECK(zeInit(0));
    CHECK(zeDriverGet(&count, &driver));
    count = 1;
    CHECK(zeDeviceGet(driver, &count, &device));
    CHECK(zeDeviceGetModuleProperties(device, &module_properties));
    open_context();
}

void runtime_close(void)
{
    runtime_release();
    for (unsigned i = 0; i < module_count; i++)
        zeModuleDestroy(modules[i].handle);
    module_count = 0;
    zeCommandListDestroy(list);
    zeCommandQueueDestroy(queue);
    zeContextDestroy(context);
}

unsigned runtime_sub_group_size(void)
{
    return size_wanted;
}

bool runtime_has_double(void)
{
    return module_properties.flags & ZE_DEVICE_MODULE_FLAG_FP64;
}

bool runtime_has_half(void)
{
    return module_properties.flags & ZE_DEVICE_MODULE_FLAG_FP16;
}

bool runtime_has_long_atomics(void)
{
    return module_properties.flags & ZE_DEVICE_MODULE_FLAG_INT64_ATOMICS;
}

bool runtime_has_matrix_engines(void)
{
    enum { ARC_A_SERIES = 0x56 }; /* high byte of the PCI ids of DG2 */
    ze_device_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES};

    CHECK(zeDeviceGetProperties(device, &properties));
    return properties.deviceId >> 8 == ARC_A_SERIES;
}

bool runtime_divides_exactly(void)
{
    return strstr(flags_wanted, "-cl-fp32-correctly-rounded-divide-sqrt");
}

static ze_module_handle_t load_module(const char *name)
{
    for (unsigned i = 0; i < module_count; i++)
        if (strcmp(modules[i].name, name) == 0)
            return modules[i].handle;
    char path[1024];
    snprintf(path, sizeof(path), "%s/%s-%u.spv", module_folder, name, size_wanted);
    FILE *file = fopen(path, "rb");
    if (!file)
        fail_msg("%s cannot be opened", path);
    fseek(file, 0, SEEK_END);
    size_t bytes = (size_t)ftell(file);
    rewind(file);
    uint8_t *code = malloc(bytes);
    assert_non_null(code);
    assert_int_equal(fread(code, 1, bytes, file), bytes);
    fclose(file);
    ze_module_desc_t description = {.stype = ZE_STRUCTURE_TYPE_MODULE_DESC,
                                    .format = ZE_MODULE_FORMAT_IL_SPIRV,
                                    .inputSize = bytes,
                                    .pInputModule = code,
                                    .pBuildFlags = flags_wanted};
    ze_module_handle_t module = NULL;
    ze_module_build_log_handle_t log = NULL;
    ze_result_t result = zeModuleCreate(context, device, &description, &module, &log);
    free(code);
    if (result != ZE_RESULT_SUCCESS) {
        char text[4000] = "";
        size_t size = sizeof(text);

        zeModuleBuildLogGetString(log, &size, text);
        fail_msg("%s does not build: %s", name, text);
    }
    zeModuleBuildLogDestroy(log);
    assert_true(module_count < MODULES);
    snprintf(modules[module_count].name, sizeof(modules[module_count].name), "%s", name);
    modules[module_count].handle = module;
    return modules[module_count++].handle;
}

void *runtime_buffer(size_t bytes)
{
    void *pointer = NULL;

    assert_true(buffer_count < BUFFERS);
    CHECK(zeMemAllocHost(
        context, &(ze_host_mem_alloc_desc_t){.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC}, bytes,
        64, &pointer));
    memset(pointer, 0, bytes);
    buffers[buffer_count++] = pointer;
    return pointer;
}

void runtime_release(void)
{
    while (buffer_count)
        zeMemFree(context, buffers[--buffer_count]);
    random_state = 1;
}

void runtime_launch(const struct launch *launch)
{
    ze_kernel_handle_t kernel;
    uint32_t groups[3], local[3];

    for (unsigned i = 0; i < 3; i++) {
        groups[i] = launch->groups[i] ? launch->groups[i] : 1;
        local[i] = launch->local[i] ? launch->local[i] : 1;
    }
    CHECK(zeKernelCreate(
        load_module(launch->module),
        &(ze_kernel_desc_t){.stype = ZE_STRUCTURE_TYPE_KERNEL_DESC, .pKernelName = launch->kernel},
        &kernel));
    CHECK(zeKernelSetGroupSize(kernel, local[0], local[1], local[2]));
    for (uint32_t i = 0; i < 8 && launch->arguments[i].bytes; i++)
        CHECK(zeKernelSetArgumentValue(kernel, i, launch->arguments[i].bytes,
                                       launch->arguments[i].value));
    CHECK(zeCommandListReset(list));
    CHECK(zeCommandListAppendLaunchKernel(
        list, kernel, &(ze_group_count_t){groups[0], groups[1], groups[2]}, NULL, 0, NULL));
    CHECK(zeCommandListClose(list));
    ze_result_t result = zeCommandQueueExecuteCommandLists(queue, 1, &list, NULL);
    if (result == ZE_RESULT_SUCCESS)
        result = zeCommandQueueSynchronize(queue, UINT64_MAX);
    if (result != ZE_RESULT_SUCCESS)
        fail_msg("%s in %s: 0x%lx", launch->kernel, launch->module, (unsigned long)result);
    zeKernelDestroy(kernel);
}

uint32_t runtime_random(void)
{
    /* Knuth's linear congruential generator, the high half */
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(random_state >> 32);
}

uint64_t runtime_random64(void)
{
    uint64_t high = runtime_random();

    return high << 32 | runtime_random();
}

float runtime_random_float(float low, float high)
{
    return low + (high - low) * (float)(runtime_random() >> 8) * 0x1p-24f;
}

double half_value(uint16_t bits)
{
    int exponent = bits >> 10 & 31;
    double fraction = bits & 0x3ff;
    double value = exponent == 31  ? fraction != 0 ? NAN : INFINITY
                   : exponent == 0 ? ldexp(fraction, -24)
                                   : ldexp(fraction + 1024, exponent - 25);

    return bits & 0x8000 ? -value : value;
}

uint16_t half_bits(double value)
{
    unsigned sign = signbit(value) ? 0x8000 : 0;
    int exponent;

    value = fabs(value);
    if (isnan(value))
        return (uint16_t)(sign | 0x7e00);
    frexp(value, &exponent);
    int unit = exponent < -13 ? -24 : exponent - 11;
    value = ldexp(nearbyint(ldexp(value, -unit)), unit);
    if (value >= 65536)
        return (uint16_t)(sign | 0x7c00);
    if (value < 0x1p-14)
        return (uint16_t)(sign | (unsigned)ldexp(value, 24));
    frexp(value, &exponent);
    unsigned fraction = (unsigned)ldexp(value, 11 - exponent) - 1024;
    return (uint16_t)(sign | (unsigned)(exponent + 14) << 10 | fraction);
}

void expect_bytes(const char *what, const void *result, const void *expected, size_t element_bytes,
                  size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const uint8_t *at = (const uint8_t *)result + i * element_bytes;
        const uint8_t *should = (const uint8_t *)expected + i * element_bytes;

        if (memcmp(at, should, element_bytes) == 0)
            continue;
        char is[40] = "", ought[40] = "";
        for (size_t byte = 0; byte < element_bytes && byte < 16; byte++) {
            size_t from = element_bytes - 1 - byte;

            snprintf(is + byte * 2, 3, "%02x", at[from]);
            snprintf(ought + byte * 2, 3, "%02x", should[from]);
        }
        fail_msg("%s, element %zu: 0x%s, not 0x%s", what, i, is, ought);
    }
}

void expect_floats(const char *what, const float *result, const double *expected, size_t count,
                   double ulps, double absolute)
{
    for (size_t i = 0; i < count; i++) {
        double is = (double)result[i], should = expected[i];
        float nearest = (float)should;

        if ((isnan(is) && isnan(should)) || is == (double)nearest)
            continue;
        int exponent;
        frexp(should, &exponent);
        double unit = ldexp(1.0, exponent < -125 ? -149 : exponent - 24);
        double difference = fabs(is - should);
        if (!(difference <= ulps * unit) && !(difference <= absolute))
            fail_msg("%s, element %zu: %.9g, not %.9g (%.1f units in the last place)", what, i, is,
                     should, difference / unit);
    }
}
