#include "report/plot-model.h"

#include "model/fit.h"

void plot_each_run(const struct model *model, struct plot_data *data, plot_explain_run explain)
{
    for (size_t i = 0, points = data->count, count; i < points; i += count) {
        count = plot_data_run(data, i);
        if (count > points - i)
            count = points - i;
        explain(model, data, i, count);
    }
}

struct plot_point plot_beside(const struct plot_point *point, const char *style)
{
    struct plot_point other = *point;

    other.style = style;
    other.record = NULL;
    other.lo = other.hi = other.x = other.y = 0.0;
    return other;
}

static void row_run(const struct model *model, struct plot_data *data, size_t first, size_t count)
{
    for (size_t i = first; i < first + count; i++) {
        struct plot_point point = plot_beside(&data->point[i], "fit");
        struct fit_prediction prediction;

        /* Nothing is not drawn: it is what a fit says that found no cost. */
        if (!fit_predict(model, data->point[i].record, &prediction) || prediction.from_table ||
            !(prediction.value > 0.0))
            continue;
        point.x = data->point[i].x;
        point.y = prediction.value * plot_time(data->point[i].record);
        point.lo = point.hi = point.y;
        plot_data_add(data, &point);
    }
}

void explain_rows(const struct plot *plot, const struct model *model, struct plot_data *data)
{
    (void)plot;
    plot_each_run(model, data, row_run);
}
