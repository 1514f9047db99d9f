/* The drawings as files next to the page. Each explains its colours, shapes and lines, and names
 * the device it was measured on. */
#ifndef VEBENCH_EXPORT_H
#define VEBENCH_EXPORT_H

#include "report/plot-view.h"

#define EXPORT_NAME_BYTES 160
#define EXPORTS_MAX       256

struct export
{
    const char *directory; /* borrowed */
    const struct records *records;
    char name[EXPORTS_MAX][EXPORT_NAME_BYTES]; /* of the drawings so far */
    size_t count;
};

/* Writes NAME.svg, and NAME.csv with the `count` marks from `first` on; NAME comes from the plot
 * and the marks' group. `inside` is as for drawing_write(). */
enum status export_drawing(struct export *export, const struct plot_view *view, size_t first,
                           size_t count, double height, const char *inside, struct error *error);

/* Makes a NAME.png of each drawing with rsvg-convert; none if that is not installed. */
enum status export_pictures(const struct export *export, struct error *error);

#endif
