#include "math/many-tests.h"

#include <math.h>
#include <stdlib.h>

static int compare_probabilities(const void *left, const void *right)
{
    double a = **(double *const *)left;
    double b = **(double *const *)right;

    return (a > b) - (a < b);
}

/* Where the probabilities stand, the smallest first; the caller frees it. NULL: out of memory. */
static double **sort(double *first, size_t count, size_t stride)
{
    double **sorted = calloc(count + 1, sizeof(*sorted));

    if (!sorted)
        return NULL;
    for (size_t i = 0; i < count; i++)
        sorted[i] = (double *)(void *)((char *)first + i * stride);
    qsort(sorted, count, sizeof(*sorted), compare_probabilities);
    return sorted;
}

enum status holm_correct(double *first, size_t count, size_t stride, struct error *error)
{
    double **sorted = sort(first, count, stride);
    double largest = 0.0;

    if (!sorted)
        return error_out_of_memory(error);
    for (size_t i = 0; i < count; i++) {
        largest = fmax(largest, fmin(1.0, (double)(count - i) * *sorted[i]));
        *sorted[i] = largest;
    }
    free(sorted);
    return STATUS_OK;
}

enum status discoveries_correct(double *first, size_t count, size_t stride, struct error *error)
{
    double **sorted = sort(first, count, stride);
    double least = 1.0;

    if (!sorted)
        return error_out_of_memory(error);
    for (size_t i = count; i > 0; i--) {
        least = fmin(least, *sorted[i - 1] * (double)count / (double)i);
        *sorted[i - 1] = least;
    }
    free(sorted);
    return STATUS_OK;
}
