/* What makes a row unreliable, each reason by itself: times that are right but for one thing. And
 * what the driver says of a kernel that was compiled for other sub-groups than it was asked for. */
#include "test.h"

#include "measure/evaluate.h"
#include "ze/kernel.h"

#include <math.h>
#include <string.h>

#define ROUNDS 8u
#define POINTS EVALUATION_POINTS_HARDWARE
#define N      1000u

static double times[2][ROUNDS][POINTS];

/* A loop of 100 ns, and one of 131 ns; `quadratic` ns more for each squared count of the latter. */
static struct evaluation straight(double quadratic)
{
    struct evaluation e = {
        .own = {times[1][0], N},
        .baseline = {times[0][0], N},
        .stride = POINTS,
        .points = POINTS,
        .rounds = ROUNDS,
        .least_rounds = ROUNDS,
        .units = 1.0,
        .tick_ns = 52.0,
        .shortest_ticks = 2000.0,
    };

    for (unsigned round = 0; round < ROUNDS; round++) {
        for (unsigned p = 0; p < POINTS; p++) {
            double count = p + 1.0;

            /* A scatter of a few ns, so that nothing is exact. */
            times[0][round][p] = 3000.0 + 100.0 * N * count + (double)(7 * round % 5);
            times[1][round][p] =
                3000.0 + 131.0 * N * count + (double)(3 * round % 5) + quadratic * count * count;
        }
    }
    return e;
}

static struct measurement evaluated(const struct evaluation *e)
{
    double room[EVALUATION_ROOM(ROUNDS)];
    struct measurement m;

    memset(&m, 0, sizeof(m));
    evaluate(e, room, &m);
    return m;
}

static void assert_doubted(const struct evaluation *e, const char *reason)
{
    struct measurement m = evaluated(e);

    assert_int_equal(m.outcome, OUTCOME_UNRELIABLE);
    if (!strstr(m.reason, reason))
        fail_msg("\"%s\" does not say \"%s\"", m.reason, reason);
}

static void test_nothing_wrong(void **state)
{
    struct evaluation e = straight(0.0);
    struct measurement m = evaluated(&e);

    (void)state;
    assert_int_equal(m.outcome, OUTCOME_OK);
    assert_near(m.value, 31.0, 0.01);
    assert_near(m.iteration_ns, 131.0, 0.01);
    assert_true(m.ci95_lo <= 31.0 && 31.0 <= m.ci95_hi && m.ci95_hi - m.ci95_lo < 0.2);
    assert_near(m.bend, 0.0, 0.0);
    assert_int_equal(m.iterations, N * POINTS);
}

static void test_short_launches(void **state)
{
    struct evaluation e = straight(0.0);

    (void)state;
    e.shortest_ticks = EVALUATION_FEWEST_TICKS;
    assert_int_equal(evaluated(&e).outcome, OUTCOME_OK);
    e.shortest_ticks = EVALUATION_FEWEST_TICKS - 1.0;
    assert_doubted(&e, "only 999 ticks");
    e.fewest_ticks = EVALUATION_FEWEST_TICKS_CORE;
    assert_int_equal(evaluated(&e).outcome, OUTCOME_OK);
    e.shortest_ticks = EVALUATION_FEWEST_TICKS_CORE - 1.0;
    assert_doubted(&e, "only 124 ticks");
}

static void test_bends(void **state)
{
    struct evaluation e =
        straight(1200.0); /* 9.6 of 138 us: 7 % from the first count to the last */

    (void)state;
    assert_doubted(&e, "not a straight line");
    e = straight(500.0); /* 3 %: the interval holds the slopes of both ends */
    struct measurement m = evaluated(&e);
    assert_int_equal(m.outcome, OUTCOME_OK);
    assert_near(m.bend, 0.03, 0.002);
    assert_true(m.ci95_lo < 32.01 && m.ci95_hi > 35.99);
}

static void test_two_clocks(void **state)
{
    struct evaluation e = straight(0.0);

    (void)state;
    for (unsigned round = 0; round < ROUNDS; round++) {
        for (unsigned p = 0; p < POINTS; p++)
            times[1][round][p] *= (round + p) % 2 ? 1.03 : 1.0;
    }
    assert_doubted(&e, "one of two times");
}

static void test_late_launches_are_counted(void **state)
{
    struct evaluation e = straight(0.0);

    (void)state;
    times[1][2][4] += 20000.0;
    times[1][5][0] += 50000.0;
    struct measurement m = evaluated(&e);
    assert_int_equal(m.outcome, OUTCOME_OK);
    assert_int_equal(m.outliers, 2);
    assert_near(m.value, 31.0, 0.05);
}

static ze_kernel_properties_t compiled;

static ze_result_t ZE_APICALL create(ze_module_handle_t module, const ze_kernel_desc_t *desc,
                                     ze_kernel_handle_t *kernel)
{
    static int handle;

    (void)module;
    (void)desc;
    *kernel = (ze_kernel_handle_t)(void *)&handle;
    return ZE_RESULT_SUCCESS;
}

static ze_result_t ZE_APICALL properties_of(ze_kernel_handle_t kernel,
                                            ze_kernel_properties_t *properties)
{
    (void)kernel;
    *properties = compiled;
    return ZE_RESULT_SUCCESS;
}

/* Sizes that the kernel requires and was compiled for, asked for 16. */
static enum status created(unsigned required, unsigned compiled_for, struct error *error)
{
    static struct device device;
    struct session session;
    struct kernel kernel;

    memset(&session, 0, sizeof(session));
    session.device = &device;
    session.ze.zeKernelCreate = create;
    session.ze.zeKernelGetProperties = properties_of;
    memset(&compiled, 0, sizeof(compiled));
    compiled.requiredSubgroupSize = required;
    compiled.maxSubgroupSize = compiled_for;
    return kernel_create(&session, NULL, "kernel", 16, &kernel, error);
}

/* Where the scatter has decided on the number of rounds, only the fewest count as known. */
static void test_rounds_that_the_scatter_chose(void **state)
{
    struct evaluation e = straight(0.0);

    (void)state;
    e.tick_ns = 1e-3;
    for (unsigned round = 0; round < ROUNDS; round++) {
        for (unsigned p = 0; p < POINTS; p++)
            times[1][round][p] += 40.0 * (round % 3) * (p + 1);
    }
    struct measurement all = evaluated(&e);
    e.least_rounds = ROUNDS / 2;
    struct measurement chosen = evaluated(&e);
    /* 97.5 % points of Student's t with 2 and with 4 degrees of freedom differ by half; the rest of
     * the interval is the same. */
    assert_true(chosen.ci95_hi - chosen.ci95_lo > 1.1 * (all.ci95_hi - all.ci95_lo));
    assert_near(chosen.value, all.value, 0.0);
}

/* Times that are exact but for the timer's ticks: what remains is their rounding. A start and an
 * end, each off by up to half a tick, are off by tick / sqrt(6) together (triangular distribution);
 * a line through counts of 1 to 5 N has that by sqrt(10) N. The baseline's loop is a fifth as often
 * run, so its share is five times that of the variant's own. */
static void test_rounding_of_both(void **state)
{
    struct evaluation e = straight(0.0);

    (void)state;
    assert_int_equal(POINTS, 5);
    e.baseline.iterations = N / 5;
    for (unsigned round = 0; round < ROUNDS; round++) {
        for (unsigned p = 0; p < POINTS; p++) {
            times[0][round][p] = 3000.0 + 100.0 * (N / 5) * (p + 1);
            times[1][round][p] = 3000.0 + 131.0 * N * (p + 1);
        }
    }
    double own = 52.0 / sqrt(6.0) / sqrt(10.0) / N;
    assert_near(evaluated(&e).standard_error, own * sqrt(1.0 + 25.0), 0.01 * own);
    e.baseline.values = NULL;
    assert_near(evaluated(&e).standard_error, own, 0.01 * own);
}

/* What is observed is judged anew each time, whatever was said of it before. */
static void test_observed(void **state)
{
    static const double same[ROUNDS] = {7, 7, 7, 7, 7, 7, 7, 7},
                        apart[ROUNDS] = {1, 9, 1, 9, 1, 9, 1, 9};
    double room[EVALUATION_ROOM(ROUNDS)];
    struct measurement m;

    (void)state;
    memset(&m, 0, sizeof(m));
    evaluate_observed(apart, 1, ROUNDS, ROUNDS, 0.0, room, &m);
    assert_int_equal(m.outcome, OUTCOME_UNRELIABLE);
    assert_non_null(strstr(m.reason, "unsteady over 8 rounds"));
    evaluate_observed(same, 1, ROUNDS, ROUNDS, 0.0, room, &m);
    assert_int_equal(m.outcome, OUTCOME_OK);
    assert_string_equal(m.reason, "");
    assert_near(m.value, 7.0, 0.0);
}

static void test_compiled_size(void **state)
{
    struct error error;

    (void)state;
    assert_int_equal(created(16, 16, &error), STATUS_OK);
    assert_int_equal(created(0, 16, &error), STATUS_OK); /* some drivers do not say */
    assert_int_equal(created(16, 8, &error), STATUS_FAILED);
    assert_int_equal(created(0, 32, &error), STATUS_FAILED);
    assert_int_equal(created(8, 16, &error), STATUS_FAILED);
}

/* Of an emulated device: its interval is the rounding, and what other contents were seen to do. Two
 * slopes over five points n apart have a standard deviation of 52 / sqrt(12) / sqrt(10) / n each.
 */
static void test_one_round(void **state)
{
    struct evaluation e = straight(0.0);
    double rounding = 52.0 / sqrt(6.0) / sqrt(10.0) / N * sqrt(2.0);

    (void)state;
    e.rounds = e.least_rounds = 1;
    e.is_clock_constant = true;
    struct measurement m = evaluated(&e);
    assert_int_equal(m.outcome, OUTCOME_OK);
    assert_near(m.value, 31.0, 1e-3);
    assert_near(m.ci95_hi - m.value, 1.96 * rounding, 1e-3 * rounding);
    assert_true(m.is_rounding_alone);
    e.own.scatter = 0.3;
    e.baseline.scatter = 0.4;
    m = evaluated(&e);
    assert_int_equal(m.outcome, OUTCOME_OK);
    assert_near(m.ci95_hi - m.value, hypot(2.776 * 0.5, 1.96 * rounding), 1e-3);
    assert_near(m.standard_error, hypot(0.5, rounding), 1e-6);
    assert_false(m.is_rounding_alone);
    /* Several rounds show it themselves. */
    e.rounds = e.least_rounds = ROUNDS;
    m = evaluated(&e);
    assert_true(m.ci95_hi - m.value < 0.1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_wrong),
        cmocka_unit_test(test_short_launches),
        cmocka_unit_test(test_bends),
        cmocka_unit_test(test_two_clocks),
        cmocka_unit_test(test_late_launches_are_counted),
        cmocka_unit_test(test_rounding_of_both),
        cmocka_unit_test(test_observed),
        cmocka_unit_test(test_compiled_size),
        cmocka_unit_test(test_rounds_that_the_scatter_chose),
        cmocka_unit_test(test_one_round),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
