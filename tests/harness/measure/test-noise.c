/* Noise, drift, outliers, curvature and steps of the clock on a device that the measuring code
 * takes for hardware: errors have to be as large as the intervals say, or the row has to be
 * unreliable. Every trial is a whole measurement of a known cost, with its own seed.
 * docs/reliability.md has the figures. */
#include "test.h"

#include "noisy-device.h"

#include <stdio.h>

#define TRIALS  300u
#define COST_NS 31.0

/* At least so many of the intervals hold the truth, or the row says `unreliable`. */
#define LEAST_HONEST 0.93

struct outcome_rates {
    double covered; /* of all: the interval holds the truth */
    double ok;      /* of all: status ok */
    double honest;  /* of all: the interval holds the truth, or the status is not ok */
    double error;   /* root mean square of value - truth, ns */
    double half;    /* mean half width of the intervals, ns */
    double rounds;  /* mean number of rounds behind a value */
};

struct case_of_noise {
    const char *text;
    struct disturbance disturbance;
    double cost_ns;
    struct stop_rule stop;
    double least_ok, most_ok; /* part of the trials */
    double most_error;        /* ns; 0: of no interest */
};

/* Rounds by the default rule, or a fixed number. */
#define BY_DEFAULT                                                                                 \
    {                                                                                              \
        0, 0, 0                                                                                    \
    }
#define THIRTY                                                                                     \
    {                                                                                              \
        0.005, 30, 30                                                                              \
    }

static const struct case_of_noise cases[] = {
    {"each launch 0.1 % off", {.noise = 0.001}, COST_NS, BY_DEFAULT, 0.99, 1.0, 0.2},
    {"0.3 % off", {.noise = 0.003}, COST_NS, BY_DEFAULT, 0.99, 1.0, 0.3},
    {"1 % off", {.noise = 0.01}, COST_NS, BY_DEFAULT, 0.9, 1.0, 0.6},
    {"3 % off", {.noise = 0.03}, COST_NS, BY_DEFAULT, 0.0, 1.0, 0.0},
    {"1 % off, no cost", {.noise = 0.01}, 0.0, BY_DEFAULT, 0.9, 1.0, 0.6},
    {"1 % of launches 5 us late",
     {.noise = 0.003, .outlier_rate = 0.01, .outlier_ns = 5e3},
     COST_NS,
     BY_DEFAULT,
     0.98,
     1.0,
     0.3},
    {"1 % 20 us late",
     {.noise = 0.003, .outlier_rate = 0.01, .outlier_ns = 2e4},
     COST_NS,
     BY_DEFAULT,
     0.98,
     1.0,
     0.3},
    {"1 % 500 us late",
     {.noise = 0.003, .outlier_rate = 0.01, .outlier_ns = 5e5},
     COST_NS,
     BY_DEFAULT,
     0.98,
     1.0,
     0.3},
    {"5 % 20 us late",
     {.noise = 0.003, .outlier_rate = 0.05, .outlier_ns = 2e4},
     COST_NS,
     BY_DEFAULT,
     0.9,
     1.0,
     0.5},
    {"two clocks 5 % apart by chance",
     {.noise = 0.003, .two_clocks = 0.05},
     COST_NS,
     BY_DEFAULT,
     0.0,
     0.02,
     0.0},
    {"two clocks 2 % apart by chance",
     {.noise = 0.001, .two_clocks = 0.02},
     COST_NS,
     BY_DEFAULT,
     0.0,
     0.02,
     0.0},
    {"curvature of 1 % in 100 us",
     {.noise = 0.003, .curvature = 0.01},
     COST_NS,
     BY_DEFAULT,
     0.0,
     1.0,
     0.0},
    {"curvature of 5 % in 100 us",
     {.noise = 0.003, .curvature = 0.05},
     COST_NS,
     BY_DEFAULT,
     0.0,
     0.02,
     0.0},
    {"curvature of 10 % in 100 us",
     {.noise = 0.003, .curvature = 0.1},
     COST_NS,
     BY_DEFAULT,
     0.0,
     0.02,
     0.0},
    {"half the clock at launch, 0.5 ms",
     {.noise = 0.003, .ramp = 0.5, .ramp_ns = 0.5e6},
     COST_NS,
     BY_DEFAULT,
     0.99,
     1.0,
     0.3},
    {"half the clock at launch, 5 ms",
     {.noise = 0.003, .ramp = 0.5, .ramp_ns = 5e6},
     COST_NS,
     BY_DEFAULT,
     0.7,
     1.0,
     0.3},
    {"half the clock at launch, 100 ms",
     {.noise = 0.003, .ramp = 0.5, .ramp_ns = 100e6},
     COST_NS,
     BY_DEFAULT,
     0.9,
     1.0,
     0.3},
    {"a drift of 10 %, no cost", {.noise = 0.003, .drift = 0.1}, 0.0, THIRTY, 0.9, 1.0, 0.5},
    {"a drift of 10 %", {.noise = 0.003, .drift = 0.1}, COST_NS, THIRTY, 0.9, 1.0, 0.5},
    {"a step of 2 %", {.noise = 0.003, .step = 0.02}, COST_NS, BY_DEFAULT, 0.0, 1.0, 0.0},
    {"a step of 10 %", {.noise = 0.003, .step = 0.1}, COST_NS, BY_DEFAULT, 0.0, 1.0, 0.0},
    {"a step of 30 %", {.noise = 0.003, .step = 0.3}, COST_NS, BY_DEFAULT, 0.0, 1.0, 0.0},
    {"a step of 100 %", {.noise = 0.003, .step = 1.0}, COST_NS, BY_DEFAULT, 0.0, 1.0, 0.0},
    {"a step of -30 %", {.noise = 0.003, .step = -0.3}, COST_NS, BY_DEFAULT, 0.0, 1.0, 0.0},
    {"a step of 30 %, no cost", {.noise = 0.003, .step = 0.3}, 0.0, BY_DEFAULT, 0.0, 1.0, 0.0},
};

/* The true cost, and what else counts as true: after a step the cost at either clock; on a bent
 * line its slope at the start (the fewest iterations are 65 us). */
static void truth_of(const struct case_of_noise *c, double truth[2])
{
    const struct disturbance *d = &c->disturbance;

    truth[0] = truth[1] = c->cost_ns;
    truth[1] *= (1.0 + d->step) * (1.0 + 2.0 * 0.65 * d->curvature);
    if (d->drift > 0.0)
        truth[0] = truth[1] = c->cost_ns * (1.0 + d->drift / 2.0);
}

static struct outcome_rates run(const struct case_of_noise *c)
{
    struct outcome_rates rates = {0};
    double truth[2], squares = 0.0;

    truth_of(c, truth);
    for (unsigned trial = 0; trial < TRIALS; trial++) {
        struct disturbance d = c->disturbance;

        /* Steps anywhere in the run. */
        d.step_at = d.step != 0.0 ? (trial + 0.5) / TRIALS : 0.0;
        struct measurement m = noisy_measure(&d, c->cost_ns, &c->stop, 1000 + trial);
        bool ok = m.outcome == OUTCOME_OK;
        bool covers = (m.ci95_lo <= truth[0] && truth[0] <= m.ci95_hi) ||
                      (m.ci95_lo <= truth[1] && truth[1] <= m.ci95_hi);
        double off = fmin(fabs(m.value - truth[0]), fabs(m.value - truth[1]));
        rates.covered += (double)covers / TRIALS;
        rates.ok += (double)ok / TRIALS;
        rates.honest += (double)(covers || !ok) / TRIALS;
        rates.half += (m.ci95_hi - m.ci95_lo) / 2.0 / TRIALS;
        rates.rounds += (double)m.values.count / TRIALS;
        squares += off * off / TRIALS;
    }
    rates.error = sqrt(squares);
    print_message("| %-36s | %5.1f %% | %5.1f %% | %5.1f %% | %.3f | %.3f | %.0f |\n", c->text,
                  100.0 * rates.covered, 100.0 * rates.ok, 100.0 * rates.honest, rates.error,
                  rates.half, rates.rounds);
    return rates;
}

static void test_every_disturbance(void **state)
{
    size_t wrong = 0;

    (void)state;
    print_message("| disturbance | holds the truth | ok | holds it or says so | error, ns | half "
                  "width, ns | rounds |\n");
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct case_of_noise *c = &cases[i];
        struct outcome_rates rates = run(c);

        bool right = rates.honest >= LEAST_HONEST && rates.ok >= c->least_ok &&
                     rates.ok <= c->most_ok + 1e-9 &&
                     (!(c->most_error > 0.0) || rates.error < c->most_error);

        if (!right)
            print_error("not so: %s\n", c->text);
        wrong += !right;
    }
    assert_int_equal(wrong, 0);
}

/* Error and interval grow alike with the noise; the interval is no wider than necessary. */
static void test_noise_scales(void **state)
{
    static const double levels[] = {0.003, 0.01};
    struct outcome_rates before = {0};

    (void)state;
    for (size_t i = 0; i < sizeof(levels) / sizeof(levels[0]); i++) {
        struct case_of_noise c = {"30 rounds", {.noise = levels[i]}, COST_NS, THIRTY, 0, 0, 0};
        struct outcome_rates rates = run(&c);

        assert_true(rates.covered >= LEAST_HONEST && rates.covered <= 0.995);
        assert_true(rates.half / rates.error > 1.4 && rates.half / rates.error < 2.8);
        if (i) {
            double growth = levels[i] / levels[i - 1];

            assert_near(rates.half / before.half, growth, 0.2 * growth);
            assert_near(rates.error / before.error, growth, 0.2 * growth);
        }
        before = rates;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_disturbance),
        cmocka_unit_test(test_noise_scales),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
