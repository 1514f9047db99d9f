/* STREAM's four loops, four floats a work-item (McCalpin, https://www.cs.virginia.edu/stream). */
#if LOOP == 0 /* copy */
#define OF(a, b) (a)
#elif LOOP == 1 /* scale */
#define OF(a, b) (3 * (a))
#elif LOOP == 2 /* add */
#define OF(a, b) ((a) + (b))
#else /* triad */
#define OF(a, b) ((a) + 3 * (b))
#endif

#if LOOP < 2
kernel void stream(global const float4 *a, global float4 *c)
{
    size_t i = get_global_id(0);

    c[i] = OF(a[i], 0);
}
#else
kernel void stream(global const float4 *a, global const float4 *b, global float4 *c)
{
    size_t i = get_global_id(0);

    c[i] = OF(a[i], b[i]);
}
#endif
