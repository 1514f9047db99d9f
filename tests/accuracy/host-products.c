/* products.cl on the host. */
#include "host-jobs.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "job/half.h"

#include "test.h"

enum { FLOATS, HALVES };
enum { VECTOR_ROWS = 4096 };

/* Of a product, a size is the side of its square matrices; with a vector, the length of a row. */
double product_work(unsigned size)
{
    return 2.0 * size * size * size;
}

double matrix_vector_work(unsigned size)
{
    return 2.0 * VECTOR_ROWS * size;
}

size_t product_bytes(const struct host_job *job, unsigned size)
{
    return (size_t)size * size * (job->kind == HALVES ? 2 : 4);
}

size_t matrix_vector_bytes(const struct host_job *job, unsigned size)
{
    (void)job;
    (void)size;
    return VECTOR_ROWS * sizeof(float);
}

static float element(uint32_t i)
{
    i = (i ^ i >> 15) * 0x2C1B3C6Du;
    i = (i ^ i >> 12) * 0x297A2D39u;
    return (float)((i >> 16) % 3) - 1;
}

static float *elements(size_t count, bool of_left)
{
    float *values = malloc(count * sizeof(*values));

    assert_non_null(values);
    for (size_t i = 0; i < count; i++)
        values[i] = element(of_left ? (uint32_t)i : ~(uint32_t)i);
    return values;
}

static void put_row(const struct host_job *job, void *output, size_t row, const float *values,
                    unsigned size)
{
    if (job->kind == FLOATS)
        memcpy((float *)output + row * size, values, size * sizeof(*values));
    else
        for (size_t j = 0; j < size; j++)
            ((uint16_t *)output)[row * size + j] = half_from_float(values[j]);
}

void product_compute(const struct host_job *job, unsigned size, void *output)
{
    float *left = elements((size_t)size * size, true),
          *right = elements((size_t)size * size, false);
    float *sum = malloc(size * sizeof(*sum));

    assert_non_null(sum);
    for (size_t i = 0; i < size; i++) {
        memset(sum, 0, size * sizeof(*sum));
        for (size_t k = 0; k < size; k++) {
            const float factor = left[i * size + k], *row = right + k * size;

            for (size_t j = 0; factor != 0 && j < size; j++)
                sum[j] += factor * row[j];
        }
        put_row(job, output, i, sum, size);
    }
    free(sum);
    free(right);
    free(left);
}

void matrix_vector_compute(const struct host_job *job, unsigned size, void *output)
{
    float *left = elements((size_t)VECTOR_ROWS * size, true), *right = elements(size, false);
    float *out = output;

    (void)job;
    for (size_t i = 0; i < VECTOR_ROWS; i++) {
        out[i] = 0;
        for (size_t k = 0; k < size; k++)
            out[i] += left[i * size + k] * right[k];
    }
    free(right);
    free(left);
}
