/* A work-item reads or writes 16 words of 32 bits, after OpenCL-Benchmark (Lehmann,
 * https://github.com/ProjectPhysX/OpenCL-Benchmark): in rows, each lane the word beside its
 * neighbour's, or by lines, each lane a line of its own. */
#define WORDS 16

#if BY_LINES
#define AT(item, i) ((item)*WORDS + (i))
#else
#define AT(item, i) ((i)*get_global_size(0) + (item))
#endif

#if WRITES
kernel void words(global uint *out)
{
    size_t item = get_global_id(0);

    for (uint i = 0; i < WORDS; i++)
        out[AT(item, i)] = (uint)item;
}
#else
kernel void words(global const float *in, global float *out)
{
    size_t item = get_global_id(0);
    float sum = 0;

    for (uint i = 0; i < WORDS; i++)
        sum += in[AT(item, i)];
    out[item] = sum;
}
#endif
