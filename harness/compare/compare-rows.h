/* Comparisons as rows and as text, in the order in which one reads them. */
#ifndef VEBENCH_COMPARE_ROWS_H
#define VEBENCH_COMPARE_ROWS_H

#include "base/csv.h"
#include "compare/compare.h"

/* Those that changed, or with `all` every one: slower ones first, then faster ones, the largest
 * change first. The caller frees the array; NULL: out of memory. */
const struct comparison **comparisons_sorted(const struct comparisons *comparisons, bool all,
                                             size_t *count);

#define COMPARISON_PLACE_BYTES 400

/* "barrier work_group_local, sub-group 32 instead of 16, work-group 1 x 64, bytes=4" */
const char *comparison_place(const struct comparison *comparison,
                             char text[COMPARISON_PLACE_BYTES]);

/* Writes a header and a row for each of `sorted`, in the format of `csv`. */
enum status comparisons_write(struct csv *csv, const struct comparisons *comparisons,
                              const struct comparison *const *sorted, size_t count,
                              struct error *error);

/* A comparison's two times as people see them: both in one unit. */
struct comparison_times {
    double base, new;
    char unit[UNIT_BYTES]; /* "ns/barrier" */
};

struct comparison_times comparison_times(const struct comparison *comparison);

#endif
