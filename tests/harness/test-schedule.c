/* How a sweep shares out its time, and what needs no worker. */
#include "test.h"

#include "families/registry.h"
#include "measure/device.h"
#include "measure/schedule.h"

#include <string.h>

#define TASKS 4

static struct task tasks[TASKS];
static struct schedule schedule;

static void begin(double ends_s)
{
    static const double least_s[TASKS] = {1.0, 1.0, 2.0, 4.0};

    memset(tasks, 0, sizeof(tasks));
    memset(&schedule, 0, sizeof(schedule));
    for (size_t i = 0; i < TASKS; i++)
        tasks[i].estimate.least = least_s[i];
    schedule.tasks = tasks;
    schedule.task_count = TASKS;
    schedule.ends_s = ends_s;
    schedule.gpu_count = 1;
}

static void test_shares(void **state)
{
    (void)state;
    begin(180.0);
    /* 80 s left, an eighth of the least work. */
    assert_near(schedule_share(&schedule, &tasks[0], 100.0), 10.0, 1e-9);
    assert_near(schedule_share(&schedule, &tasks[3], 100.0), 40.0, 1e-9);
    schedule.gpu_count = 2; /* each has all of the time for its half of the tasks */
    assert_near(schedule_share(&schedule, &tasks[0], 100.0), 20.0, 1e-9);
    begin(0.0);
    assert_near(schedule_share(&schedule, &tasks[0], 100.0), 0.0, 0.0);
}

/* What a steady task leaves, those that come have besides. */
static void test_what_is_left_goes_on(void **state)
{
    double now_s = 100.0;

    (void)state;
    begin(180.0);
    tasks[0].state = TASK_DONE;
    now_s += 1.0; /* of 10 */
    assert_near(schedule_share(&schedule, &tasks[1], now_s), 79.0 / 7.0, 1e-9);
    tasks[1].state = TASK_MEASURING; /* is not finished: keeps its part */
    assert_near(schedule_share(&schedule, &tasks[2], now_s), 2.0 * 79.0 / 7.0, 1e-9);
    /* Collected tasks are no part of it. */
    tasks[0].state = TASK_WAITING;
    schedule.first = 1;
    assert_near(schedule_share(&schedule, &tasks[1], now_s), 79.0 / 7.0, 1e-9);
}

/* All shares together are never more than what is left, whatever the others take of theirs. */
static void test_shares_end_in_time(void **state)
{
    static const double taken[] = {0.0, 0.3, 1.0};

    (void)state;
    for (size_t t = 0; t < sizeof(taken) / sizeof(taken[0]); t++) {
        double now_s = 100.0;

        begin(180.0);
        for (size_t i = 0; i < TASKS; i++) {
            now_s += taken[t] * schedule_share(&schedule, &tasks[i], now_s);
            tasks[i].state = TASK_DONE;
        }
        assert_true(now_s <= 180.0 + 1e-9);
        if (taken[t] == 1.0)
            assert_near(now_s, 180.0, 1e-6);
    }
}

/* A run that is late still has a limit. */
static void test_late(void **state)
{
    (void)state;
    begin(180.0);
    double share = schedule_share(&schedule, &tasks[3], 200.0);
    assert_true(share > 0.0 && share < 0.01);
}

/* Where tasks run side by side, one that may take as long as the rest does not wait until it is the
 * last. */
static void test_longest_first(void **state)
{
    static struct task many[7];

    (void)state;
    begin(0.0);
    memset(many, 0, sizeof(many));
    schedule.tasks = many;
    schedule.task_count = 7;
    for (size_t i = 0; i < 7; i++)
        many[i].estimate.least = 2.0;
    many[5].estimate.least = 2.6;
    schedule.measuring_limit = 2;
    assert_null(schedule_longest(&schedule, 0)); /* 12 s of others */
    many[0].state = TASK_MEASURING;
    assert_ptr_equal(schedule_longest(&schedule, 0), &many[5]); /* 10 s, and it may take 10.4 */
    many[5].is_bound = true;
    many[5].gpu = 1;
    many[4].estimate.least = 2.1;
    assert_ptr_equal(schedule_longest(&schedule, 0), &many[4]);
    assert_ptr_equal(schedule_longest(&schedule, 1), &many[5]);
    schedule.measuring_limit = 1; /* a GPU: in order */
    assert_null(schedule_longest(&schedule, 0));
    schedule.measuring_limit = 2;
    for (size_t i = 0; i < 7; i++)
        many[i].state = TASK_DONE;
    assert_null(schedule_longest(&schedule, 0));
}

static void check(const char *name, const struct device *device, struct task *task, unsigned size)
{
    static const struct sweep_request request;
    struct error error;

    memset(task, 0, sizeof(*task));
    task->family = family_find(&families, name);
    assert_non_null(task->family);
    task->configuration = (struct configuration){size, 16 * size, 1, {0}};
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
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shares),
        cmocka_unit_test(test_what_is_left_goes_on),
        cmocka_unit_test(test_shares_end_in_time),
        cmocka_unit_test(test_late),
        cmocka_unit_test(test_longest_first),
        cmocka_unit_test(test_settled),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
