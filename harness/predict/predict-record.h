/* Predictions for rows of results: what was launched is read off the row. */
#ifndef VEBENCH_PREDICT_RECORD_H
#define VEBENCH_PREDICT_RECORD_H

#include "model/records.h"
#include "predict/predict-family.h"

/* STATUS_UNSUPPORTED, with the reason, for rows of families or variants that this program does not
 * have, and as predict_family_loop(): the loop alone is what a row is held against. */
enum status predict_record(struct predictor *predictor, const struct record *record,
                           struct family_prediction *prediction, struct error *error);

#endif
