#include "math/discoveries.h"

#include <math.h>
#include <stdlib.h>

static int compare_probabilities(const void *left, const void *right)
{
    double a = **(double *const *)left;
    double b = **(double *const *)right;

    return (a > b) - (a < b);
}

enum status discoveries_correct(double *first, size_t count, size_t stride, struct error *error)
{
    double **sorted = calloc(count + 1, sizeof(*sorted));
    double least = 1.0;

    if (!sorted)
        return error_set(error, STATUS_FAILED, "out of memory");
    for (size_t i = 0; i < count; i++)
        sorted[i] = (double *)(void *)((char *)first + i * stride);
    qsort(sorted, count, sizeof(*sorted), compare_probabilities);
    for (size_t i = count; i > 0; i--) {
        least = fmin(least, *sorted[i - 1] * (double)count / (double)i);
        *sorted[i - 1] = least;
    }
    free(sorted);
    return STATUS_OK;
}
