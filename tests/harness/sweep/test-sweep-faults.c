/*
 * A whole sweep as on hardware, workers and three batches included, on a fake device that fails in
 * every way at every stage. A fault costs one configuration, which says why; all other rows are
 * those of a clean run. tests/driver/test-faults.c has Intel's driver in between, on an emulated
 * device, which is measured in one batch.
 */
#include "test.h"

#include "csv-file.h"
#include "fake-worker.h"
#include "families/registry.h"
#include "family/axis-columns.h"
#include "sweep/store.h"
#include "sweep/sweep.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { CONFIGURATIONS = 3, VARIANTS = 2, ROWS = CONFIGURATIONS * VARIANTS, BATCHES = 3 };
enum { ROUNDS = 4 };

#define EXECUTE   "zeCommandQueueExecuteCommandLists"
#define WAIT      "zeEventHostSynchronize"
#define TIMESTAMP "zeEventQueryKernelTimestamp"

enum kind {
    CRASH,
    EXIT,
    REFUSED, /* with a result of Level Zero */
    STALE,
    WRONG_LANE,
    UNMAPPED, /* what the host reads of the results */
};

/* What the fault in the plan is, and how often its call has come at its stage, in all workers. */
static struct {
    bool planned;
    enum kind kind;
    ze_result_t result;
    const char *call;
    enum watch_stage stage;
    unsigned number;    /* strikes at this one, from 1 */
    bool strikes_later; /* and at all after it */
} plan;
/* A lane is wrong in so many launches: of two in a row one at least is read back. */
#define WRONG_LAUNCHES 2u
static unsigned wrong_launches; /* left */

/* Those of the planned kind; configurations begun, and how many calls came before each. */
enum { STARTED = 1, FIRST_START, CALLS = FIRST_START + CONFIGURATIONS };
static unsigned *calls;

static ze_result_t strike(void)
{
    switch (plan.kind) {
    case CRASH:
        signal(SIGSEGV, SIG_DFL);
        raise(SIGSEGV);
        break;
    case EXIT:
        _exit(1);
    case REFUSED:
        return plan.result;
    case STALE:
        fake.repeats_timestamps = true;
        break;
    case WRONG_LANE:
        fake.wrong_data_variant = FAKE_ANY_VARIANT;
        wrong_launches = WRONG_LAUNCHES;
        break;
    case UNMAPPED:
        signal(SIGSEGV, SIG_DFL);
        if (!fake_unmap_results())
            plan.number++; /* none are read back: those of the next launch */
        break;
    }
    return ZE_RESULT_SUCCESS;
}

/* What a configuration shows must not depend on what its worker has measured before. */
static ze_result_t interfere(const char *call)
{
    static bool may_restart;
    bool calibrates =
        fake_worker_session && watch_stage(fake_worker_session->watch) == WATCH_CALIBRATION;

    /* Behind the spins that settle the clock: how many these are depends on the worker's past. */
    if (!strcmp(call, "zeMemAllocDevice"))
        may_restart = true;
    if (may_restart && calibrates) {
        if (!plan.planned && calls[STARTED] < CONFIGURATIONS)
            calls[FIRST_START + calls[STARTED]++] = *calls;
        fake_restart();
        may_restart = false;
    }
    if (!strcmp(call, EXECUTE)) {
        fake.repeats_timestamps = false;
        if (wrong_launches > 0 && --wrong_launches == 0)
            fake.wrong_data_variant = FAKE_NO_VARIANT;
    }
    if (!plan.call || strcmp(call, plan.call) != 0 ||
        watch_stage(fake_worker_session->watch) != plan.stage)
        return ZE_RESULT_SUCCESS;
    unsigned number = __atomic_add_fetch(calls, 1, __ATOMIC_RELAXED);
    if (plan.planned && (number == plan.number || (plan.strikes_later && number > plan.number)))
        return strike();
    return ZE_RESULT_SUCCESS;
}

/* Where the counters go; NULL: nothing is counted. */
static const char *counters_path;

/* Three configurations of two variants. Returns what sweep_open() or sweep_run() has. */
static enum status run_sweep(const char *path, struct sweep_counts *counts, struct error *error)
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
        .options = {.stop = {0.005, ROUNDS, ROUNDS}, .seed = 1},
        .connect = fake_worker_connect,
        .counters = counters_path ? FAKE_COUNTERS : NULL,
    };
    struct axis_columns axes;
    struct run_identity identity = {.run_id = "test", .axes = &axes};
    struct sweep *sweep;
    const struct store_request files = {
        .path = {[STORE_RESULTS] = path, [STORE_COUNTERS] = counters_path},
        .axes = &axes,
        .command = "a test",
        .replaces = true};
    struct store store;
    struct error ignored;

    *calls = calls[STARTED] = 0;
    memset(counts, 0, sizeof(*counts));
    assert_int_equal(axis_columns_fill(&axes, &families, error), STATUS_OK);
    assert_int_equal(store_lock(&store, &files, error), STATUS_OK);
    assert_int_equal(store_create(&store, error), STATUS_OK);
    enum status status = sweep_open(&sweep, &request, error);
    if (status == STATUS_OK) {
        status = sweep_run(sweep, &identity, &store, &events, counts, error);
        sweep_close(sweep);
    }
    enum status closed = store_close(&store, &ignored);
    assert_int_equal(closed, STATUS_OK);
    return status;
}

/* Rows of a device that nothing goes wrong with: of a quiet one, which one batch is enough for, and
 * of one whose clock moves, which takes all three. */
static struct csv_file quiet, moving;

static double two_clocks(double start_ns, double busy_ns, double duration_ns)
{
    (void)busy_ns;
    return (uint64_t)(start_ns / 1e7) % 2 ? 1.2 * duration_ns : duration_ns;
}

static void begin_device(bool moves)
{
    memset(&plan, 0, sizeof(plan));
    memset(&fake, 0, sizeof(fake));
    fake.launch_ns = 3000.0;
    fake.spin_ns = 10.0;
    fake.spin_cycles = 24.0;
    for (size_t v = 0; v < FAKE_VARIANTS; v++)
        fake.iteration_ns[v] = v ? 131.0 : 100.0;
    fake.distort = moves ? two_clocks : NULL;
    fake.wrong_data_variant = FAKE_NO_VARIANT;
    fake.wrong_proof_variant = FAKE_NO_VARIANT;
    fake.interfere = interfere;
    fake_worker_compiled_size = 16;
}

static void run_clean(struct csv_file *csv, const char *path, const char *status)
{
    struct sweep_counts counts;
    struct error error;

    if (run_sweep(path, &counts, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    assert_int_equal(csv_file_load(csv, path), 0);
    assert_int_equal(csv->row_count, ROWS);
    for (size_t row = 0; row < ROWS; row++)
        assert_string_equal(csv_file_field(csv, row, "status"), status);
}

static double number(const struct csv_file *csv, size_t row, const char *column)
{
    return strtod(csv_file_field(csv, row, column), NULL);
}

static int prepare(void **state)
{
    (void)state;
    calls = mmap(NULL, CALLS * sizeof(*calls), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
                 -1, 0);
    if (calls == MAP_FAILED)
        return -1;
    begin_device(false);
    run_clean(&quiet, "sweep-quiet.csv", "ok");
    for (size_t row = 0; row < ROWS; row++) {
        double truth = row % VARIANTS ? 31.0 : 100.0;

        assert_true(number(&quiet, row, "ci95_lo_ns") <= truth &&
                    truth <= number(&quiet, row, "ci95_hi_ns"));
    }
    begin_device(true);
    run_clean(&moving, "sweep-moving.csv", "unreliable");
    return 0;
}

static int release(void **state)
{
    (void)state;
    csv_file_free(&quiet);
    csv_file_free(&moving);
    return 0;
}

struct fault {
    const char *what;
    enum kind kind;
    ze_result_t result;        /* of a refusal */
    const char *call, *reason; /* reason NULL: nothing is to be seen */
};

/* Where it strikes. `batch` counts from 0, on a device whose clock moves; ONLY: the one batch of a
 * quiet device. */
struct place {
    enum watch_stage stage;
    unsigned batch;
};

enum { ONLY = BATCHES };

static bool is_quiet(const struct place *place)
{
    return place->batch == ONLY;
}

/* Where launches are, a fault strikes in the second configuration, else at the first call. */
static bool has_launches(const struct place *place)
{
    return place->stage == WATCH_CALIBRATION || place->stage == WATCH_TIMING;
}

/* Another worker begins at another time, and finds its own lead: its launches, and the spins that
 * show the clock, meet other ticks. */
static bool is_of_time(const char *column)
{
    static const char *const beginnings[] = {"clock_mhz", "cycles", "clock_spread", "ns_",
                                             "ci95_",     "value",  "loop_ns",      "r_squared"};

    for (size_t i = 0; i < sizeof(beginnings) / sizeof(beginnings[0]); i++) {
        if (!strncmp(column, beginnings[i], strlen(beginnings[i])))
            return true;
    }
    return false;
}

static bool differs(const char *column, const char *found, const char *expected)
{
    double a = strtod(found, NULL), b = strtod(expected, NULL);

    if (!is_of_time(column))
        return strcmp(found, expected) != 0;
    return !found[0] != !expected[0] || fabs(a - b) > 5e-3 * fmax(10.0, fabs(b));
}

static void assert_row_is_clean(const struct place *place, const struct csv_file *csv, size_t row)
{
    const struct csv_file *clean = is_quiet(place) ? &quiet : &moving;

    for (size_t c = 0; c < csv->column_count; c++) {
        const char *column = csv_file_column(csv, c);
        const char *found = csv_file_field(csv, row, column);
        const char *expected = csv_file_field(clean, row, column);

        if (strcmp(column, "time_utc") != 0 && differs(column, found, expected))
            fail_msg("row %zu, %s: \"%s\" instead of \"%s\"", row, column, found, expected);
    }
}

static void assert_row_says(const struct fault *fault, const struct place *place,
                            const struct csv_file *csv, size_t row)
{
    const char *reason = csv_file_field(csv, row, "reason");
    const char *stage =
        fault->kind == CRASH || fault->kind == EXIT ? watch_stage_name(place->stage) : "";

    if (!strstr(reason, fault->reason) || !strstr(reason, stage))
        fail_msg("row %zu says \"%s\", not \"%s\"", row, reason, fault->reason);
    if (fault->kind == WRONG_LANE && !strstr(reason, "no baseline"))
        assert_string_equal(csv_file_field(csv, row, "verified"), "0");
}

/* A variant of the configuration that went on, or that keeps what the batch before has shown. */
static void assert_row_is_sound(const struct place *place, const struct csv_file *csv, size_t row)
{
    if (is_quiet(place)) {
        assert_row_is_clean(place, csv, row);
        return;
    }
    assert_string_equal(csv_file_field(csv, row, "status"), "unreliable");
    assert_string_equal(csv_file_field(csv, row, "verified"), "1");
    assert_string_equal(csv_file_field(csv, row, "n"), csv_file_field(&moving, row, "n"));
}

static void check(const struct fault *fault, const struct place *place, const struct csv_file *csv)
{
    size_t hurt = has_launches(place) ? 1 : 0, failed = 0;

    assert_int_equal(csv->row_count, ROWS);
    for (size_t row = 0; row < ROWS; row++) {
        if (is_quiet(place) && (!fault->reason || row / VARIANTS != hurt)) {
            assert_row_is_clean(place, csv, row);
        } else if (!fault->reason || row / VARIANTS != hurt) {
            /* The lead follows a clock that moves, from one configuration to the next. */
            assert_row_is_sound(place, csv, row);
        } else if (strcmp(csv_file_field(csv, row, "status"), "failed") == 0) {
            assert_row_says(fault, place, csv, row);
            failed++;
        } else {
            assert_row_is_sound(place, csv, row);
        }
    }
    assert_int_equal(failed > 0, fault->reason != NULL);
}

/* The call in the middle of the batch. */
static unsigned number_of_call(const struct place *place, const unsigned *counted)
{
    unsigned batches = is_quiet(place) ? 1 : BATCHES;
    const unsigned *starts = counted + FIRST_START;

    if (!has_launches(place))
        return 1;
    /* Of the second configuration. Where the clock moves, some launches are made again: the middle
     * is half a batch away from the next. */
    unsigned each = starts[2] - starts[1];
    assert_true(!is_quiet(place) || *counted == CONFIGURATIONS * each);
    return starts[1] + place->batch % BATCHES * (each / batches) + each / batches / 2;
}

/* In a clean run; kept, since many faults are at the same call. */
static const unsigned *count_calls(const char *call, const struct place *place)
{
    enum { KNOWN_MAX = 16 };
    static struct {
        const char *call;
        enum watch_stage stage;
        bool is_quiet;
        unsigned calls[CALLS];
    } known[KNOWN_MAX];
    struct sweep_counts counts;
    struct error error;
    size_t i = 0;

    while (known[i].call && (strcmp(known[i].call, call) != 0 || known[i].stage != place->stage ||
                             known[i].is_quiet != is_quiet(place)))
        assert_true(++i < KNOWN_MAX);
    if (!known[i].call) {
        assert_int_equal(run_sweep("sweep-counted.csv", &counts, &error), STATUS_OK);
        known[i].call = call;
        known[i].stage = place->stage;
        known[i].is_quiet = is_quiet(place);
        memcpy(known[i].calls, calls, sizeof(known[i].calls));
    }
    assert_true(known[i].calls[0] > 0);
    return known[i].calls;
}

static void strike_once(const struct fault *fault, const struct place *place)
{
    struct sweep_counts counts;
    struct csv_file csv;
    struct error error;

    begin_device(!is_quiet(place));
    plan.call = fault->call;
    plan.stage = place->stage;
    const unsigned *counted = count_calls(fault->call, place);
    unsigned all = *counted;
    plan.planned = true;
    plan.kind = fault->kind;
    plan.result = fault->result;
    plan.number = number_of_call(place, counted);
    print_message("%s, %s: %s, call %u of %u\n", watch_stage_name(place->stage), fault->what,
                  fault->call, plan.number, all);
    assert_int_equal(run_sweep("sweep-fault.csv", &counts, &error), STATUS_OK);
    assert_int_equal(counts.ok + counts.unreliable + counts.failed, ROWS);
    assert_int_equal(csv_file_load(&csv, "sweep-fault.csv"), 0);
    check(fault, place, &csv);
    csv_file_free(&csv);
}

/* Where there are no launches. */
static void test_faults_around_measuring(void **state)
{
    static const struct {
        enum watch_stage stage;
        struct fault fault;
    } cases[] = {
        {WATCH_START, {"crash", CRASH, 0, "zeInit", NULL}},
        {WATCH_START, {"exit", EXIT, 0, "zeInit", NULL}},
        {WATCH_COMPILATION, {"crash", CRASH, 0, "zeModuleCreate", "crashed during"}},
        {WATCH_COMPILATION, {"exit", EXIT, 0, "zeModuleCreate", "(exit status 1)"}},
        {WATCH_SETUP, {"crash", CRASH, 0, "zeMemAllocDevice", "crashed during"}},
        {WATCH_SETUP, {"exit", EXIT, 0, "zeMemAllocDevice", "(exit status 1)"}},
        {WATCH_SETUP,
         {"out of memory", REFUSED, ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY, "zeMemAllocDevice",
          "ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY"}},
        {WATCH_SETUP,
         {"device lost", REFUSED, ZE_RESULT_ERROR_DEVICE_LOST, "zeMemAllocDevice",
          "ZE_RESULT_ERROR_DEVICE_LOST"}},
        {WATCH_END, {"crash", CRASH, 0, "zeEventDestroy", NULL}},
        {WATCH_END, {"exit", EXIT, 0, "zeEventDestroy", NULL}},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
        strike_once(&cases[i].fault, &(struct place){cases[i].stage, ONLY});
}

/* Every fault of a launch, and of looking at what it has written, in every batch. */
static void test_faults_of_launches(void **state)
{
    static const struct fault faults[] = {
        {"crash", CRASH, 0, EXECUTE, "crashed during"},
        {"exit", EXIT, 0, EXECUTE, "ended the worker process during"},
        {"device lost", REFUSED, ZE_RESULT_ERROR_DEVICE_LOST, EXECUTE,
         "ZE_RESULT_ERROR_DEVICE_LOST"},
        {"device lost", REFUSED, ZE_RESULT_ERROR_DEVICE_LOST, WAIT, "ZE_RESULT_ERROR_DEVICE_LOST"},
        {"unknown", REFUSED, ZE_RESULT_ERROR_UNKNOWN, EXECUTE, "ZE_RESULT_ERROR_UNKNOWN"},
        {"hang", REFUSED, ZE_RESULT_NOT_READY, WAIT, "the kernel did not finish"},
        {"not ready", REFUSED, ZE_RESULT_NOT_READY, TIMESTAMP, "has no timestamps of it"},
        {"stale event", STALE, 0, EXECUTE, "timestamps of the launch before"},
        {"one wrong lane", WRONG_LANE, 0, EXECUTE, "wrong result after"},
        {"results unmapped", UNMAPPED, 0, TIMESTAMP, "crashed during verification"},
    };
    static const struct place places[] = {
        {WATCH_CALIBRATION, ONLY}, {WATCH_TIMING, ONLY}, {WATCH_TIMING, 0},
        {WATCH_TIMING, 1},         {WATCH_TIMING, 2},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
        for (size_t j = 0; j < sizeof(faults) / sizeof(*faults); j++)
            strike_once(&faults[j], &places[i]);
    }
}

/* A compiler that makes something else than it was asked for has no rows. */
static void test_a_kernel_of_another_size(void **state)
{
    struct sweep_counts counts;
    struct csv_file csv;
    struct error error;

    (void)state;
    begin_device(false);
    fake_worker_compiled_size = 32;
    assert_int_equal(run_sweep("sweep-size.csv", &counts, &error), STATUS_OK);
    assert_int_equal(counts.failed, ROWS);
    assert_int_equal(csv_file_load(&csv, "sweep-size.csv"), 0);
    for (size_t row = 0; row < csv.row_count; row++) {
        assert_string_equal(csv_file_field(&csv, row, "status"), "failed");
        assert_non_null(
            strstr(csv_file_field(&csv, row, "reason"), "for sub-groups of 32 instead of 16"));
    }
    csv_file_free(&csv);
}

/* A device that never opens again ends the run, and what has been measured stays. */
static void test_a_device_that_does_not_come_back(void **state)
{
    struct sweep_counts counts;
    struct csv_file csv;
    struct error error;

    (void)state;
    begin_device(false);
    plan.call = "zeInit";
    plan.stage = WATCH_START;
    plan.planned = plan.strikes_later = true;
    plan.kind = REFUSED;
    plan.result = ZE_RESULT_ERROR_UNINITIALIZED;
    plan.number = 1;
    assert_int_equal(run_sweep("sweep-gone.csv", &counts, &error), STATUS_FAILED);
    assert_int_equal(*calls, 1);
    assert_non_null(strstr(error.text, "zeInit"));
    assert_int_equal(csv_file_load(&csv, "sweep-gone.csv"), 0);
    assert_int_equal(csv.row_count, 0);
    csv_file_free(&csv);
}

/* The counters of every launch that was counted, in a file of their own; the results are those of a
 * run without. */
static void test_counters_of_a_sweep(void **state)
{
    struct sweep_counts counts;
    struct csv_file csv, results;
    struct error error;
    double per_iteration = 0.0;

    (void)state;
    begin_device(false);
    counters_path = "sweep-counters.csv";
    enum status status = run_sweep("sweep-counted.csv", &counts, &error);
    counters_path = NULL;
    if (status != STATUS_OK)
        fail_msg("%s", error.text);
    assert_int_equal(csv_file_load(&csv, "sweep-counters.csv"), 0);
    assert_int_equal(csv.row_count, FAKE_COUNTER_COUNT * ROWS);
    for (size_t row = 0; row < csv.row_count; row++) {
        assert_string_equal(csv_file_field(&csv, row, "benchmark"), "barrier");
        assert_string_equal(csv_file_field(&csv, row, "counter_group"), FAKE_COUNTERS);
        assert_string_equal(csv_file_field(&csv, row, "reason"), "");
        if (!strcmp(csv_file_field(&csv, row, "counter"), "Iterations"))
            per_iteration += number(&csv, row, "per_iteration");
    }
    assert_near(per_iteration, ROWS, 1e-9);
    csv_file_free(&csv);

    const struct place place = {WATCH_TIMING, ONLY};
    assert_int_equal(csv_file_load(&results, "sweep-counted.csv"), 0);
    for (size_t row = 0; row < ROWS; row++)
        assert_row_is_clean(&place, &results, row);
    csv_file_free(&results);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_faults_around_measuring),
        cmocka_unit_test(test_faults_of_launches),
        cmocka_unit_test(test_a_kernel_of_another_size),
        cmocka_unit_test(test_a_device_that_does_not_come_back),
        cmocka_unit_test(test_counters_of_a_sweep),
    };

    return cmocka_run_group_tests(tests, prepare, release);
}
