/* Family `device_bandwidth`: the fastest launch through each working set, and the fastest of one
 * work-group. */
#include "model/family-model.h"
#include "model/fit.h"

#include <stdio.h>

#define FAMILY "device_bandwidth"

static double set_of(const struct fit *fit, const struct row_set *rows, size_t i)
{
    return record_parameter(&fit->records->record[rows->index[i]], "working_set", 0.0);
}

static bool is_of_one_group(const struct fit *fit, const struct row_set *rows, size_t i)
{
    return fit->records->record[rows->index[i]].workgroup_count == 1;
}

static bool is_fastest(const struct fit *fit, const struct row_set *rows, size_t i)
{
    for (size_t j = 0; j < rows->count; j++) {
        if (set_of(fit, rows, j) == set_of(fit, rows, i) &&
            is_of_one_group(fit, rows, j) == is_of_one_group(fit, rows, i) &&
            (rows->y[j] < rows->y[i] || (rows->y[j] == rows->y[i] && j < i)))
            return false;
    }
    return true;
}

static enum status add_set(struct fit *fit, const struct fit_group *group, size_t i)
{
    const struct record *record = &fit->records->record[group->rows.index[i]];
    double bytes = set_of(fit, &group->rows, i);
    bool is_of_one = is_of_one_group(fit, &group->rows, i);
    char term[MODEL_NAME_BYTES];

    snprintf(term, sizeof(term), "%sset%.0f", is_of_one ? "group." : "", bytes);
    struct parameter *p = fit_add_row(fit, group->name, term, &group->rows, i);
    if (!p)
        return fit_out_of_memory(fit);
    snprintf(p->form, sizeof(p->form), "the fastest %s through %.0f bytes",
             is_of_one ? "work-group" : "launch", bytes);
    p->working_sets = (struct interval){bytes, bytes};
    if (is_of_one)
        p->least_threads = p->most_threads = (unsigned)record_threads(record);
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
