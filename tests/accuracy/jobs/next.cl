/* Stands for the launch that comes next in an application: it begins when what the one before has
 * left in the caches is written back, which is so counted. */
kernel void next(global uint *begun)
{
    begun[get_global_id(0)] = 1;
}
