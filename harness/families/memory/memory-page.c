/* Families memory_8 to memory_64 on the page: bandwidth by pattern and by bytes in flight. */
#include "families/memory/memory-page.h"
#include "families/memory/memory-curve.h"
#include "families/memory/memory-model.h"
#include "report/family-page.h"
#include "report/plot-model.h"
#include "report/plot-place.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define CURVE_STEPS 32

/* Panels of loads, of stores and of copies; `pattern` gets the method, with the stride where that
 * is not 1. False for what accesses nothing. */
static bool split_pattern(const struct record *r, struct plot_point *point, char *pattern)
{
    static const char *const order[] = {"load", "store"};
    double stride = record_parameter(r, "stride", 1.0);

    if (!memory_has(r))
        return false;
    snprintf(point->panel, sizeof(point->panel), "%.40s of %u-bit elements", r->operation,
             8 * variant_type_bytes(r->type));
    while (point->order < 2 && !record_does(r, order[point->order]))
        point->order++;
    if (stride != 1.0)
        snprintf(pattern, PLOT_TEXT_BYTES, "%.40s_by_%g", r->method, stride);
    else
        plot_text(pattern, r->method);
    return true;
}

static bool place_pattern(const struct record *r, struct plot_point *point)
{
    plot_series_by_size(r, point);
    point->in_flight = memory_bytes_in_flight(r);
    return split_pattern(r, point, point->category);
}

static bool place_in_flight(const struct record *r, struct plot_point *point)
{
    /* The patterns that differ most. */
    static const char *const shown[] = {"item", "subgroup", "vec4", "block4", "gather"};

    point->x = memory_bytes_in_flight(r);
    if (!split_pattern(r, point, point->series))
        return false;
    for (size_t i = 0; i < sizeof(shown) / sizeof(shown[0]); i++) {
        if (!strcmp(point->series, shown[i]))
            return true;
    }
    return false;
}

static void in_flight_run(const struct model *model, struct plot_data *data, size_t first,
                          size_t count)
{
    const struct plot_point *point = &data->point[first];
    const struct record *r = point->record;
    double least = point->x, most = data->point[first + count - 1].x;
    double to_ns = isfinite(model->clock_mhz) ? r->clock_mhz / 1000.0 : 1.0;
    const struct parameter *latency = memory_find_of(model, r, "latency");
    const struct parameter *bandwidth = memory_find_of(model, r, "bandwidth");

    for (size_t i = 0; bandwidth && i <= CURVE_STEPS; i++) {
        struct plot_point fit = plot_beside(&data->point[first], "fit");

        fit.x = least * pow(most / least, (double)i / CURVE_STEPS);
        fit.y = fit.x / memory_curve_time(latency, bandwidth, fit.x) * to_ns;
        fit.lo = fit.hi = fit.y;
        plot_data_add(data, &fit);
    }
}

static void explain_in_flight(const struct plot *plot, const struct model *model,
                              struct plot_data *data)
{
    (void)plot;
    plot_each_run(model, data, in_flight_run);
}

static const char *const by_pattern[] = {"subgroup_size", "workgroup_count", "working_set", NULL};
static const char *const by_set[] = {"threads", "workgroup_count", "working_set", NULL};
static const char *const by_load[] = {"working_set", NULL};

static const struct plot plots[] = {
    {.name = "in-flight",
     .rank = 30,
     .title = "Bandwidth against bytes in flight",
     .caption = "Along x: the bytes that all resident work-items request in a step. Bandwidth "
                "rises until the latency is hidden, then stays flat. Lines are the model's.",
     .command = "vebench run memory_32 --axis subgroup_size=16 --axis workgroup_size=S,4S,16S",
     .x_label = "bytes in flight",
     .x_is_bytes = true,
     .y_label = "GB/s",
     .log = "xy",
     .family = "memory_32",
     .place = place_in_flight,
     .style = "joined",
     .slice = by_pattern,
     .with_baselines = true,
     .least_x = 2,
     .y = PLOT_GB_PER_S,
     .explain = explain_in_flight},
    {.name = "memory",
     .rank = 40,
     .title = "Bandwidth by access pattern, latency-bound",
     .caption =
         "A lone work-group waits for each message, so the pattern with the fewest messages wins.",
     .command = "vebench run memory_32",
     .shape = PLOT_BARS,
     .y_label = "GB/s",
     .log = "",
     .family = "memory_32",
     .place = place_pattern,
     .slice = by_set,
     .with_baselines = true,
     .y = PLOT_GB_PER_S},
    {.name = "memory-loaded",
     .rank = 50,
     .title = "Bandwidth by access pattern, with most bytes in flight",
     .caption = "A busy device is limited by cache lines, so the pattern with the fewest lines per "
                "message wins.",
     .command = "vebench run memory_32 --axis subgroup_size=16 --axis workgroup_size=S,4S,16S",
     .shape = PLOT_BARS,
     .y_label = "GB/s",
     .log = "",
     .family = "memory_32",
     .place = place_pattern,
     .slice = by_load,
     .largest = "in_flight",
     .varies = "in_flight",
     .with_baselines = true,
     .y = PLOT_GB_PER_S},
};

static const struct group_question question = {"memory_32", "load", "u32", "To load 32-bit values"};

const struct family_page family_memory_page = {
    .family = "memory",
    .group = GROUP_MEMORY,
    .question = &question,
    .covers = memory_families,
    .plots = plots,
    .plot_count = sizeof(plots) / sizeof(plots[0]),
    .findings = findings_memory,
    .rank = 10,
    .roof = "caches",
};
