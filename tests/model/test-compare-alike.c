/* Two runs of the same measurements, with nothing changed but chance (A/A): how often does compare
 * call a row faster or slower? A run is rows measured by the harness on a noisy device. Of all
 * pairs of runs at most one in twenty may have such a row; and what has changed is found. */
#include "test.h"

#include "base/prng.h"
#include "base/robust.h"
#include "base/stats.h"
#include "compare/compare.h"
#include "noisy-device.h"

#define POOLS 4u
#define PAIRS 50u /* of runs, from each pool */
#define ROWS  100u
#define POOL  500u /* measurements, of which each pair of runs takes others */

static struct measurement pool[POOL];

/* A measurement that is off is in two of five pairs from its pool, so there are several. */
static void fill_pool(const struct disturbance *disturbance, unsigned rounds, unsigned number)
{
    const struct stop_rule stop = {0.005, rounds, rounds};

    for (size_t i = 0; i < POOL; i++)
        pool[i] = noisy_measure(disturbance, 100.0, &stop, number * POOL + i + 1);
}

static struct record make_row(const struct measurement *m, size_t index, double change)
{
    return (struct record){.benchmark = "barrier",
                           .variant = "work_group_local",
                           .unit = "ns/barrier",
                           .parameters = "",
                           .subgroup_size = 16,
                           .workgroup_size = 16 * ((unsigned)index + 1),
                           .workgroup_count = 1,
                           .usable = m->outcome == OUTCOME_OK,
                           .samples = (double)m->values.count,
                           .value = m->value * change,
                           .ns_mean = m->value * change,
                           .ci95_lo_ns = m->ci95_lo * change,
                           .ci95_hi_ns = m->ci95_hi * change,
                           .loop_ns = 200.0};
}

struct run {
    struct record rows[ROWS];
    struct records records;
};

/* Rows that were measured alike, but for the first one, whose time is `change` times as long. */
static void make_runs(struct run runs[2], double change, struct prng *prng)
{
    size_t order[POOL];

    prng_permutation(prng, order, POOL);
    for (size_t r = 0; r < 2; r++) {
        for (size_t i = 0; i < ROWS; i++)
            runs[r].rows[i] =
                make_row(&pool[order[r * ROWS + i]], i, r == 1 && i == 0 ? change : 1.0);
        runs[r].records = (struct records){.record = runs[r].rows, .count = ROWS};
    }
}

struct rates {
    double wrong;      /* of the pairs: any row without a change is called changed */
    double wrong_rows; /* of all those rows */
    double found;      /* of the pairs: the row with a change is called so */
};

static struct rates compare_pairs(const char *text, const struct disturbance *disturbance,
                                  unsigned rounds, double change)
{
    static struct run runs[2];
    const struct compare_options options = {.threshold = 0.0};
    struct rates rates = {0};
    struct prng prng;

    prng_seed(&prng, rounds);
    for (unsigned pair = 0; pair < POOLS * PAIRS; pair++) {
        struct comparisons comparisons;
        struct error error;
        size_t wrong = 0;

        if (pair % PAIRS == 0)
            fill_pool(disturbance, rounds, pair / PAIRS);
        make_runs(runs, change, &prng);
        if (compare_records_of(&comparisons, &runs[0].records, &runs[1].records, &options,
                               &error) != STATUS_OK)
            fail_msg("%s", error.text);
        assert_true(comparisons.count >= ROWS / 2);
        for (size_t i = 0; i < comparisons.count; i++) {
            const struct comparison *c = &comparisons.comparison[i];
            bool called = c->verdict == CHANGE_FASTER || c->verdict == CHANGE_SLOWER;

            if (c->base->workgroup_size == 16 && change != 1.0)
                rates.found += c->verdict == (change > 1.0 ? CHANGE_SLOWER : CHANGE_FASTER);
            else
                wrong += called;
        }
        rates.wrong += wrong > 0;
        rates.wrong_rows += (double)wrong;
        comparisons_free(&comparisons);
    }
    rates.wrong /= POOLS * PAIRS;
    rates.wrong_rows /= (double)POOLS * PAIRS * ROWS;
    rates.found /= POOLS * PAIRS;
    print_message("%-36s %2u rounds: wrong in %4.1f %% of pairs, %.4f %% of rows; found %5.1f %%\n",
                  text, rounds, 100.0 * rates.wrong, 100.0 * rates.wrong_rows, 100.0 * rates.found);
    return rates;
}

/* One in twenty, and what chance makes of that in so many pairs: 3 standard deviations. */
#define WRONG_MOST (0.05 + 3.0 * 0.0155)

static void test_nothing_changed(void **state)
{
    const struct disturbance quiet = {.noise = 0.002}, loud = {.noise = 0.012},
                             outliers = {
                                 .noise = 0.003, .outlier_rate = 0.01, .outlier_ns = 5000.0};

    (void)state;
    assert_true(compare_pairs("each launch 0.2 % off", &quiet, 10, 1.0).wrong <= WRONG_MOST);
    assert_true(compare_pairs("each launch 1.2 % off", &loud, 10, 1.0).wrong <= WRONG_MOST);
    assert_true(compare_pairs("each launch 1.2 % off", &loud, 30, 1.0).wrong <= WRONG_MOST);
    assert_true(compare_pairs("0.3 % off, 1 % 5 us longer", &outliers, 10, 1.0).wrong <=
                WRONG_MOST);
}

static void test_a_change(void **state)
{
    const struct disturbance quiet = {.noise = 0.002};
    struct rates rates = compare_pairs("0.2 % off, one row 5 % slower", &quiet, 10, 1.05);

    (void)state;
    assert_true(rates.wrong <= WRONG_MOST);
    assert_true(rates.found >= 0.9);
}

/* Two rows of unequal scatter and number of rounds, against Welch (1947) and Satterthwaite (1946):
 * (s1 + s2)^2 / (s1^2 / d1 + s2^2 / d2) degrees of freedom of the squared errors. */
static void test_degrees_of_unequal_rows(void **state)
{
    const size_t few = robust_degrees(5), many = robust_degrees(40);
    const double s1 = 0.3 * 0.3, s2 = 0.1 * 0.1;
    struct measurement m = {.outcome = OUTCOME_OK, .values = {.count = 5}, .value = 50.0};
    struct record rows[2];
    struct records records[2] = {{.record = &rows[0], .count = 1},
                                 {.record = &rows[1], .count = 1}};
    struct comparisons comparisons;
    struct error error;

    (void)state;
    m.ci95_lo = 50.0 - 0.3 * stats_t975(few);
    m.ci95_hi = 50.0 + 0.3 * stats_t975(few);
    rows[0] = make_row(&m, 0, 1.0);
    m = (struct measurement){.outcome = OUTCOME_OK, .values = {.count = 40}, .value = 50.9};
    m.ci95_lo = 50.9 - 0.1 * stats_t975(many);
    m.ci95_hi = 50.9 + 0.1 * stats_t975(many);
    rows[1] = make_row(&m, 0, 1.0);
    assert_true(few < many);
    assert_int_equal(compare_records_of(&comparisons, &records[0], &records[1],
                                        &(struct compare_options){.threshold = 0.0}, &error),
                     STATUS_OK);
    assert_int_equal(comparisons.count, 1);
    double degrees = (s1 + s2) * (s1 + s2) / (s1 * s1 / (double)few + s2 * s2 / (double)many);
    assert_near(comparisons.comparison[0].probability, stats_student(0.9 / sqrt(s1 + s2), degrees),
                1e-9);
    comparisons_free(&comparisons);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_changed),
        cmocka_unit_test(test_a_change),
        cmocka_unit_test(test_degrees_of_unequal_rows),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
