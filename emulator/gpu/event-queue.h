/* An event queue: which Xe-core acts next. It is a tournament tree in which each node holds the
 * earliest of the four below it, so that an update takes three comparisons per level and no
 * branches. The lower number wins ties, so the order, and with it all timing, depends only on the
 * model. */
#ifndef VESIM_EVENT_QUEUE_H
#define VESIM_EVENT_QUEUE_H

#include <stdint.h>

/* A key holds the time in the bits above the entry's number, which limits times to 2^54 cycles:
 * three weeks of an emulated GPU at 10 GHz. */
enum { EVENT_QUEUE_ENTRY_BITS = 10, EVENT_QUEUE_MAX_ENTRIES = 1 << EVENT_QUEUE_ENTRY_BITS };
#define EVENT_QUEUE_NEVER (UINT64_MAX >> EVENT_QUEUE_ENTRY_BITS)

struct event_queue {
    uint32_t count;  /* entries, at most EVENT_QUEUE_MAX_ENTRIES; all are always present */
    uint32_t leaves; /* `count` rounded up to a power of 4, at least 4 */
    uint64_t *keys;  /* the tree: root at 1, children of n at 4n to 4n + 3, entry n at leaves + n */
};

int event_queue_init(struct event_queue *queue, uint32_t count);
void event_queue_release(struct event_queue *queue);

/* Removes the events of all entries. */
void event_queue_clear(struct event_queue *queue);

static inline uint64_t event_queue_key_time(uint64_t key)
{
    uint64_t time = key >> EVENT_QUEUE_ENTRY_BITS;

    return time == EVENT_QUEUE_NEVER ? UINT64_MAX : time;
}

/* The earliest of node `i`'s three siblings. */
static inline uint64_t event_queue_beside(const uint64_t *keys, uint32_t i)
{
    uint64_t a = keys[i ^ 1], b = keys[i ^ 2], c = keys[i ^ 3];

    a = a < b ? a : b;
    return a < c ? a : c;
}

/* Sets an entry's time; UINT64_MAX: no event. The walk up the tree never reads a key that it has
 * just written. */
static inline void event_queue_set(struct event_queue *queue, uint32_t entry, uint64_t time)
{
    uint64_t *keys = queue->keys;
    uint64_t key =
        (time < EVENT_QUEUE_NEVER ? time : EVENT_QUEUE_NEVER) << EVENT_QUEUE_ENTRY_BITS | entry;
    uint32_t i = queue->leaves + entry;

    for (keys[i] = key; i > 1; keys[i] = key) {
        uint64_t beside = event_queue_beside(keys, i);

        key = beside < key ? beside : key;
        i /= 4;
    }
}

/* The entry that is due first, */
static inline uint32_t event_queue_first(const struct event_queue *queue)
{
    return (uint32_t)queue->keys[1] & (EVENT_QUEUE_MAX_ENTRIES - 1);
}

/* its time, */
static inline uint64_t event_queue_first_time(const struct event_queue *queue)
{
    return event_queue_key_time(queue->keys[1]);
}

/* and the time of the one due after it. */
static inline uint64_t event_queue_second_time(const struct event_queue *queue)
{
    uint64_t second = UINT64_MAX;

    for (uint32_t i = queue->leaves + event_queue_first(queue); i > 1; i /= 4) {
        uint64_t beside = event_queue_beside(queue->keys, i);

        second = beside < second ? beside : second;
    }
    return event_queue_key_time(second);
}

#endif
