#include "gpu/event-queue.h"

#include <stdlib.h>

int event_queue_init(struct event_queue *queue, uint32_t count)
{
    *queue = (struct event_queue){.count = count, .leaves = 4};
    while (queue->leaves < count)
        queue->leaves *= 4;
    queue->keys = malloc(2 * queue->leaves * sizeof(*queue->keys));
    if (!queue->keys)
        return -1;
    for (uint32_t i = 0; i < 2 * queue->leaves; i++)
        queue->keys[i] = UINT64_MAX; /* unused leaves sort last */
    event_queue_clear(queue);
    return 0;
}

void event_queue_clear(struct event_queue *queue)
{
    for (uint32_t i = 0; i < queue->count; i++)
        event_queue_set(queue, i, UINT64_MAX);
}

void event_queue_release(struct event_queue *queue)
{
    free(queue->keys);
    *queue = (struct event_queue){0};
}
