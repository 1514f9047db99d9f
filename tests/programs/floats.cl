/* Arithmetic and mathematics in single and half precision, and in double precision if the device
 * has it. */
#include "sub-group.h"

KERNEL void arithmetic(global const float *a, global const float *b, global float *out)
{
    size_t id = get_global_id(0);
    float x = a[id], y = b[id];
    out += id * 24;
    out[0] = x + y;
    out[1] = x - y;
    out[2] = x * y;
    out[3] = x / y;
    out[4] = fma(x, y, 1.5f);
    out[5] = fmin(x, y);
    out[6] = fmax(x, y);
    out[7] = floor(x);
    out[8] = ceil(x);
    out[9] = rint(x);
    out[10] = trunc(x);
    out[11] = round(x);
    out[12] = fabs(x) - copysign(2.0f, y);
    out[13] = sqrt(fabs(x));
    out[14] = rsqrt(fabs(x));
    out[15] = x > y ? x : isnan(x) ? 3.0f : -y;
    out[16] = clamp(x, -1.0f, 1.0f);
    out[17] = fmod(x, y);
    out[18] = ldexp(x, (int)clamp(y, -20.0f, 20.0f));
    out[19] = fract(x, out + 20);
    int exponent;
    out[21] = frexp(x, &exponent);
    out[22] = exponent;
    out[23] = fdim(x, y);
}

KERNEL void compare(global const float *a, global const float *b, global uint *out)
{
    size_t id = get_global_id(0);
    float x = a[id], y = b[id];
    uint r = 0;
    r |= (uint)(x == y) << 0 | (uint)(x != y) << 1 | (uint)(x < y) << 2 | (uint)(x <= y) << 3;
    r |= (uint)(x > y) << 4 | (uint)(x >= y) << 5 | (uint)isless(x, y) << 6;
    r |= (uint)isunordered(x, y) << 7 | (uint)islessgreater(x, y) << 8 | (uint)isnan(x) << 9;
    r |= (uint)isinf(y) << 10 | (uint)isfinite(x) << 11 | (uint)signbit(x) << 12;
    r |= (uint)isnormal(x) << 13 | (uint)isordered(x, y) << 14 | (uint) !(x < y) << 15;
    if (x < y && y < 10.0f)
        r |= 1 << 16;
    if (!(x > y) || x == 1.0f)
        r |= 1 << 17;
    out[id] = r;
}

/* Arguments in (0, 20): every function is defined. */
KERNEL void functions(global const float *a, global const float *b, global float *out)
{
    size_t id = get_global_id(0);
    float x = a[id], y = b[id], c;
    out += id * 32;
    out[0] = sin(x);
    out[1] = cos(x);
    out[2] = tan(x);
    out[3] = exp(x);
    out[4] = log(x);
    out[5] = pow(x, y * 0.25f);
    out[6] = exp2(x);
    out[7] = log2(x);
    out[8] = exp10(x * 0.5f);
    out[9] = log10(x);
    out[10] = atan2(x, y);
    out[11] = asin(x * 0.05f);
    out[12] = acos(x * 0.05f);
    out[13] = atan(x);
    out[14] = sinh(x * 0.25f);
    out[15] = tanh(x * 0.25f);
    out[16] = cbrt(x);
    out[17] = hypot(x, y);
    out[18] = erf(x * 0.1f);
    out[19] = expm1(x * 0.1f);
    out[20] = log1p(x);
    out[21] = sincos(y, &c);
    out[22] = c;
    out[23] = remainder(x, y);
    out[24] = sin(x * 100000.0f);
    out[25] = pown(x, 5);
    out[26] = mix(x, y, 0.25f);
    out[27] = smoothstep(0.0f, 20.0f, x);
    out[28] = length((float4)(x, y, x, y));
    out[29] = cross((float4)(x, y, 1, 0), (float4)(y, x, 2, 0)).z;
    out[30] = tgamma(x * 0.25f + 0.5f);
    out[31] = rootn(x, 3);
}

KERNEL void native_functions(global const float *a, global const float *b, global float *out)
{
    size_t id = get_global_id(0);
    float x = a[id], y = b[id];
    out += id * 10;
    out[0] = native_sin(x);
    out[1] = native_cos(x);
    out[2] = native_exp(x);
    out[3] = native_log(x);
    out[4] = native_sqrt(x);
    out[5] = native_rsqrt(x);
    out[6] = native_recip(x);
    out[7] = native_divide(x, y);
    out[8] = native_powr(x, y * 0.25f);
    out[9] = half_exp2(x * 0.5f);
}

KERNEL void halves(global const half *a, global const half *b, global half *out)
{
    size_t id = get_global_id(0);
    half x = a[id], y = b[id];
    out += id * 12;
    out[0] = x + y;
    out[1] = x - y;
    out[2] = x * y;
    out[3] = fma(x, y, (half)1.5h);
    out[4] = fmin(x, y);
    out[5] = fmax(x, y);
    out[6] = floor(x);
    out[7] = rint(x);
    out[8] = x < y ? x : (half)-y;
    out[9] = fabs(x);
    out[10] = x / y;
    out[11] = sqrt(fabs(x));
}

KERNEL void half_vectors(global const half8 *a, global half8 *out)
{
    size_t id = get_global_id(0);
    half8 x = a[id];
    out[id] = (half8)(x.odd, x.even) * x + (half8)(x.s0);
}

/* Results below the least normal number. */
KERNEL void denormals(global const float *a, global float *out)
{
    size_t id = get_global_id(0);
    out[id * 3] = a[id] * 0x1p-20f;
    out[id * 3 + 1] = a[id] * 0.5f + a[id] * 0.25f;
    out[id * 3 + 2] = a[id] - 0x1.8p-126f;
}
