/* Family `latency` on the page: the staircase of a dependent load, and what to keep small. */
#include "families/latency/latency-model.h"
#include "report/family-page.h"
#include "report/findings-parts.h"
#include "report/plot-model.h"
#include "report/plot-place.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define STEP 1.3 /* ratio from which a slower load comes from another level */

/* In an order that nothing fetches ahead in. */
static bool is_random(const struct record *r)
{
    return !latency_is_by_jumps(r);
}

/* The next larger working set whose load takes at least STEP times as long, or NULL. */
static const struct record *next_level(const struct records *records, const struct record *from)
{
    const struct record *next = NULL, *r;

    for (size_t i = 0; (r = next_row(records, "latency", from->variant, &i));) {
        struct estimate ratio = ratio_of(cost_of(r), cost_of(from));

        if (!is_random(r) || r->subgroup_size != from->subgroup_size ||
            r->workgroup_size != from->workgroup_size ||
            r->workgroup_count != from->workgroup_count || !(ratio.interval.low > STEP))
            continue;
        if (!next ||
            record_parameter(r, "working_set", 0.0) < record_parameter(next, "working_set", 0.0))
            next = r;
    }
    return next;
}

/* The largest set below that of `next`, which is as fast as `first`. */
static const struct record *last_of_level(const struct records *records, const struct record *first,
                                          const struct record *next)
{
    const struct record *last = first, *r;
    double end = record_parameter(next, "working_set", 0.0);

    for (size_t i = 0; (r = next_row(records, "latency", "global_uniform", &i));) {
        double set = record_parameter(r, "working_set", 0.0);

        if (is_random(r) && is_same_launch(r, first) && set < end &&
            set > record_parameter(last, "working_set", 0.0))
            last = r;
    }
    return last;
}

static void findings_latency(struct findings *findings, const struct records *records)
{
    const struct record *first = NULL, *r;
    char advice[FINDING_BYTES], scope[SCOPE_BYTES];
    char text[FINDING_BYTES], cost[ESTIMATE_BYTES];

    for (size_t i = 0; (r = next_row(records, "latency", "global_uniform", &i));) {
        if (is_random(r) && r->workgroup_count == 1 && r->workgroup_size == r->subgroup_size &&
            (!first ||
             record_parameter(r, "working_set", 0.0) < record_parameter(first, "working_set", 0.0)))
            first = r;
    }
    if (!first || !next_level(records, first))
        return;
    size_t used = (size_t)snprintf(text, sizeof(text), "A dependent load takes %s %s in %.0f KiB",
                                   show(cost_of(first), cost), cost_unit(first),
                                   record_parameter(first, "working_set", 0.0) / 1024.0);
    for (r = next_level(records, first); r && used < sizeof(text); r = next_level(records, r))
        used += (size_t)snprintf(text + used, sizeof(text) - used, ", %s from %.0f KiB",
                                 show(cost_of(r), cost),
                                 record_parameter(r, "working_set", 0.0) / 1024.0);
    if (used < sizeof(text))
        snprintf(text + used, sizeof(text) - used, " upwards.");
    const struct record *next = next_level(records, first);
    const struct record *last = last_of_level(records, first, next);
    snprintf(
        advice, sizeof(advice),
        "Keep data small if dependent loads walk through it (lists, trees, tables of indices): "
        "%.3g %s a load in %.0f KiB, %.3g in %.0f KiB; %s.",
        cost_of(last).value, cost_unit(last), record_parameter(last, "working_set", 0.0) / 1024.0,
        cost_of(next).value, record_parameter(next, "working_set", 0.0) / 1024.0,
        findings_scope(first, scope));
    findings_add(findings, (struct claim){last, next}, advice, text);
}

static bool place_latency(const struct record *r, struct plot_point *point)
{
    static const struct plot_panel panels[] = {
        {"global_uniform", "global memory, one address for all lanes"},
        {"global_divergent", "global memory, an address for each lane"},
        {"slm_uniform", "shared local memory, one address for all lanes"},
        {"slm_divergent", "shared local memory, an address for each lane"},
    };

    plot_series_by_size(r, point);
    point->x = record_parameter(r, "working_set", 0.0);
    return is_random(r) && latency_is_unloaded(r) &&
           plot_panel_by_name(r->variant, panels, 4, point);
}

/* Labels levels only on the longest run of a panel: those of the others are much the same. */
static bool is_labelled(const struct plot_data *data, size_t first, size_t count)
{
    for (size_t i = 0; i < data->count; i++) {
        if (strcmp(data->point[i].panel, data->point[first].panel) != 0 ||
            strcmp(data->point[i].style, "points") != 0)
            continue;
        size_t other = plot_data_run(data, i);
        if (other > count || (other == count && i < first))
            return false;
        i += other - 1;
    }
    return true;
}

static void add_level(struct plot_data *data, const struct plot_point *point,
                      const struct parameter *latency, const struct parameter *capacity,
                      double scale, const char *unit, bool labelled)
{
    struct plot_point level = plot_beside(point, "level"), edge = plot_beside(point, "edge");

    if (!(latency->working_sets.low > 0.0))
        return;
    level.x = level.lo = latency->working_sets.low;
    level.hi = latency->working_sets.high;
    level.y = edge.y = latency->value * scale;
    if (labelled)
        snprintf(level.label, sizeof(level.label), "%.4g %.20s", level.y, unit);
    plot_data_add(data, &level);
    if (!capacity)
        return;
    edge.x = edge.lo = capacity->interval.low;
    edge.hi = capacity->interval.high;
    plot_data_add(data, &edge);
}

static void latency_run(const struct model *model, struct plot_data *data, size_t first,
                        size_t count)
{
    struct plot_point point = data->point[first];
    double scale = plot_model_time(model, point.record);
    bool labelled = is_labelled(data, first, count);

    for (unsigned level = 1; isfinite(scale); level++) {
        const struct parameter *latency = latency_level(
            model, point.record->variant, point.record->subgroup_size, level, "latency");

        if (!latency)
            return;
        add_level(data, &point, latency,
                  latency_level(model, point.record->variant, point.record->subgroup_size, level,
                                "capacity"),
                  scale, plot_time_name(point.record), labelled);
    }
}

static void explain_latency(const struct plot *plot, const struct model *model,
                            struct plot_data *data)
{
    (void)plot;
    plot_each_run(model, data, latency_run);
}

static const char *const by_stride[] = {"stride", NULL};

static const struct plot plots[] = {
    {.name = "latency",
     .rank = 20,
     .title = "Latency of a dependent load",
     .caption =
         "Each step is a level of the memory; it ends where the level is full. Thick lines are the "
         "model's levels, with their latencies; dotted lines enclose the sizes between which a "
         "level ends. An address that the compiler knows to be the same for all lanes may cost "
         "less in the L1.",
     .command = "vebench run latency --preset full",
     .x_label = "bytes walked through",
     .x_is_bytes = true,
     .y_label = "clock cycles per load",
     .log = "xy",
     .family = "latency",
     .place = place_latency,
     .style = "points",
     .slice = by_stride,
     .with_baselines = true,
     .explain = explain_latency},
};

const struct family_page family_latency_page = {
    .family = "latency",
    .group = GROUP_MEMORY,
    .plots = plots,
    .plot_count = sizeof(plots) / sizeof(plots[0]),
    .findings = findings_latency,
    .rank = 90,
};
