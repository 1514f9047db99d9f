/* The distance of words: pairs from textbooks, and all words of three letters against the
 * definition, tried out: fewest letters inserted, deleted, replaced or swapped with a neighbour. */
#include "test.h"

#include "family/near.h"

#include <stdio.h>
#include <string.h>

/* Mistakes that near_consider() finds: the word is long enough for any to be near. */
static size_t mistakes(const char *word, const char *name)
{
    struct near near = near_begin(word, strlen(word));

    near_consider(&near, name);
    return near.best ? near.mistakes : 99;
}

static void test_pairs(void **state)
{
    static const struct {
        const char *word, *name;
        size_t mistakes;
    } pairs[] = {
        {"workgroup_size", "workgroup_size", 0},
        {"wrokgroup_size", "workgroup_size", 1},
        {"wokgroup_size", "workgroup_size", 1},
        {"workgroupp_size", "workgroup_size", 1},
        {"workgroup_sise", "workgroup_size", 1},
        {"orkgroup_size", "workgroup_size", 1},
        {"workgroup_siz", "workgroup_size", 1},
        {"owrkgruop_size", "workgroup_size", 2},
        {"kittenkitten", "sittenkittin", 2},
        {"saturdaysaturday", "sundaysaturday", 3},
        {"intentionintention", "intentionexecution", 5}, /* Jurafsky, Martin: Speech and Language */
        {"barrier", "launch", 99},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
        if (mistakes(pairs[i].word, pairs[i].name) != pairs[i].mistakes)
            fail_msg("%s, %s: %zu mistakes instead of %zu", pairs[i].word, pairs[i].name,
                     mistakes(pairs[i].word, pairs[i].name), pairs[i].mistakes);
    }
}

#define PREFIX "a_long_word_of_which_the_end_differs_"

/* By recursion on the last letters, with no part of a pair of swapped letters touched again. */
static size_t distance(const char *a, size_t m, const char *b, size_t n)
{
    if (m == 0 || n == 0)
        return m + n;
    size_t least = distance(a, m - 1, b, n) + 1;
    size_t other = distance(a, m, b, n - 1) + 1;

    least = other < least ? other : least;
    other = distance(a, m - 1, b, n - 1) + (a[m - 1] != b[n - 1]);
    least = other < least ? other : least;
    if (m > 1 && n > 1 && a[m - 1] == b[n - 2] && a[m - 2] == b[n - 1]) {
        other = distance(a, m - 2, b, n - 2) + 1;
        least = other < least ? other : least;
    }
    return least;
}

static void test_all_of_three_letters(void **state)
{
    char a[] = PREFIX "xxx", b[] = PREFIX "xxx", *x = a + strlen(PREFIX), *y = b + strlen(PREFIX);

    (void)state;
    for (unsigned i = 0; i < 27 * 27; i++) {
        for (unsigned k = 0, left = i; k < 6; k++, left /= 3)
            (k < 3 ? x : y)[k % 3] = (char)('p' + left % 3);
        assert_int_equal(mistakes(a, b), distance(x, 3, y, 3));
    }
}

/* A third of the letters may be wrong; the nearest is kept, the first of equals; longer words than
 * 40 letters are near to nothing. */
static void test_kept(void **state)
{
    static const char long_word[] = "0123456789012345678901234567890123456789x";
    struct near near = near_begin("barier=3", 6);
    struct error error;

    (void)state;
    error_set(&error, STATUS_USAGE, "no");
    near_append(&near, "--", &error);
    assert_string_equal(error.text, "no");
    near_consider(&near, "barriers");
    near_consider(&near, "barrier");
    near_consider(&near, "carier");
    assert_string_equal(near.best, "barrier");
    near_append(&near, "--", &error);
    assert_string_equal(error.text, "no; did you mean --barrier?");
    assert_int_equal(mistakes("abcdef", "abcdxy"), 2);
    assert_int_equal(mistakes("abcde", "abcxy"), 99);
    assert_int_equal(mistakes("abc", "abx"), 1);
    assert_int_equal(mistakes("ab", "ax"), 99);
    assert_int_equal(mistakes(long_word, long_word), 99);
    assert_int_equal(mistakes(long_word + 1, long_word + 1), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pairs),
        cmocka_unit_test(test_all_of_three_letters),
        cmocka_unit_test(test_kept),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
