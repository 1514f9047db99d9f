/* Commands around the configurations of a whole sweep on a fake device: when they run, what they
 * are told, and what becomes of a configuration whose command fails. */
#include "test.h"

#include "csv-file.h"
#include "fake-worker.h"
#include "families/registry.h"
#include "family/axis-columns.h"
#include "sweep/store.h"
#include "sweep/sweep.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CONFIGURATIONS = 3, VARIANTS = 2, ROWS = CONFIGURATIONS * VARIANTS };

#define RESULTS "hooks-results.csv"
#define LOG     "hooks-log.txt"
#define SAY     " \"$VEBENCH_BENCHMARK $VEBENCH_SUBGROUP_SIZE $VEBENCH_WORKGROUP_SIZE\" >> " LOG

/* Three configurations of two variants, with work-groups of 16, 32 and 64. */
static void run_sweep(struct hooks hooks, struct csv_file *rows)
{
    static const struct sweep_events events = {.started = fake_ignore_start,
                                               .finished = fake_ignore_end};
    struct sweep_request request = {
        .families = {family_find(&families, "barrier")},
        .family_count = 1,
        .axes = {"subgroup_size=16", "workgroup_size=16,32,64", "workgroup_count=1"},
        .axis_count = 3,
        .variants = {"work_group_both"},
        .variant_count = 1,
        .options = {.stop = {0.005, 4, 4}, .seed = 1},
        .connect = fake_worker_connect,
        .hooks = hooks,
    };
    struct axis_columns axes;
    struct run_identity identity = {.run_id = "test", .axes = &axes};
    struct sweep_counts counts;
    struct sweep *sweep;
    const struct store_request files = {
        .path = {RESULTS}, .axes = &axes, .command = "a test", .replaces = true};
    struct store store;
    struct error error;

    remove(LOG);
    assert_int_equal(axis_columns_fill(&axes, &families, &error), STATUS_OK);
    assert_int_equal(store_lock(&store, &files, &error), STATUS_OK);
    assert_int_equal(store_create(&store, &error), STATUS_OK);
    assert_int_equal(sweep_open(&sweep, &request, &error), STATUS_OK);
    if (sweep_run(sweep, &identity, &store, &events, &counts, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    sweep_close(sweep);
    assert_int_equal(store_close(&store, &error), STATUS_OK);
    assert_int_equal(csv_file_load(rows, RESULTS), 0);
    assert_int_equal(rows->row_count, ROWS);
}

/* Rows of work-groups of 32 failed for a reason that has `reason` in it, the others are ok. */
static void assert_one_failed(const struct csv_file *rows, const char *reason)
{
    for (size_t row = 0; row < ROWS; row++) {
        bool hurt = !strcmp(csv_file_field(rows, row, "workgroup_size"), "32");

        assert_string_equal(csv_file_field(rows, row, "status"), hurt ? "failed" : "ok");
        if (hurt && !strstr(csv_file_field(rows, row, "reason"), reason))
            fail_msg("%s", csv_file_field(rows, row, "reason"));
    }
}

static size_t count_lines(const char *line)
{
    FILE *log = fopen(LOG, "r");
    char text[200];
    size_t count = 0;

    assert_non_null(log);
    while (fgets(text, sizeof(text), log)) {
        text[strcspn(text, "\n")] = '\0';
        count += !strcmp(text, line);
    }
    fclose(log);
    return count;
}

static int begin(void **state)
{
    (void)state;
    memset(&fake, 0, sizeof(fake));
    fake.launch_ns = 3000.0;
    fake.spin_ns = 10.0;
    fake.spin_cycles = 24.0;
    for (size_t v = 0; v < FAKE_VARIANTS; v++)
        fake.iteration_ns[v] = v ? 131.0 : 100.0;
    fake.wrong_data_variant = FAKE_NO_VARIANT;
    fake.wrong_proof_variant = FAKE_NO_VARIANT;
    return 0;
}

/* Once before and once after each configuration, however many variants it has. */
static void test_commands_run_around_each_configuration(void **state)
{
    struct csv_file rows;

    (void)state;
    run_sweep((struct hooks){"echo before" SAY, "echo after" SAY}, &rows);
    for (size_t row = 0; row < ROWS; row++)
        assert_string_equal(csv_file_field(&rows, row, "status"), "ok");
    for (unsigned size = 16; size <= 64; size *= 2) {
        char line[64];

        snprintf(line, sizeof(line), "before barrier 16 %u", size);
        assert_int_equal(count_lines(line), 1);
        snprintf(line, sizeof(line), "after barrier 16 %u", size);
        assert_int_equal(count_lines(line), 1);
    }
    csv_file_free(&rows);
}

/* A configuration that was not prepared is not measured, and therefore not cleaned up. */
static void test_a_prepare_that_fails(void **state)
{
    struct csv_file rows;

    (void)state;
    run_sweep((struct hooks){"test $VEBENCH_WORKGROUP_SIZE != 32 || exit 7", "echo after" SAY},
              &rows);
    assert_one_failed(&rows, "ended with status 7");
    assert_one_failed(&rows, "--prepare: ");
    assert_int_equal(count_lines("after barrier 16 16"), 1);
    assert_int_equal(count_lines("after barrier 16 32"), 0);
    csv_file_free(&rows);
}

static void test_a_cleanup_that_fails(void **state)
{
    struct csv_file rows;

    (void)state;
    run_sweep((struct hooks){NULL, "test $VEBENCH_WORKGROUP_SIZE != 32 || kill -9 $$"}, &rows);
    assert_one_failed(&rows, "was ended by signal 9");
    csv_file_free(&rows);
}

static void test_a_command_that_is_not_there(void **state)
{
    struct csv_file rows;

    (void)state;
    run_sweep(
        (struct hooks){"test $VEBENCH_WORKGROUP_SIZE != 32 || ./no-such-command 2>/dev/null", NULL},
        &rows);
    assert_one_failed(&rows, "ended with status 127");
    csv_file_free(&rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_commands_run_around_each_configuration, begin),
        cmocka_unit_test_setup(test_a_prepare_that_fails, begin),
        cmocka_unit_test_setup(test_a_cleanup_that_fails, begin),
        cmocka_unit_test_setup(test_a_command_that_is_not_there, begin),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
