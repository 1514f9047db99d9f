#include "timing/mshr.h"

#include <stdlib.h>
#include <string.h>

#include "timing/cycles.h"

enum { FIRST_ENTRIES = 256 };

int mshr_init(struct mshr *mshr, uint32_t registers)
{
    *mshr = (struct mshr){
        .registers = registers, .miss_room = FIRST_ENTRIES, .message_room = FIRST_ENTRIES};
    mshr->misses = calloc(FIRST_ENTRIES, sizeof(*mshr->misses));
    mshr->messages = calloc(FIRST_ENTRIES, sizeof(*mshr->messages));
    mshr->free = calloc(registers, sizeof(*mshr->free));
    if (mshr->misses && mshr->messages && mshr->free)
        return 0;
    mshr_release(mshr);
    return -1;
}

void mshr_release(struct mshr *mshr)
{
    free(mshr->misses);
    free(mshr->messages);
    free(mshr->free);
    *mshr = (struct mshr){0};
}

void mshr_clear(struct mshr *mshr)
{
    mshr->first_miss = mshr->unsent = mshr->end_miss;
    mshr->first_message = mshr->end_message;
    for (uint32_t i = 0; i < mshr->registers; i++)
        mshr->free[i] = 0;
}

/* Doubles the ring, with entries [first, end) at their new indices. NULL: out of memory. */
static void *grow_ring(void *ring, size_t bytes, uint32_t room, uint32_t first, uint32_t end)
{
    char *from = ring, *to = malloc(2 * room * bytes);

    for (uint32_t i = first; to && i != end; i++)
        memcpy(to + (i & (2 * room - 1)) * bytes, from + (i & (room - 1)) * bytes, bytes);
    if (to)
        free(ring);
    return to;
}

bool mshr_grow_misses(struct mshr *mshr)
{
    struct miss *grown =
        grow_ring(mshr->misses, sizeof(*grown), mshr->miss_room, mshr->first_miss, mshr->end_miss);

    if (!grown)
        return false;
    mshr->misses = grown;
    mshr->miss_room *= 2;
    return true;
}

bool mshr_grow_messages(struct mshr *mshr)
{
    struct miss_message *grown = grow_ring(mshr->messages, sizeof(*grown), mshr->message_room,
                                           mshr->first_message, mshr->end_message);

    if (!grown)
        return false;
    mshr->messages = grown;
    mshr->message_room *= 2;
    return true;
}

void mshr_fill(struct mshr *mshr, uint32_t number, uint64_t done)
{
    struct miss *miss = mshr_miss(mshr, number);
    struct miss_message *message = mshr_message(mshr, miss->message);

    miss->done = done;
    message->outstanding--;
    message->visible = later(message->visible, done);
    if (message->returns)
        message->destination = later(message->destination, done);
}

void mshr_retire(struct mshr *mshr)
{
    while (mshr->first_message != mshr->end_message) {
        const struct miss_message *message = mshr_message(mshr, mshr->first_message);

        if (!message->settled)
            return;
        mshr->first_message++;
        if (message->count)
            mshr->first_miss = message->first + message->count;
    }
    mshr->first_miss = mshr->end_miss;
}

void mshr_forget_thread(struct mshr *mshr, const struct thread_slot *slot)
{
    for (uint32_t i = mshr->first_message; i != mshr->end_message; i++)
        if (mshr_message(mshr, i)->slot == slot)
            mshr_message(mshr, i)->slot = NULL;
}
