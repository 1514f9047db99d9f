/* What linked.c links to the kernel of linked-kernels.cl. */
int plus(int x, int y);
global int sum = 100;

int twice_plus(int x, int y)
{
    return 2 * plus(x, y) + 3;
}

/* Takes no ids. */
kernel void read_sum(global int *data)
{
    data[0] = sum;
}
