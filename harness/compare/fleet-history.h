/* A fleet over days: which GPUs drift away from their peers. */
#ifndef VEBENCH_FLEET_HISTORY_H
#define VEBENCH_FLEET_HISTORY_H

#include "compare/fleet.h"

/* Fewer days are no history. */
#define HISTORY_DAYS_LEAST 5
/* Fewer GPUs do not show well enough how they drift by chance. */
#define HISTORY_GPUS_LEAST 64

/* A GPU over all days, known by its host and its UUID. */
struct fleet_course {
    char *host, *device_uuid; /* owned */
    double *deviation;  /* owned; of each day, from its peers' of that day, relative; NaN: absent */
    size_t days;        /* that it was there */
    double drift;       /* from the first day to the last, by a line through its days; positive:
                           slower. NaN where it was there on too few */
    double probability; /* that chance shows as much of a drift, corrected for all GPUs */
    bool drifts;        /* is slower than it was, by more than chance and than the threshold */
};

struct fleet_history {
    struct fleet_course *course; /* owned */
    size_t count, room;
    size_t *index; /* owned; a hash table of indices + 1 */
    size_t index_room;
    size_t days, day_room;
};

/* Adds the next day, a fleet that has been judged. A history starts zeroed. What a day changes for
 * all GPUs, such as another driver, is no drift: a GPU stands for a day by the median deviation of
 * its figures from those of its peers. Fails only when out of memory. */
enum status fleet_history_add(struct fleet_history *history, const struct fleet *fleet,
                              struct error *error);

/* Judges once all days are there. Chance is what the drifts of all GPUs scatter by (their median
 * absolute deviation), and the share of wrong ones among those named is limited to FLEET_RATE.
 * STATUS_FAILED with fewer than HISTORY_DAYS_LEAST days or HISTORY_GPUS_LEAST GPUs that were there
 * on so many. */
enum status fleet_history_judge(struct fleet_history *history, double threshold,
                                struct error *error);
void fleet_history_free(struct fleet_history *history);

#endif
