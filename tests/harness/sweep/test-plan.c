/* What a sweep plans for a device: values, memory and minutes. */
#include "test.h"

#include "families/registry.h"
#include "math/change-point.h"
#include "measure/estimate.h"
#include "run/progress.h"
#include "sweep/plan.h"

#include <stdlib.h>
#include <string.h>

static struct device device = {
    .slices = 2,
    .subslices_per_slice = 4,
    .eus_per_subslice = 16,
    .threads_per_eu = 8,
    .max_group_size = 1024,
    .max_slm_bytes = 65536,
    .cache_bytes = 4u << 20,
    .memory_bytes = UINT64_C(6) << 30,
    .subgroup_size_count = 3,
    .subgroup_sizes = {8, 16, 32},
};

static enum status plan_family(struct plan *plan, const char *name, enum preset preset,
                               const char *axis, const struct device *on, struct plan_gap *gap,
                               struct error *error)
{
    const struct family *family = family_find(&families, name);
    struct family_axes axes;

    assert_non_null(family);
    memset(gap, 0, sizeof(*gap));
    enum status status = family_axes_resolve(&axes, family, preset, &axis, axis != NULL, error);
    assert_int_equal(status, STATUS_OK);
    return plan_make(plan, family, &axes, on, 1, gap, error);
}

/* "4L" is a number only on a device. */
static void test_values_are_checked_as_the_device_has_them(void **state)
{
    struct device large = device;
    struct plan_gap gap;
    struct error error;
    struct plan plan;

    (void)state;
    large.cache_bytes = 408u << 20;
    assert_int_equal(
        plan_family(&plan, "latency", PRESET_FULL, "working_set=L,4L", &large, &gap, &error),
        STATUS_USAGE);
    assert_non_null(strstr(error.text, "working_set"));
    assert_non_null(strstr(error.text, "1711276032 is too large"));
    plan_free(&plan);

    /* A preset does what it can. */
    assert_int_equal(plan_family(&plan, "latency", PRESET_FULL, NULL, &large, &gap, &error),
                     STATUS_OK);
    assert_true(plan.count > 0);
    assert_true(gap.count > 0);
    assert_non_null(strstr(gap.reason, "latency: axis working_set"));
    for (size_t i = 0; i < plan.count; i++)
        assert_true(plan.configurations[i].own[0] <= 1u << 30);
    plan_free(&plan);
}

static bool is_planned(const struct plan *plan, unsigned lanes, unsigned items)
{
    for (size_t i = 0; i < plan->count; i++) {
        if (plan->configurations[i].subgroup_size == lanes &&
            plan->configurations[i].workgroup_size == items)
            return true;
    }
    return false;
}

/* A family's points are beside the product of its axes, until an axis is asked for. */
static void test_points(void **state)
{
    struct plan_gap gap;
    struct error error;
    struct plan plan;

    (void)state;
    assert_int_equal(plan_family(&plan, "memory_32", PRESET_QUICK, NULL, &device, &gap, &error),
                     STATUS_OK);
    assert_int_equal(plan.count, 7);
    assert_true(is_planned(&plan, 16, 16) && is_planned(&plan, 16, 128));
    assert_true(is_planned(&plan, 8, 512) && is_planned(&plan, 32, 512));
    assert_false(is_planned(&plan, 8, 128));
    plan_free(&plan);
    assert_int_equal(plan_family(&plan, "memory_32", PRESET_DEFAULT, "subgroup_size=8,16", &device,
                                 &gap, &error),
                     STATUS_OK);
    assert_int_equal(plan.count, 8);
    assert_false(is_planned(&plan, 16, 128));
    plan_free(&plan);
    assert_int_equal(plan_family(&plan, "memory_32", PRESET_FULL, NULL, &device, &gap, &error),
                     STATUS_OK);
    assert_false(is_planned(&plan, 16, 1024));
    plan_free(&plan);
}

/* Those that keep Xe-cores busy belong to the preset default alone. */
static void test_default_points(void **state)
{
    static const struct {
        enum preset preset;
        size_t count;
        bool is_busy;
    } cases[] = {{PRESET_DEFAULT, 13, true}, {PRESET_QUICK, 5, false}, {PRESET_FULL, 0, false}};
    struct plan_gap gap;
    struct error error;
    struct plan plan;

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        assert_int_equal(
            plan_family(&plan, "atomics", cases[i].preset, NULL, &device, &gap, &error), STATUS_OK);
        if (cases[i].count)
            assert_int_equal(plan.count, cases[i].count);
        assert_int_equal(is_planned(&plan, 16, 1024), cases[i].is_busy);
        plan_free(&plan);
    }
}

/* With a cache of 1 MiB, half of it is 512 KiB, which is another point of the family. */
static void test_a_point_is_planned_once(void **state)
{
    struct device small = device;
    size_t sets = 0, halves = 0;
    struct plan_gap gap;
    struct error error;
    struct plan plan;

    (void)state;
    small.cache_bytes = 1 << 20;
    assert_int_equal(plan_family(&plan, "latency", PRESET_QUICK, NULL, &small, &gap, &error),
                     STATUS_OK);
    for (size_t i = 0; i < plan.count; i++) {
        sets++;
        halves += plan.configurations[i].own[0] == 512u << 10;
    }
    assert_int_equal(halves, 1);
    assert_int_equal(sets, 7);
    plan_free(&plan);
}

static void test_a_wrong_point_is_refused(void **state)
{
    static const char *const wrong[] = {"subgroup_size=16 nonsense=3", "stride", "subgroup_size=x"};
    struct family family = *family_find(&families, "exchange");
    const char *points[] = {NULL, NULL};
    struct family_axes axes;
    struct plan_gap gap;
    struct error error;
    struct plan plan;

    (void)state;
    family.points = points;
    assert_int_equal(family_axes_resolve(&axes, &family, PRESET_DEFAULT, NULL, 0, &error),
                     STATUS_OK);
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        points[0] = wrong[i];
        assert_int_equal(plan_make(&plan, &family, &axes, &device, 1, &gap, &error), STATUS_USAGE);
        plan_free(&plan);
    }
}

#define SETS_MAX 16

/* The sets that the default preset walks with one sub-group of 16, line by line in random order. */
static size_t default_sets(double sets[SETS_MAX])
{
    struct plan_gap gap;
    struct error error;
    struct plan plan;
    size_t count = 0;

    assert_int_equal(plan_family(&plan, "latency", PRESET_DEFAULT, NULL, &device, &gap, &error),
                     STATUS_OK);
    for (size_t i = 0; i < plan.count; i++) {
        const struct configuration *c = &plan.configurations[i];

        if (c->subgroup_size == 16 && c->own[1] == 64 && c->own[2] == 0 &&
            c->workgroup_count == 1 && count < SETS_MAX)
            sets[count++] = c->own[0];
    }
    plan_free(&plan);
    return count;
}

/* Two caches and a memory. A cache that is too small answers for the part that it holds. */
static double planted_latency(double set, double first, double second)
{
    static const double cycles[] = {40.0, 190.0, 600.0};
    double in_first = set <= first ? 1.0 : set < 2.0 * first ? 2.0 * first / set - 1.0 : 0.0;
    double in_second = set <= second ? 1.0 : set < 2.0 * second ? 2.0 * second / set - 1.0 : 0.0;

    return in_first * cycles[0] +
           (1.0 - in_first) * (in_second * cycles[1] + (1.0 - in_second) * cycles[2]);
}

static void expect_levels(const double *sets, size_t count, double first, double second)
{
    struct staircase_level levels[STAIRCASE_LEVELS_MAX];
    struct staircase_point points[SETS_MAX];
    size_t found;
    struct error error;

    for (size_t i = 0; i < count; i++)
        points[i] = (struct staircase_point){sets[i], planted_latency(sets[i], first, second), 0.5};
    if (staircase_levels(points, count, 1, levels, &found, &error) != STATUS_OK)
        fail_msg("caches of %.0f and %.0f bytes: %s", first, second, error.text);
    if (found != 3)
        fail_msg("caches of %.0f and %.0f bytes: %zu levels", first, second, found);
    assert_near(levels[0].value, 40.0, 4.0);
    assert_near(levels[1].value, 190.0, 19.0);
    assert_near(levels[2].value, 600.0, 60.0);
    assert_true(levels[0].last_size <= first && first < levels[0].next_size);
    assert_true(levels[1].last_size <= second && second < levels[1].next_size);
}

/* No capacity is missed because the default's sets lie on its wrong sides. */
static void test_every_level_has_its_sets(void **state)
{
    double sets[SETS_MAX];
    size_t count = default_sets(sets), planted = 0;

    (void)state;
    for (double first = 32768.0; first <= 1048576.0; first *= 1.19) {
        for (double second = 8.0 * first; second <= device.cache_bytes; second *= 1.19) {
            expect_levels(sets, count, first, second);
            planted++;
        }
    }
    assert_true(planted > 50);
}

static void test_a_multiple_does_not_wrap(void **state)
{
    struct device large = device;
    struct plan_gap gap;
    struct error error;
    struct plan plan;

    (void)state;
    large.cache_bytes = 1u << 30;
    assert_int_equal(
        plan_family(&plan, "latency", PRESET_DEFAULT, "working_set=5L", &large, &gap, &error),
        STATUS_USAGE);
    plan_free(&plan);
}

/* Seven of eight Xe-cores work: no number of sub-slices in each of two slices says so. */
static void test_unlike_slices(void **state)
{
    struct device harvested = device;

    (void)state;
    assert_int_equal(device_xe_cores(&harvested), 8);
    harvested.subslices_per_slice = 3;
    harvested.total_eus = 7 * 16;
    assert_int_equal(device_xe_cores(&harvested), 7);
    assert_near(device_busy_threads(&harvested, 16, 16, 10000), 7 * 128, 0);
}

/* The order is random, but the same for the same seed. */
static void test_order(void **state)
{
    const struct family *family = family_find(&families, "latency");
    static const uint64_t seeds[] = {1, 1, 2};
    struct family_axes axes;
    struct plan plans[3];
    struct plan_gap gap = {0};
    struct error error;

    (void)state;
    assert_int_equal(family_axes_resolve(&axes, family, PRESET_DEFAULT, NULL, 0, &error),
                     STATUS_OK);
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(plan_make(&plans[i], family, &axes, &device, seeds[i], &gap, &error),
                         STATUS_OK);
    size_t bytes = plans[0].count * sizeof(*plans[0].configurations);
    assert_memory_equal(plans[0].configurations, plans[1].configurations, bytes);
    assert_memory_not_equal(plans[0].configurations, plans[2].configurations, bytes);
    for (size_t i = 0; i < 3; i++)
        plan_free(&plans[i]);
}

static void test_local_memory(void **state)
{
    struct configuration configuration = {32, 1024, 1, {1, 16}};
    const struct family *atomics = family_find(&families, "atomics");
    struct error error;

    (void)state;
    assert_int_equal(plan_check_memory(&device, atomics, &configuration, &error),
                     STATUS_UNSUPPORTED);
    assert_non_null(strstr(error.text, "131072"));
    assert_non_null(strstr(error.text, "65536"));
    configuration.workgroup_size = 512;
    assert_int_equal(plan_check_memory(&device, atomics, &configuration, &error), STATUS_OK);
}

static void test_global_memory(void **state)
{
    struct configuration configuration = {16, 256, 1, {1u << 30}};
    const struct family *bandwidth = family_find(&families, "device_bandwidth");
    struct device other = device;
    struct error error;

    (void)state;
    assert_int_equal(plan_check_memory(&other, bandwidth, &configuration, &error), STATUS_OK);
    /* Both sides of the buffers are in it. */
    other.is_integrated = true;
    assert_int_equal(plan_check_memory(&other, bandwidth, &configuration, &error),
                     STATUS_UNSUPPORTED);
    assert_non_null(strstr(error.text, "2048 MiB"));
    other.is_integrated = false;
    other.memory_bytes = UINT64_C(2) << 30;
    assert_int_equal(plan_check_memory(&other, bandwidth, &configuration, &error),
                     STATUS_UNSUPPORTED);
    other.memory_bytes = 0; /* nobody says */
    assert_int_equal(plan_check_memory(&other, bandwidth, &configuration, &error), STATUS_OK);
}

/* Every family's memory can be made without a device, and has as many bytes as the plan counts. */
static void test_families_know_their_buffers(void **state)
{
    (void)state;
    for (size_t f = 0; f < families.count; f++) {
        const struct family *family = families.family[f];
        struct workspace workspace;
        struct plan_gap gap;
        struct error error;
        struct plan plan;
        size_t bytes = 0;

        assert_int_equal(
            plan_family(&plan, family->name, PRESET_DEFAULT, NULL, &device, &gap, &error),
            STATUS_OK);
        workspace_init(&workspace, NULL, 1);
        assert_int_equal(family_prepare(family, &workspace, &plan.configurations[0], &error),
                         STATUS_OK);
        for (size_t b = 0; b < workspace.buffer_count; b++)
            bytes += workspace.buffers[b].bytes;
        assert_int_equal(family_buffer_bytes(family, &plan.configurations[0]), bytes);
        assert_true(bytes > 0);
        workspace_release(&workspace);
        plan_free(&plan);
    }
}

/* A kernel that only computes costs a model more than one that waits: its engines always issue. */
static void test_computing_costs_a_model_more(void **state)
{
    const struct configuration configuration = {16, 256, 64, {0}};
    const struct family *arithmetic = family_find(&families, "device_arithmetic");
    const struct family *barrier = family_find(&families, "barrier");
    struct target target = {.device = device,
                            .kind = DEVICE_EMULATED,
                            .is_deterministic = true,
                            .timer = {.hz = 19200000}};
    const bool one[VARIANTS_MAX] = {true};
    const struct stop_rule usual = {.min = 0};

    (void)state;
    target.device.max_clock_mhz = 2450;
    double computes =
        estimate_configuration(&target, arithmetic, &configuration, one, &usual).least;
    double waits = estimate_configuration(&target, barrier, &configuration, one, &usual).least;
    assert_true(computes > 3.0 * waits);
    /* On a GPU both take the same time. */
    target.kind = DEVICE_HARDWARE;
    target.is_deterministic = false;
    computes = estimate_configuration(&target, arithmetic, &configuration, one, &usual).least;
    waits = estimate_configuration(&target, barrier, &configuration, one, &usual).least;
    assert_true(computes < 1.5 * waits);
}

/* At first the plan is believed, later what the finished part of it took. */
static void test_time_left(void **state)
{
    const struct sweep_standing begun = {0.0, 120.0}, half = {60.0, 60.0}, done = {120.0, 0.0};

    (void)state;
    assert_near(progress_left_s(&begun, 1, 0.0), 120.0, 1e-9);
    assert_near(progress_left_s(&begun, 2, 0.0), 60.0, 1e-9);
    assert_near(progress_left_s(&half, 2, 30.0), 30.0, 2.0);
    /* The machine takes three times as long as the plan says. */
    assert_near(progress_left_s(&half, 2, 90.0), 90.0, 6.0);
    assert_near(progress_left_s(&done, 2, 90.0), 0.0, 1e-9);
}

static size_t count_lines(FILE *file)
{
    size_t lines = 0;

    rewind(file);
    for (int byte; (byte = fgetc(file)) != EOF;)
        lines += byte == '\n';
    return lines;
}

/* Lines of a run that measures `families` times `each` configurations, told in a file. */
static size_t lines_of(size_t family_count, size_t each)
{
    const struct configuration configuration = {16, 256, 1, {0}};
    struct family *family = calloc(family_count, sizeof(*family));
    struct progress progress;
    FILE *out = tmpfile();

    assert_true(family && out);
    progress_init(&progress, out, VERBOSITY_NORMAL, NULL);
    for (size_t i = 0; i < family_count * each; i++) {
        family[i / each].name = "family";
        progress_started(&progress, &family[i / each], &configuration, i, family_count * each);
    }
    progress_end(&progress);
    size_t lines = count_lines(out);
    fclose(out);
    free(family);
    return lines;
}

/* Every family has a line, unless there are so many that a reader would scroll. */
static void test_lines_of_progress(void **state)
{
    (void)state;
    assert_int_equal(lines_of(1, 100), 1);
    assert_int_equal(lines_of(7, 1), 7);
    assert_int_equal(lines_of(15, 20), 15);
    assert_true(lines_of(30, 1) <= 20);
    assert_true(lines_of(30, 3) <= 20 && lines_of(30, 3) >= 10);
}

static struct duration estimate(enum device_kind kind, unsigned workgroups, struct stop_rule stop)
{
    const struct configuration configuration = {16, 256, workgroups, {0}};
    const struct family *barrier = family_find(&families, "barrier");
    struct target target = {.device = device,
                            .kind = kind,
                            .is_deterministic = kind == DEVICE_EMULATED,
                            .timer = {.hz = 19200000}};
    bool takes_part[VARIANTS_MAX] = {true, true, true};

    return estimate_configuration(&target, barrier, &configuration, takes_part, &stop);
}

static void test_estimates_follow_the_work(void **state)
{
    const struct stop_rule ten = {.min = 10, .max = 10}, twenty = {.min = 20, .max = 20},
                           usual = {.min = 0};

    (void)state;
    /* On a GPU rounds cost; how many, the device decides. */
    assert_true(estimate(DEVICE_HARDWARE, 1, twenty).least >
                1.7 * estimate(DEVICE_HARDWARE, 1, ten).least);
    assert_true(estimate(DEVICE_HARDWARE, 1, usual).most >
                5.0 * estimate(DEVICE_HARDWARE, 1, usual).least);
    /* 3 variants, 10 rounds of 5 launches, some milliseconds each. */
    assert_in_range(estimate(DEVICE_HARDWARE, 1, ten).least * 1e3, 300, 3000);
    /* On an emulated device threads cost, as far as they run side by side. */
    assert_true(estimate(DEVICE_EMULATED, 64, usual).least >
                10.0 * estimate(DEVICE_EMULATED, 1, usual).least);
    assert_near(estimate(DEVICE_EMULATED, 64, usual).least,
                estimate(DEVICE_EMULATED, 4096, usual).least, 1e-9);
    /* One round of three launches, or three rounds, after the same calibration, which is one. */
    assert_true(estimate(DEVICE_EMULATED, 1, usual).most >
                1.7 * estimate(DEVICE_EMULATED, 1, usual).least);
    assert_true(estimate(DEVICE_EMULATED, 1, usual).most <
                2.5 * estimate(DEVICE_EMULATED, 1, usual).least);
}

/* What tells the health of a GPU is a part of the quick sweep. */
static void test_health(void **state)
{
    size_t chosen = 0;

    (void)state;
    for (size_t f = 0; f < families.count; f++) {
        const struct family *family = families.family[f];

        for (size_t a = 0; a < family->axis_count; a++)
            assert_string_equal(axis_preset(&family->axes[a], PRESET_HEALTH),
                                axis_preset(&family->axes[a], PRESET_QUICK));
        chosen += family->tells_health;
    }
    assert_true(chosen > 0 && chosen < families.count / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values_are_checked_as_the_device_has_them),
        cmocka_unit_test(test_every_level_has_its_sets),
        cmocka_unit_test(test_points),
        cmocka_unit_test(test_default_points),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_a_point_is_planned_once),
        cmocka_unit_test(test_a_wrong_point_is_refused),
        cmocka_unit_test(test_a_multiple_does_not_wrap),
        cmocka_unit_test(test_unlike_slices),
        cmocka_unit_test(test_local_memory),
        cmocka_unit_test(test_global_memory),
        cmocka_unit_test(test_families_know_their_buffers),
        cmocka_unit_test(test_estimates_follow_the_work),
        cmocka_unit_test(test_computing_costs_a_model_more),
        cmocka_unit_test(test_time_left),
        cmocka_unit_test(test_lines_of_progress),
        cmocka_unit_test(test_health),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
