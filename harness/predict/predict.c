#include "predict/predict.h"

#include "gpu/gpu.h"
#include "predict/compiler.h"
#include "predict/figures.h"
#include "predict/launch-image.h"
#include "predict/resources.h"
#include "predict/zebin.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of a launch: some minutes of the host's time. */
#define INSTRUCTIONS_MOST UINT64_C(2000000000)

/* A module that has been compiled. */
struct module {
    const void *spirv; /* borrowed: what it was made from */
    const char *options;
    struct compiled compiled;
};

struct predictor {
    const struct family_list *families;
    struct figures figures;
    struct vesim_device device; /* the figures, with one of them varied */
    struct module *module;      /* owned */
    size_t module_count;
};

enum status predictor_open(struct predictor **opened, const struct predictor_settings *settings,
                           struct error *error)
{
    struct predictor *predictor = calloc(1, sizeof *predictor);
    enum status status;

    if (!predictor)
        return error_set(error, STATUS_FAILED, "out of memory");
    status = figures_of_model(&predictor->figures, settings->model, settings->figures,
                              settings->base, error);
    if (status != STATUS_OK) {
        free(predictor);
        return status;
    }
    predictor->families = settings->families;
    predictor->device = predictor->figures.description.device;
    *opened = predictor;
    return STATUS_OK;
}

void predictor_close(struct predictor *predictor)
{
    if (!predictor)
        return;
    for (size_t i = 0; i < predictor->module_count; i++)
        compiled_free(&predictor->module[i].compiled);
    free(predictor->module);
    free(predictor);
}

const struct family_list *predictor_families(const struct predictor *predictor)
{
    return predictor->families;
}

double predictor_clock_mhz(const struct predictor *predictor)
{
    return (double)predictor->device.core_clock / 1000.0;
}

/* Work-items of the largest work-group that the driver takes on any of these devices. */
enum { LARGEST_GROUP = 1024, LARGEST_SLM = 65536 };

struct predict_topology predictor_topology(const struct predictor *predictor)
{
    const struct vesim_device *device = &predictor->device;
    unsigned threads = (unsigned)(device->ves_per_xe_core * device->threads_per_ve);

    return (struct predict_topology){
        .xe_cores = (unsigned)(device->slices * device->xe_cores_per_slice),
        .engines = (unsigned)device->ves_per_xe_core,
        .threads = (unsigned)device->threads_per_ve,
        .largest_group = threads * 8 < LARGEST_GROUP ? threads * 8 : LARGEST_GROUP,
        .slm_bytes = device->slm_bytes_per_xe_core < LARGEST_SLM
                         ? (uint32_t)device->slm_bytes_per_xe_core
                         : LARGEST_SLM,
        .cache_bytes = (uint32_t)device->l3_bytes,
    };
}

/* Half of a figure's 95 % interval; 0 where it has none. */
static double half_width(const struct figures *figures, size_t index)
{
    const struct interval *interval = &figures->figure[index].interval;
    double half = (interval->high - interval->low) / 2.0;

    return figures->figure[index].measured && index != VESIM_FIGURE_core_clock && half > 0.0 &&
                   isfinite(half)
               ? half
               : 0.0;
}

size_t predictor_uncertain(const struct predictor *predictor)
{
    size_t count = 0;

    for (size_t i = 0; i < VESIM_FIGURE_COUNT; i++)
        count += half_width(&predictor->figures, i) > 0.0;
    return count;
}

double predictor_vary(struct predictor *predictor, size_t index)
{
    predictor->device = predictor->figures.description.device;
    for (size_t i = 0; i < VESIM_FIGURE_COUNT; i++) {
        double half = half_width(&predictor->figures, i);

        if (half > 0.0 && index-- == 0) {
            *vesim_device_figure(&predictor->device, i) += (uint64_t)ceil(half);
            return half / ceil(half);
        }
    }
    return 0.0;
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && !strcmp(a, b));
}

/* The module's machine code, compiled when first asked for. */
static enum status find_module(struct predictor *predictor, const struct predict_kernel *kernel,
                               const struct compiled **compiled, struct error *error)
{
    struct module *more;
    char device[16];
    enum status status;

    for (size_t i = 0; i < predictor->module_count; i++) {
        *compiled = &predictor->module[i].compiled;
        if (predictor->module[i].spirv == kernel->spirv &&
            same_text(predictor->module[i].options, kernel->options))
            return STATUS_OK;
    }
    more = realloc(predictor->module, (predictor->module_count + 1) * sizeof *more);
    if (!more)
        return error_set(error, STATUS_FAILED, "out of memory");
    predictor->module = more;
    more += predictor->module_count;
    *more = (struct module){.spirv = kernel->spirv, .options = kernel->options};
    snprintf(device, sizeof device, "0x%x", (unsigned)predictor->device.pci_device);
    status = compiler_compile(kernel->spirv, kernel->spirv_bytes, device, kernel->options,
                              &more->compiled, error);
    if (status == STATUS_OK)
        predictor->module_count++;
    *compiled = &more->compiled;
    return status;
}

/* A device at work on one kernel. */
struct predict_run {
    struct predictor *predictor;
    const struct predict_kernel *kernel;
    struct zebin_kernel code;
    struct gpu *gpu;
    uint64_t time;          /* cycles */
    struct vesim_walk warm; /* the first launch, once its caches were */
};

static enum status run_open(struct predict_run *run, struct error *error)
{
    const struct predict_kernel *kernel = run->kernel;
    const struct compiled *compiled = NULL;
    struct vesim_settings settings = vesim_settings_default();
    enum status status = find_module(run->predictor, kernel, &compiled, error);

    if (status == STATUS_OK)
        status = zebin_find(compiled->bytes, compiled->size, kernel->name, &run->code, error);
    if (status != STATUS_OK)
        return status;
    settings.counters = true;
    settings.instruction_limit = INSTRUCTIONS_MOST;
    settings.trips = kernel->trips;
    settings.trip_count = kernel->trip_count;
    run->gpu = gpu_create(&run->predictor->device, &settings);
    if (!run->gpu)
        return error_set(error, STATUS_FAILED, "out of memory");
    return STATUS_OK;
}

/* Launches once: what it took is the gpu's last walk. */
static enum status run_launch(struct predict_run *run, const struct predict_launch *launch,
                              struct vesim_walk *record, struct error *error)
{
    struct launch_image image;
    struct vesim_fault fault;
    enum status status =
        launch_image_make(&image, &run->predictor->device, &run->code, launch, error);

    if (status != STATUS_OK)
        return status;
    /* As between the kernels of a command list. */
    run->time = gpu_cache_control(run->gpu, GPU_FLUSH_DATA | GPU_INVALIDATE_DATA, run->time);
    if (gpu_walk(run->gpu, &image.space, &image.walker, run->time, &run->time, &fault))
        status = error_set(error, STATUS_FAILED, "kernel %s: %s", run->kernel->name, fault.message);
    else
        *record = *gpu_last_walk(run->gpu);
    launch_image_free(&image);
    return status;
}

static void add_argument(struct predict_signature *signature, const struct payload *payload)
{
    enum argument_kind kind = payload->kind == PAYLOAD_VALUE   ? ARGUMENT_NUMBER
                              : payload->kind == PAYLOAD_LOCAL ? ARGUMENT_LOCAL
                                                               : ARGUMENT_BUFFER;

    signature->argument[payload->argument].kind = kind;
    signature->argument[payload->argument].bytes = payload->source + payload->size;
}

enum status predict_signature(struct predictor *predictor, const struct predict_kernel *kernel,
                              struct predict_signature *signature, struct error *error)
{
    const struct compiled *compiled = NULL;
    struct zebin_kernel code;
    enum status status = find_module(predictor, kernel, &compiled, error);

    memset(signature, 0, sizeof *signature);
    if (status == STATUS_OK)
        status = zebin_find(compiled->bytes, compiled->size, kernel->name, &code, error);
    if (status != STATUS_OK)
        return status;
    if (code.argument_count > PREDICT_ARGUMENTS_MAX)
        return error_set(error, STATUS_FAILED, "kernel %s has more than %d arguments", kernel->name,
                         PREDICT_ARGUMENTS_MAX);
    signature->simd_width = code.simd_width;
    signature->spill_bytes = code.scratch_bytes;
    signature->argument_count = code.argument_count;
    for (size_t i = 0; i < code.payload_count; i++) {
        if (code.payload[i].kind >= PAYLOAD_VALUE)
            add_argument(signature, &code.payload[i]);
    }
    return STATUS_OK;
}

enum status predict_begin(struct predict_run **begun, struct predictor *predictor,
                          const struct predict_kernel *kernel, const struct predict_launch *launch,
                          struct outcome *outcome, struct error *error)
{
    const struct vesim_walk nothing = {0};
    struct predict_run *run = calloc(1, sizeof *run);
    struct vesim_walk cold;
    enum status status;

    if (!run)
        return error_set(error, STATUS_FAILED, "out of memory");
    run->predictor = predictor;
    run->kernel = kernel;
    status = run_open(run, error);
    if (status == STATUS_OK)
        status = run_launch(run, launch, &cold, error);
    if (status == STATUS_OK)
        status = run_launch(run, launch, &run->warm, error);
    if (status != STATUS_OK) {
        predict_end(run);
        return status;
    }
    resources_judge(outcome, &predictor->device, &nothing, &run->warm, 1.0);
    *begun = run;
    return STATUS_OK;
}

enum status predict_more(struct predict_run *run, const struct predict_launch *launch,
                         double iterations, struct outcome *outcome, struct error *error)
{
    struct vesim_walk more;
    enum status status = run_launch(run, launch, &more, error);

    if (status == STATUS_OK)
        resources_judge(outcome, &run->predictor->device, &run->warm, &more, iterations);
    return status;
}

void predict_end(struct predict_run *run)
{
    if (run->gpu)
        gpu_destroy(run->gpu);
    free(run);
}

enum status predict_launch(struct predictor *predictor, const struct predict_kernel *kernel,
                           const struct predict_launch *launch, struct outcome *outcome,
                           struct error *error)
{
    struct predict_run *run;
    enum status status = predict_begin(&run, predictor, kernel, launch, outcome, error);

    if (status == STATUS_OK)
        predict_end(run);
    return status;
}
