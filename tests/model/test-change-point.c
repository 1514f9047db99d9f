/* The levels of latency staircases, as published and as measured: blurred, incomplete, noisy.
 * Argument: the folder of the staircases. */
#include "test.h"

#include "math/change-point.h"
#include "rows/records.h"

#include <stdio.h>
#include <string.h>

#define KIB        1024.0
#define MIB        (1024.0 * KIB)
#define POINTS_MAX 64

static const char *folder;

struct staircase {
    struct staircase_point point[POINTS_MAX];
    size_t count;
};

static void add(struct staircase *s, double size, double value)
{
    assert_true(s->count < POINTS_MAX);
    s->point[s->count++] = (struct staircase_point){.size = size, .value = value};
}

static void add_level(struct staircase *s, double from, double to, double value)
{
    for (double size = from; size <= to; size *= 2.0)
        add(s, size, value);
}

struct expected {
    double value, last_size, next_size;
};

static void assert_levels(const struct staircase *s, const struct expected *expected, size_t count,
                          double tolerance)
{
    struct staircase_level levels[STAIRCASE_LEVELS_MAX];
    struct error error;
    size_t found;

    if (staircase_levels(s->point, s->count, 1, levels, &found, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    for (size_t i = 0; i < found; i++)
        print_message("level of %g [%g, %g], %g to %g, below %g bytes\n", levels[i].value,
                      levels[i].interval.low, levels[i].interval.high, levels[i].first_size,
                      levels[i].last_size, levels[i].next_size);
    assert_int_equal(found, count);
    for (size_t i = 0; i < count; i++) {
        assert_near(levels[i].value, expected[i].value, tolerance * expected[i].value);
        assert_true(levels[i].last_size <= expected[i].last_size);
        assert_true(levels[i].next_size >= expected[i].next_size);
        assert_true(levels[i].interval.low <= levels[i].value);
        assert_true(levels[i].interval.high >= levels[i].value);
    }
}

static void test_published(void **state)
{
    /* 61 * 1000 / 1600 ns and so on. */
    static const struct expected levels[] = {{38.125, 512 * KIB, 1 * MIB},
                                             {266.25, 128 * MIB, 256 * MIB},
                                             {536.25, 1024 * MIB, INFINITY}};
    struct staircase s = {.count = 0};
    struct records records;
    const char *paths[1];
    struct error error;
    char path[1024];

    (void)state;
    snprintf(path, sizeof(path), "%s/max-1550-tile.csv", folder);
    paths[0] = path;
    if (records_read(&records, paths, 1, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    assert_int_equal(records.unusable, 0);
    for (size_t i = 0; i < records.count; i++)
        add(&s, record_parameter(&records.record[i], "working_set", NAN), records.record[i].value);
    records_free(&records);
    assert_levels(&s, levels, 3, 1e-9);
}

/* Steps spread over several sizes belong to no level. */
static void test_blurred(void **state)
{
    static const struct expected levels[] = {
        {45, 128 * KIB, 192 * KIB}, {200, 2 * MIB, 3 * MIB}, {600, 256 * MIB, INFINITY}};
    struct staircase s = {.count = 0};

    (void)state;
    add_level(&s, 4 * KIB, 128 * KIB, 45);
    add(&s, 192 * KIB, 70);
    add(&s, 256 * KIB, 130);
    add(&s, 384 * KIB, 175);
    add_level(&s, 512 * KIB, 2 * MIB, 200);
    add(&s, 3 * MIB, 240);
    add(&s, 4 * MIB, 330);
    add(&s, 8 * MIB, 480);
    add(&s, 16 * MIB, 560);
    add_level(&s, 32 * MIB, 256 * MIB, 600);
    assert_levels(&s, levels, 3, 0.01);
}

/* Two equal sizes within a step are a level only if the larger one is 1.5 times the smaller one. */
static void test_narrow(void **state)
{
    static const struct expected wide[] = {
        {45, 128 * KIB, 256 * KIB}, {130, 400 * KIB, 1 * MIB}, {600, 64 * MIB, INFINITY}};
    static const struct expected narrow[] = {{45, 128 * KIB, 256 * KIB}, {600, 64 * MIB, INFINITY}};

    (void)state;
    for (unsigned is_wide = 0; is_wide < 2; is_wide++) {
        struct staircase s = {.count = 0};

        add_level(&s, 4 * KIB, 128 * KIB, 45);
        add(&s, 256 * KIB, 130);
        add(&s, is_wide ? 400 * KIB : 370 * KIB, 130);
        add_level(&s, 1 * MIB, 64 * MIB, 600);
        assert_levels(&s, is_wide ? wide : narrow, is_wide ? 3 : 2, 1e-9);
    }
}

static void assert_unclear(const struct staircase *s)
{
    struct staircase_level levels[STAIRCASE_LEVELS_MAX];
    struct error error;
    size_t found;

    assert_int_equal(staircase_levels(s->point, s->count, 1, levels, &found, &error),
                     STATUS_FAILED);
    assert_non_null(strstr(error.text, "no clear levels"));
}

/* A single size is not a level, however far it lies from its neighbours, nor the start of one. */
static void test_lone_sizes(void **state)
{
    static const struct expected levels[] = {{200, 1 * MIB, 8 * MIB}};
    struct staircase s = {.count = 0};

    (void)state;
    add(&s, 16 * KIB, 45);
    assert_unclear(&s);
    add(&s, 256 * KIB, 200);
    add(&s, 8 * MIB, 600);
    assert_unclear(&s);
    add(&s, 512 * KIB, 200);
    add(&s, 1 * MIB, 200);
    assert_levels(&s, levels, 1, 0.01);
}

/* Two sizes for each level are enough: the default sweep. */
static void test_two_sizes(void **state)
{
    static const struct expected levels[] = {
        {45, 32 * KIB, 256 * KIB}, {200, 512 * KIB, 8 * MIB}, {600, 16 * MIB, INFINITY}};
    struct staircase s = {.count = 0};

    (void)state;
    add_level(&s, 16 * KIB, 32 * KIB, 45);
    add_level(&s, 256 * KIB, 512 * KIB, 200);
    add_level(&s, 8 * MIB, 16 * MIB, 600);
    assert_levels(&s, levels, 3, 0.01);
}

/* A slope without steps has no levels. */
static void test_slope(void **state)
{
    struct staircase s = {.count = 0};

    (void)state;
    for (double size = 4 * KIB; size <= 256 * MIB; size *= 2.0)
        add(&s, size, 40.0 * pow(size / (4 * KIB), 0.3));
    assert_unclear(&s);
}

/* A falling latency is noise around a level. */
static void test_never_falls(void **state)
{
    static const struct expected levels[] = {{100, 32 * KIB, 64 * KIB}, {300, 1 * MIB, INFINITY}};
    struct staircase s = {.count = 0};

    (void)state;
    add_level(&s, 4 * KIB, 32 * KIB, 100);
    add_level(&s, 64 * KIB, 128 * KIB, 330);
    add_level(&s, 256 * KIB, 1 * MIB, 270);
    assert_levels(&s, levels, 2, 0.11);
}

/* Out of order, each size several times, 3 % of noise, one outlier, missing sizes. */
static void test_noise_ties_gaps(void **state)
{
    static const struct expected levels[] = {
        {30, 32 * KIB, 128 * KIB}, {90, 1 * MIB, 1 * MIB}, {300, 64 * MIB, INFINITY}};
    struct staircase s = {.count = 0};
    struct prng prng;

    (void)state;
    add_level(&s, 16 * MIB, 64 * MIB, 300);
    add_level(&s, 16 * MIB, 64 * MIB, 300);
    add_level(&s, 4 * KIB, 32 * KIB, 30);
    add_level(&s, 4 * KIB, 32 * KIB, 30);
    add_level(&s, 4 * KIB, 32 * KIB, 30);
    add_level(&s, 128 * KIB, 512 * KIB, 90);
    add_level(&s, 128 * KIB, 512 * KIB, 90);
    add_level(&s, 128 * KIB, 512 * KIB, 90);
    prng_seed(&prng, 7);
    for (size_t i = 0; i < s.count; i++)
        s.point[i].value *= 1.0 + 0.03 * bootstrap_normal(&prng);
    s.point[7].value *= 3.0;
    assert_levels(&s, levels, 3, 0.04);
}

/* No level may be invented: noise alone is one level, for any seed. */
static void test_flat(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 200; seed++) {
        struct staircase_level levels[STAIRCASE_LEVELS_MAX];
        struct staircase s = {.count = 0};
        struct error error;
        struct prng prng;
        size_t found;

        prng_seed(&prng, seed);
        for (double size = KIB; size <= 512 * MIB; size *= 2.0)
            add(&s, size, 100.0 * (1.0 + 0.03 * bootstrap_normal(&prng)));
        assert_int_equal(staircase_levels(s.point, s.count, 1, levels, &found, &error), STATUS_OK);
        assert_int_equal(found, 1);
    }
}

/* The interval has to contain a level's true value as often as it claims. */
static void test_coverage(void **state)
{
    unsigned covered = 0, trials = 400;

    (void)state;
    for (uint64_t seed = 0; seed < trials; seed++) {
        struct staircase_level levels[STAIRCASE_LEVELS_MAX];
        struct staircase s = {.count = 0};
        struct error error;
        struct prng prng;
        size_t found;

        prng_seed(&prng, 1000 + seed);
        for (double size = KIB; size <= 256 * KIB; size *= 2.0)
            add(&s, size, 100.0 * (1.0 + 0.02 * bootstrap_normal(&prng)));
        assert_int_equal(staircase_levels(s.point, s.count, seed, levels, &found, &error),
                         STATUS_OK);
        assert_int_equal(found, 1);
        covered += levels[0].interval.low <= 100.0 && levels[0].interval.high >= 100.0;
    }
    print_message("intervals of a level hold the truth in %.1f %% of %u trials\n",
                  100.0 * covered / trials, trials);
    assert_true(covered >= 0.92 * trials);
}

/* What a staircase of one parameter is asked. */
typedef bool staircase_question(double parameter);

/* The parameter at which the answer becomes yes: no at `low`, yes at `high`. */
static double threshold(staircase_question *question, double low, double high)
{
    assert_false(question(low));
    assert_true(question(high));
    for (unsigned step = 0; step < 40; step++) {
        double middle = (low + high) / 2.0;

        if (question(middle))
            high = middle;
        else
            low = middle;
    }
    return high;
}

static size_t levels_of(const struct staircase *s, struct staircase_level *levels)
{
    struct error error;
    size_t found;

    return staircase_levels(s->point, s->count, 1, levels, &found, &error) == STATUS_OK ? found : 0;
}

/* Two flat levels of that ratio are told apart. */
static bool are_two(double ratio)
{
    struct staircase_level levels[STAIRCASE_LEVELS_MAX];
    struct staircase s = {.count = 0};

    add_level(&s, 4 * KIB, 32 * KIB, 100);
    add_level(&s, 64 * KIB, 512 * KIB, 100 * ratio);
    return levels_of(&s, levels) == 2;
}

/* So slow a rise, by that factor a doubling, is no level. */
static bool is_slope(double factor)
{
    struct staircase_level levels[STAIRCASE_LEVELS_MAX];
    struct staircase s = {.count = 0};

    for (unsigned i = 0; i < 3; i++)
        add(&s, KIB * (1u << i), 100.0 * pow(factor, i));
    return levels_of(&s, levels) == 0;
}

/* Two sizes of that ratio, and two in the distance, are levels. */
static bool are_wide(double ratio)
{
    struct staircase_level levels[STAIRCASE_LEVELS_MAX];
    struct staircase s = {.count = 0};

    add(&s, KIB, 100);
    add(&s, KIB * ratio, 100);
    add_level(&s, MIB, 4 * MIB, 200);
    return levels_of(&s, levels) == 2;
}

/* Of 17 sizes, the first sixteen `away` and `-away` from 100 by turns, relatively. */
static double swing;

#define SIZES 17

static struct staircase swinging(double last)
{
    struct staircase s = {.count = 0};

    for (unsigned i = 0; i + 1 < SIZES; i++)
        add(&s, KIB * (1u << i), 100.0 * exp(i % 2 ? swing : -swing));
    add(&s, KIB * (1u << (SIZES - 1)), 100.0 * exp(last));
    return s;
}

/* The last size belongs to a step beyond the level. */
static bool is_beyond(double last)
{
    struct staircase_level levels[STAIRCASE_LEVELS_MAX];
    struct staircase s = swinging(last);

    assert_int_equal(levels_of(&s, levels), 1);
    return levels[0].last_size < s.point[SIZES - 1].size;
}

/* Squared deviations from the mean of the first `count` logarithms. */
static double scatter(double last, size_t count)
{
    double mean = 0.0, squares = 0.0;

    for (size_t i = 0; i < count; i++)
        mean += (i + 1 == SIZES ? last : i % 2 ? swing : -swing) / (double)count;
    for (size_t i = 0; i < count; i++) {
        double away = (i + 1 == SIZES ? last : i % 2 ? swing : -swing) - mean;

        squares += away * away;
    }
    return squares;
}

/* Where a level with the last size costs more than one without and a step: scatter in units of the
 * noise, against three quarters of 2 ln(n + 1) + 1 (change-point.h). */
static double costs_more_from(double noise)
{
    double low = swing, high = 1.0, step = 0.75 * (2.0 * log(SIZES + 1.0) + 1.0);

    for (unsigned i = 0; i < 60; i++) {
        double middle = (low + high) / 2.0;
        double more = scatter(middle, SIZES) - scatter(middle, SIZES - 1);

        if (more > step * noise * noise)
            high = middle;
        else
            low = middle;
    }
    return high;
}

/* What separates levels, to four digits. */
static void test_thresholds(void **state)
{
    (void)state;
    assert_near(threshold(are_two, 1.01, 1.5), 1.15, 1e-4);
    assert_near(threshold(is_slope, 1.01, 1.1), 1.05, 1e-4);
    assert_near(threshold(are_wide, 1.2, 1.9), 1.5, 1e-4);
}

/* A last size is a step where it costs less than noise would: a hundredth at least, 1.4826 /
 * sqrt(2) of the median difference between neighbours, a twentieth at most. */
static void test_penalties(void **state)
{
    (void)state;
    swing = 0.0;
    assert_near(threshold(is_beyond, 0.0, 0.14), costs_more_from(0.01), 1e-6);
    swing = 0.01;
    assert_near(threshold(is_beyond, 0.0, 0.14), costs_more_from(1.4826 / sqrt(2.0) * 0.02), 1e-6);
    swing = 0.04;
    assert_near(threshold(is_beyond, 0.0, 0.9), costs_more_from(0.05), 1e-6);
}

/* Beyond a cache, the share that it does not hold takes the next level's time: of a set of twice
 * the first size that exceeds it, half or, to allow for noise, four fifths of that. */
static double share_of_first;

static bool is_a_step(double share)
{
    struct staircase_level levels[STAIRCASE_LEVELS_MAX];
    struct staircase s = {.count = 0};

    add_level(&s, 4 * KIB, 32 * KIB, 100);
    add(&s, 64 * KIB, 100 + 200 * share_of_first);
    add(&s, 128 * KIB, 100 + 200 * share);
    add(&s, 256 * KIB, 100 + 200 * 0.7);
    add_level(&s, 1 * MIB, 16 * MIB, 300);
    assert_int_equal(levels_of(&s, levels), 2);
    if (levels[0].ramp_end != 0.0)
        assert_near(levels[0].ramp_end, MIB, 0.0);
    assert_near(levels[1].ramp_end, 0.0, 0.0);
    return levels[0].ramp_end == 0.0;
}

static void test_ramp(void **state)
{
    (void)state;
    share_of_first = 0.15;
    assert_near(threshold(is_a_step, 0.3, 0.6), 0.8 * 0.5, 1e-4);
}

/* More levels than there is room for are not clear. */
static void test_many_levels(void **state)
{
    struct staircase_level levels[STAIRCASE_LEVELS_MAX];
    struct staircase s = {.count = 0};

    (void)state;
    for (unsigned i = 0; i < STAIRCASE_LEVELS_MAX; i++)
        add_level(&s, KIB * (1u << 2 * i), 2 * KIB * (1u << 2 * i), 100.0 * (1u << i));
    assert_int_equal(levels_of(&s, levels), STAIRCASE_LEVELS_MAX);
    add_level(&s, 1024 * MIB, 2048 * MIB, 1e6);
    assert_unclear(&s);
}

/* An even number of values of a size counts as the geometric mean of the two in the middle; what is
 * said of a level is the median of all its values. */
static void test_values_of_a_size(void **state)
{
    static const struct expected one[] = {{110, 2 * KIB, INFINITY}};
    struct staircase s = {.count = 0};

    (void)state;
    add_level(&s, KIB, 2 * KIB, 109);
    add_level(&s, KIB, 2 * KIB, 111);
    add_level(&s, KIB, 2 * KIB, 110);
    add_level(&s, KIB, 2 * KIB, 110);
    assert_levels(&s, one, 1, 1e-12);
}

static void test_refusals(void **state)
{
    static const struct staircase_point bad[] = {{1024, 10, 0}, {2048, -1, 0}};
    struct staircase_level levels[STAIRCASE_LEVELS_MAX];
    struct error error;
    size_t found;

    (void)state;
    assert_int_equal(staircase_levels(bad, 0, 1, levels, &found, &error), STATUS_FAILED);
    assert_int_equal(staircase_levels(bad, 2, 1, levels, &found, &error), STATUS_FAILED);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_published),   cmocka_unit_test(test_blurred),
        cmocka_unit_test(test_narrow),      cmocka_unit_test(test_lone_sizes),
        cmocka_unit_test(test_two_sizes),   cmocka_unit_test(test_slope),
        cmocka_unit_test(test_never_falls), cmocka_unit_test(test_noise_ties_gaps),
        cmocka_unit_test(test_flat),        cmocka_unit_test(test_coverage),
        cmocka_unit_test(test_refusals),    cmocka_unit_test(test_thresholds),
        cmocka_unit_test(test_penalties),   cmocka_unit_test(test_ramp),
        cmocka_unit_test(test_many_levels), cmocka_unit_test(test_values_of_a_size),
    };

    if (argc != 2)
        return 2;
    folder = argv[1];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
