/* What a worker sends of a configuration arrives in its task: as many samples and counts as there
 * are, in order; messages of another size are refused; what ends otherwise has its reason. */
#include "test.h"

#include "ranks/wire.h"
#include "sweep/sweep.h"
#include "sweep/task.h"

#include <stdio.h>
#include <string.h>

#define MANY 200u /* more than a task has room for at first */

static const struct variant variants[] = {
    {.name = "none", .entry_point = "none", .means = "nothing"},
    {.name = "one", .entry_point = "one", .means = "one", .baseline = "none"},
    {.name = "two", .entry_point = "two", .means = "two"},
};

static const struct family family = {
    .name = "test", .variants = variants, .variant_count = 3, .baseline_unit = "ns"};

static struct task begin(void)
{
    struct task task = {.family = &family, .configuration = {16, 64, 1, {0}}};
    struct error error;

    assert_int_equal(task_begin(&task, &error), STATUS_OK);
    return task;
}

static bool receive(struct task *task, enum wire_kind kind, const void *data, size_t bytes)
{
    const struct wire_message message = {kind, data, bytes};

    return task_receive(task, &message);
}

static void test_samples_and_counts(void **state)
{
    struct task task = begin();
    struct sample sample = {.variant = 1};
    struct count count = {.variant = 2};

    (void)state;
    for (unsigned i = 0; i < MANY; i++) {
        sample.round = i;
        sample.value = 2.5 * i;
        assert_true(receive(&task, WIRE_SAMPLE, &sample, sizeof(sample)));
        count.iterations = 10 * i;
        count.value = 0.5 * i;
        assert_true(receive(&task, WIRE_COUNT, &count, sizeof(count)));
    }
    assert_int_equal(task.sample_count, MANY);
    assert_int_equal(task.count_count, MANY);
    for (unsigned i = 0; i < MANY; i++) {
        assert_int_equal(task.samples[i].round, i);
        assert_near(task.samples[i].value, 2.5 * i, 0.0);
        assert_int_equal(task.counts[i].iterations, 10 * i);
        assert_near(task.counts[i].value, 0.5 * i, 0.0);
    }
    assert_false(receive(&task, WIRE_SAMPLE, &sample, sizeof(sample) - 1));
    assert_false(receive(&task, WIRE_COUNT, &count, sizeof(count) + 1));
    task_release(&task);
}

static void test_measurements_and_text(void **state)
{
    struct task task = begin();
    struct measurement measurements[3] = {{.value = 1.0}, {.value = 2.0}, {.value = 3.0}};
    struct kernel kernels[3] = {{.spill_bytes = 4}, {.spill_bytes = 5}, {.spill_bytes = 6}};

    (void)state;
    assert_true(receive(&task, WIRE_MEASUREMENTS, measurements, sizeof(measurements)));
    assert_true(receive(&task, WIRE_KERNELS, kernels, sizeof(kernels)));
    assert_false(receive(&task, WIRE_MEASUREMENTS, measurements, 2 * sizeof(*measurements)));
    assert_near(task.measurements[2].value, 3.0, 0.0);
    assert_int_equal(task.kernels[1].spill_bytes, 5);
    assert_true(receive(&task, WIRE_TEXT, "a first text", 12));
    assert_true(receive(&task, WIRE_TEXT, "another", 3));
    assert_string_equal(task.text, "ano");
    assert_true(receive(&task, WIRE_TEXT, "", 0));
    assert_string_equal(task.text, "");
    assert_false(receive(&task, WIRE_ORDER, "", 0));
    task_release(&task);
}

/* What has a result keeps it; what was taken out keeps its reason. */
static void test_failures(void **state)
{
    struct task task = begin();
    struct error error;

    (void)state;
    task.measurements[0].values.count = 10;
    error_set(&error, STATUS_UNSUPPORTED, "the device has none");
    task_take_out(&task, 2, &error);
    assert_int_equal(task.measurements[2].outcome, OUTCOME_SKIPPED);
    assert_false(task_has_failed(&task));
    task_fail(&task, "the worker crashed");
    assert_true(task_has_failed(&task));
    assert_int_equal(task.measurements[0].outcome, OUTCOME_OK);
    assert_string_equal(task.measurements[1].reason, "not measured: the worker crashed");
    assert_string_equal(task.measurements[2].reason, "the device has none");
    task_reject(&task, "wrong");
    assert_string_equal(task.measurements[0].reason, "wrong");
    assert_int_equal(task.measurements[2].outcome, OUTCOME_SKIPPED);
    task_release(&task);
}

static enum status check_for_two(const struct device *device,
                                 const struct configuration *configuration,
                                 const struct variant *variant, struct error *error)
{
    (void)device;
    (void)configuration;
    if (variant != &variants[2])
        return STATUS_OK;
    return error_set(error, STATUS_EXCLUDED, "repeats another");
}

/* What means nothing is left out even if there is no kernel for it; another reason stays. */
static void test_kernels_that_are_skipped(void **state)
{
    const struct device device = {.subgroup_sizes = {16}, .subgroup_size_count = 1};
    const struct sweep_request request = {0};
    struct family checked = family;
    struct task task = begin();

    (void)state;
    checked.check = check_for_two;
    task.family = &checked;
    for (unsigned v = 1; v < 3; v++) {
        task.measurements[v].outcome = OUTCOME_SKIPPED;
        snprintf(task.measurements[v].reason, REASON_BYTES, "it spills");
    }
    task_check(&task, &request, &device);
    assert_int_equal(task.measurements[0].outcome, OUTCOME_OK);
    assert_int_equal(task.measurements[1].outcome, OUTCOME_SKIPPED);
    assert_string_equal(task.measurements[1].reason, "it spills");
    assert_int_equal(task.measurements[2].outcome, OUTCOME_EXCLUDED);
    assert_string_equal(task.measurements[2].reason, "repeats another");
    task_release(&task);
}

/* A variant without its baseline says why: the baseline's reason. */
static void test_baselines(void **state)
{
    struct task task = begin();
    struct error error;

    (void)state;
    assert_false(task_is_settled(&task));
    error_set(&error, STATUS_FAILED, "it does not build");
    task_take_out(&task, 0, &error);
    task_follow_baselines(&task);
    assert_int_not_equal(task.measurements[1].outcome, OUTCOME_OK);
    assert_non_null(strstr(task.measurements[1].reason, "it does not build"));
    assert_int_equal(task.measurements[2].outcome, OUTCOME_OK);
    assert_false(task_is_settled(&task));
    task_take_out(&task, 2, &error);
    assert_true(task_is_settled(&task));
    task_release(&task);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_samples_and_counts), cmocka_unit_test(test_measurements_and_text),
        cmocka_unit_test(test_failures),           cmocka_unit_test(test_kernels_that_are_skipped),
        cmocka_unit_test(test_baselines),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
