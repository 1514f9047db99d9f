#include "page/roofline.h"

#include "page/plot-places.h"

#include <math.h>
#include <string.h>

/* The best row of its kind. */
struct best {
    const struct record *record;
    double rate; /* for each Xe-core that has a work-group */
};

static double cores_of(const struct record *r)
{
    return r->xe_cores && r->workgroup_count > r->xe_cores ? r->xe_cores : r->workgroup_count;
}

static double rate_of(double work, const struct record *r)
{
    return work > 0.0 && r->loop_ns > 0.0 ? work / r->loop_ns / cores_of(r) : NAN;
}

static struct best best_rate(const struct records *records, const char *family, bool of_flops)
{
    struct best best = {NULL, 0.0};

    for (size_t i = 0; i < records->count; i++) {
        const struct record *r = &records->record[i];
        double rate = rate_of(of_flops ? r->work_flops : r->work_bytes, r);

        if (!r->usable || !(rate > best.rate) || strncmp(r->benchmark, family, strlen(family)) != 0)
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

/* `bandwidth` 0: flat. */
static void add_roof(struct plot_data *data, const char *panel, const char *name,
                     const struct span *span, double bandwidth, double compute)
{
    double meets = bandwidth > 0.0 ? compute / bandwidth : span->to;
    struct plot_point point = {.style = "roof"};

    if (bandwidth > 0.0 && meets <= span->from)
        return;
    snprintf(point.panel, sizeof point.panel, "%s", panel);
    if (bandwidth > 0.0)
        snprintf(point.series, sizeof point.series, "%s_%.3g_GB/s", name, bandwidth);
    else
        snprintf(point.series, sizeof point.series, "%s", name);
    for (unsigned end = 0; end < 2; end++) {
        point.x = end ? fmin(meets, span->to) : span->from;
        point.y = point.lo = point.hi = bandwidth > 0.0 ? bandwidth * point.x : compute;
        plot_data_add(data, &point);
    }
}

struct roofs {
    double peak; /* GB/s of the memory for each of them; NaN: unknown */
    struct best caches, slm, compute;
};

static struct span span_of(const struct plot_data *data, const struct roofs *roofs)
{
    struct span span = {INFINITY, 0.0};
    double highest = fmax(roofs->caches.rate, roofs->slm.rate);

    if (roofs->peak > 0.0)
        highest = fmax(highest, roofs->peak);

    for (size_t i = 0; i < data->count; i++) {
        span.from = fmin(span.from, data->point[i].x / 2.0);
        span.to = fmax(span.to, data->point[i].x * 2.0);
    }
    /* So far to the left that every slope is seen. */
    if (highest > 0.0)
        span.from = fmin(span.from, roofs->compute.rate / highest / 4.0);
    return span;
}

static void add_roofs(struct plot_data *data, const char *panel, const struct roofs *roofs,
                      const struct span *span)
{
    double compute = roofs->compute.rate;

    add_roof(data, panel, "compute", span, 0.0, compute);
    if (roofs->peak > 0.0)
        add_roof(data, panel, "memory", span, roofs->peak, compute);
    if (roofs->caches.record)
        add_roof(data, panel, "caches", span, roofs->caches.rate, compute);
    if (roofs->slm.record)
        add_roof(data, panel, "slm", span, roofs->slm.rate, compute);
}

static void note_best(struct plot_data *data, const char *what, const struct best *best)
{
    if (best->record)
        plot_data_note(data, " %s: measured, %s %s, %u x %u work-items.", what,
                       best->record->benchmark, best->record->variant,
                       best->record->workgroup_count, best->record->workgroup_size);
}

static void note_roofs(struct plot_data *data, const struct roofs *roofs, double cores)
{
    plot_data_note(data, " All is for one Xe-core of those in use.");
    note_best(data, "compute", &roofs->compute);
    note_best(data, "caches", &roofs->caches);
    note_best(data, "slm", &roofs->slm);
    if (roofs->peak > 0.0)
        plot_data_note(data, " memory: %.4g GB/s as the device states it, for %g Xe-core%s.",
                       roofs->peak * cores, cores, cores == 1.0 ? "" : "s");
}

void roofline_collect(const struct plot_source *source, struct plot_data *data)
{
    const struct records *records = source->records;
    struct roofs roofs;
    struct span span;
    double cores;
    size_t points;

    add_products(records, data);
    if (data->count == 0)
        return;
    plot_data_slice(data, "most_work_items");
    plot_data_sort(data);
    cores = cores_of(data->point[0].record);
    roofs = (struct roofs){
        .peak = data->point[0].record->peak_gb_per_s / cores,
        .caches = best_rate(records, "memory_", false),
        .slm = best_rate(records, "slm", false),
        .compute = best_rate(records, "", true),
    };
    span = span_of(data, &roofs);
    points = data->count;
    for (size_t i = 0; i < points; i += plot_data_panel(data, i)) {
        char panel[PLOT_TEXT_BYTES];

        memcpy(panel, data->point[i].panel, sizeof panel);
        add_roofs(data, panel, &roofs, &span);
    }
    note_roofs(data, &roofs, cores);
}
