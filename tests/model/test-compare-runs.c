/* Several runs for each side, drawn with a known scatter between runs and within them: equal runs
 * compare equal, one row that became slower is found, and what all rows have in common is said
 * once.
 */
#include "test.h"

#include "base/prng.h"
#include "base/robust.h"
#include "base/stats.h"
#include "compare/compare.h"
#include "math/moderated-variance.h"
#include "noisy-device.h"

#include <string.h>

#define PAIRS    100u
#define ROWS     600u
#define RUNS_MAX 10u
#define ROUNDS   10u

/* How the times of a pair are drawn. */
struct truth {
    const char *text;
    size_t runs;     /* on each side */
    double between;  /* relative standard deviation of a row's time between runs */
    double within;   /* of its mean within a run, which its interval tells */
    double clock;    /* of all times of a run together */
    double all, one; /* factors of the new side: of all rows; of one row in addition */
    double unsteady; /* every tenth row scatters so many times as much between runs */
};

struct side {
    struct record rows[RUNS_MAX][ROWS];
    struct records runs[RUNS_MAX];
};

static struct side sides[2];

/* An interval as a run would give it: its scatter is drawn, too. */
static double drawn_half(double error, struct prng *prng)
{
    size_t degrees = robust_degrees(ROUNDS);
    double squares = 0.0;

    for (size_t i = 0; i < degrees; i++)
        squares += pow(noisy_normal(prng), 2.0);
    return stats_t975(degrees) * error * sqrt(squares / (double)degrees);
}

static struct record draw_row(const struct truth *truth, size_t index, double factor,
                              struct prng *prng)
{
    static const char *const families[] = {"barrier", "exchange", "latency"};
    double between = truth->between * (index % 10 == 0 ? truth->unsteady : 1.0);
    double ns = (20.0 + (double)index) * factor;
    double mean = ns * exp(between * noisy_normal(prng)) + ns * truth->within * noisy_normal(prng);
    double half = drawn_half(ns * truth->within, prng);

    return (struct record){.benchmark = families[index * 3 / ROWS],
                           .variant = "a",
                           .unit = "ns/op",
                           .parameters = "",
                           .subgroup_size = 16,
                           .workgroup_size = 16 * ((unsigned)index + 1),
                           .workgroup_count = 1,
                           .usable = true,
                           .samples = ROUNDS,
                           .value = mean,
                           .ns_mean = mean,
                           .ci95_lo_ns = mean - half,
                           .ci95_hi_ns = mean + half,
                           .loop_ns = 1000.0};
}

static void draw(const struct truth *truth, size_t changed, struct prng *prng)
{
    for (size_t s = 0; s < 2; s++) {
        for (size_t r = 0; r < truth->runs; r++) {
            double clock = exp(truth->clock * noisy_normal(prng)) * (s ? truth->all : 1.0);

            for (size_t i = 0; i < ROWS; i++)
                sides[s].rows[r][i] =
                    draw_row(truth, i, clock * (s && i == changed ? truth->one : 1.0), prng);
            sides[s].runs[r] = (struct records){.record = sides[s].rows[r], .count = ROWS};
        }
    }
}

/* Numbers of pairs. */
struct counts {
    unsigned status_3; /* something is called slower */
    unsigned common;   /* a shift of all rows is called slower */
    unsigned found;    /* the row that is slower is called so */
    unsigned wrong;    /* any other row is called faster or slower */
    unsigned covered;  /* the shift's interval holds the truth */
};

static void count(struct counts *counts, const struct comparisons *c, const struct truth *truth,
                  size_t changed)
{
    bool wrong = false;

    counts->status_3 += comparisons_slower(c);
    counts->common += c->shift_verdict == CHANGE_SLOWER;
    counts->covered += c->shift.low <= truth->all - 1.0 && truth->all - 1.0 <= c->shift.high;
    for (size_t i = 0; i < c->count; i++) {
        enum change verdict = c->comparison[i].verdict;

        if (c->comparison[i].base->workgroup_size == 16 * (changed + 1) && truth->one != 1.0)
            counts->found += verdict == CHANGE_SLOWER;
        else
            wrong |= verdict == CHANGE_SLOWER || verdict == CHANGE_FASTER;
    }
    counts->wrong += wrong;
}

static enum status compare_drawn(struct comparisons *comparisons, size_t runs, struct error *error)
{
    const struct compare_options options = {.threshold = 0.01};

    return compare_sides(comparisons, &(struct compare_side){sides[0].runs, runs},
                         &(struct compare_side){sides[1].runs, runs}, &options, error);
}

static struct counts compare_pairs(const struct truth *truth, uint64_t seed)
{
    struct counts counts = {0};
    struct prng prng;

    prng_seed(&prng, seed);
    for (unsigned pair = 0; pair < PAIRS; pair++) {
        size_t changed = prng_below(&prng, ROWS);
        struct comparisons comparisons;
        struct error error;

        draw(truth, changed, &prng);
        if (compare_drawn(&comparisons, truth->runs, &error) != STATUS_OK)
            fail_msg("%s", error.text);
        assert_int_equal(comparisons.count, ROWS);
        count(&counts, &comparisons, truth, changed);
        comparisons_free(&comparisons);
    }
    print_message("%-44s %zu+%zu runs: status 3 in %3u, common %3u (covered %3u), found %3u, "
                  "others called changed in %3u of %u\n",
                  truth->text, truth->runs, truth->runs, counts.status_3, counts.common,
                  counts.covered, counts.found, counts.wrong, PAIRS);
    return counts;
}

/* Pairs of each truth, each with a seed of its own, held against what `check` asserts. */
static void compare_all(const struct truth *truths, size_t count, uint64_t seed,
                        void (*check)(const struct truth *, const struct counts *))
{
    for (size_t i = 0; i < count; i++) {
        struct counts counts = compare_pairs(&truths[i], seed + i);

        check(&truths[i], &counts);
    }
}

#define COMPARE_ALL(truths, seed, check)                                                           \
    compare_all(truths, sizeof(truths) / sizeof((truths)[0]), seed, check)

/* Of unequal rows 5 of 100, and three standard deviations of chance. */
static void few_have_status_3(const struct truth *truth, const struct counts *counts)
{
    assert_true(counts->status_3 <= (truth->unsteady > 1.0 ? 11 : 5));
}

static void test_equal_runs(void **state)
{
    static const struct truth truths[] = {
        {"equal, 1 % between runs", 2, 0.01, 0.003, 0.0, 1.0, 1.0, 1.0},
        {"equal, 1 % between runs", 3, 0.01, 0.003, 0.0, 1.0, 1.0, 1.0},
        {"equal, clocks 1 % apart", 2, 0.01, 0.003, 0.01, 1.0, 1.0, 1.0},
        {"equal, clocks 1 % apart", 3, 0.003, 0.003, 0.01, 1.0, 1.0, 1.0},
        {"equal, every tenth row 3 % between runs", 2, 0.01, 0.003, 0.0, 1.0, 1.0, 3.0},
        {"equal, every tenth row 3 % between runs", 3, 0.01, 0.003, 0.0, 1.0, 1.0, 3.0},
        {"equal, every tenth row 2 % between runs", 3, 0.01, 0.003, 0.0, 1.0, 1.0, 2.0},
        {"equal, nothing between runs", 1, 0.0, 0.003, 0.0, 1.0, 1.0, 1.0},
    };

    (void)state;
    COMPARE_ALL(truths, 100, few_have_status_3);
}

static void row_is_found(const struct truth *truth, const struct counts *counts)
{
    (void)truth;
    assert_true(counts->found >= 90);
    assert_true(counts->wrong <= 10); /* on either side: 5 of 100, and chance */
}

static void test_one_row(void **state)
{
    static const struct truth truths[] = {
        {"one row 3 % slower, 0.2 % between", 2, 0.002, 0.002, 0.0, 1.0, 1.03, 1.0},
        {"one row 3 % slower, 0.3 % between", 3, 0.003, 0.003, 0.0, 1.0, 1.03, 1.0},
        {"the same, clocks 1 % apart", 3, 0.003, 0.003, 0.01, 1.0, 1.03, 1.0},
        {"one row 3 % slower, 1 % between", 10, 0.01, 0.003, 0.0, 1.0, 1.03, 1.0},
    };

    (void)state;
    COMPARE_ALL(truths, 200, row_is_found);
}

static void shift_is_found(const struct truth *truth, const struct counts *counts)
{
    assert_int_equal(counts->common, PAIRS);
    assert_true(counts->wrong <= 10);
    assert_true(counts->covered >= 88); /* 95 of 100, less three standard deviations */
    assert_true(truth->one == 1.0 || counts->found >= 90);
}

static void test_all_rows(void **state)
{
    static const struct truth truths[] = {
        {"all rows 3 % slower, 0.3 % between", 1, 0.0, 0.003, 0.0, 1.03, 1.0, 1.0},
        {"all rows 3 % slower, 1 % between", 2, 0.01, 0.003, 0.0, 1.03, 1.0, 1.0},
        {"all rows 3 % slower, 1 % between", 3, 0.01, 0.003, 0.0, 1.03, 1.0, 1.0},
        {"all rows 3 % slower, one 3 % more", 3, 0.003, 0.003, 0.0, 1.03, 1.03, 1.0},
    };

    (void)state;
    COMPARE_ALL(truths, 300, shift_is_found);
}

/* Where rows go different ways, they have nothing in common. */
static void test_nothing_in_common(void **state)
{
    const struct truth truth = {"", 2, 0.0, 0.003, 0.0, 1.0, 1.0, 1.0};
    struct comparisons comparisons;
    struct prng prng;
    struct error error;

    (void)state;
    prng_seed(&prng, 400);
    draw(&truth, 0, &prng);
    for (size_t r = 0; r < 2; r++) {
        for (size_t i = ROWS / 3; i < ROWS; i++) {
            double factor = 1.1 + 0.4 * (double)i / ROWS;
            struct record *row = &sides[1].rows[r][i];

            row->ns_mean *= factor;
            row->ci95_lo_ns *= factor;
            row->ci95_hi_ns *= factor;
        }
    }
    assert_int_equal(compare_drawn(&comparisons, 2, &error), STATUS_OK);
    assert_false(comparisons.shift.is_common);
    assert_int_equal(comparisons.verdicts[CHANGE_SLOWER], ROWS - ROWS / 3);
    assert_int_equal(comparisons.verdicts[CHANGE_FASTER], 0);
    comparisons_free(&comparisons);
}

/* Variances drawn around known ones, which are drawn from Smyth's prior: its typical value and its
 * degrees of freedom are found again. */
static void test_prior(void **state)
{
    static struct variance drawn[100000];
    const struct {
        double value, degrees;
    } planted[] = {{1.0, 4.0}, {0.02, 10.0}, {30.0, 30.0}};
    struct prng prng;

    (void)state;
    prng_seed(&prng, 500);
    for (size_t p = 0; p < sizeof(planted) / sizeof(planted[0]); p++) {
        for (size_t i = 0; i < sizeof(drawn) / sizeof(drawn[0]); i++) {
            size_t own = 2 + i % 3;
            double prior_squares = 0.0, squares = 0.0;

            for (size_t d = 0; d < (size_t)planted[p].degrees; d++)
                prior_squares += pow(noisy_normal(&prng), 2.0);
            for (size_t d = 0; d < own; d++)
                squares += pow(noisy_normal(&prng), 2.0);
            drawn[i] = (struct variance){planted[p].value * planted[p].degrees / prior_squares *
                                             squares / (double)own,
                                         (double)own};
        }
        struct variance prior = variance_prior(drawn, sizeof(drawn) / sizeof(drawn[0]));
        print_message("planted %g with %g degrees, found %.3g with %.3g\n", planted[p].value,
                      planted[p].degrees, prior.value, prior.degrees);
        assert_true(fabs(prior.value / planted[p].value - 1.0) < 0.1);
        assert_true(prior.degrees > planted[p].degrees / 1.6 &&
                    prior.degrees < planted[p].degrees * 1.6);
    }
}

/* Times in different units are not compared. */
static void test_units(void **state)
{
    const struct truth truth = {"", 2, 0.0, 0.003, 0.0, 1.0, 1.0, 1.0};
    struct comparisons comparisons;
    struct prng prng;
    struct error error;

    (void)state;
    prng_seed(&prng, 600);
    draw(&truth, 0, &prng);
    sides[1].rows[1][7].unit = "ns/byte";
    assert_int_equal(compare_drawn(&comparisons, 2, &error), STATUS_FAILED);
    assert_non_null(strstr(error.text, "ns/op"));
    assert_non_null(strstr(error.text, "ns/byte"));
    comparisons_free(&comparisons);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal_runs), cmocka_unit_test(test_one_row),
        cmocka_unit_test(test_all_rows),   cmocka_unit_test(test_nothing_in_common),
        cmocka_unit_test(test_prior),      cmocka_unit_test(test_units),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
