/* One row of attention with a running maximum: each work-item has a query of DEPTH numbers. */
kernel void attention(global const float *queries, global const float *keys,
                      global const float *values, global float *out, uint length)
{
    uint row = get_global_id(0);
    float query[DEPTH], sum[DEPTH], most = -INFINITY, weights = 0.0f;

    for (uint d = 0; d < DEPTH; d++) {
        query[d] = queries[row * DEPTH + d];
        sum[d] = 0.0f;
    }
    for (uint k = 0; k < length; k++) {
        float score = 0.0f;

        for (uint d = 0; d < DEPTH; d++)
            score = fma(query[d], keys[k * DEPTH + d], score);
        float next = fmax(most, score), fade = native_exp(most - next);
        float weight = native_exp(score - next);

        for (uint d = 0; d < DEPTH; d++)
            sum[d] = fma(weight, values[k * DEPTH + d], sum[d] * fade);
        weights = fma(weights, fade, weight);
        most = next;
    }
    for (uint d = 0; d < DEPTH; d++)
        out[row * DEPTH + d] = sum[d] / weights;
}
