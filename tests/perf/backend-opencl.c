/* Plain kernels on OpenCL, from source. `oclgrind` preloads its runtime into the program, where the
 * functions are then found by name; others are found by the loader, libOpenCL. The few functions
 * that it takes are declared here: building it needs neither OpenCL's headers nor its library. */
#include "plain.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    DEVICE_TYPE_ALL = -1,
    MEM_READ_WRITE = 1,
    MEM_COPY_HOST_PTR = 32,
    PROGRAM_BUILD_LOG = 0x1183,
};

typedef struct object *object; /* any of OpenCL's */

/* Those that give an object report an error through their last argument. */
static struct {
    int32_t (*GetPlatformIDs)(uint32_t, object *, uint32_t *);
    int32_t (*GetDeviceIDs)(object, uint64_t, uint32_t, object *, uint32_t *);
    object (*CreateContext)(const intptr_t *, uint32_t, const object *, void *, void *, int32_t *);
    object (*CreateCommandQueue)(object, object, uint64_t, int32_t *);
    object (*CreateProgramWithSource)(object, uint32_t, const char **, const size_t *, int32_t *);
    int32_t (*BuildProgram)(object, uint32_t, const object *, const char *, void *, void *);
    int32_t (*GetProgramBuildInfo)(object, object, uint32_t, size_t, void *, size_t *);
    object (*CreateKernel)(object, const char *, int32_t *);
    object (*CreateBuffer)(object, uint64_t, size_t, void *, int32_t *);
    int32_t (*SetKernelArg)(object, uint32_t, size_t, const void *);
    int32_t (*EnqueueNDRangeKernel)(object, object, uint32_t, const size_t *, const size_t *,
                                    const size_t *, uint32_t, const object *, object *);
    int32_t (*Finish)(object);
    int32_t (*EnqueueReadBuffer)(object, object, uint32_t, size_t, size_t, void *, uint32_t,
                                 const object *, object *);
    int32_t (*ReleaseKernel)(object);
    int32_t (*ReleaseMemObject)(object);
} cl;

static object context, device, queue, program, ready, buffers[3];
static size_t out_bytes, global[2], local[2];

static void check(int32_t status, const char *call)
{
    char code[16];

    snprintf(code, sizeof(code), "%d", (int)status);
    if (status)
        fail(call, code);
}

#define CHECK(call) check((call), #call)

#define LOAD(function)                                                                             \
    do {                                                                                           \
        *(void **)&cl.function = dlsym(RTLD_DEFAULT, "cl" #function);                              \
        if (!cl.function)                                                                          \
            fail("cl" #function, "no OpenCL here: neither Oclgrind's nor a loader");               \
    } while (0)

static void load(void)
{
    if (!dlsym(RTLD_DEFAULT, "clGetPlatformIDs"))
        dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_GLOBAL);
    LOAD(GetPlatformIDs);
    LOAD(GetDeviceIDs);
    LOAD(CreateContext);
    LOAD(CreateCommandQueue);
    LOAD(CreateProgramWithSource);
    LOAD(BuildProgram);
    LOAD(GetProgramBuildInfo);
    LOAD(CreateKernel);
    LOAD(CreateBuffer);
    LOAD(SetKernelArg);
    LOAD(EnqueueNDRangeKernel);
    LOAD(Finish);
    LOAD(EnqueueReadBuffer);
    LOAD(ReleaseKernel);
    LOAD(ReleaseMemObject);
}

void backend_open(const char *path)
{
    int32_t status;
    object platform;
    size_t bytes;
    char *source = read_file(path, &bytes), log[4000] = "";

    load();
    CHECK(cl.GetPlatformIDs(1, &platform, NULL));
    CHECK(cl.GetDeviceIDs(platform, (uint32_t)DEVICE_TYPE_ALL, 1, &device, NULL));
    context = cl.CreateContext(NULL, 1, &device, NULL, NULL, &status);
    check(status, "clCreateContext");
    queue = cl.CreateCommandQueue(context, device, 0, &status);
    check(status, "clCreateCommandQueue");
    program = cl.CreateProgramWithSource(context, 1, (const char **)&source, &bytes, &status);
    check(status, "clCreateProgramWithSource");
    if (cl.BuildProgram(program, 1, &device, "-cl-std=CL1.2", NULL, NULL)) {
        cl.GetProgramBuildInfo(program, device, PROGRAM_BUILD_LOG, sizeof(log) - 1, log, NULL);
        fail(path, log);
    }
    free(source);
}

static object buffer(uint32_t words, const uint32_t *content)
{
    int32_t status;
    object made = cl.CreateBuffer(context, MEM_READ_WRITE | MEM_COPY_HOST_PTR,
                                  words * sizeof(uint32_t), (void *)content, &status);

    check(status, "clCreateBuffer");
    return made;
}

void backend_prepare(const struct plain_kernel *kernel, const uint32_t *a, const uint32_t *b)
{
    int32_t status;
    uint32_t *zeros = calloc(kernel->out_words, sizeof(*zeros));

    if (!zeros)
        fail(kernel->name, "out of memory");
    buffers[0] = buffer(kernel->in_words, a);
    buffers[1] = buffer(kernel->in_words, b);
    buffers[2] = buffer(kernel->out_words, zeros);
    free(zeros);
    out_bytes = kernel->out_words * sizeof(uint32_t);
    for (unsigned i = 0; i < 2; i++) {
        global[i] = kernel->items[i];
        local[i] = kernel->local[i];
    }
    ready = cl.CreateKernel(program, kernel->name, &status);
    check(status, kernel->name);
    for (uint32_t i = 0; i < 3; i++)
        CHECK(cl.SetKernelArg(ready, i, sizeof(object), &buffers[i]));
    CHECK(cl.SetKernelArg(ready, 3, sizeof(kernel->count), &kernel->count));
    if (kernel->factor != 0)
        CHECK(cl.SetKernelArg(ready, 4, sizeof(kernel->factor), &kernel->factor));
}

void backend_launch(void)
{
    CHECK(cl.EnqueueNDRangeKernel(queue, ready, 2, NULL, global, local, 0, NULL, NULL));
    CHECK(cl.Finish(queue));
}

void backend_finish(uint32_t *out)
{
    CHECK(cl.EnqueueReadBuffer(queue, buffers[2], 1, 0, out_bytes, out, 0, NULL, NULL));
    CHECK(cl.ReleaseKernel(ready));
    for (unsigned i = 0; i < 3; i++)
        CHECK(cl.ReleaseMemObject(buffers[i]));
}
