#include "roofline.h"

#include "plot-places.h"

#include <math.h>
#include <string.h>

/* The best row of its kind with at most so many work-groups. */
struct best {
    const struct record *record;
    double rate;
};

static double rate_of(double work, const struct record *r)
{
    return work > 0.0 && r->loop_ns > 0.0 ? work / r->loop_ns : NAN;
}

static struct best best_rate(const struct records *records, const char *family, bool of_flops,
                             unsigned groups)
{
    struct best best = {NULL, 0.0};

    for (size_t i = 0; i < records->count; i++) {
        const struct record *r = &records->record[i];
        double rate = rate_of(of_flops ? r->work_flops : r->work_bytes, r);

        if (!r->usable || r->workgroup_count > groups || !(rate > best.rate) ||
            strncmp(r->benchmark, family, strlen(family)) != 0)
            continue;
        best = (struct best){r, rate};
    }
    return best;
}

static void add_products(const struct records *records, struct plot_data *data)
{
    for (size_t i = 0; i < records->count; i++) {
        const struct record *r = &records->record[i];
        struct plot_point point = {.style = "points", .record = r};

        if (!r->usable || strcmp(r->benchmark, "matmul") != 0 || !place_matmul(r, &point))
            continue;
        memcpy(point.series, point.category, sizeof point.series);
        point.category[0] = '\0';
        point.x = r->work_flops / r->work_bytes;
        point.y = point.lo = point.hi = rate_of(r->work_flops, r);
        if (isfinite(point.x) && isfinite(point.y))
            plot_data_add(data, &point);
    }
}

/* The axis along x, the same in all panels. */
struct span {
    double from, to;
};

static void add_roof(struct plot_data *data, const char *panel, const char *name,
                     const struct span *span, double bandwidth, double compute, const char *label)
{
    double meets = bandwidth > 0.0 ? compute / bandwidth : span->to;
    struct plot_point point = {.style = "roof"};

    if (bandwidth > 0.0 && meets <= span->from)
        return;
    snprintf(point.panel, sizeof point.panel, "%s", panel);
    snprintf(point.series, sizeof point.series, "%s", name);
    point.x = span->from;
    point.y = bandwidth > 0.0 ? bandwidth * point.x : compute;
    point.lo = point.hi = point.y;
    snprintf(point.label, sizeof point.label, "%s", label);
    plot_data_add(data, &point);
    point.label[0] = '\0';
    point.x = fmin(meets, span->to);
    point.y = point.lo = point.hi = bandwidth > 0.0 ? bandwidth * point.x : compute;
    plot_data_add(data, &point);
}

struct roofs {
    double peak; /* GB/s; NaN: unknown */
    struct best caches, slm, compute;
};

static double lowest_bandwidth(const struct roofs *roofs)
{
    double lowest = INFINITY;

    if (roofs->peak > 0.0)
        lowest = fmin(lowest, roofs->peak);
    if (roofs->caches.record)
        lowest = fmin(lowest, roofs->caches.rate);
    if (roofs->slm.record)
        lowest = fmin(lowest, roofs->slm.rate);
    return lowest;
}

static struct span span_of(const struct plot_data *data, const struct roofs *roofs)
{
    struct span span = {INFINITY, 0.0};

    for (size_t i = 0; i < data->count; i++) {
        span.from = fmin(span.from, data->point[i].x / 2.0);
        span.to = fmax(span.to, data->point[i].x * 2.0);
    }
    /* So far to the left that every slope is seen. */
    if (isfinite(lowest_bandwidth(roofs))) {
        double highest =
            fmax(fmax(roofs->caches.rate, roofs->slm.rate), roofs->peak > 0.0 ? roofs->peak : 0.0);

        span.from = fmin(span.from, roofs->compute.rate / highest / 2.0);
    }
    return span;
}

static void add_roofs(struct plot_data *data, const char *panel, const struct roofs *roofs,
                      const struct span *span)
{
    double compute = roofs->compute.rate;

    add_roof(data, panel, "compute", span, 0.0, compute, "");
    if (roofs->peak > 0.0)
        add_roof(data, panel, "memory", span, roofs->peak, compute, "memory, whole device");
    if (roofs->caches.record)
        add_roof(data, panel, "caches", span, roofs->caches.rate, compute, "caches");
    if (roofs->slm.record)
        add_roof(data, panel, "slm", span, roofs->slm.rate, compute, "SLM");
}

static void note_roofs(struct plot_data *data, const struct roofs *roofs)
{
    plot_data_note(data, " Flat: the best that any row did, %s %s with %.3g.",
                   roofs->compute.record->benchmark, roofs->compute.record->variant,
                   roofs->compute.rate);
    if (roofs->peak > 0.0)
        plot_data_note(data, " Slopes: memory %.4g GB/s, as the device states it;", roofs->peak);
    if (roofs->caches.record)
        plot_data_note(data, " caches %.3g GB/s (%s %s);", roofs->caches.rate,
                       roofs->caches.record->benchmark, roofs->caches.record->variant);
    if (roofs->slm.record)
        plot_data_note(data, " shared local memory %.3g GB/s (%s);", roofs->slm.rate,
                       roofs->slm.record->variant);
    plot_data_note(data, " measured ones with as many work-groups at the most.");
}

void roofline_collect(const struct plot_source *source, struct plot_data *data)
{
    const struct records *records = source->records;
    struct roofs roofs;
    struct span span;
    unsigned groups;
    size_t points;

    add_products(records, data);
    if (data->count == 0)
        return;
    plot_data_slice(data, "workgroup_count");
    plot_data_sort(data);
    groups = data->point[0].record->workgroup_count;
    roofs = (struct roofs){
        .peak = data->point[0].record->peak_gb_per_s,
        .caches = best_rate(records, "memory_", false, groups),
        .slm = best_rate(records, "slm", false, groups),
        .compute = best_rate(records, "", true, groups),
    };
    span = span_of(data, &roofs);
    points = data->count;
    for (size_t i = 0; i < points; i += plot_data_panel(data, i)) {
        char panel[PLOT_TEXT_BYTES];

        memcpy(panel, data->point[i].panel, sizeof panel);
        add_roofs(data, panel, &roofs, &span);
    }
    note_roofs(data, &roofs);
}
