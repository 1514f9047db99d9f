#include "ze/session.h"
#include "ze/clock.h"
#include "ze/emulator.h"
#include "ze/sysman.h"

#include "base/monotonic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A launch takes milliseconds on a GPU, but far longer on an emulated one. */
#define HARDWARE_TIMEOUT_S 20u
#define MODEL_TIMEOUT_S    300u

/* After calibration, a launch hangs if it takes longer than this plus EXPECTED_TIMES its expected
 * time. */
#define HARDWARE_FLOOR_NS UINT64_C(5000000000)
#define MODEL_FLOOR_NS    UINT64_C(60000000000)
#define EXPECTED_TIMES    50u

/* Of memory that empties the caches, in sizes of the last-level cache: the first is copied to the
 * others. */
#define EVICTION_PARTS 3u

/* Allowance for the driver's own work, on a busy host. */
#define DRIVER_LIMIT_NS UINT64_C(10000000000)

/* ZE_COMMAND_LIST_FLAG_IN_ORDER and ZE_COMMAND_QUEUE_FLAG_IN_ORDER of Level Zero 1.7. */
enum { LIST_FLAG_IN_ORDER = 8, QUEUE_FLAG_IN_ORDER = 2 };

enum status session_connect(struct session *session, const char *loader, struct error *error)
{
    memset(session, 0, sizeof(*session));
    enum status status = ze_api_open(&session->ze, loader, error);
    if (status != STATUS_OK)
        return status;
    sysman_prepare(session);
    status = device_list_fill(&session->ze, &session->devices, error);
    if (status != STATUS_OK) {
        ze_api_close(&session->ze);
        return status;
    }
    session->kind = device_kind_detect();
    session->is_deterministic = device_kind_is_deterministic();
    session->counts_cycles = !session->is_deterministic;
    /* The loader knows its version only once initialised. */
    ze_loader_version(&session->ze, session->loader_version, sizeof(session->loader_version));
    return STATUS_OK;
}

static enum status find_compute_queue(struct session *session, uint32_t *ordinal,
                                      struct error *error)
{
    ze_command_queue_group_properties_t groups[16];
    uint32_t count = 0;
    enum status status = ZE_CALL(&session->ze, error, zeDeviceGetCommandQueueGroupProperties,
                                 session->device->handle, &count, NULL);

    memset(groups, 0, sizeof(groups));
    for (size_t i = 0; i < sizeof(groups) / sizeof(groups[0]); i++)
        groups[i].stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_GROUP_PROPERTIES;
    if (count > sizeof(groups) / sizeof(groups[0]))
        count = sizeof(groups) / sizeof(groups[0]);
    if (status == STATUS_OK)
        status = ZE_CALL(&session->ze, error, zeDeviceGetCommandQueueGroupProperties,
                         session->device->handle, &count, groups);
    if (status != STATUS_OK)
        return status;
    for (*ordinal = 0; *ordinal < count; (*ordinal)++) {
        if (!(groups[*ordinal].flags & ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE))
            continue;
        session->conditions.engine_group = *ordinal;
        session->conditions.engine_count =
            session->is_deterministic ? 0 : groups[*ordinal].numQueues;
        return STATUS_OK;
    }
    return error_set(error, STATUS_FAILED, "%s has no queue that runs kernels",
                     session->device->name);
}

enum status session_create_list(struct session *session, bool in_order,
                                ze_command_list_handle_t *list, struct error *error)
{
    ze_command_list_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC,
                                   .commandQueueGroupOrdinal = session->ordinal,
                                   .flags = in_order ? LIST_FLAG_IN_ORDER : 0};

    return ZE_CALL(&session->ze, error, zeCommandListCreate, session->context,
                   session->device->handle, &desc, list);
}

/* The first regular list and the events of a kind. */
static enum status create_first_list(struct session *session, bool in_order, struct error *error)
{
    enum status status =
        session_create_list(session, in_order, &session->lists[in_order][0], error);

    return status == STATUS_OK
               ? list_events_create(&session->events[in_order], &session->ze, session->context,
                                    session->device->handle, in_order, error)
               : status;
}

/* What the session needs to know of its device before there is anything on it. */
static enum status know_device(struct session *session, size_t index, unsigned timeout_s,
                               struct error *error)
{
    session->device = &session->devices.device[index];
    if (timeout_s == 0)
        timeout_s = session->is_deterministic ? MODEL_TIMEOUT_S : HARDWARE_TIMEOUT_S;
    session->timeout_ns = (uint64_t)timeout_s * 1000000000u;
    sysman_find(session);
    session->peak_bandwidth = sysman_peak_bandwidth(session);
    conditions_read(&session->conditions, session);
    return timer_init(&session->timer, session->device->timer_resolution,
                      session->device->kernel_timestamp_valid_bits, error);
}

enum status session_open(struct session *session, const char *selector, unsigned timeout_s,
                         struct error *error)
{
    ze_context_desc_t context = {.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC};
    ze_command_queue_desc_t queue = {
        .stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
        .mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS,
    };
    size_t index = 0;
    enum status status = device_select(&session->devices, selector, &index, error);

    if (status == STATUS_OK)
        status = know_device(session, index, timeout_s, error);
    if (status == STATUS_OK)
        status = find_compute_queue(session, &session->ordinal, error);
    if (status == STATUS_OK)
        status = ZE_CALL(&session->ze, error, zeContextCreate, session->device->driver, &context,
                         &session->context);
    queue.ordinal = session->ordinal;
    if (status == STATUS_OK)
        status = ZE_CALL(&session->ze, error, zeCommandQueueCreate, session->context,
                         session->device->handle, &queue, &session->queue);
    if (status == STATUS_OK)
        status = create_first_list(session, false, error);
    return status;
}

enum status session_adopt(struct session *session, const struct session_handles *handles,
                          unsigned timeout_s, struct error *error)
{
    size_t index = 0;

    while (index < session->devices.count &&
           session->devices.device[index].handle != handles->device)
        index++;
    if (index == session->devices.count)
        return error_set(error, STATUS_USAGE,
                         "the device is none of the Intel GPUs that Level Zero lists, nor one of "
                         "their tiles");
    session->is_adopted = true;
    session->context = handles->context;
    session->queue = handles->queue;
    session->ordinal = handles->queue_ordinal;
    enum status status = know_device(session, index, timeout_s, error);
    if (status == STATUS_OK)
        status = create_first_list(session, false, error);
    return status;
}

void session_target(const struct session *session, struct target *target)
{
    *target = (struct target){
        .device = *session->device,
        .device_count = session->devices.count,
        .kind = session->kind,
        .is_deterministic = session->is_deterministic,
        .timer = session->timer,
        .peak_bandwidth = session->peak_bandwidth,
        .conditions = session->conditions,
    };
    memcpy(target->loader_version, session->loader_version, sizeof(target->loader_version));
}

void session_close(struct session *session)
{
    if (session->lost)
        return;
    for (size_t in_order = 0; in_order < 2; in_order++) {
        list_events_destroy(&session->events[in_order], &session->ze);
        if (session->immediate[in_order])
            session->ze.zeCommandListDestroy(session->immediate[in_order]);
        for (size_t i = 0; i < REGULAR_LISTS_MAX; i++) {
            if (session->lists[in_order][i])
                session->ze.zeCommandListDestroy(session->lists[in_order][i]);
        }
    }
    session_free(session, session->eviction);
    if (session->queue && !session->is_adopted)
        session->ze.zeCommandQueueDestroy(session->queue);
    if (session->context && !session->is_adopted)
        session->ze.zeContextDestroy(session->context);
    ze_api_close(&session->ze);
    memset(session, 0, sizeof(*session));
}

enum status session_alloc_device(struct session *session, size_t bytes, void **memory,
                                 struct error *error)
{
    ze_device_mem_alloc_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC};

    return ZE_CALL(&session->ze, error, zeMemAllocDevice, session->context, &desc, bytes, 64,
                   session->device->handle, memory);
}

enum status session_alloc_host(struct session *session, size_t bytes, void **memory,
                               struct error *error)
{
    ze_host_mem_alloc_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC};

    return ZE_CALL(&session->ze, error, zeMemAllocHost, session->context, &desc, bytes, 64, memory);
}

void session_free(struct session *session, void *memory)
{
    if (memory && !session->lost)
        session->ze.zeMemFree(session->context, memory);
}

static enum status create_immediate_list(struct session *session, bool in_order,
                                         struct error *error)
{
    ze_command_queue_desc_t queue = {
        .stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
        .ordinal = session->ordinal,
        .flags = in_order ? QUEUE_FLAG_IN_ORDER : 0,
        .mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS,
    };

    return ZE_CALL(&session->ze, error, zeCommandListCreateImmediate, session->context,
                   session->device->handle, &queue, &session->immediate[in_order]);
}

enum status session_begin_list(struct session *session, enum list_kind kind, struct error *error)
{
    bool in_order = list_is_in_order(kind);
    enum status status = STATUS_OK;

    session->timed = 0;
    session->trailing = 0;
    session->spans = false;
    session->is_repeated = false;
    session->open = 0;
    session->kind_of_list = kind;
    if (in_order && !session->lists[in_order][0])
        status = create_first_list(session, in_order, error);
    if (status == STATUS_OK)
        status = list_events_reset(session_events(session), &session->ze, error);
    if (status == STATUS_OK && !list_is_immediate(kind))
        status = ZE_CALL(&session->ze, error, zeCommandListReset, session->lists[in_order][0]);
    else if (status == STATUS_OK && !session->immediate[in_order])
        status = create_immediate_list(session, in_order, error);
    return status;
}

/* Of the kind that is being filled. */
static ze_command_list_handle_t *regular_lists(struct session *session)
{
    return session->lists[list_is_in_order(session->kind_of_list)];
}

ze_command_list_handle_t session_list(const struct session *session)
{
    bool in_order = list_is_in_order(session->kind_of_list);

    return list_is_immediate(session->kind_of_list) ? session->immediate[in_order]
                                                    : session->lists[in_order][session->open];
}

const struct list_events *session_events(const struct session *session)
{
    return &session->events[list_is_in_order(session->kind_of_list)];
}

enum status session_append_copy(struct session *session, void *to, const void *from, size_t bytes,
                                struct error *error)
{
    return ZE_CALL(&session->ze, error, zeCommandListAppendMemoryCopy, session_list(session), to,
                   from, bytes, NULL, 0, NULL);
}

enum status session_append_copy_rows(struct session *session, void *to, const void *from,
                                     size_t bytes, uint32_t row_bytes, uint32_t pitch,
                                     struct error *error)
{
    ze_copy_region_t rows = {.width = row_bytes, .height = (uint32_t)(bytes / pitch), .depth = 1};

    return ZE_CALL(&session->ze, error, zeCommandListAppendMemoryCopyRegion, session_list(session),
                   to, &rows, pitch, 0, from, &rows, pitch, 0, NULL, 0, NULL);
}

static enum status next_timed(struct session *session, ze_event_handle_t *event,
                              struct error *error)
{
    if (session->timed == TIMED_KERNELS_MAX)
        return error_set(error, STATUS_FAILED, "more than %d kernels in a list", TIMED_KERNELS_MAX);
    *event = session_events(session)->timed[session->timed++];
    return STATUS_OK;
}

enum status session_append_timed_copy(struct session *session, void *to, const void *from,
                                      size_t bytes, struct error *error)
{
    ze_event_handle_t event = NULL;
    enum status status = next_timed(session, &event, error);

    return status == STATUS_OK ? ZE_CALL(&session->ze, error, zeCommandListAppendMemoryCopy,
                                         session_list(session), to, from, bytes, event, 0, NULL)
                               : status;
}

enum status session_append_barrier(struct session *session, struct error *error)
{
    return ZE_CALL(&session->ze, error, zeCommandListAppendBarrier, session_list(session), NULL, 0,
                   NULL);
}

enum status session_append_write_back(struct session *session, struct error *error)
{
    return ZE_CALL(&session->ze, error, zeCommandListAppendBarrier, session_list(session),
                   session_events(session)->written, 0, NULL);
}

enum status session_append_eviction(struct session *session, struct error *error)
{
    size_t bytes = session->device->cache_bytes;
    void *memory = session->eviction;
    enum status status = STATUS_OK;

    if (!memory)
        status = session_alloc_device(session, EVICTION_PARTS * bytes, &memory, error);
    session->eviction = memory;
    for (size_t i = 1; status == STATUS_OK && i < EVICTION_PARTS; i++)
        status = session_append_copy(session, session->eviction + i * bytes, memory, bytes, error);
    return status == STATUS_OK ? session_append_barrier(session, error) : status;
}

enum status session_append_kernel(struct session *session, ze_kernel_handle_t kernel,
                                  const uint32_t group_count[3], bool cooperative,
                                  struct error *error)
{
    ze_group_count_t groups = {group_count[0], group_count[1], group_count[2]};
    ze_command_list_handle_t list = session_list(session);
    ze_event_handle_t event = NULL;
    enum status status = next_timed(session, &event, error);

    if (status != STATUS_OK)
        return status;
    if (cooperative && !session->ze.zeCommandListAppendLaunchCooperativeKernel)
        return error_set(error, STATUS_UNSUPPORTED, "the loader has no cooperative kernels");
    session->submission_start_ns = monotonic_ns();
    if (cooperative)
        status = ZE_CALL(&session->ze, error, zeCommandListAppendLaunchCooperativeKernel, list,
                         kernel, &groups, event, 0, NULL);
    else
        status = ZE_CALL(&session->ze, error, zeCommandListAppendLaunchKernel, list, kernel,
                         &groups, event, 0, NULL);
    session->submission_end_ns = monotonic_ns();
    return status;
}

enum status session_append_untimed(struct session *session, ze_kernel_handle_t kernel,
                                   const uint32_t group_count[3], struct error *error)
{
    ze_group_count_t groups = {group_count[0], group_count[1], group_count[2]};

    return ZE_CALL(&session->ze, error, zeCommandListAppendLaunchKernel, session_list(session),
                   kernel, &groups, NULL, 0, NULL);
}

enum status session_end_list(struct session *session, struct error *error)
{
    if (list_is_immediate(session->kind_of_list))
        return ZE_CALL(&session->ze, error, zeCommandListAppendBarrier, session_list(session),
                       session_events(session)->end, 0, NULL);
    return ZE_CALL(&session->ze, error, zeCommandListClose, session_list(session));
}

enum status session_next_list(struct session *session, struct error *error)
{
    if (list_is_immediate(session->kind_of_list))
        return STATUS_OK;
    enum status status = session_end_list(session, error);
    if (status != STATUS_OK)
        return status;
    if (session->open + 1 == REGULAR_LISTS_MAX)
        return error_set(error, STATUS_FAILED, "more than %d lists", REGULAR_LISTS_MAX);
    session->open++;
    if (session_list(session))
        return ZE_CALL(&session->ze, error, zeCommandListReset, session_list(session));
    return session_create_list(session, list_is_in_order(session->kind_of_list),
                               &regular_lists(session)[session->open], error);
}

/* Older pauses count for less and less. */
static void note_pause(struct session *session)
{
    uint64_t pause = session->submission_start_ns - session->idle_since_ns;
    uint64_t faded = session->pause_ns - session->pause_ns / 1024;

    if (!session->idle_since_ns)
        return;
    session->has_slept |= session->is_bridging && pause > session->bridge_ns;
    session->pause_ns = pause > faded ? pause : faded;
}

void session_rest(struct session *session)
{
    if (session->is_bridging && !session->lost)
        session->ze.zeCommandQueueSynchronize(session->queue, session->timeout_ns);
    session->is_bridging = false;
}

unsigned session_subject(const struct session *session)
{
    return session->timed - 1 - session->trailing;
}

unsigned session_first(const struct session *session)
{
    return session_subject(session) - (session->spans ? 1u : 0u);
}

static enum status submit(struct session *session, struct error *error)
{
    enum status status = STATUS_OK;

    session->has_slept |= !session->bridge || list_is_immediate(session->kind_of_list);
    if (list_is_immediate(session->kind_of_list))
        return STATUS_OK;
    session->submission_start_ns = monotonic_ns();
    note_pause(session);
    for (unsigned i = 0; status == STATUS_OK && i <= session->open; i++) {
        ze_command_list_handle_t lists[2] = {regular_lists(session)[i], session->bridge};

        session->is_bridging = session->bridge && i == session->open;
        status = ZE_CALL(&session->ze, error, zeCommandQueueExecuteCommandLists, session->queue,
                         session->is_bridging ? 2u : 1u, lists, NULL);
    }
    session->bridge = NULL;
    session->submission_end_ns = monotonic_ns();
    return status;
}

/* How long to wait for the list at most. */
static uint64_t wait_limit(const struct session *session)
{
    uint64_t floor = session->is_deterministic ? MODEL_FLOOR_NS : HARDWARE_FLOOR_NS;
    uint64_t limit = floor + EXPECTED_TIMES * session->expected_ns;
    uint64_t timeout_ns = session->timeout_ns * (session->is_repeated ? 2 : 1);

    return session->expected_ns && limit < timeout_ns ? limit : timeout_ns;
}

static enum status wait_for_launch(struct session *session, uint64_t *done_ns, struct error *error)
{
    /* Wait for the event first, then for the end of the list: after waiting for the queue alone the
     * timestamps may not be readable yet, and the list must not be touched before the queue is
     * done. */
    ze_result_t result = ZE_RESULT_SUCCESS;
    const struct list_events *events = session_events(session);
    uint64_t limit = wait_limit(session);

    if (session->timed > 0)
        result = session->ze.zeEventHostSynchronize(events->timed[session->timed - 1], limit);
    *done_ns = monotonic_ns();
    if (result == ZE_RESULT_SUCCESS && list_is_immediate(session->kind_of_list))
        result = session->ze.zeEventHostSynchronize(events->end, limit);
    else if (result == ZE_RESULT_SUCCESS && session->is_bridging)
        result = session->ze.zeEventHostSynchronize(events->end, limit);
    else if (result == ZE_RESULT_SUCCESS)
        result = session->ze.zeCommandQueueSynchronize(session->queue, limit);
    session->idle_since_ns = monotonic_ns();
    if (result == ZE_RESULT_NOT_READY) {
        if (limit > session->timeout_ns) /* said is what each launch may take */
            limit = session->timeout_ns;
        return error_set(error, STATUS_LOST,
                         "the kernel did not finish within %u s: the device hangs, or executes "
                         "nothing (a driver told to simulate does not)",
                         (unsigned)(limit / 1000000000u));
    }
    if (result == ZE_RESULT_ERROR_DEVICE_LOST)
        return error_set(error, STATUS_LOST,
                         "the kernel hangs the device: it never ends, or touches memory that is "
                         "not there (%s)",
                         ze_result_name(result));
    return ze_report(result, "waiting for the kernel", __FILE__, __LINE__, error);
}

/* Resetting an event does not clear its old timestamps, so a kernel that never wrote its own would
 * appear exactly as fast as the one before. */
static bool is_stale(const ze_kernel_timestamp_result_t *now,
                     const ze_kernel_timestamp_result_t *before)
{
    return now->global.kernelStart == before->global.kernelStart &&
           now->global.kernelEnd == before->global.kernelEnd;
}

static enum status read_timestamps(struct session *session, unsigned kernel, struct error *error)
{
    ze_kernel_timestamp_result_t stamps;

    memset(&stamps, 0, sizeof(stamps));
    ze_result_t result =
        session->ze.zeEventQueryKernelTimestamp(session_events(session)->timed[kernel], &stamps);
    if (result == ZE_RESULT_NOT_READY) {
        return error_set(error, STATUS_FAILED,
                         "the driver says that the kernel is done but has no timestamps of it: it "
                         "executes nothing, as in its capture mode");
    }
    if (result == ZE_RESULT_SUCCESS && is_stale(&stamps, &session->stamps[kernel])) {
        return error_set(error, STATUS_FAILED,
                         "the driver returned the timestamps of the launch before");
    }
    session->stamps[kernel] = stamps;
    timer_note(&session->timer, stamps.context.kernelStart | stamps.context.kernelEnd |
                                    stamps.global.kernelStart | stamps.global.kernelEnd);
    return ze_report(result, "zeEventQueryKernelTimestamp", __FILE__, __LINE__, error);
}

/* Both pairs of an event's timestamps have the width of kernel timestamps; if the global counter is
 * wider, the low bits give the same difference. */
static void take_time(const struct session *session, struct launch_time *time)
{
    unsigned first = session_first(session);
    const ze_kernel_timestamp_result_t *from = &session->stamps[first];
    const ze_kernel_timestamp_result_t *to = &session->stamps[session_subject(session)];
    unsigned bits = session->timer.valid_bits;

    time->kernel_ticks = ticks_between(from->context.kernelStart, to->context.kernelEnd, bits);
    time->global_ticks = ticks_between(from->global.kernelStart, to->global.kernelEnd, bits);
    time->gap_ticks =
        first > 0 ? ticks_between(from[-1].global.kernelEnd, from->global.kernelStart, bits) : 0;
    time->one_domain = from->context.kernelStart == from->global.kernelStart &&
                       to->context.kernelEnd == to->global.kernelEnd;
}

/* The host's time for the subject: less the device's, from the first timed kernel of the list on.
 * It contains the subject's own, or the two clocks have nothing to do with each other. */
static double host_ns(const struct session *session, const struct launch_time *time)
{
    const ze_kernel_timestamp_data_t *from = &session->stamps[session_first(session)].global;
    uint64_t hz = session->timer.hz;
    double before = ticks_to_ns((double)ticks_between(session->stamps[0].global.kernelStart,
                                                      from->kernelStart, session->timer.valid_bits),
                                hz);
    double ns = (double)time->completion_ns - before;

    return session->is_deterministic || ns < ticks_to_ns((double)time->global_ticks, hz) ? NAN : ns;
}

enum status session_execute(struct session *session, struct launch_time *time, struct error *error)
{
    struct clock_samples
        samples; /* of 98 KB, which would take longer to clear than some launches take */
    uint64_t done_ns = 0;

    /* The waits time out by themselves; the watching process steps in if they don't. */
    watch_extend(session->watch, 2 * wait_limit(session) + DRIVER_LIMIT_NS);
    samples.count = 0;
    enum status status = submit(session, error);
    if (status == STATUS_OK && session->samples_clock && session->sysman) {
        /* An emulated device's is what its description says, at any time. */
        if (session->is_deterministic)
            session->sampled_mhz = clock_now_mhz(session);
        else if (session->timed > 0)
            clock_sample(session, wait_limit(session), &samples);
    }
    if (status == STATUS_OK)
        status = wait_for_launch(session, &done_ns, error);
    if (status == STATUS_LOST)
        session->lost = true;
    for (unsigned i = 0; status == STATUS_OK && i < session->timed; i++)
        status = read_timestamps(session, i, error);
    if (status != STATUS_OK)
        return status;
    memset(time, 0, sizeof(*time));
    if (session->timed > 0)
        take_time(session, time);
    if (samples.count > 0)
        session->sampled_mhz = clock_during_subject(session, &samples);
    session->samples_clock = false;
    time->submission_ns = session->submission_end_ns - session->submission_start_ns;
    time->completion_ns = done_ns - session->submission_start_ns;
    time->host_ns = session->timed > 0 ? host_ns(session, time) : NAN;
    return STATUS_OK;
}
