/* Family `launch`: the overheads around a kernel: the duration of an empty one by its own
 * timestamps, the rate at which work-groups are dispatched, the gap between two kernels, the
 * resolution of the timestamps, the cost of submission by the host's clock, and what it costs to
 * fetch code. Alone:
 *   vebench run launch --axis subgroup_size=16 --axis workgroup_size=16,64
 *
 * Dispatch is a slope: the iterations are the work-groups of the launch, and nothing is subtracted.
 * With workgroup_size = subgroup_size a work-group is one hardware thread. By then it no longer
 * matters which kind of list the command came from, so dispatch has a variant for regular lists
 * only. A launch of straight-line code is long enough to be measured alone. Everything else is
 * observed, as a mean over a series of launches, because one of them takes only tens of ticks.
 *
 * On an emulated device the host's clock shows how fast the model runs, so values observed by it
 * are skipped.
 */
#include "families/launch/launch-variants.h"

#include "family/common-axes.h"
#include "family/verify.h"
#include "measure/launch.h"
#include "measure/lead.h"
#include "ze/device-kind.h"

#include <string.h>

/* Launches averaged into one observed value. */
#define SERIES 16u

/* Work-groups added from launch to launch, in a series that measures the tick, and between launches
 * whose ticks are counted: identical ones could each take an even number of ticks, and start an
 * even number apart, so that all were rounded alike. */
#define TICK_GROUPS 37u

/* Of the straight-line code in launch.cl. */
#define CODE_STEPS 512u

enum { COUNTS, WITNESS };

static bool is(const struct variant *variant, enum launch_observed observed)
{
    return ((const struct launch_variant *)variant->own)->observed == observed;
}

static bool is_timed_by_host(const struct variant *variant)
{
    return is(variant, LAUNCH_SUBMISSION) || is(variant, LAUNCH_COMPLETION);
}

static size_t group_bytes(const struct configuration *configuration)
{
    return configuration->workgroup_size * sizeof(uint32_t);
}

static const struct buffer_plan buffers[] = {
    [COUNTS] = {"counts", BUFFER_IN_OUT, group_bytes, buffer_zero},
    [WITNESS] = {"witness", BUFFER_OUTPUT, group_bytes}, /* the empty kernel leaves it as it is */
};

static void launch_geometry(const struct launch *launch, struct geometry *geometry)
{
    if (is(launch->variant, LAUNCH_DISPATCH))
        geometry->count[0] = launch->iterations;
}

static enum status launch_check(const struct device *device,
                                const struct configuration *configuration,
                                const struct variant *variant, struct error *error)
{
    if (is(variant, LAUNCH_DISPATCH) && configuration->workgroup_count != 1)
        return error_set(error, STATUS_EXCLUDED,
                         "its iterations are its work-groups: measured with workgroup_count=1");
    if (is_timed_by_host(variant) && device_kind_is_deterministic())
        return error_set(error, STATUS_UNSUPPORTED,
                         "it is timed by the host's clock, which does not apply to a modelled "
                         "device");
    if (list_is_in_order(variant->list) && !device->has_lists_in_order)
        return error_set(error, STATUS_UNSUPPORTED,
                         "the driver has no command lists that execute in order");
    return STATUS_OK;
}

static void launch_arguments(const struct workspace *workspace, const struct launch *launch,
                             struct arguments *arguments)
{
    (void)workspace;
    argument_uint(arguments, launch->purpose == LAUNCH_PROOF ? 0 : launch->iterations - 1);
}

/* What the steps make of a work-item's number. */
static uint32_t code_result(uint32_t item)
{
    uint32_t value = item;

    for (uint32_t step = 0; step < CODE_STEPS; step++)
        value = (value ^ step * 0x9e3779b9u) + item;
    return value;
}

static enum status verify_code(const uint32_t *results, const struct buffer *witness,
                               const struct launch *launch, struct error *error)
{
    for (uint32_t i = 0; i < launch->configuration.workgroup_size; i++) {
        if (results[i] != code_result(i))
            return error_set(error, STATUS_FAILED, "work-item %u has 0x%08x instead of 0x%08x",
                             (unsigned)i, (unsigned)results[i], (unsigned)code_result(i));
    }
    return verify_subgroup_sizes(witness, launch, error);
}

static enum status launch_verify(struct workspace *workspace, const struct launch *launch,
                                 struct error *error)
{
    const uint32_t *counts = workspace->buffers[COUNTS].result;
    const struct buffer *witness = &workspace->buffers[WITNESS];
    bool counted = is(launch->variant, LAUNCH_DISPATCH);
    uint32_t wanted = !counted ? 0 : launch->purpose == LAUNCH_PROOF ? launch->iterations : 1;

    if (is(launch->variant, LAUNCH_CODE))
        return verify_code(counts, witness, launch, error);
    for (uint32_t i = 0; i < launch->configuration.workgroup_size; i++) {
        if (counts[i] != wanted)
            return error_set(error, STATUS_FAILED,
                             "work-item %u was counted in %u work-groups instead of %u",
                             (unsigned)i, (unsigned)counts[i], (unsigned)wanted);
    }
    if (counted)
        return verify_subgroup_sizes(witness, launch, error);
    if (memcmp(witness->result, witness->initial, witness->bytes) != 0)
        return error_set(error, STATUS_FAILED, "the empty kernel wrote to memory");
    return STATUS_OK;
}

/* What is around the kernels of a list: on an emulated device, whose clock is always up, nothing
 * ever is. */
enum company { ALONE, BRIDGED, LED };

/* A list of empty kernels, one after the other, and nothing else but, if it is LED, the spin before
 * them. If not ALONE, the device is kept awake behind it. */
struct empty_list {
    enum list_kind kind;
    enum company company;
    unsigned untimed, timed; /* kernels */
};

static enum status execute_alone(struct session *session, const struct kernel *kernel,
                                 const struct geometry *geometry, const struct empty_list *list,
                                 struct launch_time *time, struct error *error)
{
    enum status status = session_begin_list(session, list->kind, error);

    if (status == STATUS_OK && list->company == LED)
        status = lead_append(session, error);
    for (unsigned i = 0; status == STATUS_OK && i < list->untimed + list->timed; i++) {
        if (i > 0 && !list_is_in_order(list->kind))
            status = session_append_barrier(session, error);
        if (status == STATUS_OK && i < list->untimed)
            status = session_append_untimed(session, kernel->handle, geometry->count, error);
        else if (status == STATUS_OK)
            status = session_append_kernel(session, kernel->handle, geometry->count, false, error);
    }
    if (status == STATUS_OK)
        status = session_end_list(session, error);
    if (status == STATUS_OK && list->company != ALONE && !list_is_immediate(list->kind))
        status = lead_bridge(session, error);
    if (status == STATUS_OK)
        status = session_execute(session, time, error);
    return status;
}

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    while (b != 0) {
        uint64_t rest = a % b;

        a = b;
        b = rest;
    }
    return a;
}

/* The observation from one launch of a series, in ns; none of the tick. */
static double reading(const struct variant *variant, const struct launch_time *time, uint64_t hz)
{
    double duration_ns = ticks_to_ns(launch_ticks(time), hz);

    switch (((const struct launch_variant *)variant->own)->observed) {
    case LAUNCH_DURATION:
        return duration_ns;
    case LAUNCH_GAP:
        return ticks_to_ns((double)time->gap_ticks, hz);
    case LAUNCH_SUBMISSION:
        return (double)time->submission_ns;
    case LAUNCH_COMPLETION:
        return (double)time->completion_ns - duration_ns;
    default:
        return 0.0;
    }
}

/* Whether series are shifted against the ticks. Gaps are not: two ticks are much of one, and to
 * round them up and down would take longer series. */
static bool counts_ticks(const struct variant *variant)
{
    return is(variant, LAUNCH_DURATION);
}

/* Shifts what follows against the ticks, by something else in each place of a series. */
static enum status shift_launches(struct session *session, const struct kernel *kernel,
                                  enum list_kind list, unsigned place, struct error *error)
{
    const struct empty_list alone = {
        .kind = list, .company = session->is_deterministic ? ALONE : BRIDGED, .timed = 1};
    struct geometry geometry = {.count = {1 + place * TICK_GROUPS, 1, 1}};
    struct launch_time time;

    return execute_alone(session, kernel, &geometry, &alone, &time, error);
}

static enum status launch_observe(struct workspace *workspace, const struct kernel *kernel,
                                  const struct launch *launch, double *value, struct error *error)
{
    struct session *session = workspace->session;
    struct geometry geometry = {.count = {launch->configuration.workgroup_count, 1, 1}};
    enum list_kind list = session->kind_of_list;
    uint64_t hz = session->timer.hz, step = 0;
    struct launch_time time;
    bool is_led = !is_timed_by_host(launch->variant) && !session->is_deterministic;
    /* The code of a kernel whose duration is measured has been fetched. */
    const struct empty_list series = {.kind = list,
                                      .company = is_led ? LED : ALONE,
                                      .untimed = is(launch->variant, LAUNCH_DURATION),
                                      .timed = is(launch->variant, LAUNCH_GAP) ? 2 : 1};
    enum status status = launch_execute(workspace, &time, error);

    *value = 0.0;
    for (unsigned i = 0; status == STATUS_OK && i < SERIES; i++) {
        if (counts_ticks(launch->variant))
            status = shift_launches(session, kernel, list, i, error);
        /* The host's clock is to see the device do nothing else. */
        if (status == STATUS_OK && !is_led && !session->is_deterministic)
            status = lead_wake(session, error);
        if (status != STATUS_OK)
            break;
        unsigned place = is_led && session->lead ? 1 : 0;
        ze_kernel_timestamp_data_t before = session->stamps[place].global;
        const ze_kernel_timestamp_data_t *now = &session->stamps[place].global;

        if (is(launch->variant, LAUNCH_TICK))
            geometry.count[0] = launch->configuration.workgroup_count + i * TICK_GROUPS;
        status = execute_alone(session, kernel, &geometry, &series, &time, error);
        *value += reading(launch->variant, &time, hz) / SERIES;
        step = common_divisor(
            step, ticks_between(before.kernelStart, now->kernelStart, session->timer.valid_bits));
        step = common_divisor(
            step, ticks_between(now->kernelStart, now->kernelEnd, session->timer.valid_bits));
    }
    if (is(launch->variant, LAUNCH_TICK))
        *value = ticks_to_ns((double)step, hz);
    return status == STATUS_OK ? launch_copy_out(workspace, error) : status;
}

static const struct axis axes[] = {
    SUBGROUP_SIZE_AXIS,
    WORKGROUP_SIZE_AXIS("S", NULL, "S,2S,4S,16S"),
    WORKGROUP_COUNT_AXIS("1", NULL, "1,C,8C,64C"),
};

/* Xe-cores that have enough to do: the same work at each sub-group size; and work-groups of many
 * threads, which tell how fast threads start, and of half as many, which tell whether they do. */
static const char *const default_points[] = {
    "subgroup_size=8 workgroup_size=256 workgroup_count=8C",
    "subgroup_size=16 workgroup_size=256 workgroup_count=8C",
    "subgroup_size=32 workgroup_size=256 workgroup_count=8C",
    "subgroup_size=16 workgroup_size=16S",
    "subgroup_size=16 workgroup_size=32S",
    NULL};

const struct family family_launch = {
    .name = "launch",
    .measures = "launching and dispatching kernels that do nothing",
    .unit = "ns/launch",
    .baseline_unit = "ns/work-group",
    .axes = axes,
    .axis_count = sizeof(axes) / sizeof(axes[0]),
    .default_points = default_points,
    .variants = launch_variants,
    .variant_count = LAUNCH_VARIANTS,
    .buffers = buffers,
    .buffer_count = sizeof(buffers) / sizeof(buffers[0]),
    .geometry = launch_geometry,
    .check = launch_check,
    .arguments = launch_arguments,
    .verify = launch_verify,
    .observe = launch_observe,
};
