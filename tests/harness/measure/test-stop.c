/* The stop rule: how it is parsed, what it refuses, and when it stops. */
#include "test.h"

#include "measure/stop.h"

#include <string.h>

static void test_reads(void **state)
{
    struct stop_rule rule;
    struct error error;

    (void)state;
    assert_int_equal(stop_parse("stdrel=0.5%,min=12,max=34", &rule, &error), STATUS_OK);
    assert_near(rule.stdrel, 0.005, 1e-12);
    assert_int_equal(rule.min, 12);
    assert_int_equal(rule.max, 34);
    assert_int_equal(stop_parse("max=5,stdrel=0.01", &rule, &error), STATUS_OK);
    assert_near(rule.stdrel, 0.01, 1e-12);
    assert_int_equal(rule.min, 0);
    assert_int_equal(rule.max, 5);
}

static void test_refuses(void **state)
{
    static const char *const bad[] = {
        "",          "min",          "min=",          "min=1",       "min=2.5",  "min=20000",
        "max=-3",    "min=5,max=4",  "min=5,",        ",min=5",      "stdrel=0", "stdrel=100%",
        "stdrel=1e", "min=5,min=6",  "stdrel=nan",    "rounds=3",    "min=5 ",   "stdrel=%",
        "min=5%",    "min=5;max=10", "max=5,max=6,x", "stdrel=-0.5%"};

    (void)state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        struct stop_rule rule;
        struct error error;

        assert_int_equal(stop_parse(bad[i], &rule, &error), STATUS_USAGE);
        assert_non_null(strstr(error.text, "--stop"));
    }
}

static void test_completes(void **state)
{
    const struct stop_rule nothing = {0}, most = {.max = 5}, fewest = {.min = 100};
    const struct stop_rule four = {.min = 4, .max = 4};
    struct stop_rule rule = stop_complete(&nothing, false);

    (void)state;
    assert_true(rule.min == 1 && rule.max == 12);
    rule = stop_complete(&nothing, true);
    assert_true(rule.min == 10 && rule.max == 60);
    assert_near(rule.stdrel, 0.005, 1e-12);
    rule = stop_complete(&most, true);
    assert_true(rule.min == 5 && rule.max == 5);
    rule = stop_complete(&fewest, true);
    assert_true(rule.min == 100 && rule.max == 100);
    rule = stop_complete(&four, false);
    assert_true(rule.min == 4 && rule.max == 4);
}

static void test_is_content(void **state)
{
    const struct stop_rule rule = {0.01, 2, 10};

    (void)state;
    assert_true(stop_is_steady(&rule, -100.0, 1.0, 0.0));
    assert_false(stop_is_steady(&rule, 100.0, 1.1, 0.0));
    /* In a loop of 100, a value of 0 need not be known better than one of 10. */
    assert_true(stop_is_steady(&rule, 0.0, 0.1, 100.0));
    assert_false(stop_is_steady(&rule, 0.0, 0.11, 100.0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reads),
        cmocka_unit_test(test_refuses),
        cmocka_unit_test(test_completes),
        cmocka_unit_test(test_is_content),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
