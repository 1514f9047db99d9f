/* The drawings as files beside the page. Each says on its face which device it is of. */
#ifndef VEBENCH_EXPORT_H
#define VEBENCH_EXPORT_H

#include "page/plot-view.h"

#define EXPORT_NAME_BYTES 160
#define EXPORTS_MAX       256

struct export
{
    const char *directory; /* borrowed */
    const struct records *records;
    char name[EXPORTS_MAX][EXPORT_NAME_BYTES]; /* of the drawings so far */
    size_t count;
};

/* NAME.svg, and NAME.csv with the marks `first` to `first + count`; NAME is of the plot and of the
 * marks' group. `inside` as drawing_write() takes it. */
enum status export_drawing(struct export *export, const struct plot_view *view, size_t first,
                           size_t count, double height, const char *inside, struct error *error);

/* Makes NAME.png of each drawing with rsvg-convert; without it there are none. */
enum status export_pictures(const struct export *export, struct error *error);

#endif
