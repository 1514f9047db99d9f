/* An Xe-core's runnable threads without the clock, in the order of their turns. Threads that have
 * just started or left a barrier go first, while their registers are still in the host's caches. */
#ifndef VESIM_RUN_QUEUE_H
#define VESIM_RUN_QUEUE_H

#include "gpu/thread-slot.h"

struct run_queue {
    struct thread_slot *first, *last; /* NULL: empty */
};

static inline void run_queue_add_first(struct run_queue *queue, struct thread_slot *slot)
{
    slot->next_runnable = queue->first;
    queue->first = slot;
    if (!slot->next_runnable)
        queue->last = slot;
}

static inline void run_queue_add_last(struct run_queue *queue, struct thread_slot *slot)
{
    slot->next_runnable = NULL;
    if (queue->first)
        queue->last->next_runnable = slot;
    else
        queue->first = slot;
    queue->last = slot;
}

/* Puts all of `before` in front. */
static inline void run_queue_put_before(struct run_queue *queue, const struct run_queue *before)
{
    if (!before->first)
        return;
    before->last->next_runnable = queue->first;
    if (!queue->first)
        queue->last = before->last;
    queue->first = before->first;
}

/* Not to be called if it is empty. */
static inline struct thread_slot *run_queue_take(struct run_queue *queue)
{
    struct thread_slot *slot = queue->first;

    queue->first = slot->next_runnable;
    if (queue->first) {
        __builtin_prefetch(&queue->first->state);
        __builtin_prefetch(&queue->first->thread);
    }
    return slot;
}

#endif
