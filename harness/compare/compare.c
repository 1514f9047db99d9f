#include "compare/compare.h"

#include "base/stats.h"
#include "math/many-tests.h"
#include "math/rank-test.h"
#include "model/verdict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LEVEL 0.05 /* significance level of all comparisons together */

/* The share of it that is the common shift's, where there is one; the rest is the rows'. */
#define SHIFT_SHARE 0.2

const char *change_name(enum change verdict)
{
    static const char *const names[CHANGE_COUNT] = {"SAME", "FASTER", "SLOWER", "UNCLEAR"};

    return names[verdict];
}

/* Compares by samples where both files have at least four rounds of them: with fewer, no difference
 * could ever be significant. The new ones took `factor` times as long. */
static bool by_ranks(struct comparison *c, const struct compare_options *options, double factor)
{
    double base[SAMPLE_ROUNDS_MAX], new[SAMPLE_ROUNDS_MAX];

    if (!options->base_samples || !options->new_samples)
        return false;
    size_t base_count = sample_costs(options->base_samples, c->base, base);
    size_t new_count = sample_costs(options->new_samples, c->new, new);
    if (base_count < 4 || new_count < 4)
        return false;
    for (size_t i = 0; i < new_count; i++)
        new[i] /= factor;
    c->probability = rank_test(base, base_count, new, new_count);
    return true;
}

/* Adds independent errors: their variances, with the degrees of freedom that Satterthwaite (1946)
 * gives the sum. Few rounds have long tails, and among thousands of rows tails are what one sees.
 */
static void add_variance(struct variance *sum, double value, double degrees)
{
    double total = sum->value + value;

    if (!(value > 0.0))
        return;
    double inverse = value * value / degrees;
    if (sum->value > 0.0)
        inverse += sum->value * sum->value / sum->degrees;
    *sum = (struct variance){total, total * total / inverse};
}

/* Of the mean of a side's runs, where nothing is known but their own intervals. */
static void add_within(struct variance *sum, const struct compare_runs *runs, size_t row,
                       size_t first, size_t count, double side_runs)
{
    const struct record *const *rows = compare_row(runs, row);

    for (size_t r = first; r < first + count; r++) {
        double degrees, error;

        if (!rows[r])
            continue;
        error = compare_error_within(rows[r], &degrees) / runs->run[r].factor / side_runs;
        add_variance(sum, error * error, degrees);
    }
}

/* What is compared of a row. */
struct pooled_row {
    struct side_mean base, new;
    struct variance variance; /* of the difference of both; value 0: exact */
};

/* `of_run` is the variance of a single run around its side's mean, if it is known. */
static struct pooled_row pool(const struct compare_runs *runs, size_t row,
                              const struct variance *of_run, const struct common_shift *shift)
{
    struct pooled_row pooled = {.base = compare_side_mean(runs, row, 0, runs->base),
                                .new = compare_side_mean(runs, row, runs->base, runs->new)};
    double reference = shift->row_error * pooled.new.mean;

    if (of_run->degrees > 0.0) {
        add_variance(&pooled.variance,
                     of_run->value * (1.0 / pooled.base.runs + 1.0 / pooled.new.runs),
                     of_run->degrees);
    } else {
        add_within(&pooled.variance, runs, row, 0, runs->base, pooled.base.runs);
        add_within(&pooled.variance, runs, row, runs->base, runs->new, pooled.new.runs);
    }
    if (shift->rows)
        add_variance(&pooled.variance, reference * reference, (double)shift->rows - 1.0);
    return pooled;
}

/* Welch's test: the difference in units of its standard error. */
static void weigh(struct comparison *c, const struct pooled_row *row)
{
    double error = sqrt(row->variance.value), degrees = row->variance.degrees;
    double scale = record_scale(c->base, row->base.mean);
    double difference = row->new.mean - row->base.mean;

    c->base_ns = row->base.raw;
    c->new_ns = row->new.raw;
    /* Nothing stays nothing, whatever its scale. */
    c->change = difference == 0.0 ? 0.0 : difference / scale;
    c->change_error =
        error > 0.0 ? stats_t975((size_t)fmin(degrees, RECORD_MANY_DEGREES)) * error / scale : 0.0;
    c->probability = stats_chance(difference, error, degrees);
}

static enum change judge_row(const struct comparison *c, double threshold)
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

static bool is_time(const struct record *record)
{
    return record && takes_part(record, 0);
}

/* STATUS_FAILED where a time is not in the unit of the row's others. */
static enum status check_units(const struct record *const *row, size_t count, struct error *error)
{
    const struct record *first = NULL;

    for (size_t r = 0; r < count; r++) {
        if (!row[r])
            continue;
        if (first && strcmp(first->unit, row[r]->unit) != 0)
            return error_set(error, STATUS_FAILED,
                             "%s:%u is in %s and %s:%u in %s (%.60s %.60s): only times of one "
                             "unit can be compared",
                             first->table ? first->table->path : "", first->line, first->unit,
                             row[r]->table ? row[r]->table->path : "", row[r]->line, row[r]->unit,
                             first->benchmark, first->variant);
        first = row[r];
    }
    return STATUS_OK;
}

/* The first of `count` that is there. */
static const struct record *first_of(const struct record *const *row, size_t count)
{
    for (size_t r = 0; r < count; r++) {
        if (row[r])
            return row[r];
    }
    return NULL;
}

/* Does one of the runs from `first` to before `end` have this time? */
static bool is_known(const struct index *indices, size_t first, size_t end,
                     const struct record *record)
{
    for (size_t r = first; r < end; r++) {
        if (is_time(find_same(&indices[r], record)))
            return true;
    }
    return false;
}

/* Adds a row of the base, with what all runs have of it. */
static enum status add_row(struct comparisons *comparisons, struct compare_runs *runs,
                           const struct index *indices, const struct record *record,
                           struct error *error)
{
    size_t all = compare_run_count(runs);
    const struct record **row = &runs->rows[runs->row_count * all];
    struct comparison *c = &comparisons->comparison[runs->row_count];

    for (size_t r = 0; r < all; r++) {
        const struct record *same = find_same(&indices[r], record);

        row[r] = is_time(same) ? same : NULL;
    }
    c->base = first_of(row, runs->base);
    c->new = first_of(row + runs->base, runs->new);
    if (!c->new) {
        comparisons->only_base++;
        return STATUS_OK;
    }
    comparisons->count = ++runs->row_count;
    return check_units(row, all, error);
}

/* Lays the rows of all runs side by side, families together. */
static enum status pair(struct comparisons *comparisons, struct compare_runs *runs,
                        const struct index *indices, struct error *error)
{
    enum status status = STATUS_OK;

    for (size_t run = 0; run < runs->base; run++) {
        for (size_t i = 0; status == STATUS_OK && i < indices[run].count; i++) {
            const struct record *record = indices[run].sorted[i];

            if (is_time(record) && !is_known(indices, 0, run, record))
                status = add_row(comparisons, runs, indices, record, error);
        }
    }
    for (size_t run = runs->base; run < compare_run_count(runs); run++) {
        for (size_t i = 0; i < indices[run].count; i++) {
            const struct record *record = indices[run].sorted[i];

            comparisons->only_new += is_time(record) && !is_known(indices, 0, run, record);
        }
    }
    return status;
}

/* Weighs the best at one size against the best at another, both for the work of the question: as
 * the verdict does, so that both say the same. */
static void weigh_sizes(struct comparison *c, const struct verdict *question,
                        const struct verdict_candidate *base, const struct verdict_candidate *new)
{
    double units =
        record_units(base->row) == record_units(new->row) ? record_units(base->row) : 1.0;
    double half = hypot(base->cost.interval.high - base->cost.interval.low,
                        new->cost.interval.high - new->cost.interval.low) /
                  2.0;
    double difference = new->cost.value - base->cost.value;
    double scale = record_scale(base->row, base->cost.value / record_units(base->row)) *
                   record_units(base->row);

    c->base = base->row;
    c->new = new->row;
    c->base_ns = base->cost.value / units;
    c->new_ns = new->cost.value / units;
    c->change = difference == 0.0 ? 0.0 : difference / scale;
    c->change_error = half == 0.0 ? 0.0 : half / scale;
    c->probability = verdict_probability(question, base, new);
    c->verdict =
        !verdict_differ(question, base, new)
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

    comparisons->comparison =
        calloc(comparisons->base->count + 1, sizeof(*comparisons->comparison));
    if (!comparisons->comparison)
        return error_out_of_memory(error);
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

/* Rows of two devices have nothing in common that they could be judged beside. */
static bool is_one_device(const struct comparisons *c)
{
    return !strcmp(c->base->device_name, c->new->device_name) &&
           !strcmp(c->base->device_kind, c->new->device_kind);
}

/* Corrects the probabilities for their number, each to be held against LEVEL. */
static enum status correct(struct comparisons *comparisons, struct error *error)
{
    struct common_shift *shift = &comparisons->shift;
    enum status status = holm_correct(&comparisons->comparison->probability, comparisons->count,
                                      sizeof(*comparisons->comparison), error);

    if (status != STATUS_OK || !shift->is_common)
        return status;
    for (size_t i = 0; i < comparisons->count; i++) {
        double *probability = &comparisons->comparison[i].probability;

        *probability = fmin(*probability / (1.0 - SHIFT_SHARE), 1.0);
    }
    shift->probability = fmin(shift->probability / SHIFT_SHARE, 1.0);
    return STATUS_OK;
}

/* Compares the rows, each with itself. */
static enum status weigh_rows(struct comparisons *comparisons, const struct compare_runs *runs,
                              const struct compare_options *options, struct error *error)
{
    struct variance *variance = calloc(runs->row_count + 1, sizeof(*variance));

    if (!variance)
        return error_out_of_memory(error);
    enum status status = compare_find_variances(runs, variance, error);
    for (size_t i = 0; status == STATUS_OK && i < runs->row_count; i++) {
        struct comparison *c = &comparisons->comparison[i];
        struct pooled_row row = pool(runs, i, &variance[i], &comparisons->shift);

        weigh(c, &row);
        c->by_ranks = by_ranks(c, options, runs->run[runs->base].factor);
    }
    free(variance);
    return status == STATUS_OK ? correct(comparisons, error) : status;
}

static enum change judge_shift(const struct common_shift *shift, double threshold)
{
    if (!shift->is_common || fabs(shift->change) <= threshold)
        return CHANGE_SAME;
    if (!(shift->probability < LEVEL))
        return CHANGE_UNCLEAR;
    return shift->change < 0.0 ? CHANGE_FASTER : CHANGE_SLOWER;
}

static void judge_rows(struct comparisons *comparisons, double threshold)
{
    comparisons->shift_verdict = judge_shift(&comparisons->shift, threshold);
    for (size_t i = 0; i < comparisons->count; i++) {
        struct comparison *c = &comparisons->comparison[i];

        c->verdict = judge_row(c, threshold);
        comparisons->verdicts[c->verdict]++;
    }
}

static enum status compare_rows(struct comparisons *comparisons, struct compare_runs *runs,
                                const struct compare_options *options, struct error *error)
{
    struct index indices[COMPARE_RUNS_MAX] = {{0}};
    size_t all = compare_run_count(runs), rows = 0;
    enum status status = STATUS_OK;

    for (size_t r = 0; status == STATUS_OK && r < all; r++) {
        status = make_index(&indices[r], runs->run[r].records, error);
        rows += r < runs->base ? indices[r].count : 0;
    }
    comparisons->comparison = calloc(rows + 1, sizeof(*comparisons->comparison));
    runs->rows = calloc((rows + 1) * all, sizeof(const struct record *));
    if (status == STATUS_OK && (!comparisons->comparison || !runs->rows))
        status = error_out_of_memory(error);
    if (status == STATUS_OK)
        status = pair(comparisons, runs, indices, error);
    for (size_t r = 0; r < all; r++)
        free(indices[r].sorted);
    if (status == STATUS_OK && is_one_device(comparisons))
        status = compare_find_shift(runs, options->threshold, &comparisons->shift, error);
    if (status == STATUS_OK)
        status = weigh_rows(comparisons, runs, options, error);
    free(runs->rows);
    if (status == STATUS_OK)
        judge_rows(comparisons, options->threshold);
    return status;
}

static void add_side(struct compare_runs *runs, const struct compare_side *side, size_t first)
{
    for (size_t r = 0; r < side->count; r++)
        runs->run[first + r] = (struct compare_run){&side->runs[r], 1.0};
}

enum status compare_sides(struct comparisons *comparisons, const struct compare_side *base,
                          const struct compare_side *new, const struct compare_options *options,
                          struct error *error)
{
    struct compare_runs runs = {.base = base->count, .new = new->count};

    *comparisons = (struct comparisons){
        .base = base->runs, .new = new->runs, .base_runs = base->count, .new_runs = new->count};
    add_side(&runs, base, 0);
    add_side(&runs, new, base->count);
    for (size_t r = 0; r < base->count; r++)
        comparisons->left_out_base += count_left_out(&base->runs[r], options->base_size);
    for (size_t r = 0; r < new->count; r++)
        comparisons->left_out_new += count_left_out(&new->runs[r], options->new_size);
    return options->base_size ? compare_sizes(comparisons, options, error)
                              : compare_rows(comparisons, &runs, options, error);
}

enum status compare_records_of(struct comparisons *comparisons, const struct records *base,
                               const struct records *new, const struct compare_options *options,
                               struct error *error)
{
    return compare_sides(comparisons, &(struct compare_side){base, 1},
                         &(struct compare_side){new, 1}, options, error);
}

bool comparisons_slower(const struct comparisons *comparisons)
{
    return comparisons->verdicts[CHANGE_SLOWER] > 0 || comparisons->shift_verdict == CHANGE_SLOWER;
}

void comparisons_free(struct comparisons *comparisons)
{
    free(comparisons->comparison);
    memset(comparisons, 0, sizeof(*comparisons));
}
