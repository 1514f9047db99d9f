#include "measure/measure.h"

#include "measure/rounds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define EMULATED_ROUNDS 3u
#define HARDWARE_ROUNDS 30u
#define LEAST_ROUNDS    2u

/* On hardware a noisy configuration is given this many times the rounds before it is called
 * unreliable. */
#define MOST_BATCHES 3u

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

static void evaluate_slope(const struct run *run, size_t variant, double *costs)
{
    size_t baseline = family_baseline(run->family, variant);
    struct evaluation evaluation = {
        .own = {run_values(run, 0, variant), run->base[variant]},
        .stride = run->family->variant_count * EVALUATION_POINTS,
        .rounds = run->rounds,
        .units = family_work(run->family, run->configuration, variant).units,
        .tick_ns = ticks_to_ns((double)timer_step(&run->session->timer), run->session->timer.hz),
        .shortest_ticks = run->shortest_ticks[variant],
    };

    if (!run->family->variants[variant].may_spill)
        evaluation.spill_bytes = run->kernels[variant].spill_bytes;
    if (baseline != VARIANTS_MAX) {
        evaluation.baseline.values = run_values(run, 0, baseline);
        evaluation.baseline.iterations = run->base[baseline];
        evaluation.shortest_ticks = fmin(evaluation.shortest_ticks, run->shortest_ticks[baseline]);
    }
    evaluate(&evaluation, costs, &run->measurements[variant]);
}

/* All variants that took part; true if every one is steady. */
static bool evaluate_all(struct run *run, double *costs)
{
    size_t stride = run->family->variant_count * EVALUATION_POINTS;
    bool steady = true;

    for (size_t v = 0; v < run->family->variant_count; v++) {
        struct measurement *m = &run->measurements[v];

        if (!run_takes_part(run, v))
            continue;
        if (run->family->variants[v].method == METHOD_OBSERVE)
            evaluate_observed(run_values(run, 0, v), stride, run->rounds, 0.0, costs, m);
        else
            evaluate_slope(run, v, costs);
        steady = steady && m->outcome == OUTCOME_OK;
    }
    return steady;
}

/* Unsteady variants have to take part in the next batch again. */
static void forget_unreliable(struct run *run)
{
    for (size_t v = 0; v < run->family->variant_count; v++) {
        if (run->measurements[v].outcome == OUTCOME_UNRELIABLE) {
            run->measurements[v].outcome = OUTCOME_OK;
            run->measurements[v].reason[0] = '\0';
        }
    }
}

static enum status measure_all(struct run *run, double *costs, struct error *error)
{
    unsigned batches = run->session->kind == DEVICE_HARDWARE ? MOST_BATCHES : 1;
    enum status status = run_warm_up(run, error);

    if (status == STATUS_OK)
        status = run_calibrate(run, error);
    if (status == STATUS_OK)
        status = run_prove(run, error);
    for (unsigned batch = 0; status == STATUS_OK && batch < batches; batch++) {
        status = run_rounds(run, run->rounds_max / batches, error);
        if (status != STATUS_OK || evaluate_all(run, costs) || batch + 1 == batches)
            break;
        forget_unreliable(run);
    }
    return status;
}

static enum status put_samples(const struct run *run, const struct sample_sink *sink,
                               struct error *error)
{
    enum status status = STATUS_OK;

    for (size_t i = 0; sink && status == STATUS_OK && i < run->sample_count; i++)
        status = sink->put(sink->context, run->configuration, &run->samples[i], error);
    return status;
}

static void fail_all(struct run *run, enum outcome outcome, const struct error *error)
{
    for (size_t v = 0; v < run->family->variant_count; v++) {
        if (!run_takes_part(run, v))
            continue;
        run->measurements[v].outcome = outcome;
        snprintf(run->measurements[v].reason, REASON_BYTES, "%s", error->text);
    }
}

/* The workspace, filled. Where that fails every variant says so. */
static enum status begin(struct run *run, struct error *error)
{
    enum status status;

    for (size_t v = 0; v < run->family->variant_count; v++) {
        run->measurements[v].verified = -1;
        run->measurements[v].one_domain = true;
        /* A unit that begins so is a time: docs/csv.md. */
        run->measurements[v].is_time = !strncmp(family_unit(run->family, v), "ns", 2);
        run->measurements[v].clock_mhz = 0.0;
        run->measurements[v].r_squared = NAN;
    }
    workspace_init(&run->workspace, run->session, run->options->seed + run->configuration_index);
    status = run->family->setup(&run->workspace, run->configuration, error);
    if (status != STATUS_OK)
        fail_all(run, status == STATUS_UNSUPPORTED ? OUTCOME_SKIPPED : OUTCOME_FAILED, error);
    return status;
}

static void end(struct run *run)
{
    if (run->family->teardown && run->workspace.own)
        run->family->teardown(run->workspace.own);
    else
        free(run->workspace.own);
    workspace_release(&run->workspace);
}

static unsigned rounds_wanted(const struct measure_options *options, bool hardware)
{
    if (options->rounds)
        return options->rounds < LEAST_ROUNDS ? LEAST_ROUNDS : options->rounds;
    return hardware ? HARDWARE_ROUNDS : EMULATED_ROUNDS;
}

enum status measure_configuration(struct session *session, const struct family *family,
                                  const struct configuration *configuration,
                                  size_t configuration_index, const struct kernel *kernels,
                                  const struct measure_options *options,
                                  const struct sample_sink *sink, FILE *show,
                                  struct measurement *measurements, struct error *error)
{
    bool hardware = session->kind == DEVICE_HARDWARE;
    struct run run = {
        .session = session,
        .family = family,
        .configuration = configuration,
        .configuration_index = configuration_index,
        .kernels = kernels,
        .options = options,
        .show = show,
        .measurements = measurements,
        .rounds_max = rounds_wanted(options, hardware) * (hardware ? MOST_BATCHES : 1),
    };
    size_t launches = (size_t)run.rounds_max * family->variant_count * EVALUATION_POINTS;
    double *costs = calloc(run.rounds_max, sizeof *costs);
    enum status status = begin(&run, error);

    run.values = calloc(launches, sizeof *run.values);
    run.samples = calloc(launches, sizeof *run.samples);
    if (status == STATUS_OK && costs && run.values && run.samples) {
        status = measure_all(&run, costs, error);
        if (status == STATUS_OK)
            status = put_samples(&run, sink, error);
    } else if (status == STATUS_OK) {
        error_set(error, STATUS_FAILED, "out of memory");
        fail_all(&run, OUTCOME_FAILED, error);
    } else if (status != STATUS_LOST) {
        status = STATUS_OK; /* every variant has the reason */
    }
    for (size_t v = 0; run.clock_count && v < family->variant_count; v++)
        measurements[v].clock_mhz = stats_describe(run.clock_samples, run.clock_count).median;
    end(&run);
    free(run.samples);
    free(run.values);
    free(costs);
    return status;
}

static enum status dry_run_variant(struct run *run, size_t variant, struct error *error)
{
    enum status status = STATUS_OK;

    for (int purpose = LAUNCH_MEASURE; status == STATUS_OK && purpose <= LAUNCH_PROOF; purpose++) {
        struct launch launch = {*run->configuration, variant, 1, (enum launch_purpose)purpose};

        if (purpose == LAUNCH_MEASURE || run->family->variants[variant].has_proof)
            status = launch_record(run->family, &run->workspace, &run->kernels[variant], &launch,
                                   LIST_REGULAR, error);
    }
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

    for (size_t v = 0; status == STATUS_OK && v < family->variant_count; v++) {
        struct measurement *m = &measurements[v];

        if (!run_takes_part(&run, v))
            continue;
        status = dry_run_variant(&run, v, error);
        if (status != STATUS_OK) {
            m->outcome = status == STATUS_UNSUPPORTED ? OUTCOME_SKIPPED : OUTCOME_FAILED;
            snprintf(m->reason, sizeof m->reason, "%s", error->text);
            status = status == STATUS_LOST ? status : STATUS_OK;
        }
    }
    end(&run);
    return status == STATUS_LOST ? status : STATUS_OK;
}
