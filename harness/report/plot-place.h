/* For functions that place a row in a plot: see struct plot. */
#ifndef VEBENCH_PLOT_PLACE_H
#define VEBENCH_PLOT_PLACE_H

#include "report/plot-data.h"

/* Copies to a text of a point, which holds PLOT_TEXT_BYTES. */
void plot_text(char *text, const char *value);

/* "float" of "f32", and so on. */
const char *plot_type_name(const char *type);

/* Makes the sub-group size the series, or the panel. */
void plot_series_by_size(const struct record *record, struct plot_point *point);
void plot_panel_by_size(const struct record *record, struct plot_point *point);

/* A variant and the title of its panel. */
struct plot_panel {
    const char *name;
    const char *panel;
};

/* Panels in the order of the list; false if the name is not in it. */
bool plot_panel_by_name(const char *name, const struct plot_panel *list, size_t count,
                        struct plot_point *point);

#endif
