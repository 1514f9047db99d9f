#include "sweep/worker-process.h"

#include "sweep/module-messages.h"
#include "sweep/task.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* A driver that does not open within this time never will. */
#define START_LIMIT_NS UINT64_C(120000000000)

/* How long a process may take to exit after SIGKILL. One stuck in a call of its graphics driver in
 * the kernel may never exit, and is left behind. Most have exited already. */
#define BURIAL_LIMIT_NS       INT64_C(5000000000)
#define BURIAL_PAUSE_LEAST_NS 50000
#define BURIAL_PAUSE_MOST_NS  10000000

static enum status cannot_start(struct error *error)
{
    return error_set(error, STATUS_FAILED, "cannot start a worker process: %s", strerror(errno));
}

static void close_others(const struct worker *others, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (others[i].state != WORKER_NONE)
            close(others[i].socket);
    }
}

enum status worker_start(struct worker *worker, const struct worker *others, size_t count,
                         const struct sweep_request *request, struct error *error)
{
    int sockets[2];

    memset(worker, 0, sizeof(*worker));
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) != 0)
        return cannot_start(error);
    worker->watch = watch_create();
    watch_enter(worker->watch, WATCH_START, START_LIMIT_NS);
    if (worker->watch)
        worker->pid = fork();
    if (!worker->watch || worker->pid < 0) {
        cannot_start(error);
        watch_destroy(worker->watch);
        close(sockets[0]);
        close(sockets[1]);
        return STATUS_FAILED;
    }
    if (worker->pid == 0) {
        close(sockets[0]);
        close_others(others, count);
        if (request->ranks) /* its end tells that the sweep is gone */
            close(request->ranks->stream);
        worker_main(sockets[1], worker->watch, request);
    }
    close(sockets[1]);
    worker->socket = sockets[0];
    worker->state = WORKER_STARTING;
    return STATUS_OK;
}

bool worker_send(struct worker *worker, const struct lead_image *lead)
{
    const struct task *task = worker->task;
    bool compiles = worker->command == WIRE_COMPILE;
    struct order order = {task->sequence,    task->family_index, task->configuration,
                          task->allowance_s, task->first_rounds, compiles && !lead->compiled};

    worker->state = WORKER_BUSY;
    return wire_send(worker->socket, WIRE_ORDER, &order, sizeof(order)) &&
           (compiles || (module_image_send(task->image, worker->socket) &&
                         lead_image_send(lead, worker->socket))) &&
           wire_send(worker->socket, worker->command, NULL, 0);
}

void worker_dismiss(struct worker *worker)
{
    shutdown(worker->socket, SHUT_WR);
    worker->state = WORKER_LEAVING;
    worker->task = NULL;
}

void worker_enforce_limit(struct worker *worker)
{
    if (worker->hung || watch_left_ns(worker->watch) >= 0)
        return;
    worker->hung = true;
    worker->stage = watch_stage(worker->watch);
    kill(worker->pid, SIGKILL);
}

/* False if the process is still there. */
static bool wait_for_end(pid_t pid, int *status)
{
    struct timespec pause = {0, BURIAL_PAUSE_LEAST_NS};

    for (int64_t waited_ns = 0; waited_ns < BURIAL_LIMIT_NS; waited_ns += pause.tv_nsec) {
        pid_t gone = waitpid(pid, status, WNOHANG);

        if (gone == pid || (gone < 0 && errno == ECHILD))
            return true;
        nanosleep(&pause, NULL);
        if (pause.tv_nsec < BURIAL_PAUSE_MOST_NS)
            pause.tv_nsec *= 2;
    }
    return false;
}

static void describe_end(const struct worker *worker, enum watch_stage stage, int status,
                         char *reason, size_t bytes)
{
    const char *name = watch_stage_name(stage);

    if (worker->hung)
        snprintf(reason, bytes, "no answer from driver and device for %u s during %s",
                 (unsigned)(watch_limit_ns(worker->watch) / 1000000000u), name);
    else if (WIFSIGNALED(status))
        snprintf(reason, bytes, "the worker process crashed during %s (signal %d, %s)", name,
                 WTERMSIG(status), strsignal(WTERMSIG(status)));
    else
        snprintf(reason, bytes,
                 "the driver or its compiler ended the worker process during %s (exit status %d)",
                 name, WEXITSTATUS(status));
}

void worker_bury(struct worker *worker, char *reason, size_t bytes)
{
    int status = 0;
    enum watch_stage stage = worker->hung ? worker->stage : watch_stage(worker->watch);

    /* A worker that has closed its end is exiting anyway; any other has to be killed. */
    kill(worker->pid, SIGKILL);
    wait_for_end(worker->pid, &status);
    describe_end(worker, stage, status, reason, bytes);
    close(worker->socket);
    watch_destroy(worker->watch);
    wire_free(&worker->in);
    memset(worker, 0, sizeof(*worker));
}
