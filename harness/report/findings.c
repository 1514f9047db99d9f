#include "report/findings-parts.h"

#include "model/verdict.h"
#include "report/family-page.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define WORTH 1.05

const char *findings_scope(const struct record *r, char text[SCOPE_BYTES])
{
    char occupancy[OCCUPANCY_BYTES];

    snprintf(text, SCOPE_BYTES, "sub-groups of %u, %s", r->subgroup_size,
             record_occupancy_text(r, occupancy));
    return text;
}

void findings_add(struct findings *findings, struct claim claim, const char *advice,
                  const char *evidence)
{
    struct finding *line = &findings->line[findings->count];

    if (findings->count == FINDINGS_MAX)
        return;
    snprintf(line->advice, sizeof(line->advice), "%s", advice);
    snprintf(line->evidence, sizeof(line->evidence), "%s", evidence);
    line->claim = claim;
    findings->count++;
}

/* The verdict with the most work that is worth a headline. How to move bytes and share operands is
 * only said of busy Xe-cores: alone, a thread waits for its messages. */
static const struct verdict *headline_of(const struct verdicts *all, const char *operation,
                                         const char *type)
{
    const struct verdict *best = NULL;

    for (size_t at = 0, rungs; at < all->count; at += rungs) {
        const struct verdict_question *q = &all->verdict[at].question;

        rungs = verdicts_ladder(all, at);
        if (strcmp(q->operation, operation) != 0 || strcmp(q->type, type) != 0)
            continue;
        for (size_t i = at; i < at + rungs; i++) {
            const struct verdict *v = &all->verdict[i];
            bool is_worth =
                v->gain > WORTH - 1.0 && (v->question.workgroup_size || verdict_is_throughput(v));

            if (is_worth && (!best || record_busy_threads(v->candidate[0].row) >=
                                          record_busy_threads(best->candidate[0].row)))
                best = v;
        }
    }
    return best;
}

/* The sentence is cut where it fills its room. */
static void append_stop(char text[FINDING_BYTES])
{
    size_t used = strlen(text);

    if (used + 1 == FINDING_BYTES)
        used--;
    memcpy(text + used, ".", 2);
}

/* " As good: 16 lanes, block4; 16 lanes, strided." */
static void tell_equals(char text[FINDING_BYTES], const struct verdict *v)
{
    char choice[VERDICT_TEXT_BYTES];

    for (size_t i = 1; i < v->winners; i++) {
        size_t used = strlen(text);

        snprintf(text + used, FINDING_BYTES - used, "%s%s",
                 i > 1 ? "; " : " As good: ", verdict_choice(v, &v->candidate[i], choice));
    }
    if (v->winners > 1)
        append_stop(text);
}

void findings_add_verdict(struct findings *findings, const struct records *records,
                          const char *family, const char *operation, const char *type,
                          const char *subject)
{
    char advice[FINDING_BYTES], text[FINDING_BYTES] = "", part[VERDICT_TEXT_BYTES];
    struct verdicts all;
    struct error error;

    if (verdicts_make(&all, records, family, &error) != STATUS_OK) {
        findings->out_of_memory = true;
        return;
    }
    const struct verdict *v = headline_of(&all, operation, type);
    if (v) {
        snprintf(advice, sizeof(advice), "%s, choose %.*s", subject,
                 (int)(FINDING_BYTES - strlen(subject) - sizeof(", choose .")),
                 verdict_sentence(v, part));
        strncat(advice, verdict_borders(&all, v, part), sizeof(advice) - strlen(advice) - 1);
        append_stop(advice);
        snprintf(text, sizeof(text),
                 "%.200s: %s; all others take at least %.3g %% "
                 "longer.",
                 verdict_title(v, part), verdict_asks(v), 100.0 * v->gain);
        tell_equals(text, v);
        findings_add(findings, (struct claim){v->candidate[0].row, v->candidate[v->winners].row},
                     advice, text);
    }
    verdicts_free(&all);
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

const struct record *sibling_by(const struct records *records, const struct record *like,
                                const char *method)
{
    for (size_t i = 0; i < records->count; i++) {
        const struct record *r = &records->record[i];

        if (record_is_by(r, method) && record_same_task(r, like) &&
            r == sibling(records, like, r->variant))
            return r;
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
