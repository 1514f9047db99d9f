#include "measure/lead.h"

#include "base/stats.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SUBGROUP_SIZE        16u
#define MOST_LEAD_ITERATIONS (1u << 30)

/* A clock has settled if it is within this of what it becomes. */
#define SETTLED 0.004

/* Spins whose rate shows whether the clock has settled: their length, how many are compared with as
 * many half-way back, and how long all of them take at least, at first and when only the load has
 * changed, and at most. A clock that approaches its end exponentially and has moved by no more than
 * SETTLED in the second half of the time has that much or less to go, unless it has hardly begun:
 * hence the least. */
#define CHUNK_NS         5e6
#define CHUNKS_COMPARED  5u
#define CHUNKS_MAX       2000u
#define LEAST_FIRST_NS   4e8
#define LEAST_AGAIN_NS   6e7
#define MOST_NS          1e10

#define SHORTEST_NS      1e6
#define LENGTHS          11u   /* 1, 2, ... 1024 ms */
#define LONGEST_APART_NS 1.6e7 /* beyond it, pauses are bridged */
#define LONG_NS          3.2e7 /* from it on, TRIALS take about as long as settling, or longer */
#define TRIALS           9u
#define EDGE_NS          2e5
#define EMPTY_TRIALS     7u

/* The standard error of nine trials' median, as a part of the distance between their quartiles. */
#define MEDIAN_OFF (1.0 / 3.0)

/* Between two launches the host spends about this long on verification, and the GPU idles. */
#define PAUSE_NS 2000000u

/* A bridge is longer than the longest of the pauses before it. */
#define BRIDGE_FACTOR   1.5
#define BRIDGE_EXTRA_NS 3e5
#define BRIDGE_MOST_NS  5e7

/* Modules and kernels of the same name, the best first: not every compiler gives access to the
 * clock's counter. */
enum { COUNTING, PLAIN };
static const char *const source_names[LEAD_SOURCES] = {"spin_counting", "spin"};

static const struct spirv_module *find_module(size_t source)
{
    for (size_t i = 0; i < spirv_module_count; i++) {
        if (!strcmp(spirv_modules[i].family, source_names[source]))
            return &spirv_modules[i];
    }
    return NULL;
}

void lead_image_compile(struct lead_image *image, struct session *session)
{
    image->compiled = true;
    for (size_t source = COUNTING; source < LEAD_SOURCES; source++) {
        const struct spirv_module *module = find_module(source);

        image->source = source;
        image->build.state = BUILD_FAILED;
        snprintf(image->build.reason, sizeof(image->build.reason), "no module %s is built in",
                 source_names[source]);
        if (module)
            module_build_compile(&image->build, module, session);
        if (image->build.state != BUILD_FAILED)
            return;
    }
}

void lead_image_free(struct lead_image *image)
{
    module_build_free(&image->build);
}

static enum status append(struct session *session, unsigned part, double iterations,
                          struct error *error)
{
    static const uint32_t group[3] = {SUBGROUP_SIZE, 1, 1};
    struct lead *lead = session->lead;
    const uint32_t groups[3] = {lead->threads > 1 ? lead->threads : 1, 1, 1};
    uint64_t *cycles = lead->cycles + part;
    uint32_t count = (uint32_t)fmin(fmax(iterations, 1.0), MOST_LEAD_ITERATIONS);
    enum status status = kernel_set_group_size(session, &lead->kernel, group, error);

    if (status == STATUS_OK)
        status = kernel_set_argument(session, &lead->kernel, 0, sizeof(cycles), &cycles, error);
    if (status == STATUS_OK)
        status = kernel_set_argument(session, &lead->kernel, 1, sizeof(count), &count, error);
    if (status == STATUS_OK)
        status = session_append_kernel(session, lead->kernel.handle, groups, false, error);
    return status;
}

enum status lead_append(struct session *session, struct error *error)
{
    if (!session->lead)
        return STATUS_OK;
    const struct lead *lead = session->lead;
    bool wakes = lead->bridges && session->has_slept;
    enum status status =
        append(session, LEAD_SPIN, wakes ? lead->wake_ns * lead->rate : lead->iterations, error);
    session->has_slept = false;
    return status == STATUS_OK ? session_append_barrier(session, error) : status;
}

enum status lead_append_before(struct session *session, struct error *error)
{
    if (!session->lead || !session->lead->edge_iterations)
        return STATUS_OK;
    enum status status = append(session, LEAD_BEFORE, session->lead->edge_iterations, error);
    return status == STATUS_OK ? session_append_barrier(session, error) : status;
}

enum status lead_append_after(struct session *session, struct error *error)
{
    if (!session->lead || !session->lead->edge_iterations)
        return STATUS_OK;
    enum status status = append(session, LEAD_AFTER, session->lead->edge_iterations, error);
    session->trailing = 1;
    return status == STATUS_OK ? session_append_barrier(session, error) : status;
}

enum status lead_append_reset(struct session *session, void *elapsed, struct error *error)
{
    struct lead *lead = session->lead;

    if (!lead)
        return STATUS_OK;
    lead->cycles[LEAD_ELAPSED] = 0;
    return elapsed ? session_append_copy(session, elapsed, &lead->cycles[LEAD_ZERO],
                                         sizeof(uint32_t), error)
                   : STATUS_OK;
}

enum status lead_append_elapsed(struct session *session, void *elapsed, struct error *error)
{
    return session->lead && elapsed
               ? session_append_copy(session, &session->lead->cycles[LEAD_ELAPSED], elapsed,
                                     sizeof(uint32_t), error)
               : STATUS_OK;
}

static enum status record_bridge(struct session *session, ze_command_list_handle_t *list,
                                 double iterations, struct error *error)
{
    static const uint32_t group[3] = {SUBGROUP_SIZE, 1, 1};
    struct lead *lead = session->lead;
    const ze_group_count_t groups = {lead->threads > 1 ? lead->threads : 1, 1, 1};
    uint64_t *cycles = lead->cycles + LEAD_BRIDGE;
    uint32_t count = (uint32_t)fmin(iterations, MOST_LEAD_ITERATIONS);
    enum status status = STATUS_OK;

    if (*list)
        status = ZE_CALL(&session->ze, error, zeCommandListReset, *list);
    else
        status = session_create_list(session, false, list, error);
    if (status == STATUS_OK)
        status = kernel_set_group_size(session, &lead->kernel, group, error);
    if (status == STATUS_OK)
        status = kernel_set_argument(session, &lead->kernel, 0, sizeof(cycles), &cycles, error);
    if (status == STATUS_OK)
        status = kernel_set_argument(session, &lead->kernel, 1, sizeof(count), &count, error);
    /* The session waits for this rather than for the queue. */
    if (status == STATUS_OK)
        status = ZE_CALL(&session->ze, error, zeCommandListAppendBarrier, *list,
                         session->events[0].end, 0, NULL);
    if (status == STATUS_OK)
        status = ZE_CALL(&session->ze, error, zeCommandListAppendLaunchKernel, *list,
                         lead->kernel.handle, &groups, NULL, 0, NULL);
    if (status == STATUS_OK)
        status = ZE_CALL(&session->ze, error, zeCommandListClose, *list);
    return status;
}

enum status lead_bridge(struct session *session, struct error *error)
{
    struct lead *lead = session->lead;

    session->bridge = NULL;
    if (!lead || !lead->bridges || !(lead->rate > 0.0))
        return STATUS_OK;
    double ns = fmin(BRIDGE_FACTOR * (double)session->pause_ns + BRIDGE_EXTRA_NS, BRIDGE_MOST_NS);
    lead->turn ^= 1u;
    enum status status = record_bridge(session, &lead->bridge[lead->turn], ns * lead->rate, error);
    if (status == STATUS_OK)
        session->bridge = lead->bridge[lead->turn];
    session->bridge_ns = (uint64_t)ns;
    return status;
}

static double ns_of(const struct session *session, unsigned kernel)
{
    const ze_kernel_timestamp_result_t *stamps = &session->stamps[kernel];

    return ticks_to_ns((double)ticks_between(stamps->global.kernelStart, stamps->global.kernelEnd,
                                             session->timer.valid_bits),
                       session->timer.hz);
}

enum status lead_time_spins(struct session *session, unsigned pause_ns, double first, double last,
                            double *ns, struct error *error)
{
    const struct timespec pause = {0, (long)pause_ns};
    struct launch_time time;
    enum status status = session_begin_list(session, LIST_REGULAR, error);

    if (pause_ns > 0)
        nanosleep(&pause, NULL);
    if (status == STATUS_OK && first > 0.0)
        status = append(session, LEAD_SPIN, first, error);
    if (status == STATUS_OK && first > 0.0)
        status = session_append_barrier(session, error);
    if (status == STATUS_OK)
        status = append(session, LEAD_BEFORE, last, error);
    if (status == STATUS_OK)
        status = session_end_list(session, error);
    if (status == STATUS_OK)
        status = lead_bridge(session, error);
    if (status == STATUS_OK)
        status = session_execute(session, &time, error);
    if (status == STATUS_OK)
        *ns = ns_of(session, session->timed - 1);
    return status;
}

static enum status time_empty(struct session *session, struct error *error)
{
    double trials[EMPTY_TRIALS] = {0};
    enum status status = STATUS_OK;

    for (unsigned i = 0; status == STATUS_OK && i < EMPTY_TRIALS; i++)
        status = lead_time_spins(session, 0, session->lead->rate * EDGE_NS, 1.0, &trials[i], error);
    if (status == STATUS_OK)
        session->lead->launch_ns = stats_describe(trials, EMPTY_TRIALS).median;
    return status;
}

/* The median of the chunks that end with number `end`, and their relative scatter. */
static double rate_at(const double *rates, unsigned end, double *scatter)
{
    double chunks[CHUNKS_COMPARED];

    memcpy(chunks, rates + end - CHUNKS_COMPARED, sizeof(chunks));
    double median = stats_describe(chunks, CHUNKS_COMPARED).median; /* which sorts them */
    if (scatter)
        *scatter = (stats_quantile(chunks, CHUNKS_COMPARED, 0.75) -
                    stats_quantile(chunks, CHUNKS_COMPARED, 0.25)) /
                   median;
    return median;
}

/* Two digits: the same device always gets the same spin. */
static uint32_t round_iterations(double iterations)
{
    double unit = pow(10.0, floor(log10(fmax(iterations, 1.0))) - 1.0);

    return (uint32_t)fmin(fmax(1.0, round(iterations / unit) * unit), MOST_LEAD_ITERATIONS);
}

static void take_rate(struct session *session, double rate, double mhz)
{
    struct lead *lead = session->lead;

    lead->rate = rate;
    lead->mhz = lead->counts ? mhz : 0.0;
    if (lead->threads <= 1)
        lead->alone_mhz = lead->mhz;
    lead->edge_iterations = round_iterations(rate * EDGE_NS);
    if (lead->spin_ns > 0.0)
        lead->iterations = round_iterations(rate * lead->spin_ns);
}

/* Spins without a pause until the clock has settled, by the time that the device measures. */
static enum status settle(struct session *session, double least_ns, struct error *error)
{
    struct lead *lead = session->lead;
    double *rates = calloc(CHUNKS_MAX, sizeof(*rates)), *ends = calloc(CHUNKS_MAX, sizeof(*ends));
    double iterations = lead->rate > 0.0 ? lead->rate * CHUNK_NS : 1024.0, elapsed = 0.0, ns = 0.0;
    enum status status = rates && ends ? STATUS_OK : error_out_of_memory(error);
    unsigned count = 0, back = 0;

    lead->settles = false;
    while (status == STATUS_OK && !lead->settles && count < CHUNKS_MAX && elapsed < MOST_NS) {
        status = lead_time_spins(session, 0, 0, iterations, &ns, error);
        if (status != STATUS_OK)
            break;
        double work_ns = fmax(ns - lead->launch_ns, 1.0), scatter;
        take_rate(session, iterations / work_ns,
                  (double)lead->cycles[LEAD_BEFORE] * 1000.0 / work_ns);
        /* Chunks that are too short say little. */
        if (ns > CHUNK_NS / 4.0) {
            elapsed += ns;
            ends[count] = elapsed;
            rates[count++] = lead->rate;
        } else if (iterations >= MOST_LEAD_ITERATIONS) {
            status = error_set(error, STATUS_FAILED, "%.0f iterations of a spin take only %.0f ns",
                               iterations, ns);
        }
        iterations = fmin(fmin(lead->rate * CHUNK_NS, iterations * 16.0), MOST_LEAD_ITERATIONS);
        while (count && ends[back] < elapsed / 2.0)
            back++;
        if (elapsed >= least_ns && back > CHUNKS_COMPARED && count > back + CHUNKS_COMPARED) {
            double now = rate_at(rates, count, &scatter), before = rate_at(rates, back, NULL);

            lead->settles = fabs(now / before - 1.0) <= SETTLED + scatter;
            lead->scatter = scatter;
            if (lead->settles)
                take_rate(session, now, lead->mhz * now / lead->rate);
        }
    }
    free(rates);
    free(ends);
    return status;
}

/* Is the clock settled after a pause and a spin of so long, again and again? Trials that differ
 * excuse no more than their median may be off by: where the clock sinks from one to the next, they
 * differ as much as it is short of what it was. */
static enum status holds(struct session *session, double ns, bool *held, struct error *error)
{
    const struct lead *lead = session->lead;
    double rates[TRIALS] = {0}, probe_ns = 0.0;
    enum status status = STATUS_OK;

    for (unsigned t = 0; status == STATUS_OK && t < TRIALS; t++) {
        status = lead_time_spins(session, lead->pause_ns, ns * lead->rate, lead->edge_iterations,
                                 &probe_ns, error);
        rates[t] = lead->edge_iterations / fmax(probe_ns - lead->launch_ns, 1.0);
    }
    double median = stats_describe(rates, TRIALS).median; /* which sorts them */
    double scatter = (stats_quantile(rates, TRIALS, 0.75) - stats_quantile(rates, TRIALS, 0.25));
    *held =
        fabs(median - lead->rate) <= lead->rate * (SETTLED + lead->scatter) + MEDIAN_OFF * scatter;
    return status;
}

/* Trials that took long may have made the device warm, so that its clock settles elsewhere. */
static enum status settle_again(struct session *session, struct error *error)
{
    struct lead *lead = session->lead;
    bool bridges = lead->bridges;

    lead->bridges = true;
    enum status status = settle(session, LEAST_FIRST_NS, error);
    lead->bridges = bridges;
    return status;
}

static enum status find_length(struct session *session, unsigned lengths, bool *found,
                               struct error *error)
{
    struct lead *lead = session->lead;
    enum status status = STATUS_OK;

    *found = false;
    for (unsigned i = 0; status == STATUS_OK && !*found && i < lengths; i++) {
        double ns = ldexp(SHORTEST_NS, (int)i);

        status = holds(session, ns, found, error);
        if (status == STATUS_OK && !*found && ns >= LONG_NS)
            status = settle_again(session, error);
        /* A clock may still be off by the tolerance; as it converges, doubling the time squares
         * what is left. */
        lead->spin_ns = 2.0 * ns;
    }
    lead->iterations = round_iterations(lead->spin_ns * lead->rate);
    return status;
}

enum status lead_calibrate(struct session *session, struct error *error)
{
    struct lead *lead = session->lead;
    bool found = false, settles;

    lead->threads = 1;
    lead->rate = lead->launch_ns = lead->spin_ns = 0.0;
    lead->bridges = true;
    enum status status = settle(session, LEAST_FIRST_NS, error);
    if (status == STATUS_OK)
        status = time_empty(session, error);
    if (status == STATUS_OK)
        status = settle(session, LEAST_AGAIN_NS, error);
    settles = lead->settles;
    lead->bridges = false;
    if (status == STATUS_OK)
        status = find_length(session, LENGTHS, &found, error);
    lead->wake_ns = lead->spin_ns;
    if (status == STATUS_OK && lead->wake_ns > LONGEST_APART_NS) {
        lead->bridges = true;
        status = settle(session, LEAST_FIRST_NS, error);
        settles = lead->settles;
        if (status == STATUS_OK)
            status = find_length(session, LENGTHS, &found, error);
    }
    lead->settles = settles && found;
    session->sample_after_ns = (uint64_t)(0.9 * lead->spin_ns);
    return status;
}

void lead_follow(struct session *session, double speed)
{
    struct lead *lead = session->lead;

    take_rate(session, lead->rate * speed, lead->mhz * speed);
}

enum status lead_widen(struct session *session, double threads, struct error *error)
{
    struct lead *lead = session->lead;
    uint32_t wanted = (uint32_t)fmin(fmax(threads, 1.0), 1e6);

    if (!lead || !lead->edge_iterations || wanted == lead->threads)
        return STATUS_OK;
    bool bridges = lead->bridges;
    lead->threads = wanted;
    lead->bridges = true;
    enum status status = time_empty(session, error);
    if (status == STATUS_OK)
        status = settle(session, LEAST_AGAIN_NS, error);
    bool settles = lead->settles, found = false;
    lead->bridges = bridges;
    if (status == STATUS_OK)
        status = find_length(session, LENGTHS, &found, error);
    lead->settles = settles && found;
    lead->wake_ns = fmax(lead->wake_ns, lead->spin_ns);
    session->sample_after_ns = (uint64_t)(0.9 * lead->spin_ns);
    return status;
}

enum status lead_wake(struct session *session, struct error *error)
{
    struct lead *lead = session->lead;
    double ns;

    if (!lead || !lead->edge_iterations)
        return STATUS_OK;
    bool bridges = lead->bridges;
    lead->bridges = false;
    enum status status =
        lead_time_spins(session, 0, lead->wake_ns * lead->rate, lead->edge_iterations, &ns, error);
    lead->bridges = bridges;
    return status;
}

enum status lead_open(struct session *session, const struct lead_image *image, struct error *error)
{
    struct lead *lead = calloc(1, sizeof(*lead));
    void *memory = NULL;

    if (!lead)
        return error_out_of_memory(error);
    session->lead = lead;
    lead->iterations = 1;
    lead->threads = 1;
    lead->settles = true;
    lead->pause_ns = PAUSE_NS;
    lead->counts = image->source == COUNTING;
    enum status status =
        module_build_load(&image->build, find_module(image->source), session, &lead->module, error);
    if (status == STATUS_OK)
        status = kernel_create(session, lead->module, source_names[image->source], SUBGROUP_SIZE,
                               &lead->kernel, error);
    if (status == STATUS_OK)
        status = session_alloc_host(session, LEAD_COUNTS * sizeof(*lead->cycles), &memory, error);
    lead->cycles = memory;
    if (status == STATUS_OK)
        memset(lead->cycles, 0, LEAD_COUNTS * sizeof(*lead->cycles));
    if (status == STATUS_OK && !session->is_deterministic)
        status = lead_calibrate(session, error);
    if (status != STATUS_OK)
        lead_close(session);
    return status;
}

void lead_close(struct session *session)
{
    struct lead *lead = session->lead;

    if (!lead)
        return;
    session_rest(session);
    for (unsigned i = 0; i < 2 && !session->lost; i++) {
        if (lead->bridge[i])
            session->ze.zeCommandListDestroy(lead->bridge[i]);
    }
    session->bridge = NULL;
    session_free(session, lead->cycles);
    kernel_destroy(session, &lead->kernel);
    module_destroy(session, lead->module);
    free(lead);
    session->lead = NULL;
}

struct lead_clock lead_clock(const struct session *session)
{
    const struct lead *lead = session->lead;
    struct lead_clock clock = {0.0, 0.0, 0.0};
    unsigned first = session_first(session);

    if (!lead || !session->trailing || first < 1)
        return clock;
    double before = ns_of(session, first - 1) - lead->launch_ns;
    double after = ns_of(session, session_subject(session) + 1) - lead->launch_ns;
    if (!(before > 0.0) || !(after > 0.0))
        return clock;
    clock.speed = lead->edge_iterations / before / lead->rate;
    clock.change = before / after - 1.0;
    if (lead->counts)
        clock.mhz = ((double)lead->cycles[LEAD_BEFORE] / before +
                     (double)lead->cycles[LEAD_AFTER] / after) *
                    500.0;
    return clock;
}

double lead_elapsed(const struct session *session)
{
    return session->lead ? (double)session->lead->cycles[LEAD_ELAPSED] : 0.0;
}
