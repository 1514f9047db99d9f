#include "measure.h"

#include "clock.h"
#include "evaluate.h"
#include "prng.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Timed at n, 2n and 3n iterations: the fewest points that show whether a line is one. */
#define POINTS 3

/* A launch shorter than this many ticks is mostly rounding. */
#define FEWEST_TICKS     1000.0

#define FIRST_ITERATIONS 16u
#define MOST_ITERATIONS  (1u << 28)

#define EMULATED_ROUNDS  3u
#define HARDWARE_ROUNDS  30u
#define LEAST_ROUNDS     2u

/* On hardware a noisy configuration is given this many times the rounds before it is called
 * unreliable. */
#define MOST_BATCHES 3u

/* How often the iteration count is raised because a launch came out too short after all. */
#define MOST_RECALIBRATIONS 3u

/* Clocks ramp up for some 300 ms. */
#define WARM_UP_NS UINT64_C(300000000)

struct run {
    struct session *session;
    const struct family *family;
    const struct configuration *configuration;
    size_t configuration_index;
    const struct kernel *kernels;
    const struct measure_options *options;
    struct measurement *measurements;
    void *state;     /* the family's */
    uint32_t base;   /* n of the iteration counts n, 2n, 3n */
    unsigned rounds; /* done so far */
    unsigned rounds_max;
    double *ns; /* [round][variant][point] */
    struct sample *samples;
    size_t sample_count;
    double shortest_ticks;
    double clock_samples[MOST_BATCHES * 64];
    size_t clock_count;
};

const char *outcome_name(enum outcome outcome)
{
    switch (outcome) {
    case OUTCOME_OK:
        return "ok";
    case OUTCOME_SKIPPED:
        return "skipped";
    case OUTCOME_FAILED:
        return "failed";
    case OUTCOME_UNRELIABLE:
        return "unreliable";
    }
    return "failed";
}

static bool takes_part(const struct run *run, size_t variant)
{
    return run->kernels[variant].handle && run->measurements[variant].outcome == OUTCOME_OK;
}

static void set_outcome(struct measurement *measurement, enum outcome outcome, const char *reason)
{
    measurement->outcome = outcome;
    snprintf(measurement->reason, sizeof measurement->reason, "%s", reason);
}

static double *ns_of(const struct run *run, unsigned round, size_t variant)
{
    return run->ns + (round * run->family->variant_count + variant) * POINTS;
}

/* A failure that ends one variant leaves the others to go on. */
static bool ends_everything(enum status status)
{
    return status == STATUS_LOST || status == STATUS_INTERRUPTED;
}

static enum status record(const struct run *run, const struct launch *launch, struct error *error)
{
    const struct kernel *kernel = &run->kernels[launch->variant];
    enum status status = session_begin_list(run->session, error);

    if (status == STATUS_OK)
        status = kernel_set_group_size(run->session, kernel, launch->configuration.workgroup_size,
                                       error);
    if (status == STATUS_OK)
        status = run->family->run(run->state, kernel, launch, error);
    if (status == STATUS_OK)
        status = session_end_list(run->session, error);
    return status;
}

/* Records, executes and verifies one launch. What goes wrong is noted with the variant. */
static enum status perform(struct run *run, size_t variant, uint32_t iterations,
                           enum launch_purpose purpose, struct launch_time *time,
                           struct error *error)
{
    struct measurement *measurement = &run->measurements[variant];
    struct launch launch = {*run->configuration, variant, iterations, purpose};
    enum status status = session_check_stop(run->session, error);

    if (status == STATUS_OK)
        status = record(run, &launch, error);
    if (status == STATUS_OK)
        status = session_execute(run->session, time, error);
    if (status == STATUS_OK) {
        status = run->family->verify(run->state, &launch, error);
        /* A wrong kernel has no time. */
        if (status != STATUS_OK)
            measurement->verified = 0;
        else if (measurement->verified < 0)
            measurement->verified = 1;
    }
    if (status == STATUS_UNSUPPORTED)
        set_outcome(measurement, OUTCOME_SKIPPED, error->text);
    else if (status != STATUS_OK && status != STATUS_INTERRUPTED)
        set_outcome(measurement, OUTCOME_FAILED, error->text);
    return status;
}

/* The kernel's own time excludes what other contexts did meanwhile; drivers that do not keep it
 * return zero or the global time. */
static double duration_ticks(const struct launch_time *time)
{
    return (double)(time->kernel_ticks ? time->kernel_ticks : time->global_ticks);
}

static uint64_t host_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Runs the baseline until the clock can be expected to stand where it will stay. */
static enum status warm_up(struct run *run, struct error *error)
{
    uint64_t start = host_ns();
    struct launch_time time;
    enum status status;

    do {
        status = perform(run, 0, FIRST_ITERATIONS, LAUNCH_MEASURE, &time, error);
        /* A model has no clock to ramp up, and its results must not depend on the host's time. */
    } while (status == STATUS_OK && run->session->kind == DEVICE_HARDWARE &&
             host_ns() - start < WARM_UP_NS);
    return status;
}

/* Doubles the iteration count of the baseline until a launch is long enough, then takes off what
 * the last doubling was too much. */
static enum status calibrate(struct run *run, struct error *error)
{
    double wanted = FEWEST_TICKS * (run->session->kind == DEVICE_HARDWARE ? 1.25 : 1.02);
    uint32_t iterations = FIRST_ITERATIONS;
    struct launch_time time;

    for (;;) {
        enum status status = perform(run, 0, iterations, LAUNCH_MEASURE, &time, error);

        if (status != STATUS_OK)
            return status;
        if (duration_ticks(&time) >= wanted)
            break;
        iterations *= 2;
        if (iterations > MOST_ITERATIONS) {
            error_set(error, STATUS_FAILED, "%u iterations take only %.0f ticks of the timer",
                      (unsigned)MOST_ITERATIONS, duration_ticks(&time));
            set_outcome(&run->measurements[0], OUTCOME_FAILED, error->text);
            return STATUS_FAILED;
        }
    }
    /* Whatever a launch takes beyond its iterations only makes the shortened one longer. */
    run->base = (uint32_t)ceil(iterations * wanted / duration_ticks(&time));
    return STATUS_OK;
}

static void keep_sample(struct run *run, size_t variant, uint32_t iterations,
                        const struct launch_time *time, double ns)
{
    struct sample *sample = &run->samples[run->sample_count++];

    sample->variant = variant;
    sample->round = run->rounds;
    sample->iterations = iterations;
    sample->time = *time;
    sample->ns = ns;
}

/* One round: every variant at every iteration count, in an order of this round's own, so that
 * whatever drifts drifts over all of them. */
static enum status do_round(struct run *run, struct error *error)
{
    size_t launches = run->family->variant_count * POINTS;
    size_t order[VARIANTS_MAX * POINTS];
    struct prng prng;

    prng_seed(&prng, run->options->seed ^ (run->configuration_index << 16) ^ run->rounds);
    prng_permutation(&prng, order, launches);
    for (size_t i = 0; i < launches; i++) {
        size_t variant = order[i] / POINTS;
        size_t point = order[i] % POINTS;
        uint32_t iterations = run->base * (uint32_t)(point + 1);
        struct launch_time time;
        enum status status;
        double ticks;
        double ns;

        if (!takes_part(run, variant))
            continue;
        status = perform(run, variant, iterations, LAUNCH_MEASURE, &time, error);
        if (ends_everything(status))
            return status;
        if (status != STATUS_OK)
            continue;
        ticks = duration_ticks(&time);
        ns = ticks_to_ns(ticks, run->session->timer.hz);
        ns_of(run, run->rounds, variant)[point] = ns;
        if (ticks < run->shortest_ticks)
            run->shortest_ticks = ticks;
        run->measurements[variant].one_domain &= time.one_domain;
        keep_sample(run, variant, iterations, &time, ns);
    }
    if (run->clock_count < sizeof run->clock_samples / sizeof run->clock_samples[0]) {
        double mhz = clock_sample_mhz(run->session);

        if (mhz > 0.0)
            run->clock_samples[run->clock_count++] = mhz;
    }
    run->rounds++;
    return STATUS_OK;
}

/* `rounds` more rounds. Where a launch turns out too short, all is done again with more
 * iterations, a bounded number of times. */
static enum status do_rounds(struct run *run, unsigned rounds, struct error *error)
{
    for (unsigned attempt = 0;; attempt++) {
        unsigned end = run->rounds + rounds;

        run->shortest_ticks = HUGE_VAL;
        while (run->rounds < end) {
            enum status status = do_round(run, error);

            if (status != STATUS_OK)
                return status;
        }
        if (run->shortest_ticks >= FEWEST_TICKS || attempt == MOST_RECALIBRATIONS ||
            run->base > MOST_ITERATIONS / 4)
            return STATUS_OK;
        run->base = (uint32_t)ceil(run->base * 1.1 * FEWEST_TICKS / fmax(run->shortest_ticks, 100));
        run->rounds = 0;
        run->sample_count = 0;
        rounds = end;
    }
}

/* All variants that still take part; true if every one is steady. */
static bool evaluate_all(struct run *run, double *costs)
{
    bool steady = true;

    /* Backwards: the others need the baseline's samples, not its statistics, but a variant is only
     * asked whether it takes part before its own outcome is set. */
    for (size_t v = run->family->variant_count; v-- > 0;) {
        struct measurement *m = &run->measurements[v];

        if (run->kernels[v].handle &&
            (m->outcome == OUTCOME_OK || m->outcome == OUTCOME_UNRELIABLE)) {
            struct evaluation evaluation = {
                .own_ns = ns_of(run, 0, v),
                .baseline_ns = v == 0 ? NULL : ns_of(run, 0, 0),
                .stride = run->family->variant_count * POINTS,
                .rounds = run->rounds,
                .iterations = run->base,
                .work_per_iteration = run->family->work_per_iteration,
                .tick_ns = ticks_to_ns(1.0, run->session->timer.hz),
                .shortest_ticks = run->shortest_ticks,
                .spill_bytes = run->kernels[v].spill_bytes,
            };

            evaluate(&evaluation, costs, m);
            steady = steady && m->outcome == OUTCOME_OK;
        }
    }
    return steady;
}

/* Unsteady variants have to take part in the next batch again. */
static void forget_unreliable(struct run *run)
{
    for (size_t v = 0; v < run->family->variant_count; v++) {
        if (run->measurements[v].outcome == OUTCOME_UNRELIABLE)
            set_outcome(&run->measurements[v], OUTCOME_OK, "");
    }
}

static enum status prove(struct run *run, struct error *error)
{
    uint32_t iterations = run->base;
    struct launch_time time;

    /* Every lane has to have met every slot at least once. */
    if (iterations < run->configuration->workgroup_size)
        iterations = run->configuration->workgroup_size;
    for (size_t v = 0; v < run->family->variant_count; v++) {
        enum status status;

        if (!run->family->variants[v].has_proof || !takes_part(run, v))
            continue;
        status = perform(run, v, iterations, LAUNCH_PROOF, &time, error);
        if (ends_everything(status))
            return status;
    }
    return STATUS_OK;
}

static enum status put_samples(const struct run *run, const struct sample_sink *sink,
                               struct error *error)
{
    enum status status = STATUS_OK;

    for (size_t i = 0; sink && status == STATUS_OK && i < run->sample_count; i++)
        status = sink->put(sink->context, run->configuration, &run->samples[i], error);
    return status;
}

/* Without the baseline no variant has a value. */
static void fail_the_rest(struct run *run)
{
    char reason[REASON_BYTES];
    const struct measurement *baseline = &run->measurements[0];

    snprintf(reason, sizeof reason, "no baseline: %.500s",
             baseline->reason[0] ? baseline->reason : "it could not be measured");
    for (size_t v = 1; v < run->family->variant_count; v++) {
        if (takes_part(run, v))
            set_outcome(&run->measurements[v], baseline->outcome, reason);
    }
}

static enum status measure_all(struct run *run, const struct sample_sink *sink, struct error *error)
{
    unsigned batches = run->session->kind == DEVICE_HARDWARE ? MOST_BATCHES : 1;
    unsigned rounds = run->rounds_max / batches;
    double *costs = calloc(run->rounds_max, sizeof *costs);
    enum status status;

    if (!costs)
        return error_set(error, STATUS_FAILED, "out of memory");
    status = warm_up(run, error);
    if (status == STATUS_OK)
        status = calibrate(run, error);
    if (status == STATUS_OK)
        status = prove(run, error);
    for (unsigned batch = 0; status == STATUS_OK && batch < batches; batch++) {
        status = do_rounds(run, rounds, error);
        if (status == STATUS_OK && run->measurements[0].outcome != OUTCOME_OK)
            status = STATUS_FAILED;
        if (status != STATUS_OK || evaluate_all(run, costs) || batch + 1 == batches)
            break;
        forget_unreliable(run);
    }
    free(costs);
    if (ends_everything(status))
        return status;
    if (status != STATUS_OK)
        fail_the_rest(run);
    return put_samples(run, sink, error);
}

static enum status begin(struct run *run, struct error *error)
{
    for (size_t v = 0; v < run->family->variant_count; v++) {
        run->measurements[v].verified = -1;
        run->measurements[v].one_domain = true;
        run->measurements[v].clock_mhz = 0.0;
    }
    return run->family->setup(run->session, run->configuration,
                              run->options->seed + run->configuration_index, &run->state, error);
}

static void fail_all(struct run *run, const struct error *error)
{
    for (size_t v = 0; v < run->family->variant_count; v++) {
        if (takes_part(run, v))
            set_outcome(&run->measurements[v], OUTCOME_FAILED, error->text);
    }
}

enum status measure_configuration(struct session *session, const struct family *family,
                                  const struct configuration *configuration,
                                  size_t configuration_index, const struct kernel *kernels,
                                  const struct measure_options *options,
                                  const struct sample_sink *sink, struct measurement *measurements,
                                  struct error *error)
{
    bool hardware = session->kind == DEVICE_HARDWARE;
    unsigned rounds = options->rounds ? options->rounds
                      : hardware      ? HARDWARE_ROUNDS
                                      : EMULATED_ROUNDS;
    struct run run = {
        .session = session,
        .family = family,
        .configuration = configuration,
        .configuration_index = configuration_index,
        .kernels = kernels,
        .options = options,
        .measurements = measurements,
    };
    size_t launches;
    enum status status;

    if (rounds < LEAST_ROUNDS)
        rounds = LEAST_ROUNDS;
    run.rounds_max = rounds * (hardware ? MOST_BATCHES : 1);
    launches = (size_t)run.rounds_max * family->variant_count * POINTS;
    run.ns = calloc(launches, sizeof *run.ns);
    run.samples = calloc(launches, sizeof *run.samples);
    status = begin(&run, error);
    if (status == STATUS_OK && (!run.ns || !run.samples))
        status = error_set(error, STATUS_FAILED, "out of memory");
    if (status == STATUS_OK) {
        status = measure_all(&run, sink, error);
    } else {
        fail_all(&run, error);
        status = ends_everything(status) ? status : STATUS_OK;
    }
    for (size_t v = 0; run.clock_count && v < family->variant_count; v++)
        measurements[v].clock_mhz = stats_describe(run.clock_samples, run.clock_count).median;
    family->teardown(run.state);
    free(run.samples);
    free(run.ns);
    return status;
}

enum status measure_dry_run(struct session *session, const struct family *family,
                            const struct configuration *configuration, const struct kernel *kernels,
                            struct measurement *measurements, struct error *error)
{
    struct measure_options options = {0, 0};
    struct run run = {
        .session = session,
        .family = family,
        .configuration = configuration,
        .kernels = kernels,
        .options = &options,
        .measurements = measurements,
    };
    enum status status = begin(&run, error);

    if (status != STATUS_OK)
        fail_all(&run, error);
    for (size_t v = 0; status == STATUS_OK && v < family->variant_count; v++) {
        for (int purpose = LAUNCH_MEASURE; purpose <= LAUNCH_PROOF; purpose++) {
            struct launch launch = {*configuration, v, FIRST_ITERATIONS,
                                    (enum launch_purpose)purpose};

            if (!takes_part(&run, v) || (purpose == LAUNCH_PROOF && !family->variants[v].has_proof))
                continue;
            status = record(&run, &launch, error);
            if (status != STATUS_OK) {
                set_outcome(&measurements[v],
                            status == STATUS_UNSUPPORTED ? OUTCOME_SKIPPED : OUTCOME_FAILED,
                            error->text);
                status = status == STATUS_LOST ? status : STATUS_OK;
            }
        }
    }
    family->teardown(run.state);
    return status;
}
