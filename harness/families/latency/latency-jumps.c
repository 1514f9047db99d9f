/* Family `latency`: chases whose steps go up by a fixed number of nodes. Each of them is a
 * parameter by itself, and none belongs to the levels: a cache that fetches ahead has the nodes of
 * some. */
#include "families/latency/latency-model.h"

#include "model/parameter-name.h"

#include <math.h>
#include <string.h>

bool latency_is_by_jumps(const struct record *r)
{
    return record_parameter(r, "jump", 0.0) > 0.0;
}

/* Bytes that a step goes up. */
static double jump_bytes(const struct record *r)
{
    return record_parameter(r, "jump", NAN) * latency_stride(r);
}

static void name_term(char *term, double set, double bytes)
{
    snprintf(term, VARIANT_NAME_BYTES, "set%.0f.up%.0f", set, bytes);
}

static enum status add(struct fit *fit, const char *name, const struct row_set *rows, size_t i)
{
    double bytes = jump_bytes(&fit->records->record[rows->index[i]]);
    double set = latency_working_set(fit, rows, i);
    char term[VARIANT_NAME_BYTES];

    name_term(term, set, bytes);
    struct parameter *p = fit_add_row(fit, name, term, rows, i);
    if (!p)
        return fit_out_of_memory(fit);
    snprintf(p->term, sizeof(p->term), LATENCY_UP);
    snprintf(p->form, sizeof(p->form),
             "a working set of %.0f bytes, each step %.0f bytes up from the one before", set,
             bytes);
    p->working_sets = (struct interval){set, set};
    p->stride = bytes;
    return STATUS_OK;
}

enum status latency_fit_jumps(struct fit *fit, const char *name, struct row_set *rows)
{
    enum status status = STATUS_OK;
    size_t kept = 0;

    for (size_t i = 0; status == STATUS_OK && i < rows->count; i++) {
        const struct record *r = &fit->records->record[rows->index[i]];

        if (!latency_is_by_jumps(r))
            row_set_move(rows, kept++, i);
        else if (latency_is_unloaded(r) && rows->y[i] > 0.0)
            status = add(fit, name, rows, i);
    }
    rows->count = kept;
    return status;
}

/* What such steps take less at the least. */
#define AHEAD_LEAST 0.1

static bool is_shorter(const struct parameter *one, const struct parameter *other)
{
    return strcmp(one->term, LATENCY_UP) == 0 && strcmp(other->term, LATENCY_UP) == 0 &&
           one->working_sets.low == other->working_sets.low && one->stride < other->stride &&
           one->value < (1.0 - AHEAD_LEAST) * other->value;
}

bool latency_fetches_ahead(const struct model *model, const char *variant, unsigned subgroup_size)
{
    for (size_t i = 0; i < model->parameter_count; i++) {
        const struct parameter *one = &model->parameter[i];

        if (!parameter_is_of(one, LATENCY_FAMILY, variant, subgroup_size))
            continue;
        for (size_t j = 0; j < model->parameter_count; j++) {
            const struct parameter *other = &model->parameter[j];

            if (is_shorter(one, other) &&
                parameter_is_of(other, LATENCY_FAMILY, variant, subgroup_size))
                return true;
        }
    }
    return false;
}

bool latency_predict_jumps(const struct model *model, const struct record *r, double *value)
{
    char term[VARIANT_NAME_BYTES];

    name_term(term, record_parameter(r, "working_set", NAN), jump_bytes(r));
    const struct parameter *p =
        parameter_find(model, LATENCY_FAMILY, r->variant, r->subgroup_size, term);
    *value = p ? p->value : NAN;
    return p != NULL;
}
