/*
 * pipeline: the timing of a vector engine's pipes.
 *
 * Each kernel runs a loop, and comes in two versions: with MANY steps per iteration, and with FEW.
 * The difference is the steps alone, because the loop's counter, its branch and what surrounds the
 * steps are the same in both. In a chain each step depends on the one before, which shows the
 * latency; rounds of independent instructions show how many lanes a pipe takes.
 *
 *   register     rotate and add: instructions that pass their results in registers
 *   accumulator  multiply-add of floats, for which the compiler keeps the value in the accumulator
 *   product      32-bit multiplication: a part to the accumulator, the rest from there
 *   flag         a comparison, a selection by its flag, a conversion and a rotation
 *   math         reciprocal, in the pipe for extended math
 *   lanes        multiply-adds on independent values
 *   operands     the same with one value for two operands: a register read twice
 *   math_lanes   reciprocals of independent values
 *   send         stores to local memory, which wait for nothing
 *   old_wait     loads from local memory, one after another, by the older half of the sub-groups,
 *                while the younger half adds to independent values, and never waits
 *   young_wait   the same with the halves exchanged
 *
 * The remaining kernels are loops with and without a barrier, whose sub-groups keep loading the
 * same word of local memory: nothing is outstanding when the barrier's fence begins.
 *
 * All results are exact in any implementation: floats are whole numbers below 2^24 or powers of 2.
 *
 *   data     in and out, one element per work-item
 *   witness  out, the sub-group size each work-item was run with
 *   slots    local memory, one element per work-item
 *   a, b     known only to the host: as uints, or the bits of floats
 */

/* Steps, or rounds of steps; as in harness/families/pipeline/pipeline.c. */
#define TIMES2(s)  s s
#define TIMES3(s)  TIMES2(s) s
#define TIMES4(s)  TIMES2(s) TIMES2(s)
#define TIMES6(s)  TIMES4(s) TIMES2(s)
#define TIMES7(s)  TIMES6(s) s
#define TIMES8(s)  TIMES4(s) TIMES4(s)
#define TIMES32(s) TIMES8(s) TIMES8(s) TIMES8(s) TIMES8(s)

#define EACH8(M, from)                                                                             \
    M(from) M(from + 1) M(from + 2) M(from + 3) M(from + 4) M(from + 5) M(from + 6) M(from + 7)

#define LOOP(steps)                                                                                \
    __attribute__((opencl_unroll_hint(1))) for (uint i = 0; i < iterations; i++)                   \
    {                                                                                              \
        steps                                                                                      \
    }

#define KERNEL_OF(name, statements)                                                                \
    __attribute__((intel_reqd_sub_group_size(SUB_GROUP_SIZE)))                                     \
    kernel void pipeline_##name(global uint *data, global uint *witness,                           \
                                local volatile uint *slots, uint iterations, uint a, uint b)       \
    {                                                                                              \
        uint lid = get_local_id(0);                                                                \
        uint gid = get_group_id(0) * get_local_size(0) + lid;                                      \
        uint v = data[gid];                                                                        \
                                                                                                   \
        (void)slots, (void)a, (void)b;                                                             \
        statements data[gid] = v;                                                                  \
        witness[gid] = get_sub_group_size();                                                       \
    }
#define KERNEL(name, before, steps, after) KERNEL_OF(name, before LOOP(steps) after)

/* One instruction. Of a sum the compiler would compute the end without the loop; this end differs
 * for all numbers of iterations. */
KERNEL(loop, , v = v * 5 + a;, )

#define ROTATE v = rotate(v, a) + i;
KERNEL(register_few, , TIMES8(ROTATE), )
KERNEL(register, , TIMES32(ROTATE), )

#define WHOLE_NUMBER     float f = convert_float(v & 0xff);
#define MULTIPLY_AND_ADD f = fma(f, as_float(a), as_float(b));
#define TO_WHOLE_NUMBER  v = convert_uint(f);
KERNEL(accumulator_few, WHOLE_NUMBER, TIMES8(MULTIPLY_AND_ADD), TO_WHOLE_NUMBER)
KERNEL(accumulator, WHOLE_NUMBER, TIMES32(MULTIPLY_AND_ADD), TO_WHOLE_NUMBER)

#define PRODUCT v = v * a;
KERNEL(product_few, , TIMES8(PRODUCT), )
KERNEL(product, , TIMES32(PRODUCT), )

/* Selects between two constants: other values Xe-HPG would select by their bits, without a flag, or
 * keep in the accumulator once selected. */
#define SELECT v = rotate(v, v < a ? 7u : 11u);
KERNEL(flag_few, , TIMES8(SELECT), )
KERNEL(flag, , TIMES32(SELECT), )

/* 2^-3 to 2^0, and a different one in each iteration. */
#define POWER_OF_2(n) as_float(0x3e000000u | ((n)&3) << 23)
#define NEXT_POWER(f) f = as_float(as_uint(f) ^ (i & a) << 23);
#define RECIPROCAL    f = native_recip(f);
KERNEL(math_few, float f = POWER_OF_2(v);, TIMES8(RECIPROCAL) NEXT_POWER(f), v = as_uint(f);)
KERNEL(math, float f = POWER_OF_2(v);, TIMES32(RECIPROCAL) NEXT_POWER(f), v = as_uint(f);)

/* As many values as fit into the registers. */
#if SUB_GROUP_SIZE == 32
#define VALUES  8
#define EACH(M) EACH8(M, 0)
#else
#define VALUES  16
#define EACH(M) EACH8(M, 0) EACH8(M, 8)
#endif

/* With a = -1 each value alternates between 0 and -1, an odd number of times, so that a missing
 * iteration shows. The factor is also -1, in a register of its own: there are fewer than 2^31
 * iterations. */
#define FACTOR      const float factor = as_float(a ^ iterations >> 31);
#define FLOAT_OF(k) f[k] = as_float((v >> (k)&1) * 0xbf800000u);
#define MULTIPLY(k) f[k] = fma(f[k], factor, as_float(a));
#define SQUARE(k)   f[k] = fma(f[k], f[k], as_float(a));
#define FOLD(k)     folded += as_uint(f[k]);
#define FLOATS(M)                                                                                  \
    float f[VALUES];                                                                               \
    uint folded = 0;                                                                               \
    EACH(M)
KERNEL(lanes_few, FACTOR FLOATS(FLOAT_OF), TIMES3(EACH(MULTIPLY)), EACH(FOLD) v = folded;)
KERNEL(lanes, FACTOR FLOATS(FLOAT_OF), TIMES7(EACH(MULTIPLY)), EACH(FOLD) v = folded;)
KERNEL(operands_few, FLOATS(FLOAT_OF), TIMES3(EACH(SQUARE)), EACH(FOLD) v = folded;)
KERNEL(operands, FLOATS(FLOAT_OF), TIMES7(EACH(SQUARE)), EACH(FOLD) v = folded;)

#define POWER_OF(k)      f[k] = POWER_OF_2(v + k);
#define RECIPROCAL_OF(k) f[k] = native_recip(f[k]);
#define NEXT_OF(k)       NEXT_POWER(f[k])
KERNEL(math_lanes_few, FLOATS(POWER_OF), TIMES2(EACH(RECIPROCAL_OF)) EACH(NEXT_OF),
       EACH(FOLD) v = folded;)
KERNEL(math_lanes, FLOATS(POWER_OF), TIMES6(EACH(RECIPROCAL_OF)) EACH(NEXT_OF),
       EACH(FOLD) v = folded;)

/* The stored value has to be read, or the store is optimised away. */
#define STORE slots[lid] = v;
KERNEL(send_few, STORE, TIMES8(STORE) v += a;, v += slots[lid];)
KERNEL(send, STORE, TIMES32(STORE) v += a;, v += slots[lid];)

/* Without the mask, which is 0, a load could begin before the one before it has ended. */
#define NEXT_LOAD                                                                                  \
    v += slots[lid ^ (v & iterations >> 31)];                                                      \
    v ^= i;
#define WORD(k) w[k] = v + k;
#define ADD(k)  w[k] += a;
#define MIX(k)  w[k] ^= i;
#define SUM(k)  v += w[k];
#define WAIT(waits)                                                                                \
    STORE if (waits)                                                                               \
    {                                                                                              \
        LOOP(TIMES4(NEXT_LOAD))                                                                    \
    }                                                                                              \
    else                                                                                           \
    {                                                                                              \
        uint w[VALUES];                                                                            \
        EACH(WORD) LOOP(TIMES3(EACH(ADD) EACH(MIX))) v = 0;                                        \
        EACH(SUM)                                                                                  \
    }
KERNEL_OF(old_wait, WAIT(get_sub_group_id() < get_num_sub_groups() / 2))
KERNEL_OF(young_wait, WAIT(get_sub_group_id() >= get_num_sub_groups() / 2))

#define LOAD                                                                                       \
    v += slots[lid];                                                                               \
    v ^= i;
KERNEL(no_barrier, STORE, LOAD, )
KERNEL(barrier, STORE, LOAD work_group_barrier(0);, )
KERNEL(barrier_local, STORE, LOAD work_group_barrier(CLK_LOCAL_MEM_FENCE);, )
KERNEL(barrier_global, STORE, LOAD work_group_barrier(CLK_GLOBAL_MEM_FENCE);, )
