#include "predict/predict.h"

#include "base/processors.h"
#include "base/text.h"
#include "predict/barriers.h"
#include "predict/compiler.h"
#include "predict/family-figures.h"
#include "predict/figures.h"
#include "predict/resources.h"
#include "vesim/vesim.h"

#include <malloc.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Per launch: some minutes of host time. */
#define INSTRUCTIONS_MOST UINT64_C(2000000000)

/* A kernel of a module, loaded when it is first asked for: of a module with many, finding it takes
 * longer than a short launch. */
struct loaded {
    char *name;
    struct vesim_kernel *code;
};

/* A compiled module. */
struct module {
    const void *spirv; /* borrowed: what it was compiled from */
    const char *options;
    struct compiled compiled;
    struct loaded *loaded; /* owned */
    size_t loaded_count;
};

/* Memory of one of a launch's buffers, kept for the next launch: to map pages and give them back
 * takes longer than most launches. */
struct kept {
    void *memory; /* NULL: none yet */
    size_t bytes;
};

enum { KEPT_BYTES_MOST = 1 << 20 };

struct predictor {
    const struct family_list *families;
    const struct family_figures_list *figure_rules;
    struct figures figures;
    struct uncertainty uncertainty;
    struct uncertainty_draws draws;
    struct barrier_excess barrier[MODEL_BARRIERS_MAX];
    size_t barrier_count;
    struct vesim_device device; /* the figures, or others that are possible */
    struct module *module;      /* owned */
    size_t module_count;
    struct kept kept[PREDICT_ARGUMENTS_MAX];
};

void predictor_draw(struct predictor *predictor, size_t count)
{
    uncertainty_draw(&predictor->draws, &predictor->uncertainty, count);
}

/* What is not known, and devices that have others of the possible values. */
static void begin_with_figures(struct predictor *predictor)
{
    uncertainty_find(&predictor->uncertainty, &predictor->figures);
    predictor_draw(predictor, UNCERTAINTY_DRAWS);
    predictor_restore(predictor);
}

/* Each run opens a device and closes it. What that frees stays with the process: pages given back
 * to the host would have to be cleared and mapped again for the next one, which took a third of the
 * time. Of glibc, for the whole process; AddressSanitizer's allocation is not concerned. */
static void keep_freed_memory(void)
{
    mallopt(M_MMAP_THRESHOLD, 32 << 20); /* the most that it takes */
    mallopt(M_TRIM_THRESHOLD, 64 << 20);
}

enum status predictor_open(struct predictor **opened, const struct predictor_settings *settings,
                           struct error *error)
{
    struct predictor *predictor = calloc(1, sizeof(*predictor));

    if (!predictor)
        return error_out_of_memory(error);
    keep_freed_memory();
    enum status status = figures_of_model(&predictor->figures, settings->model, settings->figures,
                                          settings->base, error);
    if (status != STATUS_OK) {
        free(predictor);
        return status;
    }
    predictor->families = settings->families;
    predictor->figure_rules = settings->figures;
    predictor_know_barriers(predictor, settings->model);
    begin_with_figures(predictor);
    *opened = predictor;
    return STATUS_OK;
}

static void free_module(struct module *module)
{
    for (size_t i = 0; i < module->loaded_count; i++) {
        free(module->loaded[i].name);
        vesim_kernel_free(module->loaded[i].code);
    }
    free(module->loaded);
    compiled_free(&module->compiled);
}

void predictor_close(struct predictor *predictor)
{
    if (!predictor)
        return;
    for (size_t i = 0; i < predictor->module_count; i++)
        free_module(&predictor->module[i]);
    free(predictor->module);
    for (size_t i = 0; i < PREDICT_ARGUMENTS_MAX; i++) {
        if (predictor->kept[i].memory)
            munmap(predictor->kept[i].memory, predictor->kept[i].bytes);
    }
    free(predictor);
}

const char *outcome_mechanism(const struct outcome *outcome)
{
    return outcome->resource_count ? outcome->resource[0].name : NULL;
}

const struct family_list *predictor_families(const struct predictor *predictor)
{
    return predictor->families;
}

const char *predictor_figure_name(size_t index)
{
    return vesim_figures[index].name;
}

const char *predictor_figure_unit(size_t index)
{
    return vesim_figures[index].unit;
}

double predictor_clock_mhz(const struct predictor *predictor)
{
    return (double)predictor->device.core_clock / 1000.0;
}

/* Limits of the driver's largest work-group on any of these devices. */
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
        .line_bytes = (uint32_t)device->line_bytes,
    };
}

double predict_groups_resident(const struct predictor *predictor,
                               const struct predict_launch *launch, unsigned simd_width)
{
    struct predict_topology topology = predictor_topology(predictor);
    double items = (double)launch->local[0] * launch->local[1] * launch->local[2];
    double per_core = floor((double)topology.engines * topology.threads / ceil(items / simd_width));

    return fmax(1.0, per_core) * topology.xe_cores;
}

const struct uncertainty *predictor_uncertainty(const struct predictor *predictor)
{
    return &predictor->uncertainty;
}

const struct uncertainty_draws *predictor_draws(const struct predictor *predictor)
{
    return &predictor->draws;
}

const struct figure_rule *predictor_rule(const struct predictor *predictor, size_t index)
{
    const struct figure_rule *last = NULL; /* which knows most */

    for (size_t f = 0; f < predictor->figure_rules->count; f++) {
        const struct family_figures *family = predictor->figure_rules->family[f];

        for (size_t i = 0; i < family->count; i++) {
            if (family->rules[i].figure == index && family->rules[i].sweep)
                last = &family->rules[i];
        }
    }
    return last;
}

size_t predictor_rules(const struct predictor *predictor, const struct figure_rule **rules)
{
    bool is_there[VESIM_FIGURE_COUNT] = {false};
    size_t count = 0;

    for (size_t f = 0; f < predictor->figure_rules->count; f++) {
        const struct family_figures *family = predictor->figure_rules->family[f];

        for (size_t i = 0; i < family->count && count < PREDICTOR_RULES_MAX; i++) {
            const struct figure_rule *rule = &family->rules[i];
            const struct figure_rule *last = predictor_rule(predictor, rule->figure);

            if (rule->variants)
                rules[count++] = rule;
            else if (!is_there[rule->figure] && !last->variants)
                rules[count++] = last;
            is_there[rule->figure] = true;
        }
    }
    return count;
}

bool predictor_assumed(const struct predictor *predictor, size_t index, double *low, double *high)
{
    *low = (double)predictor->figures.description.low[index];
    *high = (double)predictor->figures.description.high[index];
    return *low < *high;
}

void predictor_know(struct predictor *predictor, const struct calibration *calibration)
{
    figures_know(&predictor->figures, calibration);
    begin_with_figures(predictor);
}

void predictor_know_barriers(struct predictor *predictor, const struct model *model)
{
    memcpy(predictor->barrier, model->barrier, sizeof(predictor->barrier));
    predictor->barrier_count = model->barrier_count;
}

double predictor_figure(const struct predictor *predictor, size_t index)
{
    struct vesim_device device = predictor->device;

    return (double)*vesim_device_figure(&device, index);
}

void predictor_take(struct predictor *predictor, size_t index, double value)
{
    const struct vesim_figure *figure = &vesim_figures[index];
    double within = fmin(fmax(value, (double)figure->minimum), (double)figure->maximum);

    *vesim_device_figure(&predictor->device, index) = (uint64_t)llround(within);
}

void predictor_take_draw(struct predictor *predictor, size_t draw)
{
    predictor_restore(predictor);
    for (size_t f = 0; f < predictor->uncertainty.count; f++)
        predictor_take(predictor, predictor->uncertainty.figure[f].index,
                       predictor->draws.value[draw][f]);
}

void predictor_restore(struct predictor *predictor)
{
    predictor->device = predictor->figures.description.device;
}

/* The module's machine code, compiled on first use. */
static enum status find_module(struct predictor *predictor, const struct predict_kernel *kernel,
                               struct module **module, struct error *error)
{
    char device[16];

    for (size_t i = 0; i < predictor->module_count; i++) {
        *module = &predictor->module[i];
        if (predictor->module[i].spirv == kernel->spirv &&
            text_same(predictor->module[i].options, kernel->options))
            return STATUS_OK;
    }
    struct module *more = realloc(predictor->module, (predictor->module_count + 1) * sizeof(*more));
    if (!more)
        return error_out_of_memory(error);
    predictor->module = more;
    more += predictor->module_count;
    *more = (struct module){.spirv = kernel->spirv, .options = kernel->options};
    snprintf(device, sizeof(device), "0x%x", (unsigned)predictor->device.pci_device);
    enum status status = compiler_compile(kernel->spirv, kernel->spirv_bytes, device,
                                          kernel->options, &more->compiled, error);
    if (status == STATUS_OK)
        predictor->module_count++;
    *module = more;
    return status;
}

/* A device running one kernel. */
struct predict_run {
    struct predictor *predictor;
    const struct predict_kernel *kernel;
    const struct vesim_kernel *code; /* the predictor's */
    struct vesim_gpu *gpu;
    struct predict_once how;             /* with a number of instructions in any case */
    struct vesim_walk warm;              /* the first launch, with warm caches */
    void *memory[PREDICT_ARGUMENTS_MAX]; /* of the launch's buffers */
    bool counts;                         /* what the time is */
    bool is_cut;   /* after so many instructions: of what is executed only the time matters */
    double cycles; /* of the last launch, up to its end or where it was cut */
};

static enum status add_kernel(struct module *module, const char *name,
                              const struct vesim_kernel **code, struct error *error)
{
    struct loaded *more =
        realloc(module->loaded, (module->loaded_count + 1) * sizeof(*module->loaded));
    char problem[ERROR_TEXT_BYTES];

    if (!more)
        return error_out_of_memory(error);
    module->loaded = more;
    more += module->loaded_count;
    if (vesim_kernel_load(&more->code, module->compiled.bytes, module->compiled.size, name, problem,
                          sizeof(problem)))
        return error_set(error, STATUS_FAILED, "%s", problem);
    more->name = strdup(name);
    if (!more->name) {
        vesim_kernel_free(more->code);
        return error_out_of_memory(error);
    }
    *code = more->code;
    module->loaded_count++;
    return STATUS_OK;
}

static enum status find_kernel(struct predictor *predictor, const struct predict_kernel *kernel,
                               const struct vesim_kernel **code, struct error *error)
{
    struct module *module = NULL;
    enum status status = find_module(predictor, kernel, &module, error);

    if (status != STATUS_OK)
        return status;
    for (size_t i = 0; i < module->loaded_count; i++) {
        *code = module->loaded[i].code;
        if (!strcmp(module->loaded[i].name, kernel->name))
            return STATUS_OK;
    }
    return add_kernel(module, kernel->name, code, error);
}

/* Leaves some of the Xe-cores, and their share of what all use: banks and bandwidth of the L3 and
 * memory, and the dispatcher's turns. */
static void keep_cores(struct vesim_device *device, const struct predict_once *how)
{
    double share = (double)how->cores / (double)(device->slices * device->xe_cores_per_slice);

    device->slices = 1;
    device->xe_cores_per_slice = how->cores;
    device->l3_banks = (uint64_t)fmax(1.0, round(share * (double)device->l3_banks));
    device->group_dispatch_interval =
        (uint64_t)round((double)device->group_dispatch_interval / share);
    if (!how->splits_memory)
        return;
    device->l3_bytes = (uint64_t)(share * (double)device->l3_bytes);
    device->memory_bandwidth = (uint64_t)fmax(1.0, share * (double)device->memory_bandwidth);
    device->host_link_bandwidth = (uint64_t)(share * (double)device->host_link_bandwidth);
}

static struct predict_run run_of(struct predictor *predictor, const struct predict_kernel *kernel,
                                 const struct predict_once *how)
{
    struct predict_run run = {.predictor = predictor, .kernel = kernel, .how = *how};

    if (!run.how.instructions_most)
        run.how.instructions_most = INSTRUCTIONS_MOST;
    return run;
}

/* Barriers of a work-group have a latency by its hardware threads. */
static void set_barriers(struct vesim_device *device, const struct predict_run *run,
                         const struct predict_launch *launch)
{
    const struct predictor *predictor = run->predictor;
    double items = (double)launch->local[0] * launch->local[1] * launch->local[2];
    double threads = ceil(items / vesim_kernel_properties(run->code)->sub_group_size);
    double excess = barriers_excess(predictor->barrier, predictor->barrier_count, threads);

    device->barrier_latency =
        (uint64_t)llround(fmax(1.0, (double)device->barrier_latency + excess));
}

static enum status run_open(struct predict_run *run, const struct predict_launch *launch,
                            struct error *error)
{
    const struct predict_kernel *kernel = run->kernel;
    struct vesim_device device = run->predictor->device;
    struct vesim_settings settings = vesim_settings_default();
    enum status status = find_kernel(run->predictor, kernel, &run->code, error);
    char problem[ERROR_TEXT_BYTES];

    if (status != STATUS_OK)
        return status;
    settings.host_threads = processors_available();
    settings.counters = run->counts;
    settings.instruction_limit = run->how.instructions_most;
    settings.time_limit_s = 0;
    settings.trips = kernel->trips;
    settings.trip_count = kernel->trip_count;
    set_barriers(&device, run, launch);
    if (run->how.cores)
        keep_cores(&device, &run->how);
    if (vesim_gpu_open(&run->gpu, &device, &settings, problem, sizeof(problem)))
        return error_set(error, STATUS_FAILED, "%s", problem);
    return STATUS_OK;
}

static bool is_kept(const struct predict_buffer *buffer)
{
    return !buffer->is_file && buffer->bytes <= KEPT_BYTES_MOST;
}

static void give_back(const struct predict_buffer *buffer, void *memory)
{
    if (!is_kept(buffer))
        munmap(memory, buffer->bytes);
}

/* Unmaps the first `count` buffers of the launch. */
static void unmap_buffers(struct predict_run *run, const struct predict_launch *launch,
                          size_t count)
{
    char problem[ERROR_TEXT_BYTES];

    for (size_t i = 0; i < count; i++) {
        vesim_gpu_unmap(run->gpu, launch->buffer[i].address, problem, sizeof(problem));
        give_back(&launch->buffer[i], run->memory[i]);
    }
}

/* Pages of zeros, or of a file, or NULL. They cost nothing before they are touched: a part of a
 * launch touches few. */
static void *map_pages(const struct predict_buffer *buffer)
{
    void *memory = mmap(NULL, buffer->bytes, PROT_READ | PROT_WRITE,
                        buffer->is_file ? MAP_PRIVATE : MAP_PRIVATE | MAP_ANONYMOUS,
                        buffer->is_file ? buffer->file : -1, 0);

    return memory == MAP_FAILED ? NULL : memory;
}

/* Memory that is as large as the buffer, or NULL. */
static void *find_kept(struct kept *kept, const struct predict_buffer *buffer)
{
    if (kept->memory && kept->bytes >= buffer->bytes) {
        if (!buffer->host)
            memset(kept->memory, 0, buffer->bytes);
        return kept->memory;
    }
    if (kept->memory)
        munmap(kept->memory, kept->bytes);
    *kept = (struct kept){map_pages(buffer), buffer->bytes};
    return kept->memory;
}

/* Memory with the buffer's contents, or NULL. */
static void *take_memory(struct kept *kept, const struct predict_buffer *buffer)
{
    void *memory = is_kept(buffer) ? find_kept(kept, buffer) : map_pages(buffer);

    if (memory && buffer->host && !buffer->is_file)
        memcpy(memory, buffer->host, buffer->bytes);
    return memory;
}

/* Maps copies, so that every launch finds the same contents. */
static enum status map_buffers(struct predict_run *run, const struct predict_launch *launch,
                               struct error *error)
{
    char problem[ERROR_TEXT_BYTES];

    for (size_t i = 0; i < launch->buffer_count; i++) {
        const struct predict_buffer *buffer = &launch->buffer[i];

        run->memory[i] = take_memory(&run->predictor->kept[i], buffer);
        snprintf(problem, sizeof(problem), "no memory for a buffer of %zu bytes", buffer->bytes);
        if (run->memory[i] &&
            !vesim_gpu_map(run->gpu, buffer->address, run->memory[i], buffer->bytes,
                           VESIM_MEMORY_DEVICE, problem, sizeof(problem)))
            continue;
        if (run->memory[i])
            give_back(buffer, run->memory[i]);
        unmap_buffers(run, launch, i);
        return error_set(error, STATUS_FAILED, "%s", problem);
    }
    return STATUS_OK;
}

/* Whether the launch has been stopped, at the limit of instructions or in a loop that never ends.
 */
static bool is_unending(const struct vesim_result *result)
{
    return result->outcome != VESIM_DONE &&
           (result->fault.kind == VESIM_FAULT_LIMIT || result->fault.kind == VESIM_FAULT_ENDLESS);
}

static bool uses_slm(const struct vesim_kernel_properties *code)
{
    bool uses = code->slm_bytes > 0;

    for (size_t i = 0; i < code->argument_count; i++)
        uses |= code->arguments[i].kind == VESIM_ARGUMENT_LOCAL;
    return uses;
}

double predict_stamp_cycles(const struct predictor *predictor, bool uses_slm)
{
    const struct vesim_device *device = &predictor->device;

    if (device->architecture != VESIM_GEN12LP)
        return 0.0;
    return (double)(device->pipe_control_latency +
                    (uses_slm ? device->pipe_control_latency + device->cache_flush_latency : 0));
}

/* Cycles between a driver's kernel timestamps besides the walk. */
static double around_walk(const struct predict_run *run, const struct predict_launch *launch,
                          const struct vesim_result *result)
{
    const struct vesim_device *device = &run->predictor->device;
    double cycles =
        predict_stamp_cycles(run->predictor, uses_slm(vesim_kernel_properties(run->code)));

    /* A card's driver takes the time before it writes the cache back, and so does the walker of
     * Xe3P, which does both. */
    if (launch->event == PREDICT_EVENT_HOST && !device->host_link_bandwidth &&
        device->architecture < VESIM_XE3P)
        cycles += (double)(result->written_back - result->end);
    return cycles;
}

static enum status run_mapped(struct predict_run *run, const struct predict_launch *launch,
                              struct vesim_walk *record, struct error *error)
{
    struct vesim_argument arguments[PREDICT_ARGUMENTS_MAX];
    struct vesim_launch made = {.arguments = arguments,
                                .argument_count = launch->argument_count,
                                .writes_back = launch->event != PREDICT_EVENT_LEAVES,
                                .begins_submission = launch->event == PREDICT_EVENT_LISTS};
    struct vesim_result result;
    struct vesim_job *job;
    char problem[ERROR_TEXT_BYTES];

    for (size_t i = 0; i < launch->argument_count; i++)
        arguments[i] = (struct vesim_argument){
            .value = launch->argument[i].value,
            .data = launch->argument[i].data,
            .data_bytes = launch->argument[i].data ? launch->argument[i].bytes : 0,
            .local_bytes = launch->argument[i].is_local ? launch->argument[i].bytes : 0};
    for (unsigned i = 0; i < 3; i++) {
        made.local[i] = launch->local[i];
        made.global[i] = launch->local[i] * launch->count[i];
        made.first_group[i] = launch->first_run[i];
        made.group_count[i] = launch->count_run[i];
    }
    if (vesim_gpu_launch(run->gpu, run->code, &made, &job, problem, sizeof(problem)))
        return error_set(error, STATUS_FAILED, "%s", problem);
    vesim_job_wait(job, &result);
    run->cycles = (double)(result.end - result.start);
    if (run->is_cut && is_unending(&result)) {
        run->cycles = (double)(result.fault.time - result.start) *
                      (double)run->how.instructions_most / (double)result.fault.executed;
        return STATUS_OK;
    }
    if (result.outcome != VESIM_DONE && result.fault.kind == VESIM_FAULT_LIMIT)
        return error_set(error, STATUS_FAILED,
                         "kernel %s executes more than %llu instructions, in the end at %s: say "
                         "how often its loops go round (--trips), or launch fewer work-items",
                         run->kernel->name, (unsigned long long)run->how.instructions_most,
                         result.fault.instruction);
    if (is_unending(&result))
        return error_set(error, STATUS_FAILED,
                         "kernel %s does not end with these contents of its buffers (%s): say how "
                         "often its loops go round (--trips)",
                         run->kernel->name, result.fault.message);
    if (result.outcome != VESIM_DONE)
        return error_set(error, STATUS_FAILED, "kernel %s: %s", run->kernel->name,
                         result.fault.message);
    double around = around_walk(run, launch, &result);
    run->cycles += around;
    *record = result.walk;
    record->end += (uint64_t)llround(around);
    return STATUS_OK;
}

/* Launches once. */
static enum status run_launch(struct predict_run *run, const struct predict_launch *launch,
                              struct vesim_walk *record, struct error *error)
{
    enum status status = map_buffers(run, launch, error);

    if (status != STATUS_OK)
        return status;
    status = run_mapped(run, launch, record, error);
    unmap_buffers(run, launch, launch->buffer_count);
    return status;
}

static void fill_signature(struct predict_signature *signature,
                           const struct vesim_kernel_properties *code)
{
    static const enum argument_kind kinds[] = {
        [VESIM_ARGUMENT_UNUSED] = ARGUMENT_UNUSED,
        [VESIM_ARGUMENT_NUMBER] = ARGUMENT_NUMBER,
        [VESIM_ARGUMENT_POINTER] = ARGUMENT_BUFFER,
        [VESIM_ARGUMENT_LOCAL] = ARGUMENT_LOCAL,
    };

    signature->simd_width = code->sub_group_size;
    signature->spill_bytes = code->scratch_bytes;
    signature->uses_slm = uses_slm(code);
    signature->argument_count = code->argument_count;
    for (size_t i = 0; i < code->argument_count; i++) {
        signature->argument[i].kind = kinds[code->arguments[i].kind];
        signature->argument[i].bytes = code->arguments[i].bytes;
    }
}

enum status predict_signature(struct predictor *predictor, const struct predict_kernel *kernel,
                              struct predict_signature *signature, struct error *error)
{
    const struct vesim_kernel *code = NULL;
    enum status status = find_kernel(predictor, kernel, &code, error);

    memset(signature, 0, sizeof(*signature));
    if (status != STATUS_OK)
        return status;
    if (vesim_kernel_properties(code)->argument_count > PREDICT_ARGUMENTS_MAX)
        status = error_set(error, STATUS_FAILED, "kernel %s has more than %d arguments",
                           kernel->name, PREDICT_ARGUMENTS_MAX);
    else
        fill_signature(signature, vesim_kernel_properties(code));
    return status;
}

enum status predict_begin(struct predict_run **begun, struct predictor *predictor,
                          const struct predict_kernel *kernel, const struct predict_launch *launch,
                          struct outcome *outcome, struct error *error)
{
    const struct vesim_walk nothing = {0};
    struct predict_run *run = calloc(1, sizeof(*run));
    struct vesim_walk cold;

    if (!run)
        return error_out_of_memory(error);
    *run = run_of(predictor, kernel, &(struct predict_once){.caches = PREDICT_WARM});
    run->counts = true;
    enum status status = run_open(run, launch, error);
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
    vesim_gpu_close(run->gpu);
    free(run);
}

enum status predict_once(struct predictor *predictor, const struct predict_kernel *kernel,
                         const struct predict_launch *launch, const struct predict_once *how,
                         struct outcome *outcome, struct error *error)
{
    const struct vesim_walk nothing = {0};
    struct predict_run run = run_of(predictor, kernel, how);
    struct vesim_walk first = {0}, last;

    run.counts = true;
    enum status status = run_open(&run, launch, error);

    if (status == STATUS_OK)
        status = run_launch(&run, launch, &first, error);
    double cold_cycles = run.cycles;
    last = first;
    if (status == STATUS_OK && how->caches == PREDICT_WARM)
        status = run_launch(&run, launch, &last, error);
    if (status == STATUS_OK) {
        struct outcome cold;

        resources_judge(&cold, &predictor->device, &nothing, &first, 1.0);
        resources_judge(outcome, &predictor->device, &nothing, &last, 1.0);
        outcome->cold_cycles = cold_cycles;
        memcpy(outcome->cold_part, cold.part, sizeof(cold.part));
        outcome->cold_part_count = cold.part_count;
    }
    vesim_gpu_close(run.gpu);
    return status;
}

enum status predict_cycles(struct predictor *predictor, const struct predict_kernel *kernel,
                           const struct predict_launch *launch, const struct predict_once *how,
                           double *cycles, double *cold_cycles, struct error *error)
{
    struct predict_run run = run_of(predictor, kernel, how);
    struct vesim_walk walk;
    double cold = NAN;

    run.is_cut = how->instructions_most > 0;
    enum status status = run_open(&run, launch, error);
    for (int launches = how->caches == PREDICT_WARM && !run.is_cut ? 2 : 1;
         status == STATUS_OK && launches > 0; launches--) {
        status = run_launch(&run, launch, &walk, error);
        cold = isnan(cold) ? run.cycles : cold;
    }
    *cycles = run.cycles;
    if (cold_cycles)
        *cold_cycles = cold;
    vesim_gpu_close(run.gpu);
    return status;
}
