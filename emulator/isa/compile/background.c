/* fork() may happen at any time, and must not find LLVM halfway: the child would inherit its locks
 * from a thread that it does not have. It waits for the task that runs, some tens of milliseconds
 * at the most. So does exit() (llvm.h). */
#include "isa/compile/background.h"

#include <fenv.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#include "isa/compile/llvm.h"
#include "memory/guard.h"

enum state { NO_THREAD, RUNS, ENDS };

static struct {
    pthread_mutex_t task_lock; /* held while a task runs; taken before the other */
    pthread_mutex_t lock;      /* protects all of this: */
    pthread_cond_t changed;
    struct background_task *first, **last; /* to do */
    const void *client;                    /* of the task that runs; NULL: none does */
    unsigned clients;
    enum state state;
    pthread_t thread;
} background = {.task_lock = PTHREAD_MUTEX_INITIALIZER,
                .lock = PTHREAD_MUTEX_INITIALIZER,
                .changed = PTHREAD_COND_INITIALIZER,
                .last = &background.first};

static void before_fork(void)
{
    pthread_mutex_lock(&background.task_lock);
    pthread_mutex_lock(&background.lock);
}

static void after_fork(void)
{
    pthread_mutex_unlock(&background.lock);
    pthread_mutex_unlock(&background.task_lock);
}

/* The child has no such thread. What was to be done stays undone. */
static void after_fork_in_child(void)
{
    background.changed = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
    background.first = NULL;
    background.last = &background.first;
    background.client = NULL;
    background.state = NO_THREAD;
    after_fork();
}

static void prepare_forks(void)
{
    pthread_atfork(before_fork, after_fork, after_fork_in_child);
}

static struct background_task *take(void)
{
    struct background_task *task = background.first;

    background.first = task->next;
    if (!background.first)
        background.last = &background.first;
    return task;
}

/* Waits for a task; NULL if there will be none. */
static struct background_task *next_task(void)
{
    struct background_task *task = NULL;

    pthread_mutex_lock(&background.lock);
    background.client = NULL;
    pthread_cond_broadcast(&background.changed);
    while (background.state == RUNS && !background.first)
        pthread_cond_wait(&background.changed, &background.lock);
    if (background.state == RUNS) {
        task = take();
        background.client = task->client;
    }
    pthread_mutex_unlock(&background.lock);
    return task;
}

static void *work(void *unused)
{
    struct background_task *task;

    (void)unused;
    fesetenv(FE_DFL_ENV);
    while ((task = next_task())) {
        /* Not under the lock: the dynamic linker has one, and may be forking. */
        bool has_llvm = !llvm_enter();

        pthread_mutex_lock(&background.task_lock);
        task->work(task);
        pthread_mutex_unlock(&background.task_lock);
        if (has_llvm)
            llvm_leave();
    }
    return NULL;
}

static bool create_thread(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    sigset_t before;

    pthread_once(&once, prepare_forks);
    memory_guard_block_signals(&before);
    if (!pthread_create(&background.thread, NULL, work, NULL))
        background.state = RUNS;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return background.state == RUNS;
}

int background_add(struct background_task *task)
{
    pthread_mutex_lock(&background.lock);
    bool runs = background.state == RUNS || (background.state == NO_THREAD && create_thread());
    if (runs) {
        task->next = NULL;
        *background.last = task;
        background.last = &task->next;
        pthread_cond_broadcast(&background.changed);
    }
    pthread_mutex_unlock(&background.lock);
    return runs ? 0 : -1;
}

void background_wait(void)
{
    pthread_mutex_lock(&background.lock);
    while (background.state == RUNS && (background.first || background.client))
        pthread_cond_wait(&background.changed, &background.lock);
    pthread_mutex_unlock(&background.lock);
}

void background_open(void)
{
    pthread_mutex_lock(&background.lock);
    background.clients++;
    pthread_mutex_unlock(&background.lock);
}

static void drop_tasks(const void *client)
{
    struct background_task **at = &background.first;

    while (*at) {
        struct background_task *task = *at;

        if (task->client == client) {
            *at = task->next;
            task->drop(task);
        } else {
            at = &task->next;
        }
    }
    background.last = at;
}

/* Ends the thread, which has nothing to do. */
static void end_thread(void)
{
    background.state = ENDS;
    pthread_cond_broadcast(&background.changed);
    pthread_mutex_unlock(&background.lock);
    pthread_join(background.thread, NULL);
    pthread_mutex_lock(&background.lock);
    background.state = NO_THREAD;
}

void background_close(const void *client)
{
    pthread_mutex_lock(&background.lock);
    drop_tasks(client);
    while (background.client == client) {
        pthread_cond_wait(&background.changed, &background.lock);
        drop_tasks(client); /* that this one has left */
    }
    if (--background.clients == 0 && background.state == RUNS)
        end_thread();
    pthread_mutex_unlock(&background.lock);
}
