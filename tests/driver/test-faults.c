/*
 * A driver that fails in every way at every stage of a sweep: what it costs is one configuration,
 * which says why, and all other rows are those of a clean run.
 *
 * Argument: the emulated device. FAULTY_LOADER is the loader with faults; what the kernel driver
 * and the hardware can do, vesim does.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "csv-file.h"
#include "process.h"

enum { NAME_CHARS = 128, WORDS_MAX = 40 };
enum { CONFIGURATIONS = 3, VARIANTS = 2, ROWS = CONFIGURATIONS * VARIANTS };

static const char *device;
static struct csv_file clean;

/* Runs `vebench run` with these words and an output, with a fault of the emulated device unless it
 * is NULL. Returns the exit status. */
static int run_words(const char *output, const char *device_fault, const char *const *words,
                     const char *const *environment)
{
    char err[NAME_CHARS];
    char *argv[WORDS_MAX] = {getenv("VESIM"), "--device", (char *)device};
    size_t count = 3;

    if (device_fault) {
        argv[count++] = "--fault";
        argv[count++] = (char *)device_fault;
    }
    argv[count++] = "--";
    argv[count++] = getenv("VEBENCH");
    argv[count++] = "run";
    argv[count++] = "--output";
    argv[count++] = (char *)output;
    for (; *words; words++) {
        assert_true(count + 1 < WORDS_MAX);
        argv[count++] = (char *)*words;
    }
    snprintf(err, sizeof(err), "%s.err", output);
    remove(output);
    return process_run(argv, environment, "/dev/null", err);
}

/* Three configurations of two variants, one after the other. */
static const char *const small_sweep[] = {
    "barrier",
    "--axis",
    "subgroup_size=16",
    "--axis",
    "workgroup_size=16,32,64",
    "--axis",
    "workgroup_count=1",
    "--variant",
    "work_group_none",
    "--jobs",
    "1",
    "--timeout",
    "4",
    NULL,
};

/* It with this fault of the loader, or, with a function in its place, with its calls counted. */
static int run(const char *output, const char *fault, const char *counted)
{
    char loader[NAME_CHARS * 8], setting[2 * NAME_CHARS];
    const char *environment[] = {loader, setting, "FAULT_COUNT=fault-count", NULL};

    snprintf(loader, sizeof(loader), "VEBENCH_ZE_LOADER=%s", getenv("FAULTY_LOADER"));
    snprintf(setting, sizeof(setting), "%s=%s", fault ? "FAULT" : "FAULT_COUNTED",
             fault ? fault : counted);
    remove("fault-count");
    return run_words(output, NULL, small_sweep, environment);
}

static unsigned count_calls(const char *function)
{
    struct stat status = {0};

    assert_int_equal(run("counted.csv", NULL, function), 0);
    stat("fault-count", &status);
    return (unsigned)status.st_size;
}

/* Runs it once for each function. */
static unsigned calls_in_clean_run(const char *function)
{
    enum { FUNCTIONS = 8 };
    static struct {
        const char *function;
        unsigned calls;
    } known[FUNCTIONS];
    size_t i = 0;

    while (i < FUNCTIONS && known[i].function && strcmp(known[i].function, function) != 0)
        i++;
    assert_true(i < FUNCTIONS);
    if (!known[i].function) {
        known[i].function = function;
        known[i].calls = count_calls(function);
    }
    return known[i].calls;
}

static int load_clean_run(void **state)
{
    (void)state;
    assert_int_equal(run("clean.csv", NULL, "none"), 0);
    assert_int_equal(csv_file_load(&clean, "clean.csv"), 0);
    assert_int_equal(clean.row_count, ROWS);
    return 0;
}

static int free_clean_run(void **state)
{
    (void)state;
    csv_file_free(&clean);
    return 0;
}

static void assert_row_is_clean(const struct csv_file *csv, size_t row)
{
    csv_file_assert_same_row(csv, row, &clean, row, NULL);
}

/* Where in the run a fault strikes: a part of the calls of a function, which a clean run has
 * `per_configuration` of in each. */
enum when { AT_FIRST, AT_CALIBRATION, AT_TIMING };

static const struct fault {
    const char *kind, *function;
    enum when when;
    const char *reason; /* of the rows of the second configuration; NULL: nothing is to be seen */
    bool first;         /* of the first configuration instead */
} faults[] = {
    /* Start: another worker is as good. */
    {"crash", "zeInit", AT_FIRST, NULL, false},
    {"exit", "zeInit", AT_FIRST, NULL, false},
    /* Compilation. */
    {"crash", "zeModuleCreate", AT_FIRST, "crashed during compilation (signal 11", true},
    {"exit", "zeModuleCreate", AT_FIRST, "ended the worker process during compilation (exit", true},
    /* Setup. */
    {"memory", "zeMemAllocDevice", AT_CALIBRATION, "ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY", false},
    /* Calibration. */
    {"crash", "zeCommandQueueExecuteCommandLists", AT_CALIBRATION, "crashed during calibration",
     false},
    {"lost", "zeCommandQueueExecuteCommandLists", AT_CALIBRATION, "ZE_RESULT_ERROR_DEVICE_LOST",
     false},
    {"unknown", "zeCommandQueueExecuteCommandLists", AT_CALIBRATION, "ZE_RESULT_ERROR_UNKNOWN",
     false},
    {"not-ready", "zeEventHostSynchronize", AT_CALIBRATION, "did not finish within 4 s", false},
    {"not-ready", "zeEventQueryKernelTimestamp", AT_CALIBRATION, "has no timestamps of it", false},
    {"stale", "zeEventQueryKernelTimestamp", AT_CALIBRATION, "timestamps of the launch before",
     false},
    /* Timing. */
    {"crash", "zeCommandQueueExecuteCommandLists", AT_TIMING, "crashed during timing", false},
    {"exit", "zeCommandQueueExecuteCommandLists", AT_TIMING, "exit status 1", false},
    {"lost", "zeEventHostSynchronize", AT_TIMING, "ZE_RESULT_ERROR_DEVICE_LOST", false},
    {"unknown", "zeCommandQueueExecuteCommandLists", AT_TIMING, "ZE_RESULT_ERROR_UNKNOWN", false},
    {"not-ready", "zeEventHostSynchronize", AT_TIMING, "did not finish within 4 s", false},
    {"stale", "zeEventQueryKernelTimestamp", AT_TIMING, "timestamps of the launch before", false},
    /* Verification, of launches that calibrate and of timed ones. */
    {"unmap", "zeEventQueryKernelTimestamp", AT_CALIBRATION, "crashed during verification", false},
    {"unmap", "zeEventQueryKernelTimestamp", AT_TIMING, "crashed during verification", false},
    /* A call that never returns: whoever watches ends the worker. */
    {"hang", "zeCommandQueueExecuteCommandLists", AT_TIMING, "no answer from driver and device",
     false},
    /* End. */
    {"crash", "zeContextDestroy", AT_FIRST, NULL, false},
    {"exit", "zeContextDestroy", AT_FIRST, NULL, false},
    /* What is no fault at all. */
    {"64-bit", "zeDeviceGetProperties", AT_FIRST, NULL, false},
};

/* Calls of the functions above in a clean run: about the same in each configuration, which may take
 * a few launches more or less to find how many iterations are enough. */
static unsigned call_number(const struct fault *fault)
{
    unsigned calls = calls_in_clean_run(fault->function), each = calls / CONFIGURATIONS;

    assert_true(calls > 0);
    if (fault->when == AT_FIRST)
        return 1;
    return fault->when == AT_CALIBRATION ? each + each / 8 + 2 : 2 * each - 1;
}

static void check(const struct fault *fault, const struct csv_file *csv)
{
    size_t hurt = fault->first ? 0 : 1, failed = 0;

    assert_int_equal(csv->row_count, ROWS);
    for (size_t row = 0; row < ROWS; row++) {
        if (!fault->reason || row / VARIANTS != hurt) {
            assert_row_is_clean(csv, row);
            continue;
        }
        failed += strcmp(csv_file_field(csv, row, "status"), "failed") == 0;
        if (strcmp(csv_file_field(csv, row, "status"), "failed") == 0 &&
            !strstr(csv_file_field(csv, row, "reason"), fault->reason))
            fail_msg("%s@%s: row %zu says \"%s\", not \"%s\"", fault->kind, fault->function, row,
                     csv_file_field(csv, row, "reason"), fault->reason);
    }
    if (fault->reason && !failed)
        fail_msg("%s@%s: nothing failed", fault->kind, fault->function);
}

static void test_faults(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(faults) / sizeof(*faults); i++) {
        char text[NAME_CHARS];
        struct csv_file csv;

        snprintf(text, sizeof(text), "%s@%s:%u", faults[i].kind, faults[i].function,
                 call_number(&faults[i]));
        print_message("%s\n", text);
        assert_int_equal(run("fault.csv", text, NULL), faults[i].reason ? 1 : 0);
        assert_int_equal(csv_file_load(&csv, "fault.csv"), 0);
        check(&faults[i], &csv);
        csv_file_free(&csv);
    }
}

/* A driver that fails for good after its first failure, as one has that took 500 rows with it. */
static void test_a_broken_driver_costs_one_configuration(void **state)
{
    static const struct fault sticky = {"unknown", "zeCommandQueueExecuteCommandLists",
                                        AT_CALIBRATION, "ZE_RESULT_ERROR_UNKNOWN", false};
    char text[NAME_CHARS];
    struct csv_file csv;

    (void)state;
    snprintf(text, sizeof(text), "%s@%s:%u+", sticky.kind, sticky.function, call_number(&sticky));
    assert_int_equal(run("sticky.csv", text, NULL), 1);
    assert_int_equal(csv_file_load(&csv, "sticky.csv"), 0);
    check(&sticky, &csv);
    csv_file_free(&csv);
}

static void test_a_compiler_that_says_no_fails_all_rows_of_its_module(void **state)
{
    struct csv_file csv;

    (void)state;
    assert_int_equal(run("build.csv", "build@zeModuleCreate:1", NULL), 1);
    assert_int_equal(csv_file_load(&csv, "build.csv"), 0);
    assert_int_equal(csv.row_count, ROWS);
    for (size_t row = 0; row < ROWS; row++)
        assert_non_null(
            strstr(csv_file_field(&csv, row, "reason"), "ZE_RESULT_ERROR_MODULE_BUILD_FAILURE"));
    csv_file_free(&csv);
}

/* Somewhere in the run, which makes some 95 submissions and 100 allocations. */
static const struct device_fault {
    const char *text;
    const char *reason;
} device_faults[] = {
    {"device-lost:60", "ZE_RESULT_ERROR"},
    {"hang:60", "did not finish within 4 s"},
    {"page-fault:60", "ZE_RESULT_ERROR_DEVICE_LOST"},
    {"wrong-lane:60", "wrong result after"},
    {"wrong-lane:90", "wrong result after"},
    /* Intel's driver ends the process. */
    {"out-of-memory:60", "the worker process crashed during"},
};

/* One configuration, and one only, failed, and not as a whole where it had something already. */
static void check_one_hurt(const struct device_fault *fault, const struct csv_file *csv)
{
    size_t hurt = CONFIGURATIONS;

    assert_int_equal(csv->row_count, ROWS);
    for (size_t row = 0; row < ROWS; row++) {
        if (strcmp(csv_file_field(csv, row, "status"), "failed") != 0)
            continue;
        if (hurt != CONFIGURATIONS && hurt != row / VARIANTS)
            fail_msg("%s: more than one configuration failed", fault->text);
        hurt = row / VARIANTS;
        if (!strstr(csv_file_field(csv, row, "reason"), fault->reason))
            fail_msg("%s: row %zu says \"%s\", not \"%s\"", fault->text, row,
                     csv_file_field(csv, row, "reason"), fault->reason);
    }
    if (hurt == CONFIGURATIONS)
        fail_msg("%s: nothing failed", fault->text);
    for (size_t row = 0; row < ROWS; row++) {
        if (row / VARIANTS != hurt)
            assert_row_is_clean(csv, row);
    }
}

static void test_faults_of_the_device(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(device_faults) / sizeof(*device_faults); i++) {
        struct csv_file csv;

        print_message("%s\n", device_faults[i].text);
        assert_int_equal(run_words("device.csv", device_faults[i].text, small_sweep, NULL), 1);
        assert_int_equal(csv_file_load(&csv, "device.csv"), 0);
        check_one_hurt(&device_faults[i], &csv);
        csv_file_free(&csv);
    }
}

static double number(const struct csv_file *csv, size_t row, const char *column)
{
    return strtod(csv_file_field(csv, row, column), NULL);
}

/* Clocks, and by what they change a time for good. A row holds the truth or says that it does not,
 * but for one in twenty, as 95 % intervals go: one of the six here may; in a wrap, it is the very
 * same. */
static const struct clock_fault {
    const char *text;
    double low, high;
    bool same;
} clock_faults[] = {
    {"timestamp-wrap:1ms", 1.0, 1.0, true},
    {"noise", 1.0, 1.0, false},
    {"drift", 1.0, 1.1, false},
    {"slow-device", 20.0, 20.0, false},
    {"throttling", 1.0, 2.0, false},
    {"clock-step:3ms", 1.0, 2.0, false},
    {"clock-ramp", 1.0, 2.0, false},
};

static void check_clock(const struct clock_fault *fault, const struct csv_file *csv)
{
    size_t missed = 0;

    assert_int_equal(csv->row_count, ROWS);
    for (size_t row = 0; row < ROWS; row++) {
        double truth = number(&clean, row, "value");

        if (fault->same)
            assert_row_is_clean(csv, row);
        if (strcmp(csv_file_field(csv, row, "status"), "unreliable") == 0)
            continue;
        assert_string_equal(csv_file_field(csv, row, "status"), "ok");
        if (!(number(csv, row, "ci95_hi_ns") >= 0.999 * truth * fault->low &&
              number(csv, row, "ci95_lo_ns") <= 1.001 * truth * fault->high) &&
            missed++)
            fail_msg("%s: row %zu has %g to %g ns, not %g to %g times %g ns", fault->text, row,
                     number(csv, row, "ci95_lo_ns"), number(csv, row, "ci95_hi_ns"), fault->low,
                     fault->high, truth);
    }
}

static void test_faults_of_the_clock(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(clock_faults) / sizeof(*clock_faults); i++) {
        struct csv_file csv;

        print_message("%s\n", clock_faults[i].text);
        assert_int_equal(run_words("clock.csv", clock_faults[i].text, small_sweep, NULL), 0);
        assert_int_equal(csv_file_load(&csv, "clock.csv"), 0);
        check_clock(&clock_faults[i], &csv);
        csv_file_free(&csv);
    }
}

/* However slow a device, and however large a set: no launch holds it for long. */
static void test_launches_of_a_slow_device_are_short(void **state)
{
    static const char *const words[] = {
        "latency",   "--axis",     "subgroup_size=16", "--axis",           "working_set=2L",
        "--variant", "global_*i*", "--samples",        "slow-samples.csv", "--jobs",
        "1",         NULL,
    };
    struct csv_file csv;
    double longest_ns = 0.0;

    (void)state;
    remove("slow-samples.csv");
    assert_int_equal(run_words("slow.csv", "slow-device", words, NULL), 0);
    assert_int_equal(csv_file_load(&csv, "slow.csv"), 0);
    for (size_t row = 0; row < csv.row_count; row++)
        assert_string_equal(csv_file_field(&csv, row, "status"), "ok");
    csv_file_free(&csv);
    assert_int_equal(csv_file_load(&csv, "slow-samples.csv"), 0);
    assert_true(csv.row_count >= 2 * 3); /* variants; a round of three launches */
    for (size_t row = 0; row < csv.row_count; row++) {
        if (number(&csv, row, "ns") > longest_ns)
            longest_ns = number(&csv, row, "ns");
    }
    csv_file_free(&csv);
    if (!(longest_ns > 1e6 && longest_ns <= 5e8))
        fail_msg("the longest launch took %g ns", longest_ns);
}

/* No worker can open the device: the run ends, with a word, and without endless attempts. */
static void test_a_device_that_is_gone_ends_the_run(void **state)
{
    (void)state;
    assert_int_equal(run("gone.csv", "lost@zeInit:1*", NULL), 1);
    char *said = process_read_file("gone.csv.err");
    assert_non_null(strstr(said, "zeInit returned ZE_RESULT_ERROR_DEVICE_LOST"));
    free(said);
    /* The second worker compiled, the third cannot be. */
    assert_int_equal(run("gone.csv", "crash@zeInit:3*", NULL), 1);
    said = process_read_file("gone.csv.err");
    assert_non_null(strstr(said, "the device cannot be opened any more"));
    assert_non_null(strstr(said, "--resume"));
    free(said);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_a_broken_driver_costs_one_configuration),
        cmocka_unit_test(test_a_compiler_that_says_no_fails_all_rows_of_its_module),
        cmocka_unit_test(test_faults_of_the_device),
        cmocka_unit_test(test_faults_of_the_clock),
        cmocka_unit_test(test_launches_of_a_slow_device_are_short),
        cmocka_unit_test(test_a_device_that_is_gone_ends_the_run),
    };

    if (argc != 2)
        return 2;
    device = argv[1];
    return cmocka_run_group_tests(tests, load_clean_run, free_clean_run);
}
