#include "report/roofline.h"

#include "report/family-page.h"
#include "report/plot-place.h"

#include <math.h>
#include <string.h>

/* The best row of a kind. */
struct best {
    const struct record *record;
    double rate; /* per Xe-core that has a work-group */
};

static double rate_of(double work, const struct record *r)
{
    return work > 0.0 && r->loop_ns > 0.0 ? work / r->loop_ns / record_occupancy(r).cores : NAN;
}

/* By operations with elements of a type or, if `type` is NULL, by bytes. Only rows that keep so
 * many Xe-cores busy bound others. */
static void find_best(struct best *best, const struct records *records,
                      const struct family_page *page, const char *type, double cores)
{
    for (size_t i = 0; i < records->count; i++) {
        const struct record *r = &records->record[i];
        double rate = rate_of(type ? r->work_flops : r->work_bytes, r);

        if (r->usable && rate > best->rate && record_is_busy(r) &&
            record_occupancy(r).cores >= cores && family_page_covers(page, r->benchmark) &&
            (!type || !strcmp(r->type, type)))
            *best = (struct best){r, rate};
    }
}

static struct best best_compute(const struct plot_source *source, const char *type)
{
    struct best best = {NULL, 0.0};

    for (size_t i = 0; i < source->pages->count; i++) {
        if (source->pages->family[i]->has_operations)
            find_best(&best, source->records, source->pages->family[i], type, 1.0);
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
        point.series_size = 0;
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

/* A `bandwidth` of 0 makes a flat roof, a `compute` of 0 one that rises all the way. */
static void add_roof(struct plot_data *data, const char *panel, const char *name,
                     const struct roof_span *span, double bandwidth, double compute)
{
    double meets = bandwidth > 0.0 && compute > 0.0 ? compute / bandwidth : span->to;
    struct plot_point point = {.style = "roof"};

    if ((bandwidth > 0.0 && meets <= span->from) || (!(bandwidth > 0.0) && !(compute > 0.0)))
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
    double peak;                 /* GB/s of the memory per Xe-core; NaN: unknown */
    const char *name[ROOFS_MAX]; /* families whose best rate is a roof */
    struct best best[ROOFS_MAX];
    size_t count;
};

/* Of the family's rows. */
static double most_cores(const struct records *records, const struct family_page *page)
{
    double most = 1.0;

    for (size_t i = 0; i < records->count; i++) {
        if (family_page_covers(page, records->record[i].benchmark))
            most = fmax(most, record_occupancy(&records->record[i]).cores);
    }
    return most;
}

static struct roofs roofs_of(const struct plot_source *source, double peak)
{
    struct roofs roofs = {.peak = peak};
    const struct family_page *page = NULL;

    while ((page = family_pages_next(source->pages, page)) && roofs.count < ROOFS_MAX) {
        struct best best = {NULL, 0.0};

        if (page->roof)
            find_best(&best, source->records, page, NULL,
                      page->roof_of_all ? most_cores(source->records, page) : 1.0);
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
    double highest = roofs->peak > 0.0 ? roofs->peak : 0.0, lowest = INFINITY;

    for (size_t i = 0; i < roofs->count; i++)
        highest = fmax(highest, roofs->best[i].rate);
    for (size_t i = 0; i < data->count; i++) {
        span.from = fmin(span.from, data->point[i].x / 2.0);
        span.to = fmax(span.to, data->point[i].x * 2.0);
        lowest = fmin(lowest, data->point[i].y);
    }
    /* Far enough to the left to show every slope, up to the points' height at least. */
    if (highest > 0.0)
        span.from = fmin(span.from, lowest / highest / 4.0);
    return span;
}

static void add_roofs(struct plot_data *data, const char *panel, const struct roofs *roofs,
                      const struct roof_span *span, double compute)
{
    add_roof(data, panel, "compute", span, 0.0, compute);
    if (roofs->peak > 0.0)
        add_roof(data, panel, "memory", span, roofs->peak, compute);
    for (size_t i = 0; i < roofs->count; i++)
        add_roof(data, panel, roofs->name[i], span, roofs->best[i].rate, compute);
}

static void note_best(struct plot_data *data, const char *what, const struct best *best)
{
    char text[OCCUPANCY_BYTES];

    if (best->record)
        plot_data_note(data, " %s: measured, %s %s, %s.", what, best->record->benchmark,
                       best->record->variant, record_occupancy_text(best->record, text));
    else
        plot_data_note(data, " %s: no roof, no row keeps half the threads of an Xe-core busy.",
                       what);
}

static void note_roofs(struct plot_data *data, const struct roofs *roofs, double cores)
{
    plot_data_note(data, " All is for one Xe-core of those in use.");
    for (size_t i = 0; i < roofs->count; i++)
        note_best(data, roofs->name[i], &roofs->best[i]);
    if (roofs->peak > 0.0)
        plot_data_note(data, " memory: %.4g GB/s as the device states it, for %g Xe-core%s.",
                       roofs->peak * cores, cores, cores == 1.0 ? "" : "s");
}

/* The panel of points from `first` on gets its roofs. */
static void roof_panel(const struct plot_source *source, struct plot_data *data, size_t first,
                       const struct roofs *roofs, const struct roof_span *span)
{
    const struct record *r = data->point[first].record;
    const struct family_page *page = NULL;
    char panel[PLOT_TEXT_BYTES], what[PLOT_TEXT_BYTES];

    for (size_t i = 0; i < source->pages->count && !page; i++) {
        if (source->pages->family[i]->under_roofline &&
            family_page_covers(source->pages->family[i], r->benchmark))
            page = source->pages->family[i];
    }
    const char *type = page && page->has_operations ? r->type : "";
    struct best compute = best_compute(source, type);
    memcpy(panel, data->point[first].panel, sizeof(panel));
    add_roofs(data, panel, roofs, span, compute.rate);
    snprintf(what, sizeof(what), "compute, %s", plot_type_name(type));
    note_best(data, what, &compute);
}

void roofline_collect(const struct plot_source *source, struct plot_data *data)
{
    for (size_t i = 0; i < source->pages->count; i++) {
        if (source->pages->family[i]->under_roofline)
            add_points(source->records, source->pages->family[i], data);
    }
    if (data->count == 0)
        return;
    plot_data_slice_largest(data, "work_items");
    plot_data_sort(data);
    double cores = record_occupancy(data->point[0].record).cores;
    struct roofs roofs = roofs_of(source, data->point[0].record->peak_gb_per_s / cores);
    struct roof_span span = span_of(data, &roofs);
    size_t points = data->count;
    note_roofs(data, &roofs, cores);
    for (size_t i = 0; i < points; i += plot_data_panel(data, i))
        roof_panel(source, data, i, &roofs, &span);
}
