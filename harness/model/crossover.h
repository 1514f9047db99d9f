/* Where the cheaper one of two costs changes. */
#ifndef VEBENCH_CROSSOVER_H
#define VEBENCH_CROSSOVER_H

#include "model/choices.h"

#define CROSSINGS_MAX 8

/* Points are indices into the arrays compared. */
struct crossing {
    size_t at;                      /* the first point at which the other one is cheaper */
    size_t noise_first, noise_last; /* around `at` the two cannot be told apart from the one to
                                       the other; noise_first > noise_last: they can everywhere */
};

struct crossover {
    bool second_first;  /* the second is the cheaper one at point 0 */
    size_t clear_count; /* points at which the two can be told apart */
    struct crossing crossing[CROSSINGS_MAX];
    size_t count;
};

/* Two costs at the same `count` points; `count` at least 1. */
struct crossover crossover_find(const struct estimate *first, const struct estimate *second,
                                size_t count);

#endif
