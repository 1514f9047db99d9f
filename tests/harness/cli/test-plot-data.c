/* The points of a plot: which slice of a sweep is drawn, in what order, and what the reader is
 * told. */
#include "test.h"

#include "report/plot-data.h"
#include "report/plot-view.h"

#include <stdlib.h>
#include <string.h>

/* A point for each record, in order. */
static void add_rows(struct plot_data *data, const struct record *records, size_t count)
{
    *data = (struct plot_data){0};
    for (size_t i = 0; i < count; i++)
        plot_data_add(data, &(struct plot_point){.record = &records[i],
                                                 .style = "points",
                                                 .x = (double)i,
                                                 .in_flight = records[i].work_bytes});
}

#define ROW(lanes, items, groups, flight, text)                                                    \
    {                                                                                              \
        .subgroup_size = (lanes), .workgroup_size = (items), .workgroup_count = (groups),          \
        .work_bytes = (flight), .parameters = (text)                                               \
    }

/* 100 bytes are in flight in three rows, 200 in two, 400 in one. */
static const struct record sweep[] = {
    ROW(16, 16, 1, 100.0, "stride=1"), ROW(16, 32, 2, 100.0, "stride=1"),
    ROW(16, 64, 4, 100.0, "stride=1"), ROW(8, 16, 1, 200.0, "stride=1"),
    ROW(8, 32, 1, 200.0, "stride=2"),  ROW(32, 32, 1, 400.0, "stride=2"),
};

#define SWEEP_COUNT (sizeof(sweep) / sizeof(sweep[0]))

/* Keeps `count` rows, the first of which is row `first`, and says so. */
static void expect_kept(void (*slice)(struct plot_data *data, const char *axis), const char *axis,
                        size_t count, size_t first, const char *note)
{
    struct plot_data data;

    add_rows(&data, sweep, SWEEP_COUNT);
    slice(&data, axis);
    assert_int_equal(data.count, count);
    assert_ptr_equal(data.point[0].record, &sweep[first]);
    assert_string_equal(data.note, note);
    plot_data_free(&data);
}

static void expect_slice(const char *axis, size_t count, size_t first, const char *note)
{
    expect_kept(plot_data_slice, axis, count, first, note);
}

static void test_slices(void **state)
{
    (void)state;
    expect_slice("subgroup_size", 3, 0, " Sub-groups of 16.");
    expect_slice("workgroup_size", 3, 1, " Workgroup size 32.");
    expect_slice("workgroup_count", 4, 0, " 1 work-group.");
    expect_slice("in_flight", 3, 0, " 100 B in flight.");
    expect_kept(plot_data_slice_largest, "in_flight", 2, 3, " 200 B in flight.");
    expect_slice("stride", 4, 0, " Stride 1.");
    expect_slice("working_set", SWEEP_COUNT, 0, "");
    /* One thread in two rows, two in two: of those, the fewest. */
    expect_slice("threads", 2, 0, " Work-groups of 1 hardware thread.");
    expect_slice("work_items", 2, 0, " 16 work-items in a launch.");
}

/* As many rows of each size: 16, though 8 is less. */
static void test_preferred_size(void **state)
{
    static const struct record rows[] = {ROW(8, 16, 1, 0, ""), ROW(16, 16, 1, 0, ""),
                                         ROW(32, 32, 1, 0, "")};
    struct plot_data data;

    (void)state;
    for (size_t first = 0; first < 3; first++) {
        add_rows(&data, rows + first, 3 - first);
        plot_data_slice(&data, "subgroup_size");
        assert_int_equal(data.count, 1);
        assert_int_equal(data.point[0].record->subgroup_size, first < 2 ? 16 : 32);
        plot_data_free(&data);
    }
}

static void test_varies(void **state)
{
    struct plot_data data;

    (void)state;
    add_rows(&data, sweep, SWEEP_COUNT);
    assert_true(plot_data_varies(&data, "subgroup_size"));
    data.count = 3;
    assert_false(plot_data_varies(&data, "subgroup_size"));
    assert_true(plot_data_varies(&data, "workgroup_count"));
    /* x is 0, 1, 2; then one is as another, and one unknown. */
    assert_int_equal(plot_data_different_x(&data), 3);
    data.point[1].x = 2.0;
    assert_int_equal(plot_data_different_x(&data), 2);
    data.point[0].x = NAN;
    assert_int_equal(plot_data_different_x(&data), 2);
    plot_data_free(&data);
}

/* By order, panel, category, series, style, x and y; 8 is before 16. */
static void test_order(void **state)
{
    static const struct plot_point sorted[] = {
        {.panel = "z", .style = "fit"},
        {.order = 1, .panel = "p8", .category = "b", .style = "fit"},
        {.order = 1, .panel = "p16", .category = "a9", .series = "s", .style = "fit"},
        {.order = 1, .panel = "p16", .category = "a10", .series = "s8", .style = "points"},
        {.order = 1, .panel = "p16", .category = "a10", .series = "s16", .style = "fit", .x = 2},
        {.order = 1, .panel = "p16", .category = "a10", .series = "s16", .style = "points", .x = 1},
        {.order = 1, .panel = "p16", .category = "a10", .series = "s16", .style = "points", .x = 2},
        {.order = 1,
         .panel = "p16",
         .category = "a10",
         .series = "s16",
         .style = "points",
         .x = 2,
         .y = 1},
        {.order = 1, .panel = "p16s", .category = "a", .style = "fit"},
    };
    const size_t count = sizeof(sorted) / sizeof(sorted[0]);
    struct plot_data data = {0};

    (void)state;
    for (size_t i = 0; i < count; i++)
        plot_data_add(&data, &sorted[i * 4 % count]);
    plot_data_sort(&data);
    for (size_t i = 0; i < count; i++)
        assert_memory_equal(&data.point[i], &sorted[i], sizeof(sorted[i]));
    assert_int_equal(plot_data_panel(&data, 0), 1);
    assert_int_equal(plot_data_panel(&data, 2), 6);
    assert_int_equal(plot_data_run(&data, 2), 1);
    assert_int_equal(plot_data_run(&data, 4), 4);
    assert_int_equal(plot_data_run(&data, 8), 1);
    plot_data_free(&data);
}

/* More points than the first memory holds. */
static void test_many(void **state)
{
    struct plot_data data = {0};

    (void)state;
    for (unsigned i = 0; i < 1000; i++)
        plot_data_add(&data, &(struct plot_point){.x = i, .style = ""});
    assert_int_equal(data.count, 1000);
    for (unsigned i = 0; i < 1000; i++)
        assert_true(data.point[i].x == i);
    plot_data_free(&data);
}

/* "points" has a size by its panel, a method by its series. */
static void test_view(void **state)
{
    static const struct plot bars = {.shape = PLOT_BARS, .y_label = "clock cycles a step"};
    static const struct plot lines = {.shape = PLOT_LINES,
                                      .x_label = "bytes",
                                      .x_is_bytes = true,
                                      .y_label = "clock cycles a step"};
    static const struct record row = {.subgroup_size = 16, .shown_in = TIME_US};
    const struct plot_point points[] = {
        {.panel = "sub-groups of 32",
         .panel_size = 32,
         .series = "slm",
         .style = "points",
         .category = "shuffle",
         .y = 12.5,
         .lo = 12.0,
         .hi = 13.0,
         .record = &row},
        {.panel = "load",
         .series = "SIMD8",
         .series_size = 8,
         .style = "points",
         .x = 65536.0,
         .y = 3.0,
         .record = &row},
        {.panel = "load", .series = "vec4", .style = "fit", .order = 2, .record = &row},
    };
    struct plot_data data = {.point = (struct plot_point *)points, .count = 3};
    struct plot_view view;
    struct error error;
    char hint[PLOT_HINT_BYTES];

    (void)state;
    assert_int_equal(plot_view_make(&view, &bars, &data, &error), STATUS_OK);
    assert_string_equal(view.y_label, "us a step");
    assert_string_equal(view.mark[0].group, "");
    assert_string_equal(view.mark[0].method, "slm");
    assert_int_equal(view.mark[0].subgroup_size, 32);
    assert_string_equal(view.mark[1].group, "load");
    assert_string_equal(view.mark[1].method, "");
    assert_int_equal(view.mark[1].subgroup_size, 8);
    assert_int_equal(view.mark[2].subgroup_size, 16);
    /* The fit is no method. */
    assert_int_equal(view.method_count, 2);
    assert_int_equal(plot_view_method(&view, &view.mark[0]), 0);
    assert_int_equal(plot_view_method(&view, &view.mark[1]), 1);
    assert_int_equal(plot_view_group(&view, 0), 1);
    assert_int_equal(plot_view_group(&view, 1), 1);
    plot_view_hint(&view, &view.mark[0], hint);
    assert_string_equal(hint, "shuffle, slm, sub-groups of 32: 12.5 (12 to 13) us a step");
    plot_view_free(&view);

    assert_int_equal(plot_view_make(&view, &lines, &data, &error), STATUS_OK);
    assert_string_equal(view.mark[1].group, "slm");
    assert_string_equal(view.mark[1].method, "");
    plot_view_hint(&view, &view.mark[0], hint);
    assert_string_equal(hint, "sub-groups of 8, bytes 64 KiB: 3 us a step");
    plot_view_free(&view);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slices), cmocka_unit_test(test_preferred_size),
        cmocka_unit_test(test_varies), cmocka_unit_test(test_order),
        cmocka_unit_test(test_many),   cmocka_unit_test(test_view),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
