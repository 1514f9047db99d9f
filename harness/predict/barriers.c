#include "predict/barriers.h"

#include "base/stats.h"
#include "predict/family-figures.h"
#include "predict/predict-record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rows that are no farther off than this, as a logarithm, are predicted well enough. */
#define NEAR_ENOUGH 0.05

/* A row has a barrier in each iteration if so many cycles more of latency add this much of them. */
#define LATENCY_STEP 64.0
#define STEP_ADDS    0.9

/* Loops that take longer are not tried. */
#define LOOP_MOST_NS      5e5

#define BARRIER_ROWS_MOST 64

/* A row, and the latency beyond the figure with which it takes what was measured. */
struct barrier_row {
    unsigned threads;
    double cycles, off; /* off: as predicted without it, a logarithm */
};

static bool predict_cycles_of(struct predictor *predictor, const struct record *record,
                              double latency, double *cycles)
{
    struct family_prediction prediction;
    struct error error;

    predictor_take(predictor, VESIM_FIGURE_barrier_latency, latency);
    enum status status = predict_record_loop_again(predictor, record, &prediction, &error);
    predictor_restore(predictor);
    *cycles = prediction.loop_ns * predictor_clock_mhz(predictor) / 1000.0;
    return status == STATUS_OK && *cycles > 0.0;
}

/* False where the row has no barrier, or its work-groups do not wait for that alone. */
static bool find_row(struct predictor *predictor, const struct record *record,
                     struct barrier_row *row)
{
    double latency = predictor_figure(predictor, VESIM_FIGURE_barrier_latency), is, more;
    double measured = record->loop_ns * predictor_clock_mhz(predictor) / 1000.0;

    if (!predict_cycles_of(predictor, record, latency, &is) ||
        !predict_cycles_of(predictor, record, latency + LATENCY_STEP, &more) ||
        more - is < STEP_ADDS * LATENCY_STEP)
        return false;
    *row = (struct barrier_row){.threads = (unsigned)record_threads(record),
                                .cycles = (measured - is) * LATENCY_STEP / (more - is),
                                .off = log(measured / is)};
    return true;
}

static bool has_barriers_alone(const struct record *record, const char *family)
{
    return record->usable && record->loop_ns > 0.0 && record->loop_ns <= LOOP_MOST_NS &&
           record->subgroup_size && record->workgroup_count == 1 &&
           !strcmp(record->benchmark, family);
}

static int by_threads(const void *left, const void *right)
{
    const struct barrier_row *a = left, *b = right;

    return a->threads != b->threads ? (a->threads > b->threads) - (a->threads < b->threads)
                                    : (a->cycles > b->cycles) - (a->cycles < b->cycles);
}

/* The median of the sorted rows with each number of threads. */
static void add_barriers(struct model *model, const struct barrier_row *rows, size_t count)
{
    for (size_t first = 0, next; first < count; first = next) {
        for (next = first; next < count && rows[next].threads == rows[first].threads; next++)
            ;
        if (model->barrier_count == MODEL_BARRIERS_MAX)
            return;
        model->barrier[model->barrier_count++] =
            (struct barrier_excess){.threads = rows[first].threads,
                                    .cycles = rows[(first + next - 1) / 2].cycles,
                                    .rows = next - first};
    }
}

void barriers_learn(struct model *model, struct predictor *predictor, const struct records *records)
{
    const struct figure_rule *rule = predictor_rule(predictor, VESIM_FIGURE_barrier_latency);
    struct barrier_row rows[BARRIER_ROWS_MOST];
    size_t count = 0;
    double most = 0.0;

    model->barrier_count = 0;
    if (!rule)
        return;
    for (size_t i = 0; i < records->count && count < BARRIER_ROWS_MOST; i++) {
        if (!has_barriers_alone(&records->record[i], rule->family) ||
            !find_row(predictor, &records->record[i], &rows[count]))
            continue;
        most = fmax(most, fabs(rows[count++].off));
    }
    if (most <= NEAR_ENOUGH)
        return;
    qsort(rows, count, sizeof(rows[0]), by_threads);
    add_barriers(model, rows, count);
    predictor_know_barriers(predictor, model);
}

double barriers_excess(const struct barrier_excess *barriers, size_t count, double threads)
{
    size_t next = 1;

    if (count < 2 || threads <= barriers[0].threads)
        return count ? barriers[0].cycles : 0.0;
    while (next + 1 < count && barriers[next].threads < threads)
        next++;
    const struct barrier_excess *a = &barriers[next - 1], *b = &barriers[next];
    return a->cycles +
           (threads - a->threads) / ((double)b->threads - a->threads) * (b->cycles - a->cycles);
}
