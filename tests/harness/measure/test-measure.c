/* The measuring code on a fake device: it has to find costs that are known, and to notice every
 * way in which a launch can be wrong. */
#include "test.h"

#include "fake-ze.h"
#include "families/registry.h"
#include "measure/lead.h"
#include "run/run-table.h"

#include <stdlib.h>
#include <string.h>

#define WORK_GROUP_BOTH 5

static struct session session;
static struct kernel kernels[FAKE_VARIANTS];
static struct measurement measurements[FAKE_VARIANTS];
static struct stop_rule rule;
static double allowance_s;
static unsigned first_rounds;

static int open_fake(void **state)
{
    (void)state;
    fake_open(&session, kernels);
    memset(measurements, 0, sizeof(measurements));
    memset(&rule, 0, sizeof(rule));
    allowance_s = 0.0;
    first_rounds = 0;
    return 0;
}

static int close_fake(void **state)
{
    (void)state;
    /* Memory on a lost device is given up: the driver would wait for it. */
    return fake_close() == 0 || session.lost ? 0 : -1;
}

/* Smallest number of ticks, and the number of samples. */
struct seen {
    uint64_t least_ticks;
    size_t count;
};

static enum status put(void *context, const struct configuration *configuration,
                       const struct sample *sample, struct error *error)
{
    struct seen *seen = context;

    (void)configuration;
    (void)error;
    seen->count++;
    if (sample->time.kernel_ticks < seen->least_ticks)
        seen->least_ticks = sample->time.kernel_ticks;
    return STATUS_OK;
}

static enum status measure(struct seen *seen, struct error *error)
{
    const struct configuration configuration = {16, 64, 2, {0}};
    const struct measure_options options = {rule, 1, allowance_s, first_rounds};
    struct sample_sink sink = {put, seen};

    if (seen)
        seen->least_ticks = UINT64_MAX;
    return measure_configuration(&session, family_find(&families, "barrier"), &configuration,
                                 kernels, &options, seen ? &sink : NULL, NULL, measurements, error);
}

static void test_finds_known_costs(void **state)
{
    struct seen seen = {0};
    struct error error;
    unsigned outside = 0;

    (void)state;
    fake.iteration_ns[3] = 131.0;
    fake.iteration_ns[4] = 250.0;
    fake.iteration_ns[5] = 251.5;
    assert_int_equal(measure(&seen, &error), STATUS_OK);
    for (size_t v = 0; v < FAKE_VARIANTS; v++) {
        double truth = v ? fake.iteration_ns[v] - 100.0 : 100.0;

        assert_int_equal(measurements[v].outcome, OUTCOME_OK);
        assert_int_equal(measurements[v].verified, 1);
        assert_int_equal(measurements[v].values.count, 1);
        outside += truth < measurements[v].ci95_lo || truth > measurements[v].ci95_hi;
        assert_near(measurements[v].value, truth, 0.3);
        assert_true(measurements[v].r_squared > 0.9999);
    }
    assert_true(outside <= 1); /* of six, at 95 % */
    assert_true(seen.least_ticks >= 1000);
    assert_int_equal(seen.count, 3 * FAKE_VARIANTS);
    /* No longer than the rule demands: an emulated device is slow. */
    assert_true(seen.least_ticks < 1200);
}

static void test_below_resolution(void **state)
{
    struct error error;
    char cell[CELL_BYTES];

    (void)state;
    assert_int_equal(measure(NULL, &error), STATUS_OK);
    assert_true(measurements[1].ci95_lo <= 0.0 && measurements[1].ci95_hi >= 0.0);
    run_table_cell(&measurements[1], true, 2000.0, TIME_AUTO, cell);
    assert_int_equal(cell[0], '<');
    run_table_cell(&measurements[0], false, 2000.0, TIME_AUTO, cell);
    assert_non_null(strchr(cell, '('));
    assert_near(strtod(strchr(cell, '(') + 1, NULL), 200.0, 0.5);
    run_table_cell(&measurements[0], false, 2000.0, TIME_CYCLES, cell);
    assert_near(strtod(cell, NULL), 200.0, 0.5);
    run_table_cell(&measurements[0], false, 0.0, TIME_CYCLES,
                   cell); /* of a clock that is unknown */
    assert_near(strtod(cell, NULL), 100.0, 0.5);
    run_table_cell(&measurements[0], false, 2000.0, TIME_US, cell);
    assert_near(strtod(cell, NULL), 0.1, 0.0005);
}

/* The counter wraps in the middle of the rounds. */
static void test_wrap(void **state)
{
    struct error error;

    (void)state;
    /* fake_open has put the clock at 0; one long launch takes it close to the wrap. */
    fake.launch_ns = 4294967296.0 / 19200000.0 * 1e9 - 4e6;
    fake.iteration_ns[0] = 0.0;
    session.ze.zeCommandQueueExecuteCommandLists(NULL, 0, NULL, NULL);
    fake.launch_ns = 3000.0;
    fake.iteration_ns[0] = 100.0;
    fake.iteration_ns[3] = 150.0;
    assert_int_equal(measure(NULL, &error), STATUS_OK);
    assert_int_equal(measurements[3].outcome, OUTCOME_OK);
    assert_near(measurements[3].value, 50.0, 0.3);
}

static void test_repeatable(void **state)
{
    struct measurement first[FAKE_VARIANTS];
    struct error error;

    fake.noise_ns = 500.0;
    assert_int_equal(measure(NULL, &error), STATUS_OK);
    memcpy(first, measurements, sizeof(first));
    open_fake(state);
    fake.noise_ns = 500.0;
    assert_int_equal(measure(NULL, &error), STATUS_OK);
    for (size_t v = 0; v < FAKE_VARIANTS; v++) {
        assert_memory_equal(&first[v].values, &measurements[v].values, sizeof(first[v].values));
        assert_true(first[v].ci95_lo == measurements[v].ci95_lo);
    }
}

static void test_noise_is_unreliable(void **state)
{
    struct error error;

    (void)state;
    fake.noise_ns = 600000.0;
    assert_int_equal(measure(NULL, &error), STATUS_OK);
    assert_int_equal(measurements[3].outcome, OUTCOME_UNRELIABLE);
    assert_true(measurements[3].reason[0] != '\0');
    assert_int_equal(measurements[3].verified, 1);
}

/* On a GPU noise gets more rounds, but not for ever; nothing is thrown away, and the newest rounds
 * alone are judged. */
static void test_noise_handling_is_bounded(void **state)
{
    struct seen seen = {0};
    struct error error;

    (void)state;
    session.kind = DEVICE_HARDWARE;
    session.is_deterministic = false;
    fake.noise_ns = 500000.0;
    rule.min = 4;
    rule.max = 7;
    assert_int_equal(measure(&seen, &error), STATUS_OK);
    assert_int_equal(measurements[3].outcome, OUTCOME_UNRELIABLE);
    assert_int_equal(measurements[3].values.count, 7);
    assert_int_equal(seen.count, 3 * 7 * 5 * FAKE_VARIANTS);
}

/* 24 cycles in 10 ns; what a launch takes besides is known, and taken off. */
static void test_counts_the_clock(void **state)
{
    struct seen seen = {0};
    struct error error;

    (void)state;
    session.kind = DEVICE_HARDWARE;
    session.is_deterministic = false;
    fake.spin_cycles = 24.0;
    fake_lead(&session);
    assert_int_equal(lead_calibrate(&session, &error), STATUS_OK);
    assert_true(session.lead->settles);
    assert_near(session.lead->spin_ns, 2e6, 1.0);
    unsigned before = fake.launches - fake.spins;
    assert_int_equal(measure(&seen, &error), STATUS_OK);
    /* A lead holds the clock for all launches but the short ones that fetch code, before those that
     * are timed and once before each variant's calibration, and those of the three proofs. */
    assert_int_equal(fake.leads,
                     fake.launches - fake.spins - before - seen.count - FAKE_VARIANTS - 3);
    assert_int_equal(measurements[3].outcome, OUTCOME_OK);
    assert_true(measurements[3].clock_counted);
    assert_near(measurements[3].clock_mhz, 2400.0, 3.0);
    assert_true(measurements[3].clock_spread < 0.001);
}

static double two_clocks(double start_ns, double busy_ns, double duration_ns)
{
    (void)busy_ns;
    return (uint64_t)(start_ns / 1e7) % 2 ? 1.1 * duration_ns : duration_ns;
}

static void test_a_moving_clock_is_unreliable(void **state)
{
    struct error error;

    (void)state;
    session.kind = DEVICE_HARDWARE;
    session.is_deterministic = false;
    fake.spin_cycles = 24.0;
    fake_lead(&session);
    assert_int_equal(lead_calibrate(&session, &error), STATUS_OK);
    fake.distort = two_clocks;
    rule.min = rule.max = 8;
    assert_int_equal(measure(NULL, &error), STATUS_OK);
    assert_int_equal(measurements[0].outcome, OUTCOME_UNRELIABLE);
    assert_near(measurements[0].clock_spread, 0.1, 0.02);
}

/* Slow enough to be constant during a launch, and at no two clocks. */
static double wandering_clock(double start_ns, double busy_ns, double duration_ns)
{
    (void)busy_ns;
    return (1.0 + 0.035 * sin(start_ns / 1.1e8)) * duration_ns;
}

/* The scatter of the times themselves is no more than that of a noisy device, whose rows are ok. */
static void test_a_wandering_clock_is_unreliable(void **state)
{
    struct error error;

    (void)state;
    session.kind = DEVICE_HARDWARE;
    session.is_deterministic = false;
    fake.spin_cycles = 24.0;
    fake_lead(&session);
    assert_int_equal(lead_calibrate(&session, &error), STATUS_OK);
    fake.distort = wandering_clock;
    rule.min = rule.max = 30;
    assert_int_equal(measure(NULL, &error), STATUS_OK);
    assert_int_equal(measurements[0].outcome, OUTCOME_UNRELIABLE);
    assert_non_null(strstr(measurements[0].reason, "the clock moved between"));
    assert_true(measurements[0].clock_spread > 0.05 && measurements[0].clock_spread < 0.075);
}

static void test_quiet_gpu(void **state)
{
    struct seen seen = {0};
    struct error error;

    (void)state;
    session.kind = DEVICE_HARDWARE;
    session.is_deterministic = false;
    fake.spin_cycles = 24.0;
    fake_lead(&session);
    assert_int_equal(lead_calibrate(&session, &error), STATUS_OK);
    fake.iteration_ns[3] = 131.0;
    assert_int_equal(measure(&seen, &error), STATUS_OK);
    assert_int_equal(measurements[3].outcome, OUTCOME_OK);
    /* Ten, and half as many again, and no second batch. */
    assert_int_equal(measurements[3].values.count, 15);
    assert_int_equal(seen.count, 15 * 5 * FAKE_VARIANTS);
    assert_near(measurements[3].value, 31.0, 0.3);
}

static void test_wrong_data(void **state)
{
    struct error error;

    (void)state;
    fake.wrong_data_variant = 2;
    assert_int_equal(measure(NULL, &error), STATUS_OK);
    assert_int_equal(measurements[2].outcome, OUTCOME_FAILED);
    assert_int_equal(measurements[2].verified, 0);
    assert_int_equal(measurements[2].values.count, 0);
    assert_non_null(strstr(measurements[2].reason, "data[32]"));
    assert_int_equal(measurements[3].outcome, OUTCOME_OK);
}

static void test_barrier_that_does_nothing(void **state)
{
    struct error error;

    (void)state;
    fake.wrong_proof_variant = WORK_GROUP_BOTH;
    assert_int_equal(measure(NULL, &error), STATUS_OK);
    assert_int_equal(measurements[WORK_GROUP_BOTH].outcome, OUTCOME_FAILED);
    assert_int_equal(measurements[WORK_GROUP_BOTH].verified, 0);
    assert_int_equal(measurements[4].outcome, OUTCOME_OK);
}

static void test_wrong_baseline(void **state)
{
    struct error error;

    (void)state;
    fake.wrong_data_variant = 0;
    assert_int_equal(measure(NULL, &error), STATUS_OK);
    for (size_t v = 0; v < FAKE_VARIANTS; v++)
        assert_int_equal(measurements[v].outcome, OUTCOME_FAILED);
    assert_non_null(strstr(measurements[5].reason, "no baseline"));
}

static void test_wrong_subgroup_size(void **state)
{
    struct error error;

    (void)state;
    fake.witness = 8;
    assert_int_equal(measure(NULL, &error), STATUS_OK);
    assert_int_equal(measurements[0].outcome, OUTCOME_FAILED);
    assert_non_null(strstr(measurements[0].reason, "sub-group of 8 instead of 16"));
}

/* Work-groups that wait for each other, and are more than the device holds. */
static ze_result_t ZE_APICALL holds_one(ze_kernel_handle_t kernel, uint32_t *groups)
{
    (void)kernel;
    *groups = 1;
    return ZE_RESULT_SUCCESS;
}

static void test_a_deadlock_is_refused(void **state)
{
    const struct configuration configuration = {16, 64, 2, {0}};
    const struct measure_options options = {rule, 1, 0.0};
    struct family family = *family_find(&families, "barrier");
    struct variant variants[FAKE_VARIANTS];
    struct error error;

    (void)state;
    memcpy(variants, family.variants, sizeof(variants));
    variants[3].cooperative = true;
    family.variants = variants;
    session.ze.zeKernelSuggestMaxCooperativeGroupCount = holds_one;
    assert_int_equal(measure_configuration(&session, &family, &configuration, kernels, &options,
                                           NULL, NULL, measurements, &error),
                     STATUS_OK);
    assert_int_equal(measurements[3].outcome, OUTCOME_SKIPPED);
    assert_non_null(strstr(measurements[3].reason, "they would wait for ever"));
    assert_int_equal(measurements[4].outcome, OUTCOME_OK);
}

static void test_hang(void **state)
{
    struct error error;

    (void)state;
    fake.hangs = true;
    assert_int_equal(measure(NULL, &error), STATUS_LOST);
    assert_true(session.lost);
    assert_int_equal(fake.launches, 1);
    assert_int_equal(measurements[0].outcome, OUTCOME_FAILED);
    assert_non_null(strstr(measurements[0].reason, "did not finish"));
}

/* How long a launch may take is not known before the calibration; then it is 5 s and fifty times
 * the longest one. */
static void test_the_calibration_limits_waiting(void **state)
{
    struct error error;

    (void)state;
    session.kind = DEVICE_HARDWARE;
    session.is_deterministic = false;
    session.timeout_ns = UINT64_C(10000000000000);
    assert_int_equal(measure(NULL, &error), STATUS_OK);
    assert_int_equal(fake.first_wait_ns, session.timeout_ns);
    assert_int_equal(fake.last_wait_ns, UINT64_C(5000000000) + 50 * session.expected_ns);
    assert_true(session.expected_ns > 0);
    /* Of a configuration to come nothing is known. */
    fake.first_wait_ns = 0;
    assert_int_equal(measure(NULL, &error), STATUS_OK);
    assert_int_equal(fake.first_wait_ns, session.timeout_ns);
    /* The timeout is the limit of all. */
    session.timeout_ns = UINT64_C(3000000000);
    assert_int_equal(measure(NULL, &error), STATUS_OK);
    assert_int_equal(fake.last_wait_ns, session.timeout_ns);
}

/* A device of which nobody knows what it is gets as many rounds as hardware: that it repeats
 * exactly takes evidence. */
static void test_an_unknown_device_gets_the_rounds_of_hardware(void **state)
{
    struct error error;

    (void)state;
    rule = (struct stop_rule){0};
    assert_int_equal(measure(NULL, &error), STATUS_OK);
    size_t deterministic = measurements[0].values.count;
    session.is_deterministic = false;
    assert_int_equal(measure(NULL, &error), STATUS_OK);
    assert_true(measurements[0].values.count > deterministic);
    size_t unknown = measurements[0].values.count;
    session.kind = DEVICE_HARDWARE;
    assert_int_equal(measure(NULL, &error), STATUS_OK);
    assert_int_equal(measurements[0].values.count, unknown);
}

static void prepare_noisy(void)
{
    session.kind = DEVICE_HARDWARE;
    session.is_deterministic = false;
    fake.noise_ns = 500000.0;
    rule.min = rule.max = 4;
}

/* A device that is lost in the third batch ends the configuration; the variant at hand says why,
 * and the others keep what the second has shown. */
static void test_lost_in_the_last_batch(void **state)
{
    struct error error;
    size_t failed = 0;

    prepare_noisy();
    assert_int_equal(measure(NULL, &error), STATUS_OK);
    unsigned all = fake.launches;
    open_fake(state); /* the same noise again */
    prepare_noisy();
    fake.hangs_after = all - 10;
    assert_int_equal(measure(NULL, &error), STATUS_LOST);
    assert_true(session.lost);
    assert_int_equal(fake.launches, fake.hangs_after);
    for (size_t v = 0; v < FAKE_VARIANTS; v++) {
        if (measurements[v].outcome == OUTCOME_FAILED) {
            assert_non_null(strstr(measurements[v].reason, "did not finish"));
            failed++;
        } else {
            assert_int_equal(measurements[v].values.count, 4);
        }
    }
    assert_true(failed > 0);
}

static void test_stale_timestamps(void **state)
{
    struct error error;

    (void)state;
    fake.launch_ns = 60000.0; /* long enough to be taken for a measurement */
    fake.repeats_timestamps = true;
    assert_int_equal(measure(NULL, &error), STATUS_OK);
    assert_int_equal(measurements[0].outcome, OUTCOME_FAILED);
    assert_non_null(strstr(measurements[0].reason, "launch before"));
}

static void test_kernel_without_time(void **state)
{
    struct error error;

    (void)state;
    fake.launch_ns = 60.0;
    for (size_t v = 0; v < FAKE_VARIANTS; v++)
        fake.iteration_ns[v] = 2.0;
    /* A quick kernel only needs more iterations. */
    assert_int_equal(measure(NULL, &error), STATUS_OK);
    assert_int_equal(measurements[3].outcome, OUTCOME_OK);
    assert_near(measurements[0].value, 2.0, 0.01);
}

/* Each variant has iteration counts of its own. */
static void test_a_faster_variant_is_timed_long_enough(void **state)
{
    struct seen seen = {0};
    struct error error;

    (void)state;
    fake.iteration_ns[1] = 60.0;
    assert_int_equal(measure(&seen, &error), STATUS_OK);
    assert_true(seen.least_ticks >= 1000);
    assert_near(measurements[1].value, -40.0, 0.3);
    assert_int_equal(measurements[1].outcome, OUTCOME_UNRELIABLE);
    assert_non_null(strstr(measurements[1].reason, "faster than its baseline by 66."));
    assert_string_equal(measurements[2].reason, "");
}

static void test_domains(void **state)
{
    struct error error;

    assert_int_equal(measure(NULL, &error), STATUS_OK);
    assert_true(measurements[0].one_domain);
    open_fake(state);
    fake.separate_domains = true;
    assert_int_equal(measure(NULL, &error), STATUS_OK);
    assert_false(measurements[0].one_domain);
}

/* Without time only the fewest rounds are done, and rows that would have got more say so. */
static void test_an_allowance_ends_rounds(void **state)
{
    struct error error;

    (void)state;
    session.kind = DEVICE_HARDWARE;
    session.is_deterministic = false;
    fake.noise_ns = 2000.0;
    allowance_s = 1e-6;
    assert_int_equal(measure(NULL, &error), STATUS_OK);
    for (size_t v = 0; v < FAKE_VARIANTS; v++) {
        assert_int_equal(measurements[v].values.count, 10);
        if (measurements[v].outcome == OUTCOME_OK && v > 0)
            assert_non_null(strstr(measurements[v].reason, "the budget ended it after 10 rounds"));
    }
    /* With time to spare nobody has to say anything. */
    allowance_s = 1e6;
    assert_int_equal(measure(NULL, &error), STATUS_OK);
    for (size_t v = 0; v < FAKE_VARIANTS; v++) {
        assert_true(measurements[v].values.count > 10);
        assert_null(strstr(measurements[v].reason, "budget"));
    }
}

/* A batch of a run with a budget: so many rounds, and half as many again if they are enough. */
static void test_one_batch(void **state)
{
    struct error error;

    (void)state;
    session.kind = DEVICE_HARDWARE;
    session.is_deterministic = false;
    fake.spin_cycles = 24.0;
    fake_lead(&session);
    assert_int_equal(lead_calibrate(&session, &error), STATUS_OK);
    fake.noise_ns = 2000.0;
    first_rounds = 10;
    assert_int_equal(measure(NULL, &error), STATUS_OK);
    assert_int_equal(measurements[0].values.count, 10);
    assert_non_null(strstr(measurements[1].reason, "the budget ended it after 10 rounds"));
    fake.noise_ns = 0.0;
    assert_int_equal(measure(NULL, &error), STATUS_OK);
    assert_int_equal(measurements[0].values.count, 15);
    assert_string_equal(measurements[1].reason, "");
    first_rounds = 1000; /* no more than the rule allows */
    assert_int_equal(measure(NULL, &error), STATUS_OK);
    assert_int_equal(measurements[0].values.count, 60);
}

/* No launch may hold a GPU for long: what would is told before it runs. */
static void test_long_launches_are_not_made(void **state)
{
    struct error error;

    (void)state;
    /* A launch of one iteration is allowed, the three that a slope needs are not. */
    fake.iteration_ns[4] = 2e8;
    /* Fine for a slope, but a proof takes an iteration for each of the 64 work-items. */
    fake.iteration_ns[5] = 1e7;
    assert_int_equal(measure(NULL, &error), STATUS_OK);
    assert_int_equal(measurements[4].outcome, OUTCOME_SKIPPED);
    assert_non_null(strstr(measurements[4].reason, "an iteration takes 200 ms"));
    assert_non_null(strstr(measurements[4].reason, "0.5 s"));
    assert_int_equal(measurements[5].outcome, OUTCOME_SKIPPED);
    assert_non_null(strstr(measurements[5].reason, "a launch of the 64"));
    assert_int_equal(measurements[3].outcome, OUTCOME_OK);
    assert_true(fake.longest_ns <= 5e8);
}

static void test_build_runs_nothing(void **state)
{
    const struct configuration configuration = {16, 64, 2, {0}};
    struct error error;

    (void)state;
    assert_int_equal(measure_build(&session, family_find(&families, "barrier"), &configuration,
                                   kernels, measurements, &error),
                     STATUS_OK);
    assert_int_equal(fake.launches, 0);
    for (size_t v = 0; v < FAKE_VARIANTS; v++) {
        assert_int_equal(measurements[v].outcome, OUTCOME_OK);
        assert_int_equal(measurements[v].verified, -1);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_fake, close_fake)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_finds_known_costs),
        TEST(test_below_resolution),
        TEST(test_wrap),
        TEST(test_repeatable),
        TEST(test_noise_is_unreliable),
        TEST(test_noise_handling_is_bounded),
        TEST(test_quiet_gpu),
        TEST(test_counts_the_clock),
        TEST(test_a_moving_clock_is_unreliable),
        TEST(test_a_wandering_clock_is_unreliable),
        TEST(test_wrong_data),
        TEST(test_barrier_that_does_nothing),
        TEST(test_wrong_baseline),
        TEST(test_wrong_subgroup_size),
        TEST(test_a_deadlock_is_refused),
        TEST(test_hang),
        TEST(test_the_calibration_limits_waiting),
        TEST(test_an_unknown_device_gets_the_rounds_of_hardware),
        TEST(test_lost_in_the_last_batch),
        TEST(test_stale_timestamps),
        TEST(test_kernel_without_time),
        TEST(test_a_faster_variant_is_timed_long_enough),
        TEST(test_domains),
        TEST(test_an_allowance_ends_rounds),
        TEST(test_one_batch),
        TEST(test_long_launches_are_not_made),
        TEST(test_build_runs_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
