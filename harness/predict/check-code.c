#include "predict/check-code.h"

#include "predict/predict-record.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define PROCESSES_MAX 64u

bool is_spread(size_t index, size_t count, size_t most)
{
    return count <= most || (index + 1) * most / count > index * most / count;
}

struct coded_row *coded_rows_allocate(size_t count)
{
    void *rows = mmap(NULL, (count + 1) * sizeof(struct coded_row), PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    return rows == MAP_FAILED ? NULL : rows;
}

void coded_rows_free(struct coded_row *rows, size_t count)
{
    if (rows)
        munmap(rows, (count + 1) * sizeof(*rows));
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

static void predict_each(struct coded_row *rows, const struct coded_row *end,
                         struct predictor *predictor)
{
    for (; rows < end; rows++)
        rows->error.status = predict(predictor, &rows->row, &rows->error);
}

/* Returns the process, or -1 where there can be none. */
static pid_t start(struct coded_row *rows, const struct coded_row *end, struct predictor *predictor)
{
    for (struct coded_row *row = rows; row < end; row++)
        error_set(&row->error, STATUS_FAILED, "the process that predicted this row has ended");
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        predict_each(rows, end, predictor);
        _exit(EXIT_SUCCESS);
    }
    return child;
}

/* Each process takes neighbouring rows, which share modules: it compiles those of its rows. */
void coded_rows_predict(struct coded_row *rows, size_t count, struct predictor *predictor,
                        unsigned processes)
{
    size_t most = processes < PROCESSES_MAX ? processes : PROCESSES_MAX;
    size_t shares = count < most ? count : most;
    pid_t child[PROCESSES_MAX];

    for (size_t i = 1; i < shares; i++)
        child[i] = start(&rows[count * i / shares], &rows[count * (i + 1) / shares], predictor);
    if (shares > 0)
        predict_each(rows, &rows[count / shares], predictor);
    for (size_t i = 1; i < shares; i++) {
        if (child[i] < 0)
            predict_each(&rows[count * i / shares], &rows[count * (i + 1) / shares], predictor);
        while (child[i] >= 0 && waitpid(child[i], NULL, 0) < 0 && errno == EINTR)
            ;
    }
}
