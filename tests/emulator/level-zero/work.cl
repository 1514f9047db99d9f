/* Kernels for the tests of submission and time. */

kernel void add(global uint *data, uint value)
{
    data[get_global_id(0)] += value;
}

/* A chain of dependent steps: its time is proportional to `steps`. */
kernel void chain(global uint *data, uint steps)
{
    uint x = data[get_global_id(0)];

    for (uint i = 0; i < steps; i++)
        x = x * 1664525u + 1013904223u;
    data[get_global_id(0)] = x;
}

/* Adds to memory that no argument names: its address is data. */
kernel void add_through(global ulong *addresses, uint value)
{
    global uint *data = (global uint *)addresses[0];

    data[get_global_id(0)] += value;
}
