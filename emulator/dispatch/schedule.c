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
    for (uint32_t i = 0; i < count; i++) {
        schedule->times[i] = UINT64_MAX;
        schedule->heap[i] = schedule->places[i] = i;
    }
    return 0;
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

static void swap(struct schedule *s, uint32_t i, uint32_t j)
{
    uint32_t entry = s->heap[i];
    s->heap[i] = s->heap[j];
    s->heap[j] = entry;
    s->places[s->heap[i]] = i;
    s->places[s->heap[j]] = j;
}

void schedule_set(struct schedule *s, uint32_t entry, uint64_t time)
{
    s->times[entry] = time;
    uint32_t i = s->places[entry];
    while (i > 0 && before(s, s->heap[i], s->heap[(i - 1) / 2])) {
        swap(s, i, (i - 1) / 2);
        i = (i - 1) / 2;
    }
    for (;;) {
        uint32_t least = i, left = 2 * i + 1, right = left + 1;
        if (left < s->count && before(s, s->heap[left], s->heap[least]))
            least = left;
        if (right < s->count && before(s, s->heap[right], s->heap[least]))
            least = right;
        if (least == i)
            return;
        swap(s, i, least);
        i = least;
    }
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
