/* Corrections of probabilities for the number of tests. Each works in place on `count`
 * probabilities, of which `first` is the first and the others follow `stride` bytes apart.
 * Fails only when out of memory. */
#ifndef VEBENCH_MANY_TESTS_H
#define VEBENCH_MANY_TESTS_H

#include "base/error.h"

#include <stddef.h>

/* Limits the chance that any is wrong (Holm's step-down correction, 1979): the i-th smallest, from
 * 0, is multiplied by (count - i), and is never less than the one before it. */
enum status holm_correct(double *first, size_t count, size_t stride, struct error *error);

/* Limits the rate of false discoveries (Benjamini and Hochberg 1995): of the probabilities that are
 * then below a level, at most that share is due to chance, on average. The smallest of them is the
 * probability of all tests together (Simes 1986). */
enum status discoveries_correct(double *first, size_t count, size_t stride, struct error *error);

#endif
