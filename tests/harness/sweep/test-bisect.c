/*
 * Where a cost changes along an axis is found by bisection: planted caches of several sizes, with
 * steps that take several values; and whole sweeps of a family with such an axis, on a fake device.
 */
#include "test.h"

#include "csv-file.h"
#include "failing-memory.h"
#include "fake-worker.h"
#include "family/axis-columns.h"
#include "family/common-axes.h"
#include "run/resume.h"
#include "sweep/bisect.h"
#include "sweep/store.h"
#include "sweep/sweep.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RESULTS "bisect.csv"

enum { SIZE, OTHER }; /* own axes */
enum { SIZES_MAX = 64, VARIANTS = 2 };

static enum status prepare(struct workspace *workspace, const struct configuration *configuration,
                           struct error *error);

static const struct axis axes[] = {
    SUBGROUP_SIZE_AXIS,
    WORKGROUP_SIZE_AXIS("16", NULL, NULL),
    WORKGROUP_COUNT_AXIS("1", NULL, NULL),
    {.name = "size",
     .means = "of the set",
     .defaults = "16K,64K,256K,1M,4M",
     .quick = "16K,1M",
     .kind = AXIS_COUNT,
     .least = 1,
     .largest = 1u << 30,
     .is_bisected = true},
    {.name = "other",
     .means = "something else",
     .defaults = "1",
     .kind = AXIS_COUNT,
     .least = 1,
     .largest = 100},
};

static const struct variant variants[VARIANTS] = {
    {FAKE_LOOP}, {.name = "steady", .entry_point = "barrier_sub_group", .means = "has no levels"}};

static const struct family family = {
    FAKE_FAMILY,
    .axes = axes,
    .axis_count = sizeof(axes) / sizeof(axes[0]),
    .variants = variants,
    .variant_count = VARIANTS,
    .prepare = prepare,
};

/* A device's caches: their sizes, and the value at which a step is over, relative to them. */
struct cache_levels {
    unsigned bytes[3];
    double blur;
};

static double cost(const struct cache_levels *caches, double size)
{
    double ns = 20.0;

    for (size_t i = 0; i < 3 && caches->bytes[i]; i++) {
        double part = (size / caches->bytes[i] - 1.0) / (caches->blur - 1.0);

        ns *= 1.0 + 2.0 * fmin(fmax(part, 0.0), 1.0);
    }
    return ns;
}

/* What is measured, as it grows. */
static struct {
    struct finding finding[SIZES_MAX];
    double value[SIZES_MAX][VARIANTS], half[SIZES_MAX][VARIANTS];
    size_t count;
} seen;

static void see(const struct cache_levels *caches, struct configuration configuration)
{
    size_t i = seen.count++;

    assert_true(i < SIZES_MAX);
    seen.value[i][0] = cost(caches, configuration.own[SIZE]);
    seen.value[i][1] = 50.0;
    seen.half[i][0] = seen.half[i][1] = 0.1;
    seen.finding[i] = (struct finding){configuration, seen.value[i], seen.half[i]};
}

static void see_grid(const struct cache_levels *caches, unsigned other, const unsigned *sizes,
                     size_t count)
{
    for (size_t i = count; i-- > 0;) /* in any order */
        see(caches, (struct configuration){16, 16, 1, {sizes[i], other}});
}

static size_t propose(struct configuration proposed[SIZES_MAX])
{
    struct error error;
    size_t count;

    assert_int_equal(bisect_propose(&family, SIZE, seen.finding, seen.count, proposed, SIZES_MAX,
                                    &count, &error),
                     STATUS_OK);
    return count;
}

static size_t bisect(const struct cache_levels *caches)
{
    struct configuration proposed[SIZES_MAX];
    size_t count, added = 0;

    while ((count = propose(proposed))) {
        for (size_t i = 0; i < count; i++) {
            assert_true(i == 0 || proposed[i].own[SIZE] > proposed[i - 1].own[SIZE]);
            see(caches, proposed[i]);
        }
        added += count;
    }
    return added;
}

/* The largest measured size within a level, and the next one measured. */
static void assert_found(const struct cache_levels *caches, size_t level, unsigned other)
{
    unsigned within = 0, beyond = UINT32_MAX;

    for (size_t i = 0; i < seen.count; i++) {
        unsigned size = seen.finding[i].configuration.own[SIZE];

        if (seen.finding[i].configuration.own[OTHER] != other)
            continue;
        if (size <= caches->bytes[level] && size > within)
            within = size;
        if (size > caches->bytes[level] && size < beyond)
            beyond = size;
    }
    print_message("%u is between %u and %u\n", caches->bytes[level], within, beyond);
    assert_true(beyond <= BISECT_RESOLUTION * within);
}

static const unsigned grid[] = {16u << 10, 64u << 10, 256u << 10, 1u << 20, 4u << 20, 16u << 20};
enum { GRID = sizeof(grid) / sizeof(grid[0]) };

static void test_planted_caches(void **state)
{
    static const struct cache_levels caches[] = {
        {{192u << 10, 4u << 20}, 1.05},
        {{192u << 10, 4u << 20}, 2.0},
        {{20000, 70000, 3u << 20}, 1.3}, /* all steps between neighbours of the grid */
        {{100000, 300000, 8u << 20}, 1.1},
        {{64u << 10, 1u << 20}, 1.1}, /* sizes of the grid itself */
    };

    (void)state;
    for (size_t c = 0; c < sizeof(caches) / sizeof(caches[0]); c++) {
        memset(&seen, 0, sizeof(seen));
        see_grid(&caches[c], 1, grid, GRID);
        size_t added = bisect(&caches[c]);
        print_message("%zu values besides\n", added);
        assert_true(added <= 16);
        for (size_t level = 0; level < 3 && caches[c].bytes[level]; level++)
            assert_found(&caches[c], level, 1);
    }
}

/* Findings of several lines along the axis, as they come. */
static void test_lines_in_any_order(void **state)
{
    static const struct cache_levels caches = {{192u << 10, 4u << 20}, 1.05};
    static const unsigned others[] = {2, 3, 1};

    (void)state;
    memset(&seen, 0, sizeof(seen));
    for (size_t i = 0; i < GRID; i++) {
        for (size_t o = 0; o < 3; o++)
            see(&caches, (struct configuration){16, 16, 1, {grid[GRID - 1 - i], others[o]}});
    }
    assert_true(bisect(&caches) > 0);
    assert_found(&caches, 0, 1);
    assert_found(&caches, 1, 1);
}

/* Where nothing changes, or nobody can tell, nothing is added. */
static void test_no_levels(void **state)
{
    static const struct cache_levels none = {{0}, 2.0}, one = {{192u << 10}, 1.05};

    (void)state;
    memset(&seen, 0, sizeof(seen));
    see_grid(&none, 1, grid, GRID);
    assert_int_equal(bisect(&none), 0);
    memset(&seen, 0, sizeof(seen));
    see_grid(&one, 1, grid, GRID);
    for (size_t i = 0; i < GRID; i++)
        seen.half[i][0] = 100.0;
    assert_int_equal(bisect(&one), 0);
    for (size_t i = 0; i < GRID; i++)
        seen.value[i][0] = NAN;
    assert_int_equal(bisect(&one), 0);
    seen.count = 0;
    assert_int_equal(bisect(&one), 0);
}

/* A step is looked for once, where most values are known. */
static void test_of_two_groups_one(void **state)
{
    static const struct cache_levels one = {{192u << 10}, 1.05};
    static const unsigned few[] = {16u << 10, 1u << 20};

    (void)state;
    memset(&seen, 0, sizeof(seen));
    see_grid(&one, 1, few, 2);
    see_grid(&one, 2, grid, GRID);
    size_t before = seen.count;
    assert_true(bisect(&one) > 0);
    for (size_t i = before; i < seen.count; i++)
        assert_int_equal(seen.finding[i].configuration.own[OTHER], 2);
    assert_found(&one, 0, 2);
}

/* The device of the sweeps. */
static const struct cache_levels planted = {{192u << 10, 2u << 20}, 1.05};

static enum status prepare(struct workspace *workspace, const struct configuration *configuration,
                           struct error *error)
{
    double ns = cost(&planted, configuration->own[SIZE]);

    (void)workspace;
    (void)error;
    if (fake.iteration_ns[0] != ns) /* else contents are drawn anew */
        fake_restart();
    fake.iteration_ns[0] = ns;
    return STATUS_OK;
}

static size_t done, stops_after; /* configurations; 0: never */
static unsigned long fails_at;   /* allocation after the default sizes; 0: none */
enum { SIZES = 5 };              /* by default */
static volatile sig_atomic_t stopped;

static void on_started(void *context, const struct family *of,
                       const struct configuration *configuration, size_t index, size_t total)
{
    (void)context;
    (void)of;
    (void)configuration;
    assert_true(index < total);
}

static void on_finished(void *context, const struct family *of,
                        const struct configuration *configuration,
                        const struct measurement *measurements, size_t index)
{
    (void)context;
    (void)of;
    (void)configuration;
    (void)measurements;
    (void)index;
    stopped = ++done == stops_after;
    if (done == SIZES)
        memory_fails_at(fails_at);
}

static void run_sweep(enum device_kind kind, unsigned jobs, const char *axis, enum preset preset,
                      bool resumes)
{
    static const struct sweep_events events = {.started = on_started, .finished = on_finished};
    static const struct family *const only[] = {&family};
    static const struct family_list list = {only, 1};
    struct sweep_request request = {
        .families = {&family},
        .family_count = 1,
        .preset = preset,
        .axes = {"subgroup_size=16", axis},
        .axis_count = axis ? 2 : 1,
        .options = {.stop = {0.005, 3, 3}, .seed = 1},
        .jobs = jobs,
        .stop = &stopped,
        .connect = fake_worker_connect,
    };
    const struct resume_request resume_request = {.results = RESULTS, .seed = 1};
    struct resume resume = {.has_rows = false};
    struct axis_columns columns;
    struct run_identity identity = {.run_id = "test", .axes = &columns};
    struct sweep_counts counts;
    struct sweep *sweep;
    const struct store_request files = {
        .path = {RESULTS}, .axes = &columns, .command = "a test", .replaces = true};
    struct store store;
    struct error error;

    done = 0;
    stopped = 0;
    fake_worker_kind = kind;
    assert_int_equal(axis_columns_fill(&columns, &list, &error), STATUS_OK);
    assert_int_equal(sweep_open(&sweep, &request, &error), STATUS_OK);
    assert_int_equal(store_lock(&store, &files, &error), STATUS_OK);
    if (resumes) {
        if (resume_plan(&resume, sweep, &resume_request, &error) != STATUS_OK)
            fail_msg("%s", error.text);
        assert_int_equal(store_continue(&store, resume.rest, &error), STATUS_OK);
    } else {
        assert_int_equal(store_create(&store, &error), STATUS_OK);
    }
    /* Of what an earlier run has measured nothing is to be done, of what nobody has, all. */
    struct sweep_standing standing = sweep_standing(sweep);
    assert_near(standing.done_s, 0.0, 0.0);
    assert_int_equal(sweep_run(sweep, &identity, &store, &events, &counts, &error),
                     stops_after ? STATUS_INTERRUPTED
                     : fails_at  ? STATUS_NO_MEMORY
                                 : STATUS_OK);
    double planned_s = standing.left_s;
    standing = sweep_standing(sweep);
    if (!stops_after && !fails_at) {
        assert_near(standing.left_s, 0.0, 0.0);
        assert_true(standing.done_s >= planned_s); /* bisection adds to the plan */
    }
    sweep_close(sweep);
    assert_int_equal(store_close(&store, &error), STATUS_OK);
}

static int begin(void **state)
{
    (void)state;
    memset(&fake, 0, sizeof(fake));
    stops_after = 0;
    fake.launch_ns = 3000.0;
    fake.spin_ns = 10.0;
    fake.spin_cycles = 24.0;
    fake.iteration_ns[1] = 50.0;
    fake.computes_nothing = true;
    fake.wrong_data_variant = FAKE_NO_VARIANT;
    fake.wrong_proof_variant = FAKE_NO_VARIANT;
    return 0;
}

static void load(struct csv_file *csv)
{
    assert_int_equal(csv_file_load(csv, RESULTS), 0);
}

/* The rows' sizes as findings, each once. */
static void see_rows(const struct csv_file *csv)
{
    memset(&seen, 0, sizeof(seen));
    for (size_t row = 0; row < csv->row_count; row += VARIANTS) {
        unsigned size = (unsigned)strtoul(csv_file_field(csv, row, "size"), NULL, 10);

        for (size_t i = 0; i < seen.count; i++)
            assert_int_not_equal(seen.finding[i].configuration.own[SIZE], size);
        assert_int_equal(strtoul(csv_file_field(csv, row, "sequence"), NULL, 10), seen.count);
        see(&planted, (struct configuration){16, 16, 1, {size, 1}});
    }
}

static void test_a_sweep(void **state)
{
    static const enum device_kind kinds[] = {DEVICE_HARDWARE, DEVICE_EMULATED, DEVICE_EMULATED};
    static const unsigned jobs[] = {1, 1, 3};
    struct csv_file csv, first;

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        run_sweep(kinds[i], jobs[i], NULL, PRESET_DEFAULT, false);
        load(&csv);
        see_rows(&csv);
        assert_found(&planted, 0, 1);
        assert_found(&planted, 1, 1);
        if (i == 1)
            load(&first);
        else if (i == 2) /* for any number of jobs */
            csv_file_assert_same_rows(&csv, &first, csv.row_count);
        csv_file_free(&csv);
    }
    csv_file_free(&first);
}

/* A run that ends at any configuration continues to the same rows. */
static void test_a_run_that_is_resumed(void **state)
{
    struct csv_file whole, resumed;

    run_sweep(DEVICE_EMULATED, 1, NULL, PRESET_DEFAULT, false);
    load(&whole);
    for (size_t at = 1; at < whole.row_count / VARIANTS; at++) {
        begin(state);
        stops_after = at;
        run_sweep(DEVICE_EMULATED, 1, NULL, PRESET_DEFAULT, false);
        stops_after = 0;
        run_sweep(DEVICE_EMULATED, 1, NULL, PRESET_DEFAULT, true);
        load(&resumed);
        assert_int_equal(resumed.row_count, whole.row_count);
        csv_file_assert_same_rows(&resumed, &whole, whole.row_count);
        csv_file_free(&resumed);
    }
    csv_file_free(&whole);
}

/* Memory that runs out while the next values are looked for does not end the search unnoticed. */
static void test_no_memory(void **state)
{
    static const struct cache_levels one = {{192u << 10}, 1.05};
    struct configuration proposed[SIZES_MAX];
    struct csv_file csv;
    struct error error;
    size_t count;

    (void)state;
    memset(&seen, 0, sizeof(seen));
    see_grid(&one, 1, grid, GRID);
    memory_fails_at(1);
    assert_int_equal(bisect_propose(&family, SIZE, seen.finding, seen.count, proposed, SIZES_MAX,
                                    &count, &error),
                     STATUS_NO_MEMORY);
    for (fails_at = 1; fails_at <= 4; fails_at++) {
        run_sweep(DEVICE_EMULATED, 1, NULL, PRESET_DEFAULT, false);
        load(&csv);
        assert_int_equal(csv.row_count, SIZES * VARIANTS); /* what is measured is kept */
        csv_file_free(&csv);
    }
    fails_at = 0;
}

/* Values that the user has chosen are all there are; other axes may be chosen. */
static void test_what_is_not_bisected(void **state)
{
    static const struct {
        const char *axis;
        enum preset preset;
        size_t rows; /* 0: more than the grid's */
    } cases[] = {{"size=16K,1M", PRESET_DEFAULT, 2 * VARIANTS},
                 {NULL, PRESET_QUICK, 2 * VARIANTS},
                 {"other=2", PRESET_DEFAULT, 0}};

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct csv_file csv;

        run_sweep(DEVICE_EMULATED, 1, cases[i].axis, cases[i].preset, false);
        load(&csv);
        assert_true(cases[i].rows ? csv.row_count == cases[i].rows : csv.row_count > 5 * VARIANTS);
        csv_file_free(&csv);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_planted_caches),
        cmocka_unit_test(test_lines_in_any_order),
        cmocka_unit_test(test_no_levels),
        cmocka_unit_test(test_of_two_groups_one),
        cmocka_unit_test_setup(test_a_sweep, begin),
        cmocka_unit_test_setup(test_a_run_that_is_resumed, begin),
        cmocka_unit_test_setup(test_what_is_not_bisected, begin),
        cmocka_unit_test_setup(test_no_memory, begin),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
