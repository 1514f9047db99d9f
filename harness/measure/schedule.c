#include "measure/schedule.h"

#include "base/monotonic.h"

#include <math.h>
#include <poll.h>
#include <sched.h>
#include <string.h>
#include <time.h>

/* How far past the first unfinished task work may be given out: what a fault of this process can
 * cost. */
#define WINDOW  64u
#define POLL_MS 100
/* A GPU that has been reset may take seconds to come back. */
#define STARTS_MAX    4u
#define REASON_CHARS  300
#define LEAVING_TRIES 50u

unsigned schedule_processors(void)
{
    cpu_set_t allowed;

    if (sched_getaffinity(0, sizeof(allowed), &allowed) != 0)
        return 1;
    return (unsigned)CPU_COUNT(&allowed);
}

/* Does the measurement depend on the host's timing? */
static bool is_host_timed(const struct task *task)
{
    for (size_t v = 0; v < task->family->variant_count; v++) {
        if (task->family->variants[v].method == METHOD_OBSERVE ||
            task->family->variants[v].list == LIST_IMMEDIATE)
            return true;
    }
    return false;
}

/* Number of tasks in this state that use the image, or any image if it is NULL. */
static size_t count_tasks(const struct schedule *schedule, enum task_state state,
                          const struct module_image *image)
{
    size_t count = 0;

    for (size_t i = schedule->first; i < schedule->task_count; i++)
        count += schedule->tasks[i].state == state && (!image || schedule->tasks[i].image == image);
    return count;
}

/* On a GPU, a concurrent compilation may take host time from a measurement, so it is not allowed if
 * host time matters. */
static bool may_run_beside(const struct schedule *schedule, const struct task *task,
                           enum wire_kind command)
{
    if (command == WIRE_MEASURE)
        return count_tasks(schedule, TASK_MEASURING, NULL) < schedule->measuring_limit &&
               !(schedule->keeps_workers && is_host_timed(task) &&
                 count_tasks(schedule, TASK_COMPILING, NULL) > 0);
    for (size_t i = schedule->first; schedule->keeps_workers && i < schedule->task_count; i++) {
        if (schedule->tasks[i].state == TASK_MEASURING && is_host_timed(&schedule->tasks[i]))
            return false;
    }
    return true;
}

/* The next thing to do, or NULL. A measurement that waits for the compilers to finish holds back
 * further compilations. */
static struct task *pick(const struct schedule *schedule, enum wire_kind *command)
{
    size_t end = schedule->first + WINDOW;
    bool waits = false;

    if (end > schedule->task_count)
        end = schedule->task_count;
    for (size_t i = schedule->first; i < end; i++) {
        struct task *task = &schedule->tasks[i];

        if (task->state != TASK_WAITING)
            continue;
        *command = task->image->compiled ? WIRE_MEASURE : WIRE_COMPILE;
        if (*command == WIRE_COMPILE &&
            (waits || count_tasks(schedule, TASK_COMPILING, task->image) > 0))
            continue;
        if (may_run_beside(schedule, task, *command))
            return task;
        waits = waits || (schedule->keeps_workers && is_host_timed(task));
    }
    return NULL;
}

/* An idle worker, or a free slot for a new one. */
static struct worker *free_worker(struct schedule *schedule)
{
    struct worker *vacant = NULL;

    for (size_t i = 0; i < schedule->worker_count; i++) {
        struct worker *worker = &schedule->workers[i];

        if (worker->state == WORKER_IDLE)
            return worker;
        if (worker->state == WORKER_NONE && !vacant)
            vacant = worker;
    }
    return vacant;
}

/* Gives the task its share of the remaining time, in proportion to the estimates of the unfinished
 * tasks. Steady configurations finish early and leave their time to those with wide intervals. */
static void allow(const struct schedule *schedule, struct task *task)
{
    double left_s = schedule->ends_s - monotonic_s(), sum_s = 0.0;

    if (!(schedule->ends_s > 0.0))
        return;
    for (size_t i = schedule->first; i < schedule->task_count; i++) {
        if (schedule->tasks[i].state != TASK_DONE)
            sum_s += schedule->tasks[i].estimate.least;
    }
    task->allowance_s = fmax(1e-3, left_s * task->estimate.least / fmax(sum_s, 1e-9));
}

static enum status give_out(struct schedule *schedule, struct error *error)
{
    enum wire_kind command;
    struct worker *worker;
    struct task *task;

    while ((worker = free_worker(schedule)) && (task = pick(schedule, &command))) {
        enum status status = task_begin(task, error);

        if (status == STATUS_OK) {
            task_check(task, schedule->request, &schedule->target.device);
            task_follow_baselines(task);
        }
        if (status == STATUS_OK && worker->state == WORKER_NONE)
            status = worker_start(worker, schedule->workers, schedule->worker_count,
                                  schedule->request, error);
        if (status != STATUS_OK)
            return status;
        task->state = command == WIRE_COMPILE ? TASK_COMPILING : TASK_MEASURING;
        worker->task = task;
        worker->command = command;
        allow(schedule, task);
        if (worker->state == WORKER_IDLE)
            worker_send(worker);
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
    if (message->kind == WIRE_TARGET && message->bytes == sizeof(schedule->target)) {
        memcpy(&schedule->target, message->data, message->bytes);
        schedule->has_target = true;
        schedule->failed_starts = 0;
        worker->state = WORKER_IDLE;
        if (worker->task)
            worker_send(worker);
        return true;
    }
    if (message->kind == WIRE_START_FAILED && message->bytes == sizeof(schedule->start_error)) {
        memcpy(&schedule->start_error, message->data, message->bytes);
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
    return task_receive(worker->task, message);
}

/* The driver would not open. If it never did, that is final; otherwise a reset may be under way. */
static enum status start_failed(struct schedule *schedule, const char *reason, struct error *error)
{
    const struct timespec pause = {1, 0};

    if (!schedule->start_error.text[0])
        error_set(&schedule->start_error, STATUS_LOST, "%s", reason);
    else if (!schedule->has_target) {
        *error = schedule->start_error;
        return error->status;
    }
    if (++schedule->failed_starts == STARTS_MAX)
        return error_set(error, STATUS_LOST,
                         "the device cannot be opened any more: %.600s; run with --resume when it "
                         "is back",
                         schedule->start_error.text);
    schedule->start_error.text[0] = '\0';
    if (schedule->target.kind == DEVICE_HARDWARE)
        nanosleep(&pause, NULL);
    return STATUS_OK;
}

/* Handles the end of a worker's stream. */
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

    while (wire_next(&worker->in, &message)) {
        if (!handle(schedule, worker, &message))
            open = false;
    }
    return open ? STATUS_OK : bury(schedule, worker, error);
}

static enum status wait_for_messages(struct schedule *schedule, struct error *error)
{
    struct pollfd polled[JOBS_MAX];
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
    if (poll(polled, count, POLL_MS) <= 0)
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
    schedule->worker_count = 1;
    schedule->measuring_limit = 1;
    while (status == STATUS_OK && !schedule->has_target) {
        if (request->stop && *request->stop)
            return error_set(error, STATUS_INTERRUPTED, "interrupted");
        if (schedule->workers[0].state == WORKER_NONE)
            status = worker_start(&schedule->workers[0], NULL, 0, request, error);
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

enum status schedule_step(struct schedule *schedule, struct error *error)
{
    enum status status = STATUS_OK;

    if (schedule->request->stop && *schedule->request->stop) {
        drop(schedule, false);
        if (count_tasks(schedule, TASK_MEASURING, NULL) == 0)
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
}
