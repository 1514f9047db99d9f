#include "plots.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SERIES_BYTES 200

const struct plot plots[] = {
    {.name = "barrier",
     .title = "Cost of one barrier",
     .caption = "A row of steps from no barrier to both fences. A flat line is a cost per barrier; "
                "a slope is a cost per hardware thread that arrives.",
     .family = "barrier",
     .x = "workgroup_size",
     .x_label = "work-items of the work-group",
     .y = PLOT_CYCLES,
     .y_label = "clock cycles beyond the loop",
     .log = "x",
     .only = "work_group"},
    {.name = "latency",
     .title = "Latency of a dependent load",
     .caption = "Each step of the staircase is a level of the memory; it ends where the level is "
                "full.",
     .family = "latency",
     .x = "working_set",
     .x_label = "bytes walked through",
     .y = PLOT_CYCLES,
     .y_label = "clock cycles per step",
     .log = "xy",
     .only = "global",
     .with_baselines = true},
    {.name = "memory",
     .title = "Bandwidth by access pattern",
     .caption = "From the loop's own time, nothing taken off.",
     .family = "memory_32",
     .shape = PLOT_BARS,
     .y = PLOT_GB_PER_S,
     .y_label = "GB/s",
     .log = "",
     .with_baselines = true},
    {.name = "in-flight",
     .title = "Bandwidth against work in flight",
     .caption = "Rises with the work-items in flight until latency is hidden, then stays.",
     .family = "memory_32",
     .x = "workgroup_size",
     .x_label = "work-items of the work-group",
     .y = PLOT_GB_PER_S,
     .y_label = "GB/s",
     .log = "xy",
     .with_baselines = true},
    {.name = "slm",
     .title = "Shared local memory: cost by stride",
     .caption = "Lanes that meet in a bank wait for each other; padding keeps them apart.",
     .family = "slm",
     .x = "stride",
     .x_label = "stride in elements",
     .y = PLOT_CYCLES,
     .y_label = "clock cycles per access",
     .log = "xy"},
    {.name = "exchange",
     .title = "Exchange within a sub-group, in registers and through SLM",
     .caption = "Names that end in _slm are the same exchange through shared local memory.",
     .family = "exchange",
     .shape = PLOT_BARS,
     .y = PLOT_CYCLES,
     .y_label = "clock cycles per exchange",
     .log = ""},
    {.name = "collective",
     .title = "Reductions and scans over a sub-group",
     .caption = "Names that end in _slm are the same through shared local memory.",
     .family = "collective",
     .shape = PLOT_BARS,
     .y = PLOT_CYCLES,
     .y_label = "clock cycles",
     .log = ""},
    {.name = "atomics",
     .title = "Atomic operations",
     .caption = "By how many work-items meet at one address.",
     .family = "atomics",
     .shape = PLOT_BARS,
     .y = PLOT_CYCLES,
     .y_label = "clock cycles",
     .log = "y"},
    {.name = "divergence",
     .title = "Cost of one more path",
     .caption = "Against the same work by all lanes together.",
     .family = "divergence",
     .shape = PLOT_BARS,
     .y = PLOT_CYCLES,
     .y_label = "clock cycles",
     .log = ""},
    {.name = "transpose",
     .title = "Transposition",
     .caption = "From the loop's own time: bytes read and written.",
     .family = "transpose",
     .shape = PLOT_BARS,
     .y = PLOT_GB_PER_S,
     .y_label = "GB/s",
     .log = "",
     .with_baselines = true},
    {.name = "matmul",
     .title = "Matrix product",
     .caption = "From the loop's own time: two operations for each multiply-add.",
     .family = "matmul",
     .shape = PLOT_BARS,
     .y = PLOT_GFLOP_PER_S,
     .y_label = "10^9 operations per second",
     .log = "",
     .with_baselines = true},
    {.name = "registers",
     .title = "Live values beyond the register file",
     .caption = "A jump is where the compiler begins to spill.",
     .family = "registers",
     .shape = PLOT_BARS,
     .y = PLOT_CYCLES,
     .y_label = "clock cycles",
     .log = "y",
     .with_baselines = true},
};
const size_t plot_count = sizeof plots / sizeof plots[0];

/* A point, with what it is sorted by. */
struct point {
    char series[SERIES_BYTES];
    char category[SERIES_BYTES]; /* of bars */
    double x, y, lo, hi;
    unsigned line;
};

static double axis_value(const struct record *record, const char *axis)
{
    if (!strcmp(axis, "workgroup_size"))
        return record->workgroup_size;
    if (!strcmp(axis, "workgroup_count"))
        return record->workgroup_count;
    if (!strcmp(axis, "subgroup_size"))
        return record->subgroup_size;
    return record_parameter(record, axis, NAN);
}

/* The quantity and its interval, which the mean's interval scales to. */
static void set_value(struct point *point, const struct plot *plot, const struct record *record)
{
    double scale = 1.0;

    switch (plot->y) {
    case PLOT_VALUE:
    case PLOT_CYCLES:
        scale = plot->y == PLOT_CYCLES ? record->clock_mhz / 1000.0 : 1.0;
        point->y = record->value * scale;
        point->lo = record->ci95_lo_ns * scale;
        point->hi = record->ci95_hi_ns * scale;
        return;
    case PLOT_GB_PER_S:
        point->y = record->work_bytes / record->loop_ns;
        break;
    case PLOT_GFLOP_PER_S:
        point->y = record->work_flops / record->loop_ns;
        break;
    }
    point->lo = point->hi = point->y;
}

static void append(char *text, const char *more)
{
    size_t used = strlen(text);

    snprintf(text + used, SERIES_BYTES - used, "%s", more);
}

static void append_number(char *text, const char *more, unsigned number)
{
    size_t used = strlen(text);

    snprintf(text + used, SERIES_BYTES - used, "%s%u", more, number);
}

/* The axes that are neither the plot's x nor the sub-group size, of those that vary. */
static void append_other_axes(char *text, const struct plot *plot, const struct record *record,
                              const struct records *records)
{
    static const char *const common[] = {"workgroup_size", "workgroup_count"};
    static const char *const letters[] = {"/wg", "/n"};
    char parameters[SERIES_BYTES];
    char *rest = parameters;

    for (size_t i = 0; i < 2; i++) {
        bool varies = false;

        for (size_t r = 0; r < records->count; r++)
            varies |= !strcmp(records->record[r].benchmark, plot->family) &&
                      axis_value(&records->record[r], common[i]) != axis_value(record, common[i]);
        /* A size that is the sub-group's own says nothing new. */
        if (varies && (!plot->x || strcmp(plot->x, common[i]) != 0) &&
            axis_value(record, common[i]) != record->subgroup_size)
            append_number(text, letters[i], (unsigned)axis_value(record, common[i]));
    }
    snprintf(parameters, sizeof parameters, "%s", record->parameters);
    for (char *word = strtok_r(parameters, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        size_t bytes = strcspn(word, "=");

        if (plot->x && !strncmp(word, plot->x, bytes) && !plot->x[bytes])
            continue;
        append(text, "/");
        append(text, word);
    }
}

static bool make_point(struct point *point, const struct plot *plot, const struct record *record,
                       const struct records *records)
{
    if (!record->usable || strcmp(record->benchmark, plot->family) != 0 ||
        (!plot->with_baselines && !record->baseline[0]) ||
        (plot->only && strncmp(record->variant, plot->only, strlen(plot->only)) != 0))
        return false;
    memset(point, 0, sizeof *point);
    point->line = record->line;
    set_value(point, plot, record);
    if (plot->shape == PLOT_BARS) {
        append(point->category, record->variant);
        append_other_axes(point->category, plot, record, records);
        append_number(point->series, "S", record->subgroup_size);
        point->x = record->subgroup_size;
    } else {
        append(point->series, record->variant);
        append_number(point->series, "/S", record->subgroup_size);
        append_other_axes(point->series, plot, record, records);
        point->x = axis_value(record, plot->x);
    }
    return isfinite(point->x) && isfinite(point->y);
}

static int compare_points(const void *left, const void *right)
{
    const struct point *a = left;
    const struct point *b = right;
    int order = strcmp(a->category, b->category);

    if (!order && !a->category[0])
        order = strcmp(a->series, b->series);
    if (!order)
        order = (a->x > b->x) - (a->x < b->x);
    return order ? order : (a->line > b->line) - (a->line < b->line);
}

size_t plot_write_data(const struct plot *plot, const struct records *records, FILE *out)
{
    struct point *points = calloc(records->count + 1, sizeof *points);
    size_t count = 0;

    if (!points)
        return 0;
    for (size_t i = 0; i < records->count; i++)
        count += make_point(&points[count], plot, &records->record[i], records);
    qsort(points, count, sizeof *points, compare_points);
    fprintf(out, "series,x,y,lo,hi\r\n");
    for (size_t i = 0; i < count; i++) {
        const struct point *p = &points[i];

        if (p->category[0])
            fprintf(out, "%s,%s,%.10g,%.10g,%.10g\r\n", p->series, p->category, p->y, p->lo, p->hi);
        else
            fprintf(out, "%s,%.10g,%.10g,%.10g,%.10g\r\n", p->series, p->x, p->y, p->lo, p->hi);
    }
    free(points);
    return count;
}
