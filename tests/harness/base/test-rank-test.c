/* The rank test against probabilities counted by hand or taken from tables. */
#include "test.h"

#include "math/rank-test.h"

static void test_counted_by_hand(void **state)
{
    /* Of the 20 orders of 3 and 3 only one has the first three lowest. */
    static const double low[] = {1, 2, 3}, high[] = {4, 5, 6};
    /* U = 2 for 5 and 5: 4 of 252 orders have at most two inversions. */
    static const double a[] = {1, 2, 3, 4, 7}, b[] = {5, 6, 8, 9, 10};

    (void)state;
    assert_near(rank_test(low, 3, high, 3), 2.0 / 20.0, 1e-12);
    assert_near(rank_test(high, 3, low, 3), 2.0 / 20.0, 1e-12);
    assert_near(rank_test(a, 5, b, 5), 8.0 / 252.0, 1e-12);
    assert_near(rank_test(low, 1, high, 1), 1.0, 1e-12);
}

/* Table of the 5 % points for 8 and 8: U = 13 is significant, U = 14 is not. */
static void test_table(void **state)
{
    double a[8], b[8];

    (void)state;
    for (unsigned i = 0; i < 8; i++) {
        a[i] = 1 + i;
        b[i] = 101 + i;
    }
    a[7] = 106.5; /* above six of b */
    a[6] = 105.5; /* five */
    a[5] = 102.5; /* two: U = 13 */
    assert_true(rank_test(a, 8, b, 8) < 0.05);
    a[4] = 101.5; /* one more: U = 14 */
    assert_true(rank_test(a, 8, b, 8) > 0.05);
}

static void test_ties_and_nothing(void **state)
{
    static const double same[] = {2, 2, 2, 2, 2, 2};

    (void)state;
    assert_near(rank_test(same, 6, same, 6), 1.0, 1e-12);
    assert_near(rank_test(same, 0, same, 6), 1.0, 1e-12);
}

/* The approximation agrees with the exact count where both are available. */
static void test_approximation(void **state)
{
    double a[21], b[21];

    (void)state;
    for (unsigned i = 0; i < 21; i++) {
        a[i] = 2 * i;
        b[i] = 2 * i + 13;
    }
    assert_near(rank_test(a, 20, b, 20), rank_test(a, 21, b, 20), 0.02);
}

/* One value below 21 others: U = 0, of mean 10.5 and variance 21 * 23 / 12 = 40.25. With the
 * correction for continuity that is 10 / 6.344 = 1.576 standard deviations off, whose two tails
 * have 11.5 % by the table of the normal distribution. */
static void test_continuity(void **state)
{
    double others[21];
    const double below = -1.0;

    (void)state;
    for (unsigned i = 0; i < 21; i++)
        others[i] = i;
    assert_near(rank_test(others, 21, &below, 1), 0.115, 5e-4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counted_by_hand),  cmocka_unit_test(test_table),
        cmocka_unit_test(test_ties_and_nothing), cmocka_unit_test(test_approximation),
        cmocka_unit_test(test_continuity),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
