/* A predictor of the benchmark's own families. */
#ifndef TEST_PREDICTOR_OF_H
#define TEST_PREDICTOR_OF_H

#include "test.h"

#include "families/registry.h"
#include "predict/predict.h"

#include <string.h>

/* With the figures of a model and, for those that it does not determine, of `base`. Fails the test
 * if it can't be opened. */
static inline struct predictor *predictor_of(const struct model *model, const char *base)
{
    const struct predictor_settings settings = {
        .model = model, .figures = &family_figures, .families = &families, .base = base};
    struct predictor *predictor;
    struct error error;

    if (predictor_open(&predictor, &settings, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    return predictor;
}

/* What the model's rows have been found to say of a figure, or NULL. */
static inline const struct calibration *calibration_of(const struct model *model,
                                                       const char *figure)
{
    for (size_t i = 0; i < model->calibration_count; i++) {
        if (!strcmp(model->calibration[i].figure, figure))
            return &model->calibration[i];
    }
    return NULL;
}

#endif
