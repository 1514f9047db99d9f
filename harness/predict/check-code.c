#include "predict/check-code.h"

#include "base/processors.h"
#include "predict/interval.h"
#include "predict/predict-record.h"

#include <math.h>

bool is_spread(size_t index, size_t count, size_t most)
{
    return count <= most || (index + 1) * most / count > index * most / count;
}

struct coded_row *coded_rows_allocate(size_t count)
{
    return processors_allocate(count * sizeof(struct coded_row));
}

void coded_rows_free(struct coded_row *rows, size_t count)
{
    processors_free(rows, count * sizeof(*rows));
}

/* Predicts the loop itself, since the value less its baseline may be next to nothing. */
static enum status predict(struct predictor *predictor, struct check_row *row, struct error *error)
{
    struct family_prediction prediction;

    if (!predictor || !(row->record->loop_ns > 0.0))
        return STATUS_UNSUPPORTED;
    enum status status = predict_record(predictor, row->record, &prediction, error);
    if (status != STATUS_OK)
        return status;
    row->unit = "ns/iteration";
    row->predicted = prediction.loop_ns;
    row->measured = row->record->loop_ns;
    row->error = (row->predicted - row->measured) / row->measured;
    row->outcome = prediction.outcome;
    return STATUS_OK;
}

/* What other possible devices make of the row, as far as that is known. */
static void draw(struct predictor *predictor, struct coded_row *row)
{
    struct prediction_interval interval = {.draws = CODED_DRAWS};
    const struct record *record = row->row.record;
    struct family_prediction prediction;
    double drawn[CODED_DRAWS];
    struct error ignored;

    if (predict_record_loop_again(predictor, record, &prediction, &ignored) != STATUS_OK ||
        !(prediction.loop_ns > 0.0))
        return;
    interval.value = prediction.loop_ns;
    predictor_draw(predictor, CODED_DRAWS);
    for (size_t d = 0; d < CODED_DRAWS; d++) {
        predictor_take_draw(predictor, d);
        enum status status = predict_record_loop_again(predictor, record, &prediction, &ignored);
        predictor_restore(predictor);
        drawn[d] = status == STATUS_OK ? prediction.loop_ns : interval.value;
    }
    predictor_draw(predictor, UNCERTAINTY_DRAWS);
    interval_span(&interval, drawn, CODED_DRAWS, 1.0);
    if (!(interval.low > 0.0))
        return;
    row->shorter = log(interval.value / interval.low);
    row->longer = log(interval.high / interval.value);
}

struct coding {
    struct coded_row *rows;
    struct predictor *predictor;
};

static void predict_each(void *context, size_t i, size_t end)
{
    const struct coding *coding = context;

    for (; i < end; i++) {
        struct coded_row *row = &coding->rows[i];

        row->error.status = predict(coding->predictor, &row->row, &row->error);
        if (row->is_drawn && row->error.status == STATUS_OK)
            draw(coding->predictor, row);
    }
}

/* Neighbouring rows share modules, which each process compiles that has some of them. */
#define TOGETHER 4

void coded_rows_predict(struct coded_row *rows, size_t count, struct predictor *predictor,
                        unsigned processes)
{
    for (size_t i = 0; i < count; i++)
        error_set(&rows[i].error, STATUS_FAILED, "the process that predicted this row has ended");
    processors_divide(count, TOGETHER, processes, predict_each, &(struct coding){rows, predictor});
}
