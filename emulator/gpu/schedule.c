#include "gpu/schedule.h"

#include <stdlib.h>

int schedule_init(struct schedule *schedule, uint32_t count)
{
    *schedule = (struct schedule){.count = count, .leaves = 4};
    while (schedule->leaves < count)
        schedule->leaves *= 4;
    schedule->keys = malloc(2 * schedule->leaves * sizeof(*schedule->keys));
    if (!schedule->keys)
        return -1;
    for (uint32_t i = 0; i < 2 * schedule->leaves; i++)
        schedule->keys[i] = UINT64_MAX; /* what is no entry comes last */
    schedule_clear(schedule);
    return 0;
}

void schedule_clear(struct schedule *schedule)
{
    for (uint32_t i = 0; i < schedule->count; i++)
        schedule_set(schedule, i, UINT64_MAX);
}

void schedule_release(struct schedule *schedule)
{
    free(schedule->keys);
    *schedule = (struct schedule){0};
}
