/* Queues, lists and events of the simulated driver. What the specification of Level Zero calls
 * invalid is refused, also where Intel's driver does not look: a list that is executed before it is
 * closed, events that wait for nothing, an event that is used again before it is reset, one that
 * counts in a list that does not execute in order, or that is reset. */
#include "simulated.h"

#include "host-clock.h"

#include <stdlib.h>
#include <string.h>

#define COMMANDS_MAX 48u
#define WAKE_NS      9000.0 /* until a waiting host notices an event */
#define POLL_NS      500.0

/* Of Level Zero 1.7 (ze_api.h). */
enum {
    LIST_FLAG_IN_ORDER = 8,
    QUEUE_FLAG_IN_ORDER = 2,
    STRUCTURE_COUNTER_BASED = 0x00020014,
    COUNTER_BASED_IMMEDIATE = 1,
    COUNTER_BASED_REGULAR = 2,
};

struct counter_based_pool {
    ze_structure_type_t stype;
    const void *pNext;
    uint32_t flags;
};

enum command_kind { COMMAND_KERNEL, COMMAND_COPY, COMMAND_SIGNAL };

struct command {
    enum command_kind kind;
    struct simulated_launch launch;
    struct simulated_copy copy;
    struct simulated_event *signal;
};

struct list {
    bool is_immediate, is_in_order, is_closed;
    struct command commands[COMMANDS_MAX];
    unsigned count;
};

struct event_pool {
    ze_event_pool_flags_t flags;
    bool counts;
    uint32_t count;
    struct simulated_event events[];
};

static char queue_place;
static double queue_done_ns;

static bool is_queue(const ze_command_queue_desc_t *desc)
{
    return desc->stype == ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC && !desc->pNext &&
           desc->ordinal == 0 && desc->index < settings.engines &&
           desc->mode == ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS;
}

ze_result_t ZE_APICALL zeCommandQueueCreate(ze_context_handle_t context, ze_device_handle_t device,
                                            const ze_command_queue_desc_t *desc,
                                            ze_command_queue_handle_t *queue)
{
    const struct simulated_device *used = (const void *)device;

    (void)context;
    ENTER();
    REQUIRE(is_queue(desc), ZE_RESULT_ERROR_INVALID_ARGUMENT);
    engine_tile = used->tile;
    simulated_objects++;
    *queue = (ze_command_queue_handle_t)(void *)&queue_place;
    return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeCommandQueueDestroy(ze_command_queue_handle_t queue)
{
    ENTER();
    REQUIRE(queue, ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
    simulated_objects--;
    return ZE_RESULT_SUCCESS;
}

static ze_result_t execute(const struct command *command)
{
    if (command->signal && command->signal->counts)
        command->signal->signalled_ns = -1.0;
    REQUIRE(!command->signal || command->signal->signalled_ns < 0.0,
            ZE_RESULT_ERROR_INVALID_SYNCHRONIZATION_OBJECT);
    if (command->kind == COMMAND_KERNEL)
        engine_launch(&command->launch, command->signal);
    else if (command->kind == COMMAND_COPY)
        engine_copy(&command->copy, command->signal);
    else
        engine_signal(command->signal);
    return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeCommandQueueExecuteCommandLists(ze_command_queue_handle_t queue,
                                                         uint32_t count,
                                                         ze_command_list_handle_t *lists,
                                                         ze_fence_handle_t fence)
{
    struct simulated_event end = {0};
    ze_result_t result = ZE_RESULT_SUCCESS;

    ENTER();
    REQUIRE(queue && lists && !fence, ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
    REQUIRE(count > 0, ZE_RESULT_ERROR_INVALID_SIZE);
    host_clock_advance(5000.0);
    engine_submit();
    for (uint32_t i = 0; result == ZE_RESULT_SUCCESS && i < count; i++) {
        const struct list *list = (const void *)lists[i];

        REQUIRE(list && list->is_closed && !list->is_immediate, ZE_RESULT_ERROR_INVALID_ARGUMENT);
        for (unsigned c = 0; result == ZE_RESULT_SUCCESS && c < list->count; c++)
            result = execute(&list->commands[c]);
    }
    engine_signal(&end);
    queue_done_ns = end.signalled_ns;
    return result;
}

static ze_result_t wait_until(double done_ns, uint64_t timeout)
{
    if (done_ns < 0.0 || done_ns > host_clock_now() + (double)timeout) {
        host_clock_advance(timeout ? (double)timeout : POLL_NS);
        return ZE_RESULT_NOT_READY;
    }
    host_clock_advance_to(done_ns + WAKE_NS);
    return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeCommandQueueSynchronize(ze_command_queue_handle_t queue, uint64_t timeout)
{
    (void)queue;
    ENTER();
    return wait_until(queue_done_ns, timeout);
}

static ze_result_t create_list(bool is_immediate, bool is_in_order,
                               ze_command_list_handle_t *handle)
{
    struct list *list = calloc(1, sizeof(*list));

    if (!list)
        return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
    list->is_immediate = is_immediate;
    list->is_in_order = is_in_order;
    simulated_objects++;
    *handle = (ze_command_list_handle_t)(void *)list;
    return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeCommandListCreate(ze_context_handle_t context, ze_device_handle_t device,
                                           const ze_command_list_desc_t *desc,
                                           ze_command_list_handle_t *list)
{
    ENTER();
    REQUIRE(context && device, ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
    REQUIRE(desc->stype == ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC && !desc->pNext &&
                desc->commandQueueGroupOrdinal == 0 && !(desc->flags & ~LIST_FLAG_IN_ORDER),
            ZE_RESULT_ERROR_INVALID_ARGUMENT);
    return create_list(false, desc->flags & LIST_FLAG_IN_ORDER, list);
}

ze_result_t ZE_APICALL zeCommandListCreateImmediate(ze_context_handle_t context,
                                                    ze_device_handle_t device,
                                                    const ze_command_queue_desc_t *desc,
                                                    ze_command_list_handle_t *list)
{
    ENTER();
    REQUIRE(context && device, ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
    REQUIRE(is_queue(desc), ZE_RESULT_ERROR_INVALID_ARGUMENT);
    return create_list(true, desc->flags & QUEUE_FLAG_IN_ORDER, list);
}

ze_result_t ZE_APICALL zeCommandListDestroy(ze_command_list_handle_t list)
{
    ENTER();
    REQUIRE(list, ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
    free((void *)list);
    simulated_objects--;
    return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeCommandListClose(ze_command_list_handle_t handle)
{
    struct list *list = (void *)handle;

    ENTER();
    REQUIRE(list && !list->is_immediate && !list->is_closed, ZE_RESULT_ERROR_INVALID_ARGUMENT);
    list->is_closed = true;
    return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeCommandListReset(ze_command_list_handle_t handle)
{
    struct list *list = (void *)handle;

    ENTER();
    REQUIRE(list && !list->is_immediate, ZE_RESULT_ERROR_INVALID_ARGUMENT);
    list->count = 0;
    list->is_closed = false;
    return ZE_RESULT_SUCCESS;
}

/* Waits for `count` events, which none of the project's lists does. */
static ze_result_t append(ze_command_list_handle_t handle, const struct command *command,
                          uint32_t count, const ze_event_handle_t *events)
{
    struct list *list = (struct list *)(void *)handle;

    REQUIRE(list, ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
    REQUIRE(count == 0 && !events, ZE_RESULT_ERROR_INVALID_SIZE);
    REQUIRE(!command->signal || !command->signal->counts || list->is_in_order,
            ZE_RESULT_ERROR_INVALID_ARGUMENT);
    if (list->is_immediate) {
        host_clock_advance(4000.0);
        engine_submit();
        return execute(command);
    }
    REQUIRE(!list->is_closed, ZE_RESULT_ERROR_INVALID_ARGUMENT);
    REQUIRE(list->count < COMMANDS_MAX, ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
    list->commands[list->count++] = *command;
    return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeCommandListAppendBarrier(ze_command_list_handle_t list,
                                                  ze_event_handle_t signal, uint32_t count,
                                                  ze_event_handle_t *events)
{
    struct command command = {.kind = COMMAND_SIGNAL, .signal = (void *)signal};

    ENTER();
    return append(list, &command, count, events);
}

ze_result_t ZE_APICALL zeCommandListAppendMemoryCopy(ze_command_list_handle_t list, void *to,
                                                     const void *from, size_t bytes,
                                                     ze_event_handle_t signal, uint32_t count,
                                                     ze_event_handle_t *events)
{
    struct command command = {.kind = COMMAND_COPY,
                              .copy = {.to = to, .from = from, .bytes = bytes, .rows = 1},
                              .signal = (void *)signal};

    ENTER();
    REQUIRE(to && from, ZE_RESULT_ERROR_INVALID_NULL_POINTER);
    return append(list, &command, count, events);
}

ze_result_t ZE_APICALL zeCommandListAppendMemoryCopyRegion(
    ze_command_list_handle_t list, void *to, const ze_copy_region_t *to_region, uint32_t to_pitch,
    uint32_t to_slice, const void *from, const ze_copy_region_t *from_region, uint32_t from_pitch,
    uint32_t from_slice, ze_event_handle_t signal, uint32_t count, ze_event_handle_t *events)
{
    ENTER();
    REQUIRE(to && from && to_region && from_region, ZE_RESULT_ERROR_INVALID_NULL_POINTER);
    /* Rows of one layer, from the beginning, laid out alike at both ends: what vebench copies. */
    REQUIRE(!memcmp(to_region, from_region, sizeof(*to_region)) && to_pitch == from_pitch &&
                to_region->depth == 1 && !to_region->originX && !to_region->originY &&
                !to_region->originZ && to_region->width <= to_pitch,
            ZE_RESULT_ERROR_INVALID_ARGUMENT);
    (void)to_slice;
    (void)from_slice;
    struct command command = {.kind = COMMAND_COPY,
                              .copy = {.to = to,
                                       .from = from,
                                       .bytes = to_region->width,
                                       .rows = to_region->height,
                                       .pitch = to_pitch},
                              .signal = (void *)signal};
    return append(list, &command, count, events);
}

ze_result_t ZE_APICALL zeCommandListAppendLaunchKernel(ze_command_list_handle_t list,
                                                       ze_kernel_handle_t handle,
                                                       const ze_group_count_t *groups,
                                                       ze_event_handle_t signal, uint32_t count,
                                                       ze_event_handle_t *events)
{
    struct command command = {.kind = COMMAND_KERNEL, .signal = (void *)signal};

    ENTER();
    REQUIRE(handle, ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
    command.launch = *(const struct simulated_launch *)(const void *)handle;
    command.launch.group_count = groups->groupCountX * groups->groupCountY * groups->groupCountZ;
    REQUIRE(command.launch.group_size > 0 && command.launch.group_count > 0,
            ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION);
    return append(list, &command, count, events);
}

ze_result_t ZE_APICALL zeEventPoolCreate(ze_context_handle_t context,
                                         const ze_event_pool_desc_t *desc, uint32_t count,
                                         ze_device_handle_t *handles, ze_event_pool_handle_t *pool)
{
    const struct counter_based_pool *counts = desc->pNext;

    ENTER();
    REQUIRE(context, ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
    REQUIRE(count == 1 && handles && handles[0] && desc->count > 0, ZE_RESULT_ERROR_INVALID_SIZE);
    REQUIRE(desc->stype == ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, ZE_RESULT_ERROR_INVALID_ARGUMENT);
    REQUIRE(!counts || (counts->stype == (ze_structure_type_t)STRUCTURE_COUNTER_BASED &&
                        counts->flags == (COUNTER_BASED_IMMEDIATE | COUNTER_BASED_REGULAR)),
            ZE_RESULT_ERROR_INVALID_ARGUMENT);
    struct event_pool *made = calloc(1, sizeof(*made) + desc->count * sizeof(made->events[0]));
    if (!made)
        return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
    made->flags = desc->flags;
    made->counts = counts;
    made->count = desc->count;
    simulated_objects++;
    *pool = (ze_event_pool_handle_t)(void *)made;
    return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeEventPoolDestroy(ze_event_pool_handle_t pool)
{
    ENTER();
    REQUIRE(pool, ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
    free((void *)pool);
    simulated_objects--;
    return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeEventCreate(ze_event_pool_handle_t handle, const ze_event_desc_t *desc,
                                     ze_event_handle_t *event)
{
    struct event_pool *pool = (void *)handle;

    ENTER();
    REQUIRE(desc->stype == ZE_STRUCTURE_TYPE_EVENT_DESC && !desc->pNext,
            ZE_RESULT_ERROR_INVALID_ARGUMENT);
    REQUIRE(desc->index < pool->count, ZE_RESULT_ERROR_INVALID_ARGUMENT);
    struct simulated_event *made = &pool->events[desc->index];
    /* One event in a place of the pool at a time. */
    REQUIRE(!made->is_made, ZE_RESULT_ERROR_INVALID_ARGUMENT);
    *made =
        (struct simulated_event){.is_made = true,
                                 .is_timed = pool->flags & ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP,
                                 .is_host_visible = pool->flags & ZE_EVENT_POOL_FLAG_HOST_VISIBLE,
                                 .counts = pool->counts,
                                 .signalled_ns = -1.0};
    simulated_objects++;
    *event = (ze_event_handle_t)(void *)made;
    return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeEventDestroy(ze_event_handle_t handle)
{
    struct simulated_event *event = (void *)handle;

    ENTER();
    REQUIRE(event && event->is_made, ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
    event->is_made = false;
    simulated_objects--;
    return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeEventHostReset(ze_event_handle_t event)
{
    ENTER();
    REQUIRE(event, ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
    REQUIRE(!((struct simulated_event *)(void *)event)->counts, ZE_RESULT_ERROR_INVALID_ARGUMENT);
    ((struct simulated_event *)(void *)event)->signalled_ns = -1.0;
    return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeEventHostSynchronize(ze_event_handle_t handle, uint64_t timeout)
{
    const struct simulated_event *event = (const void *)handle;

    ENTER();
    REQUIRE(event && event->is_host_visible, ZE_RESULT_ERROR_INVALID_SYNCHRONIZATION_OBJECT);
    return wait_until(event->signalled_ns, timeout);
}

ze_result_t ZE_APICALL zeEventQueryKernelTimestamp(ze_event_handle_t event,
                                                   ze_kernel_timestamp_result_t *result)
{
    const struct simulated_event *asked = (const void *)event;

    ENTER();
    REQUIRE(asked && asked->is_timed, ZE_RESULT_ERROR_INVALID_SYNCHRONIZATION_OBJECT);
    if (asked->signalled_ns < 0.0 || asked->signalled_ns > host_clock_now())
        return ZE_RESULT_NOT_READY;
    *result = asked->stamps;
    simulated_work_on_host();
    return ZE_RESULT_SUCCESS;
}
