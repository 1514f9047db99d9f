/* Row sets for the fits, and the groups of a family's rows. */
#include "model/fit.h"

#include "base/stats.h"
#include "base/unit.h"
#include "model/parameter-name.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum status row_set_allocate(struct row_set *rows, const struct fit *fit, size_t most)
{
    rows->count = 0;
    rows->index = calloc(most + 1, sizeof(*rows->index));
    rows->y = calloc(most + 1, sizeof(*rows->y));
    rows->sd = calloc(most + 1, sizeof(*rows->sd));
    rows->columns = calloc((most + 1) * FORM_TERMS_MAX, sizeof(*rows->columns));
    if (rows->index && rows->y && rows->sd && rows->columns)
        return STATUS_OK;
    row_set_free(rows);
    return error_out_of_memory(fit->error);
}

void row_set_free(struct row_set *rows)
{
    free(rows->index);
    free(rows->y);
    free(rows->sd);
    free(rows->columns);
    memset(rows, 0, sizeof(*rows));
}

void row_set_move(struct row_set *rows, size_t to, size_t from)
{
    rows->index[to] = rows->index[from];
    rows->y[to] = rows->y[from];
    rows->sd[to] = rows->sd[from];
}

static bool is_time(const struct record *record)
{
    return unit_is_time(record->unit) && record_has_interval(record);
}

static void row_set_add(struct row_set *rows, const struct fit *fit, size_t index)
{
    const struct record *record = &fit->records->record[index];
    double scale = fit->in_cycles ? record->clock_mhz / 1000.0 : 1.0;

    rows->index[rows->count] = index;
    rows->y[rows->count] = record->value * scale;
    rows->sd[rows->count] = record_half_interval(record) / STATS_Z975 * scale;
    rows->count++;
}

void row_set_take(struct row_set *rows, const struct fit *fit, const struct row_run *run)
{
    rows->count = 0;
    for (size_t i = 0; i < run->count; i++)
        row_set_add(rows, fit, (size_t)(run->row[i] - fit->records->record));
}

static bool belongs(const struct record *record, const char *family)
{
    return record->usable && is_time(record) && record->subgroup_size > 0 &&
           !strcmp(record->benchmark, family);
}

static int by_group(const void *left, const void *right)
{
    const struct record *a = *(const struct record *const *)left;
    const struct record *b = *(const struct record *const *)right;
    int order = strcmp(a->variant, b->variant);

    return order ? order
                 : (a->subgroup_size > b->subgroup_size) - (a->subgroup_size < b->subgroup_size);
}

enum status fit_begin(struct fit *fit, const char *family, struct fit_group *group)
{
    const struct records *records = fit->records;
    const struct record **row = calloc(records->count + 1, sizeof(*row));
    char command[MODEL_COMMAND_BYTES];
    size_t count = 0;

    *group = (struct fit_group){.family = family};
    for (size_t i = 0; row && i < records->count; i++) {
        if (belongs(&records->record[i], family))
            row[count++] = &records->record[i];
    }
    enum status status = row_runs_make(&group->runs, row, count, by_group, fit->error);
    if (status != STATUS_OK || count > 0)
        return status == STATUS_OK ? row_set_allocate(&group->rows, fit, count) : status;
    snprintf(command, sizeof(command), "vebench run %s", family);
    return fit_absent(fit, family, "no usable row of this family", command);
}

bool fit_next(const struct fit *fit, struct fit_group *group)
{
    const struct row_run *run = &group->runs.run[group->next];

    if (group->next == group->runs.count)
        return false;
    group->next++;
    group->variant = run->row[0]->variant;
    group->subgroup_size = run->row[0]->subgroup_size;
    parameter_name(group->name, group->family, group->variant, group->subgroup_size);
    row_set_take(&group->rows, fit, run);
    return true;
}

void fit_end(struct fit_group *group)
{
    row_runs_free(&group->runs);
    row_set_free(&group->rows);
}
