/* Bandwidth: the most bytes per cycle that loads and stores of any pattern get from a working set,
 * for one Xe-core (launches of one work-group) or for the device (one work-group per Xe-core); and
 * the most that loads alone get for one Xe-core, and stores for the device, which do not stay in
 * the first level. It counts as a bandwidth only where twice as many bytes in flight get no more:
 * below that, the time is latency. */
#include "families/memory/bandwidth-model.h"

#include "families/memory/memory-model.h"

#include "model/family-model.h"
#include "model/fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FAMILY       "bandwidth"
#define SATURATED    0.95 /* share of the rate that is reached with half as many bytes in flight */
#define MORE_TO_COME "vebench run memory_32 --axis workgroup_size=128,512 --axis workgroup_count=1"

struct scope {
    const char *name;
    bool is_device;
    const char *operation; /* NULL: any */
    bool is_partial;       /* by elements that each have a line of their own */
};

static const struct scope scopes[BANDWIDTH_SCOPES] = {
    [BANDWIDTH_CORE] = {"core", false, NULL},
    [BANDWIDTH_DEVICE] = {"device", true, NULL},
    [BANDWIDTH_CORE_LOAD] = {"core_load", false, "load"},
    [BANDWIDTH_DEVICE_STORE] = {"device_store", true, "store"},
    [BANDWIDTH_DEVICE_PARTIAL] = {"device_partial", true, "store", true},
};

static void name_bandwidth(char *name, const struct scope *scope, double working_set)
{
    snprintf(name, MODEL_NAME_BYTES, FAMILY ".%s.set%.0f", scope->name, working_set);
}

const struct parameter *bandwidth_find(const struct model *model, enum bandwidth_scope scope,
                                       double working_set)
{
    char name[MODEL_NAME_BYTES];

    name_bandwidth(name, &scopes[scope], working_set);
    return model_find(model, "%s", name);
}

static bool is_row(const struct fit *fit, const struct record *r)
{
    return r->usable && memory_has(r) && r->loop_ns > 0.0 && r->work_bytes > 0.0 &&
           (!fit->in_cycles || r->clock_mhz > 0.0);
}

static double set_of(const struct record *r)
{
    return record_parameter(r, "working_set", -1.0);
}

/* In bytes per cycle, or per ns. */
static double rate_of(const struct fit *fit, const struct record *r)
{
    return r->work_bytes / r->loop_ns / (fit->in_cycles ? r->clock_mhz / 1000.0 : 1.0);
}

static int by_set(const void *left, const void *right)
{
    double a = set_of(*(const struct record *const *)left);
    double b = set_of(*(const struct record *const *)right);

    return (a > b) - (a < b);
}

static int by_flight(const void *left, const void *right)
{
    const struct record *a = *(const struct record *const *)left;
    const struct record *b = *(const struct record *const *)right;
    int order = record_access_order(a, b);

    return order
               ? order
               : (a->workgroup_size > b->workgroup_size) - (a->workgroup_size < b->workgroup_size);
}

/* The fastest saturated row: one for which a row of the same access gets as much with at most half
 * as many bytes in flight. `row` is sorted by_flight(). NULL: no row is saturated, or another
 * access gets more without being so: what bounds the slower one, such as parts of lines, is not
 * what bounds the most. */
static const struct record *find_best(const struct fit *fit, const struct record *const *row,
                                      size_t count)
{
    const struct record *best = NULL;
    size_t half = 0;   /* the first row with more than half the bytes of the current row */
    double most = 0.0; /* highest rate among the rows of the access before that one */
    double fastest = 0.0;

    for (size_t i = 0; i < count; i++) {
        if (i > 0 && record_access_order(row[i - 1], row[i]) != 0) {
            half = i;
            most = 0.0;
        }
        for (; 2 * row[half]->workgroup_size <= row[i]->workgroup_size; half++)
            most = fmax(most, rate_of(fit, row[half]));
        if (most >= SATURATED * rate_of(fit, row[i]) &&
            (!best || rate_of(fit, row[i]) > rate_of(fit, best)))
            best = row[i];
        fastest = fmax(fastest, rate_of(fit, row[i]));
    }
    return best && rate_of(fit, best) >= SATURATED * fastest ? best : NULL;
}

static enum status add_bandwidth(struct fit *fit, const char *name, const struct record *r,
                                 size_t rows)
{
    static const struct row_set nothing;
    struct parameter *p = fit_add(fit, name, "", "", &nothing);
    double spread = (r->ci95_hi_ns - r->ci95_lo_ns) / (r->ci95_hi_ns + r->ci95_lo_ns);

    if (!p)
        return fit_out_of_memory(fit);
    fit->used[r - fit->records->record] = true;
    snprintf(p->unit, sizeof(p->unit), "bytes/%s", fit->in_cycles ? "cycle" : "ns");
    snprintf(p->form, sizeof(p->form),
             "the most of any pattern for which twice the bytes in flight get no more");
    p->working_sets = (struct interval){set_of(r), set_of(r)};
    p->rows = rows;
    p->value = rate_of(fit, r);
    p->interval.low = p->value * (1.0 - fabs(spread));
    p->interval.high = p->value * (1.0 + fabs(spread));
    record_describe(r, p->worst, sizeof(p->worst));
    return STATUS_OK;
}

/* Elements of four bytes, 16 of them from lane to lane: a line of 64. */
static bool has_line_each(const struct record *r)
{
    return !strcmp(r->benchmark, "memory_32") && record_is_by(r, "strided") &&
           record_parameter(r, "stride", 1.0) >= 16.0;
}

static bool is_within(const struct scope *scope, const struct record *r)
{
    return r->workgroup_count == (scope->is_device ? r->xe_cores : 1) &&
           (!scope->operation || record_does(r, scope->operation)) &&
           (!scope->is_partial || has_line_each(r));
}

/* Fits the rows of one working set within the scope. */
static enum status fit_set(struct fit *fit, const struct scope *scope, const struct row_run *run)
{
    const struct record **row = calloc(run->count, sizeof(*row));
    char name[MODEL_NAME_BYTES];
    enum status status = STATUS_OK;
    size_t count = 0;

    if (!row)
        return fit_out_of_memory(fit);
    for (size_t i = 0; i < run->count; i++) {
        if (is_within(scope, run->row[i]))
            row[count++] = run->row[i];
    }
    qsort(row, count, sizeof(*row), by_flight);
    const struct record *best = find_best(fit, row, count);
    name_bandwidth(name, scope, set_of(run->row[0]));
    if (best)
        status = add_bandwidth(fit, name, best, count);
    free(row);
    return status;
}

static enum status fit_sets(struct fit *fit, const struct row_runs *sets)
{
    enum status status = STATUS_OK;

    for (size_t s = 0; s < BANDWIDTH_SCOPES; s++) {
        for (size_t i = 0; status == STATUS_OK && i < sets->count; i++)
            status = fit_set(fit, &scopes[s], &sets->run[i]);
    }
    return status;
}

static enum status fit_bandwidth(struct fit *fit)
{
    const struct records *records = fit->records;
    const struct record **row = calloc(records->count + 1, sizeof(*row));
    size_t before = fit->model->parameter_count, count = 0;
    struct row_runs sets;

    for (size_t i = 0; row && i < records->count; i++) {
        if (is_row(fit, &records->record[i]) && set_of(&records->record[i]) > 0.0)
            row[count++] = &records->record[i];
    }
    enum status status = row_runs_make(&sets, row, count, by_set, fit->error);
    if (status == STATUS_OK)
        status = fit_sets(fit, &sets);
    row_runs_free(&sets);
    if (status == STATUS_OK && fit->model->parameter_count == before)
        status = fit_absent(fit, FAMILY, "no access was measured with twice the bytes in flight",
                            MORE_TO_COME);
    return status;
}

const struct family_model family_bandwidth_model = {
    .family = FAMILY,
    .rank = 110,
    .fit = fit_bandwidth,
};
