/* The dispatcher: work-groups to Xe-cores that have room for them. It hears of a work-group's end
 * some time after it (group_retire_latency), and until then its thread slots are taken. */
#ifndef VESIM_DISPATCHER_H
#define VESIM_DISPATCHER_H

#include "gpu/walk.h"

/* Sends work-groups, not before `now`, while there are some and room for them. */
void dispatcher_start_groups(struct walk *walk, uint64_t now);

/* The same for one Xe-core alone. */
void dispatcher_fill(struct walk *walk, struct xe_core *core, uint64_t now);

/* A work-group has ended at `time`: the dispatcher hears of it later. */
void dispatcher_group_ended(struct walk *walk, struct xe_core *core, struct group *group,
                            uint64_t time);

/* A work-group's thread slots are free again. */
void dispatcher_retire(struct xe_core *core, const struct walker *walker, struct group *group);

/* When the dispatcher next hears of a work-group's end, and has others to start; UINT64_MAX if that
 * is not known. */
uint64_t dispatcher_next(const struct walk *walk);

/* Does what the dispatcher does before cycle `until`. */
void dispatcher_advance(struct walk *walk, uint64_t until);

#endif
