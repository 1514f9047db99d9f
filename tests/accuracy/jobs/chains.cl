/* Two values that feed each other, x = y * x + y, y = x * y + x: how clpeak (Bhat,
 * https://github.com/krrishnarraj/clpeak) and OpenCL-Benchmark (Lehmann,
 * https://github.com/ProjectPhysX/OpenCL-Benchmark) measure the rate of multiply-adds. Floats begin
 * between -1 and 0 and stay there. */
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

#if TYPE == 0
typedef float word;
#define FROM(low, high)       (-(1 + (low)) / 128.0f)
#define MULTIPLY_ADD(a, b, c) fma(a, b, c)
#define TO_UINT(x)            as_uint(x)
#elif TYPE == 1
typedef half2 word;
#define FROM(low, high)       (half2)(-(1 + (low)) / 128.0f, -(1 + (high)) / 128.0f)
#define MULTIPLY_ADD(a, b, c) fma(a, b, c)
#define TO_UINT(x)            as_uint(x)
#elif TYPE == 2
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef double word;
#define FROM(low, high)       (-(1 + (low)) / 128.0)
#define MULTIPLY_ADD(a, b, c) fma(a, b, c)
#define TO_UINT(x)            as_uint((float)(x))
#elif TYPE == 3
typedef int word;
#define FROM(low, high)       ((low) + ((high) << 16))
#define MULTIPLY_ADD(a, b, c) ((a) * (b) + (c))
#define TO_UINT(x)            as_uint(x)
#else
typedef long word;
#define FROM(low, high)       ((long)(low) + ((long)(high) << 16))
#define MULTIPLY_ADD(a, b, c) ((a) * (b) + (c))
#define TO_UINT(x)            ((uint)(x))
#endif

kernel void chains(global uint *out)
{
    const int item = (int)get_global_id(0) % 127, member = (int)get_local_id(0) % 61;
    word x = FROM(item, member), y = FROM(member, item);

    for (uint i = 0; i < TURNS; i++) {
        x = MULTIPLY_ADD(y, x, y);
        y = MULTIPLY_ADD(x, y, x);
    }
    out[get_global_id(0)] = TO_UINT(y);
}
