/* How runs of one side scatter around their mean. */
#include "base/stats.h"
#include "compare/compare-runs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A family with fewer degrees of freedom has the variance of all rows. */
#define FAMILY_DEGREES 20.0

/* What rows say of each other counts for half of the degrees of freedom that the prior would have,
 * and for at most so many: a few unsteady rows among steady ones have longer tails than its
 * distribution (`meson test compare-runs` has such rows). */
#define PRIOR_SHARE 0.5
#define PRIOR_MOST  20.0

/* A row's scatter, relative to its scale. */
struct scatter {
    double between; /* sample variance of its runs, around the mean of their side */
    double within;  /* mean of the variances that its intervals stand for */
    double degrees; /* runs, less one for each side */
    const char *family;
};

/* Sums over rows. */
struct scatter_sum {
    double excess; /* of the variance between runs over that within */
    double degrees;
};

double compare_error_within(const struct record *record, double *degrees)
{
    *degrees = record_degrees(record);
    return record_half_interval(record) / stats_t975((size_t)*degrees);
}

struct side_mean compare_side_mean(const struct compare_runs *runs, size_t row, size_t first,
                                   size_t count)
{
    const struct record *const *rows = compare_row(runs, row);
    struct side_mean side = {0};

    for (size_t r = first; r < first + count; r++) {
        if (!rows[r])
            continue;
        side.mean += rows[r]->ns_mean / runs->run[r].factor;
        side.raw += rows[r]->ns_mean;
        side.runs += 1.0;
    }
    side.mean /= side.runs;
    side.raw /= side.runs;
    return side;
}

/* Adds the squares of one side. */
static void scatter_add(struct scatter *scatter, const struct compare_runs *runs, size_t row,
                        size_t first, size_t count)
{
    const struct record *const *rows = compare_row(runs, row);
    struct side_mean side = compare_side_mean(runs, row, first, count);

    for (size_t r = first; r < first + count; r++) {
        double degrees;

        if (!rows[r])
            continue;
        double off = rows[r]->ns_mean / runs->run[r].factor - side.mean;
        double error = compare_error_within(rows[r], &degrees) / runs->run[r].factor;
        scatter->between += off * off;
        scatter->within += error * error;
    }
    scatter->degrees += side.runs - 1.0;
}

/* What a row's relative changes are relative to: that of the base's first run. */
static double cost_scale(const struct compare_runs *runs, size_t row)
{
    const struct record *const *rows = compare_row(runs, row);

    while (!*rows)
        rows++;
    return record_scale(*rows, (*rows)->ns_mean);
}

static struct scatter scatter_of(const struct compare_runs *runs, size_t row)
{
    const struct record *const *rows = compare_row(runs, row);
    struct scatter s = {0};
    double scale = cost_scale(runs, row);

    for (size_t r = 0; !s.family; r++)
        s.family = rows[r] ? rows[r]->benchmark : NULL;
    if (!(scale > 0.0))
        return s;
    scatter_add(&s, runs, row, 0, runs->base);
    scatter_add(&s, runs, row, runs->base, runs->new);
    s.within /= (s.degrees + 2.0) * scale * scale;
    s.between /= fmax(s.degrees, 1.0) * scale * scale;
    return s;
}

static void scatter_sum_add(struct scatter_sum *sum, const struct scatter *s)
{
    sum->excess += s->degrees * (s->between - s->within);
    sum->degrees += s->degrees;
}

static struct scatter_sum sum_of_family(const struct scatter *scatter, size_t count,
                                        const char *family)
{
    struct scatter_sum sum = {0};

    for (size_t i = 0; i < count; i++) {
        if (!strcmp(scatter[i].family, family))
            scatter_sum_add(&sum, &scatter[i]);
    }
    return sum;
}

static double between_of(const struct scatter_sum *sum)
{
    return sum->degrees > 0.0 ? fmax(sum->excess / sum->degrees, 0.0) : 0.0;
}

/* What a run's variance should be, relative: that between runs, of the row's family, and that
 * within, of its own intervals. `expected`: [count]. */
static void expect(const struct scatter *scatter, size_t count, double *expected)
{
    struct scatter_sum all = {0}, family = {0};

    for (size_t i = 0; i < count; i++)
        scatter_sum_add(&all, &scatter[i]);
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || strcmp(scatter[i - 1].family, scatter[i].family) != 0)
            family = sum_of_family(scatter, count, scatter[i].family);
        expected[i] =
            between_of(family.degrees >= FAMILY_DEGREES ? &family : &all) + scatter[i].within;
    }
}

/* From what is expected and what each row says to what is believed of it. Runs agree no better than
 * their own intervals. */
static void moderate(const struct compare_runs *runs, const struct scatter *scatter,
                     const double *expected, struct variance *variance)
{
    for (size_t i = 0; i < runs->row_count; i++)
        variance[i] = expected[i] > 0.0
                          ? (struct variance){scatter[i].between / expected[i], scatter[i].degrees}
                          : (struct variance){0};
    struct variance prior = variance_prior(variance, runs->row_count);

    prior.degrees = fmin(PRIOR_SHARE * prior.degrees, PRIOR_MOST);
    for (size_t i = 0; i < runs->row_count; i++) {
        double scale = cost_scale(runs, i);

        if (!(prior.degrees + variance[i].degrees > 0.0) || !(expected[i] > 0.0))
            continue;
        variance[i] = variance_moderate(&prior, &variance[i]);
        variance[i].value =
            fmax(variance[i].value * expected[i], scatter[i].within) * scale * scale;
    }
}

enum status compare_find_variances(const struct compare_runs *runs, struct variance *variance,
                                   struct error *error)
{
    struct scatter *scatter = calloc(runs->row_count + 1, sizeof(*scatter));
    double *expected = calloc(runs->row_count + 1, sizeof(*expected));
    enum status status = scatter && expected ? STATUS_OK : error_out_of_memory(error);

    if (status == STATUS_OK) {
        for (size_t i = 0; i < runs->row_count; i++)
            scatter[i] = scatter_of(runs, i);
        expect(scatter, runs->row_count, expected);
        moderate(runs, scatter, expected, variance);
    }
    free(scatter);
    free(expected);
    return status;
}
