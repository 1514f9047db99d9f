#include "gpu/gpu.h"

#include <errno.h>
#include <fenv.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/dispatcher.h"
#include "gpu/stall-accounting.h"
#include "gpu/turn.h"
#include "gpu/walk.h"
#include "isa/compile/compile.h"
#include "timing/inst-cost.h"

/* As many as the settings ask for, else as many host processors as this process may use. */
static unsigned host_threads(unsigned wanted)
{
    cpu_set_t allowed;

    if (wanted)
        return wanted;
    if (sched_getaffinity(0, sizeof(allowed), &allowed))
        return 1;
    return (unsigned)CPU_COUNT(&allowed);
}

/* Selects the function that executes a decoded instruction on this GPU, and its cost. */
static void bind_inst(void *context, struct inst *inst)
{
    const struct gpu *gpu = context;

    inst_select(inst, gpu->settings.lanes);
    inst_set_cost(inst, gpu->device);
}

/* NULL: there was no memory for it, and the interpreter executes all. */
static void set_up(struct compiled *compiled, const struct vesim_settings *settings)
{
    if (!compiled)
        return;
    compiled_keep(compiled, settings->cache);
    if (settings->compile == VESIM_COMPILE_CHECK)
        compiled_check(compiled);
}

static void attach_compiled(void *context, struct program *program)
{
    const struct gpu *gpu = context;
    enum vesim_compile when = gpu->settings.compile;
    enum compile_scope scope = when == VESIM_COMPILE_CHECK ? COMPILE_PLAIN : COMPILE_ALL;
    enum compile_time time = when == VESIM_COMPILE_ON ? COMPILE_WHEN_HOT : COMPILE_AT_ONCE;

    if (when == VESIM_COMPILE_OFF)
        return;
    program->compiled = compiled_create(program, scope, time, turn_meet);
    program->ahead = compiled_create(program, COMPILE_AHEAD, time, NULL);
    set_up(program->compiled, &gpu->settings);
    set_up(program->ahead, &gpu->settings);
}

static void detach_compiled(void *context, struct program *program)
{
    (void)context;
    compiled_destroy(program->compiled);
    compiled_destroy(program->ahead);
    program->compiled = program->ahead = NULL;
}

struct gpu *gpu_create(const struct vesim_device *device, const struct vesim_settings *settings)
{
    struct gpu *gpu = calloc(1, sizeof(*gpu));

    if (!gpu)
        return NULL;
    gpu->device = device;
    gpu->core_count = (uint32_t)(device->slices * device->xe_cores_per_slice);
    gpu->cores = calloc(gpu->core_count, sizeof(*gpu->cores));
    gpu->settings = *settings;
    watch_init(&gpu->watch);
    gpu->binder = (struct inst_binder){bind_inst, gpu, attach_compiled, detach_compiled};
    gpu->programs = program_cache_create(device, &gpu->binder);
    if (gpu->programs)
        gpu_force_trips(gpu, settings->trips, (unsigned)settings->trip_count);
    gpu->retirements = calloc(gpu->core_count * XE_CORE_MAX_GROUPS, sizeof(*gpu->retirements));
    gpu_use_threads(gpu, host_threads(settings->host_threads));
    bool ok = gpu->cores && gpu->programs && gpu->retirements &&
              memory_clock_init(&gpu->memory, device) == 0 &&
              event_queue_init(&gpu->arrivals, gpu->core_count) == 0 &&
              event_queue_init(&gpu->transfers, gpu->core_count) == 0;
    for (uint32_t i = 0; ok && i < gpu->core_count; i++)
        ok = xe_core_init(&gpu->cores[i], device, i) == 0;
    if (!ok) {
        gpu_destroy(gpu);
        return NULL;
    }
    return gpu;
}

void gpu_set_stack(struct gpu *gpu, unsigned stack)
{
    gpu->memory.stack = stack;
}

void gpu_destroy(struct gpu *gpu)
{
    if (!gpu)
        return;
    for (uint32_t i = 0; gpu->cores && i < gpu->core_count; i++)
        xe_core_release(&gpu->cores[i]);
    free(gpu->cores);
    program_cache_destroy(gpu->programs);
    memory_clock_release(&gpu->memory);
    event_queue_release(&gpu->arrivals);
    event_queue_release(&gpu->transfers);
    pool_destroy(gpu->pool);
    free(gpu->retirements);
    free(gpu);
}

/* Refuses a walk whose work-groups need more than an Xe-core has. */
static int check_walker(const struct gpu *gpu, const struct walker *walker,
                        struct vesim_fault *fault)
{
    const char *wrong = NULL;

    if (walker->simd_width != 8 && walker->simd_width != 16 && walker->simd_width != 32)
        wrong = "a SIMD width that is not 8, 16 or 32";
    else if (walker->threads_per_group == 0 ||
             walker->threads_per_group >
                 gpu->device->ves_per_xe_core *
                     vesim_threads_per_ve(gpu->device, walker->grf_registers))
        wrong = "more threads in a work-group than an Xe-core has";
    else if (walker->slm_bytes > gpu->device->slm_bytes_per_xe_core)
        wrong = "more shared local memory than an Xe-core has";
    else if (walker->barriers > gpu->device->barriers_per_xe_core)
        wrong = "more barriers than an Xe-core has";
    else if (walker->local_id_dimensions > 3)
        wrong = "more than three dimensions";
    if (!wrong)
        return 0;
    fault->kind = VESIM_FAULT_COMMAND;
    snprintf(fault->message, sizeof(fault->message), "walker of kernel 0x%llx requests %s",
             (unsigned long long)walker->kernel_address, wrong);
    return -EFAULT;
}

void gpu_run_functional(struct gpu *gpu, bool on)
{
    gpu->settings.functional = on;
}

void gpu_use_threads(struct gpu *gpu, unsigned threads)
{
    pool_destroy(gpu->pool);
    gpu->pool = NULL;
    gpu->tuner = (struct host_tuner){0};
    gpu->threads = threads < gpu->core_count ? threads : gpu->core_count;
}

struct pool *gpu_pool(struct gpu *gpu)
{
    if (!gpu->pool && gpu->threads > 1)
        gpu->pool = pool_create(gpu->threads - 1);
    return gpu->pool;
}

void gpu_count(struct gpu *gpu, bool on)
{
    gpu->settings.counters = on;
}

void gpu_force_trips(struct gpu *gpu, const unsigned *trips, unsigned count)
{
    program_cache_force(gpu->programs, trips, count);
}

void gpu_watch_every(struct gpu *gpu, uint64_t instructions)
{
    gpu->watch.every = instructions;
}

const struct vesim_walk *gpu_last_walk(const struct gpu *gpu)
{
    return &gpu->record;
}

static void begin_counting(struct gpu *gpu, const struct walker *walker, uint64_t start)
{
    uint64_t sequence = gpu->record.device ? gpu->record.sequence + 1 : 0, groups = 1;

    for (unsigned i = 0; i < 3; i++)
        groups *= walker->group_end[i] - walker->group_start[i];
    gpu->record = (struct vesim_walk){
        .sequence = sequence,
        .kernel_address = walker->kernel_address,
        .device = gpu->device->name,
        .simd_width = walker->simd_width,
        .groups = groups,
        .threads = groups * walker->threads_per_group,
        .start = start,
        .thread_slots = (uint32_t)(gpu->core_count * gpu->device->ves_per_xe_core *
                                   gpu->device->threads_per_ve),
    };
    gpu->memory.counters = (struct counters){{0}};
    for (uint32_t i = 0; i < gpu->core_count; i++)
        stall_accounting_begin(&gpu->cores[i], start);
}

static void finish_counting(struct gpu *gpu, uint64_t end)
{
    struct vesim_walk *record = &gpu->record;

    record->end = end;
    record->first_start = UINT64_MAX;
    for (uint32_t i = 0; i < gpu->core_count; i++) {
        struct xe_core *core = &gpu->cores[i];

        stall_accounting_end(core, end);
        counters_add(record->counters, &core->counters);
        counters_add(record->counters, &core->load_store.counters);
        if (core->first_start < record->first_start)
            record->first_start = core->first_start;
        if (core->last_end > record->last_end)
            record->last_end = core->last_end;
    }
    counters_add(record->counters, &gpu->memory.counters);
    record->counters[COUNTER_ve_cycles] +=
        (gpu->core_count * gpu->device->ves_per_xe_core * (end - record->start));
    if (gpu->settings.walk_done)
        gpu->settings.walk_done(gpu->settings.context, record);
}

static bool counts(const struct vesim_settings *settings)
{
    return settings->counters && !settings->functional; /* counters count cycles */
}

static void begin_core(struct xe_core *core, const struct walker *walker,
                       const struct program *program, const struct vesim_settings *settings)
{
    const bool counting = counts(settings);

    load_store_share(&core->load_store, walker->slm_bytes > 0);
    xe_core_begin_walk(core, walker);
    remembered_begin(&core->remembered, program);
    core->remembered.is_checked = settings->compile == VESIM_COMPILE_CHECK;
    core->counting = core->load_store.counting = counting;
    core->fault = (struct vesim_fault){0};
    memset(core->access.mappings, 0, sizeof(core->access.mappings));
    core->access.mirrored_page = 0;
    memset(core->access.surfaces, 0, sizeof(core->access.surfaces));
    core->access.last_state.known = false;
}

/* Kernels set their own rounding mode: the host program's must not leak in. */
static int run_walk(struct walk *walk)
{
    fenv_t environment;

    fegetenv(&environment);
    fesetenv(FE_DFL_ENV);
    watch_begin(&walk->gpu->watch);
    int status = walk->gpu->settings.functional ? walk_run_functional(walk) : walk_run_timed(walk);
    watch_end(walk);
    fesetenv(&environment);
    return status;
}

int gpu_walk(struct gpu *gpu, const struct address_space *space, const struct walker *walker,
             uint64_t start, uint64_t *end, struct vesim_fault *fault)
{
    struct walk walk = {.gpu = gpu, .walker = walker, .space = space, .fault = fault};

    *end = start;
    *fault = (struct vesim_fault){.kernel = walker->kernel_address};
    for (unsigned i = 0; i < 3; i++) {
        walk.next_id[i] = walker->group_start[i];
        if (walker->group_start[i] >= walker->group_end[i])
            return 0;
    }
    if (check_walker(gpu, walker, fault))
        return -EFAULT;
    walk.program = program_get(gpu->programs, space, walker->kernel_address, fault);
    if (!walk.program)
        return -EFAULT;
    const bool counting = counts(&gpu->settings);
    for (uint32_t i = 0; i < gpu->core_count; i++)
        begin_core(&gpu->cores[i], walker, walk.program, &gpu->settings);
    if (counting)
        begin_counting(gpu, walker, start);
    walk.end = start + gpu->device->dispatch_latency;
    dispatcher_start_groups(&walk, walk.end);
    int status = run_walk(&walk);
    if (status) {
        for (uint32_t i = 0; i < gpu->core_count; i++)
            xe_core_clear(&gpu->cores[i]);
        memory_clear(&gpu->memory);
        if (fault->kind == VESIM_FAULT_NONE) {
            fault->kind = VESIM_FAULT_MEMORY;
            snprintf(fault->message, sizeof(fault->message), "out of memory");
        }
        return -EFAULT;
    }
    *end = walk.end + gpu->device->retire_latency;
    if (counting)
        finish_counting(gpu, *end);
    return 0;
}

uint64_t gpu_cache_control(struct gpu *gpu, unsigned operations, uint64_t start)
{
    if (operations & GPU_INVALIDATE_DATA)
        for (uint32_t i = 0; i < gpu->core_count; i++)
            cache_invalidate(&gpu->cores[i].load_store.l1);
    if (operations & GPU_INVALIDATE_CODE)
        for (uint32_t i = 0; i < gpu->core_count; i++)
            cache_invalidate(&gpu->cores[i].instructions);
    if (operations & GPU_INVALIDATE_TLB)
        for (uint32_t i = 0; i < gpu->core_count; i++)
            load_store_invalidate_tlb(&gpu->cores[i].load_store);
    if (operations & GPU_FLUSH_L3)
        return memory_write_back(&gpu->memory, start);
    return start; /* the first level is write-through: a flush moves nothing */
}

uint64_t gpu_memory_transfer(struct gpu *gpu, const struct memory_traffic *traffic, uint64_t start)
{
    return memory_stream(&gpu->memory, traffic, start);
}
