#include "report/plots.h"

#include "report/family-page.h"
#include "report/predicted.h"

#include <math.h>
#include <string.h>

/* Plots that belong to no family. */
static const struct plot common[] = {
    {.name = "predicted",
     .rank = 150,
     .title = "Predicted against measured",
     .caption = "On the diagonal the model is right; the dashed lines are 15 % off. Kernels are "
                "predicted from their machine code, one iteration of the whole loop at a time.",
     .command = "vebench fit RESULTS.csv --output model.json",
     .x_label = "measured, ns",
     .y_label = "predicted, ns",
     .log = "xy10",
     .collect = predicted_collect,
     .needs_model = true},
};

/* Of `next` and `plot`, the one that follows `before` more closely in rank. */
static const struct plot *nearer(const struct plot *next, const struct plot *plot,
                                 const struct plot *before)
{
    bool is_after = !before || plot->rank > before->rank;

    return is_after && (!next || plot->rank < next->rank) ? plot : next;
}

const struct plot *plots_next(const struct family_pages *pages, const struct plot *before)
{
    const struct plot *next = NULL;

    for (size_t i = 0; i < pages->count; i++) {
        for (size_t p = 0; p < pages->family[i]->plot_count; p++)
            next = nearer(next, &pages->family[i]->plots[p], before);
    }
    for (size_t i = 0; i < sizeof(common) / sizeof(common[0]); i++)
        next = nearer(next, &common[i], before);
    return next;
}

static enum time_unit unit_of(const struct record *record)
{
    return record->shown_in == TIME_AUTO ? TIME_CYCLES : record->shown_in;
}

double plot_time(const struct record *record)
{
    return time_unit_per_ns(unit_of(record), record->clock_mhz);
}

double plot_model_time(const struct model *model, const struct record *record)
{
    double per_ns = plot_time(record);

    return isfinite(model->clock_mhz) ? per_ns * 1000.0 / record->clock_mhz : per_ns;
}

const char *plot_time_name(const struct record *record)
{
    return time_unit_name(unit_of(record));
}

/* Sets the value and its interval. A rate has no interval: it comes from the loop's mean time. */
static void set_value(struct plot_point *point, enum plot_value value, const struct record *record)
{
    switch (value) {
    case PLOT_TIME:
        point->y = record->value * plot_time(record);
        point->lo = record->ci95_lo_ns * plot_time(record);
        point->hi = record->ci95_hi_ns * plot_time(record);
        return;
    case PLOT_GB_PER_S:
        point->y = record->work_bytes > 0.0 ? record->work_bytes / record->loop_ns : NAN;
        break;
    case PLOT_GFLOP_PER_S:
        point->y = record->work_flops > 0.0 ? record->work_flops / record->loop_ns : NAN;
        break;
    }
    point->lo = point->hi = point->y;
}

static void collect_plot_rows(const struct plot *plot, const struct records *records,
                              struct plot_data *data)
{
    for (size_t i = 0; i < records->count; i++) {
        const struct record *record = &records->record[i];
        struct plot_point point = {.style = plot->style ? plot->style : "", .record = record};

        if (!record->usable || strcmp(record->benchmark, plot->family) != 0 ||
            (!plot->with_baselines && !record->baseline[0]) || !plot->place(record, &point))
            continue;
        set_value(&point, plot->y, record);
        if (isfinite(point.x) && isfinite(point.y))
            plot_data_add(data, &point);
    }
    if (plot->varies && !plot_data_varies(data, plot->varies))
        data->count = 0;
    for (size_t i = 0; plot->slice[i]; i++)
        plot_data_slice(data, plot->slice[i]);
    if (plot->largest)
        plot_data_slice_largest(data, plot->largest);
}

/* Says how much of the device the rows kept busy. */
static void note_occupancy(struct plot_data *data)
{
    const struct record *least = NULL, *most = NULL;
    char text[OCCUPANCY_BYTES];

    for (size_t i = 0; i < data->count; i++) {
        const struct record *r = data->point[i].record;

        if (r && (!least || record_busy_threads(r) < record_busy_threads(least)))
            least = r;
        if (r && (!most || record_busy_threads(r) > record_busy_threads(most)))
            most = r;
    }
    if (!most)
        return;
    if (record_busy_threads(least) < record_busy_threads(most))
        plot_data_note(data, " Busy: from %s", record_occupancy_text(least, text));
    plot_data_note(data, "%s%s.",
                   record_busy_threads(least) < record_busy_threads(most) ? " to " : " Busy: ",
                   record_occupancy_text(most, text));
}

enum status plot_collect(const struct plot *plot, const struct plot_source *source,
                         struct plot_data *data, struct error *error)
{
    memset(data, 0, sizeof(*data));
    if (plot->collect) {
        plot->collect(source, data);
    } else {
        collect_plot_rows(plot, source->records, data);
        if (plot_data_different_x(data) < plot->least_x)
            data->count = 0;
        note_occupancy(data);
        plot_data_sort(data);
        if (source->model && plot->explain)
            plot->explain(plot, source->model, data);
    }
    plot_data_sort(data);
    if (!data->out_of_memory)
        return STATUS_OK;
    plot_data_free(data);
    return error_out_of_memory(error);
}
