/* Which task a worker gets next, and what needs no worker. */
#include "test.h"

#include "families/registry.h"
#include "sweep/schedule.h"
#include "ze/device.h"

#include <string.h>

static struct schedule schedule;

/* Where tasks run side by side, one that may take as long as the rest does not wait until it is the
 * last. */
static void test_longest_first(void **state)
{
    static struct task many[7];

    (void)state;
    memset(many, 0, sizeof(many));
    memset(&schedule, 0, sizeof(schedule));
    schedule.tasks = many;
    schedule.task_count = 7;
    for (size_t i = 0; i < 7; i++)
        many[i].estimate.least = 2.0;
    many[5].estimate.least = 2.6;
    schedule.measuring_limit = 2;
    assert_null(schedule_longest(&schedule)); /* 12 s of others */
    many[0].state = TASK_MEASURING;
    assert_ptr_equal(schedule_longest(&schedule), &many[5]); /* 10 s, and it may take 10.4 */
    many[5].state = TASK_LEFT_OUT;                           /* another rank's */
    many[4].estimate.least = 2.1;
    assert_ptr_equal(schedule_longest(&schedule), &many[4]);
    many[5].state = TASK_WAITING;
    schedule.measuring_limit = 1; /* a GPU: in order */
    assert_null(schedule_longest(&schedule));
    schedule.measuring_limit = 2;
    for (size_t i = 0; i < 7; i++)
        many[i].state = TASK_DONE;
    assert_null(schedule_longest(&schedule));
}

static void check(const char *name, const struct device *device, struct task *task, unsigned size)
{
    static const struct sweep_request request;
    struct error error;

    memset(task, 0, sizeof(*task));
    task->family = family_find(&families, name);
    assert_non_null(task->family);
    task->configuration =
        (struct configuration){size, 16 * size, 1, {64, 32, 32}}; /* a shape for products, too */
    assert_int_equal(task_begin(task, &error), STATUS_OK);
    task_check(task, &request, device);
}

/* What a device cannot do is known before anything is compiled, which might fail. */
static void test_settled(void **state)
{
    struct device device = {.subgroup_size_count = 3, .subgroup_sizes = {8, 16, 32}};
    struct task task;

    (void)state;
    check("device_fp64", &device, &task, 16);
    assert_true(task_is_settled(&task));
    assert_int_equal(task.measurements[0].outcome, OUTCOME_SKIPPED);
    assert_string_equal(task.measurements[0].reason, "the device has no doubles");
    task_release(&task);
    device.has_fp64 = true;
    check("device_fp64", &device, &task, 16);
    assert_false(task_is_settled(&task));
    task_release(&task);

    check("matmul_fp64", &device, &task, 16);
    assert_false(task_is_settled(&task));
    task_release(&task);
    device.has_fp64 = false;
    check("matmul_fp64", &device, &task, 16);
    assert_true(task_is_settled(&task));
    assert_int_equal(task.measurements[0].outcome, OUTCOME_SKIPPED);
    assert_string_equal(task.measurements[0].reason, "the device has no doubles");
    task_release(&task);

    check("device_matrix", &device, &task, 16);
    assert_true(task_is_settled(&task));
    assert_int_equal(task.measurements[0].outcome, OUTCOME_SKIPPED);
    task_release(&task);
    check("device_matrix", &device, &task, 8);
    assert_int_equal(task.measurements[0].outcome, OUTCOME_EXCLUDED);
    task_release(&task);
    device.matrix_lanes = 8;
    check("device_matrix", &device, &task, 8);
    assert_false(task_is_settled(&task));
    task_release(&task);
    check("device_matrix", &device, &task, 16);
    assert_int_equal(task.measurements[0].outcome, OUTCOME_EXCLUDED);
    task_release(&task);

    check("block_2d", &device, &task, 16);
    assert_true(task_is_settled(&task));
    assert_int_equal(task.measurements[0].outcome, OUTCOME_SKIPPED);
    task_release(&task);
    device.has_block_2d = true;
    check("block_2d", &device, &task, 16);
    assert_false(task_is_settled(&task));
    task_release(&task);
    check("block_2d", &device, &task, 8);
    assert_int_equal(task.measurements[0].outcome, OUTCOME_EXCLUDED);
    task_release(&task);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_longest_first),
        cmocka_unit_test(test_settled),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
