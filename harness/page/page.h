/* One self-contained HTML page about results: what was measured on what, what to change in a
 * kernel, a plot for each question, what a model makes of it, and everything that stands in the way
 * of believing it. */
#ifndef VEBENCH_PAGE_H
#define VEBENCH_PAGE_H

#include "page/plots.h"

/* Makes the folder with index.html, and each drawing as SVG with its data as CSV, and as PNG where
 * there is rsvg-convert. The page itself needs none of them. A plot that has no rows is a sentence
 * that says how to get them. STATUS_FAILED where the model is of another device than the rows, or
 * the folder cannot be written. */
enum status page_write(const struct plot_source *source, const char *directory,
                       struct error *error);

#endif
