/* Watches a walk that takes long: tells how far it is, and stops it at the limits of the settings
 * or when it cannot end. */
#ifndef VESIM_WATCH_H
#define VESIM_WATCH_H

#include <stdbool.h>
#include <stdint.h>

struct walk;
struct xe_core;

struct watch {
    uint64_t every;      /* instructions from one look to the next */
    uint64_t next;       /* instructions of the walk after which to look again, */
    uint64_t next_trial; /* and to find out whether it is endless */
    double began;        /* host time, in seconds */
    double polls_since;  /* host time since when it only polls; 0: it does not */
    double tried;        /* the last time that was found */
    bool told;           /* somebody knows of its progress */
};

void watch_init(struct watch *watch);

/* To be called at a walk's beginning, as soon as `executed`, the walk's instructions so far,
 * reaches `next` and nothing is in flight, and at its end. A look returns 0, or -EFAULT with the
 * walk's fault set. */
void watch_begin(struct watch *watch);
int watch_look(struct walk *walk, uint64_t executed);
void watch_end(const struct walk *walk);

/* The instruction limit is exceeded. Returns -EFAULT. */
int watch_stop_at_limit(struct walk *walk);

#endif
