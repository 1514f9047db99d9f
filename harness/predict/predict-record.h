/* Predictions for rows of results, whose launches are reconstructed from the row. */
#ifndef VEBENCH_PREDICT_RECORD_H
#define VEBENCH_PREDICT_RECORD_H

#include "predict/predict-family.h"
#include "rows/records.h"

/* Predicts the loop alone, which is what a row is compared with. STATUS_UNSUPPORTED, with the
 * reason, for families or variants that this program does not have; otherwise as for
 * predict_family_loop(). */
enum status predict_record(struct predictor *predictor, const struct record *record,
                           struct family_prediction *prediction, struct error *error);

/* Compiles what predict_record() needs, as any prediction does the first time. */
enum status predict_record_load(struct predictor *predictor, const struct record *record,
                                struct error *error);

/* The loop alone, from few iterations, to see what other figures change. */
enum status predict_record_loop_again(struct predictor *predictor, const struct record *record,
                                      struct family_prediction *prediction, struct error *error);

/* Predicts the value, from few iterations, to see what other figures change. */
enum status predict_record_again(struct predictor *predictor, const struct record *record,
                                 struct family_prediction *prediction, struct error *error);

#endif
