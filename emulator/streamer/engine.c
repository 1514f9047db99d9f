/* Contexts, their threads, and whose turn it is. */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "memory/guard.h"
#include "streamer/context.h"
#include "streamer/walker-common.h"

/* i915's default heartbeat interval (CONFIG_DRM_I915_HEARTBEAT_INTERVAL). */
#define HEARTBEAT_NS UINT64_C(2500000000)

/* How often a batch that hangs by plan checks whether it is cancelled. */
#define HANG_LOOK_US 100000

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

static int create_stacks(struct cs *cs)
{
    for (unsigned i = 0; i < cs->device->stacks; i++) {
        struct cs_stack *stack = &cs->stacks[i];

        stack->cs = cs;
        stack->gpu = gpu_create(cs->device, &cs->settings);
        if (!stack->gpu)
            return -1;
        gpu_set_stack(stack->gpu, i);
    }
    return 0;
}

static void destroy_stacks(struct cs *cs)
{
    for (unsigned i = 0; i < cs->device->stacks; i++)
        gpu_destroy(cs->stacks[i].gpu);
}

struct cs *cs_create(const struct vesim_device *device, const struct vesim_settings *settings)
{
    struct cs *cs = calloc(1, sizeof(*cs));

    if (!cs)
        return NULL;
    cs->device = device;
    cs->settings = *settings;
    cs->host_start_ns = host_time_ns();
    if (create_stacks(cs)) {
        destroy_stacks(cs);
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
    destroy_stacks(cs);
    pthread_cond_destroy(&cs->progress);
    pthread_cond_destroy(&cs->changed);
    pthread_mutex_destroy(&cs->lock);
    free(cs);
}

/* Lock held. Whether anything is executing or about to; what waits at a semaphore is not. */
static bool is_busy(const struct cs_stack *stack)
{
    bool busy = stack->turn != NULL;

    for (const struct cs_context *context = stack->cs->contexts; context; context = context->next)
        busy |= context->stack == stack && (context->first || context->wants_turn);
    return busy;
}

uint64_t cs_timestamp(struct cs *cs, unsigned stack_number)
{
    struct cs_stack *stack = &cs->stacks[stack_number];

    pthread_mutex_lock(&cs->lock);
    if (!is_busy(stack))
        device_time_idle_until(stack, host_time_ns());
    uint64_t ticks = stack_ticks(stack, __atomic_load_n(&stack->clock, __ATOMIC_RELAXED));
    pthread_mutex_unlock(&cs->lock);
    return ticks;
}

/* Lock held. */
static bool comes_before(const struct cs_context *other, const struct cs_context *context)
{
    if (other->stack != context->stack || !other->wants_turn)
        return false;
    return other->priority > context->priority ||
           (other->priority == context->priority && other->turn_sequence < context->turn_sequence);
}

/* Lock held. The turn goes to the highest priority, and there to the oldest job, among those that
 * want it. */
static bool is_next(const struct cs_context *context)
{
    if (context->stack->turn)
        return false;
    for (const struct cs_context *other = context->cs->contexts; other; other = other->next) {
        if (comes_before(other, context))
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
    context->turn_start = context->stack->clock;
    context->stack->turn = context;
}

/* Lock held. */
static void end_turn(struct cs_context *context)
{
    context->active_cycles = context_active_cycles(context);
    context->turn_start = context->stack->clock;
    context->stack->turn = NULL;
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
        busy |= context->first || context->stack->turn == context;
    if (busy)
        pthread_cond_timedwait(&cs->progress, &cs->lock, &until);
    pthread_mutex_unlock(&cs->lock);
    return busy;
}

bool cs_has_hung(struct cs *cs)
{
    pthread_mutex_lock(&cs->lock);
    bool has_hung = cs->has_hung;
    pthread_mutex_unlock(&cs->lock);
    return has_hung;
}

void context_let_others(struct cs_context *context, uint64_t sequence, unsigned microseconds)
{
    struct timespec until = deadline(microseconds);

    end_turn(context);
    if (!context->cancelled)
        pthread_cond_timedwait(&context->cs->progress, &context->cs->lock, &until);
    take_turn(context, sequence);
}

/* Lock held; the context's turn. */
static bool is_outranked(const struct cs_context *context)
{
    for (const struct cs_context *other = context->cs->contexts; other; other = other->next) {
        if (other->stack == context->stack && other->wants_turn &&
            other->priority > context->priority)
            return true;
    }
    return false;
}

void context_let_higher(struct cs_context *context, uint64_t sequence)
{
    struct cs *cs = context->cs;

    pthread_mutex_lock(&cs->lock);
    if (is_outranked(context)) {
        end_turn(context);
        take_turn(context, sequence);
    }
    pthread_mutex_unlock(&cs->lock);
}

int context_yield(struct cs_context *context, uint64_t sequence, unsigned microseconds)
{
    struct cs *cs = context->cs;
    uint64_t clock = context->stack->clock;

    pthread_mutex_lock(&cs->lock);
    context_let_others(context, sequence, microseconds);
    if (context->stack->clock == clock) /* no other context has run: it waits for the host */
        device_time_idle_until(context->stack, host_time_ns());
    bool cancelled = context->cancelled;
    pthread_mutex_unlock(&cs->lock);
    return cancelled ? -ECANCELED : 0;
}

void cs_hang_reports(struct cs *cs, char *text, size_t size)
{
    pthread_mutex_lock(&cs->lock);
    snprintf(text, size, "%s", cs->hang_reports);
    pthread_mutex_unlock(&cs->lock);
}

bool cs_hang_was_told(struct cs *cs)
{
    pthread_mutex_lock(&cs->lock);
    bool was_told = cs->hang_was_told;
    pthread_mutex_unlock(&cs->lock);
    return was_told;
}

uint64_t cs_progress(struct cs *cs)
{
    pthread_mutex_lock(&cs->lock);
    uint64_t steps = cs->steps;
    pthread_mutex_unlock(&cs->lock);
    return steps;
}

static void count_wait(struct cs *cs, int more)
{
    pthread_mutex_lock(&cs->lock);
    cs->waits += (unsigned)more;
    pthread_mutex_unlock(&cs->lock);
}

void cs_begin_wait(struct cs *cs)
{
    count_wait(cs, 1);
}

void cs_end_wait(struct cs *cs)
{
    count_wait(cs, -1);
}

void context_looked(struct cs_context *context)
{
    pthread_mutex_lock(&context->cs->lock);
    context->looks++;
    pthread_mutex_unlock(&context->cs->lock);
}

void context_went_on(struct cs_context *context)
{
    pthread_mutex_lock(&context->cs->lock);
    context->cs->steps++;
    pthread_mutex_unlock(&context->cs->lock);
}

bool context_is_abandoned(struct cs_context *context, uint64_t since_ns)
{
    struct cs *cs = context->cs;
    bool abandoned = false;

    pthread_mutex_lock(&cs->lock);
    bool is_waited_for = context->asked_ns > since_ns || cs->waits || context->closing;
    if (cs->has_hung && is_waited_for) {
        uint64_t latest = since_ns > cs->last_job_ns ? since_ns : cs->last_job_ns;

        abandoned = host_time_ns() > latest + HEARTBEAT_NS;
    }
    pthread_mutex_unlock(&cs->lock);
    return abandoned;
}

/* At the begin of a submission no stale line shadows what the host has written, be it code. i915
 * also drops what the TLBs know; xe does that when memory is unbound. */
static unsigned begin_operations(const struct cs *cs)
{
    return GPU_INVALIDATE_DATA | GPU_INVALIDATE_CODE |
           (cs->device->kernel_driver == VESIM_I915 ? GPU_INVALIDATE_TLB : 0);
}

void cs_drop_translations(struct cs *cs)
{
    for (unsigned i = 0; i < cs->device->stacks; i++)
        __atomic_store_n(&cs->stacks[i].translates_anew, true, __ATOMIC_RELAXED);
}

/* Every submission begins and ends with the cache maintenance that i915 puts around it (Gen12
 * emit_flush and emit_fini_breadcrumb), and xe likewise. At the end, what the host reads is written
 * back. */
static void kernel_flush(struct cs_context *context, unsigned operations)
{
    if (context->engine != CS_ENGINE_COPY)
        pipe_control_flush(context->stack, operations);
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
            context_looked(batch->context);
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
    kernel_flush(batch->context, begin_operations(batch->cs));
    int status = execute_planned_fault(batch);
    if (!status)
        status = execute_guarded(batch, NULL);
    kernel_flush(batch->context, GPU_FLUSH_DATA | GPU_FLUSH_L3);
    return status;
}

/* A walker by itself, as between the kernels of a command list or at its begin. */
static int execute_launch(struct batch *batch, const struct cs_job *job)
{
    cache_control(batch, GPU_FLUSH_DATA | (job->begins_submission ? begin_operations(batch->cs)
                                                                  : GPU_INVALIDATE_DATA));
    return execute_guarded(batch, job->walker);
}

/* Logs it, and keeps it if it is among the first. Lock not held. */
static void report_hang(struct cs *cs, const char *message)
{
    const char *name = cs->device->name;

    cs_log(cs, "%s: GPU hang: %s", name, message);
    pthread_mutex_lock(&cs->lock);
    if (cs->hang_report_count < CS_HANG_REPORTS) {
        size_t used = strlen(cs->hang_reports);

        snprintf(cs->hang_reports + used, sizeof(cs->hang_reports) - used, "%s%s: GPU hang: %s",
                 used ? "\n" : "", name, message);
        cs->hang_report_count++;
    }
    pthread_mutex_unlock(&cs->lock);
}

static void tell_outcome(struct cs_outcome *outcome, const struct batch *batch, uint64_t start,
                         uint64_t end, int status)
{
    outcome->executed = status != -ECANCELED;
    outcome->start = start;
    outcome->end = end;
    outcome->written_back = batch->stack->clock;
    outcome->fault = batch->fault;
    if (batch->is_launch && batch->cs->settings.counters)
        outcome->walk = *gpu_last_walk(batch->stack->gpu);
}

/* Runs without the lock but in the context's turn. Returns whether the context is still sound. */
static bool execute(struct cs_context *context, struct queued_job *queued)
{
    struct batch batch = {
        .cs = context->cs,
        .stack = context->stack,
        .context = context,
        .space = &queued->job.space,
        .job = &queued->job,
        .device = context->cs->device,
        .sequence = queued->sequence,
        .pc = queued->job.batch_address,
        .is_launch = queued->job.walker != NULL,
    };
    uint64_t start = context->stack->clock;
    int status = batch.is_launch ? execute_launch(&batch, &queued->job) : execute_batch(&batch);

    uint64_t end = context->stack->clock;
    if (queued->job.writes_back)
        pipe_control_flush(context->stack, GPU_FLUSH_DATA | GPU_FLUSH_L3);
    if (queued->job.outcome)
        tell_outcome(queued->job.outcome, &batch, start, end, status);
    if (status == -EFAULT)
        report_hang(context->cs, batch.fault.message);
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

    pthread_mutex_lock(&cs->lock);
    for (;;) {
        while (!context->first && !context->closing)
            pthread_cond_wait(&cs->changed, &cs->lock);
        struct queued_job *queued = take_job(context);
        if (!queued)
            break;
        if (!context->hung && !context->cancelled) {
            take_turn(context, queued->sequence);
            context->executes = true;
            context->jobs++;
            device_time_idle_until(context->stack,
                                   queued->submitted_ns + cs->device->submission_latency);
            cs->last_job_ns = host_time_ns();
            pthread_mutex_unlock(&cs->lock);
            bool sound = execute(context, queued);
            pthread_mutex_lock(&cs->lock);
            context->hung = !sound;
            cs->has_hung |= !sound;
            cs->steps += sound && !context->cancelled;
            cs->last_job_ns = host_time_ns();
            device_time_work_ended(context->stack);
            context->executes = false;
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

    memory_guard_block_signals(&before);
    int status = pthread_create(&context->thread, NULL, context_thread, context);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return status;
}

struct cs_context *cs_context_create(struct cs *cs, unsigned stack, enum cs_engine engine)
{
    struct cs_context *context = calloc(1, sizeof(*context));

    if (!context)
        return NULL;
    context->cs = cs;
    context->stack = &cs->stacks[stack];
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

void cs_context_set_priority(struct cs_context *context, int priority)
{
    pthread_mutex_lock(&context->cs->lock);
    context->priority = priority;
    pthread_cond_broadcast(&context->cs->changed);
    pthread_mutex_unlock(&context->cs->lock);
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
    if (context->partner)
        context->partner->partner = NULL;
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
    pthread_mutex_lock(&context->cs->lock);
    bool hung = context->hung;
    context->asked_ns = host_time_ns();
    context->cs->hang_was_told |= hung;
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
        cs->hang_was_told = true;
    } else {
        queued->sequence = cs->sequence++;
        queued->submitted_ns = host_time_ns();
        *context->last = queued;
        context->last = &queued->next;
        pthread_cond_broadcast(&cs->changed);
    }
    pthread_mutex_unlock(&cs->lock);
    if (status)
        free(queued);
    return status;
}
