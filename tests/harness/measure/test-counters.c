/* Counters of the hardware on the fake device: they count the kernel that is timed and nothing
 * else, they disturb no timed launch, and a device without them says what it takes. */
#include "test.h"

#include "fake-ze.h"
#include "families/registry.h"
#include "measure/lead.h"
#include "ze/counters.h"

#include <stdlib.h>
#include <string.h>

enum { COUNTS_MAX = 64 };

static struct session session;
static struct kernel kernels[FAKE_VARIANTS];
static struct measurement measurements[FAKE_VARIANTS];
static struct count counts[COUNTS_MAX];
static size_t count_count;

static int open_fake(void **state)
{
    (void)state;
    fake_open(&session, kernels);
    fake_lead(&session);
    memset(measurements, 0, sizeof(measurements));
    count_count = 0;
    return 0;
}

static int close_fake(void **state)
{
    (void)state;
    counters_close(&session);
    return fake_close() == 0 ? 0 : -1;
}

static enum status put_count(void *context, const struct count *count, struct error *error)
{
    (void)context;
    (void)error;
    assert_true(count_count < COUNTS_MAX);
    counts[count_count++] = *count;
    return STATUS_OK;
}

static void measure(void)
{
    const struct configuration configuration = {16, 64, 2, {0}};
    const struct measure_options options = {.seed = 1};
    const struct sample_sink sink = {.count = put_count};
    struct error error;

    if (measure_configuration(&session, family_find(&families, "barrier"), &configuration, kernels,
                              &options, &sink, NULL, measurements, &error) != STATUS_OK)
        fail_msg("%s", error.text);
}

static void open_counters(void)
{
    struct error error;

    if (counters_open(&session, FAKE_COUNTERS, &error) != STATUS_OK)
        fail_msg("%s", error.text);
}

/* As many iterations as the longest timed launch had, and no lead. */
static void test_counts_the_timed_kernel(void **state)
{
    (void)state;
    open_counters();
    measure();
    assert_int_equal(count_count, FAKE_VARIANTS * FAKE_COUNTER_COUNT);
    for (size_t i = 0; i < count_count; i += FAKE_COUNTER_COUNT) {
        const struct count *duration = &counts[i], *iterations = &counts[i + 1],
                           *rate = &counts[i + 2];

        assert_string_equal(duration->counter.name, "GpuTime");
        assert_string_equal(duration->counter.unit, "ns");
        assert_true(duration->counter.adds_up);
        assert_near(duration->value, fake.launch_ns + 100.0 * duration->iterations, 1.0);
        assert_string_equal(iterations->counter.kind, "event");
        assert_int_equal(iterations->iterations, measurements[duration->variant].iterations);
        assert_near(iterations->value, iterations->iterations, 0.0);
        assert_string_equal(rate->counter.kind, "ratio");
        assert_false(rate->counter.adds_up);
        assert_near(rate->value, 1e6 * iterations->value / duration->value, 1.0);
        assert_near(counts[i + 3].value, 12.5, 0.0);
        assert_near(counts[i + 4].value, 1.0, 0.0);
        assert_near(counts[i + 5].value, 0.0, 0.0);
    }
    assert_int_equal(fake.counted, FAKE_VARIANTS);
}

/* The same launches take the same times as without them, and the group is active only in its own.
 */
static void test_disturbs_nothing(void **state)
{
    struct measurement without[FAKE_VARIANTS];
    unsigned launches;

    measure();
    memcpy(without, measurements, sizeof(without));
    launches = fake.launches;
    assert_int_equal(count_count, 0);
    assert_int_equal(close_fake(state), 0);
    open_fake(state);
    open_counters();
    measure();
    assert_int_equal(fake.launches, launches + FAKE_VARIANTS);
    assert_int_equal(fake.disturbed, 0);
    assert_memory_equal(without, measurements, sizeof(without));
}

/* A launch that cannot be counted says why, and its measurement stands. */
static void test_without_data(void **state)
{
    (void)state;
    open_counters();
    fake.has_no_counts = true;
    measure();
    assert_int_equal(count_count, FAKE_VARIANTS);
    for (size_t v = 0; v < FAKE_VARIANTS; v++) {
        assert_string_equal(counts[v].counter.name, "");
        assert_true(isnan(counts[v].value));
        assert_non_null(strstr(counts[v].reason, "no data"));
        assert_int_equal(measurements[v].outcome, OUTCOME_OK);
    }
}

static ze_result_t refuse_activation(const char *call)
{
    return strcmp(call, "zetContextActivateMetricGroups") ? ZE_RESULT_SUCCESS
                                                          : ZE_RESULT_ERROR_NOT_AVAILABLE;
}

static void test_a_group_that_cannot_be_active(void **state)
{
    (void)state;
    open_counters();
    fake.interfere = refuse_activation;
    measure();
    assert_int_equal(count_count, FAKE_VARIANTS);
    assert_non_null(strstr(counts[0].reason, "ZE_RESULT_ERROR_NOT_AVAILABLE"));
    assert_int_equal(fake.counted, 0);
    assert_int_equal(measurements[0].outcome, OUTCOME_OK);
    fake.interfere = NULL;
}

static void assert_refused(const char *group, enum status status, const char *reason)
{
    struct error error;

    assert_int_equal(counters_open(&session, group, &error), status);
    if (!strstr(error.text, reason))
        fail_msg("%s", error.text);
    counters_close(&session);
}

static void test_refusals(void **state)
{
    (void)state;
    assert_refused("Bsic", STATUS_USAGE, "no group of that name, but " FAKE_COUNTERS);
    fake.has_no_counters = true;
    assert_refused(FAKE_COUNTERS, STATUS_UNSUPPORTED, "libigdmd.so.1");
    session.ze.zetMetricQueryCreate = NULL;
    assert_refused(FAKE_COUNTERS, STATUS_UNSUPPORTED, "loader is too old");
}

/* A group that only samples by time is not among them. */
static void test_list(void **state)
{
    struct counter_group *groups;
    struct error error;
    size_t count;

    (void)state;
    assert_int_equal(counters_list(&session, session.device, &groups, &count, &error), STATUS_OK);
    assert_int_equal(count, 1);
    assert_string_equal(groups[0].name, FAKE_COUNTERS);
    assert_int_equal(groups[0].count, FAKE_COUNTER_COUNT);
    assert_string_equal(groups[0].counters[2].name, "Rate");
    counters_free_list(groups, count);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_counts_the_timed_kernel, open_fake, close_fake),
        cmocka_unit_test_setup_teardown(test_disturbs_nothing, open_fake, close_fake),
        cmocka_unit_test_setup_teardown(test_without_data, open_fake, close_fake),
        cmocka_unit_test_setup_teardown(test_a_group_that_cannot_be_active, open_fake, close_fake),
        cmocka_unit_test_setup_teardown(test_refusals, open_fake, close_fake),
        cmocka_unit_test_setup_teardown(test_list, open_fake, close_fake),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
