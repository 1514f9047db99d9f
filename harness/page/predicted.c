#include "predicted.h"

#include "check.h"
#include "stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MARGIN 0.15

enum { SEEN, UNSEEN, PANELS };

static const char *const panels[PANELS] = {"rows of files that were fitted",
                                           "rows that no fit has seen"};

static const char *last_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

/* Is `name` the row's family and variant, at its sub-group size? */
static bool is_of(const char *name, const struct record *r, bool family_only)
{
    char start[MODEL_NAME_BYTES];

    if (family_only)
        snprintf(start, sizeof start, "%.20s", r->benchmark);
    else
        snprintf(start, sizeof start, "%.20s.%.40s.simd%u", r->benchmark, r->variant,
                 r->subgroup_size);
    return !strncmp(name, start, strlen(start)) &&
           (name[strlen(start)] == '.' || name[strlen(start)] == '\0');
}

bool predicted_is_seen(const struct model *model, const struct record *r)
{
    bool has_family = false, has_file = false;

    for (size_t i = 0; i < model->parameter_count && !has_family; i++)
        has_family = is_of(model->parameter[i].name, r, true);
    for (size_t i = 0; i < model->source_count && !has_file; i++)
        has_file = model->source[i].rows == r->table->row_count &&
                   !strcmp(last_name(model->source[i].path), last_name(r->table->path));
    return has_family && has_file;
}

/* A constant that was fitted to this row alone is the row, not a prediction of it. */
static bool is_parameter(const struct model *model, const struct record *r)
{
    bool is_alone = false;

    for (size_t i = 0; i < model->parameter_count; i++) {
        if (!is_of(model->parameter[i].name, r, false))
            continue;
        if (model->parameter[i].rows > 1)
            return false;
        is_alone = true;
    }
    return is_alone;
}

static void add_guides(struct plot_data *data, const char *panel, double least, double most)
{
    static const char *const names[] = {"diagonal", "more", "less"};
    static const double factors[] = {1.0, 1.0 + MARGIN, 1.0 - MARGIN};

    for (size_t i = 0; i < 3; i++) {
        struct plot_point point = {.style = "guide"};

        snprintf(point.panel, sizeof point.panel, "%s", panel);
        snprintf(point.series, sizeof point.series, "%s", names[i]);
        for (unsigned end = 0; end < 2; end++) {
            point.x = end ? most : least;
            point.y = point.lo = point.hi = point.x * factors[i];
            plot_data_add(data, &point);
        }
    }
}

static int compare_numbers(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;

    return (a > b) - (a < b);
}

/* What is collected of one panel. */
struct panel {
    double least, most;
    double *errors; /* relative, absolute; as many as rows */
    size_t count;
};

static void add_row(struct plot_data *data, struct panel *panel, const char *name,
                    const struct check_row *row)
{
    struct plot_point point = {.style = "points", .record = row->record};

    snprintf(point.panel, sizeof point.panel, "%s", name);
    snprintf(point.series, sizeof point.series, "%s", row->record->benchmark);
    point.x = row->record->value;
    point.y = point.lo = point.hi = row->predicted;
    plot_data_add(data, &point);
    panel->least = panel->count ? fmin(panel->least, point.x) : point.x;
    panel->most = panel->count ? fmax(panel->most, point.x) : point.x;
    panel->errors[panel->count++] = fabs(row->error);
}

static void end_panel(struct plot_data *data, struct panel *panel, const char *name)
{
    if (panel->count == 0)
        return;
    add_guides(data, name, panel->least, panel->most);
    qsort(panel->errors, panel->count, sizeof *panel->errors, compare_numbers);
    plot_data_note(data, " %zu %s: median error %.2g %%, worst %.2g %%.", panel->count, name,
                   100.0 * stats_quantile(panel->errors, panel->count, 0.5),
                   100.0 * panel->errors[panel->count - 1]);
}

static void collect(const struct plot_source *source, const struct check *check, double *errors,
                    struct plot_data *data)
{
    struct panel panel[PANELS] = {{.errors = errors}, {.errors = errors + check->count}};
    size_t own = 0, nothing = 0;

    for (size_t i = 0; i < check->count; i++) {
        const struct check_row *row = &check->row[i];
        unsigned at = predicted_is_seen(source->model, row->record) ? SEEN : UNSEEN;

        if (at == SEEN && is_parameter(source->model, row->record))
            own++;
        else if (!(row->predicted > 0.0) || !(row->record->value > 0.0))
            nothing++;
        else
            add_row(data, &panel[at], panels[at], row);
    }
    for (unsigned i = 0; i < PANELS; i++)
        end_panel(data, &panel[i], panels[i]);
    if (own)
        plot_data_note(data, " Not drawn: %zu rows that are a parameter themselves.", own);
    if (nothing)
        plot_data_note(data, " Not drawn: %zu rows of which nothing can be measured.", nothing);
    if (check->unpredicted)
        plot_data_note(data, " The model says nothing about %zu rows.", check->unpredicted);
}

void predicted_collect(const struct plot_source *source, struct plot_data *data)
{
    struct error ignored;
    struct check check;
    double *errors;

    if (!source->model ||
        check_model(&check, source->model, NULL, source->records, &ignored) != STATUS_OK)
        return;
    errors = calloc(2 * check.count + 1, sizeof *errors);
    if (errors)
        collect(source, &check, errors, data);
    else
        data->out_of_memory = true;
    free(errors);
    check_free(&check);
}
