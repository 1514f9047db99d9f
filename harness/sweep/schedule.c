#include "sweep/schedule.h"

#include "base/monotonic.h"
#include "sweep/module-messages.h"

#include <math.h>
#include <poll.h>
#include <string.h>
#include <time.h>

/* How far past the first unfinished task work may be given out, for each GPU: what a fault of this
 * process can cost. */
#define WINDOW  64u
#define POLL_MS 100
/* The longest task may take so many times its estimate: too early costs it nothing. */
#define UNDERESTIMATE 4.0
/* A GPU that has been reset may take seconds to come back. */
#define STARTS_MAX    4u
#define REASON_CHARS  300
#define LEAVING_TRIES 50u

/* Does the measurement depend on the host's timing? */
static bool is_host_timed(const struct task *task)
{
    for (size_t v = 0; v < task->family->variant_count; v++) {
        if (task->family->variants[v].estimator == ESTIMATOR_OBSERVE ||
            task->family->variants[v].list != LIST_REGULAR)
            return true;
    }
    return false;
}

/* Is a worker compiling this image? */
static bool is_compiling(const struct schedule *schedule, const struct module_image *image)
{
    for (size_t i = 0; i < schedule->worker_count; i++) {
        const struct worker *worker = &schedule->workers[i];

        if (worker->task && worker->command == WIRE_COMPILE && worker->task->image == image)
            return true;
    }
    return false;
}

/* A compilation may take host time from a measurement, so the two are not allowed side by side on a
 * GPU if host time matters to the measurement. */
static bool may_run_beside(const struct schedule *schedule, const struct task *task,
                           enum wire_kind command)
{
    size_t measuring = 0;

    for (size_t i = 0; i < schedule->worker_count; i++) {
        const struct worker *worker = &schedule->workers[i];

        if (!worker->task)
            continue;
        measuring += worker->command == WIRE_MEASURE;
        if (schedule->keeps_workers && worker->command != command &&
            is_host_timed(command == WIRE_MEASURE ? task : worker->task))
            return false;
    }
    return command == WIRE_COMPILE || measuring < schedule->measuring_limit;
}

/* The end of the tasks that may be given out. */
static size_t window_end(const struct schedule *schedule)
{
    size_t end = schedule->first + WINDOW;

    return end < schedule->task_count ? end : schedule->task_count;
}

const struct task *schedule_longest(const struct schedule *schedule)
{
    size_t end = window_end(schedule);
    const struct task *longest = NULL;
    double sum_s = 0.0, others = (double)schedule->measuring_limit - 1.0;

    if (end < schedule->task_count || !(others > 0.0))
        return NULL;
    for (size_t i = schedule->first; i < end; i++) {
        const struct task *task = &schedule->tasks[i];

        if (task->state != TASK_WAITING)
            continue;
        sum_s += task->estimate.least;
        if (!longest || task->estimate.least > longest->estimate.least)
            longest = task;
    }
    if (!longest)
        return NULL;
    double rest_s = (sum_s - longest->estimate.least) / others;
    return UNDERESTIMATE * longest->estimate.least >= rest_s ? longest : NULL;
}

/* The next thing to do on a GPU, or NULL. A measurement that waits for the compilers to finish
 * holds back further compilations. */
static struct task *pick(const struct schedule *schedule, enum wire_kind *command)
{
    const struct task *longest = schedule_longest(schedule);
    size_t first = longest ? (size_t)(longest - schedule->tasks) : schedule->first;
    size_t end = window_end(schedule);
    bool waits = false;

    for (size_t i = schedule->first; i < end; i++) {
        /* `first`, then those before it, then those after it. */
        size_t at = i == schedule->first ? first : i <= first ? i - 1 : i;
        struct task *task = &schedule->tasks[at];

        if (task->state != TASK_WAITING)
            continue;
        *command = task->image->compiled ? WIRE_MEASURE : WIRE_COMPILE;
        if (*command == WIRE_COMPILE && (waits || is_compiling(schedule, task->image)))
            continue;
        if (may_run_beside(schedule, task, *command))
            return task;
        waits = waits || (schedule->keeps_workers && is_host_timed(task));
    }
    return NULL;
}

/* A worker that has something to do, and what: an idle one, or a free slot for a new one. NULL if
 * there is none. */
static struct worker *free_worker(struct schedule *schedule, struct task **task,
                                  enum wire_kind *command)
{
    static const enum worker_state order[] = {WORKER_IDLE, WORKER_NONE};

    for (size_t k = 0; k < 2; k++) {
        for (size_t i = 0; i < schedule->worker_count; i++) {
            struct worker *worker = &schedule->workers[i];

            if (worker->state != order[k])
                continue;
            *task = pick(schedule, command);
            if (*task)
                return worker;
        }
    }
    return NULL;
}

static enum status give_out(struct schedule *schedule, struct error *error)
{
    enum wire_kind command;
    struct worker *worker;
    struct task *task;

    while ((worker = free_worker(schedule, &task, &command))) {
        enum status status = task_begin(task, error);

        if (status == STATUS_OK) {
            task_check(task, schedule->request, &schedule->gpu.target.device);
            task_follow_baselines(task);
        }
        /* What the device cannot do is not compiled either: that may fail. */
        if (status == STATUS_OK && task_is_settled(task)) {
            task->state = TASK_DONE;
            continue;
        }
        if (status == STATUS_OK && worker->state == WORKER_NONE)
            status = worker_start(worker, schedule->workers, schedule->worker_count,
                                  schedule->request, error);
        if (status == STATUS_OK && schedule->begins)
            status = schedule->begins(schedule->context, task, error);
        if (status != STATUS_OK)
            return status;
        task->state = command == WIRE_COMPILE ? TASK_COMPILING : TASK_MEASURING;
        worker->task = task;
        worker->command = command;
        task->seconds = -monotonic_s();
        if (worker->state == WORKER_IDLE)
            worker_send(worker, &schedule->lead);
    }
    return STATUS_OK;
}

static void finish(struct schedule *schedule, struct worker *worker, const struct error *result)
{
    struct task *task = worker->task;
    bool sound = result->status == STATUS_OK;

    if (worker->command == WIRE_COMPILE && sound) {
        task->image->compiled = true;
        task->state = TASK_WAITING;
    } else {
        if (!sound)
            task_fail(task, result->text);
        sound = sound && !task_has_failed(task);
        task->state = TASK_DONE;
        task->seconds += monotonic_s();
    }
    worker->task = NULL;
    worker->state = WORKER_IDLE;
    /* After a failure anything else may be broken too. */
    if (!schedule->keeps_workers || !sound)
        worker_dismiss(worker);
}

/* False if the message makes no sense. */
static bool handle(struct schedule *schedule, struct worker *worker,
                   const struct wire_message *message)
{
    struct gpu *gpu = &schedule->gpu;

    if (message->kind == WIRE_TARGET && message->bytes == sizeof(gpu->target)) {
        memcpy(&gpu->target, message->data, message->bytes);
        gpu->has_target = true;
        gpu->failed_starts = 0;
        worker->state = WORKER_IDLE;
        if (worker->task)
            worker_send(worker, &schedule->lead);
        return true;
    }
    if (message->kind == WIRE_START_FAILED && message->bytes == sizeof(gpu->start_error)) {
        memcpy(&gpu->start_error, message->data, message->bytes);
        return true;
    }
    if (!worker->task)
        return false;
    if (message->kind == WIRE_DONE && message->bytes == sizeof(struct error)) {
        finish(schedule, worker, message->data);
        return true;
    }
    if (message->kind == WIRE_BUILD)
        return module_image_receive(worker->task->image, message->data, message->bytes);
    if (message->kind == WIRE_LEAD)
        return lead_image_receive(&schedule->lead, message->data, message->bytes);
    return task_receive(worker->task, message);
}

/* The driver would not open. If it never did, that is final; otherwise a reset may be under way. */
static enum status start_failed(struct schedule *schedule, const char *reason, struct error *error)
{
    const struct timespec pause = {1, 0};
    struct gpu *gpu = &schedule->gpu;

    if (!gpu->start_error.text[0])
        error_set(&gpu->start_error, STATUS_LOST, "%s", reason);
    else if (!gpu->has_target) {
        *error = gpu->start_error;
        return error->status;
    }
    if (++gpu->failed_starts == STARTS_MAX)
        return error_set(error, gpu->has_target ? STATUS_LOST : gpu->start_error.status,
                         gpu->has_target ? "the device cannot be opened any more: %.600s; run with "
                                           "--resume when it is back"
                                         : "%.900s",
                         gpu->start_error.text);
    gpu->start_error.text[0] = '\0';
    if (!gpu->target.is_deterministic)
        nanosleep(&pause, NULL);
    return STATUS_OK;
}

/* Handles the end of a worker. */
static enum status bury(struct schedule *schedule, struct worker *worker, struct error *error)
{
    enum worker_state state = worker->state;
    struct task *task = worker->task;
    char reason[REASON_CHARS];

    worker_bury(worker, reason, sizeof(reason));
    if (state == WORKER_BUSY) {
        task_fail(task, reason);
        task->state = TASK_DONE;
    } else if (state == WORKER_STARTING) {
        if (task)
            task->state = TASK_WAITING;
        return start_failed(schedule, reason, error);
    }
    return STATUS_OK;
}

static enum status take_messages(struct schedule *schedule, struct worker *worker,
                                 struct error *error)
{
    bool open = wire_fill(&worker->in, worker->socket, false);
    struct wire_message message;
    bool sound = true;

    while (sound && wire_next(&worker->in, &message))
        sound = handle(schedule, worker, &message);
    return open && sound ? STATUS_OK : bury(schedule, worker, error);
}

static enum status wait_for_messages(struct schedule *schedule, struct error *error)
{
    struct pollfd polled[JOBS_MAX + 1];
    struct worker *workers[JOBS_MAX];
    enum status status = STATUS_OK;
    nfds_t count = 0;

    for (size_t i = 0; i < schedule->worker_count; i++) {
        if (schedule->workers[i].state == WORKER_NONE)
            continue;
        worker_enforce_limit(&schedule->workers[i]);
        polled[count] = (struct pollfd){.fd = schedule->workers[i].socket, .events = POLLIN};
        workers[count++] = &schedule->workers[i];
    }
    polled[count] = (struct pollfd){.fd = schedule->wakes, .events = POLLIN};
    if (poll(polled, count + (schedule->wakes >= 0), POLL_MS) <= 0)
        return STATUS_OK;
    for (nfds_t i = 0; status == STATUS_OK && i < count; i++) {
        if (polled[i].revents)
            status = take_messages(schedule, workers[i], error);
    }
    return status;
}

enum status schedule_open(struct schedule *schedule, const struct sweep_request *request,
                          struct error *error)
{
    enum status status = STATUS_OK;

    memset(schedule, 0, sizeof(*schedule));
    schedule->request = request;
    schedule->wakes = -1;
    schedule->worker_count = schedule->measuring_limit = 1;
    host_name(schedule->gpu.host);
    while (status == STATUS_OK && !schedule->gpu.has_target) {
        if (request->stop && *request->stop)
            return error_set(error, STATUS_INTERRUPTED, "interrupted");
        if (schedule->workers[0].state == WORKER_NONE)
            status = worker_start(&schedule->workers[0], schedule->workers, schedule->worker_count,
                                  request, error);
        if (status == STATUS_OK)
            status = wait_for_messages(schedule, error);
    }
    return status;
}

/* Ends the workers at once, except those that are measuring unless `all` is set. */
static void drop(struct schedule *schedule, bool all)
{
    for (size_t i = 0; i < schedule->worker_count; i++) {
        struct worker *worker = &schedule->workers[i];
        char reason[REASON_CHARS];

        if (worker->state == WORKER_NONE ||
            (!all && worker->state == WORKER_BUSY && worker->command == WIRE_MEASURE))
            continue;
        if (worker->task)
            worker->task->state = TASK_WAITING;
        worker_bury(worker, reason, sizeof(reason));
    }
}

static bool is_measuring(const struct schedule *schedule)
{
    for (size_t i = 0; i < schedule->worker_count; i++) {
        if (schedule->workers[i].task && schedule->workers[i].command == WIRE_MEASURE)
            return true;
    }
    return false;
}

enum status schedule_step(struct schedule *schedule, struct error *error)
{
    enum status status = STATUS_OK;

    if (schedule->request->stop && *schedule->request->stop) {
        drop(schedule, false);
        if (!is_measuring(schedule))
            return error_set(error, STATUS_INTERRUPTED, "interrupted");
    } else {
        status = give_out(schedule, error);
    }
    return status == STATUS_OK ? wait_for_messages(schedule, error) : status;
}

/* Lets idle workers end by themselves, so that they can close their sessions. */
static void let_leave(struct schedule *schedule)
{
    size_t leaving = 1;

    for (unsigned tries = 0; leaving && tries < LEAVING_TRIES; tries++) {
        struct error ignored;

        leaving = 0;
        for (size_t i = 0; i < schedule->worker_count; i++) {
            struct worker *worker = &schedule->workers[i];

            if (worker->state == WORKER_IDLE)
                worker_dismiss(worker);
            leaving += worker->state == WORKER_LEAVING;
        }
        if (leaving)
            wait_for_messages(schedule, &ignored);
    }
}

void schedule_close(struct schedule *schedule)
{
    let_leave(schedule);
    drop(schedule, true);
    lead_image_free(&schedule->lead);
}
