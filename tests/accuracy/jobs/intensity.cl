/* So many multiply-adds for each word that is read, after the roofline benchmark mixbench
 * (Konstantinidis and Cotronis, https://github.com/ekondis/mixbench): a work-item reads 32 words,
 * eight at a time, each the start of a chain of PRODUCTS products of the value with itself. It
 * writes one word, mixbench none. */
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

#define TOGETHER 8
#define TIMES    4

#if TYPE == 0
typedef float word;
#define SEED                  -0.25f
#define MULTIPLY_ADD(a, b, c) mad(a, b, c)
#elif TYPE == 1
typedef half2 word;
#define SEED                  (half2)(-0.25f)
#define MULTIPLY_ADD(a, b, c) mad(a, b, c)
#else
typedef int word;
#define SEED                  12345
#define MULTIPLY_ADD(a, b, c) ((a) * (b) + (c))
#endif

kernel void intensity(global const word *in, global word *out)
{
    size_t at = get_group_id(0) * get_local_size(0) * TOGETHER + get_local_id(0);
    size_t step = get_global_size(0) * TOGETHER;
    word seed = SEED, sum = 0;

    for (uint i = 0; i < TIMES; i++, at += step) {
        word value[TOGETHER];

#pragma unroll
        for (uint j = 0; j < TOGETHER; j++)
            value[j] = in[at + j * get_local_size(0)];
#pragma unroll 16
        for (uint k = 0; k < PRODUCTS; k++) {
#pragma unroll
            for (uint j = 0; j < TOGETHER; j++)
                value[j] = MULTIPLY_ADD(value[j], value[j], seed);
        }
#pragma unroll
        for (uint j = 0; j < TOGETHER; j += 2)
            sum = MULTIPLY_ADD(value[j], value[j + 1], sum);
    }
    out[get_global_id(0)] = sum;
}
