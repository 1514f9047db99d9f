/* One self-contained HTML page about a results file: what was measured on what, what matters, a
 * plot for each question, and everything that stands in the way of believing it. */
#ifndef VEBENCH_PAGE_H
#define VEBENCH_PAGE_H

#include "records.h"

/* Makes the folder with index.html, and each plot as SVG and PNG with its data as CSV and the
 * script that draws it. The page itself needs none of them. A plot that has no rows is a sentence
 * that says how to get them. STATUS_FAILED where the folder cannot be written or gnuplot fails. */
enum status page_write(const struct records *records, const char *directory, struct error *error);

#endif
