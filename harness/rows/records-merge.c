#include "rows/records-merge.h"

#include "base/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A row disagrees if it is farther from the mean than this many half intervals, both errors taken
 * together, and by more than this share: less makes no difference to a fit. */
#define ALLOWED_INTERVALS 2.0
#define ALLOWED_SHARE     0.02

/* Rows without an interval weigh as much as one with this share of the value as half of it. */
#define UNKNOWN_SHARE 0.01

/* Half a 95 % interval in standard deviations. */
#define NORMAL_975 1.96

/* The usable rows of one measurement. */
struct repeated {
    struct record *const *row;
    size_t count;
    double mean, half, merged_half;
};

static double half_of(const struct record *row)
{
    double half = record_has_interval(row) ? record_half_interval(row) : 0.0;

    return half > 0.0 ? half : UNKNOWN_SHARE * fmax(fabs(row->value), 1e-12);
}

/* The weighted mean of a column; of a row without it, nothing. */
static double mean_of(const struct repeated *repeated, size_t column)
{
    double sum = 0.0, weights = 0.0;

    for (size_t i = 0; i < repeated->count; i++) {
        double value = *(const double *)(const void *)((const char *)repeated->row[i] + column);
        double weight = 1.0 / (half_of(repeated->row[i]) * half_of(repeated->row[i]));

        if (isnan(value))
            continue;
        sum += weight * value;
        weights += weight;
    }
    return weights > 0.0 ? sum / weights : NAN;
}

/* A sum of squares of so many standard normal errors exceeds this once in twenty times (Wilson and
 * Hilferty 1931). */
static double unlikely_squares(size_t degrees)
{
    double share = 2.0 / (9.0 * (double)degrees);
    double root = 1.0 - share + 1.645 * sqrt(share);

    return (double)degrees * root * root * root;
}

/* Half the interval of the mean, as the rows' own say: `half`. If the rows scatter more than that,
 * their scatter is what is known: `merged_half`, by Student's factor for so few. */
static void find_halves(struct repeated *repeated)
{
    size_t degrees = repeated->count - 1;
    double weights = 0.0, squares = 0.0;

    for (size_t i = 0; i < repeated->count; i++) {
        double half = half_of(repeated->row[i]);
        double off = NORMAL_975 * (repeated->row[i]->value - repeated->mean) / half;

        weights += 1.0 / (half * half);
        squares += off * off;
    }
    repeated->half = repeated->merged_half = 1.0 / sqrt(weights);
    if (squares > unlikely_squares(degrees))
        repeated->merged_half *= sqrt(squares / (double)degrees) * stats_t975(degrees) / NORMAL_975;
}

/* How far a row is from the mean, as a multiple of what is allowed; above 1 it disagrees. */
static double excess_of(const struct repeated *repeated, const struct record *row)
{
    double half = half_of(row);
    double off = fabs(row->value - repeated->mean);
    double allowed = ALLOWED_INTERVALS * sqrt(half * half + repeated->half * repeated->half);

    return off / fmax(allowed, ALLOWED_SHARE * record_scale(row, repeated->mean));
}

static const struct record *farthest(const struct repeated *repeated, double *excess)
{
    const struct record *worst = repeated->row[0];

    *excess = 0.0;
    for (size_t i = 0; i < repeated->count; i++) {
        double of_row = excess_of(repeated, repeated->row[i]);

        if (of_row > *excess) {
            *excess = of_row;
            worst = repeated->row[i];
        }
    }
    return worst;
}

static void note(struct repeats *repeats, const struct repeated *repeated, const struct record *row,
                 double excess)
{
    repeats->disagreeing++;
    if (excess <= repeats->worst_excess)
        return;
    repeats->worst_excess = excess;
    snprintf(repeats->worst, sizeof(repeats->worst),
             "%.60s %.60s at %u lanes, work-group %u x %u%s%.80s: %.4g %s in %.80s:%u, %.4g in all",
             row->benchmark, row->variant, row->subgroup_size, row->workgroup_count,
             row->workgroup_size, row->parameters[0] ? ", " : "", row->parameters, row->value,
             row->unit, row->table->path, row->line, repeated->mean);
}

/* An interval around the mean; one that spans those of all rows where they disagree. */
static void set_interval(struct record *merged, const struct repeated *repeated, bool disagree)
{
    merged->ci95_lo_ns = repeated->mean - repeated->merged_half;
    merged->ci95_hi_ns = repeated->mean + repeated->merged_half;
    for (size_t i = 0; disagree && i < repeated->count; i++) {
        const struct record *row = repeated->row[i];
        double half = half_of(row);

        merged->ci95_lo_ns = fmin(merged->ci95_lo_ns, row->value - half);
        merged->ci95_hi_ns = fmax(merged->ci95_hi_ns, row->value + half);
    }
}

static struct record merge_usable(struct repeated *repeated, struct repeats *repeats)
{
    static const size_t columns[] = {
        offsetof(struct record, value),      offsetof(struct record, ns_mean),
        offsetof(struct record, loop_ns),    offsetof(struct record, cycles),
        offsetof(struct record, clock_mhz),  offsetof(struct record, gb_per_s),
        offsetof(struct record, gflop_per_s)};
    struct record merged = *repeated->row[0];
    double excess;

    for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++)
        *(double *)(void *)((char *)&merged + columns[i]) = mean_of(repeated, columns[i]);
    repeated->mean = merged.value;
    find_halves(repeated);
    const struct record *worst = farthest(repeated, &excess);
    if (excess > 1.0)
        note(repeats, repeated, worst, excess);
    set_interval(&merged, repeated, excess > 1.0);
    return merged;
}

/* Rows of a user's own kernel are also of a module and of arguments, which no axis names. */
static int by_own_launch(const struct record *a, const struct record *b)
{
    int order = strcmp(a->launch, b->launch);

    return order || !a->launch[0] ? order : strcmp(a->kernel_sha256, b->kernel_sha256);
}

static bool is_repeat(const struct record *a, const struct record *b)
{
    return record_same(a, b) && by_own_launch(a, b) == 0;
}

/* Usable rows first, in the order of their files. */
static int by_measurement(const void *left, const void *right)
{
    const struct record *a = *(struct record *const *)left, *b = *(struct record *const *)right;
    int order = record_order(left, right);

    if (!order)
        order = by_own_launch(a, b);
    if (!order)
        order = (int)b->usable - (int)a->usable;
    return order ? order : (a > b) - (a < b);
}

/* Leaves one of the `count` rows of a measurement; the others are without a variant from then on.
 */
static void merge(struct record *const *rows, size_t count, struct repeats *repeats)
{
    struct repeated repeated = {.row = rows};

    while (repeated.count < count && rows[repeated.count]->usable)
        repeated.count++;
    repeats->merged += count > 1;
    if (repeated.count > 1)
        *rows[0] = merge_usable(&repeated, repeats);
    for (size_t i = 1; i < count; i++)
        rows[i]->variant = NULL;
}

/* Is the row at `next` of the same file or run as one from `at` on? Each has everything once. */
static bool is_one_run(struct record *const *rows, size_t at, size_t next)
{
    bool is_same = false;

    for (; at < next; at++)
        is_same |= rows[at]->table == rows[next]->table ||
                   (rows[at]->run_id[0] && !strcmp(rows[at]->run_id, rows[next]->run_id));
    return is_same;
}

static enum status merge_sorted(struct record *const *rows, size_t count, struct repeats *repeats,
                                struct error *error)
{
    for (size_t at = 0, next; at < count; at = next) {
        for (next = at + 1; next < count && is_repeat(rows[at], rows[next]); next++) {
            if (rows[next]->rank >= 0.0 || rows[at]->rank >= 0.0 || is_one_run(rows, at, next))
                return records_refuse_repeat(rows[at], rows[next], error);
        }
        merge(&rows[at], next - at, repeats);
    }
    return STATUS_OK;
}

enum status records_merge_repeats(struct records *records, struct repeats *repeats,
                                  struct error *error)
{
    struct record **sorted = calloc(records->count + 1, sizeof(*sorted));
    size_t kept = 0;

    *repeats = (struct repeats){0};
    if (!sorted)
        return error_out_of_memory(error);
    for (size_t i = 0; i < records->count; i++)
        sorted[i] = &records->record[i];
    qsort(sorted, records->count, sizeof(*sorted), by_measurement);
    enum status status = merge_sorted(sorted, records->count, repeats, error);
    free(sorted);
    records->unusable = 0;
    for (size_t i = 0; i < records->count; i++) {
        if (!records->record[i].variant)
            continue;
        records->record[kept] = records->record[i];
        records->unusable += !records->record[kept++].usable;
    }
    records->count = kept;
    return status;
}
