/* A calendar queue: which of an Xe-core's vector engines acts next. Most of them act within a few
 * cycles of one another, so a wheel of one set of engines for each of the next cycles finds the
 * first, and its successor, in a few steps; the few that act later wait beside it. Of several in
 * one cycle the lowest number goes first: the order, and with it all timing, depends only on the
 * model. */
#ifndef VESIM_CALENDAR_H
#define VESIM_CALENDAR_H

#include <stdint.h>

enum { CALENDAR_ENTRIES = 32, CALENDAR_CYCLES = 64 };

struct calendar {
    uint64_t time[CALENDAR_ENTRIES]; /* of each entry; UINT64_MAX: it does not act */
    uint64_t start;                  /* the wheel's cycles are this one and those after it */
    uint64_t busy;                 /* a bit for each cycle, modulo their number, that has entries */
    uint32_t due[CALENDAR_CYCLES]; /* for each cycle, a bit for each of its entries */
    uint32_t later;                /* a bit for each entry after the wheel's cycles, */
    uint64_t later_time;           /* and a cycle that none of them comes before */
};

/* Removes the events of all entries. */
void calendar_clear(struct calendar *calendar);

/* Sets the wheel anew, with the first event's cycle as its first. */
void calendar_turn(struct calendar *calendar);

/* The first cycle with entries among those in `busy`, of which there must be one. */
static inline uint64_t calendar_cycle(const struct calendar *calendar, uint64_t busy)
{
    uint32_t turned = calendar->start % CALENDAR_CYCLES;
    uint64_t ahead = busy >> turned | busy << (-turned % CALENDAR_CYCLES);

    return calendar->start + (uint64_t)__builtin_ctzll(ahead);
}

static inline void calendar_remove(struct calendar *calendar, uint32_t entry)
{
    uint64_t cycle = calendar->time[entry] % CALENDAR_CYCLES;
    uint32_t bit = UINT32_C(1) << entry;

    if (calendar->later & bit) {
        calendar->later &= ~bit;
    } else if (calendar->time[entry] != UINT64_MAX) {
        calendar->due[cycle] &= ~bit;
        calendar->busy &= ~((uint64_t)(calendar->due[cycle] == 0) << cycle);
    }
}

/* Puts an entry that is nowhere where its time belongs. */
static inline void calendar_put(struct calendar *calendar, uint32_t entry)
{
    uint32_t bit = UINT32_C(1) << entry;
    uint64_t time = calendar->time[entry];

    if (time - calendar->start < CALENDAR_CYCLES) { /* and not before it */
        calendar->due[time % CALENDAR_CYCLES] |= bit;
        calendar->busy |= UINT64_C(1) << time % CALENDAR_CYCLES;
    } else if (time != UINT64_MAX) {
        uint64_t before = calendar->later ? calendar->later_time : UINT64_MAX;

        calendar->later |= bit;
        calendar->later_time = time < before ? time : before;
    }
}

/* Sets an entry's time; UINT64_MAX: no event. */
static inline void calendar_set(struct calendar *calendar, uint32_t entry, uint64_t time)
{
    calendar_remove(calendar, entry);
    calendar->time[entry] = time;
    calendar_put(calendar, entry);
}

/* The time of the entry that is due first; UINT64_MAX: there is none. To be called before
 * calendar_take(). */
static inline uint64_t calendar_first_time(struct calendar *calendar)
{
    uint64_t first = calendar->busy ? calendar_cycle(calendar, calendar->busy) : UINT64_MAX;

    if (calendar->later && calendar->later_time <= first) {
        calendar_turn(calendar);
        first = calendar_cycle(calendar, calendar->busy);
    }
    if (first != UINT64_MAX)
        calendar->start = first;
    return first;
}

/* Takes that entry, of which there must be one, off: it does not act until it is set again. */
static inline uint32_t calendar_take(struct calendar *calendar)
{
    uint64_t cycle = calendar->start % CALENDAR_CYCLES;
    uint32_t due = calendar->due[cycle], rest = due & (due - 1);
    uint32_t entry = (uint32_t)__builtin_ctz(due);

    calendar->due[cycle] = rest;
    calendar->busy ^= (uint64_t)(rest == 0) << cycle;
    calendar->time[entry] = UINT64_MAX;
    return entry;
}

/* A time that no entry comes before; that of the first, if it is on the wheel. */
static inline uint64_t calendar_bound(const struct calendar *calendar)
{
    uint64_t first = calendar->busy ? calendar_cycle(calendar, calendar->busy) : UINT64_MAX;

    return calendar->later && calendar->later_time < first ? calendar->later_time : first;
}

/* Sets the time of an entry that does not act. */
static inline void calendar_add(struct calendar *calendar, uint32_t entry, uint64_t time)
{
    calendar->time[entry] = time;
    calendar_put(calendar, entry);
}

#endif
