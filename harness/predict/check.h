/* Compares predictions with measurements. Rows of families with fitted parameters are predicted by
 * their equations or looked up in the table of costs; all others are predicted from their machine
 * code. */
#ifndef VEBENCH_CHECK_H
#define VEBENCH_CHECK_H

#include "model/fit.h"
#include "predict/predict.h"

#include <stdint.h>

struct check_row {
    const struct record *record;
    enum check_by { BY_EQUATION, BY_TABLE, BY_CODE, BY_COUNT } by;
    const char *unit;
    double predicted, measured; /* by code: an iteration of the whole loop, baseline included */
    double error; /* (predicted - measured) / measured; relative to the loop per unit of work where
                     the measured value may be 0 */
    struct outcome outcome; /* by code, of an iteration */
};

struct check_errors {
    size_t count;
    double median, worst; /* of the errors' absolute values; NaN where count is 0 */
    size_t worst_row;
};

struct check {
    struct check_row *row; /* owned */
    size_t count;
    size_t unpredicted; /* usable rows that could not be predicted */
    size_t passed_over; /* rows that only machine code could predict, and that were not requested */
    struct check_errors errors[BY_COUNT];
};

/* Number of rows to predict by machine code: an emulation takes some tens of milliseconds. */
#define CHECK_ALL  SIZE_MAX
#define CHECK_SOME 50

/* `predictor` is for the same model, or NULL to leave out rows that only machine code can predict.
 * Of these at most `by_code_most` are predicted, spread evenly. STATUS_FAILED where the rows are of
 * another device than the model. */
enum status check_model(struct check *check, const struct model *model, struct predictor *predictor,
                        const struct records *records, size_t by_code_most, struct error *error);
void check_free(struct check *check);

/* Prints a line for each row, then median and worst. */
void check_print(FILE *out, const struct check *check);

#endif
