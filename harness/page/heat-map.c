/* The top of the page: every operation by sub-group size, with its best cell marked. */
#include "page/html.h"
#include "page/page-parts.h"
#include "page/plot-view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SIZES        3
#define MAP_ROWS_MAX 128
#define NOTHING      0.5 /* cycles */

static const unsigned map_sizes[SIZES] = {8, 16, 32};

struct cell {
    const struct plot_mark *mark; /* of the best way; NULL: not measured */
};

struct map_row {
    const char *group, *category;
    struct cell cell[SIZES];
};

struct map {
    const struct plot_view *view;
    double x; /* at which lines are compared; NaN: there is no x */
    struct map_row row[MAP_ROWS_MAX];
    size_t count;
};

static bool is_better(const struct plot_view *view, double a, double b)
{
    return view->plot->y == PLOT_TIME ? a < b : a > b;
}

static bool has_x(const struct plot_view *view)
{
    return view->plot->shape == PLOT_LINES;
}

/* The largest x at which two sub-group sizes were measured; NaN if there is none. */
static double common_x(const struct plot_view *view)
{
    double largest = NAN;

    for (size_t i = 0; i < view->count; i++) {
        const struct plot_mark *a = &view->mark[i];

        for (size_t j = 0; j < i && plot_mark_is_measured(a); j++) {
            const struct plot_mark *b = &view->mark[j];

            if (plot_mark_is_measured(b) && a->point->x == b->point->x &&
                a->subgroup_size != b->subgroup_size && !(a->point->x <= largest))
                largest = a->point->x;
        }
    }
    return largest;
}

/* The row of a mark, which is made if it is not there; NULL if the mark stands in none. */
static struct map_row *row_of(struct map *map, const struct plot_mark *mark)
{
    if (!plot_mark_is_measured(mark) || (has_x(map->view) && mark->point->x != map->x))
        return NULL;
    for (size_t i = 0; i < map->count; i++) {
        if (!strcmp(map->row[i].group, mark->group) &&
            !strcmp(map->row[i].category, mark->point->category))
            return &map->row[i];
    }
    if (map->count == MAP_ROWS_MAX)
        return NULL;
    map->row[map->count] = (struct map_row){mark->group, mark->point->category, {{NULL}}};
    return &map->row[map->count++];
}

static void collect(struct map *map)
{
    map->x = has_x(map->view) ? common_x(map->view) : NAN;
    for (size_t i = 0; i < map->view->count; i++) {
        const struct plot_mark *mark = &map->view->mark[i];
        struct map_row *row = row_of(map, mark);

        for (size_t s = 0; row && s < SIZES; s++) {
            struct cell *cell = &row->cell[s];

            if (mark->subgroup_size == map_sizes[s] &&
                (!cell->mark || is_better(map->view, mark->point->y, cell->mark->point->y)))
                cell->mark = mark;
        }
    }
}

static size_t measured_sizes(const struct map_row *row)
{
    size_t count = 0;

    for (size_t s = 0; s < SIZES; s++)
        count += row->cell[s].mark != NULL;
    return count;
}

/* Drops rows with a single size, which compare nothing. */
static void keep_comparisons(struct map *map)
{
    size_t kept = 0;

    for (size_t i = 0; i < map->count; i++) {
        if (measured_sizes(&map->row[i]) > 1)
            map->row[kept++] = map->row[i];
    }
    map->count = kept;
}

static const struct plot_mark *best_of(const struct map *map, const struct map_row *row)
{
    const struct plot_mark *best = NULL;

    for (size_t s = 0; s < SIZES; s++) {
        const struct plot_mark *mark = row->cell[s].mark;

        if (mark && (!best || is_better(map->view, mark->point->y, best->point->y)))
            best = mark;
    }
    return best;
}

/* A clock cycle in what the plot shows times in; 1 where the clock is unknown. */
static double cycle_of(const struct plot_mark *mark)
{
    const struct record *r = mark->point->record;
    double cycle = r ? plot_time(r) * 1000.0 / r->clock_mhz : NAN;

    return isfinite(cycle) ? cycle : 1.0;
}

/* Costs below half a cycle are nothing, and shown as such. */
static bool is_free(const struct map *map, const struct plot_mark *mark)
{
    return map->view->plot->y == PLOT_TIME && mark->point->y < NOTHING * cycle_of(mark);
}

/* Whether the mark cannot be told apart from the best: their intervals overlap, or both are
 * nothing. */
static bool is_as_good(const struct map *map, const struct plot_mark *mark,
                       const struct plot_mark *best)
{
    const struct plot_point *a = mark->point, *b = best->point;

    return mark == best || is_free(map, mark) ||
           (isfinite(a->lo) && isfinite(b->lo) && a->lo <= b->hi && b->lo <= a->hi);
}

/* From 0, as good as the best, to 5, at least four times as bad. A cost that is nothing counts as
 * one cycle. */
static unsigned shade_of(const struct map *map, const struct plot_mark *mark,
                         const struct plot_mark *best)
{
    bool cycles = map->view->plot->y == PLOT_TIME;
    double least = cycles ? cycle_of(best) : 1e-9;
    double a = fmax(mark->point->y, least), b = fmax(best->point->y, least);
    double ratio = cycles ? a / b : b / a;

    return ratio < 1.05   ? 0
           : ratio < 1.25 ? 1
           : ratio < 1.6  ? 2
           : ratio < 2.2  ? 3
           : ratio < 4.0  ? 4
                          : 5;
}

static void put_cell(FILE *out, const struct map *map, const struct plot_mark *mark,
                     const struct plot_mark *best)
{
    char hint[PLOT_HINT_BYTES];

    if (!mark) {
        fputs("<td class=\"none\" title=\"not measured\">·</td>", out);
        return;
    }
    plot_view_hint(map->view, mark, hint);
    fprintf(out, "<td class=\"h%u%s\" title=\"", shade_of(map, mark, best),
            is_as_good(map, mark, best) ? " best" : "");
    html_put(out, hint);
    if (is_free(map, mark))
        fputs("\">≈ 0</td>", out);
    else
        fprintf(out, mark->point->y < 1000.0 ? "\">%.3g</td>" : "\">%.0f</td>", mark->point->y);
}

static void put_map_row(FILE *out, const struct map *map, const struct map_row *row)
{
    const struct plot_mark *best = best_of(map, row);

    fputs("<tr><th scope=\"row\">", out);
    html_put_spaced(out, row->category[0] ? row->category : row->group);
    fputs("</th>", out);
    for (size_t s = 0; s < SIZES; s++)
        put_cell(out, map, row->cell[s].mark, best);
    fputs("<td class=\"way\">", out);
    html_put_spaced(out, best->way);
    fputs("</td></tr>\n", out);
}

/* ", up to 32 of 128 hardware threads on one Xe-core": the most that a cell kept busy. */
static void put_occupancy(FILE *out, const struct map *map)
{
    const struct record *most = NULL, *least = NULL;
    char text[OCCUPANCY_BYTES];

    for (size_t i = 0; i < map->count; i++) {
        for (size_t s = 0; s < SIZES; s++) {
            const struct plot_mark *mark = map->row[i].cell[s].mark;
            const struct record *r = mark ? mark->point->record : NULL;

            if (r && (!most || record_busy_threads(r) > record_busy_threads(most)))
                most = r;
            if (r && (!least || record_busy_threads(r) < record_busy_threads(least)))
                least = r;
        }
    }
    if (!most)
        return;
    fputs(record_busy_threads(least) < record_busy_threads(most) ? ", up to " : ", ", out);
    html_put(out, record_occupancy_text(most, text));
}

static void put_map(FILE *out, const struct map *map)
{
    const char *group = NULL;

    fprintf(out, "<table><caption><a href=\"#%s\">", map->view->plot->name);
    html_put(out, map->view->plot->title);
    fputs("</a> <span class=\"dim\">", out);
    html_put(out, map->view->y_label);
    if (has_x(map->view)) {
        struct scale scale = {.is_bytes = strstr(map->view->plot->x_label, "bytes") != NULL};
        char text[SCALE_TEXT_BYTES];

        scale_text(&scale, map->x, text);
        fprintf(out, ", %s ", text);
        html_put(out, map->view->plot->x_label);
    }
    put_occupancy(out, map);
    fputs("</span></caption>\n<thead><tr><th></th>", out);
    for (size_t s = 0; s < SIZES; s++)
        fprintf(out, "<th scope=\"col\" class=\"k s%u\">%u</th>", map_sizes[s], map_sizes[s]);
    fputs("<th></th></tr></thead>\n<tbody>", out);
    for (size_t i = 0; i < map->count; i++) {
        const struct map_row *row = &map->row[i];

        if (row->category[0] && row->group[0] && (!group || strcmp(group, row->group) != 0)) {
            fputs("<tr class=\"group\"><th colspan=\"5\">", out);
            html_put(out, row->group);
            fputs("</th></tr>\n", out);
        }
        group = row->group;
        put_map_row(out, map, row);
    }
    fputs("</tbody></table>\n", out);
}

/* Adds the number of comparisons shown to `*maps`. */
static enum status put_heat_of(FILE *out, const struct plot *plot, const struct plot_source *source,
                               size_t *maps, struct error *error)
{
    struct plot_data data;
    struct plot_view view;
    enum status status = plot_collect(plot, source, &data, error);

    if (status != STATUS_OK)
        return status;
    status = plot_view_make(&view, plot, &data, error);
    struct map *map = calloc(1, sizeof(*map));
    if (status == STATUS_OK && map) {
        map->view = &view;
        collect(map);
        keep_comparisons(map);
        if (map->count) {
            put_map(out, map);
            ++*maps;
        }
    }
    free(map);
    if (status == STATUS_OK)
        plot_view_free(&view);
    plot_data_free(&data);
    return status;
}

enum status page_put_heat(FILE *out, const struct plot_source *source, struct error *error)
{
    const struct plot *plot = NULL;
    enum status status = STATUS_OK;
    size_t maps = 0;

    fputs("<h2 id=\"sizes\">Which sub-group size?</h2>\n<p class=\"dim\">The best way of each "
          "operation at sub-groups of 8, 16 and 32. <b class=\"best\">Outlined</b>: the best, and "
          "what "
          "cannot be told apart from it; the darker a cell, the further from the best. Numbers are "
          "times or rates, as the header says; hover to see intervals.</p>\n<div "
          "class=\"heat\">\n",
          out);
    while (status == STATUS_OK && (plot = plots_next(source->pages, plot)))
        status = plot->shape == PLOT_BARS || plot->in_heat_map
                     ? put_heat_of(out, plot, source, &maps, error)
                     : STATUS_OK;
    fputs("</div>\n", out);
    if (!maps)
        fputs("<p>No operation was measured at two sizes, so there is nothing to compare. "
              "<code>vebench bench</code> measures all three.</p>\n",
              out);
    return status;
}
