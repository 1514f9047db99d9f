#include "foreign.h"

#include "families/registry.h"
#include "test.h"
#include "whole-file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct predict_request foreign_requests[FOREIGN_COUNT] = {
    {.kernel = "reduction",
     .global = "16384",
     .local = "256",
     .arguments = {"0=4M", "1=4K", "2=1048576", "3=1K"},
     .argument_count = 4,
     .buffers = {"0=float:1"},
     .buffer_count = 1},
    {.kernel = "scan",
     .global = "131072",
     .local = "256",
     .arguments = {"0=512K", "1=512K", "2=1K"},
     .argument_count = 3,
     .buffers = {"0=random:2:100"},
     .buffer_count = 1},
    {.kernel = "histogram",
     .global = "16384",
     .local = "256",
     .arguments = {"0=2M", "1=1K", "2=32"},
     .argument_count = 3,
     .buffers = {"0=random:3"},
     .buffer_count = 1},
    {.kernel = "gather",
     .global = "131072",
     .local = "256",
     .arguments = {"0=512K", "1=1M", "2=512K"},
     .argument_count = 3,
     .buffers = {"0=random:4:262144"},
     .buffer_count = 1},
    {.kernel = "stencil",
     .global = "1024,256",
     .local = "64,4",
     .arguments = {"0=1M", "1=1M"},
     .argument_count = 2,
     .buffers = {"0=float:5"},
     .buffer_count = 1},
    {.kernel = "n_body",
     .global = "4096",
     .local = "128",
     .arguments = {"0=64K", "1=64K", "2=512"},
     .argument_count = 3,
     .buffers = {"0=float:6"},
     .buffer_count = 1},
    {.kernel = "product",
     .global = "256,128",
     .local = "16,16",
     .arguments = {"0=64K", "1=128K", "2=128K", "3=128"},
     .argument_count = 4,
     .buffers = {"0=float:7", "1=float:8"},
     .buffer_count = 2},
    {.kernel = "sort_step",
     .global = "131072",
     .local = "256",
     .arguments = {"0=1M", "1=64", "2=256"},
     .argument_count = 3,
     .buffers = {"0=random:9"},
     .buffer_count = 1},
    {.kernel = "rounds",
     .global = "32768",
     .local = "128",
     .arguments = {"0=128K", "1=128K"},
     .argument_count = 2,
     .buffers = {"0=random:10"},
     .buffer_count = 1},
    {.kernel = "atomics",
     .global = "65536",
     .local = "256",
     .arguments = {"0=256K", "1=64K", "2=4095"},
     .argument_count = 3,
     .buffers = {"0=random:11"},
     .buffer_count = 1},
    {.kernel = "triad",
     .global = "409600",
     .local = "256",
     .arguments = {"0=1600K", "1=1600K", "2=1600K", "3=3"},
     .argument_count = 4,
     .buffers = {"0=float:12", "1=float:13"},
     .buffer_count = 2},
    {.kernel = "transpose_tiled",
     .global = "256,256",
     .local = "16,16",
     .arguments = {"0=256K", "1=256K"},
     .argument_count = 2,
     .buffers = {"0=float:14"},
     .buffer_count = 1},
    {.kernel = "transpose_plain",
     .global = "256,256",
     .local = "64,4",
     .arguments = {"0=256K", "1=256K"},
     .argument_count = 2,
     .buffers = {"0=float:15"},
     .buffer_count = 1},
    {.kernel = "spmv",
     .global = "24576",
     .local = "128",
     .arguments = {"0=1536K", "1=1536K", "2=4M", "3=96K", "4=16"},
     .argument_count = 5,
     .buffers = {"0=random:16:1048576", "1=float:17", "2=float:18"},
     .buffer_count = 3},
    {.kernel = "stencil_local",
     .global = "65536",
     .local = "256",
     .arguments = {"0=256K", "1=256K"},
     .argument_count = 2,
     .buffers = {"0=float:19"},
     .buffer_count = 1},
    {.kernel = "n_body_tile",
     .global = "4096",
     .local = "128",
     .arguments = {"0=64K", "1=64K", "2=512"},
     .argument_count = 3,
     .buffers = {"0=float:20"},
     .buffer_count = 1},
    {.kernel = "dot_product",
     .global = "16384",
     .local = "256",
     .arguments = {"0=2400K", "1=2400K", "2=64", "3=614400"},
     .argument_count = 4,
     .buffers = {"0=float:21", "1=float:22"},
     .buffer_count = 2},
    {.kernel = "sort_local",
     .global = "8192",
     .local = "256",
     .arguments = {"0=32K"},
     .argument_count = 1,
     .buffers = {"0=random:23"},
     .buffer_count = 1},
    {.kernel = "row_sums",
     .global = "8192",
     .local = "128",
     .arguments = {"0=2M", "1=32K", "2=64"},
     .argument_count = 3,
     .buffers = {"0=float:24"},
     .buffer_count = 1},
    {.kernel = "matrix_vector",
     .global = "76800",
     .local = "128",
     .arguments = {"0=4800K", "1=8K", "2=2400", "3=2048"},
     .argument_count = 4,
     .buffers = {"0=float:25", "1=float:26"},
     .buffer_count = 2},
    {.kernel = "scatter",
     .global = "65536",
     .local = "256",
     .arguments = {"0=256K", "1=256K", "2=8M"},
     .argument_count = 3,
     .buffers = {"0=random:27:2097152", "1=float:28"},
     .buffer_count = 2},
    {.kernel = "path_finder",
     .global = "16384",
     .local = "256",
     .arguments = {"0=1M", "1=64K", "2=16"},
     .argument_count = 3,
     .buffers = {"0=random:29"},
     .buffer_count = 1},
    {.kernel = "nearest_centre",
     .global = "16384",
     .local = "128",
     .arguments = {"0=256K", "1=512", "2=64K", "3=32"},
     .argument_count = 4,
     .buffers = {"0=float:30", "1=float:31"},
     .buffer_count = 2},
    {.kernel = "black_scholes",
     .global = "65536",
     .local = "256",
     .arguments = {"0=256K", "1=256K", "2=256K"},
     .argument_count = 3,
     .buffers = {"0=float:32", "1=float:33"},
     .buffer_count = 2},
    {.kernel = "align_local",
     .global = "8192",
     .local = "64",
     .arguments = {"0=32K", "1=32K", "2=512"},
     .argument_count = 3,
     .buffers = {"0=random:101", "1=random:102"},
     .buffer_count = 2},
    {.kernel = "fourier",
     .global = "32768",
     .local = "64",
     .arguments = {"0=1M", "1=1M"},
     .argument_count = 2,
     .buffers = {"0=float:103"},
     .buffer_count = 1},
    {.kernel = "convolve",
     .global = "512,128",
     .local = "32,8",
     .arguments = {"0=256K", "1=128", "2=256K"},
     .argument_count = 3,
     .buffers = {"0=random:104", "1=float:105"},
     .buffer_count = 2},
    {.kernel = "compact",
     .global = "65536",
     .local = "256",
     .arguments = {"0=1M", "1=2M", "2=64", "3=300", "4=262143"},
     .argument_count = 5,
     .buffers = {"0=random:106:1000"},
     .buffer_count = 1},
    {.kernel = "cipher",
     .global = "32768",
     .local = "128",
     .arguments = {"0=2M", "1=64", "2=2M"},
     .argument_count = 3,
     .buffers = {"0=random:107", "1=random:108"},
     .buffer_count = 2},
    {.kernel = "softmax",
     .global = "131072",
     .local = "128",
     .arguments = {"0=4M", "1=4M"},
     .argument_count = 2,
     .buffers = {"0=float:109"},
     .buffer_count = 1},
    {.kernel = "spread_labels",
     .global = "32768",
     .local = "128",
     .arguments = {"0=128K", "1=4M", "2=128K", "3=128K", "4=64"},
     .argument_count = 5,
     .buffers = {"0=random:110:33553408", "1=random:111:32768", "2=random:112"},
     .buffer_count = 3},
    {.kernel = "invert",
     .global = "65536",
     .local = "256",
     .arguments = {"0=4M", "1=4M", "2=4"},
     .argument_count = 3,
     .buffers = {"0=float:113"},
     .buffer_count = 1},
    {.kernel = "quantised",
     .global = "256,128",
     .local = "64,2",
     .arguments = {"0=32K", "1=64K", "2=1K", "3=32K", "4=64"},
     .argument_count = 5,
     .buffers = {"0=random:114", "1=random:115", "2=float:116"},
     .buffer_count = 3},
    {.kernel = "forest",
     .global = "16384",
     .local = "64",
     .arguments = {"0=64K", "1=64K", "2=2M", "3=64K", "4=8"},
     .argument_count = 5,
     .buffers = {"0=random:117:32", "1=float:118", "2=float:119"},
     .buffer_count = 3},
};

const struct predict_request *foreign_request(const char *kernel)
{
    for (size_t i = 0; i < FOREIGN_COUNT; i++) {
        if (!strcmp(foreign_requests[i].kernel, kernel))
            return &foreign_requests[i];
    }
    fail_msg("no kernel %s", kernel);
    return NULL;
}

const char *const foreign_sweeps[FOREIGN_SWEEPS][PLANTED_SWEEP_WORDS] = {
    {"pipeline", "--axis", "subgroup_size=8,16", "--axis", "workgroup_size=S,64,256"},
    {"latency", "--axis", "subgroup_size=16", "--axis",
     "working_set=16K,32K,256K,512K,1M,2M,6M,16M,24M"},
    {"latency", "--variant", "global_uniform", "--axis", "subgroup_size=16", "--axis",
     "stride=65600", "--axis", "working_set=264M,500M,1000M"},
    {"latency", "--variant", "global_uniform", "--axis", "subgroup_size=16", "--axis",
     "stride=8256", "--axis", "working_set=32M,64M,128M,256M"},
    {"latency", "--variant", "global_uniform", "--axis", "subgroup_size=16", "--axis",
     "working_set=2L", "--axis", "jump=1,2,4,16"},
    {"latency", "--variant", "global_uniform", "--axis", "subgroup_size=16", "--axis",
     "working_set=9L/8", "--axis", "jump=16"},
    {"slm", "--axis", "subgroup_size=16", "--axis", "stride=1,8,16,32", "--axis",
     "workgroup_size=4S,16S"},
    {"slm", "--variant", "load", "--variant", "store", "--variant", "load_x4", "--axis",
     "subgroup_size=16", "--axis", "stride=1", "--axis", "workgroup_size=64S"},
    {"exchange", "--variant", "shuffle_u32_slm", "--variant", "pairs_u32_slm", "--variant",
     "up_u32_slm", "--variant", "reverse_u32_slm", "--axis", "subgroup_size=16", "--axis",
     "workgroup_size=64S"},
    {"atomics", "--variant", "global_add_u32", "--axis", "subgroup_size=16"},
    {"atomics", "--variant", "global_add_u32", "--axis", "subgroup_size=16", "--axis",
     "workgroup_size=8S,16S", "--axis", "workgroup_count=C", "--axis", "sharers=1"},
    {"memory_32", "--variant", "*_vec4", "--axis", "subgroup_size=16", "--axis",
     "workgroup_size=128,256,512", "--axis", "stride=1"},
    {"memory_32", "--variant", "load_vec4", "--axis", "subgroup_size=16", "--axis",
     "workgroup_size=512,1024", "--axis", "working_set=512K", "--axis", "stride=1"},
    {"memory_32", "--variant", "load_vec4", "--axis", "subgroup_size=16", "--axis",
     "workgroup_size=1024", "--axis", "working_set=6M", "--axis", "stride=1"},
    {"memory_32", "--variant", "store_vec4", "--axis", "subgroup_size=16", "--axis",
     "workgroup_size=256,512", "--axis", "workgroup_count=C", "--axis", "working_set=512K",
     "--axis", "stride=1"},
    {"pipeline", "--variant", "spread_lanes", "--axis", "subgroup_size=16", "--axis",
     "workgroup_size=2S,4S,16S", "--axis", "workgroup_count=C,8C"},
    {"pipeline", "--variant", "old_wait", "--axis", "subgroup_size=16,32", "--axis",
     "workgroup_size=32S"},
    {"launch", "--axis", "subgroup_size=16", "--axis", "workgroup_size=S,16S,32S"},
    {"memory_32", "--variant", "store_strided", "--axis", "subgroup_size=16", "--axis",
     "workgroup_size=128,256", "--axis", "workgroup_count=C", "--axis", "working_set=2M", "--axis",
     "stride=16"},
    {"device_bandwidth", "--axis", "subgroup_size=16", "--axis", "working_set=L/2"},
    {"device_bandwidth", "--axis", "subgroup_size=16", "--axis", "workgroup_size=64S", "--axis",
     "workgroup_count=1", "--axis", "working_set=L/2"},
    {"device_bandwidth", "--axis", "subgroup_size=16", "--axis", "workgroup_count=T/16", "--axis",
     "working_set=8L"},
    {"latency", "--variant", "global_uniform", "--variant", "global_divergent", "--axis",
     "subgroup_size=16", "--axis", "working_set=L/2", "--axis", "jump=1"},
    {"latency", "--variant", "global_divergent", "--axis", "subgroup_size=16", "--axis",
     "workgroup_size=128,256", "--axis", "workgroup_count=C", "--axis", "working_set=16L", "--axis",
     "stride=320"},
    {"device_bandwidth", "--variant", "copy", "--variant", "triad", "--axis", "subgroup_size=16",
     "--axis", "workgroup_size=32S", "--axis", "workgroup_count=C", "--axis", "working_set=7L/8"},
    {"latency", "--variant", "global_one_lane", "--axis", "subgroup_size=16", "--axis",
     "stride=65536", "--axis", "working_set=320K,576K,1088K"},
};

/* A power of two instead of the value that has been drawn, as far into the range. */
static unsigned draw_power(const struct planted_figure *figure)
{
    double share = (figure->value - figure->least) / (figure->most - figure->least + 1.0);
    double powers = floor(log2((double)figure->most / figure->least)) + 1.0;

    return figure->least * (unsigned)exp2(floor(share * powers));
}

/* Instead of the ways that have been drawn those, as far into the range, that make of a cache's
 * lines sets of which there are a power of two. */
static unsigned draw_ways(const struct planted_figure *figure, uint64_t bytes)
{
    double share = (figure->value - figure->least) / (figure->most - figure->least + 1.0);
    unsigned ways[64], count = 0;

    for (unsigned i = figure->least; i <= figure->most; i++) {
        uint64_t sets = bytes / 64 / i;

        if (sets * i * 64 == bytes && (sets & (sets - 1)) == 0)
            ways[count++] = i;
    }
    return count ? ways[(unsigned)(share * count)] : figure->value;
}

size_t foreign_draw(struct planted_figure *figures, const char *base, uint64_t seed)
{
    struct vesim_description description;
    size_t count = 0;
    char text[256];

    if (vesim_description_load(&description, base, text, sizeof(text)))
        fail_msg("%s", text);
    for (size_t i = 0; i < VESIM_FIGURE_COUNT; i++) {
        if (description.low[i] < description.high[i])
            figures[count++] =
                (struct planted_figure){vesim_figures[i].name, (unsigned)description.low[i],
                                        (unsigned)description.high[i], 0};
    }
    planted_draw(figures, count, seed);
    for (size_t i = 0; i < count; i++) {
        if (strstr(figures[i].name, "_banks")) /* of which hardware has a power of two */
            figures[i].value = (unsigned)exp2(floor(log2(figures[i].value)));
        if (!strcmp(figures[i].name, "group_batch")) /* each power as often */
            figures[i].value = draw_power(&figures[i]);
        if (!strcmp(figures[i].name, "l1_ways"))
            figures[i].value = draw_ways(&figures[i], description.device.l1_bytes);
        if (!strcmp(figures[i].name, "l3_ways"))
            figures[i].value = draw_ways(&figures[i], description.device.l3_bytes);
    }
    return count;
}

struct predictor *foreign_predictor(const struct model *model, const char *base)
{
    const struct predictor_settings settings = {
        .model = model, .figures = &family_figures, .families = &families, .base = base};
    struct predictor *predictor = NULL;
    struct error error;

    if (predictor_open(&predictor, &settings, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    return predictor;
}

struct kernel_module foreign_module(const char *path)
{
    const struct predict_request request = {.spirv_path = path};
    struct kernel_module module = {0};
    struct error error;

    if (kernel_module_read(&request, 0, &module, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    return module;
}

void foreign_make(struct kernel_launch *made, const struct kernel_module *module,
                  struct predictor *predictor, const struct predict_request *asked,
                  const char *global)
{
    struct predict_request request = *asked;
    struct predict_signature signature;
    struct error error;

    if (global)
        request.global = global;
    if (kernel_launch_of(made, module, predictor, &request, &signature, &error) != STATUS_OK)
        fail_msg("%s: %s", request.kernel, error.text);
}

static enum status evaluate_sample(void *context, double *value, struct error *error)
{
    return sample_again(context, value, error);
}

void foreign_predict(struct predictor *predictor, const struct kernel_launch *made,
                     struct launch_sample *sample, struct prediction_interval *interval)
{
    struct evaluator evaluator = {
        .predictor = predictor, .context = sample, .evaluate = evaluate_sample};
    struct error error;

    if (sample_launch(sample, predictor, &made->kernel, &made->launch, &error) != STATUS_OK)
        fail_msg("%s: %s", made->kernel.name, error.text);
    evaluator.evaluations_most = sample->again_most;
    evaluator.depends_on = sample->depends_on;
    if (prediction_interval_find(&evaluator, sample->outcome.cycles, interval, &error) != STATUS_OK)
        fail_msg("%s: %s", made->kernel.name, error.text);
    sample_widen(sample, interval);
}

struct outcome foreign_time(struct predictor *predictor, const struct kernel_launch *made)
{
    const struct predict_once how = {.caches = PREDICT_WARM};
    struct outcome outcome;
    struct error error;

    if (predict_once(predictor, &made->kernel, &made->launch, &how, &outcome, &error) != STATUS_OK)
        fail_msg("%s: %s", made->kernel.name, error.text);
    return outcome;
}

void foreign_replace_table(const char *document, const char *header, void (*put)(FILE *out))
{
    char *text = whole_file_read(document), *table = strstr(text, header), *end = table;
    FILE *out = fopen(document, "w");

    assert_non_null(table);
    assert_non_null(out);
    while (*end == '|') {
        end += strcspn(end, "\n");
        end += *end == '\n';
    }
    fwrite(text, 1, (size_t)(table - text), out);
    put(out);
    fputs(end, out);
    assert_int_equal(fclose(out), 0);
    free(text);
}
