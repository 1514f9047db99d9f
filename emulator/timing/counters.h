/* Counters of a walk: why it took as long as it did. */
#ifndef VESIM_COUNTERS_H
#define VESIM_COUNTERS_H

#include <stdint.h>

/* The same order as enum vesim_counter. */
enum counter {
#define COUNTER(name, what) COUNTER_##name,
#include "vesim/counters.def"
#undef COUNTER
    COUNTER_COUNT
};

struct counters {
    uint64_t value[COUNTER_COUNT];
};

static inline void count(struct counters *counters, enum counter counter, uint64_t amount)
{
    counters->value[counter] += amount;
}

/* Adds to `sum`, which has COUNTER_COUNT elements. */
void counters_add(uint64_t *sum, const struct counters *part);

#endif
