#include "report/predicted.h"

#include "base/stats.h"
#include "model/parameter-name.h"
#include "predict/check.h"
#include "report/family-page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define RANGE_MARGIN 0.15

/* Predicting from machine code means executing it: more rows, or larger launches, would make a
 * report take minutes. */
#define KERNEL_ROWS_MAX 200
#define KERNEL_WORK_MAX 1e6 /* bytes or operations per iteration */

enum { SEEN, UNSEEN, KERNELS, PANELS };

static const char *const panels[PANELS] = {"rows of files that were fitted", "rows of other files",
                                           "kernels that no parameter was fitted to"};

static const char *last_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

bool predicted_is_seen(const struct model *model, const struct record *r)
{
    bool has_family = false, has_file = false;

    for (size_t i = 0; i < model->parameter_count && !has_family; i++)
        has_family = parameter_is_of(&model->parameter[i], r->benchmark, NULL, 0);
    for (size_t i = 0; i < model->source_count && !has_file; i++)
        has_file = model->source[i].rows == r->table->row_count &&
                   !strcmp(last_name(model->source[i].path), last_name(r->table->path));
    return has_family && has_file;
}

static void add_guides(struct plot_data *data, unsigned order, double least, double most)
{
    static const char *const names[] = {"diagonal", "more", "less"};
    static const double factors[] = {1.0, 1.0 + RANGE_MARGIN, 1.0 - RANGE_MARGIN};

    for (size_t i = 0; i < 3; i++) {
        struct plot_point point = {.style = "guide", .order = order};

        snprintf(point.panel, sizeof(point.panel), "%s", panels[order]);
        snprintf(point.series, sizeof(point.series), "%s", names[i]);
        for (unsigned end = 0; end < 2; end++) {
            point.x = end ? most : least;
            point.y = point.lo = point.hi = point.x * factors[i];
            plot_data_add(data, &point);
        }
    }
}

/* The data of one panel. */
struct panel {
    double least, most;
    double *errors; /* relative, absolute value; as many as rows */
    size_t count;
};

static void add_row(struct plot_data *data, struct panel *panel, unsigned order,
                    const struct check_row *row)
{
    struct plot_point point = {.style = "points", .record = row->record};

    snprintf(point.panel, sizeof(point.panel), "%s", panels[order]);
    snprintf(point.series, sizeof(point.series), "%s", row->record->benchmark);
    point.x = row->measured;
    point.order = order;
    point.y = point.lo = point.hi = row->predicted;
    plot_data_add(data, &point);
    panel->least = panel->count ? fmin(panel->least, point.x) : point.x;
    panel->most = panel->count ? fmax(panel->most, point.x) : point.x;
    panel->errors[panel->count++] = fabs(row->error);
}

static void end_panel(struct plot_data *data, struct panel *panel, unsigned order)
{
    if (panel->count == 0)
        return;
    add_guides(data, order, panel->least, panel->most);
    stats_sort(panel->errors, panel->count);
    plot_data_note(data, " %zu %s: median error %.2g %%, worst %.2g %%.", panel->count,
                   panels[order], 100.0 * stats_quantile(panel->errors, panel->count, 0.5),
                   100.0 * panel->errors[panel->count - 1]);
}

/* Collects predictions by the model's equations. */
static void collect_equations(const struct plot_source *source, const struct check *check,
                              double *errors, struct plot_data *data)
{
    struct panel panel[] = {{.errors = errors}, {.errors = errors + check->count}};
    size_t own = 0, nothing = 0;

    for (size_t i = 0; i < check->count; i++) {
        const struct check_row *row = &check->row[i];
        unsigned at = predicted_is_seen(source->model, row->record) ? SEEN : UNSEEN;

        if (row->by == BY_TABLE)
            own++;
        else if (!(row->predicted > 0.0) || !(row->measured > 0.0))
            nothing++;
        else
            add_row(data, &panel[at], at, row);
    }
    end_panel(data, &panel[SEEN], SEEN);
    end_panel(data, &panel[UNSEEN], UNSEEN);
    if (own)
        plot_data_note(data, " Not drawn: %zu rows that the table of costs has.", own);
    if (nothing)
        plot_data_note(data, " Not drawn: %zu rows of which nothing can be measured.", nothing);
}

static bool is_kernel(const struct family_pages *pages, const struct record *r)
{
    for (size_t i = 0; i < pages->count; i++) {
        if (pages->family[i]->is_kernel && family_page_covers(pages->family[i], r->benchmark))
            return true;
    }
    return false;
}

/* Chooses whole kernels, only a few and small ones. */
static size_t choose_kernels(const struct plot_source *source, struct record *chosen)
{
    const struct records *records = source->records;
    size_t count = 0;

    for (size_t i = 0; i < records->count && count < KERNEL_ROWS_MAX; i++) {
        const struct record *r = &records->record[i];

        if (r->usable && is_kernel(source->pages, r) &&
            fmax(r->work_bytes, r->work_flops) <= KERNEL_WORK_MAX)
            chosen[count++] = *r;
    }
    return count;
}

/* Predicts from machine code. Only kernels are checked that way here; `vebench check` covers
 * everything else too. */
static enum status check_kernels(struct check *check, const struct plot_source *source,
                                 struct record *chosen, struct error *error)
{
    struct records records = *source->records;
    const struct predictor_settings settings = {
        .model = source->model, .families = source->families, .figures = source->figures};
    struct predictor *predictor;

    records.record = chosen;
    records.count = choose_kernels(source, chosen);
    if (records.count == 0)
        return STATUS_UNSUPPORTED;
    enum status status = predictor_open(&predictor, &settings, error);
    if (status != STATUS_OK)
        return status;
    status = check_model(check, source->model, predictor, &records, CHECK_ALL, error);
    predictor_close(predictor);
    return status;
}

/* Collects iterations of whole loops, with everything in them. The points keep their rows' family,
 * but the rows themselves do not outlive this. */
static void collect_kernels(const struct plot_source *source, struct record *chosen, double *errors,
                            struct plot_data *data)
{
    struct panel panel = {.errors = errors};
    size_t before = data->count;
    struct error why = {0};
    struct check check;
    enum status status = check_kernels(&check, source, chosen, &why);

    if (status != STATUS_OK) {
        if (why.text[0])
            plot_data_note(data, " Nothing by machine code: %s.", why.text);
        return;
    }
    for (size_t i = 0; i < check.count; i++) {
        if (check.row[i].predicted > 0.0 && check.row[i].measured > 0.0)
            add_row(data, &panel, KERNELS, &check.row[i]);
    }
    end_panel(data, &panel, KERNELS);
    for (size_t i = before; i < data->count; i++)
        data->point[i].record = NULL;
    check_free(&check);
}

void predicted_collect(const struct plot_source *source, struct plot_data *data)
{
    struct error ignored;
    struct check check;
    size_t rows = source->records->count + 1;

    if (!source->model ||
        check_model(&check, source->model, NULL, source->records, CHECK_ALL, &ignored) != STATUS_OK)
        return;
    double *errors = calloc(2 * rows, sizeof(*errors));
    struct record *chosen = calloc(rows, sizeof(*chosen));
    if (errors && chosen) {
        collect_equations(source, &check, errors, data);
        collect_kernels(source, chosen, errors, data);
    } else {
        data->out_of_memory = true;
    }
    free(errors);
    free(chosen);
    check_free(&check);
}
