/* gnuplot, run as a program on files of a folder. */
#ifndef VEBENCH_GNUPLOT_H
#define VEBENCH_GNUPLOT_H

#include "base/error.h"
#include "page/plots.h"

/* The script that draws this shape: its file name, and its lines, ending with NULL, which are part
 * of the program. */
const char *gnuplot_script_name(enum plot_shape shape);
const char *const *gnuplot_script_lines(enum plot_shape shape);

/* Draws DIRECTORY/NAME.csv into DIRECTORY/NAME.svg and .png with the script in the folder.
 * STATUS_FAILED, saying what to install, where there is no gnuplot. */
enum status gnuplot_draw(const struct plot *plot, const char *name, const char *title,
                         const char *directory, struct error *error);

#endif
