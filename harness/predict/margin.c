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

/* The margin of all rows weighs as much as so many of those that one thing limits. */
#define SHRINKS 20.0

/* A row predicted: the natural logarithm of measured over predicted. */
struct residual {
    const char *mechanism; /* of the predictor; what limits the row */
    double off;
};

static const struct family *held_out(const struct predictor *predictor, const struct record *record)
{
    const struct family_list *families = predictor_families(predictor);
    const struct family *family = families && record->usable && record->loop_ns > 0.0
                                      ? family_find(families, record->benchmark)
                                      : NULL;

    return family && family->is_held_out ? family : NULL;
}

static size_t rows_of(const struct predictor *predictor, const struct records *records,
                      const struct family *family)
{
    size_t count = 0;

    for (size_t i = 0; i < records->count; i++)
        count += held_out(predictor, &records->record[i]) == family;
    return count;
}

/* Takes rows of the family, spread evenly over those that there are. */
static size_t take_family(const struct predictor *predictor, const struct records *records,
                          const struct family *family, struct coded_row *rows)
{
    size_t there = rows_of(predictor, records, family), seen = 0, taken = 0;

    for (size_t i = 0; i < records->count; i++) {
        if (held_out(predictor, &records->record[i]) != family)
            continue;
        if (is_spread(seen++, there, MARGIN_ROWS_OF_FAMILY))
            rows[taken++].row.record = &records->record[i];
    }
    return taken;
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

/* What could be predicted, of the `count` rows. */
static size_t find_residuals(const struct coded_row *rows, size_t count, struct residual *residuals)
{
    size_t found = 0;

    for (size_t i = 0; i < count; i++) {
        const struct check_row *row = &rows[i].row;

        if (rows[i].error.status == STATUS_OK && row->predicted > 0.0 && row->measured > 0.0)
            residuals[found++] = (struct residual){row->binds.name ? row->binds.name : "",
                                                   log(row->measured / row->predicted)};
    }
    return found;
}

/* The shortest interval of factors around 1, from 1 / shorter to longer, that has `held` of the
 * sorted residuals. */
static void find_shortest(const double *sorted, size_t count, size_t held, double *shorter,
                          double *longer)
{
    double least = INFINITY;

    for (size_t first = 0; first + held <= count; first++) {
        double below = fmax(-sorted[first], 0.0), above = fmax(sorted[first + held - 1], 0.0);

        if (exp(above) - exp(-below) >= least)
            continue;
        least = exp(above) - exp(-below);
        *shorter = exp(below);
        *longer = exp(above);
    }
}

/* Draws the margin of a mechanism towards that of all: its few rows are of one or two families,
 * which may be the ones that a rule does not touch. */
static void shrink(struct margin *margin, const struct margin *of_all)
{
    double own = (double)margin->rows / ((double)margin->rows + SHRINKS);

    margin->shorter = pow(margin->shorter, own) * pow(of_all->shorter, 1.0 - own);
    margin->longer = pow(margin->longer, own) * pow(of_all->longer, 1.0 - own);
}

/* The margin of the rows that `mechanism` limits, or of all; none where they are too few.
 * `scratch` has room for all. */
static void add_margin(struct model *model, const struct residual *residuals, size_t count,
                       const char *mechanism, double *scratch)
{
    size_t used = 0;

    for (size_t i = 0; i < count; i++) {
        if (!mechanism || !strcmp(residuals[i].mechanism, mechanism))
            scratch[used++] = residuals[i].off;
    }
    if (used < MARGIN_ROWS_LEAST || model->margin_count == MODEL_MARGINS_MAX)
        return;
    struct margin *margin = &model->margin[model->margin_count++];
    *margin = (struct margin){.rows = used};
    snprintf(margin->mechanism, sizeof(margin->mechanism), "%s", mechanism ? mechanism : "");
    stats_sort(scratch, used);
    margin->median = exp(stats_quantile(scratch, used, 0.5));
    size_t held = (size_t)ceil(COVERED * (double)(used + 1));
    find_shortest(scratch, used, held < used ? held : used, &margin->shorter, &margin->longer);
    if (mechanism)
        shrink(margin, &model->margin[0]);
}

static bool is_first(const struct residual *residuals, size_t index)
{
    for (size_t i = 0; i < index; i++) {
        if (!strcmp(residuals[i].mechanism, residuals[index].mechanism))
            return false;
    }
    return true;
}

static void add_margins(struct model *model, const struct residual *residuals, size_t count,
                        double *scratch)
{
    add_margin(model, residuals, count, NULL, scratch); /* the first: the others are drawn to it */
    for (size_t i = 0; i < count; i++) {
        if (is_first(residuals, i))
            add_margin(model, residuals, count, residuals[i].mechanism, scratch);
    }
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

const struct margin *margin_widen(const struct model *model, const char *mechanism,
                                  struct prediction_interval *interval)
{
    const struct margin *margin = model_margin(model, mechanism);

    if (!margin || !(interval->value > 0.0))
        return NULL;
    interval_widen(interval, log(margin->shorter), log(margin->longer));
    return margin;
}
