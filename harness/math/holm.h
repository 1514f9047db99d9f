/* Correction of probabilities for the number of tests. */
#ifndef VEBENCH_HOLM_H
#define VEBENCH_HOLM_H

#include "base/error.h"

#include <stddef.h>

/* Holm's step-down correction (1979), in place: the i-th smallest of `count` probabilities, from 0,
 * is multiplied by (count - i), and is never less than the one before it. `first` is the first, and
 * each lies `stride` bytes behind the one before. STATUS_FAILED: out of memory. */
enum status holm_correct(double *first, size_t count, size_t stride, struct error *error);

#endif
