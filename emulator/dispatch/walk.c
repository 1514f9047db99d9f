/* Running a walk with the clock: work-groups to Xe-cores, vector engines in the order of time. */
#include "dispatch/walk.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

static void update(struct walk *walk, struct xe_core *core, uint32_t ve)
{
    ve_choose(core, &core->ves[ve]);
    schedule_set(&walk->gpu->schedule,
                 core->number * (uint32_t)walk->gpu->device->ves_per_xe_core + ve,
                 core->ves[ve].next_time);
}

static void update_all(struct walk *walk, struct xe_core *core)
{
    for (uint32_t i = 0; i < walk->gpu->device->ves_per_xe_core; i++)
        update(walk, core, i);
}

/* Steps to the id of the next work-group, x first. */
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

/* The Xe-core with room that has the fewest threads; NULL if none has. */
static struct xe_core *choose_core(const struct walk *walk)
{
    struct xe_core *best = NULL;
    for (uint32_t i = 0; i < walk->gpu->core_count; i++) {
        struct xe_core *core = &walk->gpu->cores[i];
        if (xe_core_has_room(core, walk->walker) &&
            (!best || core->resident_threads < best->resident_threads))
            best = core;
    }
    return best;
}

static void note_occupancy(struct gpu *gpu)
{
    uint32_t threads = 0;
    for (uint32_t i = 0; i < gpu->core_count; i++)
        threads += gpu->cores[i].resident_threads;
    if (threads > gpu->record.peak_threads)
        gpu->record.peak_threads = threads;
}

int walk_start_groups(struct walk *walk, uint64_t now)
{
    while (!walk->all_started) {
        struct xe_core *core = choose_core(walk);
        if (!core)
            return 0;
        uint64_t start = now > walk->dispatcher_free ? now : walk->dispatcher_free;
        walk->dispatcher_free = start + walk->gpu->device->group_dispatch_interval;
        uint32_t touched = 0;
        int status = xe_core_start_group(core, walk->walker, walk->space, walk->program,
                                         walk->next_id, start, walk->fault, &touched);
        if (status)
            return status;
        for (uint32_t i = 0; touched >> i; i++)
            if (touched >> i & 1)
                update(walk, core, i);
        walk->running++;
        next_group(walk);
        if (walk->gpu->counting)
            note_occupancy(walk->gpu);
    }
    return 0;
}

static uint64_t add_saturating(uint64_t a, uint64_t b)
{
    return a < UINT64_MAX - b ? a + b : UINT64_MAX;
}

/* How far a vector engine may run on its own instructions when the next of the others is due at
 * `second`: nobody else can act on it before a barrier has let a thread of its go, or a new
 * work-group has put a thread into a free slot. */
static uint64_t horizon(const struct walk *walk, const struct ve *ve, uint64_t second)
{
    const struct device *device = walk->gpu->device;
    uint64_t limit = UINT64_MAX;
    if (ve->waiting > 0)
        limit = add_saturating(second, device->barrier_latency);
    if (!walk->all_started && ve->resident < device->threads_per_ve) {
        uint64_t start = add_saturating(second, device->thread_dispatch_interval);
        limit = start < limit ? start : limit;
    }
    return limit;
}

/* Runs one vector engine for as long as the others cannot come first. Whatever acts on shared
 * state acts in the order of time. */
static int run_ve(struct walk *walk, struct xe_core *core, uint32_t number, struct ve_event *event)
{
    struct ve *ve = &core->ves[number];
    uint64_t second = schedule_second_time(&walk->gpu->schedule), limit;
    do {
        if (ve_issue(core, ve, event))
            return -EFAULT;
        walk->executed++;
        ve_choose(core, ve);
        if (event->released || event->finished || ve->next_time == UINT64_MAX)
            break;
        limit = ve_next_is_shared(ve) ? second : horizon(walk, ve, second);
    } while (ve->next_time < limit && walk->executed < walk->gpu->instruction_limit);
    return 0;
}

int walk_finish_group(struct walk *walk, struct xe_core *core, struct group *group, uint64_t time)
{
    free(group->slm);
    core->resident_groups--;
    core->slm_bytes_used -= walk->walker->slm_bytes;
    core->barriers_used -= walk->walker->barriers;
    *group = (struct group){0};
    walk->running--;
    walk->end = time > walk->end ? time : walk->end;
    return walk_start_groups(walk, time);
}

/* Names the instruction that the thread stands at. */
int walk_stop_endless(struct walk *walk, struct thread *thread)
{
    const char *advice = "an endless loop? VESIM_INSTRUCTION_LIMIT sets another limit";
    unsigned long long executed = walk->executed;
    if (thread)
        thread_fault(thread, &walk->program->insts[thread->index],
                     "still running after %llu instructions (%s)", executed, advice);
    else /* it has just ended */
        snprintf(walk->fault->text, sizeof(walk->fault->text),
                 "kernel at 0x%llx: still running after %llu instructions (%s)",
                 (unsigned long long)walk->program->address, executed, advice);
    return -EFAULT;
}

int walk_stop_deadlock(struct walk *walk)
{
    snprintf(walk->fault->text, sizeof(walk->fault->text),
             "kernel at 0x%llx: threads wait at a barrier that the rest of their work-group "
             "never reaches",
             (unsigned long long)walk->program->address);
    return -EFAULT;
}

static int step(struct walk *walk)
{
    struct gpu *gpu = walk->gpu;
    uint32_t entry = schedule_first(&gpu->schedule), ves = (uint32_t)gpu->device->ves_per_xe_core;
    struct xe_core *core = &gpu->cores[entry / ves];
    if (gpu->schedule.times[entry] == UINT64_MAX)
        return walk_stop_deadlock(walk);
    struct ve_event event;
    int status = run_ve(walk, core, entry % ves, &event);
    if (status)
        return status;
    if (event.released)
        update_all(walk, core);
    else /* run_ve() has left it with the thread that goes next */
        schedule_set(&gpu->schedule, entry, core->ves[entry % ves].next_time);
    if (event.finished)
        return walk_finish_group(walk, core, event.finished, event.time);
    if (walk->executed >= gpu->instruction_limit)
        return walk_stop_endless(walk,
                                 core->ves[entry % ves].threads[core->ves[entry % ves].last_slot]);
    return 0;
}

int walk_run_timed(struct walk *walk)
{
    int status = 0;
    while (!status && walk->running)
        status = step(walk);
    return status;
}
