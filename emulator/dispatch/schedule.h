/* Vector engines in the order in which they can issue: a binary heap with a place for each, so
 * that any of them can move when its time changes. Ties go to the lower number, which makes the
 * order, and with it every timing, independent of anything but the model. */
#ifndef VESIM_SCHEDULE_H
#define VESIM_SCHEDULE_H

#include <stdint.h>

struct schedule {
    uint32_t count;   /* of entries, all always present */
    uint64_t *times;  /* by entry; UINT64_MAX: nothing to do */
    uint32_t *heap;   /* entries, the earliest first */
    uint32_t *places; /* by entry, its index in the heap */
};

int schedule_init(struct schedule *schedule, uint32_t count);
void schedule_release(struct schedule *schedule);

/* Nothing to do for any entry. */
void schedule_clear(struct schedule *schedule);

/* Sets an entry's time. */
void schedule_set(struct schedule *schedule, uint32_t entry, uint64_t time);

/* The entry that goes first, and the time of the one that would go after it. */
uint32_t schedule_first(const struct schedule *schedule);
uint64_t schedule_second_time(const struct schedule *schedule);

#endif
