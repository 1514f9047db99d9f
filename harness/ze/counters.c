#include "ze/counters.h"
#include "ze/emulator.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GROUPS_MAX  1024u
#define REPORTS_MAX (1u << 24) /* bytes */

struct counters {
    struct counter_group *groups; /* owned: all of the device */
    size_t group_count;
    const struct counter_group *group; /* the chosen one */
    zet_metric_query_pool_handle_t pool;
    zet_metric_query_handle_t query;
    bool is_active;
};

void counters_prepare(void)
{
    /* Asked for them, a driver that lacks their libraries does not open at all. */
    if (!emulator_device_name())
        setenv("ZET_ENABLE_METRICS", "1", 1);
}

/* All entry points, or none: they came together. */
static bool has_entry_points(const struct ze_api *ze)
{
    return ze->zetMetricGroupGet && ze->zetMetricGroupGetProperties &&
           ze->zetMetricGroupCalculateMetricValues && ze->zetMetricGet &&
           ze->zetMetricGetProperties && ze->zetContextActivateMetricGroups &&
           ze->zetMetricQueryPoolCreate && ze->zetMetricQueryPoolDestroy &&
           ze->zetMetricQueryCreate && ze->zetMetricQueryDestroy && ze->zetMetricQueryReset &&
           ze->zetMetricQueryGetData && ze->zetCommandListAppendMetricQueryBegin &&
           ze->zetCommandListAppendMetricQueryEnd;
}

static enum status check_support(const struct session *session, struct error *error)
{
    if (emulator_device_name())
        return error_set(
            error, STATUS_UNSUPPORTED,
            "an emulated device has no counters of a GPU; vesim --counters FILE writes "
            "the model's own");
    if (!has_entry_points(&session->ze))
        return error_set(error, STATUS_UNSUPPORTED,
                         "the Level Zero loader is too old to read counters of the hardware; "
                         "install a newer one (Debian package libze1)");
    return STATUS_OK;
}

static enum status no_groups(const struct device *device, struct error *error)
{
    return error_set(error, STATUS_UNSUPPORTED,
                     "the driver offers no counters of %s: for these it needs libigdmd.so.1 and "
                     "libigdml.so.1 (Intel's Metrics Discovery and Metrics Library; where "
                     "packaged, libigdmd1 and libigdml1) and, unless root, sysctl "
                     "dev.i915.perf_stream_paranoid=0 or dev.xe.observation_paranoid=0",
                     device->name);
}

static const char *kind_name(zet_metric_type_t type)
{
    switch (type) {
    case ZET_METRIC_TYPE_DURATION:
        return "duration";
    case ZET_METRIC_TYPE_EVENT:
        return "event";
    case ZET_METRIC_TYPE_EVENT_WITH_RANGE:
        return "event_with_range";
    case ZET_METRIC_TYPE_THROUGHPUT:
        return "throughput";
    case ZET_METRIC_TYPE_TIMESTAMP:
        return "timestamp";
    case ZET_METRIC_TYPE_FLAG:
        return "flag";
    case ZET_METRIC_TYPE_RATIO:
        return "ratio";
    default:
        return "raw";
    }
}

static bool adds_up(zet_metric_type_t type)
{
    return type == ZET_METRIC_TYPE_DURATION || type == ZET_METRIC_TYPE_EVENT ||
           type == ZET_METRIC_TYPE_EVENT_WITH_RANGE;
}

static enum status describe_counter(const struct session *session, zet_metric_handle_t metric,
                                    struct counter *counter, struct error *error)
{
    zet_metric_properties_t properties = {.stype = ZET_STRUCTURE_TYPE_METRIC_PROPERTIES};
    enum status status = ZE_CALL(&session->ze, error, zetMetricGetProperties, metric, &properties);

    if (status != STATUS_OK)
        return status;
    snprintf(counter->name, sizeof(counter->name), "%.*s", COUNTER_NAME_BYTES - 1, properties.name);
    snprintf(counter->unit, sizeof(counter->unit), "%.*s", COUNTER_UNIT_BYTES - 1,
             properties.resultUnits);
    snprintf(counter->kind, sizeof(counter->kind), "%s", kind_name(properties.metricType));
    counter->adds_up = adds_up(properties.metricType);
    return STATUS_OK;
}

static enum status describe_counters(const struct session *session, struct counter_group *group,
                                     struct error *error)
{
    uint32_t count = (uint32_t)group->count;
    zet_metric_handle_t *metrics = calloc(count + 1, sizeof(zet_metric_handle_t));
    enum status status = STATUS_OK;

    group->counters = calloc(count + 1, sizeof(*group->counters));
    if (!metrics || !group->counters)
        status = error_out_of_memory(error);
    else
        status = ZE_CALL(&session->ze, error, zetMetricGet, group->handle, &count, metrics);
    if (status == STATUS_OK && count != group->count)
        status = error_set(error, STATUS_FAILED,
                           "the driver says that group %s has %zu counters, and lists %u",
                           group->name, group->count, count);
    for (size_t i = 0; status == STATUS_OK && i < group->count; i++)
        status = describe_counter(session, metrics[i], &group->counters[i], error);
    free(metrics);
    return status;
}

/* Adds the group if it can count a launch; one that samples by time cannot. */
static enum status add_group(const struct session *session, zet_metric_group_handle_t handle,
                             struct counter_group *groups, size_t *count, struct error *error)
{
    zet_metric_group_properties_t properties = {.stype =
                                                    ZET_STRUCTURE_TYPE_METRIC_GROUP_PROPERTIES};
    struct counter_group *group = &groups[*count];
    enum status status =
        ZE_CALL(&session->ze, error, zetMetricGroupGetProperties, handle, &properties);

    if (status != STATUS_OK ||
        !(properties.samplingType & ZET_METRIC_GROUP_SAMPLING_TYPE_FLAG_EVENT_BASED))
        return status;
    group->handle = handle;
    group->count = properties.metricCount;
    snprintf(group->name, sizeof(group->name), "%.*s", COUNTER_NAME_BYTES - 1, properties.name);
    snprintf(group->description, sizeof(group->description), "%s", properties.description);
    ++*count;
    return describe_counters(session, group, error);
}

static enum status find_groups(const struct session *session, const struct device *device,
                               zet_metric_group_handle_t *handles, uint32_t found,
                               struct counter_group *groups, size_t *count, struct error *error)
{
    enum status status =
        ZE_CALL(&session->ze, error, zetMetricGroupGet, device->handle, &found, handles);

    for (uint32_t i = 0; status == STATUS_OK && i < found; i++)
        status = add_group(session, handles[i], groups, count, error);
    return status == STATUS_OK && *count == 0 ? no_groups(device, error) : status;
}

enum status counters_list(const struct session *session, const struct device *device,
                          struct counter_group **groups, size_t *count, struct error *error)
{
    uint32_t found = 0;
    enum status status = check_support(session, error);

    *groups = NULL;
    *count = 0;
    if (status != STATUS_OK)
        return status;
    if (session->ze.zetMetricGroupGet(device->handle, &found, NULL) != ZE_RESULT_SUCCESS ||
        found == 0 || found > GROUPS_MAX)
        return no_groups(device, error);
    zet_metric_group_handle_t *handles = calloc(found, sizeof(zet_metric_group_handle_t));
    *groups = calloc(found, sizeof(**groups));
    if (handles && *groups)
        status = find_groups(session, device, handles, found, *groups, count, error);
    else
        status = error_out_of_memory(error);
    free(handles);
    if (status == STATUS_OK)
        return status;
    counters_free_list(*groups, *count);
    *groups = NULL;
    *count = 0;
    return status;
}

void counters_free_list(struct counter_group *groups, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(groups[i].counters);
    free(groups);
}

static enum status no_such_group(const struct counters *counters, const char *name,
                                 struct error *error)
{
    error_set(error, STATUS_USAGE, "--counters %s: the device has no group of that name, but",
              name);
    for (size_t i = 0; i < counters->group_count; i++)
        error_append(error, "%s %s", i ? "," : "", counters->groups[i].name);
    error_append(error, " (see vebench devices --list-counters)");
    return STATUS_USAGE;
}

enum status counters_open(struct session *session, const char *name, struct error *error)
{
    struct counters *counters = calloc(1, sizeof(*counters));

    if (!counters)
        return error_out_of_memory(error);
    session->counters = counters;
    enum status status =
        counters_list(session, session->device, &counters->groups, &counters->group_count, error);
    if (status != STATUS_OK)
        return status;
    for (size_t i = 0; i < counters->group_count && !counters->group; i++) {
        if (!strcmp(counters->groups[i].name, name))
            counters->group = &counters->groups[i];
    }
    return counters->group ? STATUS_OK : no_such_group(counters, name, error);
}

void counters_close(struct session *session)
{
    if (!session->counters)
        return;
    counters_end(session);
    counters_free_list(session->counters->groups, session->counters->group_count);
    free(session->counters);
    session->counters = NULL;
}

const struct counter_group *counters_group(const struct session *session)
{
    return session->counters ? session->counters->group : NULL;
}

enum status counters_begin(struct session *session, struct error *error)
{
    const zet_metric_query_pool_desc_t desc = {
        .stype = ZET_STRUCTURE_TYPE_METRIC_QUERY_POOL_DESC,
        .type = ZET_METRIC_QUERY_POOL_TYPE_PERFORMANCE,
        .count = 1,
    };
    struct counters *counters = session->counters;
    zet_metric_group_handle_t group = counters->group->handle;
    enum status status = ZE_CALL(&session->ze, error, zetContextActivateMetricGroups,
                                 session->context, session->device->handle, 1, &group);

    counters->is_active = status == STATUS_OK;
    if (status == STATUS_OK)
        status = ZE_CALL(&session->ze, error, zetMetricQueryPoolCreate, session->context,
                         session->device->handle, group, &desc, &counters->pool);
    if (status == STATUS_OK)
        status =
            ZE_CALL(&session->ze, error, zetMetricQueryCreate, counters->pool, 0, &counters->query);
    return status;
}

void counters_end(struct session *session)
{
    struct counters *counters = session->counters;

    /* A lost device is left alone: the driver would wait for it. */
    if (!session->lost && counters->query)
        session->ze.zetMetricQueryDestroy(counters->query);
    if (!session->lost && counters->pool)
        session->ze.zetMetricQueryPoolDestroy(counters->pool);
    if (!session->lost && counters->is_active)
        session->ze.zetContextActivateMetricGroups(session->context, session->device->handle, 0,
                                                   NULL);
    counters->query = NULL;
    counters->pool = NULL;
    counters->is_active = false;
}

static bool is_counting(const struct session *session)
{
    return session->counters && session->counters->query;
}

enum status counters_append_begin(struct session *session, struct error *error)
{
    if (!is_counting(session))
        return STATUS_OK;
    enum status status =
        ZE_CALL(&session->ze, error, zetMetricQueryReset, session->counters->query);
    if (status != STATUS_OK)
        return status;
    return ZE_CALL(&session->ze, error, zetCommandListAppendMetricQueryBegin, session_list(session),
                   session->counters->query);
}

enum status counters_append_end(struct session *session, struct error *error)
{
    if (!is_counting(session))
        return STATUS_OK;
    return ZE_CALL(&session->ze, error, zetCommandListAppendMetricQueryEnd, session_list(session),
                   session->counters->query, NULL, 0, NULL);
}

static double number_of(const zet_typed_value_t *typed)
{
    switch (typed->type) {
    case ZET_VALUE_TYPE_UINT32:
        return typed->value.ui32;
    case ZET_VALUE_TYPE_UINT64:
        return (double)typed->value.ui64;
    case ZET_VALUE_TYPE_FLOAT32:
        return (double)typed->value.fp32;
    case ZET_VALUE_TYPE_FLOAT64:
        return typed->value.fp64;
    case ZET_VALUE_TYPE_BOOL8:
        return typed->value.b8 != 0;
    default:
        return NAN;
    }
}

/* Raw data into values of one report. */
static enum status calculate(const struct session *session, const uint8_t *raw, size_t bytes,
                             double *values, struct error *error)
{
    const struct counter_group *group = session->counters->group;
    uint32_t count = (uint32_t)group->count;
    zet_typed_value_t *typed = calloc(count + 1, sizeof(*typed));
    enum status status =
        typed ? ZE_CALL(&session->ze, error, zetMetricGroupCalculateMetricValues, group->handle,
                        ZET_METRIC_GROUP_CALCULATION_TYPE_METRIC_VALUES, bytes, raw, &count, typed)
              : error_out_of_memory(error);

    if (status == STATUS_OK && count < group->count)
        status = error_set(error, STATUS_FAILED, "the driver has %u of %zu values of group %s",
                           count, group->count, group->name);
    for (size_t i = 0; status == STATUS_OK && i < group->count; i++)
        values[i] = number_of(&typed[i]);
    free(typed);
    return status;
}

enum status counters_read(struct session *session, double *values, struct error *error)
{
    size_t bytes = 0;
    enum status status =
        ZE_CALL(&session->ze, error, zetMetricQueryGetData, session->counters->query, &bytes, NULL);

    if (status == STATUS_OK && (bytes == 0 || bytes > REPORTS_MAX))
        status = error_set(error, STATUS_FAILED, "the driver has no data of the query");
    if (status != STATUS_OK)
        return status;
    uint8_t *raw = malloc(bytes);
    status = raw ? ZE_CALL(&session->ze, error, zetMetricQueryGetData, session->counters->query,
                           &bytes, raw)
                 : error_out_of_memory(error);
    if (status == STATUS_OK)
        status = calculate(session, raw, bytes, values, error);
    free(raw);
    return status;
}
