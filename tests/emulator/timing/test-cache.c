/* The tag array: sets, least-recently-used replacement, dirty lines. */
#include "test.h"

#include "timing/cache.h"

#include <math.h>

static struct cache cache;

/* 4 sets of 2 ways. */
static int create(void **state)
{
    (void)state;
    return cache_init(&cache, 8 * 64, 2, 64);
}

static int destroy(void **state)
{
    (void)state;
    cache_release(&cache);
    return 0;
}

static bool insert(uint64_t line, bool dirty, uint64_t *victim)
{
    return cache_insert(&cache, line, 100 + line, dirty, victim);
}

static void test_holds_its_capacity(void **state)
{
    uint64_t victim;

    (void)state;
    for (uint64_t line = 0; line < 8; line++) {
        assert_null(cache_find(&cache, line));
        assert_false(insert(line, false, &victim));
    }
    for (uint64_t line = 0; line < 8; line++) {
        struct cache_line *found = cache_find(&cache, line);

        assert_non_null(found);
        assert_int_equal(found->line, line);
        assert_int_equal(found->ready, 100 + line);
    }
    assert_null(cache_find(&cache, 8)); /* the same set as 0 and 4, another line */
}

static void test_replaces_the_least_recently_used(void **state)
{
    uint64_t victim;

    (void)state;
    insert(0, false, &victim);
    insert(4, false, &victim);
    assert_non_null(cache_find(&cache, 0)); /* 4 is now the older one */
    insert(8, false, &victim);
    assert_null(cache_find(&cache, 4));
    assert_non_null(cache_find(&cache, 0));
    assert_non_null(cache_find(&cache, 8));
    insert(1, false, &victim); /* another set: nothing is evicted */
    assert_non_null(cache_find(&cache, 0));
    assert_non_null(cache_find(&cache, 8));
}

static void test_names_the_dirty_victim(void **state)
{
    uint64_t victim = 0;

    (void)state;
    insert(3, true, &victim);
    insert(7, false, &victim);
    assert_true(insert(11, false, &victim)); /* 3 leaves */
    assert_int_equal(victim, 3);
    assert_false(insert(15, false, &victim)); /* 7 leaves: clean */
    struct cache_line *line = cache_find(&cache, 11);
    assert_non_null(line);
    cache_write(&cache, line); /* later */
    insert(19, false, &victim);
    assert_true(insert(23, false, &victim));
    assert_int_equal(victim, 11);
}

static void test_cleans_and_forgets(void **state)
{
    uint64_t victim;

    (void)state;
    insert(0, true, &victim);
    insert(1, true, &victim);
    insert(2, false, &victim);
    assert_int_equal(cache_clean(&cache), 2);
    assert_int_equal(cache_clean(&cache), 0);
    assert_non_null(cache_find(&cache, 0)); /* clean, but there */
    cache_write(&cache, cache_find(&cache, 1));
    cache_write(&cache, cache_find(&cache, 1)); /* once is enough */
    cache_write(&cache, cache_find(&cache, 2));
    cache_drop(&cache, 2);
    assert_int_equal(cache_clean(&cache), 1);
    cache_write(&cache, cache_find(&cache, 0));
    cache_invalidate(&cache);
    for (uint64_t line = 0; line < 3; line++)
        assert_null(cache_find(&cache, line));
    assert_int_equal(cache_clean(&cache), 0);
}

static void test_none(void **state)
{
    struct cache none;
    uint64_t victim;

    (void)state;
    assert_int_equal(cache_init(&none, 0, 8, 64), 0);
    assert_false(cache_insert(&none, 5, 0, true, &victim));
    assert_null(cache_find(&none, 5));
    assert_int_equal(cache_clean(&none), 0);
    cache_invalidate(&none);
    cache_release(&none);
}

/* Sets need not be a power of two: 192 KB of 16 ways are 192 sets. */
static void test_odd_number_of_sets(void **state)
{
    struct cache odd;
    uint64_t victim;

    (void)state;
    assert_int_equal(cache_init(&odd, 196608, 16, 64), 0);
    assert_int_equal(odd.sets, 192);
    for (uint64_t line = 0; line < 192 * 16; line++)
        cache_insert(&odd, line, 0, false, &victim);
    for (uint64_t line = 0; line < 192 * 16; line++)
        assert_non_null(cache_find(&odd, line));
    cache_release(&odd);
}

/* How many of so many lines, `stride` lines apart, a scattered cache holds at once. */
static uint64_t lines_held(uint32_t sets, uint32_t ways, uint64_t stride, uint64_t lines)
{
    struct cache strided;
    uint64_t held = 0, victim;

    assert_int_equal(cache_init(&strided, (uint64_t)sets * ways * 64, ways, 64), 0);
    assert_int_equal(strided.sets, sets);
    cache_scatter(&strided);
    for (uint64_t i = 0; i < lines; i++)
        cache_insert(&strided, i * stride, 0, false, &victim);
    for (uint64_t i = 0; i < lines; i++)
        held += cache_peek(&strided, i * stride) != NULL;
    cache_release(&strided);
    return held;
}

/* Lines of any stride find room in a cache that has it for twice as many. If each line chose one of
 * many sets by chance, 98 % would be held: sum of max(k - 8, 0) P(k) for k of Poisson with mean 4.
 */
static void test_strides(void **state)
{
    static const uint32_t sets[] = {192, 1024, 3072, 4096, 4681, 5461, 7281, 8192, 12288, 18432};
    (void)state;
    for (size_t s = 0; s < sizeof(sets) / sizeof(sets[0]); s++)
        for (uint64_t stride = 1; stride < 40000; stride += 1 + stride / 16) {
            uint64_t lines = sets[s] * 4, held = lines_held(sets[s], 8, stride, lines);

            if (held * 100 < lines * 90)
                fail_msg("%u sets hold %u of %u lines, %u apart", sets[s], (unsigned)held,
                         (unsigned)lines, (unsigned)stride);
        }
}

/* Walks round and round through a cache of 64 sets that has so many lines to each: the share that
 * is found, once that has settled. */
static double share_found(uint32_t ways, uint64_t lines_of_set, uint32_t percent)
{
    enum { SETS = 64, LINE_BYTES = 64, SETTLED = 20, ROUNDS = 40 };
    const uint64_t lines = SETS * lines_of_set;
    struct cache walked;
    uint64_t found = 0, victim;

    assert_int_equal(cache_init(&walked, SETS * ways * LINE_BYTES, ways, LINE_BYTES), 0);
    cache_replace_at_random(&walked, percent);
    for (uint64_t step = 0; step < ROUNDS * lines; step++) {
        bool is_found = cache_find(&walked, step % lines);

        found += is_found && step >= SETTLED * lines;
        if (!is_found)
            cache_insert(&walked, step % lines, 0, false, &victim);
    }
    cache_release(&walked);
    return (double)found / (double)((ROUNDS - SETTLED) * lines);
}

/* By least recent use nothing stays of a set that is too large. At random, a line stays while none
 * of those that miss meanwhile takes its place: of so many lines to a set, the share h stays where
 * h = (1 - 1 / ways) ^ (lines (1 - h)), if lines were independent, which they are the more the more
 * ways there are. */
static void test_replaces_at_random(void **state)
{
    enum { WAYS = 64 };

    (void)state;
    for (uint64_t lines = 3 * WAYS / 2; lines <= 3 * WAYS; lines += WAYS / 2) {
        double kept = 0.0;

        for (unsigned i = 0; i < 1000; i++)
            kept = pow(1.0 - 1.0 / WAYS, (double)lines * (1.0 - kept));
        double found = share_found(WAYS, lines, 100);
        print_message("%u lines to a set: %.3f found, %.3f expected\n", (unsigned)lines, found,
                      kept);
        assert_true(fabs(found - kept) < 0.01);
        assert_true(share_found(WAYS, lines, 50) < found);
        assert_true(share_found(WAYS, lines, 0) == 0.0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_holds_its_capacity, create, destroy),
        cmocka_unit_test_setup_teardown(test_replaces_the_least_recently_used, create, destroy),
        cmocka_unit_test_setup_teardown(test_names_the_dirty_victim, create, destroy),
        cmocka_unit_test_setup_teardown(test_cleans_and_forgets, create, destroy),
        cmocka_unit_test(test_none),
        cmocka_unit_test(test_odd_number_of_sets),
        cmocka_unit_test(test_strides),
        cmocka_unit_test(test_replaces_at_random),
    };

    return cmocka_run_group_tests_name("cache", tests, NULL, NULL);
}
