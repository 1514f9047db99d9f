/* Kernels that hang a GPU. */

kernel void bad_pointer(global uint *flag, ulong address)
{
    *(global uint *)address = flag[0];
}

kernel void endless_loop(global volatile uint *flag, ulong address)
{
    while (flag[0] == 0)
        ;
    flag[1] = (uint)address;
}
