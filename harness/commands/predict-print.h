/* Predictions as text. */
#ifndef VEBENCH_PREDICT_PRINT_H
#define VEBENCH_PREDICT_PRINT_H

#include "commands/predict-kernel.h"
#include "predict/margin.h"
#include "predict/sample.h"

#include <stdio.h>

/* The device, and what is known of its figures. */
void predict_print_head(FILE *out, const struct model *model, const struct predictor *predictor);

/* "12.5 ns (11 to 14)", always with a number. `unit` is that of the interval; its times are shown
 * in us or ms where they are long. */
void predict_print_interval(FILE *out, const struct prediction_interval *interval,
                            const char *unit);

/* "bound by X, 19 % from its bound; then Y 40 %", or where the time goes. */
void predict_print_bound(FILE *out, const struct outcome *outcome);

/* "l1_line_interval, assumed 1 to 2 cycles, makes it 11 to 14 ns" */
void predict_print_cause(FILE *out, const struct cause *cause, const char *unit);

struct predicted_kernel {
    const char *name;
    const struct predict_signature *signature;
    const struct launch_sample *sample;
    const struct prediction_interval *interval; /* ns; with the margin */
    const struct prediction_interval *figures;  /* ns; what figures alone make of it */
    const struct prediction_interval *fresh;    /* the same of a first launch; NULL: as this one */
    const struct margin *margin;                /* of the rules; NULL: nothing tells */
    const struct own_rows *rows;                /* of this kernel; NULL: none were given */
    bool is_emulated;                           /* the device that the model is of */
};

/* Everything there is to say of a launch. */
void predict_print_kernel(FILE *out, const struct predicted_kernel *predicted);

/* A line on standard error, where that is a terminal, that is overwritten and taken away. */
struct evaluation_progress {
    bool is_terminal;
    size_t line, lines; /* of a family's configurations: which one of how many; 0: there are none */
    size_t width;       /* of the line that is there */
};

void evaluation_progress_init(struct evaluation_progress *progress);
void evaluation_progress_show(struct evaluation_progress *progress, size_t done, size_t of);
void evaluation_progress_clear(struct evaluation_progress *progress);

#endif
