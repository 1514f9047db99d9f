/* From noisy launches to a model: sweeps of a known ladder, measured row by row under noise with
 * its own seed, written as CSV, read, fitted. The parameters' intervals have to contain the truth
 * about as often as they claim, and to grow with the noise. */
#include "test.h"

#include "model/fit.h"
#include "noisy-device.h"
#include "rows.h"

#include <stdio.h>

#define CSV        "test-noisy-fit.csv"
#define TRIALS     400u
#define CLOCK_GHZ  2.0
#define BASE       40.0 /* cycles */
#define PER_THREAD 4.0

static void write_sweep(const struct disturbance *disturbance, uint64_t seed)
{
    static const struct stop_rule rounds = {0.005, 12, 12};
    static const unsigned threads[] = {1, 2, 4, 8, 12, 16, 24, 32};
    struct row_writer writer;

    rows_open(&writer, CSV, "barrier");
    for (size_t i = 0; i < sizeof(threads) / sizeof(threads[0]); i++) {
        double cost_ns = (BASE + PER_THREAD * threads[i]) / CLOCK_GHZ;
        struct disturbance d = *disturbance;

        /* The clock steps in one of the rows, anywhere in it. */
        d.step = i == seed % 8 ? d.step : 0.0;
        d.step_at = (double)(seed * 37 % TRIALS) / TRIALS;
        struct measurement m = noisy_measure(&d, cost_ns, &rounds, seed * 64 + i);

        rows_add(&writer, &(struct row_values){.variant = "work_group_local",
                                               .subgroup_size = 16,
                                               .workgroup_size = 16 * threads[i],
                                               .workgroup_count = 1,
                                               .value = m.value,
                                               .half_width = (m.ci95_hi - m.ci95_lo) / 2.0,
                                               .status = outcome_name(m.outcome)});
    }
    rows_close(&writer);
}

struct rates {
    double base, per_thread; /* intervals that hold the truth */
    double right_form;       /* of all: just these terms */
    double half;             /* mean half width of per_thread's interval; of the right form */
    double error;            /* root mean square of per_thread; of the right form */
};

static bool holds(const struct parameter *p, double truth)
{
    return p->interval.low <= truth && p->interval.high >= truth;
}

static void add_trial(struct rates *rates, uint64_t seed)
{
    struct records records;
    struct model model;

    rows_fit(CSV, seed, &records, &model);
    const struct parameter *base = model_find(&model, "barrier.work_group_local.simd16.base");
    const struct parameter *per_thread =
        model_find(&model, "barrier.work_group_local.simd16.per_thread");
    assert_non_null(base);
    rates->base += holds(base, BASE);
    if (per_thread)
        rates->per_thread += holds(per_thread, PER_THREAD);
    /* Spurious terms share the slope with it: counted, not averaged. */
    if (per_thread && model.parameter_count == 2) {
        rates->right_form++;
        rates->half += (per_thread->interval.high - per_thread->interval.low) / 2.0;
        rates->error += (per_thread->value - PER_THREAD) * (per_thread->value - PER_THREAD);
    }
    model_free(&model);
    records_free(&records);
}

static struct rates fit_all(const struct disturbance *disturbance, const char *text)
{
    struct rates rates = {0};

    for (unsigned trial = 0; trial < TRIALS; trial++) {
        write_sweep(disturbance, 1 + trial);
        add_trial(&rates, 1 + trial);
    }
    rates.base /= TRIALS;
    rates.per_thread /= TRIALS;
    rates.half /= rates.right_form;
    rates.error = sqrt(rates.error / rates.right_form);
    rates.right_form /= TRIALS;
    print_message("%-28s base held in %.1f %%, per_thread in %.1f %%; the right form in %.1f %%; "
                  "per_thread's error %.4f, half width %.4f cycles\n",
                  text, 100.0 * rates.base, 100.0 * rates.per_thread, 100.0 * rates.right_form,
                  rates.error, rates.half);
    return rates;
}

static void test_noise(void **state)
{
    static const double levels[] = {0.002, 0.006, 0.012};
    struct rates before = {0};

    (void)state;
    for (size_t i = 0; i < sizeof(levels) / sizeof(levels[0]); i++) {
        const struct disturbance d = {.noise = levels[i]};
        char text[64];

        snprintf(text, sizeof(text), "noise of %g %%", 100.0 * levels[i]);
        struct rates rates = fit_all(&d, text);
        if (i) {
            double growth = levels[i] / levels[i - 1];

            assert_near(rates.half / before.half, growth, 0.25 * growth);
            assert_near(rates.error / before.error, growth, 0.25 * growth);
        }
        assert_true(rates.base >= 0.92 && rates.per_thread >= 0.92);
        assert_true(rates.right_form >= 0.9);
        before = rates;
    }
}

static void test_disturbed(void **state)
{
    const struct disturbance outliers = {
        .noise = 0.003, .outlier_rate = 0.01, .outlier_ns = 5000.0};
    const struct disturbance step = {.noise = 0.003, .step = 0.1};

    (void)state;
    struct rates rates = fit_all(&outliers, "1 % of launches 5 us longer");
    assert_true(rates.base >= 0.92 && rates.per_thread >= 0.92);
    rates = fit_all(&step, "a step of 10 % in a row");
    assert_true(rates.base >= 0.92 && rates.per_thread >= 0.92);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_noise),
                                       cmocka_unit_test(test_disturbed)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
