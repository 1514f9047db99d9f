#include "predict/check.h"

#include "base/processors.h"
#include "base/stats.h"
#include "predict/check-code.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Summarises the rows of one kind; `errors` has room for all rows. */
static void summarise(const struct check *check, enum check_by by, struct check_errors *sum,
                      double *errors)
{
    *sum = (struct check_errors){.median = NAN, .worst = NAN};
    for (size_t i = 0; i < check->count; i++) {
        double size = fabs(check->row[i].error);

        if (check->row[i].by != by)
            continue;
        errors[sum->count++] = size;
        if (!(size <= sum->worst)) {
            sum->worst = size;
            sum->worst_row = i;
        }
    }
    stats_sort(errors, sum->count);
    if (sum->count)
        sum->median = stats_quantile(errors, sum->count, 0.5);
}

static bool predict_by_model(const struct model *model, struct check_row *row)
{
    struct fit_prediction prediction;

    if (!fit_predict(model, row->record, &prediction))
        return false;
    double scale = record_scale(row->record, prediction.measured);
    if (!(scale > 0.0)) /* a row without a time: nothing is a share of it */
        return false;
    row->by = prediction.from_table ? BY_TABLE : BY_EQUATION;
    row->unit = row->record->unit;
    row->predicted = prediction.predicted;
    row->measured = prediction.measured;
    row->error = (row->predicted - row->measured) / scale;
    return true;
}

/* Checks rows by the model; returns how many are left, with `by` set to BY_CODE. */
static size_t check_by_model(struct check *check, const struct model *model,
                             const struct records *records)
{
    size_t left = 0;

    for (size_t i = 0; i < records->count; i++) {
        struct check_row *row = &check->row[check->count];

        if (!records->record[i].usable)
            continue;
        *row = (struct check_row){.record = &records->record[i]};
        if (!predict_by_model(model, row)) {
            row->by = BY_CODE;
            left++;
        }
        check->count++;
    }
    return left;
}

/* Takes out the rows that are to be predicted by machine code, as many of the `left` ones as
 * requested, and marks the others of these as predicted by nothing. */
static size_t take_coded(struct check *check, size_t left, size_t most, struct coded_row *coded)
{
    size_t seen = 0, count = 0;

    for (size_t i = 0; i < check->count; i++) {
        struct check_row *row = &check->row[i];

        if (row->by != BY_CODE)
            continue;
        if (is_spread(seen++, left, most))
            coded[count++].row = *row;
        else
            row->by = BY_COUNT;
    }
    check->passed_over = left - count;
    return count;
}

/* Puts what is predicted into the places of the rows that were taken out, and removes the rows that
 * are not. */
static enum status put_coded(struct check *check, const struct coded_row *coded,
                             struct error *error)
{
    size_t rows = check->count;

    check->count = 0;
    for (size_t i = 0; i < rows; i++) {
        struct check_row row = check->row[i];
        enum status status = STATUS_OK;

        if (row.by == BY_COUNT)
            continue;
        if (row.by == BY_CODE) {
            status = coded->error.status;
            *error = coded->error;
            row = coded++->row;
        }
        if (status == STATUS_OK)
            check->row[check->count++] = row;
        else if (status == STATUS_UNSUPPORTED)
            check->unpredicted++;
        else
            return status;
    }
    return STATUS_OK;
}

/* Checks as many of the `left` rows as requested by their machine code, and removes those that it
 * cannot predict. */
static enum status check_by_code(struct check *check, struct predictor *predictor, size_t left,
                                 size_t most, struct error *error)
{
    struct coded_row *coded = coded_rows_allocate(left);

    if (!coded)
        return error_out_of_memory(error);
    size_t count = take_coded(check, left, most, coded);
    coded_rows_predict(coded, count, predictor, predictor ? processors_available() : 1);
    enum status status = put_coded(check, coded, error);
    coded_rows_free(coded, left);
    return status;
}

enum status check_model(struct check *check, const struct model *model, struct predictor *predictor,
                        const struct records *records, size_t by_code_most, struct error *error)
{
    enum status status = fit_same_device(model, records, error);

    memset(check, 0, sizeof(*check));
    if (status != STATUS_OK)
        return status;
    check->row = calloc(records->count + 1, sizeof(*check->row));
    double *errors = calloc(records->count + 1, sizeof(*errors));
    if (check->row && errors)
        status = check_by_code(check, predictor, check_by_model(check, model, records),
                               by_code_most, error);
    else
        status = error_out_of_memory(error);
    if (status == STATUS_OK) {
        for (enum check_by by = BY_EQUATION; by < BY_COUNT; by++)
            summarise(check, by, &check->errors[by], errors);
    } else {
        check_free(check);
    }
    free(errors);
    return status;
}

void check_free(struct check *check)
{
    free(check->row);
    memset(check, 0, sizeof(*check));
}

static void print_errors(FILE *out, const struct check *check, const struct check_errors *errors,
                         const char *what)
{
    char text[MODEL_TEXT_BYTES];

    if (!errors->count)
        return;
    record_describe(check->row[errors->worst_row].record, text, sizeof(text));
    fprintf(out, "%zu rows %s: median error %.2f %%, worst %.2f %% (%s)\n", errors->count, what,
            100.0 * errors->median, 100.0 * errors->worst, text);
}

void check_print(FILE *out, const struct check *check)
{
    char text[MODEL_TEXT_BYTES];

    fprintf(out, "%12s %12s %9s\n", "predicted", "measured", "error");
    for (size_t i = 0; i < check->count; i++) {
        const struct check_row *row = &check->row[i];

        record_describe(row->record, text, sizeof(text));
        fprintf(out, "%12.5g %12.5g %+7.2f %%  %s, %s", row->predicted, row->measured,
                100.0 * row->error, row->unit, text);
        if (row->by == BY_CODE && row->outcome.resource_count)
            fprintf(out, "; %s %.0f %%", row->outcome.resource[0].name,
                    100.0 * row->outcome.resource[0].share);
        fputc('\n', out);
    }
    print_errors(out, check, &check->errors[BY_EQUATION], "by equation");
    print_errors(out, check, &check->errors[BY_TABLE],
                 "from the table of costs, which predicts nothing");
    print_errors(out, check, &check->errors[BY_CODE],
                 "by machine code, which no parameter was fitted to");
    if (check->passed_over)
        fprintf(out, "%zu more rows can only be predicted by their machine code: --all\n",
                check->passed_over);
    if (check->unpredicted)
        fprintf(out, "%zu rows cannot be predicted\n", check->unpredicted);
}
