#include "predict/check-code.h"

#include "base/processors.h"
#include "predict/predict-record.h"

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

struct coding {
    struct coded_row *rows;
    struct predictor *predictor;
};

static void predict_each(void *context, size_t i, size_t end)
{
    const struct coding *coding = context;

    for (; i < end; i++)
        coding->rows[i].error.status =
            predict(coding->predictor, &coding->rows[i].row, &coding->rows[i].error);
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
