/* What verification sees: the first element that differs, wherever it is, and no other. */
#include "test.h"

#include "family/verify.h"

#include <string.h>

enum { COUNT = 5 };

static const struct launch launch = {{16, COUNT, 1, {0}}, NULL, 77, LAUNCH_MEASURE};

static void assert_says(enum status status, const struct error *error, const char *words)
{
    assert_int_equal(status, STATUS_FAILED);
    if (!strstr(error->text, words))
        fail_msg("\"%s\" does not say \"%s\"", error->text, words);
}

static void test_uints(void **state)
{
    const uint32_t expected[COUNT] = {1, 2, 3, 4, 5};
    uint32_t found[COUNT + 1] = {1, 2, 3, 4, 5, 99};
    struct buffer buffer = {.name = "out", .result = found, .bytes = sizeof(expected)};
    struct error error;

    (void)state;
    assert_int_equal(verify_uints(&buffer, expected, COUNT, &launch, &error), STATUS_OK);
    for (size_t i = 0; i < COUNT; i++) {
        char words[80];

        found[i] ^= 0x80000000u;
        snprintf(words, sizeof(words), "after 77 iterations: out[%zu] is 0x8000000%zu", i, i + 1);
        assert_says(verify_uints(&buffer, expected, COUNT, &launch, &error), &error, words);
        found[i] ^= 0x80000000u;
    }
    found[1] = found[3] = 0;
    assert_says(verify_uints(&buffer, expected, COUNT, &launch, &error), &error, "out[1]");
}

static void test_ulongs(void **state)
{
    const uint64_t expected[COUNT] = {1, 2, 3, 4, 5};
    uint64_t found[COUNT + 1] = {1, 2, 3, 4, 5, 99};
    struct buffer buffer = {.name = "out", .result = found, .bytes = sizeof(expected)};
    struct error error;

    (void)state;
    assert_int_equal(verify_ulongs(&buffer, expected, COUNT, &launch, &error), STATUS_OK);
    found[COUNT - 1] ^= UINT64_C(1) << 63;
    assert_says(verify_ulongs(&buffer, expected, COUNT, &launch, &error), &error,
                "out[4] is 0x8000000000000005, the host computes 0x0000000000000005");
}

/* The tolerance is of the largest value; what is no number is never right. */
static void test_floats(void **state)
{
    const float expected[COUNT] = {1.0f, -8.0f, 3.0f, 4.0f, 5.0f};
    float found[COUNT] = {1.0f, -8.0f, 3.0f, 4.0f, 5.0f};
    struct buffer buffer = {.name = "out", .result = found, .bytes = sizeof(expected)};
    struct error error;

    (void)state;
    assert_int_equal(verify_floats(&buffer, expected, COUNT, 0.0f, &launch, &error), STATUS_OK);
    found[4] = 5.5f;
    assert_int_equal(verify_floats(&buffer, expected, COUNT, 1.0f / 16, &launch, &error),
                     STATUS_OK);
    assert_says(verify_floats(&buffer, expected, COUNT, 1.0f / 32, &launch, &error), &error,
                "out[4] is 5.5, the host computes 5");
    found[4] = NAN;
    assert_says(verify_floats(&buffer, expected, COUNT, 1.0f, &launch, &error), &error, "out[4]");
}

static void test_subgroup_sizes(void **state)
{
    uint32_t found[COUNT] = {16, 16, 16, 16, 16};
    struct buffer buffer = {.result = found, .bytes = sizeof(found)};
    struct error error;

    (void)state;
    assert_int_equal(verify_subgroup_sizes(&buffer, &launch, &error), STATUS_OK);
    found[COUNT - 1] = 8;
    assert_says(verify_subgroup_sizes(&buffer, &launch, &error), &error,
                "work-item 4 ran in a sub-group of 8 instead of 16");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_uints),
        cmocka_unit_test(test_ulongs),
        cmocka_unit_test(test_floats),
        cmocka_unit_test(test_subgroup_sizes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
