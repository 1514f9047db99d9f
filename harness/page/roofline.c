#include "page/roofline.h"

#include "page/family-page.h"

#include <math.h>
#include <string.h>

/* The best row of a kind. */
struct best {
    const struct record *record;
    double rate; /* per Xe-core that has a work-group */
};

static double cores_of(const struct record *r)
{
    return r->xe_cores && r->workgroup_count > r->xe_cores ? r->xe_cores : r->workgroup_count;
}

static double rate_of(double work, const struct record *r)
{
    return work > 0.0 && r->loop_ns > 0.0 ? work / r->loop_ns / cores_of(r) : NAN;
}

/* By bytes, of the families of `page`; by operations of all families if that is NULL. */
static struct best best_rate(const struct records *records, const struct family_page *page)
{
    struct best best = {NULL, 0.0};

    for (size_t i = 0; i < records->count; i++) {
        const struct record *r = &records->record[i];
        double rate = rate_of(page ? r->work_bytes : r->work_flops, r);

        if (!r->usable || !(rate > best.rate) || (page && !family_page_covers(page, r->benchmark)))
            continue;
        best = (struct best){r, rate};
    }
    return best;
}

/* Adds the rows of a family that has points under the roofline. */
static void add_points(const struct records *records, const struct family_page *page,
                       struct plot_data *data)
{
    for (size_t i = 0; i < records->count; i++) {
        const struct record *r = &records->record[i];
        struct plot_point point = {.style = "points", .record = r};

        if (!r->usable || !family_page_covers(page, r->benchmark) ||
            !page->under_roofline(r, &point))
            continue;
        memcpy(point.series, point.category, sizeof(point.series));
        point.category[0] = '\0';
        point.x = r->work_flops / r->work_bytes;
        point.y = point.lo = point.hi = rate_of(r->work_flops, r);
        if (isfinite(point.x) && isfinite(point.y))
            plot_data_add(data, &point);
    }
}

/* The x axis, the same in all panels. */
struct roof_span {
    double from, to;
};

/* A `bandwidth` of 0 makes a flat roof. */
static void add_roof(struct plot_data *data, const char *panel, const char *name,
                     const struct roof_span *span, double bandwidth, double compute)
{
    double meets = bandwidth > 0.0 ? compute / bandwidth : span->to;
    struct plot_point point = {.style = "roof"};

    if (bandwidth > 0.0 && meets <= span->from)
        return;
    snprintf(point.panel, sizeof(point.panel), "%s", panel);
    if (bandwidth > 0.0)
        snprintf(point.series, sizeof(point.series), "%s_%.3g_GB/s", name, bandwidth);
    else
        snprintf(point.series, sizeof(point.series), "%s", name);
    for (unsigned end = 0; end < 2; end++) {
        point.x = end ? fmin(meets, span->to) : span->from;
        point.y = point.lo = point.hi = bandwidth > 0.0 ? bandwidth * point.x : compute;
        plot_data_add(data, &point);
    }
}

#define ROOFS_MAX 4

struct roofs {
    double peak; /* GB/s of the memory per Xe-core; NaN: unknown */
    struct best compute;
    const char *name[ROOFS_MAX]; /* families whose best rate is a roof */
    struct best best[ROOFS_MAX];
    size_t count;
};

static struct roofs roofs_of(const struct plot_source *source, double peak)
{
    struct roofs roofs = {.peak = peak, .compute = best_rate(source->records, NULL)};
    const struct family_page *page = NULL;

    while ((page = family_pages_next(source->pages, page)) && roofs.count < ROOFS_MAX) {
        struct best best = {NULL, 0.0};

        if (page->roof)
            best = best_rate(source->records, page);
        if (!best.record)
            continue;
        roofs.name[roofs.count] = page->roof;
        roofs.best[roofs.count++] = best;
    }
    return roofs;
}

static struct roof_span span_of(const struct plot_data *data, const struct roofs *roofs)
{
    struct roof_span span = {INFINITY, 0.0};
    double highest = roofs->peak > 0.0 ? roofs->peak : 0.0;

    for (size_t i = 0; i < roofs->count; i++)
        highest = fmax(highest, roofs->best[i].rate);
    for (size_t i = 0; i < data->count; i++) {
        span.from = fmin(span.from, data->point[i].x / 2.0);
        span.to = fmax(span.to, data->point[i].x * 2.0);
    }
    /* Far enough to the left to show every slope. */
    if (highest > 0.0)
        span.from = fmin(span.from, roofs->compute.rate / highest / 4.0);
    return span;
}

static void add_roofs(struct plot_data *data, const char *panel, const struct roofs *roofs,
                      const struct roof_span *span)
{
    double compute = roofs->compute.rate;

    add_roof(data, panel, "compute", span, 0.0, compute);
    if (roofs->peak > 0.0)
        add_roof(data, panel, "memory", span, roofs->peak, compute);
    for (size_t i = 0; i < roofs->count; i++)
        add_roof(data, panel, roofs->name[i], span, roofs->best[i].rate, compute);
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
    for (size_t i = 0; i < roofs->count; i++)
        note_best(data, roofs->name[i], &roofs->best[i]);
    if (roofs->peak > 0.0)
        plot_data_note(data, " memory: %.4g GB/s as the device states it, for %g Xe-core%s.",
                       roofs->peak * cores, cores, cores == 1.0 ? "" : "s");
}

void roofline_collect(const struct plot_source *source, struct plot_data *data)
{
    struct roofs roofs;
    struct roof_span span;
    double cores;
    size_t points;

    for (size_t i = 0; i < source->pages->count; i++) {
        if (source->pages->family[i]->under_roofline)
            add_points(source->records, source->pages->family[i], data);
    }
    if (data->count == 0)
        return;
    plot_data_slice(data, "most_work_items");
    plot_data_sort(data);
    cores = cores_of(data->point[0].record);
    roofs = roofs_of(source, data->point[0].record->peak_gb_per_s / cores);
    span = span_of(data, &roofs);
    points = data->count;
    for (size_t i = 0; i < points; i += plot_data_panel(data, i)) {
        char panel[PLOT_TEXT_BYTES];

        memcpy(panel, data->point[i].panel, sizeof(panel));
        add_roofs(data, panel, &roofs, &span);
    }
    note_roofs(data, &roofs, cores);
}
