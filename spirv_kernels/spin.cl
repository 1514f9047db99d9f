/* Keeps one hardware thread busy for a while, so that the clock has ramped up when the next kernel
 * starts. With COUNT_CYCLES it also counts clock cycles, with the timestamp register that Intel's
 * compiler exposes; with other compilers that module does not build. */

#if COUNT_CYCLES
/* Cycles of the vector engine's clock, from an arbitrary start. */
ulong __attribute__((overloadable)) intel_get_cycle_counter(void);
#define SPIN spin_counting
#else
#define intel_get_cycle_counter() 0ul
#define SPIN                      spin
#endif

__attribute__((intel_reqd_sub_group_size(16))) kernel void SPIN(global ulong *cycles,
                                                                uint iterations)
{
    ulong start = intel_get_cycle_counter();
    uint x = get_local_id(0);

    /* A chain of dependent steps. The compiler cannot know that it never ends at 1. */
    for (uint i = 0; i < iterations; i++)
        x = x * 1664524u + 1013904224u;
    if (get_local_id(0) == 0)
        *cycles = intel_get_cycle_counter() - start + (x == 1u);
}
