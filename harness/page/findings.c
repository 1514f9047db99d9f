#include "page/findings-parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define WORTH 1.05

void findings_add(struct findings *findings, const char *advice, const char *evidence)
{
    struct finding *line = &findings->line[findings->count];

    if (findings->count == FINDINGS_MAX)
        return;
    snprintf(line->advice, sizeof line->advice, "%s", advice);
    snprintf(line->evidence, sizeof line->evidence, "%s", evidence);
    findings->count++;
}

struct estimate cost_of(const struct record *r)
{
    double scale = r->clock_mhz > 0.0 ? r->clock_mhz / 1000.0 : 1.0;

    /* The interval is of the mean, the value is the median. */
    return (struct estimate){r->value * scale, fmin(r->ci95_lo_ns, r->value) * scale,
                             fmax(r->ci95_hi_ns, r->value) * scale};
}

const char *cost_unit(const struct record *record)
{
    return record->clock_mhz > 0.0 ? "cycles" : "ns";
}

struct estimate ratio_of(struct estimate a, struct estimate b)
{
    if (!(b.low > 0.0))
        return (struct estimate){NAN, NAN, NAN};
    return (struct estimate){a.value / b.value, a.low / b.high, a.high / b.low};
}

bool is_worth_it(struct estimate ratio)
{
    return ratio.low > WORTH;
}

const char *show(struct estimate e, char *text)
{
    snprintf(text, ESTIMATE_BYTES, "%.4g [%.4g, %.4g]", e.value, e.low, e.high);
    return text;
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

void findings_collect(struct findings *findings, const struct records *records)
{
    memset(findings, 0, sizeof *findings);
    findings_memory(findings, records);
    findings_barrier(findings, records);
    findings_exchange(findings, records);
    findings_lanes(findings, records);
    findings_kernels(findings, records);
}
