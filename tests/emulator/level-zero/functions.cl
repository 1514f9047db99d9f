/* What modules.c links to the kernels of calls.cl. */
int add_five(int x)
{
    return x + 5;
}

int times(int x, int y)
{
    int sum = 0;

    for (int i = 0; i < y; i++)
        sum += x;
    return add_five(sum);
}

kernel void unused(global int *data)
{
    data[0] = times(data[1], data[2]);
}
