/* The page of two results: what changed from one to the other, sorted by size. */
#ifndef VEBENCH_SIDE_BY_SIDE_H
#define VEBENCH_SIDE_BY_SIDE_H

#include "compare/compare.h"

struct side_by_side {
    const char *base_path, *new_path;
    const struct comparisons *comparisons;
    double threshold; /* smaller relative changes count as none */
};

/* Makes the folder with index.html, its drawing as changes.svg, and every comparison as
 * changes.csv. STATUS_FAILED if one cannot be written. */
enum status side_by_side_write(const struct side_by_side *sides, const char *folder,
                               struct error *error);

#endif
