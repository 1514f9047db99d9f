#include "model/verdict.h"

#include "base/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LEVEL 0.05

/* A row and the question that it answers. */
struct entry {
    const struct record *row;
    struct verdict_question question;
};

/* A variant that others are measured beyond, or compared with. */
struct standard {
    const char *family, *variant;
};

static int compare_numbers(double a, double b)
{
    return (a > b) - (a < b);
}

static int compare_standards(const void *left, const void *right)
{
    const struct standard *a = left, *b = right;
    int order = strcmp(a->family, b->family);

    return order ? order : strcmp(a->variant, b->variant);
}

/* The variants that do less than others, and cannot stand in for them. The caller frees them. */
static struct standard *standards_of(const struct records *records, size_t *count)
{
    struct standard *list = calloc(2 * records->count + 1, sizeof(*list));

    *count = 0;
    for (size_t i = 0; list && i < records->count; i++) {
        const struct record *r = &records->record[i];

        if (r->baseline[0])
            list[(*count)++] = (struct standard){r->benchmark, r->baseline};
        if (r->reference[0])
            list[(*count)++] = (struct standard){r->benchmark, r->reference};
    }
    if (list)
        qsort(list, *count, sizeof(*list), compare_standards);
    return list;
}

/* Half a clock cycle for each unit of work; 0 where the clock is unknown. */
static double free_cost(const struct record *r)
{
    return r->clock_mhz > 0.0 ? VERDICT_FREE * record_units(r) * 1000.0 / r->clock_mhz : 0.0;
}

static enum work_kind kind_of(const struct record *r)
{
    if (r->work_flops > 0.0 && r->loop_ns > 0.0)
        return WORK_OPERATIONS;
    if (r->work_bytes > 0.0 && r->loop_ns > 0.0)
        return WORK_BYTES;
    return r->work_exchanges > 0.0 ? WORK_VALUES : WORK_ITEMS;
}

static double work_of(const struct record *r)
{
    switch (kind_of(r)) {
    case WORK_OPERATIONS:
        return r->work_flops;
    case WORK_BYTES:
        return r->work_bytes;
    case WORK_VALUES:
        return r->work_exchanges * r->subgroup_size;
    case WORK_ITEMS:
        break;
    }
    return record_units(r) * r->workgroup_size * r->workgroup_count;
}

static struct verdict_question question_of(const struct record *r)
{
    enum work_kind kind = kind_of(r);

    return (struct verdict_question){
        .family = r->benchmark,
        .operation = r->operation,
        .type = r->type,
        .parameters = r->parameters,
        .unit = r->unit,
        .kind = kind,
        .work = work_of(r),
        .cores = (unsigned)record_occupancy(r).cores,
        .workgroup_size = kind == WORK_VALUES || kind == WORK_ITEMS ? r->workgroup_size : 0,
    };
}

/* What a ladder has in common. */
static int compare_ladders(const struct verdict_question *a, const struct verdict_question *b)
{
    int order = strcmp(a->family, b->family);

    if (!order)
        order = strcmp(a->operation, b->operation);
    if (!order)
        order = strcmp(a->type, b->type);
    if (!order)
        order = strcmp(a->parameters, b->parameters);
    if (!order)
        order = strcmp(a->unit, b->unit);
    if (!order)
        order = (a->kind > b->kind) - (a->kind < b->kind);
    return order ? order : (a->cores > b->cores) - (a->cores < b->cores);
}

static int compare_questions(const struct verdict_question *a, const struct verdict_question *b)
{
    int order = compare_ladders(a, b);

    if (!order)
        order = compare_numbers(a->work, b->work);
    return order
               ? order
               : (a->workgroup_size > b->workgroup_size) - (a->workgroup_size < b->workgroup_size);
}

static int compare_verdicts(const void *left, const void *right)
{
    const struct verdict *a = left, *b = right;

    return compare_questions(&a->question, &b->question);
}

const struct verdict *verdicts_find(const struct verdicts *verdicts,
                                    const struct verdict_question *question)
{
    const struct verdict key = {.question = *question};

    return bsearch(&key, verdicts->verdict, verdicts->count, sizeof(key), compare_verdicts);
}

static int compare_entries(const void *left, const void *right)
{
    const struct entry *a = left, *b = right;
    int order = compare_questions(&a->question, &b->question);

    return order ? order : (a->row > b->row) - (a->row < b->row);
}

/* The time that the whole work takes. Operations and bytes are judged by the loop's own time, since
 * its overhead hides behind them; anything else by the time beyond the baseline. */
static struct estimate cost_of(const struct record *r)
{
    double units = record_units(r), half = units * record_half_interval(r);

    switch (kind_of(r)) {
    case WORK_OPERATIONS:
    case WORK_BYTES:
        return (struct estimate){r->loop_ns, {r->loop_ns - half, r->loop_ns + half}};
    case WORK_VALUES:
    case WORK_ITEMS:
        break;
    }
    /* The interval is that of the mean, the value is the robust one. */
    return (struct estimate){
        units * r->value,
        {units * fmin(r->ci95_lo_ns, r->value), units * fmax(r->ci95_hi_ns, r->value)}};
}

/* Of a loop: what is faster than its baseline by less is free. */
#define BELOW_MOST 0.05

/* Is its loop faster than that of its baseline, by no more than BELOW_MOST of it? Then the
 * operation costs nothing that can be told; as a cost its row is not ok. What is faster by more is
 * compared with the wrong baseline. */
static bool is_below_zero(const struct record *r)
{
    return !strcmp(r->verified, "1") && r->ci95_hi_ns < 0.0 &&
           record_units(r) * fabs(r->value) <= BELOW_MOST * r->loop_ns;
}

static bool takes_part(const struct record *r, const struct standard *standards, size_t count)
{
    const struct standard key = {r->benchmark, r->variant};

    bool is_cost = r->usable && record_units(r) * r->ci95_hi_ns >= -free_cost(r);

    return record_has_interval(r) && (is_cost || is_below_zero(r)) &&
           !(count && bsearch(&key, standards, count, sizeof(*standards), compare_standards));
}

static struct verdict_candidate candidate_of(const struct record *r)
{
    struct verdict_candidate c = {.row = r,
                                  .method = r->method,
                                  .subgroup_size = r->subgroup_size,
                                  .workgroup_size = r->workgroup_size,
                                  .workgroup_count = r->workgroup_count,
                                  .occupancy = record_occupancy(r),
                                  .cost = cost_of(r),
                                  .degrees = record_degrees(r)};

    snprintf(c.variant, sizeof(c.variant), "%s", r->variant);
    c.is_free = c.cost.interval.high < free_cost(r);
    if (is_below_zero(r)) {
        c.cost = (struct estimate){0.0, {0.0, 0.0}};
        c.is_free = true;
    }
    return c;
}

enum status verdict_add(struct verdict *verdict, const struct verdict_candidate *candidate,
                        struct error *error)
{
    struct verdict_candidate *more =
        realloc(verdict->candidate, (verdict->count + 1) * sizeof(*more));

    if (!more)
        return error_out_of_memory(error);
    verdict->candidate = more;
    more[verdict->count++] = *candidate;
    return STATUS_OK;
}

static double half_of(const struct estimate *e)
{
    return (e->interval.high - e->interval.low) / 2.0;
}

/* Welch's test, as in the comparison of runs. */
static double by_intervals(const struct verdict_candidate *a, const struct verdict_candidate *b)
{
    double x = half_of(&a->cost) / stats_t975((size_t)a->degrees);
    double y = half_of(&b->cost) / stats_t975((size_t)b->degrees);
    double difference = fabs(a->cost.value - b->cost.value), error = hypot(x, y);

    x /= error;
    y /= error;
    return stats_chance(difference, error,
                        1.0 / (pow(x, 4.0) / a->degrees + pow(y, 4.0) / b->degrees));
}

double verdict_probability(const struct verdict *v, const struct verdict_candidate *a,
                           const struct verdict_candidate *b)
{
    double others = v->count > 2 ? (double)(v->count - 1) : 1.0;

    return fmin(1.0, others * by_intervals(a, b));
}

bool verdict_differ(const struct verdict *v, const struct verdict_candidate *a,
                    const struct verdict_candidate *b)
{
    double least = fmin(fabs(a->cost.value), fabs(b->cost.value));

    if (a == b || (a->is_free && b->is_free))
        return false;
    return fabs(a->cost.value - b->cost.value) > VERDICT_TIE * least &&
           verdict_probability(v, a, b) < LEVEL;
}

static int by_cost(const void *left, const void *right)
{
    const struct verdict_candidate *a = left, *b = right;
    int order =
        a->wins == b->wins ? compare_numbers(a->cost.value, b->cost.value) : (a->wins ? -1 : 1);

    return order ? order
                 : (a->subgroup_size > b->subgroup_size) - (a->subgroup_size < b->subgroup_size);
}

static double gain_of(const struct verdict *v)
{
    const struct estimate *best = &v->candidate[0].cost;

    if (v->winners == v->count)
        return 0.0;
    if (v->candidate[0].is_free || !(best->interval.high > 0.0))
        return NAN;
    return fmax(0.0, v->candidate[v->winners].cost.interval.low / best->interval.high - 1.0);
}

void verdict_rank(struct verdict *v)
{
    v->winners = 0;
    v->gain = 0.0;
    if (v->count == 0)
        return;
    for (size_t i = 0; i < v->count; i++)
        v->candidate[i].wins = false;
    qsort(v->candidate, v->count, sizeof(*v->candidate), by_cost);
    for (size_t i = 0; i < v->count; i++) {
        v->candidate[i].wins = !verdict_differ(v, &v->candidate[0], &v->candidate[i]);
        v->winners += v->candidate[i].wins;
    }
    qsort(v->candidate, v->count, sizeof(*v->candidate), by_cost);
    v->gain = gain_of(v);
}

/* One verdict for each run of entries with the same question. */
static enum status judge(struct verdicts *verdicts, const struct entry *entries, size_t count,
                         struct error *error)
{
    enum status status = STATUS_OK;

    verdicts->verdict = calloc(count + 1, sizeof(*verdicts->verdict));
    if (!verdicts->verdict)
        return error_out_of_memory(error);
    for (size_t i = 0; status == STATUS_OK && i < count; i++) {
        struct verdict_candidate candidate = candidate_of(entries[i].row);

        if (i == 0 || compare_questions(&entries[i - 1].question, &entries[i].question) != 0)
            verdicts->verdict[verdicts->count++].question = entries[i].question;
        status = verdict_add(&verdicts->verdict[verdicts->count - 1], &candidate, error);
    }
    for (size_t i = 0; i < verdicts->count; i++)
        verdict_rank(&verdicts->verdict[i]);
    return status;
}

enum status verdicts_make(struct verdicts *verdicts, const struct records *records,
                          const char *family, struct error *error)
{
    size_t standard_count, count = 0;
    struct standard *standards = standards_of(records, &standard_count);
    struct entry *entries = calloc(records->count + 1, sizeof(*entries));
    enum status status;

    memset(verdicts, 0, sizeof(*verdicts));
    for (size_t i = 0; standards && entries && i < records->count; i++) {
        const struct record *r = &records->record[i];

        if ((!family || !strcmp(r->benchmark, family)) && takes_part(r, standards, standard_count))
            entries[count++] = (struct entry){r, question_of(r)};
    }
    if (standards && entries) {
        qsort(entries, count, sizeof(*entries), compare_entries);
        status = judge(verdicts, entries, count, error);
    } else {
        status = error_out_of_memory(error);
    }
    free(standards);
    free(entries);
    if (status != STATUS_OK)
        verdicts_free(verdicts);
    return status;
}

enum status verdict_make(struct verdict *verdict, const struct records *records, const char *family,
                         const char *operation, struct error *error)
{
    enum status status = STATUS_OK;

    memset(verdict, 0, sizeof(*verdict));
    for (size_t i = 0; status == STATUS_OK && i < records->count; i++) {
        const struct record *r = &records->record[i];

        if (strcmp(r->benchmark, family) != 0 || !takes_part(r, NULL, 0) ||
            (operation && !record_does(r, operation)))
            continue;
        struct verdict_candidate candidate = candidate_of(r);

        if (verdict->count == 0)
            verdict->question = question_of(r);
        verdict->question.workgroup_size = 0;
        candidate.is_free = false;
        status = verdict_add(verdict, &candidate, error);
    }
    verdict_rank(verdict);
    return status;
}

void verdicts_free(struct verdicts *verdicts)
{
    for (size_t i = 0; i < verdicts->count; i++)
        free(verdicts->verdict[i].candidate);
    free(verdicts->verdict);
    memset(verdicts, 0, sizeof(*verdicts));
}

const struct verdict_candidate *verdict_best_at(const struct verdict *v, unsigned subgroup_size)
{
    const struct verdict_candidate *best = NULL;

    for (size_t i = 0; i < v->count; i++) {
        const struct verdict_candidate *c = &v->candidate[i];

        if (c->subgroup_size == subgroup_size && (!best || c->cost.value < best->cost.value))
            best = c;
    }
    return best;
}

bool verdict_decides(const struct verdict *v)
{
    return v->winners < v->count;
}

size_t verdict_sizes(const struct verdict *v)
{
    size_t sizes = 0;

    for (size_t i = 0; i < v->count; i++) {
        size_t j = 0;

        while (v->candidate[j].subgroup_size != v->candidate[i].subgroup_size)
            j++;
        sizes += i == j;
    }
    return sizes;
}

size_t verdicts_ladder(const struct verdicts *verdicts, size_t first)
{
    size_t count = 1;

    while (first + count < verdicts->count &&
           !compare_ladders(&verdicts->verdict[first].question,
                            &verdicts->verdict[first + count].question))
        count++;
    return count;
}

static bool is_same_choice(const struct verdict_candidate *a, const struct verdict_candidate *b)
{
    return a->subgroup_size == b->subgroup_size && !strcmp(a->variant, b->variant);
}

/* Is the choice among the first `count` candidates? */
static bool is_among(const struct verdict *v, size_t count, const struct verdict_candidate *wanted)
{
    for (size_t i = 0; i < count; i++) {
        if (is_same_choice(&v->candidate[i], wanted))
            return true;
    }
    return false;
}

static bool wins_at(const struct verdict *v, const struct verdict_candidate *wanted)
{
    return is_among(v, v->winners, wanted);
}

/* The stretch from `first` on, by the winner that wins longest. */
static struct verdict_stretch stretch_from(const struct verdicts *verdicts, size_t first,
                                           size_t end)
{
    const struct verdict *v = &verdicts->verdict[first];
    struct verdict_stretch longest = {first, first, &v->candidate[0], false};

    for (size_t i = 0; i < v->winners; i++) {
        size_t last = first;

        while (last + 1 < end && wins_at(&verdicts->verdict[last + 1], &v->candidate[i]))
            last++;
        if (last > longest.last)
            longest = (struct verdict_stretch){first, last, &v->candidate[i], false};
    }
    return longest;
}

static bool is_about(double a, double b)
{
    return fmax(a, b) <= 2.0 * fmin(a, b);
}

/* Was the choice tried, with about as many threads where the work-group is a means? Another launch
 * wins or loses by how much of the Xe-core it fills. */
static bool is_tried(const struct verdict *v, const struct verdict_candidate *wanted)
{
    for (size_t i = 0; i < v->count; i++) {
        const struct occupancy *a = &v->candidate[i].occupancy, *b = &wanted->occupancy;

        if (is_same_choice(&v->candidate[i], wanted) &&
            (v->question.workgroup_size ||
             (is_about(a->cores, b->cores) && is_about(a->threads, b->threads))))
            return true;
    }
    return false;
}

/* Was a choice tried where `stretch` ends, and did it lose anywhere in it? */
static bool has_lost_in(const struct verdicts *verdicts, const struct verdict_stretch *stretch,
                        const struct verdict_candidate *choice)
{
    const struct verdict *last = &verdicts->verdict[stretch->last];

    for (size_t i = stretch->first; i <= stretch->last; i++) {
        const struct verdict *v = &verdicts->verdict[i];

        if (is_among(v, v->count, choice) && !wins_at(v, choice))
            return is_tried(last, choice);
    }
    return false;
}

size_t verdict_stretches(const struct verdicts *verdicts, size_t first, size_t count,
                         struct verdict_stretch stretches[VERDICT_STRETCHES_MAX])
{
    size_t found = 0, end = first + count;

    while (first < end && found < VERDICT_STRETCHES_MAX) {
        const struct verdict *v = &verdicts->verdict[first];

        stretches[found] = stretch_from(verdicts, first, end);
        stretches[found].is_border =
            found > 0 && is_tried(v, stretches[found - 1].winner) &&
            has_lost_in(verdicts, &stretches[found - 1], stretches[found].winner);
        first = stretches[found++].last + 1;
    }
    return found;
}
