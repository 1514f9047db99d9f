#include "predict/margin.h"

#include "base/processors.h"
#include "base/stats.h"
#include "family/family.h"
#include "predict/check-code.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of further rows, so many are to be within a margin. */
#define COVERED 0.9

/* What all rows are off by, in the mean, weighs in each kind of time as much as so many rows that
 * are nothing else. */
#define SHRINKS 2.5

/* What rules make longer in the rows, figures that were found with it take up in part, and kernels
 * that do other things are predicted too long: a margin reaches to either side at least this share,
 * as a logarithm, of what it does to the other. */
#define OTHER_SIDE (1.0 / 3.0)

/* No margin is less, a logarithm: rules that rows of these families do not exercise may be wrong as
 * well. */
#define MARGIN_LEAST 0.02

/* No kind of time is predicted nearer than this, a logarithm; a row counts as off by no more than
 * OFF_MOST, so that one whose rule is another altogether does not outweigh the others. */
#define OFF_LEAST 0.005
#define OFF_MOST  1.0

/* A kind of time is a row's where it is this share of it. */
#define SHARE_LEAST 0.1

/* Kinds of time; all parts that PART_KINDS does not name are instructions. */
enum kind { KIND_BARRIERS, KIND_MEMORY, KIND_IDLE, KIND_INSTRUCTIONS, KINDS_OF_ROWS };
#define KIND_LAUNCH KINDS_OF_ROWS /* of launches alone */
enum { KINDS = KIND_LAUNCH + 1 };

static const char *const kind_names[KINDS] = {
    [KIND_BARRIERS] = "barriers",
    [KIND_MEMORY] = "memory",
    [KIND_IDLE] = "engines without threads",
    [KIND_INSTRUCTIONS] = "instructions",
    [KIND_LAUNCH] = PART_LAUNCH,
};

static const struct {
    const char *part;
    enum kind kind;
} part_kinds[] = {
    {"barriers", KIND_BARRIERS},           {"memory and math messages", KIND_MEMORY},
    {"turns to send", KIND_MEMORY},        {"engines without threads", KIND_IDLE},
    {PART_LAUNCH, (enum kind)KIND_LAUNCH},
};

/* A row predicted: what its time is, and the natural logarithm of measured over predicted. */
struct residual {
    double share[KINDS]; /* together 1 */
    double ratio;
    double off; /* the same, less what the row's figures explain */
};

static enum kind kind_of(const char *part)
{
    for (size_t i = 0; i < sizeof(part_kinds) / sizeof(part_kinds[0]); i++) {
        if (!strcmp(part_kinds[i].part, part))
            return part_kinds[i].kind;
    }
    return KIND_INSTRUCTIONS;
}

static void take_shares(double *share, const struct part *parts, size_t count)
{
    double sum = 0.0;

    memset(share, 0, KINDS * sizeof(*share));
    for (size_t i = 0; i < count; i++) {
        share[kind_of(parts[i].name)] += parts[i].share;
        sum += parts[i].share;
    }
    for (size_t k = 0; k < KINDS && sum > 0.0; k++)
        share[k] /= sum;
}

/* Of a set that is too large for the last-level cache a part may stay there. Which, depends on what
 * Xe-core happens to be ahead, and so does the time: a row of it is off by more than rules are. */
static bool is_kept_in_part(const struct predictor *predictor, const struct record *record)
{
    return record_parameter(record, "working_set", 0.0) >
           predictor_figure(predictor, VESIM_FIGURE_l3_bytes);
}

static const struct family *held_out(const struct predictor *predictor, const struct record *record)
{
    const struct family_list *families = predictor_families(predictor);
    const struct family *family =
        families && record->usable && record->loop_ns > 0.0 && !is_kept_in_part(predictor, record)
            ? family_find(families, record->benchmark)
            : NULL;

    return family && family->is_held_out ? family : NULL;
}

/* Rows of a family to learn from: those of several work-groups, as what programs launch is, or of
 * one. */
struct choice {
    const struct family *family;
    bool of_several;
};

static bool is_of_choice(const struct predictor *predictor, const struct record *record,
                         const struct choice *choice)
{
    return (record->workgroup_count > 1) == choice->of_several &&
           held_out(predictor, record) == choice->family;
}

static size_t rows_of(const struct predictor *predictor, const struct records *records,
                      const struct choice *choice)
{
    size_t count = 0;

    for (size_t i = 0; i < records->count; i++)
        count += is_of_choice(predictor, &records->record[i], choice);
    return count;
}

/* Takes `most` such rows at most, spread evenly over the `there` that there are. */
static size_t take_spread(const struct predictor *predictor, const struct records *records,
                          const struct choice *choice, size_t there, size_t most,
                          struct coded_row *rows)
{
    size_t seen = 0, taken = 0;

    for (size_t i = 0; i < records->count; i++) {
        if (!is_of_choice(predictor, &records->record[i], choice) ||
            !is_spread(seen++, there, most))
            continue;
        rows[taken].row.record = &records->record[i];
        rows[taken++].is_drawn = true;
    }
    return taken;
}

/* Takes rows of the family, half of them of several work-groups where there are as many. */
static size_t take_family(const struct predictor *predictor, const struct records *records,
                          const struct family *family, struct coded_row *rows)
{
    const struct choice several = {family, true}, one = {family, false};
    size_t ones = rows_of(predictor, records, &one), half = MARGIN_ROWS_OF_FAMILY / 2;
    size_t most = ones < half ? MARGIN_ROWS_OF_FAMILY - ones : half;
    size_t taken = take_spread(predictor, records, &several, rows_of(predictor, records, &several),
                               most, rows);

    return taken +
           take_spread(predictor, records, &one, ones, MARGIN_ROWS_OF_FAMILY - taken, rows + taken);
}

static size_t take_rows(const struct predictor *predictor, const struct records *records,
                        struct coded_row *rows)
{
    const struct family_list *families = predictor_families(predictor);
    size_t taken = 0;

    for (size_t f = 0; families && f < families->count; f++) {
        if (families->family[f]->is_held_out)
            taken += take_family(predictor, records, families->family[f], rows + taken);
    }
    return taken;
}

/* Of what a row is off by, the part beyond its figures: as errors of both are independent, squares
 * add up. */
static double beyond_figures(double off, const struct coded_row *row)
{
    double figures = off < 0.0 ? row->shorter : row->longer;

    return copysign(sqrt(fmax(off * off - figures * figures, 0.0)), off);
}

/* What could be predicted, of the `count` rows. */
static size_t find_residuals(const struct coded_row *rows, size_t count, struct residual *residuals)
{
    size_t found = 0;

    for (size_t i = 0; i < count; i++) {
        const struct check_row *row = &rows[i].row;

        if (rows[i].error.status != STATUS_OK || !(row->predicted > 0.0) || !(row->measured > 0.0))
            continue;
        take_shares(residuals[found].share, row->outcome.part, row->outcome.part_count);
        residuals[found].ratio = log(row->measured / row->predicted);
        residuals[found].off = beyond_figures(residuals[found].ratio, &rows[i]);
        found++;
    }
    return found;
}

/* The shortest interval around 0, from -shorter to longer, that holds COVERED of further values as
 * the sorted ones are: ceil(COVERED (count + 1)) of these. As the shortest is chosen, that is one
 * too few; of few values one more would be all of them. By simulation, of 36 to 150 values: 88 to
 * 91 of 100 further ones that are spread normally, and 91 to 95 of those on one side of 0
 * (exponentially); of 20 values 84 and 91. */
static void find_shortest(const double *sorted, size_t count, double *shorter, double *longer)
{
    enum { MANY = 30 };
    size_t held = (size_t)ceil(COVERED * (double)(count + 1)) + (count >= MANY);
    double least = INFINITY;

    held = held < count ? held : count;
    for (size_t first = 0; first + held <= count; first++) {
        double below = fmax(-sorted[first], 0.0), above = fmax(sorted[first + held - 1], 0.0);

        if (below + above >= least)
            continue;
        least = below + above;
        *shorter = fmax(below, OTHER_SIDE * above);
        *longer = fmax(above, OTHER_SIDE * below);
    }
}

static double factor_of(double off)
{
    return exp(fmax(off, MARGIN_LEAST));
}

/* The margin of all rows, whatever their time is. `scratch` has room for them. */
static void add_margin_of_all(struct model *model, const struct residual *residuals, size_t count,
                              double *scratch)
{
    struct margin *margin = &model->margin[model->margin_count++];
    double shorter = 0.0, longer = 0.0;

    *margin = (struct margin){.rows = count};
    for (size_t i = 0; i < count; i++)
        scratch[i] = residuals[i].ratio;
    margin->median = exp(stats_select_quantile(scratch, count, 0.5));
    for (size_t i = 0; i < count; i++)
        scratch[i] = residuals[i].off;
    stats_sort(scratch, count);
    find_shortest(scratch, count, &shorter, &longer);
    margin->shorter = factor_of(shorter);
    margin->longer = factor_of(longer);
}

static double size_of_off(const struct residual *residual)
{
    return fmin(fabs(residual->off), OFF_MOST);
}

/* The normal equations of a least-squares fit of what rows are off by to their shares, and of
 * SHRINKS rows of each kind that are off by `mean`. */
struct normal {
    double matrix[KINDS_OF_ROWS][KINDS_OF_ROWS], right[KINDS_OF_ROWS];
};

static void fill_normal(struct normal *normal, const struct residual *residuals, size_t count)
{
    double mean = 0.0;

    memset(normal, 0, sizeof(*normal));
    for (size_t i = 0; i < count; i++)
        mean += size_of_off(&residuals[i]) / (double)count;
    for (size_t k = 0; k < KINDS_OF_ROWS; k++) {
        normal->matrix[k][k] = SHRINKS;
        normal->right[k] = SHRINKS * mean;
    }
    for (size_t i = 0; i < count; i++) {
        const double *share = residuals[i].share;

        for (size_t k = 0; k < KINDS_OF_ROWS; k++) {
            for (size_t l = 0; l < KINDS_OF_ROWS; l++)
                normal->matrix[k][l] += share[k] * share[l];
            normal->right[k] += share[k] * size_of_off(&residuals[i]);
        }
    }
}

/* Solves them for values that are not below 0, by coordinates: the matrix is positive definite. */
static void solve_above_0(const struct normal *normal, double *value)
{
    enum { ROUNDS = 500 };

    memset(value, 0, KINDS_OF_ROWS * sizeof(*value));
    for (unsigned round = 0; round < ROUNDS; round++) {
        for (size_t k = 0; k < KINDS_OF_ROWS; k++) {
            double rest = normal->right[k];

            for (size_t l = 0; l < KINDS_OF_ROWS; l++)
                rest -= l == k ? 0.0 : normal->matrix[k][l] * value[l];
            value[k] = fmax(rest / normal->matrix[k][k], 0.0);
        }
    }
}

static double expected_off(const double *share, const double *off)
{
    double sum = 0.0;

    for (size_t k = 0; k < KINDS; k++)
        sum += share[k] * off[k];
    return sum;
}

static double median_of_kind(const struct residual *residuals, size_t count, size_t kind,
                             size_t *rows, double *scratch)
{
    *rows = 0;
    for (size_t i = 0; i < count; i++) {
        if (residuals[i].share[kind] >= SHARE_LEAST)
            scratch[(*rows)++] = residuals[i].ratio;
    }
    return *rows ? exp(stats_select_quantile(scratch, *rows, 0.5)) : 1.0;
}

/* The margins of time that is all of one kind. */
static void add_margins_of_kinds(struct model *model, const struct residual *residuals,
                                 size_t count, double *scratch)
{
    double off[KINDS] = {0.0}, shorter = 0.0, longer = 0.0;
    struct normal normal;

    fill_normal(&normal, residuals, count);
    solve_above_0(&normal, off);
    for (size_t k = 0; k < KINDS; k++)
        off[k] += OFF_LEAST;
    for (size_t i = 0; i < count; i++)
        scratch[i] = residuals[i].off / expected_off(residuals[i].share, off);
    stats_sort(scratch, count);
    find_shortest(scratch, count, &shorter, &longer);
    for (size_t k = 0; k < KINDS; k++) {
        struct margin *margin = &model->margin[model->margin_count++];

        *margin = (struct margin){.shorter = factor_of(shorter * off[k]),
                                  .longer = factor_of(longer * off[k])};
        snprintf(margin->mechanism, sizeof(margin->mechanism), "%s", kind_names[k]);
        margin->median = median_of_kind(residuals, count, k, &margin->rows, scratch);
    }
}

static void add_margins(struct model *model, const struct residual *residuals, size_t count,
                        double *scratch)
{
    if (count < MARGIN_ROWS_LEAST)
        return;
    add_margin_of_all(model, residuals, count, scratch);
    add_margins_of_kinds(model, residuals, count, scratch);
}

enum status margins_learn(struct model *model, struct predictor *predictor,
                          const struct records *records, struct error *error)
{
    struct coded_row *rows = coded_rows_allocate(records->count);
    struct residual *residuals = calloc(records->count + 1, sizeof(*residuals));
    double *scratch = calloc(records->count + 1, sizeof(*scratch));
    enum status status = STATUS_OK;

    model->margin_count = 0;
    if (rows && residuals && scratch) {
        size_t taken = take_rows(predictor, records, rows);

        coded_rows_predict(rows, taken, predictor, processors_available());
        add_margins(model, residuals, find_residuals(rows, taken, residuals), scratch);
    } else {
        status = error_out_of_memory(error);
    }
    coded_rows_free(rows, records->count);
    free(residuals);
    free(scratch);
    return status;
}

bool margin_widen(const struct model *model, const struct part *parts, size_t part_count,
                  struct prediction_interval *interval, struct margin *widened)
{
    double share[KINDS], shorter = 0.0, longer = 0.0, most = -1.0;
    struct margin margin;

    if (!model->margin_count || !(interval->value > 0.0))
        return false;
    take_shares(share, parts, part_count);
    if (!part_count)
        share[KIND_INSTRUCTIONS] = 1.0;
    for (size_t k = 0; k < KINDS; k++) {
        const struct margin *of_kind = model_margin(model, kind_names[k]);
        double below = share[k] * log(of_kind->shorter), above = share[k] * log(of_kind->longer);

        shorter += below;
        longer += above;
        if (below + above > most) {
            most = below + above;
            margin = *of_kind;
        }
    }
    margin.rows = model->margin[0].rows;
    margin.shorter = exp(shorter);
    margin.longer = exp(longer);
    interval_widen(interval, shorter, longer);
    if (widened)
        *widened = margin;
    return true;
}
