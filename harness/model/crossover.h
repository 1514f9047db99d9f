/* Finds where the cheaper of two costs changes. */
#ifndef VEBENCH_CROSSOVER_H
#define VEBENCH_CROSSOVER_H

#include "model/choices.h"

#define CROSSINGS_MAX 8

/* Points are indices into the arrays compared. */
struct crossing {
    size_t at;                      /* the first point at which the other cost is the cheaper one */
    size_t noise_first, noise_last; /* the range around `at`, inclusive, in which the two cannot be
                                       told apart; empty (first > last) where they always can */
};

struct crossover {
    bool second_first;  /* the second is cheaper at point 0 */
    size_t clear_count; /* points at which the two can be told apart */
    struct crossing crossing[CROSSINGS_MAX];
    size_t count;
};

/* Compares two costs at the same `count` points; `count` is at least 1. */
struct crossover crossover_find(const struct estimate *first, const struct estimate *second,
                                size_t count);

#endif
