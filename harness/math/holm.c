#include "math/holm.h"

#include <math.h>
#include <stdlib.h>

static int compare_probabilities(const void *left, const void *right)
{
    double a = **(double *const *)left;
    double b = **(double *const *)right;

    return (a > b) - (a < b);
}

enum status holm_correct(double *first, size_t count, size_t stride, struct error *error)
{
    double **sorted = calloc(count + 1, sizeof(*sorted));
    double largest = 0.0;

    if (!sorted)
        return error_set(error, STATUS_FAILED, "out of memory");
    for (size_t i = 0; i < count; i++)
        sorted[i] = (double *)(void *)((char *)first + i * stride);
    qsort(sorted, count, sizeof(*sorted), compare_probabilities);
    for (size_t i = 0; i < count; i++) {
        largest = fmax(largest, fmin(1.0, (double)(count - i) * *sorted[i]));
        *sorted[i] = largest;
    }
    free(sorted);
    return STATUS_OK;
}
