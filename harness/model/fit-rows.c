/* The rows that a fitter works on: sets of them, and the groups of a family. */
#include "model/fit.h"

#include "base/stats.h"
#include "base/unit.h"
#include "model/parameter-name.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum status row_set_allocate(struct row_set *rows, const struct fit *fit)
{
    size_t count = fit->records->count + 1;

    rows->count = 0;
    rows->index = calloc(count, sizeof *rows->index);
    rows->y = calloc(count, sizeof *rows->y);
    rows->sd = calloc(count, sizeof *rows->sd);
    rows->columns = calloc(count * FORM_TERMS_MAX, sizeof *rows->columns);
    if (rows->index && rows->y && rows->sd && rows->columns)
        return STATUS_OK;
    row_set_free(rows);
    return error_set(fit->error, STATUS_FAILED, "out of memory");
}

void row_set_free(struct row_set *rows)
{
    free(rows->index);
    free(rows->y);
    free(rows->sd);
    free(rows->columns);
    memset(rows, 0, sizeof *rows);
}

static bool is_time(const struct record *record)
{
    return unit_is_time(record->unit) && isfinite(record->ci95_lo_ns) &&
           isfinite(record->ci95_hi_ns);
}

void row_set_add(struct row_set *rows, const struct fit *fit, size_t index)
{
    const struct record *record = &fit->records->record[index];
    double scale = fit->in_cycles ? record->clock_mhz / 1000.0 : 1.0;

    rows->index[rows->count] = index;
    rows->y[rows->count] = record->value * scale;
    rows->sd[rows->count] = (record->ci95_hi_ns - record->ci95_lo_ns) / 2.0 / STATS_Z975 * scale;
    rows->count++;
}

static bool belongs(const struct record *record, const char *family)
{
    return record->usable && is_time(record) && record->subgroup_size > 0 &&
           !strcmp(record->benchmark, family);
}

void row_set_select(struct row_set *rows, const struct fit *fit, const char *family,
                    const char *variant, unsigned subgroup_size)
{
    rows->count = 0;
    for (size_t i = 0; i < fit->records->count; i++) {
        const struct record *r = &fit->records->record[i];

        if (belongs(r, family) && !strcmp(r->variant, variant) && r->subgroup_size == subgroup_size)
            row_set_add(rows, fit, i);
    }
}

enum status fit_begin(struct fit *fit, const char *family, struct fit_group *group)
{
    char command[MODEL_COMMAND_BYTES];
    size_t first = 0;

    memset(group, 0, sizeof *group);
    group->family = family;
    group->seen = calloc(fit->records->count + 1, sizeof *group->seen);
    if (!group->seen)
        return fit_out_of_memory(fit);
    while (first < fit->records->count && !belongs(&fit->records->record[first], family))
        first++;
    if (first < fit->records->count)
        return row_set_allocate(&group->rows, fit);
    snprintf(command, sizeof command, "vebench run %s", family);
    return fit_absent(fit, family, "no usable row of this family", command);
}

bool fit_next(const struct fit *fit, struct fit_group *group)
{
    size_t next = 0;

    while (next < fit->records->count &&
           (group->seen[next] || !belongs(&fit->records->record[next], group->family)))
        next++;
    if (next == fit->records->count)
        return false;
    group->variant = fit->records->record[next].variant;
    group->subgroup_size = fit->records->record[next].subgroup_size;
    parameter_name(group->name, group->family, group->variant, group->subgroup_size);
    row_set_select(&group->rows, fit, group->family, group->variant, group->subgroup_size);
    for (size_t i = 0; i < group->rows.count; i++)
        group->seen[group->rows.index[i]] = true;
    return true;
}

void fit_end(struct fit_group *group)
{
    free(group->seen);
    row_set_free(&group->rows);
}
