/* An OpenCL program that is compiled from source where it runs: kernels with local memory and
 * barriers, buffers of each kind that are written, filled, copied, mapped, and profiled events.
 * opencl DEVICE_NAME_PART */
#define CL_TARGET_OPENCL_VERSION 300
#include "check.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ITEMS = 4096, GROUP = 64, GROUPS = ITEMS / GROUP, BYTES = ITEMS * 4 };

static const char source[] =
    "kernel void sums(global const uint *in, global uint *out, local uint *part) {\n"
    "    uint i = get_local_id(0);\n"
    "    part[i] = in[get_global_id(0)];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    for (uint step = get_local_size(0) / 2; step; step /= 2) {\n"
    "        if (i < step)\n"
    "            part[i] += part[i + step];\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    }\n"
    "    if (i == 0)\n"
    "        out[get_group_id(0)] = part[0];\n"
    "}\n"
    "kernel void scale(global float *data, float factor) {\n"
    "    data[get_global_id(0)] *= factor;\n"
    "}\n"
    "kernel void say(uint number) { printf(\"kernel %u\\n\", number + (uint)get_global_id(0)); }\n";

static cl_context context;
static cl_device_id device;
static cl_command_queue queue;
static cl_program program;

static void open_device(const char *name_part)
{
    const cl_queue_properties profiled[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
    const char *text = source;
    cl_platform_id platform;
    char name[256];
    cl_int status;

    CHECK(clGetPlatformIDs(1, &platform, NULL));
    CHECK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 1, &device, NULL));
    CHECK(clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof(name), name, NULL));
    printf("%s\n", name);
    EXPECT(strstr(name, name_part));
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    CHECK(status);
    queue = clCreateCommandQueueWithProperties(context, device, profiled, &status);
    CHECK(status);
    program = clCreateProgramWithSource(context, 1, &text, NULL, &status);
    CHECK(status);
    CHECK(clBuildProgram(program, 1, &device, "", NULL, NULL));
}

static cl_kernel make_kernel(const char *name)
{
    cl_int status;
    cl_kernel kernel = clCreateKernel(program, name, &status);

    CHECK(status);
    return kernel;
}

static cl_mem make_buffer(cl_mem_flags flags, size_t size, void *host)
{
    cl_int status;
    cl_mem buffer = clCreateBuffer(context, flags, size, host, &status);

    CHECK(status);
    return buffer;
}

static cl_ulong profiled(cl_event event, cl_profiling_info what)
{
    cl_ulong time;

    CHECK(clGetEventProfilingInfo(event, what, sizeof(time), &time, NULL));
    return time;
}

static void expect_order(cl_event event)
{
    cl_ulong queued = profiled(event, CL_PROFILING_COMMAND_QUEUED),
             submitted = profiled(event, CL_PROFILING_COMMAND_SUBMIT),
             started = profiled(event, CL_PROFILING_COMMAND_START),
             ended = profiled(event, CL_PROFILING_COMMAND_END);

    printf("submitted %.3f us after it was queued, started %.3f us after that, took %.3f us\n",
           (double)(submitted - queued) / 1e3, (double)(started - submitted) / 1e3,
           (double)(ended - started) / 1e3);
    EXPECT(queued <= submitted && submitted < started && started < ended);
}

/* Work-groups sum their part of memory that comes from the host in one of three ways. */
static void sums(cl_mem_flags flags)
{
    const size_t items = ITEMS, group = GROUP;
    cl_kernel kernel = make_kernel("sums");
    uint32_t *in = aligned_alloc(4096, BYTES), out[GROUPS];
    cl_event event;

    EXPECT(in);
    for (uint32_t i = 0; i < ITEMS; i++)
        in[i] = i * 2654435761u;
    cl_mem from = make_buffer(CL_MEM_READ_ONLY | flags, BYTES, flags ? in : NULL);
    cl_mem to = make_buffer(CL_MEM_WRITE_ONLY, sizeof(out), NULL);

    if (!flags)
        CHECK(clEnqueueWriteBuffer(queue, from, CL_FALSE, 0, BYTES, in, 0, NULL, NULL));
    CHECK(clSetKernelArg(kernel, 0, sizeof(from), &from));
    CHECK(clSetKernelArg(kernel, 1, sizeof(to), &to));
    CHECK(clSetKernelArg(kernel, 2, GROUP * 4, NULL));
    CHECK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group, 0, NULL, &event));
    CHECK(clEnqueueReadBuffer(queue, to, CL_TRUE, 0, sizeof(out), out, 1, &event, NULL));
    for (uint32_t g = 0; g < GROUPS; g++) {
        uint32_t sum = 0;

        for (uint32_t i = 0; i < GROUP; i++)
            sum += in[g * GROUP + i];
        EXPECT(out[g] == sum);
    }
    expect_order(event);
    CHECK(clReleaseEvent(event));
    CHECK(clReleaseMemObject(from));
    CHECK(clReleaseMemObject(to));
    CHECK(clReleaseKernel(kernel));
    free(in);
}

/* Fill, copy, a rectangle, a map that the host writes through, and a kernel that uses the
 * result. */
static void buffers(void)
{
    const size_t items = ITEMS, origin[3] = {16, 2, 0}, target[3] = {64, 5, 0},
                 region[3] = {100, 7, 1};
    const float one = 1.0f, factor = 1.5f;
    cl_kernel kernel = make_kernel("scale");
    cl_mem first = make_buffer(CL_MEM_READ_WRITE, BYTES, NULL);
    cl_mem second = make_buffer(CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, BYTES, NULL);
    static float wanted[2][ITEMS], got[ITEMS];
    cl_int status;

    CHECK(clEnqueueFillBuffer(queue, first, &one, sizeof(one), 0, BYTES, 0, NULL, NULL));
    CHECK(clEnqueueFillBuffer(queue, second, &factor, sizeof(factor), 0, BYTES, 0, NULL, NULL));
    for (int i = 0; i < ITEMS; i++) {
        wanted[0][i] = 1.0f;
        wanted[1][i] = 1.5f;
    }
    float *mapped = clEnqueueMapBuffer(queue, first, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, BYTES,
                                       0, NULL, NULL, &status);
    CHECK(status);
    for (int i = 0; i < ITEMS; i += 3)
        wanted[0][i] = mapped[i] = mapped[i] + (float)i;
    CHECK(clEnqueueUnmapMemObject(queue, first, mapped, 0, NULL, NULL));
    CHECK(clEnqueueCopyBufferRect(queue, first, second, origin, target, region, 256, 0, 512, 0, 0,
                                  NULL, NULL));
    for (size_t y = 0; y < region[1]; y++)
        memcpy((char *)wanted[1] + (target[1] + y) * 512 + target[0],
               (char *)wanted[0] + (origin[1] + y) * 256 + origin[0], region[0]);
    CHECK(clSetKernelArg(kernel, 0, sizeof(second), &second));
    CHECK(clSetKernelArg(kernel, 1, sizeof(factor), &factor));
    CHECK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
    CHECK(clEnqueueCopyBuffer(queue, second, first, 0, BYTES / 2, BYTES / 2, 0, NULL, NULL));
    CHECK(clEnqueueReadBuffer(queue, first, CL_TRUE, 0, BYTES, got, 0, NULL, NULL));
    for (int i = 0; i < ITEMS / 2; i++)
        wanted[0][ITEMS / 2 + i] = wanted[1][i] * factor;
    EXPECT(memcmp(got, wanted[0], BYTES) == 0);
    CHECK(clReleaseMemObject(first));
    CHECK(clReleaseMemObject(second));
    CHECK(clReleaseKernel(kernel));
}

/* Coarse-grained shared virtual memory, which the host maps. */
static void shared_memory(void)
{
    const size_t items = ITEMS;
    const float factor = 3.0f;
    cl_kernel kernel = make_kernel("scale");
    float *data = clSVMAlloc(context, CL_MEM_READ_WRITE, BYTES, 0);

    EXPECT(data);
    CHECK(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_WRITE, data, BYTES, 0, NULL, NULL));
    for (int i = 0; i < ITEMS; i++)
        data[i] = (float)i;
    CHECK(clEnqueueSVMUnmap(queue, data, 0, NULL, NULL));
    CHECK(clSetKernelArgSVMPointer(kernel, 0, data));
    CHECK(clSetKernelArg(kernel, 1, sizeof(factor), &factor));
    CHECK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
    CHECK(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ, data, BYTES, 0, NULL, NULL));
    for (int i = 0; i < ITEMS; i++)
        EXPECT(data[i] == 3.0f * (float)i);
    CHECK(clEnqueueSVMUnmap(queue, data, 0, NULL, NULL));
    CHECK(clFinish(queue));
    clSVMFree(context, data);
    CHECK(clReleaseKernel(kernel));
}

static void says(void)
{
    const cl_uint number = 42;
    const size_t one = 1;
    cl_kernel kernel = make_kernel("say");

    CHECK(clSetKernelArg(kernel, 0, sizeof(number), &number));
    CHECK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
    CHECK(clFinish(queue));
    CHECK(clReleaseKernel(kernel));
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    open_device(argv[1]);
    sums(0);
    sums(CL_MEM_COPY_HOST_PTR);
    sums(CL_MEM_USE_HOST_PTR);
    buffers();
    shared_memory();
    says();
    CHECK(clReleaseProgram(program));
    CHECK(clReleaseCommandQueue(queue));
    CHECK(clReleaseContext(context));
    return 0;
}
