/* Predictions for the benchmark's own families, for the launches that the harness would measure. */
#ifndef VEBENCH_PREDICT_FAMILY_H
#define VEBENCH_PREDICT_FAMILY_H

#include "family/family.h"
#include "predict/predict.h"

struct family_prediction {
    double loop_ns;         /* per iteration of the whole launch */
    double baseline_ns;     /* the same for the baseline; 0 where there is none */
    double value;           /* in the variant's unit: what `vebench run` would report */
    struct outcome outcome; /* of the variant's own loop */
    double effort;          /* of all this, as in struct outcome */
};

/* Compiles what the predictions below need, as any of them does the first time. */
enum status predict_family_load(struct predictor *predictor, const struct family *family,
                                unsigned subgroup_size, size_t variant, struct error *error);

/* STATUS_UNSUPPORTED, with the reason, for variants that cannot be predicted: they would not run,
 * or their value is not the time of an iteration. */
enum status predict_family(struct predictor *predictor, const struct family *family,
                           const struct configuration *configuration, size_t variant,
                           struct family_prediction *prediction, struct error *error);

/* The same from fewer iterations, to see what other figures change. */
enum status predict_family_again(struct predictor *predictor, const struct family *family,
                                 const struct configuration *configuration, size_t variant,
                                 struct family_prediction *prediction, struct error *error);

/* Predicts without the baseline, in half the time: baseline_ns and value are NaN. */
enum status predict_family_loop(struct predictor *predictor, const struct family *family,
                                const struct configuration *configuration, size_t variant,
                                struct family_prediction *prediction, struct error *error);

/* Both: the loop alone, from fewer iterations. */
enum status predict_family_loop_again(struct predictor *predictor, const struct family *family,
                                      const struct configuration *configuration, size_t variant,
                                      struct family_prediction *prediction, struct error *error);

#endif
