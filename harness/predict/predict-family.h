/* Predictions for the benchmark's own families: the launches that the harness would measure. */
#ifndef VEBENCH_PREDICT_FAMILY_H
#define VEBENCH_PREDICT_FAMILY_H

#include "measure/family.h"
#include "predict/predict.h"

struct family_prediction {
    double loop_ns;         /* of an iteration of the whole launch */
    double baseline_ns;     /* the same of the baseline; 0 where there is none */
    double value;           /* in the variant's unit: what `vebench run` would report */
    struct outcome outcome; /* of the variant's own loop */
};

/* STATUS_UNSUPPORTED, with the reason, for what cannot be predicted: it would not run, or its value
 * is not the time of an iteration. */
enum status predict_family(struct predictor *predictor, const struct family *family,
                           const struct configuration *configuration, size_t variant,
                           struct family_prediction *prediction, struct error *error);

/* Without the baseline, and in half the time: baseline_ns and value are NaN. */
enum status predict_family_loop(struct predictor *predictor, const struct family *family,
                                const struct configuration *configuration, size_t variant,
                                struct family_prediction *prediction, struct error *error);

#endif
