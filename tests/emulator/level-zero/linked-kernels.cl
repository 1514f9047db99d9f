/* Calls a function of linked-library.cl, which calls one from here, and adds to a variable there.
 */
int twice_plus(int x, int y);
extern global int sum;

int plus(int x, int y)
{
    return x + y;
}

kernel void across(global int *data)
{
    int i = get_global_id(0);

    data[i] = twice_plus(data[i], i % 4) + 1;
    atomic_add(&sum, data[i]);
}
