#include "ze/list-events.h"

#include <string.h>

/* Of COUNTER_BASED_EVENTS_EXTENSION (ze_api.h of Level Zero 1.7), newer than the oldest supported
 * headers. */
#define STRUCTURE_COUNTER_BASED ((ze_structure_type_t)0x00020014)
enum { COUNTER_BASED_IMMEDIATE = 1, COUNTER_BASED_REGULAR = 2 };

struct counter_based_pool {
    ze_structure_type_t stype;
    const void *pNext;
    uint32_t flags;
};

enum status list_events_create(struct list_events *events, const struct ze_api *ze,
                               ze_context_handle_t context, ze_device_handle_t device, bool count,
                               struct error *error)
{
    const struct counter_based_pool counts = {
        .stype = STRUCTURE_COUNTER_BASED, .flags = COUNTER_BASED_IMMEDIATE | COUNTER_BASED_REGULAR};
    ze_event_pool_desc_t pool = {
        .stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC,
        .pNext = count ? &counts : NULL,
        .flags = ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP | ZE_EVENT_POOL_FLAG_HOST_VISIBLE,
        .count = TIMED_KERNELS_MAX + 2,
    };
    /* Of no scope: with one, drivers of integrated GPUs write the caches back before they take the
     * time of the kernel's end. What the kernel wrote is visible behind the list's last event. */
    ze_event_desc_t event = {.stype = ZE_STRUCTURE_TYPE_EVENT_DESC};
    enum status status =
        ZE_CALL(ze, error, zeEventPoolCreate, context, &pool, 1, &device, &events->pool);

    events->count = count;
    for (; status == STATUS_OK && event.index < TIMED_KERNELS_MAX; event.index++)
        status =
            ZE_CALL(ze, error, zeEventCreate, events->pool, &event, &events->timed[event.index]);
    event.signal = event.wait = ZE_EVENT_SCOPE_FLAG_HOST;
    if (status == STATUS_OK)
        status = ZE_CALL(ze, error, zeEventCreate, events->pool, &event, &events->end);
    event.index++;
    if (status == STATUS_OK)
        status = ZE_CALL(ze, error, zeEventCreate, events->pool, &event, &events->written);
    return status;
}

enum status list_events_reset(const struct list_events *events, const struct ze_api *ze,
                              struct error *error)
{
    if (events->count)
        return STATUS_OK;
    enum status status = ZE_CALL(ze, error, zeEventHostReset, events->end);
    if (status == STATUS_OK)
        status = ZE_CALL(ze, error, zeEventHostReset, events->written);
    for (size_t i = 0; status == STATUS_OK && i < TIMED_KERNELS_MAX; i++)
        status = ZE_CALL(ze, error, zeEventHostReset, events->timed[i]);
    return status;
}

void list_events_destroy(struct list_events *events, const struct ze_api *ze)
{
    for (size_t i = 0; i < TIMED_KERNELS_MAX; i++) {
        if (events->timed[i])
            ze->zeEventDestroy(events->timed[i]);
    }
    if (events->written)
        ze->zeEventDestroy(events->written);
    if (events->end)
        ze->zeEventDestroy(events->end);
    if (events->pool)
        ze->zeEventPoolDestroy(events->pool);
    memset(events, 0, sizeof(*events));
}
