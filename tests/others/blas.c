/* CLBlast's routines of all three levels on small matrices, against plain loops. */
#define CL_TARGET_OPENCL_VERSION 120
#include <clblast_c.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 70, COLUMNS = 50, DEPTH = 33, MOST = ROWS * COLUMNS };

static cl_context context;
static cl_command_queue queue;

static void fail(const char *what, int line, int status)
{
    fprintf(stderr, "blas.c:%d: %s: %d\n", line, what, status);
    exit(1);
}

#define CHECK(call)                                                                                \
    do {                                                                                           \
        int status_ = (int)(call);                                                                 \
        if (status_)                                                                               \
            fail(#call, __LINE__, status_);                                                        \
    } while (0)

static void open_device(void)
{
    cl_platform_id platform;
    cl_device_id device;
    cl_int status;

    CHECK(clGetPlatformIDs(1, &platform, NULL));
    CHECK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 1, &device, NULL));
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    CHECK(status);
    queue = clCreateCommandQueue(context, device, 0, &status);
    CHECK(status);
}

/* Small integers, whose products and sums are exact. */
static void fill(float *values, size_t count, unsigned step)
{
    for (size_t i = 0; i < count; i++)
        values[i] = (float)(i * step % 17) - 8;
}

static cl_mem to_device(const float *values, size_t count)
{
    cl_int status;
    cl_mem buffer =
        clCreateBuffer(context, CL_MEM_READ_WRITE, count * sizeof(*values), NULL, &status);

    CHECK(status);
    CHECK(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, count * sizeof(*values), values, 0, NULL,
                               NULL));
    return buffer;
}

static void compare(const char *what, cl_mem buffer, const float *expected, size_t count)
{
    static float found[MOST];

    CHECK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, count * sizeof(*found), found, 0, NULL,
                              NULL));
    for (size_t i = 0; i < count; i++)
        if (fabsf(found[i] - expected[i]) > 1e-3f) {
            fprintf(stderr, "%s: element %zu is %g, not %g\n", what, i, (double)found[i],
                    (double)expected[i]);
            exit(1);
        }
    printf("%s: right\n", what);
}

static void vectors(void)
{
    static float x[MOST], y[MOST], sum[MOST];
    float dot = 0;

    fill(x, MOST, 5);
    fill(y, MOST, 7);
    for (size_t i = 0; i < MOST; i++) {
        dot += x[i] * y[i];
        sum[i] = y[i] + 3 * x[i];
    }
    cl_mem on_x = to_device(x, MOST), on_y = to_device(y, MOST), on_dot = to_device(&dot, 1);
    CHECK(CLBlastSdot(MOST, on_dot, 0, on_x, 0, 1, on_y, 0, 1, &queue, NULL));
    compare("SDOT", on_dot, &dot, 1);
    CHECK(CLBlastSaxpy(MOST, 3, on_x, 0, 1, on_y, 0, 1, &queue, NULL));
    compare("SAXPY", on_y, sum, MOST);
}

static void matrices(void)
{
    static float a[ROWS * DEPTH], b[DEPTH * COLUMNS], c[ROWS * COLUMNS], v[ROWS];

    fill(a, ROWS * DEPTH, 3);
    fill(b, DEPTH * COLUMNS, 11);
    for (size_t i = 0; i < ROWS; i++)
        for (size_t k = 0; k < DEPTH; k++) {
            v[i] += a[i * DEPTH + k] * b[k];
            for (size_t j = 0; j < COLUMNS; j++)
                c[i * COLUMNS + j] += a[i * DEPTH + k] * b[k * COLUMNS + j];
        }
    cl_mem on_a = to_device(a, ROWS * DEPTH), on_b = to_device(b, DEPTH * COLUMNS);
    cl_mem on_c = to_device(c, ROWS * COLUMNS), on_v = to_device(a, ROWS);
    CHECK(CLBlastSgemv(CLBlastLayoutRowMajor, CLBlastTransposeNo, ROWS, DEPTH, 1, on_a, 0, DEPTH,
                       on_b, 0, 1, 0, on_v, 0, 1, &queue, NULL));
    compare("SGEMV", on_v, v, ROWS);
    CHECK(CLBlastSgemm(CLBlastLayoutRowMajor, CLBlastTransposeNo, CLBlastTransposeNo, ROWS, COLUMNS,
                       DEPTH, 2, on_a, 0, DEPTH, on_b, 0, COLUMNS, -1, on_c, 0, COLUMNS, &queue,
                       NULL));
    compare("SGEMM", on_c, c, ROWS * COLUMNS); /* 2 a b - c, where c is a b */
}

int main(void)
{
    open_device();
    vectors();
    matrices();
    return 0;
}
