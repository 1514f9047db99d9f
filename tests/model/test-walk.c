/* Walks through sets that are too large for a cache, against what follows without a simulation: by
 * least recent use nothing stays; at random, the fixed point of how long a line stays; of lines
 * fetched ahead, every step that goes no farther finds its own until the last of them. */
#include "test.h"

#include "base/prng.h"
#include "families/latency/latency-walk.h"

#include <math.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

enum { WAYS = 16 };

static double share(double times, uint32_t jump, uint32_t percent, uint32_t ahead)
{
    return walk_share(&(struct walk){times, jump}, &(struct walked_cache){WAYS, percent, ahead},
                      WALK_STEPS);
}

static void test_least_recent_use(void **state)
{
    static const double larger[] = {1.2, 1.5, 2.0, 3.0};

    (void)state;
    for (uint32_t jump = 0; jump <= 16; jump = jump ? 2 * jump : 1) {
        assert_near(share(0.9, jump, 0, 0), 1.0, 0.0);
        for (size_t i = 0; i < COUNT(larger); i++)
            assert_near(share(larger[i], jump, 0, 0), 0.0, 0.0);
    }
}

/* As a model may say that nobody has measured. */
static void test_far_too_large(void **state)
{
    (void)state;
    assert_near(share(1e300, 0, 0, 0), 0.0, 0.0);
    assert_near(share(INFINITY, 1, 100, 0), 0.0, 0.0);
    assert_near(share(1e9, 16, 0, 4), 0.0, 0.0);
}

/* Of m lines in a set, a step of which a share f is found: until its line's turn comes again the
 * others miss (m - 1)(1 - f) times, each of which leaves it there in all but one way of w. */
static double found_at_random(double times)
{
    double found = 0.0;

    for (int i = 0; i < 1000; i++)
        found = pow(1.0 - 1.0 / WAYS, (times * WAYS - 1.0) * (1.0 - found));
    return found;
}

static void test_at_random(void **state)
{
    static const double larger[] = {1.5, 2.0, 3.0, 6.0};

    (void)state;
    for (size_t i = 0; i < COUNT(larger); i++) {
        double found = share(larger[i], 0, 100, 0);

        print_message("%.1f times as large: %.3f of the steps found, %.3f expected\n", larger[i],
                      found, found_at_random(larger[i]));
        assert_near(found, found_at_random(larger[i]), WALK_TOLD);
    }
}

/* In whatever order they go round. */
static void test_at_random_by_jumps(void **state)
{
    static const double larger[] = {2.0, 3.0, 6.0};

    (void)state;
    for (size_t i = 0; i < COUNT(larger); i++)
        for (uint32_t jump = 1; jump <= 32; jump *= 2)
            assert_near(share(larger[i], jump, 100, 0), found_at_random(larger[i]), WALK_TOLD);
}

/* By least recent use, of steps that go up by `jump`. */
static double found_ahead(uint32_t ahead, uint32_t jump)
{
    return 1.0 - 1.0 / (ahead / jump + 1);
}

static void test_ahead(void **state)
{
    (void)state;
    for (uint32_t ahead = 0; ahead <= WALK_AHEAD_MOST; ahead++)
        for (uint32_t jump = 1; jump <= 16; jump *= 2)
            assert_near(share(2.0, jump, 0, ahead), found_ahead(ahead, jump), 0.01);
}

static void assert_has(const struct interval *interval, double value)
{
    assert_true(interval->low <= value && value <= interval->high);
}

/* Times of hits and misses, with noise; what a hit takes may be known or not. */
static void test_finds_ahead(void **state)
{
    static const uint32_t jumps[] = {1, 2, 4, 16};
    struct prng prng;

    (void)state;
    prng_seed(&prng, 1);
    for (uint32_t planted = 0; planted <= WALK_AHEAD_MOST; planted++) {
        double within = 100.0 + prng_below(&prng, 200), miss = 500.0 + prng_below(&prng, 1000);
        struct jump_time times[COUNT(jumps)];
        struct walk_ahead found = {0};

        for (size_t i = 0; i < COUNT(jumps); i++) {
            double kept = found_ahead(planted, jumps[i]);
            double noise = 1.0 + ((double)prng_below(&prng, 1001) - 500.0) / 1e5;

            times[i].walk = (struct walk){2.0, jumps[i]};
            times[i].time = (kept * within + (1.0 - kept) * miss) * noise;
        }
        assert_true(walk_find_ahead(times, COUNT(times), within, WAYS, &found));
        print_message("%u ahead, a miss of %.0f: found %.0f (%.0f to %.0f), %.0f (%.0f to %.0f)\n",
                      planted, miss, found.lines, found.lines_range.low, found.lines_range.high,
                      found.miss, found.miss_range.low, found.miss_range.high);
        assert_near(found.lines, planted, 0.0);
        assert_has(&found.lines_range, planted);
        assert_true(found.lines_range.high - found.lines_range.low <= 2.0);
        assert_near(found.miss, miss, 0.02 * miss);
        assert_has(&found.miss_range, miss);
        assert_true(walk_find_ahead(times, COUNT(times), NAN, WAYS, &found));
        assert_has(&found.lines_range, planted);
        assert_true((planted == 0) == (found.lines_range.low == 0.0));
        assert_has(&found.miss_range, miss);
        assert_false(walk_find_ahead(times, WALK_JUMPS_LEAST - 1, within, WAYS, &found));
    }
}

/* A device that fetches on hits as well has no time that any number of lines explains. */
static void test_finds_none(void **state)
{
    struct jump_time times[] = {
        {{2.0, 1}, 110.0}, {{2.0, 2}, 900.0}, {{2.0, 4}, 300.0}, {{2.0, 16}, 700.0}};
    struct walk_ahead found;

    (void)state;
    assert_false(walk_find_ahead(times, COUNT(times), 100.0, WAYS, &found));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_least_recent_use),
        cmocka_unit_test(test_far_too_large),
        cmocka_unit_test(test_at_random),
        cmocka_unit_test(test_at_random_by_jumps),
        cmocka_unit_test(test_ahead),
        cmocka_unit_test(test_finds_ahead),
        cmocka_unit_test(test_finds_none),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
