/* The tag array: sets, least-recently-used replacement, dirty lines. */
#include "test.h"

#include "timing/cache.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_holds_its_capacity, create, destroy),
        cmocka_unit_test_setup_teardown(test_replaces_the_least_recently_used, create, destroy),
        cmocka_unit_test_setup_teardown(test_names_the_dirty_victim, create, destroy),
        cmocka_unit_test_setup_teardown(test_cleans_and_forgets, create, destroy),
        cmocka_unit_test(test_none),
        cmocka_unit_test(test_odd_number_of_sets),
    };

    return cmocka_run_group_tests_name("cache", tests, NULL, NULL);
}
