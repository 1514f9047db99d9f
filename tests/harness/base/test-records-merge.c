/* Measurements that were made several times count once, as their mean, and say how they agree. */
#include "test.h"

#include "base/prng.h"
#include "rows/records-merge.h"

#include <math.h>
#include <string.h>

#define ROWS_MAX 8

/* Records. */
struct made {
    struct csv_table table[ROWS_MAX]; /* each row is of a file of its own */
    struct record record[ROWS_MAX];
    struct records records;
};

static void start(struct made *made)
{
    memset(made, 0, sizeof(*made));
    for (size_t i = 0; i < ROWS_MAX; i++)
        made->table[i].path = (char *)"rows.csv";
    made->records.record = made->record;
}

static struct record *add(struct made *made, const char *variant, double value, double half)
{
    struct record *record = &made->record[made->records.count++];

    *record = (struct record){.table = &made->table[made->records.count - 1],
                              .line = (unsigned)made->records.count + 1,
                              .usable = true};
    record->benchmark = "barrier";
    record->variant = variant;
    record->parameters = "";
    record->launch = "";
    record->unit = "ns";
    record->run_id = "";
    record->subgroup_size = 16;
    record->rank = NAN;
    record->value = value;
    record->ci95_lo_ns = value - half;
    record->ci95_hi_ns = value + half;
    record->loop_ns = value + 100.0;
    record->ns_mean = value;
    record->cycles = record->clock_mhz = record->gb_per_s = record->gflop_per_s = NAN;
    return record;
}

static struct repeats merge(struct made *made)
{
    struct repeats repeats;
    struct error error;

    assert_int_equal(records_merge_repeats(&made->records, &repeats, &error), STATUS_OK);
    return repeats;
}

/* Weights 1 and 1/4: (30 + 31.6 / 4) / 1.25 = 30.32, half 1 / sqrt(1.25). */
static void test_weights(void **state)
{
    struct made made;

    (void)state;
    start(&made);
    add(&made, "a", 30.0, 1.0);
    add(&made, "b", 50.0, 1.0);
    add(&made, "a", 31.6, 2.0);
    struct repeats repeats = merge(&made);
    assert_int_equal(made.records.count, 2);
    assert_int_equal(repeats.merged, 1);
    assert_int_equal(repeats.disagreeing, 0);
    assert_string_equal(made.record[1].variant, "b");
    assert_true(fabs(made.record[0].value - 30.32) < 1e-9);
    assert_true(fabs(made.record[0].loop_ns - 130.32) < 1e-9);
    assert_true(isnan(made.record[0].gb_per_s));
    assert_true(fabs(record_half_interval(&made.record[0]) - 1.0 / sqrt(1.25)) < 1e-9);
}

static void test_disagreement_is_named(void **state)
{
    struct made made;

    (void)state;
    start(&made);
    add(&made, "a", 30.0, 0.1);
    add(&made, "a", 30.1, 0.1);
    add(&made, "a", 36.0, 0.1);
    struct repeats repeats = merge(&made);
    assert_int_equal(made.records.count, 1);
    assert_int_equal(repeats.disagreeing, 1);
    assert_non_null(strstr(repeats.worst, "rows.csv:4"));
    assert_true(made.record[0].ci95_lo_ns <= 29.9 && made.record[0].ci95_hi_ns >= 36.1);
}

/* Of several that disagree the worst, wherever it stands. */
static void test_the_worst_is_named(void **state)
{
    static const double differences[][3] = {{4.0, 9.0, 6.0}, {9.0, 6.0, 4.0}, {6.0, 4.0, 9.0}};
    static const char *const worst[] = {"barrier b at 16 lanes", "barrier a at", "barrier c at"};
    static const char *const names[] = {"a", "b", "c"};

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        struct made made;

        start(&made);
        for (size_t v = 0; v < 3; v++) {
            add(&made, names[v], 30.0, 0.1);
            add(&made, names[v], 30.0 + differences[i][v], 0.1);
        }
        struct repeats repeats = merge(&made);
        assert_int_equal(repeats.disagreeing, 3);
        assert_non_null(strstr(repeats.worst, worst[i]));
    }
}

static void test_what_is_not_usable(void **state)
{
    struct made made;

    (void)state;
    start(&made);
    add(&made, "a", 10.0, 0.1)->usable = false;
    add(&made, "a", 30.0, 0.1);
    add(&made, "b", 10.0, 0.1)->usable = false;
    add(&made, "b", 11.0, 0.1)->usable = false;
    merge(&made);
    assert_int_equal(made.records.count, 2);
    assert_int_equal(made.records.unusable, 1);
    for (size_t i = 0; i < 2; i++)
        assert_true(made.record[i].usable == !strcmp(made.record[i].variant, "a"));
}

static void test_one_run_is_refused(void **state)
{
    struct repeats repeats;
    struct error error;
    struct made made;

    (void)state;
    start(&made);
    add(&made, "a", 10.0, 0.1)->run_id = "1";
    add(&made, "a", 10.1, 0.1)->run_id = "2";
    add(&made, "a", 10.0, 0.1)->run_id = "1";
    assert_int_equal(records_merge_repeats(&made.records, &repeats, &error), STATUS_FAILED);
    assert_non_null(strstr(error.text, "give each once"));
    start(&made);
    add(&made, "a", 10.0, 0.1);
    add(&made, "a", 10.1, 0.1)->table = &made.table[0];
    assert_int_equal(records_merge_repeats(&made.records, &repeats, &error), STATUS_FAILED);
}

static void test_ranks_are_refused(void **state)
{
    struct repeats repeats;
    struct error error;
    struct made made;

    (void)state;
    start(&made);
    add(&made, "a", 10.0, 0.1)->rank = 0.0;
    add(&made, "a", 10.0, 0.1)->rank = 1.0;
    assert_int_equal(records_merge_repeats(&made.records, &repeats, &error), STATUS_FAILED);
    assert_non_null(strstr(error.text, "vebench fleet"));
}

/* A normal error whose 95 % interval has the half width 1.96. */
static double normal(struct prng *prng)
{
    double sum = -6.0;

    for (size_t i = 0; i < 12; i++)
        sum += (double)prng_below(prng, 1u << 24) / (double)(1u << 24);
    return sum;
}

/* Of two to five runs, whose errors are as large as they say or, between runs, three times as
 * large: the merged interval holds the truth. */
static void test_truth_is_held(void **state)
{
    enum { DRAWS = 2000 };
    struct prng prng;
    unsigned held[2] = {0}, named = 0;

    (void)state;
    prng_seed(&prng, 33);
    for (size_t d = 0; d < DRAWS; d++) {
        for (size_t wide = 0; wide < 2; wide++) {
            size_t runs = wide ? 5 : 2 + d % 4;
            struct made made;

            start(&made);
            for (size_t i = 0; i < runs; i++)
                add(&made, "a", 100.0 + (wide ? 3.0 : 1.0) * normal(&prng), 1.96);
            struct repeats repeats = merge(&made);
            held[wide] += made.record[0].ci95_lo_ns <= 100.0 && made.record[0].ci95_hi_ns >= 100.0;
            named += !wide && repeats.disagreeing;
        }
    }
    assert_true(held[0] >= DRAWS * 93 / 100);
    assert_true(held[1] >= DRAWS * 90 / 100);
    assert_true(named <= DRAWS * 2 / 100); /* of equal runs */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_weights),
        cmocka_unit_test(test_disagreement_is_named),
        cmocka_unit_test(test_the_worst_is_named),
        cmocka_unit_test(test_what_is_not_usable),
        cmocka_unit_test(test_one_run_is_refused),
        cmocka_unit_test(test_ranks_are_refused),
        cmocka_unit_test(test_truth_is_held),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
