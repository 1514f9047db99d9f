/* The events of a command list's timed kernels, of a place before them and of its end. */
#ifndef VEBENCH_LIST_EVENTS_H
#define VEBENCH_LIST_EVENTS_H

#include "ze/ze-api.h"

/* Timed kernels per list. */
#define TIMED_KERNELS_MAX 5

struct list_events {
    ze_event_pool_handle_t pool;
    ze_event_handle_t timed[TIMED_KERNELS_MAX]; /* one per timed kernel */
    ze_event_handle_t written; /* what is before it in the list has been written to memory */
    ze_event_handle_t end;     /* of the list */
    bool count; /* counter-based: appending a command sets its event back, resetting it is an error
                 */
};

/* Level Zero 1.7: what drivers that have lists in order, and events that count for them, list among
 * their extensions. */
#define COUNTER_BASED_EVENTS_EXTENSION "ZE_experimental_event_pool_counter_based"

/* Events with timestamps that the host can wait for. On failure, list_events_destroy must still be
 * called. */
enum status list_events_create(struct list_events *events, const struct ze_api *ze,
                               ze_context_handle_t context, ze_device_handle_t device, bool count,
                               struct error *error);

/* Before a list is filled anew. */
enum status list_events_reset(const struct list_events *events, const struct ze_api *ze,
                              struct error *error);

void list_events_destroy(struct list_events *events, const struct ze_api *ze);

#endif
