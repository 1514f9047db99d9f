/* Who goes next: vector engines or Xe-cores, by the time of what they do next. A tournament: each
 * node of a tree holds the earliest of the four below it, so that a change costs three comparisons
 * a level and no branch. Ties go to the lower number, which makes the order, and with it every
 * timing, independent of anything but the model. */
#ifndef VESIM_SCHEDULE_H
#define VESIM_SCHEDULE_H

#include <stdint.h>

/* A key holds the time above the entry's number. So times end at 2 to the 54th, which at 10 GHz is
 * three weeks of a modelled GPU. */
enum { SCHEDULE_ENTRY_BITS = 10, SCHEDULE_MAX_ENTRIES = 1 << SCHEDULE_ENTRY_BITS };
#define SCHEDULE_NEVER (UINT64_MAX >> SCHEDULE_ENTRY_BITS)

struct schedule {
    uint32_t count;  /* of entries, all always present, at most SCHEDULE_MAX_ENTRIES */
    uint32_t leaves; /* the power of 4 from there on, at least 4 */
    uint64_t *keys;  /* the tree: 1 the root, 4n to 4n + 3 below n, `leaves` + n the entry n */
};

int schedule_init(struct schedule *schedule, uint32_t count);
void schedule_release(struct schedule *schedule);

/* Nothing to do for any entry. */
void schedule_clear(struct schedule *schedule);

static inline uint64_t schedule_key_time(uint64_t key)
{
    uint64_t time = key >> SCHEDULE_ENTRY_BITS;
    return time == SCHEDULE_NEVER ? UINT64_MAX : time;
}

/* The earliest of the three beside node `i`. */
static inline uint64_t schedule_beside(const uint64_t *keys, uint32_t i)
{
    uint64_t a = keys[i ^ 1], b = keys[i ^ 2], c = keys[i ^ 3];
    a = a < b ? a : b;
    return a < c ? a : c;
}

/* Sets an entry's time; UINT64_MAX: nothing to do. The way up reads none of what it has written. */
static inline void schedule_set(struct schedule *schedule, uint32_t entry, uint64_t time)
{
    uint64_t *keys = schedule->keys;
    uint64_t key = (time < SCHEDULE_NEVER ? time : SCHEDULE_NEVER) << SCHEDULE_ENTRY_BITS | entry;
    uint32_t i = schedule->leaves + entry;
    for (keys[i] = key; i > 1; keys[i] = key) {
        uint64_t beside = schedule_beside(keys, i);
        key = beside < key ? beside : key;
        i /= 4;
    }
}

/* The entry that goes first, */
static inline uint32_t schedule_first(const struct schedule *schedule)
{
    return (uint32_t)schedule->keys[1] & (SCHEDULE_MAX_ENTRIES - 1);
}

/* its time, */
static inline uint64_t schedule_first_time(const struct schedule *schedule)
{
    return schedule_key_time(schedule->keys[1]);
}

/* and the time of the one that would go after it. */
static inline uint64_t schedule_second_time(const struct schedule *schedule)
{
    uint64_t second = UINT64_MAX;
    for (uint32_t i = schedule->leaves + schedule_first(schedule); i > 1; i /= 4) {
        uint64_t beside = schedule_beside(schedule->keys, i);
        second = beside < second ? beside : second;
    }
    return schedule_key_time(second);
}

#endif
