/* Values of a figure tried against rows of results: each row predicted by its machine code with
 * each value, and the value that comes nearest to all of them. */
#ifndef VEBENCH_TRIAL_H
#define VEBENCH_TRIAL_H

#include "predict/predict.h"
#include "rows/records.h"

/* At most so many rows are tried, until the figure moves TRIAL_ROWS_MOST of them. */
enum { TRIAL_ROWS_TRIED = 32, TRIAL_ROWS_MOST = 12, TRIAL_VALUES_MOST = 11 };

struct trial {
    struct predictor *predictor; /* borrowed, as the records are */
    size_t figure;               /* enum vesim_figure_index */
    bool has_own_rows;           /* rows that are made for the figure alone */
    bool is_moved_by_others;     /* assumed figures move the rows as much: `as_good` has that */
    const struct record *record[TRIAL_ROWS_TRIED];
    size_t count;

    /* The rest is for trial_*() alone. */
    double low, high;
    double value[TRIAL_VALUES_MOST]; /* that are tried, from `low` to `high` */
    size_t values;
    bool has_all;                                   /* that are possible */
    bool by_logarithm;                              /* spaced so; otherwise evenly */
    double off[TRIAL_ROWS_MOST][TRIAL_VALUES_MOST]; /* logarithm of measured over predicted */
    double as_good;                                 /* beyond the least error */
    enum vesim_figure_index other; /* figure that has `other_value` instead of its own; 0: none */
    double other_value;
};

/* The range to try: all possible values where these are a few, or some that are spread over it. */
void trial_set_range(struct trial *trial, double low, double high);

/* The most effort (struct outcome) that an emulation may take to be repeated, of rows that are made
 * for a figure and of others. */
double trial_effort_most(bool has_own_rows);

/* Keeps the rows that the figure moves, predicted at both ends of its range. */
void trial_keep_moved(struct trial *trial);

/* The error of the rows with the figure as the predictor has it, a logarithm: their median or, of
 * own rows, their mean. 0 where one of them cannot be predicted. */
double trial_error_now(const struct trial *trial);

/* Predicts the rows that were kept with all values. False where one of them cannot be. */
bool trial_predict(struct trial *trial);

/* The value that comes nearest or, where rows of one work-group contradict one another, the nearest
 * of those that none of them is much faster than. Unless `other` is 0, all is tried again with each
 * value that this figure may have: the value is the one of the least error, and the interval has
 * all that may come out. False where none is near. */
bool trial_find(struct trial *trial, enum vesim_figure_index other, struct calibration *found);

#endif
