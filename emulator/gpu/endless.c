#include "gpu/endless.h"

#include <stdlib.h>

#include "gpu/dispatcher.h"
#include "isa/decode/program-calls.h"
#include "memory/guard.h"

/* Instructions of a thread until its state has to repeat. Of a loop that waits, one round is some
 * ten; of one that computes, none repeats. */
enum { TRIAL_STEPS = 8192 };

/* Copies of a thread and of what it writes to, for as long as it changes nothing. */
struct trial {
    struct thread thread;
    struct thread before; /* an earlier state of it */
    bool polls;           /* it has read global memory since then */
    const uint8_t *slm;   /* of its work-group; the thread has a copy */
    struct message_access access;
    struct vesim_fault fault; /* nobody reads it: the thread itself will get there */
};

struct comparison {
    const uint8_t *payload;
    bool same;
};

static void compare(void *context, uint8_t *host, uint32_t offset, uint32_t bytes)
{
    struct comparison *comparison = context;

    comparison->same &= memcmp(host, comparison->payload + offset, bytes) == 0;
}

/* Whether what the message stores is there already. */
static bool store_repeats(const struct trial *trial)
{
    const struct transfer *transfer = &trial->access.transfer;
    struct comparison comparison = {trial->thread.registers + transfer->source, true};

    if (transfer->shape.texel)
        return false;
    if (transfer->mask)
        transfer_visit(transfer, trial->access.hosts, compare, &comparison);
    return comparison.same;
}

/* Applies the atomic to copies. Whether it leaves all of them as they were: then each lane has seen
 * what memory holds, even if several have one address. */
static bool atomic_repeats(struct trial *trial)
{
    const struct transfer *transfer = &trial->access.transfer;
    const uint8_t *payload = trial->thread.registers + transfer->source;
    uint8_t *hosts[MAX_LANES] = {NULL};
    uint64_t words[MAX_LANES];
    bool repeats = true;

    if (transfer->shape.texel || transfer->shape.lanes > MAX_LANES)
        return false;
    for (unsigned lane = 0; lane < transfer->shape.lanes; lane++) {
        if (!(transfer->mask >> lane & 1) || !trial->access.hosts[lane])
            continue;
        hosts[lane] = (uint8_t *)&words[lane];
        memcpy(hosts[lane], trial->access.hosts[lane], transfer->shape.element_bytes);
    }
    transfer_move(transfer, hosts, payload, trial->thread.registers, false);
    for (unsigned lane = 0; lane < transfer->shape.lanes; lane++)
        if (hosts[lane])
            repeats &=
                memcmp(hosts[lane], trial->access.hosts[lane], transfer->shape.element_bytes) == 0;
    return repeats;
}

/* The message's transfer has been described, but not executed unless it is local. */
static bool message_repeats(struct trial *trial)
{
    struct thread *thread = &trial->thread;
    const struct transfer *transfer = &trial->access.transfer;
    const struct message *message = thread->message;

    if (message->kind == MESSAGE_FENCE)
        return true;
    if (message->kind != MESSAGE_LOAD && message->kind != MESSAGE_STORE &&
        message->kind != MESSAGE_ATOMIC)
        return false;
    if (message->base == BASE_SLM)
        return message->kind == MESSAGE_LOAD ||
               memcmp(thread->slm, trial->slm, thread->slm_bytes) == 0;
    if (message->kind == MESSAGE_STORE)
        return store_repeats(trial);
    trial->polls = true;
    if (message->kind == MESSAGE_ATOMIC)
        return atomic_repeats(trial);
    transfer_move(transfer, trial->access.hosts, thread->registers + transfer->source,
                  thread->registers, false);
    return true;
}

/* Executes the next instruction. Returns false if it could change anything but the thread, or if
 * the thread itself has to find out what becomes of it. */
static bool try_step(struct trial *trial)
{
    struct thread *thread = &trial->thread;
    const struct inst *inst = &thread->program->insts[thread->index];
    bool is_message = inst->is_shared && inst->opcode != OP_sync;

    if (inst->reads_clock ||
        (inst->opcode == OP_sync && (inst->function == SYNC_BAR || inst->function == SYNC_HOST)))
        return false;
    thread->index = (uint32_t)inst->next;
    if ((is_message ? inst->general : inst->execute)(thread, inst))
        return false;
    if (is_message && !message_repeats(trial))
        return false;
    if (inst->is_flow)
        thread_write32(thread, ARF_CE, thread->active);
    return thread->index < program_end(thread->program);
}

/* Whether the thread goes on from both states in the same way. */
static bool same_state(const struct thread *a, const struct thread *b)
{
    return a->index == b->index && a->active == b->active && a->waiting_count == b->waiting_count &&
           memcmp(a->waiting, b->waiting, a->waiting_count * sizeof(*a->waiting)) == 0 &&
           memcmp(a->rounds, b->rounds, sizeof(a->rounds)) == 0 &&
           memcmp(a->accumulator, b->accumulator, sizeof(a->accumulator)) == 0 &&
           memcmp(a->registers, b->registers, sizeof(a->registers)) == 0;
}

/* Brent's algorithm: compares with a state that is replaced after 1, 2, 4, ... instructions. */
static bool repeats(struct trial *trial)
{
    unsigned stretch = 1, since = 0;

    trial->before = trial->thread;
    trial->polls = false;
    for (unsigned i = 0; i < TRIAL_STEPS; i++) {
        if (!try_step(trial))
            return false;
        if (same_state(&trial->thread, &trial->before))
            return true;
        if (++since < stretch)
            continue;
        trial->before = trial->thread;
        trial->polls = false;
        since = 0;
        stretch *= 2;
    }
    return false;
}

static enum endless try_thread(struct trial *trial, const struct thread_slot *slot)
{
    const struct thread *thread = &slot->thread;
    uint8_t *slm = NULL;

    if (thread->slm_bytes && !(slm = malloc(thread->slm_bytes)))
        return ENDLESS_NO;
    trial->thread = *thread;
    if (slot->ahead > thread->index) /* with the clock, some have been executed before they issue */
        trial->thread.index = slot->ahead;
    trial->thread.access = &trial->access;
    trial->thread.fault = &trial->fault;
    trial->slm = thread->slm;
    if (slm)
        trial->thread.slm = memcpy(slm, thread->slm, thread->slm_bytes);
    enum endless found = !repeats(trial) ? ENDLESS_NO
                         : trial->polls  ? ENDLESS_POLLING
                                         : ENDLESS_YES;
    free(slm);
    return found;
}

/* The first that is not endless decides. */
static enum endless try_core(struct trial *trial, const struct xe_core *core,
                             struct endless_finding *finding)
{
    enum endless found = ENDLESS_YES;

    for (uint64_t i = 0; i < core->device->ves_per_xe_core; i++) {
        for (uint64_t j = 0; j < core->device->threads_per_ve; j++) {
            struct thread_slot *slot = core->ves[i].slots[j];

            if (!slot || slot->state != SLOT_READY)
                continue;
            enum endless of_thread = try_thread(trial, slot);
            if (of_thread < found)
                found = of_thread;
            if (found == ENDLESS_NO)
                return found;
            finding->threads++;
            finding->slot = slot;
        }
    }
    return found;
}

/* A search, and what it has found. */
struct search {
    const struct walk *walk;
    struct trial *trial;
    struct endless_finding *finding;
    enum endless found;
};

static void search_unguarded(void *context)
{
    struct search *search = context;
    enum endless found = ENDLESS_YES;

    for (uint32_t i = 0; i < search->walk->gpu->core_count && found != ENDLESS_NO; i++) {
        const struct xe_core *core = &search->walk->gpu->cores[i];
        enum endless of_core = core->start_count || core->finished_count
                                   ? ENDLESS_NO
                                   : try_core(search->trial, core, search->finding);

        if (of_core < found)
            found = of_core;
    }
    search->found = search->finding->threads ? found : ENDLESS_NO;
}

enum endless endless_find(const struct walk *walk, struct endless_finding *finding)
{
    struct trial *trial = aligned_alloc(_Alignof(struct trial), sizeof(*trial));
    struct search search = {walk, trial, finding, ENDLESS_NO};
    uint64_t address;

    *finding = (struct endless_finding){0};
    if (!trial || dispatcher_next(walk) != UINT64_MAX) {
        free(trial);
        return ENDLESS_NO;
    }
    memset(trial, 0, sizeof(*trial));
    trial->access.later = trial->access.timeless = true;
    if (memory_guard_run(walk->space, search_unguarded, &search, &address))
        search.found = ENDLESS_NO; /* the copy of local memory is lost, and the walk about to end */
    free(trial);
    return search.found;
}
