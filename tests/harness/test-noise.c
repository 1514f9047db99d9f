/* Noise, drift, outliers and steps of the clock: the measuring code's errors have to be as large as
 * its intervals say, or the row has to say that it is unreliable. Every trial is a whole
 * measurement of a cost that is known, with a seed of its own. */
#include "test.h"

#include "noisy-device.h"

#include <stdio.h>

#define TRIALS  400u
#define ROUNDS  30u
#define COST_NS 31.0

struct outcome_rates {
    double covered;      /* of all: the interval holds the truth */
    double ok;           /* of all: status ok */
    double silent_wrong; /* of all: status ok, and the interval does not hold the truth */
    double error;        /* root mean square of value - truth, ns */
    double half;         /* mean half width of the intervals, ns */
};

/* The truth, of a trial with this disturbance. */
typedef double truth_of(const struct disturbance *d, double cost_ns);

static double undisturbed(const struct disturbance *d, double cost_ns)
{
    (void)d;
    return cost_ns;
}

/* Drift is linear: on average all is measured half-way. */
static double halfway(const struct disturbance *d, double cost_ns)
{
    return cost_ns * (1.0 + d->drift / 2.0);
}

/* At the clock that ruled most of the run. */
static double mostly(const struct disturbance *d, double cost_ns)
{
    return cost_ns * (d->step_at < 0.5 ? 1.0 + d->step : 1.0);
}

/* Launches become too short when the clock rises: all is measured again. */
static double afterwards(const struct disturbance *d, double cost_ns)
{
    return cost_ns * (1.0 + d->step);
}

static struct outcome_rates run(const struct disturbance *disturbance, double cost_ns,
                                unsigned rounds, truth_of *truth_of_trial, const char *text)
{
    struct outcome_rates rates = {0};
    double squares = 0.0;

    for (unsigned trial = 0; trial < TRIALS; trial++) {
        struct disturbance d = *disturbance;
        struct measurement m;
        double truth;
        bool covers, ok;

        /* Steps anywhere in the run. */
        if (d.step != 0.0)
            d.step_at = (trial + 0.5) / TRIALS;
        truth = truth_of_trial(&d, cost_ns);
        m = noisy_measure(&d, cost_ns, rounds, 1000 + trial);
        ok = m.outcome == OUTCOME_OK;
        covers = m.ci95_lo <= truth && truth <= m.ci95_hi;
        rates.covered += (double)covers / TRIALS;
        rates.ok += (double)ok / TRIALS;
        rates.silent_wrong += (double)(ok && !covers) / TRIALS;
        rates.half += (m.ci95_hi - m.ci95_lo) / 2.0 / TRIALS;
        squares += (m.values.median - truth) * (m.values.median - truth) / TRIALS;
    }
    rates.error = sqrt(squares);
    print_message("%-36s %5.1f %% covered, %5.1f %% ok, %4.1f %% ok and wrong, error %.3f ns, half "
                  "width %.3f ns\n",
                  text, 100.0 * rates.covered, 100.0 * rates.ok, 100.0 * rates.silent_wrong,
                  rates.error, rates.half);
    return rates;
}

static void test_noise(void **state)
{
    static const double levels[] = {0.003, 0.01, 0.03};
    struct outcome_rates before = {0};

    (void)state;
    for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++) {
        const struct disturbance d = {.noise = levels[i]};
        struct outcome_rates rates;
        char text[64];

        snprintf(text, sizeof text, "noise of %g %%", 100.0 * levels[i]);
        rates = run(&d, COST_NS, ROUNDS, undisturbed, text);
        assert_true(rates.covered >= 0.92 && rates.covered <= 0.99);
        /* Error and interval grow alike, and with the noise. */
        assert_true(rates.half / rates.error > 1.4 && rates.half / rates.error < 2.2);
        if (i) {
            double growth = levels[i] / levels[i - 1];

            assert_near(rates.half / before.half, growth, 0.15 * growth);
            assert_near(rates.error / before.error, growth, 0.15 * growth);
        }
        before = rates;
    }
}

/* As few rounds as on a model. */
static void test_few_rounds(void **state)
{
    const struct disturbance d = {.noise = 0.01};
    struct outcome_rates rates = run(&d, COST_NS, 3, undisturbed, "noise of 1 %, 3 rounds");

    (void)state;
    assert_true(rates.covered >= 0.92);
}

static void test_nothing_to_measure(void **state)
{
    const struct disturbance d = {.noise = 0.01};
    struct outcome_rates rates = run(&d, 0.0, ROUNDS, undisturbed, "noise of 1 %, no cost");

    (void)state;
    assert_true(rates.covered >= 0.92 && rates.covered <= 0.99);
}

/* All launches of a loop, then all of the other, would be off by 5 ns. */
static void test_drift(void **state)
{
    const struct disturbance d = {.noise = 0.003, .drift = 0.1};
    struct outcome_rates rates;

    (void)state;
    rates = run(&d, 0.0, ROUNDS, undisturbed, "drift of 10 %, no cost");
    assert_true(rates.covered >= 0.92 && rates.error < 0.5);
    rates = run(&d, COST_NS, ROUNDS, halfway, "drift of 10 %");
    assert_true(rates.covered >= 0.92 && rates.error < 0.5);
}

static void test_outliers(void **state)
{
    static const double sizes[] = {5000.0, 50000.0, 500000.0};
    struct disturbance d = {.noise = 0.003, .outlier_rate = 0.01};

    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        struct outcome_rates rates;
        char text[64];

        d.outlier_ns = sizes[i];
        snprintf(text, sizeof text, "1 %% of launches %g us longer", sizes[i] / 1000.0);
        rates = run(&d, COST_NS, ROUNDS, undisturbed, text);
        assert_true(rates.covered >= 0.92);
        assert_true(rates.silent_wrong <= 0.06);
        /* The median does not follow them. */
        assert_true(rates.error < 0.5);
    }
}

static void test_clock_steps(void **state)
{
    static const double steps[] = {0.02, 0.05, 0.1, 0.3, 1.0, -0.3};
    struct disturbance d = {.noise = 0.003};

    (void)state;
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        struct outcome_rates rates;
        char text[64];

        d.step = steps[i];
        snprintf(text, sizeof text, "a step of %g %%, no cost", 100.0 * d.step);
        rates = run(&d, 0.0, ROUNDS, undisturbed, text);
        assert_true(rates.silent_wrong <= 0.06);
        snprintf(text, sizeof text, "a step of %g %%", 100.0 * d.step);
        rates = run(&d, COST_NS, ROUNDS, d.step < 0.0 ? afterwards : mostly, text);
        assert_true(rates.silent_wrong <= 0.06);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_noise),
        cmocka_unit_test(test_few_rounds),
        cmocka_unit_test(test_nothing_to_measure),
        cmocka_unit_test(test_drift),
        cmocka_unit_test(test_outliers),
        cmocka_unit_test(test_clock_steps),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
