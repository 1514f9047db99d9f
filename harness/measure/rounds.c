#include "measure/rounds.h"

#include "measure/contents.h"
#include "measure/lead.h"

#include <math.h>
#include <string.h>

#define MOST_ITERATIONS (1u << 28)

/* Each attempt at an iteration count is at least twice and at most this many times the last. */
#define FASTEST_GROWTH 16.0

/* How often iteration counts may be raised because a launch turned out too short after all. */
#define MOST_RECALIBRATIONS 3u

/* The most by which a count is raised at once, apart from a tenth to be sure. */
#define FASTEST_RAISE 10.0

/* By how much launches are made longer whose rows are in doubt. */
#define LENGTHENING 4u

/* A launch at a clock that much off the settled one is made again, at most so often. */
#define SPEED_CHANGED    0.02
#define MOST_REPETITIONS 2u

/* The kernels that count run in one of so many rounds. */
#define ROUNDS_TO_COUNT 2u

/* Length of launches that only fill caches. */
#define WARMING_NS 1e8

/* Limit for the host's work between launches: contents, verification. */
#define HOST_LIMIT_NS UINT64_C(120000000000)

unsigned run_own_rounds(const struct run *run, size_t variant)
{
    return run->ended[variant] ? run->ended[variant] : run->rounds - run->batch_start;
}

unsigned run_batch_rounds(const struct run *run, size_t variant)
{
    unsigned rounds = run_own_rounds(run, variant), all = run->rounds - run->batch_start;

    return family_baseline(run->family, variant) != VARIANTS_MAX && all < rounds ? all : rounds;
}

bool run_takes_part(const struct run *run, size_t variant)
{
    return run->kernels[variant].handle && run->measurements[variant].outcome == OUTCOME_OK;
}

double *run_values(const struct run *run, unsigned round, size_t variant)
{
    return run->values + (round * run->family->variant_count + variant) * run->points;
}

/* Is a cost the difference of its time and another's? */
static bool is_of_difference(const struct family *family, size_t variant)
{
    bool is_one = family_baseline(family, variant) != VARIANTS_MAX;

    for (size_t v = 0; v < family->variant_count && !is_one; v++)
        is_one = family_baseline(family, v) == variant;
    return is_one;
}

double run_fewest_ticks(const struct device *device, bool hardware, const struct family *family,
                        const struct configuration *c, size_t variant)
{
    bool is_posted = family->variants[variant].is_posted;
    bool is_loop = !is_posted && !is_of_difference(family, variant);
    double busy =
        device_busy_threads(device, c->subgroup_size, c->workgroup_size, c->workgroup_count);
    double all = is_loop     ? EVALUATION_THREAD_TICKS_LOOP
                 : is_posted ? EVALUATION_THREAD_TICKS * EVALUATION_POSTED
                             : EVALUATION_THREAD_TICKS;
    double share = all / busy, most = is_loop ? EVALUATION_MOST_TICKS : EVALUATION_FEWEST_TICKS;
    double core = (double)device->eus_per_subslice * device->threads_per_eu;
    double least = busy > core ? EVALUATION_FEWEST_TICKS_WIDE : EVALUATION_FEWEST_TICKS_CORE;

    return hardware ? EVALUATION_FEWEST_TICKS : fmax(least, fmin(share, most));
}

double run_tick_ns(const struct run *run)
{
    const struct timer *timer = &run->session->timer;

    return ticks_to_ns((double)timer_step(timer), timer->hz);
}

double *run_own_clock(const struct run *run, unsigned round, size_t variant)
{
    return run->own_clock + round * run->family->variant_count + variant;
}

/* Other failures end only one variant; the rest go on. */
static bool ends_everything(enum status status)
{
    return status == STATUS_LOST;
}

/* Without its baseline a variant has no value. */
static void end_dependents(struct run *run, size_t baseline)
{
    const struct measurement *lost = &run->measurements[baseline];

    for (size_t v = 0; v < run->family->variant_count; v++) {
        if (family_baseline(run->family, v) != baseline || !run_takes_part(run, v))
            continue;
        run->measurements[v].outcome = lost->outcome;
        snprintf(run->measurements[v].reason, REASON_BYTES, "no baseline: %.500s", lost->reason);
    }
}

static void end_variant(struct run *run, size_t variant, enum row_outcome outcome,
                        const char *reason)
{
    run->measurements[variant].outcome = outcome;
    snprintf(run->measurements[variant].reason, REASON_BYTES, "%s", reason);
    end_dependents(run, variant);
}

static enum status verify(struct run *run, const struct launch *launch, struct error *error)
{
    size_t variant = (size_t)(launch->variant - run->family->variants);
    struct measurement *measurement = &run->measurements[variant];
    struct watch *watch = run->session->watch;
    enum watch_stage stage = watch_enter(watch, WATCH_VERIFICATION, HOST_LIMIT_NS);
    enum status status = family_verify(run->family, &run->workspace, launch, error);

    watch_enter(watch, stage, HOST_LIMIT_NS);
    /* A wrong kernel has no time. */
    if (status != STATUS_OK)
        measurement->verified = 0;
    else if (measurement->verified < 0)
        measurement->verified = 1;
    if (status == STATUS_OK && run->show && run->family->show &&
        launch->purpose == LAUNCH_MEASURE && !run->shown[variant]) {
        run->family->show(&run->workspace, launch, run->show);
        run->shown[variant] = true;
    }
    return status;
}

/* Records and executes one launch, and verifies it if it is read back; `*value`
 * gets the observed value if that is the variant's estimator. */
static enum status perform(struct run *run, size_t variant, uint32_t iterations,
                           enum launch_purpose purpose, struct launch_time *time, double *value,
                           struct error *error)
{
    const struct family *family = run->family;
    struct launch launch = {*run->configuration, &family->variants[variant], iterations, purpose};
    const struct kernel *kernel = &run->kernels[variant];
    enum status status = launch_record(family, &run->workspace, run->kernels, &launch,
                                       launch.variant->list, purpose == LAUNCH_MEASURE, error);

    memset(time, 0, sizeof(*time));
    if (status == STATUS_OK && family->variants[variant].estimator == ESTIMATOR_OBSERVE)
        status = family->observe(&run->workspace, kernel, &launch, value, error);
    else if (status == STATUS_OK)
        status = launch_execute(&run->workspace, time, error);
    if (time->completion_ns > run->longest_ns)
        run->longest_ns = time->completion_ns;
    /* A program that has its own memory checks every launch, and makes it what the next expects. */
    bool has_own_memory = run->workspace.buffer_count == 0;
    if (status == STATUS_OK && (launch_is_read_back(&launch) || has_own_memory))
        status = verify(run, &launch, error);
    if (status == STATUS_UNSUPPORTED)
        end_variant(run, variant, OUTCOME_SKIPPED, error->text);
    else if (status != STATUS_OK)
        end_variant(run, variant, OUTCOME_FAILED, error->text);
    return status;
}

/* May a launch have so many iterations, judging by the last one? False, with the variant skipped,
 * if it would be too long for a GPU that also drives a display. */
static bool may_launch(struct run *run, size_t variant, uint32_t iterations)
{
    double ns = run->iteration_ns[variant] * iterations;
    char reason[REASON_BYTES];

    if (ns <= LONGEST_LAUNCH_NS)
        return true;
    snprintf(reason, sizeof(reason),
             "an iteration takes %.3g ms: a launch of the %u that a slope needs would take %.3g s, "
             "and kernel drivers reset a GPU that one kernel occupies for too long; the limit here "
             "is %.1f s",
             run->iteration_ns[variant] / 1e6, iterations, ns / 1e9, LONGEST_LAUNCH_NS / 1e9);
    end_variant(run, variant, OUTCOME_SKIPPED, reason);
    return false;
}

/* Runs untimed launches until so many iterations have run. */
static enum status warm_with(struct run *run, size_t variant, uint32_t iterations, double each_ns,
                             struct error *error)
{
    double most = fmax(1.0, floor(WARMING_NS / fmax(each_ns, 1.0)));
    enum status status = STATUS_OK;

    while (status == STATUS_OK && iterations > 0) {
        uint32_t part = (uint32_t)fmin(iterations, most);
        struct launch_time time;
        double value;

        status = perform(run, variant, part, LAUNCH_MEASURE, &time, &value, error);
        iterations -= part;
    }
    return status;
}

enum status run_warm(struct run *run, struct error *error)
{
    size_t quickest = VARIANTS_MAX;
    double least_ns = HUGE_VAL;

    watch_enter(run->session->watch, WATCH_CALIBRATION, HOST_LIMIT_NS);
    for (size_t v = 0; run->family->warming && v < run->family->variant_count; v++) {
        struct launch_time time;
        double value;

        if (!run_takes_part(run, v) || !family_warming(run->family, run->configuration, v))
            continue;
        enum status status = perform(run, v, 1, LAUNCH_MEASURE, &time, &value, error);
        if (ends_everything(status))
            return status;
        if (status != STATUS_OK)
            continue;
        double ns = ticks_to_ns(launch_ticks(&time), run->session->timer.hz);
        if (ns < least_ns) {
            least_ns = ns;
            quickest = v;
        }
    }
    if (quickest == VARIANTS_MAX)
        return STATUS_OK;
    return warm_with(run, quickest, family_warming(run->family, run->configuration, quickest),
                     least_ns, error);
}

/* The ticks of a launch whose code one of a single iteration has fetched. */
static enum status time_primed(struct run *run, size_t variant, uint32_t iterations, double *ticks,
                               struct error *error)
{
    struct launch_time time;
    double value;
    enum status status = perform(run, variant, 1, LAUNCH_PRIME, &time, &value, error);

    if (status == STATUS_OK)
        status = perform(run, variant, iterations, LAUNCH_MEASURE, &time, &value, error);
    *ticks = launch_ticks(&time);
    return status;
}

/* A launch of a single iteration is mostly what every launch has: its start, and the filling and
 * emptying of buffers. Raises the iteration count until what a launch has beside its first
 * iteration is long enough, then corrects for the overshoot of the last step. */
static enum status calibrate_variant(struct run *run, size_t variant, struct error *error)
{
    bool hardware = !run->session->is_deterministic;
    double wanted = run->fewest_ticks[variant] * CALIBRATION_MARGIN(hardware);
    double enough = wanted * CALIBRATION_REACH(hardware);
    double iterations = 1.0, single = 0.0, ticks = 0.0;
    enum status status = time_primed(run, variant, 1, &single, error);

    run->iteration_ns[variant] = ticks_to_ns(single, run->session->timer.hz);
    if (status == STATUS_OK && !may_launch(run, variant, run->points))
        return STATUS_OK;
    while (status == STATUS_OK && ticks < enough) {
        struct launch_time time;
        double growth = 1.1 * enough / fmax(ticks, iterations > 1.0 ? 1.0 : single), value;

        iterations = floor(iterations * fmin(FASTEST_GROWTH, fmax(2.0, growth)));
        if (iterations > MOST_ITERATIONS) {
            status =
                error_set(error, STATUS_FAILED, "%.0f iterations take only %.0f ticks of the timer",
                          iterations, ticks);
            end_variant(run, variant, OUTCOME_FAILED, error->text);
            return status;
        }
        status = perform(run, variant, (uint32_t)iterations, LAUNCH_MEASURE, &time, &value, error);
        ticks = launch_ticks(&time) - single;
    }
    if (status != STATUS_OK)
        return status;
    run->base[variant] = (uint32_t)ceil((iterations - 1.0) * wanted / ticks);
    if (run->base[variant] < run->family->variants[variant].fewest_iterations)
        run->base[variant] = run->family->variants[variant].fewest_iterations;
    run->iteration_ns[variant] = ticks_to_ns(ticks, run->session->timer.hz) / (iterations - 1.0);
    may_launch(run, variant, run->base[variant] * run->points);
    return STATUS_OK;
}

enum status run_calibrate(struct run *run, struct error *error)
{
    run->session->expected_ns = 0;
    watch_enter(run->session->watch, WATCH_CALIBRATION, HOST_LIMIT_NS);
    for (size_t v = 0; v < run->family->variant_count; v++) {
        enum status status = STATUS_OK;

        run->base[v] = 1;
        if (run_takes_part(run, v) && run->family->variants[v].estimator == ESTIMATOR_SLOPE)
            status = calibrate_variant(run, v, error);
        if (ends_everything(status))
            return status;
    }
    /* The longest launch of a round has this many times the iterations. */
    run->session->expected_ns = run->longest_ns * EVALUATION_POINTS_MAX;
    return STATUS_OK;
}

enum status run_prove(struct run *run, struct error *error)
{
    for (size_t v = 0; v < run->family->variant_count; v++) {
        uint32_t iterations = run->base[v];
        struct launch_time time;
        double value;

        if (!run->family->variants[v].has_proof || !run_takes_part(run, v))
            continue;
        /* Every lane must have met every slot at least once. */
        if (iterations < run->configuration->workgroup_size)
            iterations = run->configuration->workgroup_size;
        if (!may_launch(run, v, iterations))
            continue;
        enum status status = perform(run, v, iterations, LAUNCH_PROOF, &time, &value, error);
        if (ends_everything(status))
            return status;
    }
    return STATUS_OK;
}

/* Notes the clock observed with the current launch: from the cycles of its lead's edges or, failing
 * that, from system management if it was sampled. */
static void note_clock(struct run *run)
{
    struct session *session = run->session;
    struct lead_clock clock = lead_clock(session);

    if (clock.speed > 0.0)
        run->changes[run->change_count++] = clock.change;
    if (clock.mhz > 0.0) {
        run->clock_counted = true;
        run->clocks[run->clock_count++] = clock.mhz;
        if (session->sampled_mhz > 0.0)
            run->asked[run->asked_count++] = session->sampled_mhz;
    } else if (!run->clock_counted && session->sampled_mhz > 0.0) {
        run->clocks[run->clock_count++] = session->sampled_mhz;
    }
    session->sampled_mhz = 0.0;
}

/* The timed launch itself. One at a clock other than the settled one is made again, behind a spin
 * that wakes the device: a pause may have been too long for the lead. If that makes no difference,
 * the device has a new clock, for example because it is hot. */
static enum status launch_settled(struct run *run, struct sample *sample, double *value,
                                  struct error *error)
{
    struct session *session = run->session;
    struct lead *lead = session->lead;
    double before = 0.0;

    for (unsigned attempt = 0;; attempt++) {
        /* Where cycles are counted, too, in one round: what throttles the clock, and whether the
         * kernel's differs from that of the spins beside it. */
        if (!session->is_deterministic)
            session->samples_clock = !lead || !lead->counts || run->rounds == run->batch_start;
        enum status status = perform(run, sample->variant, sample->iterations, LAUNCH_MEASURE,
                                     &sample->time, value, error);
        double speed = lead_clock(session).speed;

        if (status != STATUS_OK || !(speed > 0.0) || fabs(speed - 1.0) <= SPEED_CHANGED)
            return status;
        if (fabs(speed / before - 1.0) <= SPEED_CHANGED / 2.0)
            lead_follow(session, speed);
        if (fabs(speed / before - 1.0) <= SPEED_CHANGED / 2.0 || attempt == MOST_REPETITIONS)
            return status;
        before = speed;
        session->has_slept = true;
    }
}

/* What a timed launch is preceded by. That of a slope is, by a list with a single iteration, as
 * what every launch has before its iterations would depend on what ran before; one that is to find
 * what its list leaves, by this list. */
static enum status prime(struct run *run, size_t variant, struct error *error)
{
    const struct variant *what = &run->family->variants[variant];
    bool is_slope = what->estimator == ESTIMATOR_SLOPE;
    struct launch_time time;
    double value;

    if (!is_slope && (what->estimator != ESTIMATOR_LAUNCH || what->caches != CACHES_LIST))
        return STATUS_OK;
    return perform(run, variant, 1, is_slope ? LAUNCH_PRIME : LAUNCH_MEASURE, &time, &value, error);
}

/* The arguments of a list that is executed the first time are in no cache. Launches that take so
 * many ticks show it by less than a thousandth. */
#define LONG_TICKS 3000.0

static bool is_executed_again(const struct run *run, const struct variant *variant,
                              const struct launch_time *time)
{
    return run->rounds == 0 && launch_follows_same(variant) && launch_ticks(time) < LONG_TICKS;
}

/* One timed launch of a round. */
static enum status do_launch(struct run *run, size_t variant, size_t point, struct error *error)
{
    bool observed = run->family->variants[variant].estimator == ESTIMATOR_OBSERVE;
    struct sample *sample = &run->samples[run->sample_count];
    double value = 0.0;

    sample->variant = variant;
    sample->round = run->rounds;
    sample->iterations = observed ? 0 : run->base[variant] * (uint32_t)(point + 1);
    enum status status = prime(run, variant, error);

    if (status == STATUS_OK && observed)
        status = perform(run, variant, 1, LAUNCH_MEASURE, &sample->time, &value, error);
    else if (status == STATUS_OK)
        status = launch_settled(run, sample, &value, error);
    if (status == STATUS_OK &&
        is_executed_again(run, &run->family->variants[variant], &sample->time))
        status = launch_settled(run, sample, &value, error);
    if (status != STATUS_OK)
        return ends_everything(status) ? status : STATUS_OK;
    if (!observed) {
        double ticks = launch_ticks(&sample->time);

        value = ticks_to_ns(ticks, run->session->timer.hz);
        run->shortest_ticks[variant] = fmin(run->shortest_ticks[variant], ticks);
        if (point == 0)
            contents_note(run, variant, ticks);
        run->measurements[variant].one_domain &= sample->time.one_domain;
    }
    sample->value = value;
    if (!observed)
        note_clock(run);
    run_values(run, run->rounds, variant)[point] = value;
    run->sample_count++;
    return STATUS_OK;
}

/* A launch of the kernel that counts its cycles, of which nothing but its clock is of interest. */
static enum status count_launch(struct run *run, size_t variant, uint32_t iterations, double *ns,
                                double *cycles, struct error *error)
{
    const struct launch launch = {*run->configuration, &run->family->variants[variant], iterations,
                                  LAUNCH_COUNT};
    struct launch_time time = {0};
    enum status status = launch_record(run->family, &run->workspace, run->kernels, &launch,
                                       LIST_REGULAR, iterations > 1, error);

    if (status == STATUS_OK)
        status = launch_execute(&run->workspace, &time, error);
    *ns = ticks_to_ns(launch_ticks(&time), run->session->timer.hz);
    *cycles = lead_elapsed(run->session);
    return status;
}

/* The clock from the fewest iterations to the most: what a launch takes beside them is in both. One
 * before them fetches the code. */
static enum status count_variant(struct run *run, size_t variant, struct error *error)
{
    const uint32_t iterations[] = {1, run->base[variant], run->base[variant] * run->points};
    double ns[3] = {0}, cycles[3] = {0};
    enum status status = STATUS_OK;

    for (unsigned i = 0; status == STATUS_OK && i < 3; i++)
        status = count_launch(run, variant, iterations[i], &ns[i], &cycles[i], error);
    run->counts[variant] = status == STATUS_OK && cycles[1] > 0.0 && cycles[2] > cycles[1];
    if (run->counts[variant] && ns[2] > ns[1])
        *run_own_clock(run, run->rounds, variant) = (cycles[2] - cycles[1]) * 1e3 / (ns[2] - ns[1]);
    return ends_everything(status) ? status : STATUS_OK;
}

/* In some rounds the kernels that count run, too. Settled variants keep what they counted. */
static enum status count_cycles(struct run *run, struct error *error)
{
    enum status status = STATUS_OK;

    for (size_t v = 0; status == STATUS_OK && v < run->family->variant_count; v++) {
        bool counts = run->counts[v] && !run->is_settled[v] &&
                      (run->rounds - run->batch_start) % ROUNDS_TO_COUNT == 0;

        if (!run->is_settled[v])
            *run_own_clock(run, run->rounds, v) = 0.0;
        if (counts && run_takes_part(run, v))
            status = count_variant(run, v, error);
    }
    return status;
}

/* Makes those of the round's launches that have contents `number`, in the order given. */
static enum status launch_with(struct run *run, unsigned number, const size_t *order,
                               size_t launches, struct error *error)
{
    enum status status = STATUS_OK;

    for (size_t i = 0; status == STATUS_OK && i < launches; i++) {
        size_t variant = order[i] / run->points;
        size_t point = order[i] % run->points;

        if (!run_takes_part(run, variant) || run->is_settled[variant] || run->ended[variant] ||
            (point > 0 && run->family->variants[variant].estimator != ESTIMATOR_SLOPE) ||
            contents_of(run, variant, point) != number)
            continue;
        status = contents_draw(run, number, error);
        if (status == STATUS_OK)
            status = do_launch(run, variant, point, error);
    }
    return status;
}

/* Variants that take part no more have the times of the last round, as they would again: others may
 * have them as their baseline. */
static void repeat_ended(struct run *run)
{
    unsigned round = run->rounds - run->batch_start;

    for (size_t v = 0; v < run->family->variant_count; v++) {
        if (run->ended[v] && run->ended[v] <= round)
            memcpy(run_values(run, run->rounds, v), run_values(run, run->rounds - 1, v),
                   run->points * sizeof(*run->values));
    }
}

/* One round: every variant at every iteration count, in an order of its own, so that drift spreads
 * over all of them. */
static enum status do_round(struct run *run, struct error *error)
{
    size_t launches = run->family->variant_count * run->points;
    size_t order[VARIANTS_MAX * EVALUATION_POINTS_MAX];
    enum status status = STATUS_OK;
    struct prng prng;

    /* An emulated device's clock is constant. */
    run->session->samples_clock = run->session->is_deterministic && run->rounds == run->batch_start;
    prng_seed(&prng, ~contents_seed(run, run->rounds));
    prng_permutation(&prng, order, launches);
    for (unsigned i = 0; status == STATUS_OK && i < run->points; i++)
        status = launch_with(run, run->rounds * run->points + i, order, launches, error);
    if (status != STATUS_OK)
        return status;
    repeat_ended(run);
    status = count_cycles(run, error);
    run->rounds++;
    return status;
}

/* Raises the iteration counts of variants whose launches were too short. Returns whether there were
 * any. On an emulated device, which has no drift that would have to spread over all of them, the
 * others are settled. */
static bool raise_counts(struct run *run)
{
    bool raised = false;

    for (size_t v = 0; v < run->family->variant_count; v++) {
        double shortest = run->shortest_ticks[v];

        run->is_settled[v] = run->session->is_deterministic;
        if (!run_takes_part(run, v) || shortest >= run->fewest_ticks[v] ||
            run->family->variants[v].estimator != ESTIMATOR_SLOPE ||
            run->base[v] > MOST_ITERATIONS / 4)
            continue;
        run->base[v] = (uint32_t)ceil(run->base[v] * 1.1 *
                                      fmin(run->fewest_ticks[v] / shortest, FASTEST_RAISE));
        run->is_settled[v] = false;
        raised = true;
    }
    return raised;
}

/* Times the variant's shortest launch with these contents. */
static enum status try_once(struct run *run, size_t variant, unsigned number, struct error *error)
{
    double ticks;
    enum status status = contents_draw(run, number, error);

    if (status != STATUS_OK)
        return status;
    status = time_primed(run, variant, run->base[variant], &ticks, error);
    if (status == STATUS_OK)
        contents_note(run, variant, ticks);
    return ends_everything(status) ? status : STATUS_OK;
}

/* Times the shortest launch of each of these variants with several contents; that of a round,
 * before or after them, is one more. */
static enum status try_contents(struct run *run, const bool *untried, struct error *error)
{
    enum status status = STATUS_OK;

    for (size_t v = 0; v < run->family->variant_count; v++) {
        if (untried[v])
            contents_begin(run, v);
    }
    for (unsigned i = CONTENTS_TRIED - 1; status == STATUS_OK && i > 0; i--) {
        for (size_t v = 0; status == STATUS_OK && v < run->family->variant_count; v++) {
            if (untried[v] && run_takes_part(run, v))
                status = try_once(run, v, contents_of_try(run, i), error);
        }
    }
    return status;
}

enum status run_try_contents(struct run *run, struct error *error)
{
    bool untried[VARIANTS_MAX];

    for (size_t v = 0; v < run->family->variant_count; v++)
        untried[v] = run_takes_part(run, v) && contents_come_first(run, v);
    return try_contents(run, untried, error);
}

static void forget_clock(struct run *run)
{
    run->clock_count = 0;
    run->change_count = 0;
    run->asked_count = 0;
}

void run_begin_batch(struct run *run)
{
    run->batch_start = run->rounds;
    run->batch_samples = run->sample_count;
    forget_clock(run);
    memset(run->ended, 0, sizeof(run->ended));
    for (size_t v = 0; v < run->family->variant_count; v++)
        run->shortest_ticks[v] = HUGE_VAL;
}

/* Drops the batch's launches of variants that are not settled. */
static void take_back_batch(struct run *run)
{
    size_t kept = run->batch_samples;

    for (size_t i = run->batch_samples; i < run->sample_count; i++) {
        if (run->is_settled[run->samples[i].variant])
            run->samples[kept++] = run->samples[i];
    }
    run->sample_count = kept;
    run->rounds = run->batch_start;
    forget_clock(run);
    for (size_t v = 0; v < run->family->variant_count; v++) {
        if (!run->is_settled[v])
            run->shortest_ticks[v] = HUGE_VAL;
    }
}

/* Drops the samples of the variant's launches in the newest round from its second point on. */
static void take_back_longer(struct run *run, size_t variant)
{
    size_t kept = run->batch_samples;

    for (size_t i = run->batch_samples; i < run->sample_count; i++) {
        const struct sample *sample = &run->samples[i];

        if (sample->variant != variant || sample->round + 1 < run->rounds ||
            sample->iterations == run->base[variant])
            run->samples[kept++] = *sample;
    }
    run->sample_count = kept;
}

/* Makes the newest round's longer launches of the variant again, with the contents of its shortest.
 * `*differ`: some take another time. */
static enum status make_equal(struct run *run, size_t variant, bool *differ, struct error *error)
{
    double before[EVALUATION_POINTS_MAX];
    double *values = run_values(run, run->rounds - 1, variant);
    enum status status = STATUS_OK;

    memcpy(before, values, run->points * sizeof(*before));
    take_back_longer(run, variant);
    run->rounds--;
    status = contents_draw(run, contents_of(run, variant, 0), error);
    for (size_t p = 1; status == STATUS_OK && p < run->points && run_takes_part(run, variant); p++)
        status = do_launch(run, variant, p, error);
    run->rounds++;
    *differ = false;
    for (size_t p = 1; p < run->points; p++)
        *differ = *differ || contents_differ(run, values[p] - before[p]);
    return status;
}

/* Launches of the newest round that have other contents than its shortest one are made again for
 * the settled variants for which it shows that contents may matter. Those for which they do are
 * noted, and several are tried. */
static enum status make_dependent_equal(struct run *run, struct error *error)
{
    enum status status = STATUS_OK;
    bool untried[VARIANTS_MAX] = {false};

    for (size_t v = 0; status == STATUS_OK && v < run->family->variant_count; v++) {
        bool differ;

        if (!run->is_settled[v] || !run_takes_part(run, v) || !contents_seem_to_matter(run, v))
            continue;
        double bend = contents_bend(run, v);
        status = make_equal(run, v, &differ, error);
        run->bends_alone[v] = !differ && !contents_come_first(run, v);
        if (run->bends_alone[v])
            continue;
        untried[v] = !run->tried[v];
        run->contents_matter[v] = true;
        run->bend_scatter[v] = bend;
    }
    return status == STATUS_OK ? try_contents(run, untried, error) : status;
}

static enum status do_rounds(struct run *run, unsigned end, struct error *error)
{
    enum status status = STATUS_OK;

    while (status == STATUS_OK && run->rounds < end)
        status = do_round(run, error);
    return status;
}

enum status run_rounds(struct run *run, unsigned rounds, struct error *error)
{
    unsigned end = run->rounds + rounds;
    enum status status = STATUS_OK;

    watch_enter(run->session->watch, WATCH_TIMING, HOST_LIMIT_NS);
    for (unsigned attempt = 0; status == STATUS_OK; attempt++) {
        status = do_rounds(run, end, error);
        if (status != STATUS_OK || attempt == MOST_RECALIBRATIONS)
            break;
        bool raised = raise_counts(run);
        status = make_dependent_equal(run, error);
        if (!raised)
            break;
        take_back_batch(run);
    }
    memset(run->is_settled, 0, sizeof(run->is_settled));
    return status;
}

/* Is the row in doubt for what longer launches would mend? On an emulated device rounding is the
 * same in each round, so that it may bend a short one, too. */
static bool is_doubtful(const struct run *run, size_t v)
{
    const struct measurement *m = &run->measurements[v];
    bool is_short = run_takes_part(run, v) && contents_bend_is_rounding(run, v);

    return run->kernels[v].handle && run->family->variants[v].estimator == ESTIMATOR_SLOPE &&
           (is_short || (m->outcome == OUTCOME_UNRELIABLE && m->may_settle));
}

/* Should the variant's launches be longer, for itself or as the baseline of others, and may they?
 */
static bool may_lengthen(const struct run *run, size_t v)
{
    double iterations = (double)run->base[v] * LENGTHENING;
    bool wanted = is_doubtful(run, v);

    for (size_t i = 0; i < run->family->variant_count; i++)
        wanted = wanted || (family_baseline(run->family, i) == v && is_doubtful(run, i));
    return wanted && run->family->variants[v].estimator == ESTIMATOR_SLOPE &&
           iterations <= MOST_ITERATIONS / EVALUATION_POINTS_MAX &&
           run->iteration_ns[v] * iterations * run->points <= LONGEST_LAUNCH_NS;
}

/* The settled take part in no further round of the batch. */
static void lengthen(struct run *run, size_t v)
{
    if (run->is_settled[v]) {
        run->ended[v] = run_own_rounds(run, v);
        return;
    }
    contents_forget_bend(run, v);
    run->base[v] *= LENGTHENING;
    run->ended[v] = 0;
}

bool run_lengthen(struct run *run)
{
    bool any = false;

    for (size_t v = 0; v < run->family->variant_count; v++) {
        run->is_settled[v] = !may_lengthen(run, v);
        if (run->is_settled[v])
            continue;
        any = true;
    }
    if (!any) {
        memset(run->is_settled, 0, sizeof(run->is_settled));
        return false;
    }
    for (size_t v = 0; v < run->family->variant_count; v++)
        lengthen(run, v);
    take_back_batch(run);
    return true;
}
