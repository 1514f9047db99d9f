/* The rate of false discoveries among many tests. */
#ifndef VEBENCH_DISCOVERIES_H
#define VEBENCH_DISCOVERIES_H

#include "base/error.h"

#include <stddef.h>

/* Corrects `count` probabilities, `stride` bytes apart from `first` on, for their number (Benjamini
 * and Hochberg 1995): of those that are then below a level, at most that share is due to chance, on
 * average. The smallest of them is the probability of all tests together (Simes 1986). */
enum status discoveries_correct(double *first, size_t count, size_t stride, struct error *error);

#endif
