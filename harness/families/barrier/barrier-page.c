/* Family `barrier` on the page: cost of a barrier by work-group size, and which sub-group size and
 * fence to choose. */
#include "base/stats.h"
#include "model/fit.h"
#include "model/parameter-name.h"
#include "report/family-page.h"
#include "report/findings-parts.h"
#include "report/plot-model.h"
#include "report/plot-place.h"

#include <math.h>
#include <stdio.h>

#define FAMILY "barrier"
#define LOCAL  "work_group_local"

/* The fastest row with a local fence for the largest work-group measured. */
static const struct record *largest_row(const struct records *records)
{
    const struct record *best = NULL, *r;

    for (size_t i = 0; (r = next_row(records, FAMILY, LOCAL, &i));) {
        if (!best || r->workgroup_size > best->workgroup_size ||
            (r->workgroup_size == best->workgroup_size && r->value < best->value))
            best = r;
    }
    return best;
}

static void fence(struct findings *findings, const struct records *records,
                  const struct record *local)
{
    const struct record *global;
    char advice[FINDING_BYTES], scope[SCOPE_BYTES];
    char text[FINDING_BYTES], a[ESTIMATE_BYTES], b[ESTIMATE_BYTES], ratio[ESTIMATE_BYTES];

    if (!local || !(global = sibling(records, local, "work_group_global")))
        return;
    struct estimate loss = ratio_of(cost_of(global), cost_of(local));
    if (!is_worth_it(loss))
        return;
    snprintf(
        text, sizeof(text),
        "A local fence: %s %s, a global one: %s, %s times as much (work-group of %u, sub-groups "
        "of %u).",
        show(cost_of(local), a), cost_unit(local), show(cost_of(global), b), show(loss, ratio),
        local->workgroup_size, local->subgroup_size);
    snprintf(advice, sizeof(advice),
             "Fence global memory at a barrier only if work-items share data through it: %.3g %s, "
             "%.3g with a local fence; %s.",
             cost_of(global).value, cost_unit(local), cost_of(local).value,
             findings_scope(local, scope));
    findings_add(findings, (struct claim){local, global}, advice, text);
}

static void findings_barrier(struct findings *findings, const struct records *records)
{
    findings_add_verdict(findings, records, FAMILY, LOCAL, "", "Where barriers matter");
    fence(findings, records, largest_row(records));
}

static bool place_barrier(const struct record *r, struct plot_point *point)
{
    static const struct plot_panel panels[] = {
        {"work_group_none", "work-group barrier, no fence"},
        {"work_group_local", "work-group barrier, local fence"},
        {"work_group_global", "work-group barrier, global fence"},
        {"work_group_both", "work-group barrier, both fences"},
    };

    plot_series_by_size(r, point);
    point->x = r->workgroup_size;
    return plot_panel_by_name(r->variant, panels, 4, point);
}

/* Evaluates the model at every number of hardware threads between the measured ones. */
static void barrier_run(const struct model *model, struct plot_data *data, size_t first,
                        size_t count)
{
    struct record record = *data->point[first].record;
    const struct parameter *base =
        parameter_find(model, FAMILY, record.variant, record.subgroup_size, "base");
    double last = data->point[first + count - 1].x;
    double scale = plot_model_time(model, &record);

    for (; record.workgroup_size <= last; record.workgroup_size += record.subgroup_size) {
        struct plot_point point = plot_beside(&data->point[first], "fit");
        struct fit_prediction prediction;
        double band = base && isfinite(base->left_out_error) ? base->left_out_error : 0.0;

        if (!fit_predict(model, &record, &prediction) || prediction.from_table)
            continue;
        point.x = record.workgroup_size;
        point.y = prediction.value * plot_time(&record);
        point.lo = point.y - STATS_Z975 * band * scale;
        point.hi = point.y + STATS_Z975 * band * scale;
        plot_data_add(data, &point);
    }
}

static void explain_barrier(const struct plot *plot, const struct model *model,
                            struct plot_data *data)
{
    (void)plot;
    plot_each_run(model, data, barrier_run);
}

static const char *const by_count[] = {"workgroup_count", NULL};

static const struct plot plots[] = {
    {.name = "barrier",
     .rank = 10,
     .title = "Cost of one barrier",
     .caption =
         "Points are measured, bars are 95 % intervals. A flat line is a cost per barrier, a "
         "slope a cost per arriving hardware thread. Lines are the model's, with bands of "
         "1.96 times the error on held-out rows.",
     .command = "vebench run barrier",
     .x_label = "work-items of the work-group",
     .y_label = "clock cycles beyond the loop",
     .log = "x",
     .family = "barrier",
     .place = place_barrier,
     .style = "points",
     .slice = by_count,
     .in_heat_map = true,
     .explain = explain_barrier},
};

static const struct group_question question = {"barrier", "work_group_local", "",
                                               "For a barrier of a work-group"};

const struct family_page family_barrier_page = {
    .family = "barrier",
    .group = GROUP_BARRIERS,
    .question = &question,
    .plots = plots,
    .plot_count = sizeof(plots) / sizeof(plots[0]),
    .findings = findings_barrier,
    .rank = 20,
};
