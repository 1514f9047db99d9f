/* Runs a kernel on an emulated GPU, checks what it computes, and says how long it takes. With
 * libvesim-core alone, no driver and no loader:
 *     ocloc compile -file saxpy.cl -device dg2 --format zebin -output_no_suffix -output kernel
 *     cc saxpy.c $(pkg-config --cflags --libs vesim-core) -o saxpy
 *     ./saxpy a380 kernel.bin (older compilers call it kernel) */
#include <vesim/vesim.h>

#include <stdio.h>

#define ITEMS 65536
#define X     UINT64_C(0x100000000) /* addresses on the GPU */
#define Y     UINT64_C(0x200000000)

static char error[VESIM_FAULT_MESSAGE_BYTES] = "usage: saxpy DEVICE BINARY";

/* Computes y = 3 * x + y, where y is 0, and checks it. */
static int compute(struct vesim_gpu *gpu, const struct vesim_kernel *kernel)
{
    static float x[ITEMS] __attribute__((aligned(64)));
    float *y = vesim_gpu_allocate(gpu, Y, sizeof(x), VESIM_MEMORY_DEVICE, error, sizeof(error));

    if (!y || vesim_gpu_map(gpu, X, x, sizeof(x), VESIM_MEMORY_DEVICE, error, sizeof(error)))
        return -1;
    for (int i = 0; i < ITEMS; i++)
        x[i] = (float)i;

    const struct vesim_argument arguments[] = {
        {.value = 0x40400000 /* 3.0f */}, {.value = X}, {.value = Y}};
    const struct vesim_launch launch = {{ITEMS, 1, 1}, {256, 1, 1}, arguments, 3};
    struct vesim_job *job;
    struct vesim_result result;
    if (vesim_gpu_launch(gpu, kernel, &launch, &job, error, sizeof(error)))
        return -1;
    vesim_job_wait(job, &result);
    if (result.outcome != VESIM_DONE)
        return snprintf(error, sizeof(error), "%s", result.fault.message);

    for (int i = 0; i < ITEMS; i++) {
        if (y[i] != 3.0f * x[i])
            return snprintf(error, sizeof(error), "y[%d] is %g, not %g", i, y[i], 3.0f * x[i]);
    }
    printf("%d results are right, with sub-groups of %u, in %llu cycles\n", ITEMS,
           vesim_kernel_properties(kernel)->sub_group_size,
           (unsigned long long)(result.end - result.start));
    return 0;
}

int main(int argc, char **argv)
{
    static unsigned char binary[1 << 20];
    FILE *file = argc == 3 ? fopen(argv[2], "rb") : NULL;
    size_t bytes = file ? fread(binary, 1, sizeof(binary), file) : 0;
    struct vesim_kernel *kernel = NULL;
    struct vesim_gpu *gpu = NULL;
    struct vesim_device device;
    int failed = argc != 3 || vesim_device_load(&device, argv[1], error, sizeof(error)) ||
                 vesim_kernel_load(&kernel, binary, bytes, "saxpy", error, sizeof(error)) ||
                 vesim_gpu_open(&gpu, &device, NULL, error, sizeof(error)) || compute(gpu, kernel);

    if (failed)
        fprintf(stderr, "saxpy: %s\n", error);
    vesim_gpu_close(gpu);
    vesim_kernel_free(kernel);
    if (file)
        fclose(file);
    return failed != 0;
}
