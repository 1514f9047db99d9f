/* Contexts, their threads, and whose turn it is. */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "memory/guard.h"
#include "streamer/context.h"
#include "streamer/walker-common.h"

__extension__ typedef unsigned __int128 uint128; /* cycles times hertz overflow 64 bits */

/* i915's default heartbeat interval (CONFIG_DRM_I915_HEARTBEAT_INTERVAL). */
#define HEARTBEAT_NS UINT64_C(2500000000)

/* How often a batch that hangs by plan checks whether it is cancelled. */
#define HANG_LOOK_US 100000

static uint64_t ticks_in(const struct vesim_device *device, uint64_t cycles)
{
    return (uint64_t)((uint128)cycles * device->timestamp_frequency / (device->core_clock * 1000));
}

uint64_t cs_ticks(const struct cs *cs, uint64_t cycles, uint64_t idle)
{
    const struct vesim_device *device = cs->device;
    double hz = (double)device->timestamp_frequency, cycle_ns = 1e6 / (double)device->core_clock;
    double time;

    if (!cs->faults)
        return TICKS_AT_START + ticks_in(device, cycles - idle);
    time = faults_time(cs->faults, (double)cycles * cycle_ns) - (double)idle * cycle_ns;
    return TICKS_AT_START + faults_ticks(cs->faults, device->timestamp_frequency) +
           (uint64_t)(time / 1e9 * hz);
}

uint64_t context_idle_cycles(const struct cs_context *context)
{
    return context->cs->clock - context_active_cycles(context);
}

uint64_t context_active_cycles(const struct cs_context *context)
{
    return context->active_cycles + (context->cs->clock - context->turn_start);
}

void cs_log(const struct cs *cs, const char *format, ...)
{
    char line[1024];
    va_list arguments;

    if (!cs->settings.log)
        return;
    va_start(arguments, format);
    vsnprintf(line, sizeof(line), format, arguments);
    va_end(arguments);
    cs->settings.log(cs->settings.context, line);
}

struct cs *cs_create(const struct vesim_device *device, const struct vesim_settings *settings)
{
    struct cs *cs = calloc(1, sizeof(*cs));

    if (!cs)
        return NULL;
    cs->device = device;
    cs->settings = *settings;
    cs->gpu = gpu_create(device, settings);
    if (!cs->gpu) {
        free(cs);
        return NULL;
    }
    pthread_mutex_init(&cs->lock, NULL);
    pthread_cond_init(&cs->changed, NULL);
    pthread_cond_init(&cs->progress, NULL);
    return cs;
}

void cs_plan_faults(struct cs *cs, const struct faults *faults)
{
    cs->faults = faults;
}

void cs_destroy(struct cs *cs)
{
    gpu_destroy(cs->gpu);
    pthread_cond_destroy(&cs->progress);
    pthread_cond_destroy(&cs->changed);
    pthread_mutex_destroy(&cs->lock);
    free(cs);
}

uint64_t cs_timestamp(struct cs *cs)
{
    return cs_ticks(cs, __atomic_load_n(&cs->clock, __ATOMIC_RELAXED), 0);
}

/* Lock held. The turn goes to the oldest job among those that want it. */
static bool is_next(const struct cs_context *context)
{
    const struct cs *cs = context->cs;

    if (cs->turn)
        return false;
    for (const struct cs_context *other = cs->contexts; other; other = other->next) {
        if (other->wants_turn && other->turn_sequence < context->turn_sequence)
            return false;
    }
    return true;
}

/* Lock held. */
static void take_turn(struct cs_context *context, uint64_t sequence)
{
    struct cs *cs = context->cs;

    context->wants_turn = true;
    context->turn_sequence = sequence;
    while (!is_next(context))
        pthread_cond_wait(&cs->changed, &cs->lock);
    context->wants_turn = false;
    context->turn_start = cs->clock;
    cs->turn = context;
}

/* Lock held. */
static void end_turn(struct cs_context *context)
{
    context->active_cycles = context_active_cycles(context);
    context->turn_start = context->cs->clock;
    context->cs->turn = NULL;
    pthread_cond_broadcast(&context->cs->changed);
}

/* The time `microseconds` from now, for condition variables. */
static struct timespec deadline(unsigned microseconds)
{
    struct timespec until;

    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += (long)microseconds * 1000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    return until;
}

bool cs_wait_progress(struct cs *cs, unsigned microseconds)
{
    struct timespec until = deadline(microseconds);
    bool busy = false;

    pthread_mutex_lock(&cs->lock);
    for (const struct cs_context *context = cs->contexts; context; context = context->next)
        busy |= context->first || cs->turn == context;
    if (busy)
        pthread_cond_timedwait(&cs->progress, &cs->lock, &until);
    pthread_mutex_unlock(&cs->lock);
    return busy;
}

int context_yield(struct cs_context *context, uint64_t sequence, unsigned microseconds)
{
    struct cs *cs = context->cs;
    struct timespec until = deadline(microseconds);
    bool cancelled;

    pthread_mutex_lock(&cs->lock);
    end_turn(context);
    if (!context->cancelled)
        pthread_cond_timedwait(&cs->progress, &cs->lock, &until);
    take_turn(context, sequence);
    cancelled = context->cancelled;
    pthread_mutex_unlock(&cs->lock);
    return cancelled ? -ECANCELED : 0;
}

uint64_t host_time_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

bool context_is_abandoned(struct cs_context *context, uint64_t since_ns)
{
    struct cs *cs = context->cs;
    bool abandoned = false;

    pthread_mutex_lock(&cs->lock);
    if (cs->has_hung) {
        uint64_t latest = since_ns > cs->last_job_ns ? since_ns : cs->last_job_ns;

        abandoned = host_time_ns() > latest + HEARTBEAT_NS;
    }
    pthread_mutex_unlock(&cs->lock);
    return abandoned;
}

/* Every submission ends and begins with the cache maintenance that i915 puts around it (Gen12
 * emit_fini_breadcrumb and emit_flush): what the host reads is written back, and what the host has
 * written is not shadowed by stale lines. */
static void kernel_flush(struct cs_context *context, unsigned operations)
{
    struct cs *cs = context->cs;

    if (context->engine != CS_ENGINE_COPY)
        clock_advance(cs, gpu_cache_control(cs->gpu, operations, cs->clock));
}

struct guarded_batch {
    struct batch *batch;
    const struct walker *walker; /* or NULL: commands */
    int status;
};

static void run_batch(void *context)
{
    struct guarded_batch *guarded = context;

    if (guarded->walker)
        guarded->status = walker_run(guarded->batch, guarded->walker);
    else
        guarded->status = batch_execute(guarded->batch);
}

static int trap(struct batch *batch, uint64_t address)
{
    batch_fault(batch,
                "access to 0x%" PRIx64 ", memory of the program that it has unmapped or protected",
                address);
    batch->fault.kind = VESIM_FAULT_PAGE;
    batch->fault.address = address;
    return -EFAULT;
}

static int execute_guarded(struct batch *batch, const struct walker *walker)
{
    struct guarded_batch guarded = {.batch = batch, .walker = walker};
    uint64_t address;

    if (memory_guard_run(batch->space, run_batch, &guarded, &address))
        return trap(batch, address);
    return guarded.status;
}

/* What the plan of faults has for this submission, instead of its batch or before it. */
static int execute_planned_fault(struct batch *batch)
{
    const struct faults *faults = batch->cs->faults;

    if (faults_strike(faults, FAULT_HANG)) {
        while (context_yield(batch->context, batch->sequence, HANG_LOOK_US) == 0)
            ;
        return -ECANCELED;
    }
    if (faults_strike(faults, FAULT_PAGE_FAULT))
        return batch_page_fault(batch, batch->pc, "planned fault: access");
    batch->wrong_lane = faults_strike(faults, FAULT_WRONG_LANE);
    return 0;
}

/* The commands, within what i915 wraps around a submission. */
static int execute_batch(struct batch *batch)
{
    int status;

    kernel_flush(batch->context, GPU_INVALIDATE_DATA);
    status = execute_planned_fault(batch);
    if (!status)
        status = execute_guarded(batch, NULL);
    kernel_flush(batch->context, GPU_FLUSH_DATA | GPU_FLUSH_L3);
    return status;
}

/* A walker by itself, as between the kernels of a command list. */
static int execute_launch(struct batch *batch, const struct walker *walker)
{
    cache_control(batch, GPU_FLUSH_DATA | GPU_INVALIDATE_DATA);
    return execute_guarded(batch, walker);
}

static void tell_outcome(struct cs_outcome *outcome, const struct batch *batch, uint64_t start,
                         int status)
{
    outcome->executed = status != -ECANCELED;
    outcome->start = start;
    outcome->end = batch->cs->clock;
    outcome->fault = batch->fault;
    if (batch->is_launch && batch->cs->settings.counters)
        outcome->walk = *gpu_last_walk(batch->cs->gpu);
}

/* Runs without the lock but in the context's turn. Returns whether the context is still sound. */
static bool execute(struct cs_context *context, const struct queued_job *queued)
{
    struct batch batch = {
        .cs = context->cs,
        .context = context,
        .space = &queued->job.space,
        .device = context->cs->device,
        .sequence = queued->sequence,
        .pc = queued->job.batch_address,
        .is_launch = queued->job.walker != NULL,
    };
    uint64_t start = context->cs->clock;
    int status =
        batch.is_launch ? execute_launch(&batch, queued->job.walker) : execute_batch(&batch);

    if (queued->job.outcome)
        tell_outcome(queued->job.outcome, &batch, start, status);
    if (status == -EFAULT)
        cs_log(context->cs, "%s: GPU hang: %s", context->cs->device->name, batch.fault.message);
    return status != -EFAULT;
}

static void release_job(struct queued_job *queued)
{
    address_space_release(&queued->job.space);
    if (queued->job.done)
        queued->job.done(queued->job.owner);
    free(queued);
}

static struct queued_job *take_job(struct cs_context *context)
{
    struct queued_job *queued = context->first;

    if (queued) {
        context->first = queued->next;
        if (!context->first)
            context->last = &context->first;
    }
    return queued;
}

static void *context_thread(void *argument)
{
    struct cs_context *context = argument;
    struct cs *cs = context->cs;
    struct queued_job *queued;

    pthread_mutex_lock(&cs->lock);
    for (;;) {
        while (!context->first && !context->closing)
            pthread_cond_wait(&cs->changed, &cs->lock);
        queued = take_job(context);
        if (!queued)
            break;
        if (!context->hung && !context->cancelled) {
            bool sound;

            take_turn(context, queued->sequence);
            cs->last_job_ns = host_time_ns();
            pthread_mutex_unlock(&cs->lock);
            sound = execute(context, queued);
            pthread_mutex_lock(&cs->lock);
            context->hung = !sound;
            cs->has_hung |= !sound;
            cs->last_job_ns = host_time_ns();
            end_turn(context);
            pthread_cond_broadcast(&cs->progress);
        }
        pthread_mutex_unlock(&cs->lock);
        release_job(queued);
        pthread_mutex_lock(&cs->lock);
    }
    pthread_mutex_unlock(&cs->lock);
    return NULL;
}

static int start_thread(struct cs_context *context)
{
    sigset_t before;
    int status;

    memory_guard_block_signals(&before);
    status = pthread_create(&context->thread, NULL, context_thread, context);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return status;
}

struct cs_context *cs_context_create(struct cs *cs, enum cs_engine engine)
{
    struct cs_context *context = calloc(1, sizeof(*context));

    if (!context)
        return NULL;
    context->cs = cs;
    context->engine = engine;
    context->last = &context->first;
    pthread_mutex_lock(&cs->lock);
    if (start_thread(context)) {
        pthread_mutex_unlock(&cs->lock);
        free(context);
        return NULL;
    }
    context->next = cs->contexts;
    cs->contexts = context;
    pthread_mutex_unlock(&cs->lock);
    return context;
}

void cs_context_destroy(struct cs_context *context, bool cancel)
{
    struct cs *cs = context->cs;

    pthread_mutex_lock(&cs->lock);
    context->closing = true;
    __atomic_store_n(&context->cancelled, cancel, __ATOMIC_RELAXED); /* batches look without it */
    pthread_cond_broadcast(&cs->changed);
    pthread_cond_broadcast(&cs->progress);
    pthread_mutex_unlock(&cs->lock);
    pthread_join(context->thread, NULL);

    pthread_mutex_lock(&cs->lock);
    for (struct cs_context **link = &cs->contexts; *link; link = &(*link)->next) {
        if (*link == context) {
            *link = context->next;
            break;
        }
    }
    pthread_mutex_unlock(&cs->lock);
    free(context);
}

bool cs_context_hung(struct cs_context *context)
{
    bool hung;

    pthread_mutex_lock(&context->cs->lock);
    hung = context->hung;
    pthread_mutex_unlock(&context->cs->lock);
    return hung;
}

int cs_submit(struct cs_context *context, const struct cs_job *job)
{
    struct cs *cs = context->cs;
    struct queued_job *queued = malloc(sizeof(*queued));
    int status = 0;

    if (!queued)
        return -ENOMEM;
    *queued = (struct queued_job){.job = *job};

    pthread_mutex_lock(&cs->lock);
    if (context->hung) {
        status = -EIO;
    } else {
        queued->sequence = cs->sequence++;
        *context->last = queued;
        context->last = &queued->next;
        pthread_cond_broadcast(&cs->changed);
    }
    pthread_mutex_unlock(&cs->lock);
    if (status)
        free(queued);
    return status;
}
