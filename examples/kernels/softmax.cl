/* Softmax of `rows` rows of LENGTH numbers, a sub-group to each. */
kernel void softmax(global const float *in, global float *out, uint rows)
{
    uint lane = get_sub_group_local_id(), step = get_global_size(0) / SUB_GROUP_SIZE;

    for (uint row = get_global_id(0) / SUB_GROUP_SIZE; row < rows; row += step) {
        float kept[LENGTH / SUB_GROUP_SIZE], most = -INFINITY, sum = 0.0f;

        for (uint i = 0; i < LENGTH / SUB_GROUP_SIZE; i++) {
            kept[i] = in[row * LENGTH + i * SUB_GROUP_SIZE + lane];
            most = fmax(most, kept[i]);
        }
        most = sub_group_reduce_max(most);
        for (uint i = 0; i < LENGTH / SUB_GROUP_SIZE; i++) {
            kept[i] = native_exp(kept[i] - most);
            sum += kept[i];
        }
        sum = sub_group_reduce_add(sum);
        for (uint i = 0; i < LENGTH / SUB_GROUP_SIZE; i++)
            out[row * LENGTH + i * SUB_GROUP_SIZE + lane] = kept[i] / sum;
    }
}
