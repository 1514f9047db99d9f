#include "predict/predict-family.h"

#include "spirv-modules.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Iterations: enough for caches and thread order to settle, then as many more as take about so many
 * executed instructions or, to see what other figures change, AGAIN of them. */
enum { SETTLING = 4, MORE_LEAST = 4, MORE_MOST = 4096 };
#define INSTRUCTIONS 5e5
#define AGAIN        3e4

/* How a launch starts and its caches fill differs from one to the next by more than some iterations
 * take. Iterations that together take less than this share of what is done before them say little:
 * there are more of them, up to so much effort (struct outcome) altogether. */
#define LOOP_SHARE_LEAST 0.75
#define LOOP_EFFORT_MOST 2e7
#define LOOP_AGAIN_MOST  2.4e6

/* The contents do not matter, as long as they are always the same. */
#define CONTENTS_SEED 1u

static enum status take_arguments(const struct arguments *arguments, struct predict_launch *launch,
                                  struct error *error)
{
    if (arguments->count > PREDICT_ARGUMENTS_MAX || arguments->count > ARGUMENTS_MAX)
        return error_set(error, STATUS_FAILED, "a kernel with more than %d arguments",
                         ARGUMENTS_MAX);
    launch->argument_count = arguments->count;
    for (size_t i = 0; i < arguments->count; i++) {
        launch->argument[i].bytes = arguments->argument[i].bytes;
        launch->argument[i].is_local = arguments->argument[i].is_local;
        launch->argument[i].value = arguments->argument[i].value;
    }
    return STATUS_OK;
}

static void take_buffers(const struct workspace *workspace, struct predict_launch *launch)
{
    launch->buffer_count = workspace->buffer_count;
    for (size_t i = 0; i < workspace->buffer_count; i++)
        launch->buffer[i] = (struct predict_buffer){
            .address = (uint64_t)(uintptr_t)workspace->buffers[i].device,
            .host = workspace->buffers[i].initial,
            .bytes = workspace->buffers[i].bytes,
        };
}

static enum status make_launch(const struct family *family, const struct workspace *workspace,
                               const struct launch *launch, struct predict_launch *made,
                               struct error *error)
{
    struct geometry geometry = family_geometry(family, launch);
    struct arguments arguments = {0};

    memset(made, 0, sizeof(*made));
    memcpy(made->local, geometry.size, sizeof(made->local));
    memcpy(made->count, geometry.count, sizeof(made->count));
    family_arguments(family, workspace, launch, &arguments);
    take_buffers(workspace, made);
    return take_arguments(&arguments, made, error);
}

/* Whether the iterations of `launch` are its work-groups, as `made` has them. */
static bool are_groups(const struct launch *launch, const struct predict_launch *made)
{
    return made->count[0] == launch->iterations &&
           made->count[0] != launch->configuration.workgroup_count;
}

/* Work-groups come in batches to an Xe-core: so many times those before them even that out. */
enum { GROUPS_MORE = 8 };

/* Before those that tell. Work-groups have filled the device, and made room for as many. */
static uint32_t settling_iterations(const struct predictor *predictor, const struct launch *launch,
                                    const struct predict_launch *made, bool of_groups)
{
    uint32_t fewest = launch->variant->fewest_iterations;

    if (of_groups)
        fewest = (uint32_t)(2.0 * predict_groups_resident(predictor, made,
                                                          launch->configuration.subgroup_size));
    return fewest > launch->iterations ? fewest : launch->iterations;
}

/* The number of iterations to add to those of `launch`. */
static uint32_t further_iterations(const struct variant *variant, const struct launch *launch,
                                   const struct outcome *outcome, double instructions)
{
    double wanted = instructions / (outcome->instructions / launch->iterations + 1.0);
    uint32_t further = (uint32_t)fmin(fmax(wanted, MORE_LEAST), MORE_MOST);

    return further < variant->fewest_iterations ? variant->fewest_iterations : further;
}

/* Still more of them, so that they take long enough, as far as `effort` lasts. `begin` is of what
 * is done before them, and `outcome` of an iteration. */
static uint32_t enough_iterations(const struct outcome *begin, const struct outcome *outcome,
                                  uint32_t further, double effort)
{
    enum { GROWS_MOST = 8 };
    double wanted = LOOP_SHARE_LEAST * begin->cycles, took = outcome->cycles * further;
    double most = fmin((effort - begin->effort) / (outcome->effort + 1.0), MORE_MOST);
    double grows = took > 0.0 ? fmin(1.5 * wanted / took, GROWS_MOST) : GROWS_MOST;

    return took >= wanted ? further : (uint32_t)fmax(fmin(grows * further, most), further);
}

static struct predict_kernel kernel_of(const struct spirv_module *module,
                                       const struct variant *variant)
{
    return (struct predict_kernel){.spirv = module->bytes,
                                   .spirv_bytes = module->size_bytes,
                                   .name = variant->entry_point,
                                   .options = variant->build_flags};
}

enum status predict_family_load(struct predictor *predictor, const struct family *family,
                                unsigned subgroup_size, size_t variant, struct error *error)
{
    const struct spirv_module *module = family_module(family, subgroup_size);
    struct predict_signature signature;

    if (!module)
        return error_set(error, STATUS_UNSUPPORTED, "%s has no module of %u lanes", family->name,
                         subgroup_size);
    const struct predict_kernel kernel = kernel_of(module, &family->variants[variant]);
    return predict_signature(predictor, &kernel, &signature, error);
}

/* What to predict of a variant. */
struct extent {
    bool baseline;       /* also its cost beyond that */
    double instructions; /* of the iterations that tell */
    double effort;       /* most, where they take long enough only with more */
};

/* Predicts an iteration of one kernel, and adds to `effort`. */
static enum status predict_loop(struct predictor *predictor, const struct family *family,
                                const struct workspace *workspace,
                                const struct configuration *configuration, size_t variant,
                                const struct extent *extent, struct outcome *outcome,
                                double *effort, struct error *error)
{
    const struct variant *what = &family->variants[variant];
    const struct predict_kernel kernel =
        kernel_of(family_module(family, configuration->subgroup_size), what);
    struct launch launch = {
        .configuration = *configuration, .variant = what, .purpose = LAUNCH_MEASURE};
    struct predict_launch made;
    struct predict_run *run;

    launch.iterations = SETTLING;
    enum status status = make_launch(family, workspace, &launch, &made, error);
    const bool of_groups = status == STATUS_OK && are_groups(&launch, &made);
    if (status == STATUS_OK)
        launch.iterations = settling_iterations(predictor, &launch, &made, of_groups);
    if (status == STATUS_OK)
        status = make_launch(family, workspace, &launch, &made, error);
    if (status == STATUS_OK)
        status = predict_begin(&run, predictor, &kernel, &made, outcome, error);
    if (status != STATUS_OK)
        return status;
    const struct outcome begin = *outcome;
    const uint32_t before = launch.iterations;
    uint32_t further = 0;
    uint32_t wanted = further_iterations(what, &launch, &begin, extent->instructions);
    if (of_groups && wanted < GROUPS_MORE * before)
        wanted = GROUPS_MORE * before < MORE_MOST ? GROUPS_MORE * before : MORE_MOST;
    double spent = 2.0 * begin.effort; /* it is launched twice */
    /* The last of more work-groups may be on an Xe-core that has not fetched its code. */
    const unsigned launches = of_groups ? 2 : 1;

    while (status == STATUS_OK && further < wanted) {
        further = wanted;
        launch.iterations = before + further;
        status = make_launch(family, workspace, &launch, &made, error);
        for (unsigned i = 0; status == STATUS_OK && i < launches; i++)
            status = predict_more(run, &made, further, outcome, error);
        spent += launches * (begin.effort + further * outcome->effort);
        wanted = enough_iterations(&begin, outcome, further, extent->effort - spent);
    }
    *effort += spent;
    predict_end(run);
    return status;
}

static enum status predict_extent(struct predictor *predictor, const struct family *family,
                                  const struct workspace *workspace,
                                  const struct configuration *configuration, size_t variant,
                                  const struct extent *extent, struct family_prediction *prediction,
                                  struct error *error)
{
    double ns = 1000.0 / predictor_clock_mhz(predictor);
    size_t baseline = family_baseline(family, variant);
    struct outcome outcome;

    prediction->effort = 0.0;
    enum status status = predict_loop(predictor, family, workspace, configuration, variant, extent,
                                      &prediction->outcome, &prediction->effort, error);
    if (status != STATUS_OK)
        return status;
    prediction->loop_ns = prediction->outcome.cycles * ns;
    prediction->baseline_ns = extent->baseline ? 0.0 : NAN;
    if (extent->baseline && baseline < family->variant_count) {
        status = predict_loop(predictor, family, workspace, configuration, baseline, extent,
                              &outcome, &prediction->effort, error);
        if (status != STATUS_OK)
            return status;
        prediction->baseline_ns = outcome.cycles * ns;
    }
    prediction->value = (prediction->loop_ns - prediction->baseline_ns) /
                        family_work(family, configuration, variant).units;
    return STATUS_OK;
}

static bool is_predicted(const struct variant *variant)
{
    return variant->estimator == ESTIMATOR_SLOPE ||
           (variant->estimator == ESTIMATOR_LAUNCH &&
            (variant->caches == CACHES_WARM || variant->caches == CACHES_LIST));
}

/* Predicts a launch that is measured whole. */
static enum status predict_whole(struct predictor *predictor, const struct family *family,
                                 const struct workspace *workspace,
                                 const struct configuration *configuration, size_t variant,
                                 struct family_prediction *prediction, struct error *error)
{
    const struct variant *what = &family->variants[variant];
    const struct predict_kernel kernel =
        kernel_of(family_module(family, configuration->subgroup_size), what);
    const struct launch launch = {.configuration = *configuration,
                                  .variant = what,
                                  .purpose = LAUNCH_MEASURE,
                                  .iterations = 1};
    struct predict_launch made;
    const struct predict_once how = {.caches =
                                         what->caches == CACHES_LIST ? PREDICT_COLD : PREDICT_WARM};

    enum status status = make_launch(family, workspace, &launch, &made, error);
    if (status == STATUS_OK)
        status = predict_once(predictor, &kernel, &made, &how, &prediction->outcome, error);
    if (status != STATUS_OK)
        return status;
    prediction->effort = prediction->outcome.effort;
    prediction->loop_ns = prediction->outcome.cycles * 1000.0 / predictor_clock_mhz(predictor);
    prediction->baseline_ns = 0.0;
    prediction->value = prediction->loop_ns / family_work(family, configuration, variant).units;
    return STATUS_OK;
}

static enum status predict_variant(struct predictor *predictor, const struct family *family,
                                   const struct configuration *configuration, size_t variant,
                                   const struct extent *extent,
                                   struct family_prediction *prediction, struct error *error)
{
    const struct variant *what = &family->variants[variant];
    struct workspace workspace;

    if (!is_predicted(what))
        return error_set(error, STATUS_UNSUPPORTED,
                         "%s observes single launches; predicted are iterations, and launches "
                         "whose caches are warm or lack its code",
                         what->name);
    if (what->any_size || !variant_has_size(what, configuration->subgroup_size) ||
        !family_module(family, configuration->subgroup_size))
        return error_set(error, STATUS_UNSUPPORTED, "there is no kernel of this size%s%s",
                         what->no_size ? ": " : "", what->no_size ? what->no_size : "");
    workspace_init(&workspace, NULL, CONTENTS_SEED);
    enum status status = family_prepare(family, &workspace, configuration, error);
    if (status == STATUS_OK && what->estimator == ESTIMATOR_LAUNCH)
        status =
            predict_whole(predictor, family, &workspace, configuration, variant, prediction, error);
    else if (status == STATUS_OK)
        status = predict_extent(predictor, family, &workspace, configuration, variant, extent,
                                prediction, error);
    workspace_release(&workspace);
    return status;
}

enum status predict_family(struct predictor *predictor, const struct family *family,
                           const struct configuration *configuration, size_t variant,
                           struct family_prediction *prediction, struct error *error)
{
    return predict_variant(predictor, family, configuration, variant,
                           &(struct extent){true, INSTRUCTIONS, LOOP_EFFORT_MOST}, prediction,
                           error);
}

enum status predict_family_again(struct predictor *predictor, const struct family *family,
                                 const struct configuration *configuration, size_t variant,
                                 struct family_prediction *prediction, struct error *error)
{
    return predict_variant(predictor, family, configuration, variant,
                           &(struct extent){true, AGAIN, LOOP_AGAIN_MOST}, prediction, error);
}

enum status predict_family_loop(struct predictor *predictor, const struct family *family,
                                const struct configuration *configuration, size_t variant,
                                struct family_prediction *prediction, struct error *error)
{
    return predict_variant(predictor, family, configuration, variant,
                           &(struct extent){false, INSTRUCTIONS, LOOP_EFFORT_MOST}, prediction,
                           error);
}

enum status predict_family_loop_again(struct predictor *predictor, const struct family *family,
                                      const struct configuration *configuration, size_t variant,
                                      struct family_prediction *prediction, struct error *error)
{
    return predict_variant(predictor, family, configuration, variant,
                           &(struct extent){false, AGAIN, LOOP_AGAIN_MOST}, prediction, error);
}
