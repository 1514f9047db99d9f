#include "cli/predict-command.h"

#include "cli/predict-kernel.h"
#include "families/registry.h"
#include "measure/plan.h"
#include "predict/predict-family.h"

#include <math.h>
#include <string.h>

/* A value and how the uncertain figures affect it, as a function that can be called repeatedly. */
struct question {
    struct predictor *predictor;
    enum status (*ask)(struct question *question, double *value, struct error *error);
    const struct family *family;
    const struct configuration *configuration;
    size_t variant;
    struct family_prediction prediction; /* of the last call */
    const struct kernel_launch *launch;
    struct outcome outcome;
};

struct answer {
    double value, low, high; /* 95 % interval due to the model's figures */
};

/* Each uncertain figure shifts the value independently of the others, so the squares of the shifts
 * add up. */
static enum status ask_with_interval(struct question *question, struct answer *answer,
                                     struct error *error)
{
    size_t count = predictor_uncertain(question->predictor);
    struct question other = *question;
    double squares = 0.0;
    enum status status = question->ask(question, &answer->value, error);

    for (size_t i = 0; status == STATUS_OK && i < count; i++) {
        double part = predictor_vary(question->predictor, i), value, change;

        status = other.ask(&other, &value, error);
        change = status == STATUS_OK ? part * (value - answer->value) : 0.0;
        squares += change * change;
    }
    predictor_vary(question->predictor, SIZE_MAX);
    answer->low = answer->value - sqrt(squares);
    answer->high = answer->value + sqrt(squares);
    return status;
}

static enum status ask_family(struct question *question, double *value, struct error *error)
{
    enum status status =
        predict_family(question->predictor, question->family, question->configuration,
                       question->variant, &question->prediction, error);

    *value = question->prediction.value;
    question->outcome = question->prediction.outcome;
    return status;
}

static enum status ask_kernel(struct question *question, double *value, struct error *error)
{
    enum status status = predict_launch(question->predictor, &question->launch->kernel,
                                        &question->launch->launch, &question->outcome, error);

    *value = question->outcome.cycles * 1000.0 / predictor_clock_mhz(question->predictor);
    return status;
}

static void print_resource(FILE *out, const struct resource *resource)
{
    fprintf(out, "%s %.0f %%", resource->name, 100.0 * resource->share);
}

/* "bound by X, 19 % from its bound; then Y 40 %", or where the time goes. */
static void print_outcome(FILE *out, const struct outcome *outcome)
{
    const struct resource *first = &outcome->resource[0];

    if (outcome->resource_count == 0)
        return;
    if (first->is_bound)
        fprintf(out, "bound by %s, %.0f %% from its bound", first->name,
                100.0 * (1.0 / first->share - 1.0));
    else
        fprintf(out, "%s takes %.0f %%", first->name, 100.0 * first->share);
    if (outcome->resource_count > 1) {
        fputs("; then ", out);
        print_resource(out, &outcome->resource[1]);
    }
}

static void print_head(FILE *out, const struct model *model, const struct predictor *predictor)
{
    fprintf(out, "%s%s, %.0f MHz, %zu figures with an interval\n", model->device_name,
            strcmp(model->device_kind, "emulated") == 0 ? " (emulated)" : "",
            predictor_clock_mhz(predictor), predictor_uncertain(predictor));
}

static enum status print_predicted_variant(struct question *question, FILE *out,
                                           struct error *error)
{
    const struct configuration *c = question->configuration;
    char parameters[256] = "";
    struct answer answer;
    enum status status = ask_with_interval(question, &answer, error);

    if (status == STATUS_UNSUPPORTED) {
        fprintf(out, "%-24s not predicted: %s\n",
                question->family->variants[question->variant].name, error->text);
        return STATUS_OK;
    }
    if (status != STATUS_OK)
        return status;
    family_parameters(question->family, c, parameters, sizeof(parameters));
    fprintf(out, "%-24s %10.5g %s (%.5g to %.5g)  sub-group %u, work-group %u x %u%s%s: ",
            question->family->variants[question->variant].name, answer.value,
            family_unit(question->family, question->variant), answer.low, answer.high,
            c->subgroup_size, c->workgroup_count, c->workgroup_size, parameters[0] ? ", " : "",
            parameters);
    print_outcome(out, &question->outcome);
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

static enum status print_configuration(struct question *question, const struct device *device,
                                       FILE *out, struct error *error)
{
    const struct family *family = question->family;
    enum status status = STATUS_OK;

    for (size_t v = 0; status == STATUS_OK && v < family->variant_count; v++) {
        question->variant = v;
        if (family->check)
            status = family->check(device, question->configuration, v, error);
        if (status == STATUS_OK) {
            status = print_predicted_variant(question, out, error);
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
    struct question question = {
        .predictor = predictor, .ask = ask_family, .family = request->family};
    struct plan_gap gap = {.count = 0};
    struct family_axes axes;
    struct device device;
    struct plan plan;
    enum status status = family_axes_resolve(&axes, request->family, request->preset, request->axes,
                                             request->axis_count, error);

    if (status != STATUS_OK)
        return status;
    print_head(out, model, predictor);
    fill_device(predictor, &device);
    status = plan_make(&plan, request->family, &axes, &device, 0, &gap, error);
    for (size_t i = 0; status == STATUS_OK && i < plan.count; i++) {
        question.configuration = &plan.configurations[i];
        status = print_configuration(&question, &device, out, error);
    }
    plan_free(&plan);
    return status;
}

static enum status predict_a_kernel(struct predictor *predictor, const struct model *model,
                                    const struct predict_request *request, FILE *out,
                                    struct error *error)
{
    struct question question = {.predictor = predictor, .ask = ask_kernel};
    struct predict_signature signature;
    struct kernel_launch made;
    struct answer answer;
    enum status status = kernel_launch_make(&made, predictor, request, &signature, error);

    if (status != STATUS_OK)
        return status;
    question.launch = &made;
    status = ask_with_interval(&question, &answer, error);
    if (status == STATUS_OK) {
        print_head(out, model, predictor);
        fprintf(out, "%s: %.5g ns (%.5g to %.5g), %.0f instructions of %u lanes", request->kernel,
                answer.value, answer.low, answer.high, question.outcome.instructions,
                signature.simd_width);
        if (signature.spill_bytes)
            fprintf(out, ", spills %u bytes a thread", signature.spill_bytes);
        fputs(": ", out);
        print_outcome(out, &question.outcome);
        fputc('\n', out);
    }
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
