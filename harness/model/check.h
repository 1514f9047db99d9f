/* Predicted against measured, for rows that a fit has not seen. */
#ifndef VEBENCH_CHECK_H
#define VEBENCH_CHECK_H

#include "fit.h"

struct check_row {
    const struct record *record;
    double predicted; /* in the record's unit */
    double error; /* (predicted - measured) / measured; relative to the loop per unit of work where
                     the measured value may be nothing */
};

struct check {
    struct check_row *row; /* owned */
    size_t count;
    size_t unpredicted;   /* usable rows that the model says nothing about */
    double median, worst; /* of the errors' absolute values; NaN where count is 0 */
    size_t worst_row;
};

/* STATUS_FAILED where the rows are of another device than the model. */
enum status check_model(struct check *check, const struct model *model,
                        const struct records *records, struct error *error);
void check_free(struct check *check);

/* A line for each row, then median and worst. */
void check_print(FILE *out, const struct check *check);

#endif
