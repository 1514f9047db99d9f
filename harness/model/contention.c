#include "model/contention.h"

#include "model/fit-bound.h"
#include "model/parameter-name.h"

#include <math.h>
#include <stdlib.h>

static const struct bound_terms contention_terms = {
    .floor = {"alone", "", ""},
    .slope = {"per_thread", "/thread", "m"},
};

enum status contention_begin(struct contention *contention, const struct fit *fit,
                             const struct fit_group *group)
{
    const struct row_runs *runs = &group->runs;

    *contention = (struct contention){0};
    for (size_t i = 0; i < runs->count; i++)
        contention->count += runs->run[i].count;
    contention->sorted = calloc(contention->count + 1, sizeof(*contention->sorted));
    if (!contention->sorted)
        return error_out_of_memory(fit->error);
    for (size_t i = 0; i < contention->count; i++)
        contention->sorted[i] = runs->row[i];
    qsort(contention->sorted, contention->count, sizeof(*contention->sorted), record_order);
    return STATUS_OK;
}

void contention_end(struct contention *contention)
{
    free(contention->sorted);
    *contention = (struct contention){0};
}

/* The time of the row's baseline per unit of the row's work, in the row set's unit, or NaN. */
static double baseline_of(const struct contention *contention, const struct fit *fit,
                          const struct record *record)
{
    struct record wanted = *record;
    const struct record *key = &wanted;

    wanted.variant = record->baseline;
    const struct record **found = bsearch(&key, contention->sorted, contention->count,
                                          sizeof(*contention->sorted), record_order);
    if (!found || !((*found)->loop_ns > 0.0) || !(record->work_units > 0.0))
        return NAN;
    return (*found)->loop_ns / record->work_units *
           (fit->in_cycles ? (*found)->clock_mhz / 1000.0 : 1.0);
}

bool contention_rows(const struct contention *contention, const struct fit *fit,
                     const struct row_set *rows, double *more)
{
    double least = INFINITY, most = 0.0;

    for (size_t i = 0; i < rows->count; i++) {
        more[i] = baseline_of(contention, fit, &fit->records->record[rows->index[i]]);
        if (isnan(more[i]))
            return false;
        least = fmin(least, more[i]);
        most = fmax(most, more[i]);
    }
    for (size_t i = 0; i < rows->count; i++)
        more[i] -= least;
    return most > least;
}

/* Hardware threads on an Xe-core; NaN where the row does not say or they are not all resident at
 * once. */
static double contending_threads(const struct record *record)
{
    return record_threads(record) * record_resident_groups(record);
}

enum status contention_fit(struct fit *fit, struct row_set *rows, const char *name)
{
    struct bound_terms terms = contention_terms;
    char command[MODEL_COMMAND_BYTES];
    size_t kept = 0;

    snprintf(command, sizeof(command), "vebench run %.40s --axis workgroup_size=S,4S,16S,32S,64S",
             fit->family);
    terms.command = command;
    for (size_t i = 0; i < rows->count; i++) {
        double threads = contending_threads(&fit->records->record[rows->index[i]]);

        if (isnan(threads))
            continue;
        row_set_move(rows, kept, i);
        rows->columns[kept++] = threads;
    }
    rows->count = kept;
    return kept ? fit_bound(fit, rows, name, &terms) : STATUS_OK;
}

/* `baseline` of family `family`: what it takes alone, and with `threads` on its Xe-core. */
static bool predict_baseline(const struct model *model, const char *family, const char *baseline,
                             unsigned subgroup_size, double threads, double *alone,
                             double *contended)
{
    char name[MODEL_NAME_BYTES];

    parameter_name(name, family, baseline, subgroup_size);
    return !isnan(threads) && predict_bound(model, name, &contention_terms, 0.0, alone) &&
           predict_bound(model, name, &contention_terms, threads, contended);
}

double contention_at(const struct model *model, const char *family, const char *baseline,
                     unsigned subgroup_size, double threads)
{
    double alone, contended;

    return predict_baseline(model, family, baseline, subgroup_size, threads, &alone, &contended)
               ? contended - alone
               : 0.0;
}

double contention_of(const struct model *model, const struct record *record)
{
    return contention_at(model, record->benchmark, record->baseline, record->subgroup_size,
                         contending_threads(record));
}

bool contention_predict(const struct model *model, const struct record *record, double *value)
{
    double alone;

    return predict_baseline(model, record->benchmark, record->variant, record->subgroup_size,
                            contending_threads(record), &alone, value);
}
