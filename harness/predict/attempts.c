#include "predict/attempts.h"

#include "base/processors.h"
#include "predict/predict-record.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

/* Which attempt is next, in memory that all processes share: some take a hundred times as long as
 * others. */
struct board {
    atomic_size_t next;
    struct attempt attempt[];
};

struct making {
    struct predictor *predictor;
    size_t figure;
    double effort_most;
    struct board *board;
    size_t count;
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
    if (!isnan(attempt->value))
        predictor_take(making->predictor, making->figure, attempt->value);
    attempt->off = predict_off(making->predictor, attempt->record, making->effort_most);
    predictor_restore(making->predictor);
}

static void make_next(void *context, size_t process, size_t end)
{
    const struct making *making = context;
    size_t i;

    (void)process;
    (void)end;
    while ((i = atomic_fetch_add(&making->board->next, 1)) < making->count)
        make_one(making, &making->board->attempt[i]);
}

void attempts_make(struct predictor *predictor, size_t figure, double effort_most,
                   struct attempt *attempts, size_t count)
{
    size_t bytes = count * sizeof(*attempts);
    struct board *board = processors_allocate(sizeof(*board) + bytes);
    struct making making = {predictor, figure, effort_most, board, count};
    unsigned processes = processors_available();

    for (size_t i = 0; i < count; i++) {
        struct error error; /* which the prediction meets as well */

        attempts[i].off = NAN;
        predict_record_load(predictor, attempts[i].record, &error);
    }
    if (!board) {
        for (size_t i = 0; i < count; i++)
            make_one(&making, &attempts[i]);
        return;
    }
    memcpy(board->attempt, attempts, bytes);
    processes = processes < count ? processes : (unsigned)count;
    processors_divide(processes, processes, make_next, &making);
    memcpy(attempts, board->attempt, bytes);
    processors_free(board, sizeof(*board) + bytes);
}
