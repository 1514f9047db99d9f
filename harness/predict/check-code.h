/* Predicting many rows by their machine code, on all processors. */
#ifndef VEBENCH_CHECK_CODE_H
#define VEBENCH_CHECK_CODE_H

#include "predict/check.h"

#include <stdbool.h>

/* A row is predicted with so many other devices, where that is asked for. */
#define CODED_DRAWS 6

struct coded_row {
    struct check_row row;
    struct error error; /* its status: whether the row has a prediction */
    bool
        is_drawn; /* by the caller: wants to know what other devices that are possible make of it */
    double shorter, longer; /* how far they do: natural logarithms, 0 or more; 0 if not drawn */
};

/* Zeroed, in memory that a process shares with its children. NULL: out of memory. */
struct coded_row *coded_rows_allocate(size_t count);
void coded_rows_free(struct coded_row *rows, size_t count);

/* Is `index` of `count` among `most` indices spread evenly over them? */
bool is_spread(size_t index, size_t count, size_t most);

/* Predicts the rows in so many processes, of which this is one. */
void coded_rows_predict(struct coded_row *rows, size_t count, struct predictor *predictor,
                        unsigned processes);

#endif
