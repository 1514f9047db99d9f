/* A worker as the sweep sees it: a process that is started, told what to do, watched, and buried.
 */
#ifndef VEBENCH_WORKER_PROCESS_H
#define VEBENCH_WORKER_PROCESS_H

#include "measure/watch.h"
#include "measure/wire.h"
#include "measure/worker.h"

#include <sys/types.h>

enum worker_state {
    WORKER_NONE,     /* there is no process */
    WORKER_STARTING, /* has not said yet that its session is open */
    WORKER_IDLE,
    WORKER_BUSY,    /* with a task */
    WORKER_LEAVING, /* has been told to end */
};

struct task;

struct worker {
    enum worker_state state;
    pid_t pid;
    int socket;
    struct watch *watch;
    struct wire_buffer in;
    struct task *task;      /* that it is for, from its start on if there is one already */
    enum wire_kind command; /* what it is to do about it */
    bool hung;              /* was ended for having passed its limit */
    enum watch_stage stage; /* where it was then */
};

/* Forks a worker. `others` of them have sockets that it must not keep. STATUS_FAILED where there is
 * no process to be had. */
enum status worker_start(struct worker *worker, const struct worker *others, size_t count,
                         const struct sweep_request *request, struct error *error);

/* Tells an idle worker what it is to do about its task. False where it is gone. */
bool worker_send(struct worker *worker);

/* It ends when it has done what it is at; the sweep sees the end of its stream then. */
void worker_dismiss(struct worker *worker);

/* Ends one that has passed its limit. */
void worker_enforce_limit(struct worker *worker);

/* After the end of its stream, or to end it at once: waits for the process, and says in `reason`
 * how it ended and what it was doing. */
void worker_bury(struct worker *worker, char *reason, size_t bytes);

#endif
