#include "family/axis-columns.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define ROW_BYTES_MAX 1024

/* A row's struct, and the values of the axes behind it. */
struct wide_row {
    _Alignas(max_align_t) char fixed[ROW_BYTES_MAX];
    double axis[AXIS_COLUMNS_MAX];
};

_Static_assert(sizeof(struct results_row) <= ROW_BYTES_MAX, "a row has room");
_Static_assert(sizeof(struct samples_row) <= ROW_BYTES_MAX, "a row has room");

struct wide_columns {
    struct column column[RESULTS_COLUMNS + SAMPLES_COLUMNS + AXIS_COLUMNS_MAX];
    size_t count;
};

static size_t place_of(const struct axis_columns *axes, const char *name)
{
    size_t i = 0;

    while (i < axes->count && strcmp(axes->name[i], name) != 0)
        i++;
    return i;
}

static bool has_column(const struct column *columns, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++) {
        if (!strcmp(columns[i].name, name))
            return true;
    }
    return false;
}

static enum status add_axis(struct axis_columns *axes, const struct family *family,
                            const char *name, struct error *error)
{
    if (has_column(results_columns, RESULTS_COLUMNS, name) ||
        has_column(samples_columns, SAMPLES_COLUMNS, name) ||
        has_column(counters_columns, COUNTERS_COLUMNS, name))
        return error_set(error, STATUS_FAILED,
                         "family %s: its axis %s has the name of a column of results or samples; "
                         "take another",
                         family->name, name);
    if (place_of(axes, name) < axes->count)
        return STATUS_OK;
    if (axes->count == AXIS_COLUMNS_MAX)
        return error_set(error, STATUS_FAILED, "family %s: there are more than %d axes",
                         family->name, AXIS_COLUMNS_MAX);
    axes->name[axes->count++] = name;
    return STATUS_OK;
}

enum status axis_columns_fill(struct axis_columns *axes, const struct family_list *families,
                              struct error *error)
{
    enum status status = STATUS_OK;

    axes->count = 0;
    for (size_t f = 0; f < families->count; f++) {
        const struct family *family = families->family[f];

        for (size_t i = COMMON_AXES; status == STATUS_OK && i < family->axis_count; i++)
            status = add_axis(axes, family, family->axes[i].name, error);
    }
    return status;
}

static void widen(struct wide_columns *wide, const struct axis_columns *axes,
                  const struct column *fixed, size_t count)
{
    assert(count <= RESULTS_COLUMNS + SAMPLES_COLUMNS);
    memcpy(wide->column, fixed, count * sizeof(*fixed));
    for (size_t i = 0; i < axes->count; i++)
        wide->column[count + i] =
            (struct column){axes->name[i],
                            COLUMN_AMOUNT,
                            false,
                            offsetof(struct wide_row, axis) + i * sizeof(double),
                            "",
                            ""};
    wide->count = count + axes->count;
}

enum status axis_columns_write_header(const struct axis_columns *axes, const struct column *fixed,
                                      size_t count, struct csv *csv, struct error *error)
{
    struct wide_columns wide;

    widen(&wide, axes, fixed, count);
    return columns_write_header(wide.column, wide.count, csv, error);
}

enum status axis_columns_write_row(const struct axis_columns *axes, const struct column *fixed,
                                   size_t count, const void *row, size_t size,
                                   const struct family *family,
                                   const struct configuration *configuration, struct csv *csv,
                                   struct error *error)
{
    struct wide_columns wide;
    struct wide_row values;

    assert(size <= sizeof(values.fixed));
    widen(&wide, axes, fixed, count);
    memcpy(values.fixed, row, size);
    for (size_t i = 0; i < axes->count; i++)
        values.axis[i] = NAN;
    for (size_t i = COMMON_AXES; i < family->axis_count; i++) {
        size_t place = place_of(axes, family->axes[i].name);

        if (place < axes->count)
            values.axis[place] = configuration->own[i - COMMON_AXES];
    }
    return columns_write_row(wide.column, wide.count, &values, csv, error);
}
