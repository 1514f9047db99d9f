#include "commands/predict-command.h"

#include "commands/predict-kernel.h"
#include "commands/predict-print.h"
#include "families/registry.h"
#include "predict/interval.h"
#include "predict/predict-family.h"
#include "predict/sample.h"
#include "sweep/plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The time depends on what is in the buffers where random numbers change it by this share. */
#define CONTENTS_MATTER 0.02

/* The effort that other figures may take for a family's line: about that of predicting it, but as
 * much as the fewest that tell something take, up to what a host emulates in a second. */
#define LINE_EFFORT      1e6
#define LINE_EFFORT_MOST 2.5e7

/* What is asked of the predictor, again and again as its figures change. */
struct prediction_context {
    struct predictor *predictor;
    const struct model *model;
    struct evaluation_progress progress;
    const struct family *family;
    const struct configuration *configuration;
    size_t variant;
    double value, again; /* with the figures as they are: predicted, and from fewer iterations */
    struct launch_sample *sample;
    struct own_rows *rows;
};

static double ns_of(const struct predictor *predictor, double cycles)
{
    return cycles * 1000.0 / predictor_clock_mhz(predictor);
}

static void show_progress(void *context, size_t done, size_t of)
{
    evaluation_progress_show(&((struct prediction_context *)context)->progress, done, of);
}

static enum status ask_family(void *context, double *value, struct error *error)
{
    const struct prediction_context *asked = context;
    struct family_prediction prediction;
    enum status status = predict_family_again(asked->predictor, asked->family, asked->configuration,
                                              asked->variant, &prediction, error);

    *value = status == STATUS_OK ? asked->value + prediction.value - asked->again : NAN;
    return status;
}

/* How many evaluations there is effort for; 0 for what takes too long. */
static size_t line_evaluations(double effort)
{
    if (INTERVAL_EVALUATIONS_LEAST * effort > LINE_EFFORT_MOST)
        return 0;
    return (size_t)fmax(LINE_EFFORT / effort, INTERVAL_EVALUATIONS_LEAST);
}

/* A family's prediction and its interval. */
static enum status predict_line(struct prediction_context *asked,
                                struct family_prediction *prediction,
                                struct prediction_interval *interval, struct error *error)
{
    struct evaluator evaluator = {.predictor = asked->predictor,
                                  .context = asked,
                                  .evaluate = ask_family,
                                  .progress = show_progress};
    struct family_prediction again;
    enum status status = predict_family(asked->predictor, asked->family, asked->configuration,
                                        asked->variant, prediction, error);

    if (status == STATUS_OK)
        status = predict_family_again(asked->predictor, asked->family, asked->configuration,
                                      asked->variant, &again, error);
    if (status != STATUS_OK)
        return status;
    asked->value = prediction->value;
    asked->again = again.value;
    evaluator.evaluations_most = line_evaluations(again.effort);
    return prediction_interval_find(&evaluator, prediction->value, interval, error);
}

static enum status ask_sample(void *context, double *value, struct error *error)
{
    const struct prediction_context *asked = context;
    const struct neighbours *measured = &asked->rows->neighbours;
    enum status status = sample_again(asked->sample, value, error);
    double nearest;

    *value = status == STATUS_OK ? ns_of(asked->predictor, *value) : NAN;
    if (status != STATUS_OK || measured->count == 0)
        return status;
    /* Figures that make both longer change the ratio of the two little. */
    status = sample_again(&asked->rows->nearest, &nearest, error);
    *value *=
        status == STATUS_OK ? measured->at[0].measured / ns_of(asked->predictor, nearest) : NAN;
    return status;
}

static enum status print_predicted_variant(struct prediction_context *asked, FILE *out,
                                           struct error *error)
{
    const struct configuration *c = asked->configuration;
    const char *name = asked->family->variants[asked->variant].name;
    const char *unit = family_unit(asked->family, asked->variant);
    struct family_prediction prediction;
    char parameters[256] = "";
    struct prediction_interval interval;
    enum status status = predict_line(asked, &prediction, &interval, error);

    evaluation_progress_clear(&asked->progress);
    if (status == STATUS_UNSUPPORTED) {
        fprintf(out, "%-24s not predicted: %s\n", name, error->text);
        return STATUS_OK;
    }
    if (status != STATUS_OK)
        return status;
    margin_widen(asked->model, prediction.outcome.part, prediction.outcome.part_count, &interval,
                 NULL);
    family_parameters(asked->family, c, parameters, sizeof(parameters));
    fprintf(out, "%-24s ", name);
    predict_print_interval(out, &interval, unit);
    fprintf(out, "  sub-group %u, work-group %u x %u%s%s: ", c->subgroup_size, c->workgroup_count,
            c->workgroup_size, parameters[0] ? ", " : "", parameters);
    predict_print_bound(out, &prediction.outcome);
    if (interval.cause_count) {
        fputs("; ", out);
        predict_print_cause(out, &interval.cause[0], unit);
    }
    fputc('\n', out);
    return STATUS_OK;
}

/* The device as families ask about it, as far as the model knows it. */
static void fill_device(const struct predictor *predictor, struct device *device)
{
    struct predict_topology topology = predictor_topology(predictor);

    memset(device, 0, sizeof(*device));
    device->slices = 1;
    device->subslices_per_slice = topology.xe_cores;
    device->eus_per_subslice = topology.engines;
    device->threads_per_eu = topology.threads;
    device->max_group_size = topology.largest_group;
    device->max_slm_bytes = topology.slm_bytes;
    device->cache_bytes = topology.cache_bytes;
}

static enum status print_configuration(struct prediction_context *asked,
                                       const struct device *device, FILE *out, struct error *error)
{
    const struct family *family = asked->family;
    enum status status = STATUS_OK;

    for (size_t v = 0; status == STATUS_OK && v < family->variant_count; v++) {
        asked->variant = v;
        if (family->check)
            status = family->check(device, asked->configuration, &family->variants[v], error);
        if (status == STATUS_OK) {
            status = print_predicted_variant(asked, out, error);
        } else if (status == STATUS_UNSUPPORTED) {
            fprintf(out, "%-24s not predicted: %s\n", family->variants[v].name, error->text);
            status = STATUS_OK;
        } else if (status == STATUS_EXCLUDED) {
            status = STATUS_OK;
        }
    }
    return status;
}

static enum status predict_a_family(struct predictor *predictor, const struct model *model,
                                    const struct predict_request *request, FILE *out,
                                    struct error *error)
{
    struct prediction_context asked = {
        .predictor = predictor, .model = model, .family = request->family};
    struct plan_gap gap = {.count = 0};
    struct family_axes axes;
    struct device device;
    struct plan plan;
    enum status status = family_axes_resolve(&axes, request->family, request->preset, request->axes,
                                             request->axis_count, error);

    if (status != STATUS_OK)
        return status;
    evaluation_progress_init(&asked.progress);
    predict_print_head(out, model, predictor);
    fill_device(predictor, &device);
    status = plan_make(&plan, request->family, &axes, &device, 0, &gap, error);
    asked.progress.lines = plan.count;
    for (size_t i = 0; status == STATUS_OK && i < plan.count; i++) {
        asked.configuration = &plan.configurations[i];
        asked.progress.line = i + 1;
        status = print_configuration(&asked, &device, out, error);
    }
    plan_free(&plan);
    return status;
}

/* The same time with other numbers in the buffers of which nobody has said what is in them: does it
 * depend on them? Then the interval has both. */
static void try_other_contents(struct kernel_launch *made, const struct launch_sample *sample,
                               struct prediction_interval *interval)
{
    struct predict_launch other;
    struct error error;
    double ratio = 1.0;

    if (made->unsaid_count == 0)
        return;
    enum status status = kernel_launch_fill(made, &other, &error);
    if (status == STATUS_OK)
        status = sample_other_contents(sample, &other, &ratio, &error);
    if (status != STATUS_OK) {
        fprintf(
            stderr,
            "vebench: what is in the buffers decides what the kernel does (with random numbers: "
            "%s); the prediction is for zeros: say with --buffer what is in them\n",
            error.text);
        return;
    }
    if (fabs(ratio - 1.0) < CONTENTS_MATTER)
        return;
    fprintf(stderr,
            "vebench: what is in the buffers matters: %.5g ns with zeros, %.5g ns with random "
            "numbers; the interval has both: say with --buffer what is in them\n",
            interval->value, ratio * interval->value);
    interval->low *= fmin(ratio, 1.0);
    interval->high *= fmax(ratio, 1.0);
}

/* Loops of which --trips says how often they go round may not be entered at all: then they go round
 * no more often where it says more. */
static void check_trips(const struct launch_sample *sample)
{
    const struct predict_once how = {.caches = PREDICT_COLD};
    struct predict_kernel more = *sample->kernel;
    struct outcome outcomes[2];
    struct error error;
    bool given = false;

    for (size_t i = 0; i < more.trip_count; i++) {
        given = given || more.trips[i];
        more.trips[i] += more.trips[i] > 0;
    }
    if (given &&
        predict_once(sample->predictor, sample->kernel, &sample->few, &how, &outcomes[0], &error) ==
            STATUS_OK &&
        predict_once(sample->predictor, &more, &sample->few, &how, &outcomes[1], &error) ==
            STATUS_OK &&
        outcomes[0].instructions == outcomes[1].instructions)
        fputs("vebench: --trips changes nothing: with what is in the buffers and arguments none of "
              "these loops is entered (--buffer, --arg), or the kernel has none\n",
              stderr);
}

static enum status predict_kernel_interval(struct prediction_context *asked,
                                           struct kernel_launch *made,
                                           const struct launch_sample *sample,
                                           struct prediction_interval *interval,
                                           struct error *error)
{
    const struct own_rows *rows = asked->rows;
    struct evaluator evaluator = {.predictor = asked->predictor,
                                  .context = asked,
                                  .evaluate = ask_sample,
                                  .progress = show_progress,
                                  .evaluations_most = sample->again_most,
                                  .depends_on = sample->depends_on};
    double value = ns_of(asked->predictor, sample->outcome.cycles);

    if (rows->neighbours.count) {
        value *= neighbour_ratio(&rows->neighbours.at[0]);
        if (rows->nearest.again_most < sample->again_most)
            evaluator.evaluations_most = rows->nearest.again_most;
    }
    enum status status = prediction_interval_find(&evaluator, value, interval, error);
    evaluation_progress_clear(&asked->progress);
    if (status != STATUS_OK)
        return status;
    sample_widen(sample, interval);
    if (rows->neighbours.count)
        sample_widen(&rows->nearest, interval);
    try_other_contents(made, sample, interval);
    return STATUS_OK;
}

/* Widens the interval by what the rules miss of a launch of these parts: as the kernel's own rows
 * say and, unless these tell enough, as those of the fit say, too; `margin` has that, if true. */
static bool widen_by_rules(const struct prediction_context *asked, const struct part *parts,
                           size_t part_count, struct prediction_interval *interval,
                           struct margin *margin)
{
    const struct neighbours *measured = &asked->rows->neighbours;

    if (measured->count)
        neighbours_widen(measured, interval);
    return !neighbours_tell(measured) &&
           margin_widen(asked->model, parts, part_count, interval, margin);
}

/* Predicts the launch that has been made. */
static enum status predict_made(struct prediction_context *asked,
                                const struct predict_request *request, struct kernel_launch *made,
                                const struct predict_signature *signature, FILE *out,
                                struct error *error)
{
    struct own_rows *rows = calloc(1, sizeof(*rows));
    struct prediction_interval interval, fresh;
    struct launch_sample sample;
    enum status status = rows ? STATUS_OK : error_out_of_memory(error);
    bool has_rows = own_rows_asked(asked->model, request);

    asked->sample = &sample;
    asked->rows = rows;
    if (status == STATUS_OK)
        status = sample_launch(&sample, asked->predictor, &made->kernel, &made->launch, error);
    if (status == STATUS_OK && has_rows)
        status = own_rows_find(rows, asked->model, request, &sample, error);
    if (status == STATUS_OK) {
        check_trips(&sample);
        status = predict_kernel_interval(asked, made, &sample, &interval, error);
    }
    if (status == STATUS_OK) {
        const struct prediction_interval figures = interval;
        bool has_fresh =
            sample_fresh(&sample, &figures, &fresh) && sample.cold_cycles != sample.outcome.cycles;
        struct margin margin;
        const struct outcome *outcome = &sample.outcome;
        bool has_margin =
            widen_by_rules(asked, outcome->part, outcome->part_count, &interval, &margin);
        if (has_fresh)
            widen_by_rules(asked, outcome->cold_part, outcome->cold_part_count, &fresh, NULL);
        const struct predicted_kernel predicted = {
            request->kernel,
            signature,
            &sample,
            &interval,
            &figures,
            has_fresh ? &fresh : NULL,
            has_margin ? &margin : NULL,
            has_rows ? rows : NULL,
            device_kind_is_emulated(asked->model->device_kind)};

        predict_print_head(out, asked->model, asked->predictor);
        predict_print_kernel(out, &predicted);
    }
    if (rows)
        own_rows_free(rows);
    free(rows);
    return status;
}

static enum status predict_a_kernel(struct predictor *predictor, const struct model *model,
                                    const struct predict_request *request, FILE *out,
                                    struct error *error)
{
    struct prediction_context asked = {.predictor = predictor, .model = model};
    struct predict_signature signature;
    struct kernel_launch made;
    enum status status = kernel_launch_make(&made, predictor, request, &signature, error);

    if (status != STATUS_OK)
        return status;
    evaluation_progress_init(&asked.progress);
    if (made.module.objection[0])
        fprintf(stderr,
                "vebench: spirv-val refuses the module, which this compiler accepts and another "
                "driver need not: %s\n",
                made.module.objection);
    status = predict_made(&asked, request, &made, &signature, out, error);
    kernel_launch_free(&made);
    return status;
}

static enum status check_request(const struct predict_request *request, struct error *error)
{
    if (!request->family == !request->spirv_path)
        return error_set(error, STATUS_USAGE, "predict takes --family NAME or --spirv FILE");
    if (request->spirv_path && (!request->kernel || !request->global || !request->local))
        return error_set(error, STATUS_USAGE,
                         "predict --spirv needs --kernel NAME, --global X[,Y[,Z]] and "
                         "--local X[,Y[,Z]]");
    if (request->family &&
        (request->kernel || request->global || request->local || request->options ||
         request->trips || request->argument_count || request->buffer_count || request->row_count ||
         request->lanes || request->define_count || request->event))
        return error_set(
            error, STATUS_USAGE,
            "--kernel, --global, --local, --sizes, --define, --arg, --buffer, --trips, "
            "--options, --event-scope and --rows are for predict --spirv; a family's launches are "
            "its own");
    if (request->spirv_path && request->axis_count)
        return error_set(error, STATUS_USAGE, "--axis is for predict --family");
    for (size_t i = 0; request->family && i < request->axis_count; i++) {
        if (!family_has_axis(request->family, request->axes[i]))
            return error_set(error, STATUS_USAGE, "--axis %s: family %s has no such axis",
                             request->axes[i], request->family->name);
    }
    return STATUS_OK;
}

enum status command_predict(const struct predict_request *request, FILE *out, struct error *error)
{
    struct model model;
    const struct predictor_settings settings = {
        .model = &model, .figures = &family_figures, .families = &families, .base = request->base};
    struct predictor *predictor;
    enum status status = check_request(request, error);

    if (status == STATUS_OK)
        status = model_read(&model, &family_models, request->model_path, error);
    if (status != STATUS_OK)
        return status;
    status = predictor_open(&predictor, &settings, error);
    if (status == STATUS_OK) {
        if (request->family)
            status = predict_a_family(predictor, &model, request, out, error);
        else
            status = predict_a_kernel(predictor, &model, request, out, error);
        predictor_close(predictor);
    }
    model_free(&model);
    return status;
}
