#include "page/findings-parts.h"

#include "page/family-page.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define WORTH 1.05

void findings_add(struct findings *findings, const struct record *row, const char *advice,
                  const char *evidence)
{
    struct finding *line = &findings->line[findings->count];

    if (findings->count == FINDINGS_MAX)
        return;
    snprintf(line->advice, sizeof(line->advice), "%s", advice);
    record_occupancy_text(row, line->occupancy);
    snprintf(line->evidence, sizeof(line->evidence), "%s", evidence);
    findings->count++;
}

struct estimate cost_of(const struct record *r)
{
    double scale = time_unit_per_ns(record_time_unit(r, TIME_CYCLES), r->clock_mhz);

    /* The interval is that of the mean, the value is the median. */
    return (struct estimate){
        r->value * scale,
        {fmin(r->ci95_lo_ns, r->value) * scale, fmax(r->ci95_hi_ns, r->value) * scale}};
}

const char *cost_unit(const struct record *record)
{
    return time_unit_name(record_time_unit(record, TIME_CYCLES));
}

struct estimate ratio_of(struct estimate a, struct estimate b)
{
    if (!(b.interval.low > 0.0))
        return (struct estimate){NAN, {NAN, NAN}};
    return (struct estimate){a.value / b.value,
                             {a.interval.low / b.interval.high, a.interval.high / b.interval.low}};
}

bool is_worth_it(struct estimate ratio)
{
    return ratio.interval.low > WORTH;
}

const char *show(struct estimate e, char *text)
{
    snprintf(text, ESTIMATE_BYTES, "%.4g [%.4g, %.4g]", e.value, e.interval.low, e.interval.high);
    return text;
}

bool is_busier(const struct record *r, const struct record *other)
{
    if (!other || record_busy_threads(r) != record_busy_threads(other))
        return !other || record_busy_threads(r) > record_busy_threads(other);
    return (r->subgroup_size == 16) > (other->subgroup_size == 16);
}

bool is_same_launch(const struct record *a, const struct record *b)
{
    return a->subgroup_size == b->subgroup_size && a->workgroup_size == b->workgroup_size &&
           a->workgroup_count == b->workgroup_count;
}

const struct record *sibling(const struct records *records, const struct record *like,
                             const char *variant)
{
    struct record wanted = *like;

    wanted.variant = variant;
    for (size_t i = 0; i < records->count; i++) {
        if (records->record[i].usable && record_same(&records->record[i], &wanted))
            return &records->record[i];
    }
    return NULL;
}

const struct record *next_row(const struct records *records, const char *family,
                              const char *variant, size_t *index)
{
    while (*index < records->count) {
        const struct record *r = &records->record[(*index)++];

        if (r->usable && !strcmp(r->benchmark, family) &&
            (!variant || !strcmp(r->variant, variant)) && isfinite(r->ci95_lo_ns))
            return r;
    }
    return NULL;
}

void findings_collect(struct findings *findings, const struct family_pages *pages,
                      const struct records *records)
{
    const struct family_page *page = NULL;

    memset(findings, 0, sizeof(*findings));
    while ((page = family_pages_next(pages, page))) {
        if (page->findings)
            page->findings(findings, records);
    }
}
