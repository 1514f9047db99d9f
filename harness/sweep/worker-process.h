/* A worker as the sweep sees it: a process that is started, given orders, watched, and
 * reaped. */
#ifndef VEBENCH_WORKER_PROCESS_H
#define VEBENCH_WORKER_PROCESS_H

#include "measure/lead.h"
#include "ranks/wire.h"
#include "sweep/worker.h"
#include "ze/watch.h"

#include <sys/types.h>

enum worker_state {
    WORKER_NONE,     /* there is no process */
    WORKER_STARTING, /* has not reported an open session yet */
    WORKER_IDLE,
    WORKER_BUSY,    /* with a task */
    WORKER_LEAVING, /* has been told to exit */
};

struct task;

struct worker {
    enum worker_state state;
    pid_t pid;
    int socket;
    struct watch *watch;
    struct wire_buffer in;
    struct task *task;      /* its task, already set when it starts if there is one */
    enum wire_kind command; /* what to do with the task */
    bool hung;              /* was killed for exceeding its limit */
    enum watch_stage stage; /* the stage it was in then */
};

/* Forks a worker. It must not keep the sockets of the `others`.
 * STATUS_FAILED if no process can be created. */
enum status worker_start(struct worker *worker, const struct worker *others, size_t count,
                         const struct sweep_request *request, struct error *error);

/* Tells an idle worker what to do with its task, and hands it the lead. False if the worker is
 * gone. */
bool worker_send(struct worker *worker, const struct lead_image *lead);

/* Makes the worker exit when it has finished what it is doing; the sweep then sees the end of its
 * stream. */
void worker_dismiss(struct worker *worker);

/* Kills a worker that has exceeded its limit. */
void worker_enforce_limit(struct worker *worker);

/* Reaps a worker after the end of its stream, or kills it at once: waits for the process, and
 * writes to `reason` how it ended and what it was doing. */
void worker_bury(struct worker *worker, char *reason, size_t bytes);

#endif
