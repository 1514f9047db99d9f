/* The dispatcher sends work-groups to Xe-cores with room for them. It learns of a work-group's end
 * after group_retire_latency; until then the thread slots stay taken. */
#ifndef VESIM_DISPATCHER_H
#define VESIM_DISPATCHER_H

#include "gpu/walk.h"

/* Sends work-groups, no earlier than `now`, while any are left and an Xe-core has room. */
void dispatcher_start_groups(struct walk *walk, uint64_t now);

/* The same for a single Xe-core. */
void dispatcher_fill(struct walk *walk, struct xe_core *core, uint64_t now);

/* A work-group ended at `time`; the dispatcher learns of it later. */
void dispatcher_group_ended(struct walk *walk, struct xe_core *core, struct group *group,
                            uint64_t time);

/* Frees a work-group's thread slots. */
void dispatcher_retire(struct xe_core *core, const struct walker *walker, struct group *group);

/* When the dispatcher next learns of a work-group's end while others are waiting to start;
 * UINT64_MAX if unknown. */
uint64_t dispatcher_next(const struct walk *walk);

/* Runs the dispatcher up to cycle `until`. */
void dispatcher_advance(struct walk *walk, uint64_t until);

#endif
