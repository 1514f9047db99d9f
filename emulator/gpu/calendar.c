#include "gpu/calendar.h"

#include <string.h>

void calendar_clear(struct calendar *calendar)
{
    memset(calendar, 0, sizeof(*calendar));
    memset(calendar->time, 0xff, sizeof(calendar->time));
}

void calendar_turn(struct calendar *calendar)
{
    uint64_t time[CALENDAR_ENTRIES], first = UINT64_MAX;

    memcpy(time, calendar->time, sizeof(time));
    for (uint32_t i = 0; i < CALENDAR_ENTRIES; i++)
        first = time[i] < first ? time[i] : first;
    calendar_clear(calendar);
    calendar->start = first;
    for (uint32_t i = 0; i < CALENDAR_ENTRIES; i++)
        calendar_set(calendar, i, time[i]);
}
