/* A kernel faults a moment after it began, while the program waits for it:
 *     opencl-lost read    in a read that blocks
 *                 finish  in clFinish
 *                 event   asking the state of its event, with pauses, for ever
 * Then it releases what it has. Prints without flushing what the driver answers. */
#define CL_TARGET_OPENCL_VERSION 300
#include "check.h"

#include <stdint.h>
#include <string.h>
#include <time.h>

enum { ITEMS = 64, ROUNDS = 200000 };

static const char source[] = "kernel void late(global uint *out, ulong address, uint rounds) {\n"
                             "    uint x = get_global_id(0);\n"
                             "    for (uint i = 0; i < rounds; i++) {\n"
                             "        x = x * 1664525u + 1013904223u;\n"
                             "        x ^= x >> 7;\n"
                             "    }\n"
                             "    out[get_global_id(0)] = x;\n"
                             "    *(global uint *)address = x;\n"
                             "}\n";

static void wait_for_event(cl_event event)
{
    cl_int state;

    do {
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
        CHECK(
            clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(state), &state, NULL));
    } while (state > CL_COMPLETE);
    printf("event %d\n", state);
}

int main(int argc, char **argv)
{
    const cl_ulong address = 0xdead0000;
    const cl_uint rounds = ROUNDS;
    const size_t items = ITEMS;
    const char *text = source, *mode = argc == 2 ? argv[1] : "";
    uint32_t out[ITEMS];
    cl_platform_id platform;
    cl_device_id device;
    cl_event event;
    cl_int status;

    CHECK(clGetPlatformIDs(1, &platform, NULL));
    CHECK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 1, &device, NULL));
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    CHECK(status);
    cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, NULL, &status);
    CHECK(status);
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &status);
    CHECK(status);
    CHECK(clBuildProgram(program, 1, &device, "", NULL, NULL));
    cl_kernel kernel = clCreateKernel(program, "late", &status);
    CHECK(status);
    cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof(out), NULL, &status);
    CHECK(status);
    CHECK(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer));
    CHECK(clSetKernelArg(kernel, 1, sizeof(address), &address));
    CHECK(clSetKernelArg(kernel, 2, sizeof(rounds), &rounds));
    CHECK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, &event));
    CHECK(clFlush(queue));
    puts("started");
    if (strcmp(mode, "event") == 0)
        wait_for_event(event);
    else if (strcmp(mode, "finish") == 0)
        printf("finish %d\n", clFinish(queue));
    else
        printf("read %d\n",
               clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof(out), out, 0, NULL, NULL));
    clReleaseEvent(event);
    clReleaseMemObject(buffer);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    puts("alive");
    return 0;
}
