/* ROUNDS rounds of a multiply-and-shift hash: arithmetic on whole numbers, hardly any memory. */
kernel void hash(global const uint *in, global uint *out)
{
    uint value = in[get_global_id(0)];

    for (uint i = 0; i < ROUNDS; i++) {
        value ^= value >> 16;
        value *= 0x7feb352du;
        value ^= value >> 15;
        value *= 0x846ca68bu;
        value += i;
    }
    out[get_global_id(0)] = value;
}
