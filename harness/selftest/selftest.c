#include "selftest/selftest.h"

#include "base/monotonic.h"
#include "base/stats.h"
#include "measure/lead.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The device's time is asked for so often; the answer that took least counts. */
#define READINGS 15u

/* Between two of them: an error of 100 ns at either end is one of 1e-6. */
#define APART_SHORT_NS 200000000u
#define APART_WHOLE_NS 900000000u

/* After so long at rest, a governor has lowered the clock. */
#define REST_NS 900000000u

#define STEP_NS 1e6 /* of the ramp */
#define RAMP_NS                                                                                    \
    5e8 /* watched so long at least, and until so many steps in a row are as                       \
            fast as the settled clock */
#define RAMP_MAX_NS      10e9
#define QUIET            5u
#define AT_CLOCK         0.02 /* such a step is as fast as the settled clock, by this and the scatter */

#define ASKED_NS         3e7 /* of the spin during which system management is asked for the clock */

#define LAUNCHES_SHORT   60u
#define LAUNCHES_WHOLE   240u
#define LATE             0.05
#define SHARED           0.01

#define LOAD_NS          12e9
#define LOAD_STEP_NS     2e7
#define LOAD_STEPS_MAX   2000u
#define LOAD_COMPARED    9u

#define MODEL_LAUNCHES   4u
#define MODEL_ITERATIONS 256.0

struct moment {
    double host_ns;
    uint64_t ticks;
};

static bool read_moment(struct session *session, struct moment *moment)
{
    double least = INFINITY;

    for (unsigned i = 0; i < READINGS; i++) {
        uint64_t host = 0, ticks = 0, before = monotonic_ns();

        if (session->ze.zeDeviceGetGlobalTimestamps(session->device->handle, &host, &ticks) !=
            ZE_RESULT_SUCCESS)
            return false;
        double took = (double)(monotonic_ns() - before);
        if (took >= least)
            continue;
        least = took;
        *moment = (struct moment){(double)before + took / 2.0, ticks};
    }
    return true;
}

static void rest(struct session *session, uint64_t ns)
{
    const struct timespec pause = {(time_t)(ns / 1000000000u), (long)(ns % 1000000000u)};

    session_rest(session);
    nanosleep(&pause, NULL);
}

static void hold_timer(struct session *session, uint64_t apart_ns, struct selftest *result)
{
    struct moment start, end;

    result->timer_error = NAN;
    if (!session->ze.zeDeviceGetGlobalTimestamps || !read_moment(session, &start))
        return;
    rest(session, apart_ns);
    if (!read_moment(session, &end))
        return;
    double device_ns =
        ticks_to_ns((double)ticks_between(start.ticks, end.ticks, session->timer.valid_bits),
                    session->timer.hz);
    result->timer_error = device_ns / (end.host_ns - start.host_ns) - 1.0;
}

static const ze_kernel_timestamp_data_t *ran(const struct session *session)
{
    return &session->stamps[session->timed - 1].global;
}

static double ns_between(const struct session *session, uint64_t start, uint64_t end)
{
    return ticks_to_ns((double)ticks_between(start, end, session->timer.valid_bits),
                       session->timer.hz);
}

/* The clock of the spin that was timed last, by its count. */
static double counted_mhz(const struct lead *lead, double ns)
{
    return lead->counts ? (double)lead->cycles[LEAD_BEFORE] * 1e3 / (ns - lead->launch_ns) : 0.0;
}

/* Two spins without a pause; during the second, system management is asked for the clock. */
static enum status spin_and_ask(struct session *session, double first_ns, double last_ns,
                                double *ns, double *asked, struct error *error)
{
    double rate = session->lead->rate;

    session->samples_clock = true;
    session->sample_after_ns = (uint64_t)(1.05 * first_ns);
    session->sampled_mhz = 0.0;
    enum status status = lead_time_spins(session, 0, first_ns * rate, last_ns * rate, ns, error);
    *asked = session->sampled_mhz;
    return status;
}

static enum status find_clock(struct session *session, struct selftest *result, struct error *error)
{
    double ns = 0.0;
    enum status status =
        spin_and_ask(session, session->lead->wake_ns, ASKED_NS, &ns, &result->asked_mhz, error);

    if (status == STATUS_OK)
        result->counted_mhz = counted_mhz(session->lead, ns);
    return status;
}

/* Lets the device rest, then spins without a pause and watches the clock rise. */
static enum status watch_ramp(struct session *session, struct selftest *result, struct error *error)
{
    struct lead *lead = session->lead;
    double iterations = STEP_NS * lead->rate, elapsed = 0.0, ns = 0.0;
    bool bridges = lead->bridges, is_first = true, has_risen = false;
    uint64_t start = 0;
    unsigned quiet = 0;
    enum status status = STATUS_OK;

    rest(session, REST_NS);
    lead->bridges = true;
    while (status == STATUS_OK && elapsed < RAMP_MAX_NS && (elapsed < RAMP_NS || !has_risen)) {
        status = lead_time_spins(session, 0, 0.0, iterations, &ns, error);
        if (status != STATUS_OK)
            break;
        double rate = iterations / fmax(ns - lead->launch_ns, 1.0) / lead->rate;
        bool there = fabs(rate - 1.0) <= AT_CLOCK + 4.0 * lead->scatter;
        if (is_first) {
            start = ran(session)->kernelStart;
            result->floor = fmin(rate, 1.0);
        }
        elapsed = ns_between(session, start, ran(session)->kernelEnd);
        quiet = there ? quiet + 1 : 0;
        has_risen = has_risen || quiet >= QUIET;
        if (!has_risen && !there)
            result->ramp_ms = elapsed / 1e6;
        is_first = false;
    }
    lead->bridges = bridges;
    return status;
}

static bool was_shared(const struct session *session)
{
    const ze_kernel_timestamp_result_t *stamps = &session->stamps[session->timed - 1];
    double whole = ns_between(session, stamps->global.kernelStart, stamps->global.kernelEnd);
    double own = ns_between(session, stamps->context.kernelStart, stamps->context.kernelEnd);

    /* A driver without the context's time gives 0 or the global one. */
    return own > 0.0 && own < (1.0 - SHARED) * whole;
}

static void describe_launches(const double *times, unsigned count, struct selftest *result)
{
    double *sorted = calloc(count, sizeof(*sorted));
    unsigned quarter = count / 4;

    result->launches = sorted ? count : 0;
    if (!sorted)
        return;
    memcpy(sorted, times, quarter * sizeof(*sorted));
    double first = stats_select_quantile(sorted, quarter, 0.5);
    memcpy(sorted, times + count - quarter, quarter * sizeof(*sorted));
    double last = stats_select_quantile(sorted, quarter, 0.5);
    result->drift = last / first - 1.0;
    memcpy(sorted, times, count * sizeof(*sorted));
    stats_sort(sorted, count);
    double median = stats_quantile(sorted, count, 0.5);
    /* A normal distribution has its quartiles 1.349 standard deviations apart. */
    result->scatter = (stats_quantile(sorted, count, 0.75) - stats_quantile(sorted, count, 0.25)) /
                      1.349 / median;
    for (unsigned i = 0; i < count; i++)
        result->late += (sorted[i] > (1.0 + LATE) * median) / (double)count;
    free(sorted);
}

static enum status repeat_launches(struct session *session, unsigned count, struct selftest *result,
                                   struct error *error)
{
    const struct lead *lead = session->lead;
    double *times = calloc(count, sizeof(*times));
    enum status status = times ? STATUS_OK : error_out_of_memory(error);

    for (unsigned i = 0; status == STATUS_OK && i < count; i++) {
        status = lead_time_spins(session, lead->pause_ns, lead->iterations, lead->edge_iterations,
                                 &times[i], error);
        result->shared += was_shared(session) / (double)count;
    }
    if (status == STATUS_OK)
        describe_launches(times, count, result);
    free(times);
    return status;
}

/* The medians of the first and of the last steps. */
static void compare_ends(double *rates, unsigned count, struct selftest *result)
{
    unsigned compared = count < 2 * LOAD_COMPARED ? count / 2 : LOAD_COMPARED;

    if (compared == 0)
        return;
    double first = stats_select_quantile(rates, compared, 0.5);
    double last = stats_select_quantile(rates + count - compared, compared, 0.5);
    result->lost = 1.0 - last / first;
}

static enum status load_device(struct session *session, struct selftest *result,
                               struct error *error)
{
    const struct device *device = session->device;
    double threads = (double)device_xe_cores(device) * device_threads_per_xe_core(device);
    double *rates = calloc(LOAD_STEPS_MAX, sizeof(*rates)), elapsed = 0.0, ns = 0.0, asked = 0.0;
    enum status status = rates ? STATUS_OK : error_out_of_memory(error);
    unsigned count = 0;

    if (status == STATUS_OK)
        status = lead_widen(session, threads, error);
    struct lead *lead = session->lead;
    bool bridges = lead->bridges;
    lead->bridges = true;
    while (status == STATUS_OK && count < LOAD_STEPS_MAX && elapsed < LOAD_NS) {
        status = spin_and_ask(session, 0.0, LOAD_STEP_NS, &ns, &asked, error);
        if (status != STATUS_OK)
            break;
        if (count == 0)
            result->wide_mhz = lead->counts ? counted_mhz(lead, ns) : asked;
        rates[count++] = 1.0 / fmax(ns - lead->launch_ns, 1.0);
        elapsed += ns;
    }
    lead->bridges = bridges;
    if (status == STATUS_OK) {
        compare_ends(rates, count, result);
        result->load_s = elapsed / 1e9;
        result->throttle_reasons = session->throttle_reasons;
    }
    free(rates);
    return status;
}

static enum status try_emulated(struct session *session, struct selftest *result,
                                struct error *error)
{
    double least = INFINITY, most = 0.0, ns = 0.0;
    enum status status = STATUS_OK;

    for (unsigned i = 0; status == STATUS_OK && i < MODEL_LAUNCHES; i++) {
        status = lead_time_spins(session, 0, 1.0, MODEL_ITERATIONS, &ns, error);
        least = fmin(least, ns);
        most = fmax(most, ns);
    }
    result->launches = MODEL_LAUNCHES;
    result->scatter = status == STATUS_OK ? most / least - 1.0 : 0.0;
    return status;
}

static enum status try_hardware(struct session *session, enum selftest_extent extent,
                                struct selftest *result, struct error *error)
{
    bool whole = extent == SELFTEST_WHOLE;

    result->settles = session->lead->settles;
    result->lead_ms = session->lead->spin_ns / 1e6;
    enum status status = find_clock(session, result, error);
    if (status == STATUS_OK)
        status = watch_ramp(session, result, error);
    if (status == STATUS_OK)
        status = repeat_launches(session, whole ? LAUNCHES_WHOLE : LAUNCHES_SHORT, result, error);
    if (status == STATUS_OK && whole)
        status = load_device(session, result, error);
    return status;
}

enum status selftest_run(struct session *session, enum selftest_extent extent,
                         struct selftest *result, struct error *error)
{
    struct lead_image image = {.compiled = false};

    *result = (struct selftest){.is_emulated = session->is_deterministic, .timer_error = NAN};
    if (!result->is_emulated)
        hold_timer(session, extent == SELFTEST_WHOLE ? APART_WHOLE_NS : APART_SHORT_NS, result);
    lead_image_compile(&image, session);
    enum status status = lead_open(session, &image, error);
    if (status != STATUS_OK && status != STATUS_LOST) {
        snprintf(result->no_lead, sizeof(result->no_lead), "%s", error->text);
        status = STATUS_OK;
    } else if (status == STATUS_OK) {
        status = result->is_emulated ? try_emulated(session, result, error)
                                     : try_hardware(session, extent, result, error);
    }
    lead_close(session);
    lead_image_free(&image);
    return status;
}
