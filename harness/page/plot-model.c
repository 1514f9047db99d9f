#include "page/plot-model.h"

#include "model/fit.h"

#include <math.h>
#include <string.h>

#define Z975        1.959963984540054
#define CURVE_STEPS 32

/* The points that are there before anything is added, run by run. */
typedef void (*explain_run)(const struct model *model, struct plot_data *data, size_t first,
                            size_t count);

static void each_run(const struct model *model, struct plot_data *data, explain_run explain)
{
    for (size_t i = 0, points = data->count, count; i < points; i += count) {
        count = plot_data_run(data, i);
        if (count > points - i)
            count = points - i;
        explain(model, data, i, count);
    }
}

/* A point of the same panel and series. */
static struct plot_point beside(const struct plot_point *point, const char *style)
{
    struct plot_point other = *point;

    other.style = style;
    other.record = NULL;
    other.lo = other.hi = other.x = other.y = 0.0;
    return other;
}

/* At every number of hardware threads between the measured ones. */
static void barrier_run(const struct model *model, struct plot_data *data, size_t first,
                        size_t count)
{
    struct record record = *data->point[first].record;
    const struct parameter *base =
        model_find(model, "barrier.%s.simd%u.base", record.variant, record.subgroup_size);
    double last = data->point[first + count - 1].x;
    double scale = isfinite(model->clock_mhz) ? 1.0 : plot_cycles(&record);

    for (; record.workgroup_size <= last; record.workgroup_size += record.subgroup_size) {
        struct plot_point point = beside(&data->point[first], "fit");
        double band = base && isfinite(base->left_out_error) ? base->left_out_error : 0.0;

        if (!fit_predict(model, &record, &point.y))
            continue;
        point.x = record.workgroup_size;
        point.y *= plot_cycles(&record);
        point.lo = point.y - Z975 * band * scale;
        point.hi = point.y + Z975 * band * scale;
        plot_data_add(data, &point);
    }
}

void explain_barrier(const struct plot *plot, const struct model *model, struct plot_data *data)
{
    (void)plot;
    each_run(model, data, barrier_run);
}

static void row_run(const struct model *model, struct plot_data *data, size_t first, size_t count)
{
    for (size_t i = first; i < first + count; i++) {
        struct plot_point point = beside(&data->point[i], "fit");

        if (!fit_predict(model, data->point[i].record, &point.y))
            continue;
        point.x = data->point[i].x;
        point.y *= plot_cycles(data->point[i].record);
        point.lo = point.hi = point.y;
        plot_data_add(data, &point);
    }
}

void explain_rows(const struct plot *plot, const struct model *model, struct plot_data *data)
{
    (void)plot;
    each_run(model, data, row_run);
}

/* Of the runs of a panel the longest has its levels labelled: others have much the same ones. */
static bool is_labelled(const struct plot_data *data, size_t first, size_t count)
{
    for (size_t i = 0; i < data->count; i++) {
        size_t other;

        if (strcmp(data->point[i].panel, data->point[first].panel) != 0 ||
            strcmp(data->point[i].style, "joined") != 0)
            continue;
        other = plot_data_run(data, i);
        if (other > count || (other == count && i < first))
            return false;
        i += other - 1;
    }
    return true;
}

static void add_level(struct plot_data *data, const struct plot_point *point,
                      const struct parameter *latency, const struct parameter *capacity,
                      const char *unit, bool labelled)
{
    struct plot_point level = beside(point, "level"), edge = beside(point, "edge");

    if (sscanf(latency->form, "median of working sets from %lf to %lf", &level.lo, &level.hi) != 2)
        return;
    level.x = level.lo;
    level.y = edge.y = latency->value;
    if (labelled)
        snprintf(level.label, sizeof level.label, "%.4g %.20s", latency->value, unit);
    /* A level of a single size is as wide as a mark. */
    if (level.lo == level.hi) {
        level.lo *= 0.8;
        level.hi *= 1.25;
    }
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
    bool in_cycles = isfinite(model->clock_mhz), labelled = is_labelled(data, first, count);

    /* A model in ns has other levels than the axis. */
    for (unsigned level = 1; in_cycles; level++) {
        const struct parameter *latency =
            model_find(model, "latency.%s.simd%u.level%u.latency", point.record->variant,
                       point.record->subgroup_size, level);

        if (!latency)
            return;
        add_level(data, &point, latency,
                  model_find(model, "latency.%s.simd%u.level%u.capacity", point.record->variant,
                             point.record->subgroup_size, level),
                  "cycles", labelled);
    }
}

void explain_latency(const struct plot *plot, const struct model *model, struct plot_data *data)
{
    (void)plot;
    each_run(model, data, latency_run);
}

/* GB/s at q bytes in flight, as docs/model.md has it. */
static double bandwidth_at(double q, const struct parameter *latency,
                           const struct parameter *bandwidth)
{
    double transfer = q / bandwidth->value;
    double time = strstr(bandwidth->form, "max(") ? fmax(latency->value, transfer)
                                                  : latency->value + transfer;

    return q / time;
}

static void in_flight_run(const struct model *model, struct plot_data *data, size_t first,
                          size_t count)
{
    const struct plot_point *point = &data->point[first];
    const struct record *r = point->record;
    double least = point->x, most = data->point[first + count - 1].x;
    double to_ns = isfinite(model->clock_mhz) ? plot_cycles(r) : 1.0;
    char name[MODEL_NAME_BYTES];
    const struct parameter *latency, *bandwidth;

    snprintf(name, sizeof name, "%.12s.%.20s.simd%u.set%.0f.stride%.0f", r->benchmark, r->variant,
             r->subgroup_size, record_parameter(r, "working_set", 0.0),
             record_parameter(r, "stride", 1.0));
    latency = model_find(model, "%s.latency", name);
    bandwidth = model_find(model, "%s.bandwidth", name);
    for (size_t i = 0; latency && bandwidth && i <= CURVE_STEPS; i++) {
        struct plot_point fit = beside(&data->point[first], "fit");

        fit.x = least * pow(most / least, (double)i / CURVE_STEPS);
        fit.y = fit.lo = fit.hi = bandwidth_at(fit.x, latency, bandwidth) * to_ns;
        plot_data_add(data, &fit);
    }
}

void explain_in_flight(const struct plot *plot, const struct model *model, struct plot_data *data)
{
    (void)plot;
    each_run(model, data, in_flight_run);
}
