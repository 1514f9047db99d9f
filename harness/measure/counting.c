/* The launches that count: one for each variant, after all timed ones. */
#include "measure/rounds.h"
#include "ze/counters.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define HOST_LIMIT_NS UINT64_C(120000000000)

static bool was_measured(const struct run *run, size_t variant)
{
    enum row_outcome outcome = run->measurements[variant].outcome;

    return run->kernels[variant].handle && (outcome == OUTCOME_OK || outcome == OUTCOME_UNRELIABLE);
}

/* The longest launch that was timed, with the query around its kernel. */
static enum status launch_counted(struct run *run, const struct count *count, double *values,
                                  struct error *error)
{
    const struct variant *variant = &run->family->variants[count->variant];
    struct launch launch = {*run->configuration, variant, count->iterations, LAUNCH_MEASURE};
    struct launch_time time;

    if (variant->estimator != ESTIMATOR_SLOPE || variant->list != LIST_REGULAR)
        return error_set(error, STATUS_UNSUPPORTED,
                         "only kernels in a command list that is submitted whole are counted");
    enum status status = launch_record(run->family, &run->workspace, run->kernels, &launch,
                                       LIST_REGULAR, true, error);
    if (status == STATUS_OK)
        status = launch_execute(&run->workspace, &time, error);
    return status == STATUS_OK ? counters_read(run->session, values, error) : status;
}

/* A variant's values or, if there are none, the reason. */
static enum status put(const struct sample_sink *sink, struct count *count,
                       const struct counter_group *group, const double *values, struct error *error)
{
    enum status status = STATUS_OK;

    if (count->reason[0]) {
        count->value = NAN;
        return sink->count(sink->context, count, error);
    }
    for (size_t i = 0; status == STATUS_OK && i < group->count; i++) {
        count->counter = group->counters[i];
        count->value = values[i];
        status = sink->count(sink->context, count, error);
    }
    return status;
}

/* `begun` is the outcome of counters_begin(), with its reason in `error`. */
static enum status count_all(struct run *run, const struct sample_sink *sink, enum status begun,
                             double *values, struct error *error)
{
    const struct counter_group *group = counters_group(run->session);
    const struct error reason = *error;
    enum status status = STATUS_OK;

    for (size_t v = 0; status == STATUS_OK && v < run->family->variant_count; v++) {
        struct count count = {.variant = v, .iterations = run->base[v] * run->points};
        struct error failure = reason;

        if (!was_measured(run, v))
            continue;
        enum status counted =
            begun == STATUS_OK ? launch_counted(run, &count, values, &failure) : begun;
        if (counted != STATUS_OK)
            snprintf(count.reason, sizeof(count.reason), "%.*s", COUNT_REASON_BYTES - 1,
                     failure.text);
        status = put(sink, &count, group, values, error);
        if (counted == STATUS_LOST) {
            *error = failure;
            return counted;
        }
    }
    return status;
}

enum status run_count(struct run *run, const struct sample_sink *sink, struct error *error)
{
    const struct counter_group *group = counters_group(run->session);

    if (!group || !sink || !sink->count)
        return STATUS_OK;
    double *values = calloc(group->count + 1, sizeof(*values));
    if (!values)
        return error_out_of_memory(error);
    watch_enter(run->session->watch, WATCH_COUNTING, HOST_LIMIT_NS);
    run->session->samples_clock = false;
    error->text[0] = '\0';
    enum status begun = counters_begin(run->session, error);
    enum status status = count_all(run, sink, begun, values, error);
    counters_end(run->session);
    free(values);
    return status;
}
