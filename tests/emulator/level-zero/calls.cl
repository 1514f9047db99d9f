/* Calls functions of another module: by name, and by an address that the program hands over. */
#pragma OPENCL EXTENSION __cl_clang_function_pointers : enable

int add_five(int x);
int times(int x, int y);

kernel void by_name(global int *data)
{
    int i = get_global_id(0);

    data[i] = i % 3 == 0 ? add_five(data[i]) : times(data[i], i);
}

typedef int (*function)(int);

kernel void by_address(global int *data, ulong address)
{
    int i = get_global_id(0);

    data[i] = ((function)address)(data[i]);
}
