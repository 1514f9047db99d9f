/* Random kernels on the first GPU that OpenCL has, their results compared with the host's
 * evaluation: random-kernels SEED COUNT [FOLDER] The kernels have the seeds from SEED on. One whose
 * results differ loses its statements, one by one, while some result still differs, and is then
 * printed, or written to FOLDER. Ends with 1 if any differs or the compiler fails, with 77 where
 * there is no GPU. */
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../emulator/opencl/check.h"
#include "program.h"

enum { SUB_GROUP_SIZES = 0x4108, RESULTS_MAX = VARIABLES * COMPONENTS_MAX + 8 };

/* In the place of a result that differs. */
enum { ALL_SAME = -1, NOT_BUILT = -2 };

static struct {
    cl_context context;
    cl_device_id id;
    cl_command_queue queue;
    cl_mem integers, floats, results;
    struct abilities abilities;
    size_t sizes[8], size_count;
} device;

static struct inputs inputs;

static bool has_extension(const char *name)
{
    static char extensions[16384];

    CHECK(clGetDeviceInfo(device.id, CL_DEVICE_EXTENSIONS, sizeof(extensions), extensions, NULL));
    return strstr(extensions, name) != NULL;
}

static bool find_gpu(void)
{
    cl_platform_id platforms[8];
    cl_uint count = 0;

    if (clGetPlatformIDs(8, platforms, &count) != CL_SUCCESS)
        return false;
    for (cl_uint i = 0; i < count && i < 8; i++)
        if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_GPU, 1, &device.id, NULL) == CL_SUCCESS)
            return true;
    return false;
}

static cl_mem make_buffer(size_t bytes, void *contents)
{
    cl_int status;
    cl_mem buffer =
        clCreateBuffer(device.context, CL_MEM_READ_WRITE | (contents ? CL_MEM_COPY_HOST_PTR : 0),
                       bytes, contents, &status);

    CHECK(status);
    return buffer;
}

static void make_inputs(void)
{
    uint64_t state = 1;

    for (unsigned i = 0; i < INPUTS; i++) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        uint64_t bits = state ^ state >> 29;
        inputs.integers[i] = i % 3 ? bits : bits >> (i % 61);
        inputs.floats[i] = (float)((int32_t)(state >> 40) - (1 << 23)) * 0x1p-18f;
    }
}

static void open_device(void)
{
    cl_device_fp_config config = 0;
    cl_int status;
    size_t bytes = 0;

    device.context = clCreateContext(NULL, 1, &device.id, NULL, NULL, &status);
    CHECK(status);
    device.queue = clCreateCommandQueueWithProperties(device.context, device.id, NULL, &status);
    CHECK(status);
    CHECK(clGetDeviceInfo(device.id, CL_DEVICE_SINGLE_FP_CONFIG, sizeof(config), &config, NULL));
    device.abilities = (struct abilities){
        .has_half = has_extension("cl_khr_fp16"),
        .has_double = has_extension("cl_khr_fp64"),
        .divides_exactly = config & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT,
        .has_ballot = has_extension("cl_khr_subgroup_ballot"),
    };
    CHECK(clGetDeviceInfo(device.id, SUB_GROUP_SIZES, sizeof(device.sizes), device.sizes, &bytes));
    device.size_count = bytes / sizeof(device.sizes[0]);
    make_inputs();
    device.integers = make_buffer(sizeof(inputs.integers), inputs.integers);
    device.floats = make_buffer(sizeof(inputs.floats), inputs.floats);
    device.results = make_buffer(sizeof(uint64_t) * RESULTS_MAX * ITEMS, NULL);
}

static char *text_of(const struct program *program)
{
    char *text = NULL;
    size_t length = 0;
    FILE *file = open_memstream(&text, &length);

    EXPECT(file);
    program_write(program, file);
    EXPECT(fclose(file) == 0);
    return text;
}

/* NULL, having printed the log, if the compiler fails. */
static cl_program build(const char *text)
{
    static char log[65536];
    cl_int status;
    cl_program program = clCreateProgramWithSource(device.context, 1, &text, NULL, &status);

    CHECK(status);
    status = clBuildProgram(program, 1, &device.id,
                            device.abilities.divides_exactly
                                ? "-cl-std=CL3.0 -cl-fp32-correctly-rounded-divide-sqrt"
                                : "-cl-std=CL3.0",
                            NULL, NULL);
    if (status != CL_SUCCESS) {
        clGetProgramBuildInfo(program, device.id, CL_PROGRAM_BUILD_LOG, sizeof(log) - 1, log, NULL);
        fprintf(stderr, "%s\n%s\n", text, log);
        clReleaseProgram(program);
        return NULL;
    }
    return program;
}

static bool run_on_device(const struct program *program, uint64_t *results)
{
    const size_t items = ITEMS, group = GROUP;
    char *text = text_of(program);
    cl_program built = build(text);
    cl_int status;

    free(text);
    if (!built)
        return false;
    cl_kernel kernel = clCreateKernel(built, "tested", &status);

    CHECK(status);
    CHECK(clSetKernelArg(kernel, 0, sizeof(cl_mem), &device.integers));
    CHECK(clSetKernelArg(kernel, 1, sizeof(cl_mem), &device.floats));
    CHECK(clSetKernelArg(kernel, 2, sizeof(cl_mem), &device.results));
    CHECK(clEnqueueNDRangeKernel(device.queue, kernel, 1, NULL, &items, &group, 0, NULL, NULL));
    CHECK(clEnqueueReadBuffer(device.queue, device.results, CL_TRUE, 0,
                              program_results(program) * ITEMS * sizeof(*results), results, 0, NULL,
                              NULL));
    clReleaseKernel(kernel);
    clReleaseProgram(built);
    return true;
}

/* The first result that differs, ALL_SAME or NOT_BUILT; `is` and `should` are filled. */
static int first_difference(const struct program *program, uint64_t *is, uint64_t *should)
{
    unsigned count = program_results(program) * ITEMS;

    if (!run_on_device(program, is))
        return NOT_BUILT;
    program_evaluate(program, &inputs, should);
    for (unsigned i = 0; i < count; i++)
        if (is[i] != should[i])
            return (int)i;
    return ALL_SAME;
}

static uint64_t is[RESULTS_MAX * ITEMS], should[RESULTS_MAX * ITEMS];

/* Drops every statement without which some result still differs, until none is left that can go. */
static void minimise(struct program *program)
{
    for (bool dropped = true; dropped;) {
        dropped = false;
        for (unsigned i = program_statements(program); i-- > 0;) {
            if (program_is_dropped(program, i))
                continue;
            program_drop(program, i, true);
            if (first_difference(program, is, should) >= 0)
                dropped = true;
            else
                program_drop(program, i, false);
        }
    }
}

static void report(const struct program *program, uint64_t seed, const char *folder)
{
    int at = first_difference(program, is, should);
    char what[32], path[4096];
    FILE *file = stdout;

    program_describe_result(program, (unsigned)at / ITEMS, what);
    printf("seed %" PRIu64 ": %s of work-item %d is 0x%" PRIx64 ", not 0x%" PRIx64 "\n", seed, what,
           at % ITEMS, is[at], should[at]);
    if (folder) {
        snprintf(path, sizeof(path), "%s/%" PRIu64 ".cl", folder, seed);
        file = fopen(path, "w");
        EXPECT(file);
    }
    program_write(program, file);
    if (folder)
        EXPECT(fclose(file) == 0);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    unsigned differing = 0, unbuilt = 0;

    if (argc < 3) {
        fprintf(stderr, "usage: random-kernels SEED COUNT [FOLDER]\n");
        return 2;
    }
    if (!find_gpu()) {
        fprintf(stderr, "random-kernels: OpenCL has no GPU here\n");
        return 77;
    }
    open_device();
    uint64_t seed = strtoull(argv[1], NULL, 10), count = strtoull(argv[2], NULL, 10);
    for (uint64_t end = seed + count; seed < end; seed++) {
        device.abilities.sub_group_size = (unsigned)device.sizes[seed % device.size_count];
        struct program *program = program_make(seed, &device.abilities);
        int difference = first_difference(program, is, should);
        if (difference >= 0) {
            minimise(program);
            report(program, seed, argc > 3 ? argv[3] : NULL);
            differing++;
        } else if (difference == NOT_BUILT) {
            printf("seed %" PRIu64 ": the compiler fails\n", seed);
            unbuilt++;
        }
        program_free(program);
    }
    printf("%s kernels, %u with other results than the host's, %u that the compiler fails at\n",
           argv[2], differing, unbuilt);
    return differing || unbuilt ? 1 : 0;
}
