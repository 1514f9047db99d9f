/*
 * A sweep and its workers: the same rows for any number of them, and what becomes of a run that is
 * told to stop.
 *
 * Argument: the emulated device.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "csv-file.h"
#include "process.h"
#include "sweep.h"

enum { NAME_CHARS = 128, PAUSE_NS = 20000000, PAUSES_MAX = 6000, BARRIER_VARIANTS = 9 };

/* The plan for a device needs no compiler: as much as all of the full preset is said at once. */
static void test_a_plan_says_minutes(void **state)
{
    static const char *const arguments[] = {"--dry-run", "--preset", "full", NULL};

    (void)state;
    assert_int_equal(sweep_execute(arguments, NULL, "plan.out", "plan.err"), 0);
    char *plan = process_read_file("plan.out");
    assert_non_null(plan);
    assert_non_null(strstr(plan, "minutes"));
    assert_non_null(strstr(plan, "\nbarrier "));
    assert_non_null(strstr(plan, "\nin all "));
    /* A work-group's cells, spread out, are more than its local memory. */
    assert_non_null(strstr(plan, "not planned, because the device cannot run them: "));
    free(plan);
}

/* Rows that nobody can take are no success. */
static void test_a_full_disk_ends_the_run(void **state)
{
    static const char *const arguments[] = {"barrier", "--preset", "quick", "--output", "-", NULL};

    (void)state;
    assert_int_equal(sweep_execute(arguments, NULL, "/dev/full", "full.err"), 1);
    char *said = process_read_file("full.err");
    assert_non_null(said);
    assert_non_null(strstr(said, "No space left on device"));
    free(said);
}

/* Intel's driver shows the one device twice where it is told to; what it then can do with it is not
 * the point: every row is there, for one device after the other. */
static void test_all_devices_in_turn(void **state)
{
    static const char *const environment[] = {"NEOReadDebugKeys=1", "CreateMultipleRootDevices=2",
                                              NULL};
    static const char *const arguments[] = {"barrier",  "--device",        "all",  "--preset",
                                            "quick",    "--variant",       "none", "--force",
                                            "--output", "all-devices.csv", NULL};
    struct csv_file csv;

    (void)state;
    assert_in_range(sweep_execute(arguments, environment, "all-devices.out", "all-devices.err"), 0,
                    1);
    assert_int_equal(csv_file_load(&csv, "all-devices.csv"), 0);
    size_t half = csv.row_count / 2;
    assert_true(half > 0 && csv.row_count == 2 * half);
    for (size_t row = 0; row < half; row++) {
        assert_string_equal(csv_file_field(&csv, row, "sequence"),
                            csv_file_field(&csv, half + row, "sequence"));
        assert_string_equal(csv_file_field(&csv, row, "run_id"),
                            csv_file_field(&csv, half + row, "run_id"));
        assert_true(csv_file_field(&csv, half + row, "device_uuid")[0] != 0);
    }
    csv_file_free(&csv);
}

/* `run --emulate` has the rows of the same run started under vesim. */
static void test_a_run_starts_the_emulator_itself(void **state)
{
    static const char *const arguments[] = {
        "barrier", "--axis", "subgroup_size=16", "--axis", "workgroup_size=64", NULL};
    struct csv_file under, by_itself;

    (void)state;
    sweep_rows(&under, "under", arguments, NULL);
    char *const command[] = {getenv("VEBENCH"),
                             "run",
                             "barrier",
                             "--axis",
                             "subgroup_size=16",
                             "--axis",
                             "workgroup_size=64",
                             "--emulate",
                             (char *)sweep_device,
                             "--force",
                             "--output",
                             "by-itself.csv",
                             NULL};
    assert_int_equal(process_run(command, NULL, "by-itself.out", "by-itself.err"), 0);
    assert_int_equal(csv_file_load(&by_itself, "by-itself.csv"), 0);
    assert_int_equal(by_itself.row_count, under.row_count);
    csv_file_assert_same_rows(&by_itself, &under, under.row_count);
    csv_file_free(&by_itself);
    csv_file_free(&under);
}

static void test_any_number_of_jobs_gives_the_same_rows(void **state)
{
    static const char *const one[] = {"barrier", "divergence", "--preset", "quick",
                                      "--jobs",  "1",          NULL};
    static const char *const three[] = {"barrier", "divergence", "--preset", "quick",
                                        "--jobs",  "3",          NULL};
    struct csv_file a, b;

    (void)state;
    sweep_rows(&a, "one-job", one, NULL);
    sweep_rows(&b, "three-jobs", three, NULL);
    assert_true(a.row_count > 0);
    assert_int_equal(a.row_count, b.row_count);
    csv_file_assert_same_rows(&a, &b, a.row_count);
    csv_file_free(&a);
    csv_file_free(&b);
}

static size_t count_lines(const char *path)
{
    char *text = process_read_file(path);
    size_t lines = 0;

    for (const char *c = text; c && *c; c++)
        lines += *c == '\n';
    free(text);
    return lines;
}

/* A run that gets the signal, as from a terminal together with its workers, when its first
 * configuration is in the file. */
static void stop_by(int signal_number, const char *name, int expected)
{
    const struct timespec pause = {0, PAUSE_NS};
    char output[NAME_CHARS], out[NAME_CHARS], err[NAME_CHARS];
    char *argv[] = {
        "setsid",   getenv("VESIM"),
        "--device", (char *)sweep_device,
        "--",       getenv("VEBENCH"),
        "run",      "barrier",
        "--output", output,
        NULL,
    };
    struct csv_file csv;

    snprintf(output, sizeof(output), "%s-%s.csv", sweep_device, name);
    snprintf(out, sizeof(out), "%s-%s.out", sweep_device, name);
    snprintf(err, sizeof(err), "%s-%s.err", sweep_device, name);
    remove(output);
    int pid = process_start(argv, NULL, out, err);
    assert_true(pid > 0);
    for (int i = 0; i < PAUSES_MAX && count_lines(output) < 2; i++)
        nanosleep(&pause, NULL);
    assert_int_equal(kill(-pid, signal_number), 0);
    assert_int_equal(process_wait(pid), expected);

    /* Whole configurations in their order, none of them hurt, and a report of them. */
    assert_int_equal(csv_file_load(&csv, output), 0);
    assert_true(csv.row_count > 0);
    assert_int_equal(csv.row_count % BARRIER_VARIANTS, 0);
    for (size_t row = 0; row < csv.row_count; row++) {
        assert_int_equal(strtoul(csv_file_field(&csv, row, "sequence"), NULL, 10),
                         row / BARRIER_VARIANTS);
        assert_string_equal(csv_file_field(&csv, row, "status"), "ok");
    }
    csv_file_free(&csv);
    char *said = process_read_file(out);
    assert_non_null(strstr(said, "sub-groups of"));
    free(said);
    said = process_read_file(err);
    assert_non_null(strstr(said, "interrupted"));
    assert_non_null(strstr(said, "a second signal ends it now"));
    free(said);
}

static void test_signals_stop_after_the_row(void **state)
{
    (void)state;
    stop_by(SIGINT, "interrupted", 130);
    stop_by(SIGTERM, "terminated", 143);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_plan_says_minutes),
        cmocka_unit_test(test_a_full_disk_ends_the_run),
        cmocka_unit_test(test_all_devices_in_turn),
        cmocka_unit_test(test_a_run_starts_the_emulator_itself),
        cmocka_unit_test(test_any_number_of_jobs_gives_the_same_rows),
        cmocka_unit_test(test_signals_stop_after_the_row),
    };

    if (argc != 2)
        return 2;
    sweep_device = argv[1];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
