#include "gpu/calendar.h"

#include <string.h>

void calendar_clear(struct calendar *calendar)
{
    memset(calendar, 0, sizeof(*calendar));
    memset(calendar->time, 0xff, sizeof(calendar->time));
}

/* Takes all entries off. Returns a bit for each that has an event. */
static uint32_t take_all(struct calendar *calendar)
{
    uint32_t entries = calendar->later;

    for (uint64_t left = calendar->busy; left; left &= left - 1) {
        uint32_t *due = &calendar->due[__builtin_ctzll(left)];

        entries |= *due;
        *due = 0;
    }
    calendar->busy = 0;
    calendar->later = 0;
    return entries;
}

void calendar_turn(struct calendar *calendar)
{
    uint32_t entries = take_all(calendar);
    uint64_t first = UINT64_MAX;

    for (uint32_t left = entries; left; left &= left - 1) {
        uint64_t time = calendar->time[__builtin_ctz(left)];

        first = time < first ? time : first;
    }
    calendar->start = first;
    for (uint32_t left = entries; left; left &= left - 1)
        calendar_put(calendar, (uint32_t)__builtin_ctz(left));
}
