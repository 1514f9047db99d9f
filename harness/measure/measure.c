#include "measure/measure.h"

#include "base/monotonic.h"
#include "measure/clocks.h"
#include "measure/contents.h"
#include "measure/lead.h"
#include "measure/rounds.h"
#include "ze/clients.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of a value that may be 0, in its unit. */
#define LEAST_SCALE 1e-9

const char *outcome_name(enum row_outcome outcome)
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
    case OUTCOME_EXCLUDED:
        return "excluded";
    }
    return "failed";
}

/* How few rounds might have been enough by chance, which widens the interval (evaluate.h). On an
 * emulated device only contents differ between rounds. */
static unsigned least_rounds(const struct run *run, size_t variant)
{
    return run->session->is_deterministic ? run_batch_rounds(run, variant) : run->stop.min;
}

static void evaluate_slope(const struct run *run, size_t variant, double *costs)
{
    size_t baseline = family_baseline(run->family, variant);
    struct evaluation evaluation = {
        .own = {run_values(run, run->batch_start, variant), run->base[variant],
                contents_scatter(run, variant)},
        .stride = run->family->variant_count * run->points,
        .points = run->points,
        .rounds = run_batch_rounds(run, variant),
        .least_rounds = least_rounds(run, variant),
        .units = family_work(run->family, run->configuration, variant).units,
        .tick_ns = run_tick_ns(run),
        .shortest_ticks = run->shortest_ticks[variant],
        .fewest_ticks = run->fewest_ticks[variant],
        .has_bent = run->bends_alone[variant],
        .is_clock_constant = run->session->is_deterministic,
    };

    if (baseline != VARIANTS_MAX) {
        evaluation.baseline.values = run_values(run, run->batch_start, baseline);
        evaluation.baseline.iterations = run->base[baseline];
        evaluation.baseline.scatter = contents_scatter(run, baseline);
        evaluation.has_bent |= run->bends_alone[baseline];
        evaluation.shortest_ticks = fmin(evaluation.shortest_ticks, run->shortest_ticks[baseline]);
        evaluation.fewest_ticks = fmin(evaluation.fewest_ticks, run->fewest_ticks[baseline]);
    }
    evaluate(&evaluation, costs, &run->measurements[variant]);
}

/* The time of a launch is its whole value. */
static void evaluate_launch(const struct run *run, size_t variant, size_t stride, double *room)
{
    struct measurement *m = &run->measurements[variant];

    evaluate_observed(run_values(run, run->batch_start, variant), stride,
                      run_batch_rounds(run, variant), least_rounds(run, variant), run_tick_ns(run),
                      room, m);
    m->iterations = 1;
    m->iteration_ns = m->value;
}

/* Evaluates all variants that took part. */
static void evaluate_all(struct run *run, double *room)
{
    size_t stride = run->family->variant_count * run->points;
    bool evaluated[VARIANTS_MAX];

    for (size_t v = 0; v < run->family->variant_count; v++) {
        evaluated[v] = run_takes_part(run, v);
        if (!evaluated[v])
            continue;
        if (run->family->variants[v].estimator == ESTIMATOR_OBSERVE)
            evaluate_observed(run_values(run, run->batch_start, v), stride,
                              run_batch_rounds(run, v), least_rounds(run, v), 0.0, room,
                              &run->measurements[v]);
        else if (run->family->variants[v].estimator == ESTIMATOR_LAUNCH)
            evaluate_launch(run, v, stride, room);
        else
            evaluate_slope(run, v, room);
    }
    clocks_judge(run, evaluated, room);
}

static bool any_is(const struct run *run, enum row_outcome outcome)
{
    for (size_t v = 0; v < run->family->variant_count; v++) {
        if (run->kernels[v].handle && run->measurements[v].outcome == outcome)
            return true;
    }
    return false;
}

static double loop_per_unit(const struct measurement *m, const struct family *family,
                            const struct configuration *configuration, size_t variant)
{
    return m->iteration_ns / family_work(family, configuration, variant).units;
}

bool measurement_is_steady(const struct measurement *m, const struct family *family,
                           const struct configuration *configuration, size_t variant,
                           const struct stop_rule *stop)
{
    return m->values.count == 0 || stop_is_steady(stop, m->value, m->standard_error,
                                                  loop_per_unit(m, family, configuration, variant));
}

double measurement_width(const struct measurement *m, const struct family *family,
                         const struct configuration *configuration, size_t variant)
{
    double scale = stop_scale(m->value, loop_per_unit(m, family, configuration, variant));

    return (m->ci95_hi - m->ci95_lo) / 2.0 / fmax(scale, LEAST_SCALE);
}

/* Does its time, or that of its baseline, depend on contents? */
static bool varies(const struct run *run, size_t variant)
{
    size_t baseline = family_baseline(run->family, variant);

    return contents_scatter(run, variant) > 0.0 ||
           (baseline != VARIANTS_MAX && contents_scatter(run, baseline) > 0.0);
}

/* So many rounds of an emulated device where contents matter too much for one; where launches are
 * longer than those that were tried; and where it is not known whether they do. */
#define ROUNDS_OF_CONTENTS 6u
#define ROUNDS_IF_LONGER   ROUNDS_TO_AGREE
#define ROUNDS_IF_UNKNOWN  2u

static size_t rounds_of_contents(const struct run *run, size_t variant)
{
    bool is_longer = run->tried[variant] && run->base[variant] > run->tried[variant];

    return is_longer ? ROUNDS_IF_LONGER : ROUNDS_OF_CONTENTS;
}

/* Is that enough, apart from the stop rule? One round is where it shows what contents do. */
static bool is_enough(const struct run *run, size_t variant, size_t rounds)
{
    if (!contents_are_known(run, variant))
        return rounds >= ROUNDS_IF_UNKNOWN;
    return rounds == 1 || !varies(run, variant) || rounds >= rounds_of_contents(run, variant);
}

/* So many that differ by no more than their rounding are enough, whatever the stop rule says. */
static size_t rounds_to_agree(const struct run *run, size_t variant)
{
    if (varies(run, variant))
        return rounds_of_contents(run, variant);
    return contents_are_known(run, variant) ? 1 : ROUNDS_TO_AGREE;
}

static bool is_steady(const struct run *run, size_t variant)
{
    const struct measurement *m = &run->measurements[variant];
    size_t rounds = m->values.count;

    if (!run->kernels[variant].handle || rounds == 0)
        return true;
    if (run->session->is_deterministic) {
        /* What bends all rounds takes longer launches. */
        if (m->is_bent)
            return true;
        if (!is_enough(run, variant, rounds))
            return false;
        if (m->is_rounding_alone && rounds >= rounds_to_agree(run, variant))
            return true;
    }
    return measurement_is_steady(m, run->family, run->configuration, variant, &run->stop);
}

static bool all_steady(const struct run *run)
{
    for (size_t v = 0; v < run->family->variant_count; v++) {
        if (!is_steady(run, v))
            return false;
    }
    return true;
}

/* Is there time for so many more rounds, judging by those so far? */
static bool has_time(const struct run *run, unsigned rounds)
{
    double spent = monotonic_s() - run->began_s;

    return !(run->options->allowance_s > 0.0) ||
           spent + spent / run->rounds * rounds <= run->options->allowance_s;
}

/* Notes in the reason that the time allowance ended a variant before it was steady. */
static void note_cut(struct run *run)
{
    for (size_t v = 0; run->is_cut && v < run->family->variant_count; v++) {
        struct measurement *m = &run->measurements[v];
        size_t used = strlen(m->reason);

        if (is_steady(run, v) || (m->outcome != OUTCOME_OK && m->outcome != OUTCOME_UNRELIABLE))
            continue;
        snprintf(m->reason + used, sizeof(m->reason) - used,
                 "%sthe budget ended it after %zu rounds, at a standard error of %.2g %%",
                 used ? "; " : "", m->values.count,
                 100.0 * m->standard_error / fmax(fabs(m->value), 1e-9));
    }
}

/* On an emulated device a variant takes part in no more rounds once it is steady: there is no drift
 * that would have to spread over all of them, and a time that is the same with other contents stays
 * so. One that is not goes on with those whose baseline it is, as they have the same contents. */
static void end_steady(struct run *run)
{
    unsigned done = run->rounds - run->batch_start;

    for (size_t v = 0; v < run->family->variant_count; v++) {
        bool goes_on = !is_steady(run, v);

        for (size_t i = 0; i < run->family->variant_count; i++)
            goes_on = goes_on || (family_baseline(run->family, i) == v && varies(run, v) &&
                                  !is_steady(run, i));
        if (!goes_on && !run->ended[v])
            run->ended[v] = done;
    }
}

/* Unreliable variants must take part in the rounds that follow. */
static void forget_unreliable(struct run *run)
{
    for (size_t v = 0; v < run->family->variant_count; v++) {
        run->doubted[v] = run->measurements[v].outcome == OUTCOME_UNRELIABLE;
        if (run->doubted[v])
            run->measurements[v].outcome = OUTCOME_OK;
    }
}

/* Those rounds have ended early: they are what they were, and the reason is still there. */
static void recall_unreliable(struct run *run)
{
    for (size_t v = 0; v < run->family->variant_count; v++) {
        if (run->doubted[v] && run->measurements[v].outcome == OUTCOME_OK)
            run->measurements[v].outcome = OUTCOME_UNRELIABLE;
    }
}

/* After so many the stop rule is asked for the first time. */
static unsigned fewest_rounds(const struct run *run)
{
    unsigned first = run->options->first_rounds;

    return first < run->stop.min ? run->stop.min : first < run->stop.max ? first : run->stop.max;
}

/* Runs the rounds of a batch until the stop rule is satisfied, checking after twice as many each
 * time; then, on hardware, half as many again to catch variants that looked steady only by chance.
 */
static enum status run_batch(struct run *run, double *room, struct error *error)
{
    const bool chance = !run->session->is_deterministic;
    unsigned done = 0, wanted = fewest_rounds(run);
    bool content = false;

    while (done < wanted) {
        forget_unreliable(run);
        enum status status = run_rounds(run, wanted - done, error);
        if (status != STATUS_OK) {
            recall_unreliable(run);
            return status;
        }
        evaluate_all(run, room);
        done = wanted;
        if (content)
            break;
        content = all_steady(run);
        if (run->session->is_deterministic)
            end_steady(run);
        if (!content)
            wanted += !chance && done < ROUNDS_TO_AGREE ? 1 : done;
        else
            wanted += chance ? done / 2 : 0;
        if (wanted > run->stop.max)
            wanted = run->stop.max;
        run->is_cut = wanted > done &&
                      (run->options->first_rounds ? !content : !has_time(run, wanted - done));
        if (run->is_cut)
            break;
    }
    return STATUS_OK;
}

/* Lengthens launches until no row is in doubt, or as far as that goes. */
static enum status settle_doubts(struct run *run, double *room, struct error *error)
{
    enum status status = STATUS_OK;

    for (unsigned i = 0; status == STATUS_OK && i < MOST_LENGTHENINGS && run_lengthen(run); i++)
        status = run_batch(run, room, error);
    return status;
}

static enum status measure_all(struct run *run, double *room, struct error *error)
{
    bool is_exact = run->session->is_deterministic;
    bool may_repeat = !is_exact && !run->options->first_rounds;
    unsigned batches = may_repeat ? MOST_BATCHES : 1;
    const struct configuration *c = run->configuration;
    enum status status = lead_widen(run->session,
                                    device_busy_threads(run->session->device, c->subgroup_size,
                                                        c->workgroup_size, c->workgroup_count),
                                    error);

    if (status == STATUS_OK)
        status = run_warm(run, error);
    if (status == STATUS_OK)
        status = run_calibrate(run, error);

    if (status == STATUS_OK)
        status = run_prove(run, error);
    if (status == STATUS_OK)
        status = run_try_contents(run, error);
    for (unsigned batch = 0; status == STATUS_OK && batch < batches; batch++) {
        run_begin_batch(run);
        status = run_batch(run, room, error);
        if (status == STATUS_OK && is_exact)
            status = settle_doubts(run, room, error);
        run->is_cut = run->is_cut || !has_time(run, run->stop.min);
        if (run->is_cut || !any_is(run, OUTCOME_UNRELIABLE))
            break;
    }
    note_cut(run);
    return status;
}

/* Throttling and other clients in the time of the whole configuration. */
static void note_surroundings(struct run *run)
{
    struct session *session = run->session;
    struct surroundings s = {.throttle_reasons = session->throttle_reasons};

    if (session->clients)
        client_watch_look(session->clients, "", session->device->pci_address, &s.client_count,
                          &s.client_busy);
    for (size_t v = 0; v < run->family->variant_count; v++)
        run->measurements[v].surroundings = s;
}

static enum status put_samples(const struct run *run, const struct sample_sink *sink,
                               struct error *error)
{
    enum status status = STATUS_OK;

    for (size_t i = 0; sink && sink->put && status == STATUS_OK && i < run->sample_count; i++)
        status = sink->put(sink->context, run->configuration, &run->samples[i], error);
    return status;
}

static void fail_all(struct run *run, enum row_outcome outcome, const struct error *error)
{
    for (size_t v = 0; v < run->family->variant_count; v++) {
        if (!run_takes_part(run, v))
            continue;
        run->measurements[v].outcome = outcome;
        snprintf(run->measurements[v].reason, REASON_BYTES, "%s", error->text);
    }
}

/* Sets up and fills the workspace. If that fails, every variant gets the reason. */
static enum status begin(struct run *run, struct error *error)
{
    for (size_t v = 0; v < run->family->variant_count; v++) {
        run->measurements[v].verified = -1;
        run->measurements[v].one_domain = true;
        /* A unit that begins so is a time: docs/csv.md. */
        run->measurements[v].is_time = family_is_time(run->family, v);
        run->measurements[v].clock_mhz = 0.0;
        run->measurements[v].r_squared = NAN;
        run->counts[v] = run->session->counts_cycles && run->kernels[v].counting.handle;
        run->fewest_ticks[v] =
            run_fewest_ticks(run->session->device, !run->session->is_deterministic, run->family,
                             run->configuration, v);
    }
    workspace_init(&run->workspace, run->session, contents_seed(run, 0));
    enum status status = family_prepare(run->family, &run->workspace, run->configuration, error);
    if (status != STATUS_OK)
        fail_all(run, status == STATUS_UNSUPPORTED ? OUTCOME_SKIPPED : OUTCOME_FAILED, error);
    return status;
}

static void end(struct run *run)
{
    workspace_release(&run->workspace);
}

enum status measure_configuration(struct session *session, const struct family *family,
                                  const struct configuration *configuration,
                                  const struct kernel *kernels,
                                  const struct measure_options *options,
                                  const struct sample_sink *sink, FILE *show,
                                  struct measurement *measurements, struct error *error)
{
    bool hardware = !session->is_deterministic;
    struct stop_rule stop = stop_complete(&options->stop, hardware);
    struct run run = {
        .session = session,
        .family = family,
        .configuration = configuration,
        .kernels = kernels,
        .options = options,
        .stop = stop,
        .began_s = monotonic_s(),
        .show = show,
        .measurements = measurements,
        .points = hardware ? EVALUATION_POINTS_HARDWARE : EVALUATION_POINTS_MODEL,
        .rounds_max = stop.max * (hardware ? MOST_BATCHES : 1),
    };
    size_t launches = (size_t)run.rounds_max * family->variant_count * run.points;
    double *room = calloc(EVALUATION_ROOM(stop.max), sizeof(*room));
    enum status status = begin(&run, error);

    run.values = calloc(launches, sizeof(*run.values));
    run.own_clock = calloc(launches, sizeof(*run.own_clock));
    run.samples = calloc(launches, sizeof(*run.samples));
    run.clocks = calloc(launches, sizeof(*run.clocks));
    run.changes = calloc(launches, sizeof(*run.changes));
    run.asked = calloc(launches, sizeof(*run.asked));
    if (status == STATUS_OK && room && run.values && run.own_clock && run.samples && run.clocks &&
        run.changes && run.asked) {
        session->throttle_reasons = 0;
        status = measure_all(&run, room, error);
        note_surroundings(&run);
        if (status == STATUS_OK)
            status = put_samples(&run, sink, error);
        if (status == STATUS_OK)
            status = run_count(&run, sink, error);
    } else if (status == STATUS_OK) {
        error_out_of_memory(error);
        fail_all(&run, OUTCOME_FAILED, error);
    } else if (status != STATUS_LOST) {
        status = STATUS_OK; /* the reason is in every variant */
    }
    end(&run);
    session_rest(session);
    free(run.asked);
    free(run.changes);
    free(run.clocks);
    free(run.samples);
    free(run.own_clock);
    free(run.values);
    free(room);
    return status;
}

static enum status build_variant(struct run *run, size_t variant, struct error *error)
{
    enum status status = STATUS_OK;

    for (int purpose = LAUNCH_MEASURE; status == STATUS_OK && purpose <= LAUNCH_PROOF; purpose++) {
        struct launch launch = {*run->configuration, &run->family->variants[variant], 1,
                                (enum launch_purpose)purpose};

        if (purpose == LAUNCH_MEASURE || run->family->variants[variant].has_proof)
            status = launch_record(run->family, &run->workspace, run->kernels, &launch,
                                   LIST_REGULAR, false, error);
    }
    return status;
}

enum status measure_build(struct session *session, const struct family *family,
                          const struct configuration *configuration, const struct kernel *kernels,
                          struct measurement *measurements, struct error *error)
{
    struct measure_options options = {.seed = 0};
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
        status = build_variant(&run, v, error);
        if (status != STATUS_OK) {
            m->outcome = status == STATUS_UNSUPPORTED ? OUTCOME_SKIPPED : OUTCOME_FAILED;
            snprintf(m->reason, sizeof(m->reason), "%s", error->text);
            status = status == STATUS_LOST ? status : STATUS_OK;
        }
    }
    end(&run);
    return status == STATUS_LOST ? status : STATUS_OK;
}
