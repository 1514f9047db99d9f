#include "compare/compare.h"

#include "base/robust.h"
#include "base/stats.h"
#include "math/many-tests.h"
#include "math/rank-test.h"
#include "model/verdict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LEVEL 0.05 /* significance level of all comparisons together */

const char *change_name(enum change verdict)
{
    static const char *const names[CHANGE_COUNT] = {"SAME", "FASTER", "SLOWER", "UNCLEAR"};

    return names[verdict];
}

/* Compares by samples where both files have at least four rounds of them: with fewer, no difference
 * could ever be significant. */
static bool by_ranks(struct comparison *c, const struct compare_options *options)
{
    double base[SAMPLE_ROUNDS_MAX], new[SAMPLE_ROUNDS_MAX];

    if (!options->base_samples || !options->new_samples)
        return false;
    size_t base_count = sample_costs(options->base_samples, c->base, base);
    size_t new_count = sample_costs(options->new_samples, c->new, new);
    if (base_count < 4 || new_count < 4)
        return false;
    c->probability = rank_test(base, base_count, new, new_count);
    return true;
}

/* The standard error of a row's mean, which its interval is Student's factor times, and the degrees
 * of freedom of that. */
static double standard_error(const struct record *record, double *degrees)
{
    size_t count = record->samples >= 2.0 ? (size_t)record->samples : 2;
    size_t whole = robust_degrees(count) ? robust_degrees(count) : 1;

    *degrees = (double)whole;
    return record_half_interval(record) / stats_t975(whole);
}

/* Welch's test: the difference in units of its standard error, with the degrees of freedom that
 * Satterthwaite (1946) gives it. Few rounds have long tails, and among thousands of rows tails are
 * what one sees. */
static double by_intervals(const struct comparison *c)
{
    double degrees[2];
    double a = standard_error(c->base, &degrees[0]), b = standard_error(c->new, &degrees[1]);
    double difference = fabs(c->new->ns_mean - c->base->ns_mean), error = hypot(a, b);

    if (!(error > 0.0))
        return difference == 0.0 ? 1.0 : 0.0;
    a /= error;
    b /= error;
    return stats_student(difference / error,
                         1.0 / (pow(a, 4.0) / degrees[0] + pow(b, 4.0) / degrees[1]));
}

static void weigh(struct comparison *c, const struct compare_options *options)
{
    double base_half = record_half_interval(c->base);
    double new_half = record_half_interval(c->new);
    double half = hypot(base_half, new_half);
    double scale = record_scale(c->base, c->base->ns_mean);
    double difference = c->new->ns_mean - c->base->ns_mean;

    c->base_ns = c->base->ns_mean;
    c->new_ns = c->new->ns_mean;
    /* Nothing stays nothing, whatever its scale. */
    c->change = difference == 0.0 ? 0.0 : difference / scale;
    c->change_error = half == 0.0 ? 0.0 : half / scale;
    c->by_ranks = by_ranks(c, options);
    if (!c->by_ranks)
        c->probability = by_intervals(c);
}

static enum change judge(const struct comparison *c, double threshold)
{
    if (fabs(c->change) + c->change_error <= threshold)
        return CHANGE_SAME;
    if (!(c->probability < LEVEL) || !isfinite(c->change))
        return CHANGE_UNCLEAR;
    if (fabs(c->change) <= threshold)
        return CHANGE_SAME;
    return c->change < 0.0 ? CHANGE_FASTER : CHANGE_SLOWER;
}

/* The usable records of a file, sorted. */
struct index {
    const struct record **sorted;
    size_t count;
};

static enum status make_index(struct index *index, const struct records *records,
                              struct error *error)
{
    index->count = 0;
    index->sorted = calloc(records->count + 1, sizeof(*index->sorted));
    if (!index->sorted)
        return error_out_of_memory(error);
    for (size_t i = 0; i < records->count; i++) {
        if (records->record[i].usable)
            index->sorted[index->count++] = &records->record[i];
    }
    qsort(index->sorted, index->count, sizeof(*index->sorted), record_order);
    return STATUS_OK;
}

static const struct record *find_same(const struct index *index, const struct record *wanted)
{
    const struct record **found =
        bsearch(&wanted, index->sorted, index->count, sizeof(*index->sorted), record_order);

    return found ? *found : NULL;
}

/* Is the row a time, and of the sub-group size being compared? */
static bool takes_part(const struct record *record, unsigned size)
{
    return record->usable && record_has_interval(record) &&
           (!size || record->subgroup_size == size);
}

/* Rows of the sub-group size being compared that cannot take part. */
static size_t count_left_out(const struct records *records, unsigned size)
{
    size_t count = 0;

    for (size_t i = 0; i < records->count; i++)
        count += (!size || records->record[i].subgroup_size == size) &&
                 !takes_part(&records->record[i], size);
    return count;
}

static void pair(struct comparisons *comparisons, const struct records *base,
                 const struct records *new, const struct index indices[2],
                 const struct compare_options *options)
{
    for (size_t i = 0; i < new->count; i++)
        comparisons->only_new +=
            takes_part(&new->record[i], 0) && !find_same(&indices[0], &new->record[i]);
    for (size_t i = 0; i < base->count; i++) {
        struct comparison *c = &comparisons->comparison[comparisons->count];

        if (!takes_part(&base->record[i], 0))
            continue;
        c->base = &base->record[i];
        c->new = find_same(&indices[1], c->base);
        if (!c->new || !takes_part(c->new, 0)) {
            comparisons->only_base++;
            continue;
        }
        weigh(c, options);
        comparisons->count++;
    }
}

static double units_of(const struct record *record)
{
    return record->work_units > 0.0 ? record->work_units : 1.0;
}

/* Weighs the best at one size against the best at another, both for the work of the question: as
 * the verdict does, so that both say the same. */
static void weigh_sizes(struct comparison *c, const struct verdict *question,
                        const struct verdict_candidate *base, const struct verdict_candidate *new)
{
    double units = units_of(base->row) == units_of(new->row) ? units_of(base->row) : 1.0;
    double half = hypot(base->cost.interval.high - base->cost.interval.low,
                        new->cost.interval.high - new->cost.interval.low) /
                  2.0;
    double difference = new->cost.value - base->cost.value, scale = fabs(base->cost.value);

    c->base = base->row;
    c->new = new->row;
    c->base_ns = base->cost.value / units;
    c->new_ns = new->cost.value / units;
    c->change = difference == 0.0 ? 0.0 : difference / scale;
    c->change_error = half == 0.0 ? 0.0 : half / scale;
    c->probability = verdict_probability(question, base, new);
    c->verdict =
        !verdict_differ(question, base, new) || !isfinite(c->change)
            ? fabs(c->change) + c->change_error <= VERDICT_TIE ? CHANGE_SAME : CHANGE_UNCLEAR
        : c->change < 0.0 ? CHANGE_FASTER
                          : CHANGE_SLOWER;
}

/* One comparison for each question that both files answer, each at its size. */
static void pair_sizes(struct comparisons *comparisons, const struct verdicts *base,
                       const struct verdicts *new, const struct compare_options *options)
{
    for (size_t i = 0; i < new->count; i++) {
        const struct verdict *other = verdicts_find(base, &new->verdict[i].question);

        comparisons->only_new += verdict_best_at(&new->verdict[i], options->new_size) &&
                                 !(other && verdict_best_at(other, options->base_size));
    }
    for (size_t i = 0; i < base->count; i++) {
        const struct verdict *v = &base->verdict[i], *other = verdicts_find(new, &v->question);
        const struct verdict_candidate *a = verdict_best_at(v, options->base_size);
        const struct verdict_candidate *b =
            other ? verdict_best_at(other, options->new_size) : NULL;

        if (a && b)
            weigh_sizes(&comparisons->comparison[comparisons->count++], v, a, b);
        else if (a)
            comparisons->only_base++;
    }
}

static enum status compare_sizes(struct comparisons *comparisons,
                                 const struct compare_options *options, struct error *error)
{
    struct verdicts base, new;
    enum status status = verdicts_make(&base, comparisons->base, NULL, error);

    if (status != STATUS_OK)
        return status;
    status = verdicts_make(&new, comparisons->new, NULL, error);
    if (status == STATUS_OK) {
        pair_sizes(comparisons, &base, &new, options);
        verdicts_free(&new);
    }
    verdicts_free(&base);
    for (size_t i = 0; i < comparisons->count; i++) {
        struct comparison *c = &comparisons->comparison[i];

        /* Relative to the less of the two, as for a verdict. */
        if (c->verdict != CHANGE_UNCLEAR &&
            fabs(c->new_ns - c->base_ns) <=
                options->threshold * fmin(fabs(c->base_ns), fabs(c->new_ns)))
            c->verdict = CHANGE_SAME;
        comparisons->verdicts[c->verdict]++;
    }
    return status;
}

enum status compare_records_of(struct comparisons *comparisons, const struct records *base,
                               const struct records *new, const struct compare_options *options,
                               struct error *error)
{
    struct index indices[2] = {{0}};

    memset(comparisons, 0, sizeof(*comparisons));
    comparisons->base = base;
    comparisons->new = new;
    comparisons->left_out_base = count_left_out(base, options->base_size);
    comparisons->left_out_new = count_left_out(new, options->new_size);
    comparisons->comparison = calloc(base->count + 1, sizeof(*comparisons->comparison));
    if (!comparisons->comparison)
        return error_out_of_memory(error);
    if (options->base_size)
        return compare_sizes(comparisons, options, error);
    enum status status = make_index(&indices[0], base, error);
    if (status == STATUS_OK)
        status = make_index(&indices[1], new, error);
    if (status == STATUS_OK) {
        pair(comparisons, base, new, indices, options);
        status = holm_correct(&comparisons->comparison->probability, comparisons->count,
                              sizeof(*comparisons->comparison), error);
    }
    free(indices[0].sorted);
    free(indices[1].sorted);
    for (size_t i = 0; i < comparisons->count; i++) {
        struct comparison *c = &comparisons->comparison[i];

        c->verdict = judge(c, options->threshold);
        comparisons->verdicts[c->verdict]++;
    }
    return status;
}

void comparisons_free(struct comparisons *comparisons)
{
    free(comparisons->comparison);
    memset(comparisons, 0, sizeof(*comparisons));
}
