#include "gpu/xe-core.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>

#include "timing/cycles.h"

int xe_core_init(struct xe_core *core, const struct vesim_device *device, uint32_t number)
{
    core->device = device;
    core->number = number;
    core->line_shift = (unsigned)__builtin_ctzll(device->line_bytes);
    core->pool = calloc(device->ves_per_xe_core * device->threads_per_ve, sizeof(*core->pool));
    if (!core->pool || load_store_init(&core->load_store, device) ||
        cache_init(&core->instructions, device->instruction_cache_bytes,
                   (uint32_t)device->instruction_cache_ways, (uint32_t)device->line_bytes))
        return -ENOMEM;
    calendar_clear(&core->events);
    memset(core->resident, 0xff, sizeof(core->resident));
    for (uint64_t i = 0; i < device->ves_per_xe_core; i++) {
        core->resident[i] = 0;
        core->ves[i].next_time = UINT64_MAX;
        core->ves[i].turn_mask = device->issue_lowest ? 0 : UINT32_MAX;
        memset(core->ves[i].slot_time, 0xff, sizeof(core->ves[i].slot_time));
    }
    return 0;
}

void xe_core_release(struct xe_core *core)
{
    if (!core->device)
        return;
    xe_core_clear(core);
    for (uint64_t i = 0;
         core->pool && i < core->device->ves_per_xe_core * core->device->threads_per_ve; i++)
        free(core->pool[i]);
    free(core->pool);
    free(core->spare.memory);
    load_store_release(&core->load_store);
    cache_release(&core->instructions);
    remembered_release(&core->remembered);
    transfer_queue_release(&core->transfers);
}

static uint64_t threads_per_ve(const struct xe_core *core, const struct walker *walker)
{
    uint64_t threads = vesim_threads_per_ve(core->device, walker->grf_registers);

    return walker->threads_per_ve && walker->threads_per_ve < threads ? walker->threads_per_ve
                                                                      : threads;
}

void xe_core_begin_walk(struct xe_core *core, const struct walker *walker)
{
    core->slots = core->device->ves_per_xe_core * threads_per_ve(core, walker);
    core->local_ids_known = 0;
}

bool xe_core_has_room(const struct xe_core *core, const struct walker *walker)
{
    return core->taken.groups < core->device->groups_per_xe_core &&
           core->taken.threads + walker->threads_per_group <= core->slots &&
           core->taken.slm_bytes + walker->slm_bytes <= core->device->slm_bytes_per_xe_core &&
           core->taken.barriers + walker->barriers <= core->device->barriers_per_xe_core;
}

/* A free work-group, the first; NULL: there is none. */
static struct group *free_group(struct xe_core *core)
{
    for (uint32_t i = 0; i < XE_CORE_MAX_GROUPS / 64; i++)
        if (~core->groups_used[i]) {
            uint32_t bit = (uint32_t)__builtin_ctzll(~core->groups_used[i]);

            core->groups_used[i] |= UINT64_C(1) << bit;
            return &core->groups[i * 64 + bit];
        }
    return NULL;
}

/* Zeros. The next work-group most often wants as much as the last one had. */
static uint8_t *take_memory(struct xe_core *core, uint32_t bytes)
{
    uint8_t *memory = core->spare.memory;

    if (!memory || core->spare.bytes != bytes)
        return calloc(1, bytes);
    core->spare.memory = NULL;
    return memset(memory, 0, bytes);
}

void xe_core_spare_memory(struct xe_core *core, struct group *group)
{
    free(core->spare.memory);
    core->spare = (struct spare_memory){group->slm, group->slm_bytes};
    group->slm = NULL;
}

static struct group *take_group(struct xe_core *core, const struct walker *walker)
{
    struct group *group = free_group(core);
    uint32_t barriers = walker->barriers ? walker->barriers : 1;

    if (!group)
        return NULL;
    memset(group, 0, offsetof(struct group, barriers));
    memset(group->barriers, 0, barriers * sizeof(*group->barriers));
    group->core = core;
    group->number = (uint32_t)(group - core->groups);
    group->threads = group->threads_left = walker->threads_per_group;
    group->slm_bytes = walker->slm_bytes;
    if (walker->slm_bytes && !(group->slm = take_memory(core, walker->slm_bytes)))
        return NULL;
    return group;
}

/* The vector engine with the fewest threads, so that a work-group spreads over all of them. */
static uint32_t emptiest_ve(const struct xe_core *core)
{
    uint8_t fewest = UINT8_MAX;

    for (uint32_t i = 0; i < XE_CORE_MAX_VES; i++)
        fewest = core->resident[i] < fewest ? core->resident[i] : fewest;
    const uint8_t *best = memchr(core->resident, fewest, sizeof(core->resident));
    return (uint32_t)(best - core->resident);
}

/* Of each thread slot when a thread begins. */
enum {
    SLOT_CLEARED_BYTES = offsetof(struct thread_slot, thread.waiting) -
                         offsetof(struct thread_slot, previous_of_group)
};

static struct thread_slot *create_slot(void)
{
    struct thread_slot *slot = aligned_alloc(_Alignof(struct thread_slot), sizeof(*slot));

    if (slot)
        memset(slot, 0, sizeof(*slot));
    return slot;
}

static struct thread_slot *take_slot(struct xe_core *core, uint32_t number)
{
    struct ve *ve = &core->ves[number];

    for (uint32_t i = 0; i < core->device->threads_per_ve; i++) {
        if (ve->slots[i])
            continue;
        uint64_t of_core = number * core->device->threads_per_ve + i;
        if (!core->pool[of_core] && !(core->pool[of_core] = create_slot()))
            return NULL;
        struct thread_slot *slot = core->pool[of_core];
        memset(&slot->previous_of_group, 0, SLOT_CLEARED_BYTES);
        slot->ve = number;
        slot->number = i;
        slot->thread.hardware_id =
            (uint32_t)(core->number * core->device->ves_per_xe_core * core->device->threads_per_ve +
                       of_core);
        ve->slots[i] = slot;
        core->resident[number]++;
        core->alive++;
        return slot;
    }
    return NULL;
}

static void group_add(struct group *group, struct thread_slot *slot)
{
    slot->next_of_group = group->threads_first;
    if (group->threads_first)
        group->threads_first->previous_of_group = slot;
    group->threads_first = slot;
}

void group_remove(struct group *group, const struct thread_slot *slot)
{
    if (slot->previous_of_group)
        slot->previous_of_group->next_of_group = slot->next_of_group;
    else
        group->threads_first = slot->next_of_group;
    if (slot->next_of_group)
        slot->next_of_group->previous_of_group = slot->previous_of_group;
}

static int start_thread(struct xe_core *core, const struct walk_threads *walk, struct group *group,
                        uint32_t number, uint64_t start)
{
    const struct walker *walker = walk->walker;
    uint32_t all = walker->simd_width >= 32 ? UINT32_MAX : (1u << walker->simd_width) - 1;
    bool last = number + 1 == walker->threads_per_group;
    struct thread_slot *slot = take_slot(core, emptiest_ve(core));

    if (!slot)
        return -ENOMEM;
    slot->thread.program = walk->program;
    slot->fetched = UINT32_MAX;
    slot->thread.dispatched = last && walker->execution_mask ? walker->execution_mask & all : all;
    slot->thread.active = slot->thread.dispatched;
    slot->group = group;
    slot->thread.slm = group->slm;
    slot->thread.slm_bytes = group->slm_bytes;
    slot->thread.number = number;
    slot->thread.walker = walker;
    slot->thread.space = walk->space;
    slot->thread.access = &core->access;
    slot->thread.fault = &core->fault;
    core->dispatch_free =
        later(core->dispatch_free, start) + core->device->thread_dispatch_interval;
    slot->started = slot->ready = core->dispatch_free;
    if (slot->started < core->first_start)
        core->first_start = slot->started;
    if (!walk->untimed)
        slot->scoreboard = (struct scoreboard){0};
    thread_clear(&slot->thread, &slot->written);
    slot->written = walk->written;
    if (payload_load(&slot->thread, group, core->device))
        return -EFAULT;
    group_add(group, slot);
    if (walk->untimed)
        return 0;
    ve_slot_ready(core, slot);
    ve_choose(&core->ves[slot->ve]);
    calendar_set(&core->events, slot->ve, core->ves[slot->ve].next_time);
    return 0;
}

int xe_core_start_group(struct xe_core *core, const struct walk_threads *walk,
                        struct group **started)
{
    const struct group_start *start = &core->starts[core->start_first];
    struct group *group = *started = take_group(core, walk->walker);
    int status = 0;

    if (!group)
        return -ENOMEM;
    core->start_first = (core->start_first + 1) % XE_CORE_MAX_GROUPS;
    core->start_count--;
    memcpy(group->id, start->id, sizeof(group->id));
    for (uint32_t i = 0; !status && i < walk->walker->threads_per_group; i++)
        status = start_thread(core, walk, group, i, start->time);
    return status;
}

bool xe_core_is_active(const struct xe_core *core)
{
    return core->alive || core->start_count || mshr_message_count(&core->load_store.mshr);
}

void xe_core_clear(struct xe_core *core)
{
    for (uint32_t i = 0; i < XE_CORE_MAX_GROUPS; i++) {
        free(core->groups[i].slm);
        core->groups[i] = (struct group){0};
    }
    memset(core->groups_used, 0, sizeof(core->groups_used));
    for (uint64_t i = 0; i < core->device->ves_per_xe_core; i++) {
        struct ve *ve = &core->ves[i];

        memset(ve->slots, 0, sizeof(ve->slots));
        memset(ve->slot_time, 0xff, sizeof(ve->slot_time));
        ve->runnable = ve->waiting = 0;
        core->resident[i] = 0;
        ve->next_time = UINT64_MAX;
    }
    memset(&core->taken, 0, sizeof(core->taken));
    core->alive = core->start_count = core->finished_count = 0;
    core->runnable = (struct run_queue){0};
    core->status = 0;
    calendar_clear(&core->events);
    load_store_clear(&core->load_store);
    transfer_queue_clear(&core->transfers);
}
