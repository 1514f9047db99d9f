#include "predict/attempts.h"

#include "base/processors.h"
#include "predict/predict-record.h"

#include <math.h>
#include <string.h>

struct making {
    struct predictor *predictor;
    size_t figure;
    double effort_most;
    struct attempt *attempt;
};

static double predict_off(struct predictor *predictor, const struct record *record,
                          double effort_most)
{
    struct family_prediction prediction;
    struct error error;
    enum status status = predict_record_loop_again(predictor, record, &prediction, &error);

    if (status != STATUS_OK || !(prediction.loop_ns > 0.0) || prediction.effort > effort_most)
        return NAN;
    return log(record->loop_ns / prediction.loop_ns);
}

static void make_one(const struct making *making, struct attempt *attempt)
{
    if (attempt->draw)
        predictor_take_draw(making->predictor, attempt->draw - 1);
    if (attempt->other)
        predictor_take(making->predictor, attempt->other, attempt->other_value);
    if (!isnan(attempt->value))
        predictor_take(making->predictor, making->figure, attempt->value);
    attempt->off = predict_off(making->predictor, attempt->record, making->effort_most);
    predictor_restore(making->predictor);
}

static void make_some(void *context, size_t i, size_t end)
{
    const struct making *making = context;

    for (; i < end; i++)
        make_one(making, &making->attempt[i]);
}

void attempts_make(struct predictor *predictor, size_t figure, double effort_most,
                   struct attempt *attempts, size_t count)
{
    size_t bytes = count * sizeof(*attempts);
    struct attempt *shared = processors_allocate(bytes);
    struct making making = {predictor, figure, effort_most, shared ? shared : attempts};

    for (size_t i = 0; i < count; i++) {
        struct error error; /* which the prediction meets as well */

        attempts[i].off = NAN;
        predict_record_load(predictor, attempts[i].record, &error);
    }
    if (shared)
        memcpy(shared, attempts, bytes);
    processors_divide(count, 1, shared ? processors_available() : 1, make_some, &making);
    if (shared)
        memcpy(attempts, shared, bytes);
    processors_free(shared, bytes);
}
