#include "report/plot-data.h"

#include "base/stats.h"
#include "drawing/scale.h"
#include "model/fit.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void plot_data_free(struct plot_data *data)
{
    free(data->point);
    memset(data, 0, sizeof(*data));
}

void plot_data_add(struct plot_data *data, const struct plot_point *point)
{
    if (data->count == data->room) {
        size_t room = data->room ? 2 * data->room : 64;
        struct plot_point *more = realloc(data->point, room * sizeof(*more));

        if (!more) {
            data->out_of_memory = true;
            return;
        }
        data->point = more;
        data->room = room;
    }
    data->point[data->count++] = *point;
}

void plot_data_note(struct plot_data *data, const char *format, ...)
{
    size_t used = strlen(data->note);
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(data->note + used, sizeof(data->note) - used, format, arguments);
    va_end(arguments);
}

/* Like strcmp(), but runs of digits compare as numbers. */
static int compare_names(const char *a, const char *b)
{
    while (*a && *b) {
        if (isdigit((unsigned char)*a) && isdigit((unsigned char)*b)) {
            char *a_end, *b_end;
            unsigned long left = strtoul(a, &a_end, 10), right = strtoul(b, &b_end, 10);

            if (left != right)
                return left < right ? -1 : 1;
            a = a_end;
            b = b_end;
        } else if (*a != *b) {
            break;
        } else {
            a++;
            b++;
        }
    }
    return (unsigned char)*a - (unsigned char)*b;
}

static int compare_points(const void *left, const void *right)
{
    const struct plot_point *a = left;
    const struct plot_point *b = right;
    int order = (a->order > b->order) - (a->order < b->order);

    if (!order)
        order = compare_names(a->panel, b->panel);
    if (!order)
        order = compare_names(a->category, b->category);
    if (!order)
        order = compare_names(a->series, b->series);
    if (!order)
        order = strcmp(a->style, b->style);
    if (!order)
        order = (a->x > b->x) - (a->x < b->x);
    return order ? order : (a->y > b->y) - (a->y < b->y);
}

void plot_data_sort(struct plot_data *data)
{
    if (data->count)
        qsort(data->point, data->count, sizeof(*data->point), compare_points);
}

double plot_axis(const struct plot_point *point, const char *axis)
{
    const struct record *r = point->record;

    if (!strcmp(axis, "subgroup_size"))
        return r->subgroup_size;
    if (!strcmp(axis, "workgroup_size"))
        return r->workgroup_size;
    if (!strcmp(axis, "workgroup_count"))
        return r->workgroup_count;
    if (!strcmp(axis, "threads"))
        return record_threads(r);
    if (!strcmp(axis, "work_items"))
        return (double)r->workgroup_size * r->workgroup_count;
    if (!strcmp(axis, "in_flight"))
        return point->in_flight;
    return record_parameter(r, axis, NAN);
}

/* The values of an axis, sorted; those that rows do not have are left out. Returns how many there
 * are. `values` has room for one of each row. */
static size_t axis_values(const struct plot_data *data, const char *axis, double *values)
{
    size_t count = 0;

    for (size_t i = 0; i < data->count; i++) {
        double value = plot_axis(&data->point[i], axis);

        if (!isnan(value))
            values[count++] = value;
    }
    stats_sort(values, count);
    return count;
}

/* How many of the sorted values are the same from the first on. */
static size_t run_length(const double *values, size_t count)
{
    size_t length = 1;

    while (length < count && values[length] == values[0])
        length++;
    return length;
}

/* Breaks ties between values with equally many rows: prefers the smallest, but sub-group size 16,
 * which all devices have. */
static bool is_preferred_value(const char *axis, double value, double other)
{
    if (!strcmp(axis, "subgroup_size") && (value == 16.0 || other == 16.0))
        return value == 16.0;
    return value < other;
}

static double fullest_value(const double *values, size_t count, const char *axis, size_t *most)
{
    double best = NAN;

    *most = 0;
    for (size_t i = 0, rows; i < count; i += rows) {
        rows = run_length(values + i, count - i);
        if (rows > *most || (rows == *most && is_preferred_value(axis, values[i], best))) {
            best = values[i];
            *most = rows;
        }
    }
    return best;
}

static double largest_value(const double *values, size_t count, const char *axis)
{
    size_t most;
    double value = fullest_value(values, count, axis, &most);

    for (size_t i = 0, rows; i < count; i += rows) {
        rows = run_length(values + i, count - i);
        if (values[i] > value && 2 * rows >= most)
            value = values[i];
    }
    return value;
}

/* NAN if no row has the axis. */
static double chosen_value(struct plot_data *data, const char *axis, bool is_largest)
{
    size_t most;
    double *values = malloc((data->count + 1) * sizeof(*values));

    if (!values) {
        data->out_of_memory = true;
        return NAN;
    }
    size_t count = axis_values(data, axis, values);
    double value =
        is_largest ? largest_value(values, count, axis) : fullest_value(values, count, axis, &most);
    free(values);
    return value;
}

/* " Working set 64 KiB.", as the axis is called, in words. */
static void note_other(struct plot_data *data, const char *axis, double value)
{
    const struct scale scale = {.is_bytes = !strcmp(axis, "working_set")};
    char text[SCALE_TEXT_BYTES], name[PLOT_TEXT_BYTES];

    snprintf(name, sizeof(name), "%s", axis);
    name[0] = (char)toupper((unsigned char)name[0]);
    for (char *c = name; *c; c++)
        *c = *c == '_' ? ' ' : *c;
    scale_text(&scale, value, text);
    plot_data_note(data, " %s %s.", name, text);
}

static void note_slice(struct plot_data *data, const char *axis, double value)
{
    const struct scale bytes = {.is_bytes = true};
    char text[SCALE_TEXT_BYTES];

    if (!strcmp(axis, "threads"))
        plot_data_note(data, " Work-groups of %g hardware thread%s.", value,
                       value == 1.0 ? "" : "s");
    else if (!strcmp(axis, "workgroup_count"))
        plot_data_note(data, " %g work-group%s.", value, value == 1.0 ? "" : "s");
    else if (!strcmp(axis, "subgroup_size"))
        plot_data_note(data, " Sub-groups of %g.", value);
    else if (!strcmp(axis, "work_items"))
        plot_data_note(data, " %g work-items in a launch.", value);
    else if (!strcmp(axis, "in_flight")) {
        scale_text(&bytes, value, text);
        plot_data_note(data, " %s in flight.", text);
    } else
        note_other(data, axis, value);
}

static void slice(struct plot_data *data, const char *axis, bool is_largest)
{
    double value = chosen_value(data, axis, is_largest);
    size_t kept = 0;

    /* No row has the axis: nothing to choose. */
    if (isnan(value))
        return;
    for (size_t i = 0; i < data->count; i++) {
        if (plot_axis(&data->point[i], axis) == value)
            data->point[kept++] = data->point[i];
    }
    data->count = kept;
    note_slice(data, axis, value);
}

void plot_data_slice(struct plot_data *data, const char *axis)
{
    slice(data, axis, false);
}

void plot_data_slice_largest(struct plot_data *data, const char *axis)
{
    slice(data, axis, true);
}

bool plot_data_varies(const struct plot_data *data, const char *axis)
{
    for (size_t i = 1; i < data->count; i++) {
        if (plot_axis(&data->point[i], axis) != plot_axis(&data->point[0], axis))
            return true;
    }
    return false;
}

size_t plot_data_different_x(const struct plot_data *data)
{
    double *values = malloc((data->count + 1) * sizeof(*values));
    size_t count = 0, different = 0;

    if (!values)
        return data->count;
    for (size_t i = 0; i < data->count; i++) {
        different += isnan(data->point[i].x);
        if (!isnan(data->point[i].x))
            values[count++] = data->point[i].x;
    }
    stats_sort(values, count);
    for (size_t i = 0; i < count; i += run_length(values + i, count - i))
        different++;
    free(values);
    return different;
}

size_t plot_data_panel(const struct plot_data *data, size_t first)
{
    size_t end = first;

    while (end < data->count && !strcmp(data->point[end].panel, data->point[first].panel))
        end++;
    return end - first;
}

size_t plot_data_run(const struct plot_data *data, size_t first)
{
    size_t end = first;

    while (end < data->count && !strcmp(data->point[end].panel, data->point[first].panel) &&
           !strcmp(data->point[end].series, data->point[first].series))
        end++;
    return end - first;
}
