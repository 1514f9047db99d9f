/* A program with a Level Zero context, queue and kernel of its own has a launch measured:
 *     cc own-launch.c $(pkg-config --cflags --libs vebench-measure level-zero) -o own-launch
 *     ./own-launch saxpy.spv                              on an Intel GPU
 *     vesim --device a380 -- ./own-launch saxpy.spv       on a modelled one
 * `vebench help spirv` says how to make saxpy.spv of saxpy.cl. */
#include <vebench/measure.h>

#include <stdio.h>
#include <string.h>

#define ITEMS 65536u
#define BYTES (ITEMS * sizeof(float))

static char error[512] = "usage: own-launch MODULE";

#define TRY(call)                                                                                  \
    do {                                                                                           \
        ze_result_t result_ = (call);                                                              \
        if (result_ != ZE_RESULT_SUCCESS)                                                          \
            return snprintf(error, sizeof(error), "%s: 0x%x", #call, (unsigned)result_);           \
    } while (0)

struct program {
    ze_driver_handle_t driver;
    ze_device_handle_t device;
    ze_context_handle_t context;
    ze_command_queue_handle_t queue;
    ze_kernel_handle_t kernel;
    float *x, *y;
};

/* The first GPU, and a queue of its first group, which computes. */
static int open_device(struct program *p)
{
    const ze_context_desc_t context = {.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC};
    const ze_command_queue_desc_t queue = {.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
                                           .mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS};
    uint32_t one = 1;

    TRY(zeInit(ZE_INIT_FLAG_GPU_ONLY));
    TRY(zeDriverGet(&one, &p->driver));
    one = 1;
    TRY(zeDeviceGet(p->driver, &one, &p->device));
    TRY(zeContextCreate(p->driver, &context, &p->context));
    TRY(zeCommandQueueCreate(p->context, p->device, &queue, &p->queue));
    return 0;
}

static int load_kernel(struct program *p, const void *spirv, size_t bytes)
{
    const ze_module_desc_t module_desc = {.stype = ZE_STRUCTURE_TYPE_MODULE_DESC,
                                          .format = ZE_MODULE_FORMAT_IL_SPIRV,
                                          .inputSize = bytes,
                                          .pInputModule = spirv};
    const ze_kernel_desc_t kernel_desc = {.stype = ZE_STRUCTURE_TYPE_KERNEL_DESC,
                                          .pKernelName = "saxpy"};
    const ze_device_mem_alloc_desc_t on_device = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC};
    const ze_host_mem_alloc_desc_t on_host = {.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC};
    ze_module_handle_t module;
    void *x, *y;
    float a = 3.0f;

    TRY(zeModuleCreate(p->context, p->device, &module_desc, &module, NULL));
    TRY(zeKernelCreate(module, &kernel_desc, &p->kernel));
    TRY(zeMemAllocShared(p->context, &on_device, &on_host, BYTES, 64, p->device, &x));
    TRY(zeMemAllocShared(p->context, &on_device, &on_host, BYTES, 64, p->device, &y));
    p->x = x;
    p->y = y;
    for (unsigned i = 0; i < ITEMS; i++)
        p->x[i] = (float)i;
    memset(y, 0, BYTES);
    TRY(zeKernelSetArgumentValue(p->kernel, 0, sizeof(a), &a));
    TRY(zeKernelSetArgumentValue(p->kernel, 1, sizeof(x), &x));
    TRY(zeKernelSetArgumentValue(p->kernel, 2, sizeof(y), &y));
    return 0;
}

/* After each launch: is it right? Then y is made what the next one expects. */
static int check(void *context)
{
    struct program *p = context;

    for (unsigned i = 0; i < ITEMS; i++) {
        if (p->y[i] != 3.0f * p->x[i])
            return -1;
    }
    memset(p->y, 0, BYTES);
    return 0;
}

static int measure(struct program *p)
{
    const struct vebench_meter_of of = {
        .context = p->context, .device = p->device, .queue = p->queue};
    const struct vebench_launch launch = {
        .kernel = p->kernel, .local = {256}, .groups = {ITEMS / 256}, .after = check, .context = p};
    struct vebench_meter *meter;
    struct vebench_measured m;

    if (vebench_meter_open(&meter, &of, error, sizeof(error)))
        return -1;
    int failed = vebench_meter_measure(meter, &launch, NULL, &m, error, sizeof(error));
    if (!failed)
        printf("%s: %.1f us, 95 %% interval %.1f to %.1f, %u lanes, %.0f MHz%s%s%s\n",
               m.is_emulated ? "a model" : "a GPU", m.ns / 1e3, m.ci95_low_ns / 1e3,
               m.ci95_high_ns / 1e3, m.lanes, m.clock_mhz, m.is_reliable ? "" : ", UNRELIABLE",
               m.reason[0] ? ": " : "", m.reason);
    vebench_meter_close(meter);
    return failed;
}

int main(int argc, char **argv)
{
    static unsigned char spirv[1 << 20];
    FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
    size_t bytes = file ? fread(spirv, 1, sizeof(spirv), file) : 0;
    struct program program = {NULL};
    int failed =
        !file || open_device(&program) || load_kernel(&program, spirv, bytes) || measure(&program);

    if (failed)
        fprintf(stderr, "own-launch: %s\n", error);
    if (file)
        fclose(file);
    return failed ? 1 : 0;
}
