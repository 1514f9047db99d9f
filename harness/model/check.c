#include "check.h"

#include "stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int compare_numbers(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;

    return (a > b) - (a < b);
}

/* What an error is relative to: the value, or, where that may be nothing, the loop in which it
 * would be felt. */
static double scale_of(const struct record *r)
{
    if (r->ci95_lo_ns <= 0.0 && r->ci95_hi_ns >= 0.0 && r->loop_ns > 0.0 && r->work_units > 0.0)
        return r->loop_ns / r->work_units;
    return fabs(r->value);
}

static enum status check_device(const struct model *model, const struct records *records,
                                struct error *error)
{
    if (!strcmp(model->device_uuid, records->device_uuid) &&
        !strcmp(model->device_name, records->device_name) &&
        !strcmp(model->device_kind, records->device_kind))
        return STATUS_OK;
    return error_set(error, STATUS_FAILED,
                     "the model is of %s (%s, %s), the results are of %s (%s, %s)",
                     model->device_name, model->device_kind, model->device_uuid,
                     records->device_name, records->device_kind, records->device_uuid);
}

static void summarise(struct check *check, double *errors)
{
    check->median = check->worst = NAN;
    for (size_t i = 0; i < check->count; i++) {
        errors[i] = fabs(check->row[i].error);
        if (!(errors[i] <= check->worst)) {
            check->worst = errors[i];
            check->worst_row = i;
        }
    }
    qsort(errors, check->count, sizeof *errors, compare_numbers);
    if (check->count)
        check->median = stats_quantile(errors, check->count, 0.5);
}

enum status check_model(struct check *check, const struct model *model,
                        const struct records *records, struct error *error)
{
    enum status status = check_device(model, records, error);
    double *errors;

    memset(check, 0, sizeof *check);
    if (status != STATUS_OK)
        return status;
    check->row = calloc(records->count + 1, sizeof *check->row);
    errors = calloc(records->count + 1, sizeof *errors);
    if (!check->row || !errors) {
        free(errors);
        check_free(check);
        return error_set(error, STATUS_FAILED, "out of memory");
    }
    for (size_t i = 0; i < records->count; i++) {
        struct check_row *row = &check->row[check->count];

        row->record = &records->record[i];
        if (!row->record->usable)
            continue;
        if (!fit_predict(model, row->record, &row->predicted)) {
            check->unpredicted++;
            continue;
        }
        row->error = (row->predicted - row->record->value) / scale_of(row->record);
        check->count++;
    }
    summarise(check, errors);
    free(errors);
    return STATUS_OK;
}

void check_free(struct check *check)
{
    free(check->row);
    memset(check, 0, sizeof *check);
}

void check_print(FILE *out, const struct check *check)
{
    char text[MODEL_TEXT_BYTES];

    fprintf(out, "%12s %12s %9s\n", "predicted", "measured", "error");
    for (size_t i = 0; i < check->count; i++) {
        const struct check_row *row = &check->row[i];

        record_describe(row->record, text, sizeof text);
        fprintf(out, "%12.5g %12.5g %+7.2f %%  %s, %s\n", row->predicted, row->record->value,
                100.0 * row->error, row->record->unit, text);
    }
    if (check->count) {
        record_describe(check->row[check->worst_row].record, text, sizeof text);
        fprintf(out, "%zu rows: median error %.2f %%, worst %.2f %% (%s)\n", check->count,
                100.0 * check->median, 100.0 * check->worst, text);
    }
    if (check->unpredicted)
        fprintf(out, "%zu rows that the model says nothing about\n", check->unpredicted);
}
