#include "dispatch/schedule.h"

#include <stdbool.h>
#include <stdlib.h>

int schedule_init(struct schedule *schedule, uint32_t count)
{
    *schedule = (struct schedule){.count = count};
    schedule->times = malloc(count * sizeof(*schedule->times));
    schedule->heap = malloc(count * sizeof(*schedule->heap));
    schedule->places = malloc(count * sizeof(*schedule->places));
    if (!schedule->times || !schedule->heap || !schedule->places) {
        schedule_release(schedule);
        return -1;
    }
    schedule_clear(schedule);
    return 0;
}

void schedule_clear(struct schedule *schedule)
{
    for (uint32_t i = 0; i < schedule->count; i++) {
        schedule->times[i] = UINT64_MAX;
        schedule->heap[i] = schedule->places[i] = i;
    }
}

void schedule_release(struct schedule *schedule)
{
    free(schedule->times);
    free(schedule->heap);
    free(schedule->places);
    *schedule = (struct schedule){0};
}

static bool before(const struct schedule *s, uint32_t a, uint32_t b)
{
    return s->times[a] < s->times[b] || (s->times[a] == s->times[b] && a < b);
}

static void put(struct schedule *s, uint32_t place, uint32_t entry)
{
    s->heap[place] = entry;
    s->places[entry] = place;
}

void schedule_set(struct schedule *s, uint32_t entry, uint64_t time)
{
    if (s->times[entry] == time)
        return;
    s->times[entry] = time;
    uint32_t i = s->places[entry];
    while (i > 0 && before(s, entry, s->heap[(i - 1) / 2])) {
        put(s, i, s->heap[(i - 1) / 2]);
        i = (i - 1) / 2;
    }
    for (uint32_t child; (child = 2 * i + 1) < s->count; i = child) {
        if (child + 1 < s->count && before(s, s->heap[child + 1], s->heap[child]))
            child++;
        if (!before(s, s->heap[child], entry))
            break;
        put(s, i, s->heap[child]);
    }
    put(s, i, entry);
}

uint32_t schedule_first(const struct schedule *schedule)
{
    return schedule->heap[0];
}

uint64_t schedule_second_time(const struct schedule *s)
{
    uint64_t second = UINT64_MAX;
    for (uint32_t i = 1; i < 3 && i < s->count; i++)
        if (s->times[s->heap[i]] < second)
            second = s->times[s->heap[i]];
    return second;
}
