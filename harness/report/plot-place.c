#include "report/plot-place.h"

#include <string.h>

void plot_text(char *text, const char *value)
{
    snprintf(text, PLOT_TEXT_BYTES, "%s", value);
}

const char *plot_type_name(const char *type)
{
    static const char *const names[][2] = {
        {"f16", "half"}, {"f32", "float"}, {"f64", "double"}, {"i32", "int"}};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (!strcmp(type, names[i][0]))
            return names[i][1];
    }
    return type;
}

void plot_series_by_size(const struct record *r, struct plot_point *point)
{
    snprintf(point->series, sizeof(point->series), "SIMD%u", r->subgroup_size);
    point->series_size = r->subgroup_size;
}

void plot_panel_by_size(const struct record *r, struct plot_point *point)
{
    snprintf(point->panel, sizeof(point->panel), "sub-groups of %u", r->subgroup_size);
    point->panel_size = r->subgroup_size;
}

bool plot_panel_by_name(const char *name, const struct plot_panel *list, size_t count,
                        struct plot_point *point)
{
    for (size_t i = 0; i < count; i++) {
        if (!strcmp(name, list[i].name)) {
            plot_text(point->panel, list[i].panel);
            point->order = (unsigned)i;
            return true;
        }
    }
    return false;
}
