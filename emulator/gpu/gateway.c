#include "gpu/gateway.h"

#include "timing/cycles.h"

/* The third dword of a signal's payload on Xe-HPC and Xe2 (intel-graphics-compiler,
 * visa/BuildCISAIRImpl: generateNamedBarrier). */
enum {
    SIGNAL_DWORD = 2 * 4,
    SIGNAL_BARRIER = 0,    /* 7:0 */
    SIGNAL_PART = 14,      /* 15:14, enum part */
    SIGNAL_PRODUCERS = 16, /* 23:16 */
    SIGNAL_CONSUMERS = 24, /* 31:24 */
};

enum part { PART_BOTH, PART_PRODUCER, PART_CONSUMER };

struct arrival {
    uint32_t barrier;
    enum part part;
    uint32_t producers, consumers; /* that the barrier takes */
};

static struct arrival read_arrival(const struct thread_slot *slot, const struct inst *inst)
{
    uint32_t dword = thread_read32(&slot->thread, inst->source[0].offset + SIGNAL_DWORD);
    return (struct arrival){
        .barrier = dword >> SIGNAL_BARRIER & 0xff,
        .part = (enum part)(dword >> SIGNAL_PART & 3),
        .producers = dword >> SIGNAL_PRODUCERS & 0xff,
        .consumers = dword >> SIGNAL_CONSUMERS & 0xff,
    };
}

/* The operand of sync.bar: an immediate or a flag register; none before Xe-HPC. */
static uint32_t awaited_barrier(const struct xe_core *core, const struct thread_slot *slot,
                                const struct inst *inst)
{
    const struct operand *operand = &inst->source[0];

    if (core->device->architecture < VESIM_XE_HPC)
        return 0;
    if (operand->kind == OPERAND_IMMEDIATE)
        return (uint32_t)operand->immediate % WALKER_BARRIERS;
    if (operand->kind == OPERAND_REGISTER && !operand->is_null)
        return thread_read32(&slot->thread, operand->offset) % WALKER_BARRIERS;
    return 0;
}

/* Cycles from the last arrival to the release of a work-group's threads. */
static uint64_t release_latency(const struct vesim_device *device, const struct group *group)
{
    uint64_t squared = (uint64_t)group->threads * group->threads;

    return device->barrier_latency + squared * device->rules.barrier_square / 64;
}

/* Releases the threads that wait at a barrier or will. Without the clock, those that arrived last
 * go on first, while their registers are still in the host's caches: so they take turns in the
 * order of the work-group's list and against it. */
static void complete(struct xe_core *core, struct group *group, uint32_t number, uint64_t now,
                     struct ve_event *event)
{
    struct group_barrier *barrier = &group->barriers[number];
    const uint32_t bit = UINT32_C(1) << number;
    const bool timeless = core->access.timeless;
    struct run_queue released = {0};

    barrier->producers = barrier->consumers = 0;
    group->begun &= ~bit;
    barrier->release = now + release_latency(core->device, group);
    group->turns = !group->turns;
    for (struct thread_slot *slot = group->threads_first; slot; slot = slot->next_of_group) {
        if (!(slot->signalled & bit))
            continue;
        slot->signalled &= ~bit;
        if (slot->state != SLOT_AT_BARRIER || slot->barrier != number) {
            slot->released |= bit;
            continue;
        }
        slot->state = SLOT_READY;
        if (timeless) {
            if (group->turns)
                run_queue_add_first(&released, slot);
            else
                run_queue_add_last(&released, slot);
            continue;
        }
        core->ves[slot->ve].waiting--;
        slot->ready = later(slot->ready, barrier->release);
        slot->ready_reason = COUNTER_barrier_stall_cycles;
        ve_slot_ready(core, slot);
        event->released |= UINT32_C(1) << slot->ve;
    }
    run_queue_put_before(&core->runnable, &released);
}

/* A barrier of all threads of the work-group does not wait for those that have ended. */
static uint32_t awaited(const struct group *group, uint32_t threads)
{
    return threads == group->threads ? group->threads_left : threads;
}

static bool is_complete(const struct group *group, const struct group_barrier *barrier)
{
    return barrier->producers >= awaited(group, barrier->awaited_producers) &&
           barrier->consumers >= awaited(group, barrier->awaited_consumers);
}

static inline int check(struct thread_slot *slot, const struct inst *inst,
                        const struct arrival *arrival)
{
    uint32_t barriers = slot->thread.walker->barriers;

    /* A walk without barriers may still have one: hardware does not check. */
    if (arrival->barrier >= (barriers ? barriers : 1))
        return thread_fault(&slot->thread, inst, "signal to barrier %u, of %u in the work-group",
                            arrival->barrier, barriers);
    if (arrival->part > PART_CONSUMER)
        return thread_fault(&slot->thread, inst, "signal to a barrier in a part that is reserved");
    if ((slot->signalled | slot->released) >> arrival->barrier & 1)
        return thread_fault(&slot->thread, inst,
                            "second signal to a barrier without a wait in between");
    return 0;
}

static inline int count_arrival(struct xe_core *core, struct thread_slot *slot,
                                const struct inst *inst, struct arrival arrival, uint64_t now,
                                struct ve_event *event)
{
    const uint32_t bit = UINT32_C(1) << arrival.barrier;
    struct group *group = slot->group;

    if (check(slot, inst, &arrival))
        return -1;
    struct group_barrier *barrier = &group->barriers[arrival.barrier];
    barrier->awaited_producers = arrival.producers;
    barrier->awaited_consumers = arrival.consumers;
    if (arrival.part != PART_PRODUCER)
        slot->signalled |= bit;
    barrier->producers += arrival.part != PART_CONSUMER;
    barrier->consumers += arrival.part != PART_PRODUCER;
    group->begun |= bit;
    uint64_t accepted = later(now, core->gateway_free);
    core->gateway_free = accepted + core->device->gateway_interval;
    if (is_complete(group, barrier))
        complete(core, group, arrival.barrier, accepted, event);
    return 0;
}

int gateway_signal(struct xe_core *core, struct thread_slot *slot, const struct inst *inst,
                   uint64_t now, struct ve_event *event)
{
    const uint32_t threads = slot->group->threads;

    if (core->device->architecture >= VESIM_XE_HPC && !inst->message.whole_group)
        return count_arrival(core, slot, inst, read_arrival(slot, inst), now, event);
    return count_arrival(core, slot, inst,
                         (struct arrival){.producers = threads, .consumers = threads}, now, event);
}

void gateway_wait(struct xe_core *core, struct thread_slot *slot, const struct inst *inst)
{
    const uint32_t number = awaited_barrier(core, slot, inst), bit = UINT32_C(1) << number;

    if (slot->released & bit) {
        slot->released &= ~bit;
        slot->ready = later(slot->ready, slot->group->barriers[number].release);
        slot->ready_reason = COUNTER_barrier_stall_cycles;
    } else if (slot->signalled & bit) { /* else there is nothing to wait for */
        slot->state = SLOT_AT_BARRIER;
        slot->barrier = (uint8_t)number;
        if (core->access.timeless)
            return;
        ve_park(&core->ves[slot->ve], slot);
        core->ves[slot->ve].waiting++;
    }
}

bool gateway_join(const struct xe_core *core, struct thread_slot *slot)
{
    struct group *group = slot->group;
    struct group_barrier *barrier = &group->barriers[0];

    if (core->device->architecture >= VESIM_XE_HPC || (slot->signalled | slot->released) ||
        barrier->producers + 1 >= group->threads_left)
        return false;
    barrier->awaited_producers = barrier->awaited_consumers = group->threads;
    barrier->consumers = ++barrier->producers;
    group->begun = slot->signalled = 1;
    slot->state = SLOT_AT_BARRIER;
    slot->barrier = 0;
    return true;
}

void gateway_thread_ended(struct xe_core *core, struct group *group, uint64_t now,
                          struct ve_event *event)
{
    for (uint32_t begun = group->begun; begun; begun &= begun - 1) {
        uint32_t number = (uint32_t)__builtin_ctz(begun);

        if (is_complete(group, &group->barriers[number]))
            complete(core, group, number, now, event);
    }
}
