/* A self-contained HTML page about results: what was measured on which device, what to change in a
 * kernel, a plot per question, how a model explains the results, and all reasons to doubt them. */
#ifndef VEBENCH_PAGE_H
#define VEBENCH_PAGE_H

#include "report/plots.h"

/* Creates the folder with index.html and each drawing as SVG with its data as CSV, and as PNG if
 * rsvg-convert is installed. The page itself needs none of these files. A plot without rows becomes
 * a sentence that says how to get them. STATUS_FAILED if the model is of a device other than the
 * rows', or the folder cannot be written. */
enum status page_write(const struct plot_source *source, const char *directory,
                       struct error *error);

#endif
