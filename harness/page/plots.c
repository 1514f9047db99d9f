#include "page/plots.h"

#include "page/plot-model.h"
#include "page/plot-places.h"
#include "page/predicted.h"
#include "page/roofline.h"

#include <math.h>
#include <string.h>

static const char *const by_count[] = {"workgroup_count", NULL};
static const char *const by_stride[] = {"stride", NULL};
static const char *const by_launch[] = {"threads", "workgroup_count", NULL};
static const char *const by_spacing[] = {"threads", "workgroup_count", "spacing", NULL};
static const char *const by_set[] = {"threads", "workgroup_count", "working_set", NULL};
static const char *const by_load[] = {"working_set", "most_in_flight", NULL};
static const char *const by_pattern[] = {"subgroup_size", "workgroup_count", "working_set", NULL};
static const char *const by_matrix[] = {"threads", "workgroup_count", "m", "n", "k", NULL};

const struct plot plots[] = {
    {.name = "barrier",
     .title = "Cost of one barrier",
     .caption =
         "Points are measured, bars their 95 % intervals. Flat is a cost for each barrier, a "
         "slope one for each hardware thread that arrives. Lines are the model's, their "
         "bands 1.96 times the error on rows left out.",
     .command = "vebench run barrier",
     .x_label = "work-items of the work-group",
     .y_label = "clock cycles beyond the loop",
     .log = "x",
     .family = "barrier",
     .place = place_barrier,
     .style = "points",
     .slice = by_count,
     .explain = explain_barrier},
    {.name = "latency",
     .title = "Latency of a dependent load",
     .caption = "Each step is a level of the memory and ends where the level is full. Thick lines "
                "are the model's levels, with their latencies; dotted between the two sizes where "
                "a level ends. One lane alone and a scalar address cost as much as one address for "
                "all.",
     .command = "vebench run latency --preset full",
     .x_label = "bytes walked through",
     .y_label = "clock cycles per load",
     .log = "xy",
     .family = "latency",
     .place = place_latency,
     .style = "joined",
     .slice = by_stride,
     .with_baselines = true,
     .explain = explain_latency},
    {.name = "in-flight",
     .title = "Bandwidth against bytes in flight",
     .caption = "Bytes that all resident work-items ask for in a step. It rises until the latency "
                "is hidden and then stays. Lines are the model's.",
     .command = "vebench run memory_32 --axis subgroup_size=16 --axis workgroup_size=S,4S,16S",
     .x_label = "bytes in flight",
     .y_label = "GB/s",
     .log = "xy",
     .family = "memory_32",
     .place = place_in_flight,
     .style = "joined",
     .slice = by_pattern,
     .with_baselines = true,
     .least_x = 2,
     .y = PLOT_GB_PER_S,
     .explain = explain_in_flight},
    {.name = "memory",
     .title = "Bandwidth by access pattern, latency-bound",
     .caption = "What a lone work-group gets: fewer messages win.",
     .command = "vebench run memory_32",
     .shape = PLOT_BARS,
     .y_label = "GB/s",
     .log = "",
     .family = "memory_32",
     .place = place_pattern,
     .slice = by_set,
     .with_baselines = true,
     .y = PLOT_GB_PER_S},
    {.name = "memory-loaded",
     .title = "Bandwidth by access pattern, with the most in flight",
     .caption = "What a busy device gets: fewer lines for each message win.",
     .command = "vebench run memory_32 --axis subgroup_size=16 --axis workgroup_size=S,4S,16S",
     .shape = PLOT_BARS,
     .y_label = "GB/s",
     .log = "",
     .family = "memory_32",
     .place = place_pattern,
     .slice = by_load,
     .with_baselines = true,
     .y = PLOT_GB_PER_S},
    {.name = "exchange",
     .title = "Exchange within a sub-group, in registers and through SLM",
     .caption = "The shortest bar of three wins. No bar: nothing that can be measured.",
     .command = "vebench run exchange",
     .shape = PLOT_BARS,
     .y_label = "clock cycles per exchange",
     .log = "",
     .family = "exchange",
     .place = place_exchange,
     .slice = by_launch},
    {.name = "collective",
     .title = "Reductions and scans over a sub-group",
     .caption = "The shortest bar wins; some exist in registers only.",
     .command = "vebench run collective",
     .shape = PLOT_BARS,
     .y_label = "clock cycles",
     .log = "y",
     .family = "collective",
     .place = place_exchange,
     .slice = by_launch},
    {.name = "slm",
     .title = "Shared local memory: conflicts by stride",
     .caption = "Lanes that meet in a bank wait for each other; padding keeps them apart.",
     .command = "vebench run slm --axis stride=2,4,8,16,33",
     .x_label = "stride in elements",
     .y_label = "clock cycles per access",
     .log = "x",
     .family = "slm",
     .place = place_slm,
     .style = "joined",
     .slice = by_launch},
    {.name = "atomics",
     .title = "Atomic operations",
     .caption = "By how many work-items meet at one cell.",
     .command = "vebench run atomics",
     .shape = PLOT_BARS,
     .y_label = "clock cycles",
     .log = "y",
     .family = "atomics",
     .place = place_atomics,
     .slice = by_spacing},
    {.name = "divergence",
     .title = "Cost of one more path",
     .caption = "Against the same work by all lanes together. Lines are the model's.",
     .command = "vebench run divergence",
     .x_label = "different paths in a sub-group",
     .y_label = "clock cycles per path",
     .log = "x",
     .family = "divergence",
     .place = place_divergence,
     .style = "points",
     .slice = by_launch,
     .explain = explain_rows},
    {.name = "registers",
     .title = "Live values beyond the register file",
     .caption = "A rise is where the compiler begins to spill. live: scalars; vectors: of four; "
                "large: with the large register file.",
     .command = "vebench run registers",
     .x_label = "live 32-bit values of a work-item",
     .y_label = "clock cycles per update",
     .log = "x",
     .family = "registers",
     .place = place_registers,
     .style = "joined",
     .slice = by_launch},
    {.name = "transpose",
     .title = "Transposition",
     .caption = "From the loop's own time: bytes read and written.",
     .command = "vebench run transpose",
     .shape = PLOT_BARS,
     .y_label = "GB/s",
     .log = "",
     .family = "transpose",
     .place = place_transpose,
     .slice = by_launch,
     .with_baselines = true,
     .y = PLOT_GB_PER_S},
    {.name = "matmul",
     .title = "Matrix product",
     .caption = "From the loop's own time: two operations for each multiply-add.",
     .command = "vebench run matmul",
     .shape = PLOT_BARS,
     .y_label = "10^9 operations per second",
     .log = "",
     .family = "matmul",
     .place = place_matmul,
     .slice = by_matrix,
     .with_baselines = true,
     .y = PLOT_GFLOP_PER_S},
    {.name = "roofline",
     .title = "Roofline",
     .caption = "Matrix products under what bounds them.",
     .command = "vebench run matmul memory_32",
     .x_label = "operations per byte of payload",
     .y_label = "10^9 op/s and Xe-core",
     .log = "xy10",
     .collect = roofline_collect},
    {.name = "predicted",
     .title = "Predicted against measured",
     .caption = "On the diagonal the model is right; dashed are 15 % more and less. Kernels are "
                "predicted by their machine code, an iteration of the whole loop.",
     .command = "vebench fit RESULTS.csv --output model.json",
     .x_label = "measured, ns",
     .y_label = "predicted, ns",
     .log = "xy10",
     .collect = predicted_collect,
     .needs_model = true},
};
const size_t plot_count = sizeof plots / sizeof plots[0];

double plot_cycles(const struct record *record)
{
    return record->clock_mhz / 1000.0;
}

/* The quantity and its interval. A rate has none: it is of the loop's mean time. */
static void set_value(struct plot_point *point, enum plot_value value, const struct record *record)
{
    switch (value) {
    case PLOT_CYCLES:
        point->y = record->value * plot_cycles(record);
        point->lo = record->ci95_lo_ns * plot_cycles(record);
        point->hi = record->ci95_hi_ns * plot_cycles(record);
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

static void collect_rows(const struct plot *plot, const struct records *records,
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
    for (size_t i = 0; plot->slice[i]; i++)
        plot_data_slice(data, plot->slice[i]);
}

enum status plot_collect(const struct plot *plot, const struct plot_source *source,
                         struct plot_data *data, struct error *error)
{
    memset(data, 0, sizeof *data);
    if (plot->collect) {
        plot->collect(source, data);
    } else {
        collect_rows(plot, source->records, data);
        if (plot_data_different_x(data) < plot->least_x)
            data->count = 0;
        plot_data_sort(data);
        if (source->model && plot->explain)
            plot->explain(plot, source->model, data);
    }
    plot_data_sort(data);
    if (!data->out_of_memory)
        return STATUS_OK;
    plot_data_free(data);
    return error_set(error, STATUS_FAILED, "out of memory");
}
