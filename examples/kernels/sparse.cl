/* y = A x of a sparse matrix in ELLPACK: `width` elements a row, stored column by column. */
kernel void sparse(global const float *values, global const uint *columns, global const float *x,
                   global float *y, uint rows, uint width)
{
    uint row = get_global_id(0);
    float sum = 0.0f;

    for (uint i = 0; i < width; i++)
        sum = fma(values[i * rows + row], x[columns[i * rows + row]], sum);
    y[row] = sum;
}
