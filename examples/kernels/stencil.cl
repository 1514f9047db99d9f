/* Five-point stencil on a grid with a border of one element. */
kernel void stencil(global const float *in, global float *out, uint pitch)
{
    uint at = (get_global_id(1) + 1) * pitch + get_global_id(0) + 1;

    out[at] = 0.5f * in[at] + 0.125f * (in[at - 1] + in[at + 1] + in[at - pitch] + in[at + pitch]);
}
