#include "compare/compare-rows.h"

#include "base/columns.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* A comparison as a row of CSV or JSON. */
struct comparison_row {
    const char *verdict, *benchmark, *variant, *parameters, *unit;
    unsigned subgroup_size, new_subgroup_size, workgroup_size, new_workgroup_size, workgroup_count;
    double change, change_error, probability, base_ns, new_ns, common_change;
    const char *device, *device_kind, *new_device, *new_device_kind;
};

#define COLUMN(type, member, unit, meaning)                                                        \
    {                                                                                              \
#member, type, true, offsetof(struct comparison_row, member), unit, meaning                \
    }

static const struct column compare_columns[] = {
    COLUMN(COLUMN_TEXT, verdict, "", "SLOWER, FASTER, UNCLEAR or SAME"),
    COLUMN(COLUMN_REAL, change, "", "of the mean, relative, beside `common_change`"),
    COLUMN(COLUMN_REAL, change_error, "", "half the 95 % interval of `change`"),
    COLUMN(COLUMN_REAL, common_change, "", "of all rows, relative"),
    COLUMN(COLUMN_REAL, probability, "", "that chance makes such a change, corrected"),
    COLUMN(COLUMN_REAL, base_ns, "ns", "mean in the first file, or of runs"),
    COLUMN(COLUMN_REAL, new_ns, "ns", "the same in the second"),
    COLUMN(COLUMN_TEXT, benchmark, "", "family"),
    COLUMN(COLUMN_TEXT, variant, "", "variant"),
    COLUMN(COLUMN_TEXT, unit, "", "of the means"),
    COLUMN(COLUMN_SIZE, subgroup_size, "work-items", "in the first file"),
    COLUMN(COLUMN_SIZE, new_subgroup_size, "work-items", "in the second"),
    COLUMN(COLUMN_SIZE, workgroup_size, "work-items", "in the first file"),
    COLUMN(COLUMN_SIZE, new_workgroup_size, "work-items", "in the second"),
    COLUMN(COLUMN_SIZE, workgroup_count, "work-groups", "in both"),
    COLUMN(COLUMN_TEXT, parameters, "", "of both"),
    COLUMN(COLUMN_TEXT, device, "", "of the first file"),
    COLUMN(COLUMN_TEXT, device_kind, "", "hardware or emulated"),
    COLUMN(COLUMN_TEXT, new_device, "", "of the second file"),
    COLUMN(COLUMN_TEXT, new_device_kind, "", "hardware or emulated"),
};

#define COLUMN_COUNT (sizeof(compare_columns) / sizeof(compare_columns[0]))

static int rank_of(enum change verdict)
{
    static const int ranks[CHANGE_COUNT] = {
        [CHANGE_SLOWER] = 0, [CHANGE_FASTER] = 1, [CHANGE_UNCLEAR] = 2, [CHANGE_SAME] = 3};

    return ranks[verdict];
}

static int compare_changes(const void *left, const void *right)
{
    const struct comparison *a = *(const struct comparison *const *)left;
    const struct comparison *b = *(const struct comparison *const *)right;
    int order = rank_of(a->verdict) - rank_of(b->verdict);

    if (!order)
        order = (fabs(a->change) < fabs(b->change)) - (fabs(a->change) > fabs(b->change));
    return order ? order : record_order(&a->base, &b->base);
}

const struct comparison **comparisons_sorted(const struct comparisons *comparisons, bool all,
                                             size_t *count)
{
    const struct comparison **sorted = calloc(comparisons->count + 1, sizeof(*sorted));

    *count = 0;
    for (size_t i = 0; sorted && i < comparisons->count; i++) {
        const struct comparison *c = &comparisons->comparison[i];

        if (all || c->verdict == CHANGE_SLOWER || c->verdict == CHANGE_FASTER)
            sorted[(*count)++] = c;
    }
    if (sorted)
        qsort(sorted, *count, sizeof(*sorted), compare_changes);
    return sorted;
}

static void append(char text[COMPARISON_PLACE_BYTES], const char *format, ...)
{
    size_t used = strlen(text);
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text + used, COMPARISON_PLACE_BYTES - used, format, arguments);
    va_end(arguments);
}

const char *comparison_place(const struct comparison *c, char text[COMPARISON_PLACE_BYTES])
{
    const struct record *base = c->base, *new = c->new;

    text[0] = '\0';
    append(text, "%s ", base->benchmark);
    if (strcmp(base->variant, new->variant) != 0)
        append(text, "%s instead of ", new->variant);
    append(text, "%s, sub-group ", base->variant);
    if (new->subgroup_size != base->subgroup_size)
        append(text, "%u instead of ", new->subgroup_size);
    append(text, "%u, work-group ", base->subgroup_size);
    if (new->workgroup_count != base->workgroup_count)
        append(text, "%u instead of ", new->workgroup_count);
    append(text, "%u x ", base->workgroup_count);
    if (new->workgroup_size != base->workgroup_size)
        append(text, "%u instead of ", new->workgroup_size);
    append(text, "%u%s%s", base->workgroup_size, base->parameters[0] ? ", " : "", base->parameters);
    return text;
}

struct comparison_times comparison_times(const struct comparison *c)
{
    const struct record *base = c->base, *new = c->new;
    enum time_unit unit = record_time_unit(base, TIME_NS), other = record_time_unit(new, TIME_NS);
    struct comparison_times times;

    unit = unit == other ? unit : TIME_NS; /* one of the two has no clock */
    times.base = c->base_ns * time_unit_per_ns(unit, base->clock_mhz);
    times.new = c->new_ns *time_unit_per_ns(unit, new->clock_mhz);
    unit_shown(base->unit, unit, times.unit);
    return times;
}

static struct comparison_row row_of(const struct comparisons *all, const struct comparison *c)
{
    return (struct comparison_row){
        .verdict = change_name(c->verdict),
        .benchmark = c->base->benchmark,
        .variant = c->base->variant,
        .parameters = c->base->parameters,
        .unit = c->base->unit,
        .subgroup_size = c->base->subgroup_size,
        .new_subgroup_size = c->new->subgroup_size,
        .workgroup_size = c->base->workgroup_size,
        .new_workgroup_size = c->new->workgroup_size,
        .workgroup_count = c->base->workgroup_count,
        .change = c->change,
        .change_error = c->change_error,
        .probability = c->probability,
        .base_ns = c->base_ns,
        .new_ns = c->new_ns,
        .device = all->base->device_name,
        .device_kind = all->base->device_kind,
        .new_device = all->new->device_name,
        .new_device_kind = all->new->device_kind,
        .common_change = all->shift.change,
    };
}

enum status comparisons_write(struct csv *csv, const struct comparisons *comparisons,
                              const struct comparison *const *sorted, size_t count,
                              struct error *error)
{
    enum status status = columns_write_header(compare_columns, COLUMN_COUNT, csv, error);

    for (size_t i = 0; status == STATUS_OK && i < count; i++) {
        struct comparison_row row = row_of(comparisons, sorted[i]);

        status = columns_write_row(compare_columns, COLUMN_COUNT, &row, csv, error);
    }
    return status == STATUS_OK ? columns_write_end(csv, error) : status;
}
