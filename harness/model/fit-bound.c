#include "model/fit-bound.h"

#include "math/bound-estimate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static enum status add_bound_term(struct fit *fit, const char *name, const struct row_set *rows,
                                  const struct bound_terms *terms, const struct bound_estimate *e,
                                  bool is_floor)
{
    const struct fit_term *term = is_floor ? &terms->floor : &terms->slope;

    if (!(is_floor ? e->floor_seen : e->slope_seen)) {
        char missing[MODEL_NAME_BYTES];

        snprintf(missing, sizeof(missing), "%.60s.%.30s", name, term->name);
        return fit_absent(fit, missing, "no row waits for it", terms->command);
    }
    struct parameter *p = fit_add(fit, name, term->name, term->per, rows);
    if (!p)
        return fit_out_of_memory(fit);
    snprintf(p->form, sizeof(p->form), "max(%s, %s %s)", terms->floor.name, terms->slope.name,
             terms->slope.factor);
    p->is_larger_of_terms = true;
    p->value = is_floor ? e->found.floor : e->found.slope;
    p->interval = is_floor ? e->floor : e->slope;
    p->left_out_error = e->left_out_rms;
    p->worst_residual = e->worst_residual;
    record_describe(&fit->records->record[rows->index[e->worst_row]], p->worst, sizeof(p->worst));
    return STATUS_OK;
}

enum status fit_bound(struct fit *fit, const struct row_set *rows, const char *name,
                      const struct bound_terms *terms)
{
    struct bound_estimate estimate;
    struct error why;

    if (bound_estimate(&estimate, rows->columns, rows->y, rows->sd, rows->count, fit->seed, &why) !=
        STATUS_OK)
        return fit_failed(fit, name, &why, terms->command);
    enum status status = add_bound_term(fit, name, rows, terms, &estimate, true);
    return status == STATUS_OK ? add_bound_term(fit, name, rows, terms, &estimate, false) : status;
}

enum status fit_bound_misfit(struct fit *fit, const struct row_set *rows, double *misfit)
{
    struct bound_rows sorted;
    struct bound found;
    enum status status = bound_rows_sort(&sorted, rows->columns, rows->count, fit->error);

    if (status != STATUS_OK)
        return status;
    if (bound_solve(&sorted, rows->y, &found))
        *misfit += found.squares;
    bound_rows_free(&sorted);
    return STATUS_OK;
}

bool predict_bound(const struct model *model, const char *name, const struct bound_terms *terms,
                   double load, double *value)
{
    const struct parameter *floor_ = model_find(model, "%s.%s", name, terms->floor.name);
    const struct parameter *slope = model_find(model, "%s.%s", name, terms->slope.name);

    *value = fmax(model_value(floor_, 0.0), model_value(slope, 0.0) * load);
    return floor_ || slope;
}
