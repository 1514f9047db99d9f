/* Bandwidth: the most bytes that the loads and stores of any pattern get in a cycle, in a working
 * set, of one Xe-core (launches of one work-group) or of the device (of one for each Xe-core). It
 * is a bandwidth only where twice as many bytes in flight get no more: before, a latency is what is
 * waited for. */
#include "model/family-model.h"
#include "model/fit.h"

#include <math.h>
#include <string.h>

#define FAMILY       "bandwidth"
#define MEMORY       "memory_"
#define SATURATED    0.95 /* of the rate, with half as many bytes in flight */
#define MORE_TO_COME "vebench run memory_32 --axis workgroup_size=128,512 --axis workgroup_count=1"

struct scope {
    const char *name;
    bool is_device;
};

static const struct scope scopes[] = {{"core", false}, {"device", true}};

static bool is_row(const struct fit *fit, const struct record *r)
{
    return r->usable && !strncmp(r->benchmark, MEMORY, strlen(MEMORY)) && r->loop_ns > 0.0 &&
           r->work_bytes > 0.0 && (!fit->in_cycles || r->clock_mhz > 0.0);
}

static bool is_in(const struct record *r, const struct scope *scope, double working_set)
{
    return record_parameter(r, "working_set", NAN) == working_set &&
           r->workgroup_count == (scope->is_device ? r->xe_cores : 1);
}

/* Bytes a cycle, or a ns. */
static double rate_of(const struct fit *fit, const struct record *r)
{
    return r->work_bytes / r->loop_ns / (fit->in_cycles ? r->clock_mhz / 1000.0 : 1.0);
}

static bool is_same_access(const struct record *a, const struct record *b)
{
    return !strcmp(a->benchmark, b->benchmark) && !strcmp(a->variant, b->variant) &&
           !strcmp(a->parameters, b->parameters) && a->subgroup_size == b->subgroup_size;
}

/* Does a row of the same access with half as many bytes in flight get as much? */
static bool is_saturated(const struct fit *fit, const struct record *best,
                         const struct scope *scope, double working_set)
{
    const struct records *records = fit->records;

    for (size_t i = 0; i < records->count; i++) {
        const struct record *r = &records->record[i];

        if (is_row(fit, r) && is_in(r, scope, working_set) && is_same_access(r, best) &&
            2 * r->workgroup_size <= best->workgroup_size &&
            rate_of(fit, r) >= SATURATED * rate_of(fit, best))
            return true;
    }
    return false;
}

/* The index of the row with the highest rate among those that are saturated; the number of rows
 * where there is none. */
static size_t find_best(struct fit *fit, const struct scope *scope, double working_set,
                        size_t *rows)
{
    const struct records *records = fit->records;
    size_t best = records->count;

    *rows = 0;
    for (size_t i = 0; i < records->count; i++) {
        const struct record *r = &records->record[i];

        if (!is_row(fit, r) || !is_in(r, scope, working_set))
            continue;
        ++*rows;
        if (best < records->count && rate_of(fit, r) <= rate_of(fit, &records->record[best]))
            continue;
        if (is_saturated(fit, r, scope, working_set))
            best = i;
    }
    return best;
}

static enum status add_bandwidth(struct fit *fit, const char *name, size_t best, size_t rows)
{
    static const struct row_set nothing;
    const struct record *r = &fit->records->record[best];
    struct parameter *p = fit_add(fit, name, "", "", &nothing);
    double spread = (r->ci95_hi_ns - r->ci95_lo_ns) / (r->ci95_hi_ns + r->ci95_lo_ns);

    if (!p)
        return fit_out_of_memory(fit);
    fit->used[best] = true;
    snprintf(p->unit, sizeof p->unit, "bytes/%s", fit->in_cycles ? "cycle" : "ns");
    snprintf(p->form, sizeof p->form,
             "the most of any pattern for which twice the bytes in flight get no more");
    p->rows = rows;
    p->value = rate_of(fit, r);
    p->interval.low = p->value * (1.0 - fabs(spread));
    p->interval.high = p->value * (1.0 + fabs(spread));
    record_describe(r, p->worst, sizeof p->worst);
    return STATUS_OK;
}

static enum status fit_set(struct fit *fit, const struct scope *scope, double working_set)
{
    char name[MODEL_NAME_BYTES];
    size_t rows, best = find_best(fit, scope, working_set, &rows);

    snprintf(name, sizeof name, FAMILY ".%s.set%.0f", scope->name, working_set);
    if (best < fit->records->count)
        return add_bandwidth(fit, name, best, rows);
    return STATUS_OK;
}

/* Has an earlier row of the scope the same working set? */
static bool is_seen(const struct fit *fit, size_t row, double working_set)
{
    for (size_t i = 0; i < row; i++) {
        const struct record *r = &fit->records->record[i];

        if (is_row(fit, r) && record_parameter(r, "working_set", NAN) == working_set)
            return true;
    }
    return false;
}

static enum status fit_bandwidth(struct fit *fit)
{
    size_t before = fit->model->parameter_count;
    enum status status = STATUS_OK;

    for (size_t s = 0; s < sizeof scopes / sizeof scopes[0]; s++) {
        for (size_t i = 0; status == STATUS_OK && i < fit->records->count; i++) {
            const struct record *r = &fit->records->record[i];
            double working_set = record_parameter(r, "working_set", NAN);

            if (is_row(fit, r) && !is_seen(fit, i, working_set))
                status = fit_set(fit, &scopes[s], working_set);
        }
    }
    if (status == STATUS_OK && fit->model->parameter_count == before)
        status = fit_absent(fit, FAMILY, "no access is measured with twice the bytes in flight",
                            MORE_TO_COME);
    return status;
}

const struct family_model family_bandwidth_model = {
    .family = FAMILY,
    .rank = 110,
    .fit = fit_bandwidth,
};
