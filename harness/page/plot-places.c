#include "page/plot-places.h"

#include "model/fit.h"

#include <stdlib.h>
#include <string.h>

static void set(char *text, const char *value)
{
    snprintf(text, PLOT_TEXT_BYTES, "%s", value);
}

/* Series are the sub-group sizes. */
static void series_by_size(const struct record *r, struct plot_point *point)
{
    snprintf(point->series, sizeof point->series, "SIMD%u", r->subgroup_size);
}

/* Panels are the sub-group sizes. */
static void panel_by_size(const struct record *r, struct plot_point *point)
{
    snprintf(point->panel, sizeof point->panel, "sub-groups of %u", r->subgroup_size);
}

struct named {
    const char *name;
    const char *panel;
};

static bool panel_by_name(const char *name, const struct named *list, size_t count,
                          struct plot_point *point)
{
    for (size_t i = 0; i < count; i++) {
        if (!strcmp(name, list[i].name)) {
            set(point->panel, list[i].panel);
            point->order = (unsigned)i;
            return true;
        }
    }
    return false;
}

bool place_barrier(const struct record *r, struct plot_point *point)
{
    static const struct named panels[] = {
        {"work_group_none", "work-group barrier, no fence"},
        {"work_group_local", "work-group barrier, local fence"},
        {"work_group_global", "work-group barrier, global fence"},
        {"work_group_both", "work-group barrier, both fences"},
    };

    series_by_size(r, point);
    point->x = r->workgroup_size;
    return panel_by_name(r->variant, panels, 4, point);
}

bool place_latency(const struct record *r, struct plot_point *point)
{
    static const struct named panels[] = {
        {"global_uniform", "global memory, one address for all lanes"},
        {"global_divergent", "global memory, an address for each lane"},
        {"slm_uniform", "shared local memory, one address for all lanes"},
        {"slm_divergent", "shared local memory, an address for each lane"},
    };

    series_by_size(r, point);
    point->x = record_parameter(r, "working_set", 0.0);
    return r->workgroup_count == 1 && r->workgroup_size <= r->subgroup_size &&
           panel_by_name(r->variant, panels, 4, point);
}

/* Loads, stores, copies. */
static unsigned operation_order(const char *variant)
{
    return !strncmp(variant, "load", 4) ? 0 : !strncmp(variant, "store", 5) ? 1 : 2;
}

/* "load_vec4": panel "load", and the pattern, with the stride where it is not 1. */
static bool split_pattern(const struct record *r, struct plot_point *point, char *pattern)
{
    const char *gap = strchr(r->variant, '_');
    double stride = record_parameter(r, "stride", 1.0);

    if (!gap)
        return false;
    snprintf(point->panel, sizeof point->panel, "%.*s of %s-bit elements", (int)(gap - r->variant),
             r->variant, r->benchmark + strlen("memory_"));
    point->order = operation_order(r->variant);
    if (stride != 1.0)
        snprintf(pattern, PLOT_TEXT_BYTES, "%.40s_by_%g", gap + 1, stride);
    else
        set(pattern, gap + 1);
    return true;
}

bool place_pattern(const struct record *r, struct plot_point *point)
{
    series_by_size(r, point);
    return split_pattern(r, point, point->category);
}

bool place_in_flight(const struct record *r, struct plot_point *point)
{
    /* Those that differ most. */
    static const char *const shown[] = {"item", "subgroup", "vec4", "block4", "gather"};

    point->x = fit_bytes_in_flight(r);
    if (!split_pattern(r, point, point->series))
        return false;
    for (size_t i = 0; i < sizeof shown / sizeof shown[0]; i++) {
        if (!strcmp(point->series, shown[i]))
            return true;
    }
    return false;
}

bool place_slm(const struct record *r, struct plot_point *point)
{
    panel_by_size(r, point);
    set(point->series, r->variant);
    point->x = record_parameter(r, "stride", 0.0);
    return point->x > 0.0;
}

static bool ends_with(const char *text, const char *end)
{
    return strlen(text) >= strlen(end) && !strcmp(text + strlen(text) - strlen(end), end);
}

bool place_exchange(const struct record *r, struct plot_point *point)
{
    static const char *const ways[] = {"_slm_group", "_slm", ""};
    static const char *const names[] = {"slm+barrier", "slm", "registers"};
    size_t way = 0;

    while (!ends_with(r->variant, ways[way]))
        way++;
    panel_by_size(r, point);
    set(point->series, names[way]);
    snprintf(point->category, sizeof point->category, "%.*s",
             (int)(strlen(r->variant) - strlen(ways[way])), r->variant);
    return true;
}

bool place_atomics(const struct record *r, struct plot_point *point)
{
    double sharers = record_parameter(r, "sharers", 1.0);

    panel_by_size(r, point);
    set(point->category, r->variant);
    if (sharers >= 65536.0)
        set(point->series, "one_cell_for_all");
    else if (sharers <= 1.0)
        set(point->series, "a_cell_each");
    else
        snprintf(point->series, sizeof point->series, "%g_to_a_cell", sharers);
    return true;
}

bool place_divergence(const struct record *r, struct plot_point *point)
{
    panel_by_size(r, point);
    set(point->series, r->variant);
    point->x = record_parameter(r, "paths", 0.0);
    return strstr(r->variant, "_divergent") && point->x > 1.0;
}

bool place_registers(const struct record *r, struct plot_point *point)
{
    const char *gap = strchr(r->variant, '_');

    if (!gap)
        return false;
    panel_by_size(r, point);
    snprintf(point->series, sizeof point->series, "%.*s", (int)(gap - r->variant), r->variant);
    point->x = strtod(gap + 1, NULL);
    return true;
}

bool place_transpose(const struct record *r, struct plot_point *point)
{
    panel_by_size(r, point);
    set(point->category, r->variant);
    snprintf(point->series, sizeof point->series, "side_%g", record_parameter(r, "side", 0.0));
    return true;
}

/* "broadcast_block_float": panel "float". */
bool place_matmul(const struct record *r, struct plot_point *point)
{
    const char *type = strrchr(r->variant, '_');

    if (!type)
        return false;
    snprintf(point->panel, sizeof point->panel, "elements of type %s", type + 1);
    snprintf(point->category, sizeof point->category, "%.*s", (int)(type - r->variant), r->variant);
    series_by_size(r, point);
    return true;
}
