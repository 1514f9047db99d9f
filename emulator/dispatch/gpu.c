#include "dispatch/gpu.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock/memory.h"
#include "dispatch/account.h"
#include "dispatch/schedule.h"
#include "dispatch/xe-core.h"
#include "xe/program.h"

/* A walk that executes more instructions than this counts as hung; VESIM_INSTRUCTION_LIMIT sets
 * another number. */
#define DEFAULT_INSTRUCTION_LIMIT UINT64_C(20000000000)

struct gpu {
    const struct device *device;
    struct memory_clock memory;
    struct program_cache *programs;
    struct xe_core *cores;
    uint32_t core_count;
    struct schedule schedule; /* an entry for each vector engine of each Xe-core */
    uint64_t instruction_limit;
    bool counting;
    char *counters_path;       /* NULL: to no file */
    struct walk_record record; /* of the last walk, when counting */
};

/* A walk in progress. */
struct walk {
    struct gpu *gpu;
    const struct walker *walker;
    const struct address_space *space;
    const struct program *program;
    struct gpu_fault *fault;
    uint32_t next_id[3]; /* work-group that starts next */
    bool all_started;
    uint64_t running;         /* work-groups */
    uint64_t dispatcher_free; /* cycle from which it may start another work-group */
    uint64_t executed;
    uint64_t end;
};

struct gpu *gpu_create(const struct device *device)
{
    struct gpu *gpu = calloc(1, sizeof(*gpu));
    if (!gpu)
        return NULL;
    gpu->device = device;
    gpu->core_count = (uint32_t)(device->slices * device->xe_cores_per_slice);
    gpu->cores = calloc(gpu->core_count, sizeof(*gpu->cores));
    gpu->programs = program_cache_create(device);
    const char *limit = getenv("VESIM_INSTRUCTION_LIMIT");
    gpu->instruction_limit = limit ? strtoull(limit, NULL, 0) : DEFAULT_INSTRUCTION_LIMIT;
    bool ok =
        gpu->cores && gpu->programs && memory_clock_init(&gpu->memory, device) == 0 &&
        schedule_init(&gpu->schedule, gpu->core_count * (uint32_t)device->ves_per_xe_core) == 0;
    const char *counters = getenv("VESIM_COUNTERS");
    if (ok && counters && *counters) {
        gpu->counters_path = strdup(counters);
        gpu->counting = ok = gpu->counters_path;
    }
    for (uint32_t i = 0; ok && i < gpu->core_count; i++)
        ok = xe_core_init(&gpu->cores[i], device, i, &gpu->memory) == 0;
    if (!ok) {
        gpu_destroy(gpu);
        return NULL;
    }
    return gpu;
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
    schedule_release(&gpu->schedule);
    free(gpu->counters_path);
    free(gpu);
}

static void update(struct walk *walk, struct xe_core *core, uint32_t ve)
{
    ve_choose(core, &core->ves[ve]);
    schedule_set(&walk->gpu->schedule,
                 core->number * (uint32_t)walk->gpu->device->ves_per_xe_core + ve,
                 core->ves[ve].next_time);
}

static void update_all(struct walk *walk, struct xe_core *core)
{
    for (uint32_t i = 0; i < walk->gpu->device->ves_per_xe_core; i++)
        update(walk, core, i);
}

/* Steps to the id of the next work-group, x first. */
static void next_group(struct walk *walk)
{
    const struct walker *walker = walk->walker;
    for (unsigned i = 0; i < 3; i++) {
        if (++walk->next_id[i] < walker->group_end[i])
            return;
        walk->next_id[i] = walker->group_start[i];
    }
    walk->all_started = true;
}

/* The Xe-core with room that has the fewest threads; NULL if none has. */
static struct xe_core *choose_core(const struct walk *walk)
{
    struct xe_core *best = NULL;
    for (uint32_t i = 0; i < walk->gpu->core_count; i++) {
        struct xe_core *core = &walk->gpu->cores[i];
        if (xe_core_has_room(core, walk->walker) &&
            (!best || core->resident_threads < best->resident_threads))
            best = core;
    }
    return best;
}

static void note_occupancy(struct gpu *gpu)
{
    uint32_t threads = 0;
    for (uint32_t i = 0; i < gpu->core_count; i++)
        threads += gpu->cores[i].resident_threads;
    if (threads > gpu->record.peak_threads)
        gpu->record.peak_threads = threads;
}

/* Starts work-groups while there are some and room for them. */
static int start_groups(struct walk *walk, uint64_t now)
{
    while (!walk->all_started) {
        struct xe_core *core = choose_core(walk);
        if (!core)
            return 0;
        uint64_t start = now > walk->dispatcher_free ? now : walk->dispatcher_free;
        walk->dispatcher_free = start + walk->gpu->device->group_dispatch_interval;
        uint32_t touched = 0;
        int status = xe_core_start_group(core, walk->walker, walk->space, walk->program,
                                         walk->next_id, start, walk->fault, &touched);
        if (status)
            return status;
        for (uint32_t i = 0; touched >> i; i++)
            if (touched >> i & 1)
                update(walk, core, i);
        walk->running++;
        next_group(walk);
        if (walk->gpu->counting)
            note_occupancy(walk->gpu);
    }
    return 0;
}

/* How far a vector engine may run on its own instructions when the next of the others is due at
 * `second`: nobody else can act on it before a barrier has let a thread of its go, or a new
 * work-group has been put on it. */
static uint64_t horizon(const struct walk *walk, const struct ve *ve, uint64_t second)
{
    if (!walk->all_started)
        return second;
    if (ve->waiting == 0)
        return UINT64_MAX;
    uint64_t latency = walk->gpu->device->barrier_latency;
    return second < UINT64_MAX - latency ? second + latency : UINT64_MAX;
}

/* Runs one vector engine for as long as the others cannot come first. Whatever acts on shared
 * state acts in the order of time. */
static int run_ve(struct walk *walk, struct xe_core *core, uint32_t number, struct ve_event *event)
{
    struct ve *ve = &core->ves[number];
    uint64_t second = schedule_second_time(&walk->gpu->schedule), limit;
    do {
        if (ve_issue(core, ve, event))
            return -EFAULT;
        walk->executed++;
        ve_choose(core, ve);
        if (event->released || event->finished || ve->next_time == UINT64_MAX)
            break;
        limit = ve_next_is_shared(ve) ? second : horizon(walk, ve, second);
    } while (ve->next_time < limit && walk->executed < walk->gpu->instruction_limit);
    return 0;
}

static int finish_group(struct walk *walk, struct xe_core *core, struct group *group, uint64_t time)
{
    free(group->slm);
    core->resident_groups--;
    core->slm_bytes_used -= walk->walker->slm_bytes;
    core->barriers_used -= walk->walker->barriers;
    *group = (struct group){0};
    walk->running--;
    walk->end = time > walk->end ? time : walk->end;
    return start_groups(walk, time);
}

/* Past the limit: names the instruction that the last thread to issue stands at. */
static int stop_endless(struct walk *walk, const struct ve *ve)
{
    struct thread *thread = ve->threads[ve->last_slot];
    const char *advice = "an endless loop? VESIM_INSTRUCTION_LIMIT sets another limit";
    unsigned long long executed = walk->executed;
    if (thread)
        thread_fault(thread, &walk->program->insts[thread->index],
                     "still running after %llu instructions (%s)", executed, advice);
    else /* it has just ended */
        snprintf(walk->fault->text, sizeof(walk->fault->text),
                 "kernel at 0x%llx: still running after %llu instructions (%s)",
                 (unsigned long long)walk->program->address, executed, advice);
    return -EFAULT;
}

static int step(struct walk *walk)
{
    struct gpu *gpu = walk->gpu;
    uint32_t entry = schedule_first(&gpu->schedule), ves = (uint32_t)gpu->device->ves_per_xe_core;
    struct xe_core *core = &gpu->cores[entry / ves];
    if (gpu->schedule.times[entry] == UINT64_MAX) {
        snprintf(walk->fault->text, sizeof(walk->fault->text),
                 "kernel at 0x%llx: threads wait at a barrier that the rest of their work-group "
                 "never reaches",
                 (unsigned long long)walk->program->address);
        return -EFAULT;
    }
    struct ve_event event;
    int status = run_ve(walk, core, entry % ves, &event);
    if (status)
        return status;
    if (event.released)
        update_all(walk, core);
    else
        update(walk, core, entry % ves);
    if (event.finished)
        return finish_group(walk, core, event.finished, event.time);
    if (walk->executed >= gpu->instruction_limit)
        return stop_endless(walk, &core->ves[entry % ves]);
    return 0;
}

/* A walk that can never start a work-group, for want of something no Xe-core has. */
static int check_walker(const struct gpu *gpu, const struct walker *walker, struct gpu_fault *fault)
{
    const char *wrong = NULL;
    if (walker->simd_width != 8 && walker->simd_width != 16 && walker->simd_width != 32)
        wrong = "a SIMD width that is not 8, 16 or 32";
    else if (walker->threads_per_group == 0 ||
             walker->threads_per_group > gpu->device->ves_per_xe_core * gpu->device->threads_per_ve)
        wrong = "more threads in a work-group than an Xe-core has";
    else if (walker->slm_bytes > gpu->device->slm_bytes_per_xe_core)
        wrong = "more shared local memory than an Xe-core has";
    else if (walker->barriers > gpu->device->barriers_per_xe_core)
        wrong = "more barriers than an Xe-core has";
    else if (walker->local_id_dimensions > 3)
        wrong = "more than three dimensions";
    if (!wrong)
        return 0;
    snprintf(fault->text, sizeof(fault->text), "walker at kernel 0x%llx asks for %s",
             (unsigned long long)walker->kernel_address, wrong);
    return -EFAULT;
}

void gpu_count(struct gpu *gpu, bool on)
{
    gpu->counting = on;
}

const struct walk_record *gpu_last_walk(const struct gpu *gpu)
{
    return &gpu->record;
}

static void begin_counting(struct gpu *gpu, const struct walker *walker, uint64_t start)
{
    uint64_t sequence = gpu->record.device ? gpu->record.sequence + 1 : 0, groups = 1;
    for (unsigned i = 0; i < 3; i++)
        groups *= walker->group_end[i] - walker->group_start[i];
    gpu->record = (struct walk_record){
        .sequence = sequence,
        .kernel_address = walker->kernel_address,
        .device = gpu->device->name,
        .simd_width = walker->simd_width,
        .groups = groups,
        .threads = groups * walker->threads_per_group,
        .start = start,
        .thread_places = (uint32_t)(gpu->core_count * gpu->device->ves_per_xe_core *
                                    gpu->device->threads_per_ve),
    };
    gpu->memory.counters = (struct counters){{0}};
    for (uint32_t i = 0; i < gpu->core_count; i++)
        account_begin(&gpu->cores[i], start);
}

static void finish_counting(struct gpu *gpu, uint64_t end)
{
    struct walk_record *record = &gpu->record;
    record->end = end;
    record->first_start = UINT64_MAX;
    for (uint32_t i = 0; i < gpu->core_count; i++) {
        struct xe_core *core = &gpu->cores[i];
        account_end(core, end);
        counters_add(&record->counters, &core->counters);
        counters_add(&record->counters, &core->load_store.counters);
        if (core->first_start < record->first_start)
            record->first_start = core->first_start;
        if (core->last_end > record->last_end)
            record->last_end = core->last_end;
    }
    counters_add(&record->counters, &gpu->memory.counters);
    count(&record->counters, COUNTER_ve_cycles,
          gpu->core_count * gpu->device->ves_per_xe_core * (end - record->start));
    if (gpu->counters_path && counters_append(gpu->counters_path, record)) {
        fprintf(stderr, "vesim: cannot write counters to %s: %s\n", gpu->counters_path,
                strerror(errno));
        free(gpu->counters_path); /* say it once */
        gpu->counters_path = NULL;
    }
}

int gpu_walk(struct gpu *gpu, const struct address_space *space, const struct walker *walker,
             uint64_t start, uint64_t *end, struct gpu_fault *fault)
{
    struct walk walk = {.gpu = gpu, .walker = walker, .space = space, .fault = fault};
    *end = start;
    fault->text[0] = '\0';
    for (unsigned i = 0; i < 3; i++) {
        walk.next_id[i] = walker->group_start[i];
        if (walker->group_start[i] >= walker->group_end[i])
            return 0;
    }
    if (check_walker(gpu, walker, fault))
        return -EFAULT;
    walk.program =
        program_get(gpu->programs, space, walker->kernel_address, fault->text, sizeof(fault->text));
    if (!walk.program)
        return -EFAULT;
    for (uint32_t i = 0; i < gpu->core_count; i++)
        gpu->cores[i].counting = gpu->counting;
    if (gpu->counting)
        begin_counting(gpu, walker, start);
    walk.end = start + gpu->device->dispatch_latency;
    int status = start_groups(&walk, walk.end);
    while (!status && walk.running)
        status = step(&walk);
    if (status) {
        for (uint32_t i = 0; i < gpu->core_count; i++) {
            xe_core_clear(&gpu->cores[i]);
            update_all(&walk, &gpu->cores[i]);
        }
        if (!fault->text[0])
            snprintf(fault->text, sizeof(fault->text), "out of memory");
        return -EFAULT;
    }
    *end = walk.end + gpu->device->retire_latency;
    if (gpu->counting)
        finish_counting(gpu, *end);
    return 0;
}

uint64_t gpu_cache_control(struct gpu *gpu, unsigned operations, uint64_t start)
{
    if (operations & GPU_INVALIDATE_DATA)
        for (uint32_t i = 0; i < gpu->core_count; i++)
            cache_invalidate(&gpu->cores[i].load_store.l1);
    if (operations & GPU_FLUSH_L3)
        return memory_write_back(&gpu->memory, start);
    return start; /* the first level is written through: flushing it moves nothing */
}

uint64_t gpu_memory_transfer(struct gpu *gpu, uint64_t bytes, uint64_t start)
{
    return memory_stream(&gpu->memory, 2 * bytes, start); /* read and written */
}
