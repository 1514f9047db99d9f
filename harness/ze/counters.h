/* Counters of the hardware, by Level Zero's metric queries. Their group is active only from
 * counters_begin() to counters_end(), and launches in between are not timed: counting disturbs no
 * measurement. */
#ifndef VEBENCH_COUNTERS_H
#define VEBENCH_COUNTERS_H

#include "ze/session.h"

#define COUNTER_NAME_BYTES 96
#define COUNTER_UNIT_BYTES 32

struct counter {
    char name[COUNTER_NAME_BYTES]; /* as the driver has it */
    char unit[COUNTER_UNIT_BYTES]; /* likewise; may be empty */
    char kind[COUNTER_UNIT_BYTES]; /* "event", "ratio" and so on */
    bool adds_up; /* over a launch, so that a value per iteration means something */
};

/* Counters that can be read together. */
struct counter_group {
    char name[COUNTER_NAME_BYTES];
    char description[ZET_MAX_METRIC_GROUP_DESCRIPTION];
    zet_metric_group_handle_t handle;
    struct counter *counters; /* owned */
    size_t count;
};

/* Call before zeInit(): the driver looks for its counters only if told to.
 * Harmless on an emulated device, which has none. */
void counters_prepare(void);

/* Finds the groups of a device that can count a launch, for counters_free_list().
 * STATUS_UNSUPPORTED, with the reason and the way out, if there are none. */
enum status counters_list(const struct session *session, const struct device *device,
                          struct counter_group **groups, size_t *count, struct error *error);
void counters_free_list(struct counter_group *groups, size_t count);

/* Gives the open session a group, by its name. STATUS_USAGE, naming those there are, for a name
 * that its device does not have; otherwise as counters_list(). */
enum status counters_open(struct session *session, const char *name, struct error *error);
void counters_close(struct session *session);

/* The session's group; NULL: none. */
const struct counter_group *counters_group(const struct session *session);

/* Activates the group. counters_end() must follow, after a failure too. */
enum status counters_begin(struct session *session, struct error *error);
void counters_end(struct session *session);

/* Record the two ends of a query around a kernel. They do nothing while the group is not active. */
enum status counters_append_begin(struct session *session, struct error *error);
enum status counters_append_end(struct session *session, struct error *error);

/* What the list just executed has counted: one value per counter of the group, NaN for one that is
 * not a number. */
enum status counters_read(struct session *session, double *values, struct error *error);

#endif
