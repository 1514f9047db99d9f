#include "gpu/dispatcher.h"

/* Advances to the next work-group's id, x first. */
static void next_group(struct walk *walk)
{
    const struct walker *walker = walk->walker;

    for (unsigned i = 0; i < 3; i++) {
        if (++walk->next_id[i] < walker->group_end[i])
            return;
        walk->next_id[i] = walker->group_start[i];
    }
    walk->all_started = true;
}

/* The Xe-core with room and the fewest resident threads; NULL if none has room. */
static struct xe_core *emptiest_core(const struct walk *walk)
{
    struct xe_core *best = NULL;

    for (uint32_t i = 0; i < walk->gpu->core_count; i++) {
        struct xe_core *core = &walk->gpu->cores[i];

        if (xe_core_has_room(core, walk->walker) &&
            (!best || core->taken.threads < best->taken.threads))
            best = core;
    }
    return best;
}

/* The Xe-core that gets the next work-group: that of the last one, until it has got a batch or has
 * no room. NULL if none has room. */
static struct xe_core *choose_core(struct walk *walk)
{
    if (walk->batch_left == 0 || !xe_core_has_room(walk->batch_core, walk->walker)) {
        walk->batch_core = emptiest_core(walk);
        walk->batch_left = walk->batch_core ? (uint32_t)walk->gpu->device->group_batch : 0;
    }
    walk->batch_left -= walk->batch_core != NULL;
    return walk->batch_core;
}

static void note_occupancy(struct gpu *gpu)
{
    uint32_t threads = 0;

    for (uint32_t i = 0; i < gpu->core_count; i++)
        threads += gpu->cores[i].taken.threads;
    if (threads > gpu->record.peak_threads)
        gpu->record.peak_threads = threads;
}

static void start_group(struct walk *walk, struct xe_core *core, uint64_t now)
{
    const struct walker *walker = walk->walker;
    uint64_t start = now > walk->dispatcher_free ? now : walk->dispatcher_free;
    struct group_start *group = xe_core_add_start(core);

    walk->dispatcher_free = start + walk->gpu->device->group_dispatch_interval;
    group->time = start;
    memcpy(group->id, walk->next_id, sizeof(group->id));
    core->taken.groups++;
    core->taken.threads += walker->threads_per_group;
    core->taken.slm_bytes += walker->slm_bytes;
    core->taken.barriers += walker->barriers;
    walk->started++;
    walk->running++;
    next_group(walk);
}

void dispatcher_start_groups(struct walk *walk, uint64_t now)
{
    struct xe_core *core;

    while (!walk->all_started && (core = choose_core(walk))) {
        start_group(walk, core, now);
        if (walk->gpu->settings.counters)
            note_occupancy(walk->gpu);
    }
}

void dispatcher_fill(struct walk *walk, struct xe_core *core, uint64_t now)
{
    while (!walk->all_started && xe_core_has_room(core, walk->walker))
        start_group(walk, core, now);
}

/* Whether `a` goes before `b`: by time, then by Xe-core and group slot. */
static bool before(const struct retirement *a, const struct retirement *b)
{
    if (a->time != b->time)
        return a->time < b->time;
    if (a->core != b->core)
        return a->core->number < b->core->number;
    return a->group->number < b->group->number;
}

void dispatcher_group_ended(struct walk *walk, struct xe_core *core, struct group *group,
                            uint64_t time)
{
    struct retirement *queue = walk->gpu->retirements,
                      added = {.time = time + walk->gpu->device->group_retire_latency,
                               .core = core,
                               .group = group};

    walk->running--;
    walk->end = time > walk->end ? time : walk->end;
    if (walk->first_retirement) { /* compact: the array has only one entry per group slot */
        memmove(queue, queue + walk->first_retirement, walk->retirement_count * sizeof(*queue));
        walk->first_retirement = 0;
    }
    uint32_t at = walk->retirement_count++;
    for (; at > 0 && before(&added, &queue[at - 1]); at--)
        queue[at] = queue[at - 1];
    queue[at] = added;
}

void dispatcher_retire(struct xe_core *core, const struct walker *walker, struct group *group)
{
    xe_core_spare_memory(core, group);
    core->groups_used[group->number / 64] &= ~(UINT64_C(1) << group->number % 64);
    core->taken.groups--;
    core->taken.threads -= walker->threads_per_group;
    core->taken.slm_bytes -= walker->slm_bytes;
    core->taken.barriers -= walker->barriers;
}

uint64_t dispatcher_next(const struct walk *walk)
{
    if (walk->all_started || walk->retirement_count == 0)
        return UINT64_MAX;
    return walk->gpu->retirements[walk->first_retirement].time;
}

void dispatcher_advance(struct walk *walk, uint64_t until)
{
    while (walk->retirement_count) {
        struct retirement *next = &walk->gpu->retirements[walk->first_retirement];

        if (next->time >= until)
            return;
        uint64_t now = next->time;
        walk->first_retirement++;
        walk->retirement_count--;
        dispatcher_retire(next->core, walk->walker, next->group);
        dispatcher_start_groups(walk, now);
    }
}
