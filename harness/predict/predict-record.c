#include "predict/predict-record.h"

#include <math.h>

/* The value of one of the family's own axes in the row; false where the row does not have it. */
static bool read_axis(const struct record *record, const struct axis *axis, unsigned *value)
{
    double number = record_parameter(record, axis->name, axis->absent_is_zero ? 0.0 : NAN);

    if (!(number >= axis->least && number <= axis->largest))
        return false;
    *value = (unsigned)number;
    return true;
}

static enum status read_configuration(const struct family *family, const struct record *record,
                                      struct configuration *configuration, struct error *error)
{
    *configuration = (struct configuration){.subgroup_size = record->subgroup_size,
                                            .workgroup_size = record->workgroup_size,
                                            .workgroup_count = record->workgroup_count};
    for (size_t i = COMMON_AXES; i < family->axis_count; i++) {
        if (!read_axis(record, &family->axes[i], &configuration->own[i - COMMON_AXES]))
            return error_set(error, STATUS_UNSUPPORTED, "the row does not say %s",
                             family->axes[i].name);
    }
    return STATUS_OK;
}

/* predict_family_loop() and its like. */
typedef enum status (*predict_by)(struct predictor *predictor, const struct family *family,
                                  const struct configuration *configuration, size_t variant,
                                  struct family_prediction *prediction, struct error *error);

static enum status find_variant(const struct predictor *predictor, const struct record *record,
                                const struct family **family, size_t *variant, struct error *error)
{
    const struct family_list *families = predictor_families(predictor);

    *family = families ? family_find(families, record->benchmark) : NULL;
    *variant = *family ? family_variant(*family, record->variant) : VARIANTS_MAX;
    if (*variant == VARIANTS_MAX)
        return error_set(error, STATUS_UNSUPPORTED, "there is no %s %s in this version",
                         record->benchmark, record->variant);
    return STATUS_OK;
}

static enum status predict_row(struct predictor *predictor, const struct record *record,
                               predict_by by, struct family_prediction *prediction,
                               struct error *error)
{
    struct configuration configuration;
    const struct family *family;
    size_t variant;
    enum status status = find_variant(predictor, record, &family, &variant, error);

    if (status == STATUS_OK)
        status = read_configuration(family, record, &configuration, error);
    if (status == STATUS_OK)
        status = by(predictor, family, &configuration, variant, prediction, error);
    return status;
}

enum status predict_record_load(struct predictor *predictor, const struct record *record,
                                struct error *error)
{
    const struct family *family;
    size_t variant;
    enum status status = find_variant(predictor, record, &family, &variant, error);

    return status == STATUS_OK
               ? predict_family_load(predictor, family, record->subgroup_size, variant, error)
               : status;
}

enum status predict_record(struct predictor *predictor, const struct record *record,
                           struct family_prediction *prediction, struct error *error)
{
    return predict_row(predictor, record, predict_family_loop, prediction, error);
}

enum status predict_record_again(struct predictor *predictor, const struct record *record,
                                 struct family_prediction *prediction, struct error *error)
{
    return predict_row(predictor, record, predict_family_again, prediction, error);
}

enum status predict_record_loop_again(struct predictor *predictor, const struct record *record,
                                      struct family_prediction *prediction, struct error *error)
{
    return predict_row(predictor, record, predict_family_loop_again, prediction, error);
}
