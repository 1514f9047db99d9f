#include "timing/counters.h"

void counters_add(uint64_t *sum, const struct counters *part)
{
    for (unsigned i = 0; i < COUNTER_COUNT; i++)
        sum[i] += part->value[i];
}
