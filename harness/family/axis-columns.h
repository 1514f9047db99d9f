/* A column of results and samples for each axis that a family has as its own, so that nobody needs
 * to take the column `parameters` apart. They follow those of base/columns.h, and are the same for
 * all runs of a program, whatever is measured. */
#ifndef VEBENCH_AXIS_COLUMNS_H
#define VEBENCH_AXIS_COLUMNS_H

#include "base/columns.h"
#include "family/family.h"

#define AXIS_COLUMNS_MAX 48

/* The names, in the order of families and their tables, each once. */
struct axis_columns {
    const char *name[AXIS_COLUMNS_MAX];
    size_t count;
};

/* STATUS_FAILED for more axes than there is room for, and for one called as a fixed column. */
enum status axis_columns_fill(struct axis_columns *axes, const struct family_list *families,
                              struct error *error);

/* Write the header, and a row, of `count` fixed columns and those of the axes. `row` is the struct
 * of the fixed ones, `size` its bytes; axes that the family lacks are empty. Errors as
 * csv_end_row(). */
enum status axis_columns_write_header(const struct axis_columns *axes, const struct column *fixed,
                                      size_t count, struct csv *csv, struct error *error);
enum status axis_columns_write_row(const struct axis_columns *axes, const struct column *fixed,
                                   size_t count, const void *row, size_t size,
                                   const struct family *family,
                                   const struct configuration *configuration, struct csv *csv,
                                   struct error *error);

#endif
