/* Family `device_bandwidth`: the fastest launch through each working set. */
#include "model/family-model.h"
#include "model/fit.h"

#include <stdio.h>

#define FAMILY "device_bandwidth"

static double set_of(const struct fit *fit, const struct row_set *rows, size_t i)
{
    return record_parameter(&fit->records->record[rows->index[i]], "working_set", 0.0);
}

static bool is_fastest(const struct fit *fit, const struct row_set *rows, size_t i)
{
    for (size_t j = 0; j < rows->count; j++) {
        if (set_of(fit, rows, j) == set_of(fit, rows, i) &&
            (rows->y[j] < rows->y[i] || (rows->y[j] == rows->y[i] && j < i)))
            return false;
    }
    return true;
}

static enum status add_set(struct fit *fit, const struct fit_group *group, size_t i)
{
    double bytes = set_of(fit, &group->rows, i);
    char term[MODEL_NAME_BYTES];

    snprintf(term, sizeof(term), "set%.0f", bytes);
    struct parameter *p = fit_add_row(fit, group->name, term, &group->rows, i);
    if (!p)
        return fit_out_of_memory(fit);
    snprintf(p->form, sizeof(p->form), "the fastest launch through %.0f bytes", bytes);
    p->working_sets = (struct interval){bytes, bytes};
    return STATUS_OK;
}

static enum status fit_bandwidth(struct fit *fit)
{
    struct fit_group group;
    enum status status = fit_begin(fit, FAMILY, &group);

    while (status == STATUS_OK && fit_next(fit, &group)) {
        for (size_t i = 0; status == STATUS_OK && i < group.rows.count; i++) {
            if (is_fastest(fit, &group.rows, i))
                status = add_set(fit, &group, i);
        }
    }
    fit_end(&group);
    return status;
}

const struct family_model family_device_bandwidth_model = {
    .family = FAMILY,
    .rank = 115,
    .fit = fit_bandwidth,
};
