#include "preload/after-hang.h"

#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "preload/interpose.h"

/* Seconds for which a thread only yields before somebody is told. A longer time between two yields
 * than LONGEST_YIELD counts as that much: the thread slept, or the host was busy elsewhere. A
 * thread that computes for longer than OTHER_WORK in between does more than wait. */
#define LONG_WAIT     5.0
#define LONGEST_YIELD 0.1
#define OTHER_WORK    0.01

/* Drivers have one place each from which they make requests. */
#define CALLERS_MAX 16
#define FRAMES_MAX  64

/* What a thread holds that is not to be waited for: somebody may be inside for good. */
#define FLUSH_SECONDS 1

static double limit_s = AFTER_HANG_SECONDS;
static bool prints_stacks;
static const void *callers[CALLERS_MAX];

/* How long a thread has waited, since the GPU of its process hung. */
struct wait {
    const struct node *node;
    uint64_t progress; /* of the node */
    double seconds;    /* so far */
    double last;       /* when it yielded last */
    double computed;   /* the processor's time of the thread then */
    double judged;     /* `seconds` when it was last found not to wait for lost work */
};

void after_hang_plan(double seconds, bool stacks)
{
    limit_s = seconds;
    prints_stacks = stacks;
}

void after_hang_note_request(const void *caller)
{
    for (unsigned i = 0; i < CALLERS_MAX; i++) {
        const void *there = __atomic_load_n(&callers[i], __ATOMIC_RELAXED);

        if (there == caller)
            return;
        if (!there && __atomic_compare_exchange_n(&callers[i], &there, caller, false,
                                                  __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            return;
        if (there == caller)
            return;
    }
}

/* The program or library that has the code; NULL: neither. */
static const void *object_of(const void *code, const char **path)
{
    Dl_info info;

    if (!dladdr(code, &info))
        return NULL;
    if (path)
        *path = info.dli_fname;
    return info.dli_fbase;
}

static bool is_driver(const void *object)
{
    for (unsigned i = 0; i < CALLERS_MAX; i++) {
        const void *caller = __atomic_load_n(&callers[i], __ATOMIC_RELAXED);

        if (caller && object_of(caller, NULL) == object)
            return object != NULL;
    }
    return false;
}

/* What starts threads, and what runs below every program. */
static bool is_runtime(const char *path)
{
    static const char *const prefixes[] = {"libc.so",      "libc-",     "libpthread",
                                           "libstdc++.so", "libgcc_s.", "libc++.so"};
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;

    for (unsigned i = 0; i < sizeof(prefixes) / sizeof(*prefixes); i++) {
        if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0)
            return true;
    }
    return false;
}

/* Whether nobody but the driver has called this thread: one that the driver has for itself, and
 * that its program need not wait for. */
static bool is_thread_of(const void *driver)
{
    const void *own = object_of((const void *)(uintptr_t)is_thread_of, NULL);
    void *frames[FRAMES_MAX];

    if (gettid() == getpid())
        return false;
    int count = backtrace(frames, FRAMES_MAX);
    for (int i = 0; i < count; i++) {
        const char *path = "";
        const void *object = object_of(frames[i], &path);

        if (object != driver && object != own && !is_runtime(path))
            return false;
    }
    return true;
}

/* Whether what this thread waits for was lost. A driver's call that polls does not come back. A
 * program that yields has its own reasons, once an error could tell it of the hang. */
static bool waits_for_lost_work(const struct node *node, const void *caller)
{
    const void *object = object_of(caller, NULL);

    if (is_driver(object))
        return !is_thread_of(object);
    return !cs_hang_was_told(node->cs);
}

static double seconds_of(clockid_t clock)
{
    struct timespec time;

    clock_gettime(clock, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void *flush(void *argument)
{
    (void)argument;
    fflush(NULL);
    return NULL;
}

/* What the program has printed. A thread that reads holds its file for as long as it takes. */
static void flush_output(void)
{
    struct timespec until;
    pthread_t thread;

    if (pthread_create(&thread, NULL, flush, NULL))
        return;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += FLUSH_SECONDS;
    pthread_timedjoin_np(thread, NULL, &until);
}

/* The environment without what would have gdb load this library or ask a server. */
static char **debugger_environment(void)
{
    size_t count = 0;

    while (environ[count])
        count++;
    char **kept = malloc((count + 1) * sizeof(*kept));
    if (!kept)
        return NULL;
    count = 0;
    for (char **variable = environ; *variable; variable++) {
        if (strncmp(*variable, "LD_PRELOAD=", 11) != 0 &&
            strncmp(*variable, "DEBUGINFOD_URLS=", 16) != 0)
            kept[count++] = *variable;
    }
    kept[count] = NULL;
    return kept;
}

static void print_stacks(void)
{
    NEXT(posix_spawnp, int, pid_t *, const char *, const posix_spawn_file_actions_t *,
         const posix_spawnattr_t *, char *const[], char *const[])
    char process[16];
    char *const arguments[] = {"gdb", "-q",    "-nx", "-batch", "-ex", "thread apply all backtrace",
                               "-p",  process, NULL};
    posix_spawn_file_actions_t files;
    char **environment = debugger_environment();
    pid_t debugger;

    snprintf(process, sizeof(process), "%ld", (long)getpid());
    prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&files, STDERR_FILENO, STDOUT_FILENO);
    int error = environment ? next(&debugger, "gdb", &files, NULL, arguments, environment) : ENOMEM;
    posix_spawn_file_actions_destroy(&files);
    free(environment);
    if (error)
        fprintf(stderr, "vesim: --gdb: cannot run gdb: %s\n", strerror(error));
    else
        waitpid(debugger, NULL, 0);
}

/* A copy of the process with this thread alone ends by a signal, so that its core has memory and
 * the stack of who waits, and the process its own exit status. Without the C library, whose locks
 * other threads may hold. */
static void dump_core(void)
{
    struct rlimit size;
    sigset_t aborting;
    int status = 0;

    if (getrlimit(RLIMIT_CORE, &size) || size.rlim_cur == 0)
        return;
    pid_t copy = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
    if (copy == 0) {
        signal(SIGABRT, SIG_DFL);
        sigemptyset(&aborting);
        sigaddset(&aborting, SIGABRT);
        sigprocmask(SIG_UNBLOCK, &aborting, NULL);
        kill((pid_t)syscall(SYS_getpid), SIGABRT);
        _exit(AFTER_HANG_STATUS);
    }
    if (copy > 0 && waitpid(copy, &status, 0) == copy && WIFSIGNALED(status) && WCOREDUMP(status))
        fprintf(stderr, "vesim: process %ld is a copy of process %ld, for its core\n", (long)copy,
                (long)getpid());
    else
        fprintf(stderr, "vesim: the system wrote no core of process %ld\n", (long)getpid());
}

static void print_reports(const struct node *node)
{
    char reports[CS_HANG_REPORTS * CS_HANG_REPORT_SIZE];
    char *rest = NULL;

    cs_hang_reports(node->cs, reports, sizeof(reports));
    for (char *line = strtok_r(reports, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
        fprintf(stderr, "vesim: %s\n", line);
}

__attribute__((noreturn)) static void end_process(const struct node *node)
{
    static int ending;

    if (__atomic_exchange_n(&ending, 1, __ATOMIC_RELAXED)) {
        for (;;)
            pause(); /* another thread is at it */
    }
    flush_output();
    if (prints_stacks)
        print_stacks();
    dump_core();
    fprintf(
        stderr,
        "vesim: for %g seconds process %ld has only waited for work that was lost in a GPU hang: "
        "it ends with status %d (--after-hang sets another time). This was the hang:\n",
        limit_s, (long)getpid(), AFTER_HANG_STATUS);
    print_reports(node);
    _exit(AFTER_HANG_STATUS);
}

static void tell(double waited)
{
    static int told;

    if (__atomic_exchange_n(&told, 1, __ATOMIC_RELAXED))
        return;
    fprintf(stderr,
            "vesim: since the GPU hang, the program or its driver has only been waiting, for %.0f "
            "seconds, and the GPU has nothing to do. It polls for the lost work, so it waits for "
            "ever, as on hardware: ",
            waited);
    if (limit_s < 0)
        fputs("end it, or have it exit after an error without releasing what that work used\n",
              stderr);
    else
        fprintf(stderr, "after %g seconds it is ended (--after-hang sets another time)\n", limit_s);
}

/* Adds the time since the thread's last yield, or begins anew. */
static void add_time(struct wait *wait, const struct node *node)
{
    double now = seconds_of(CLOCK_MONOTONIC), computed = seconds_of(CLOCK_THREAD_CPUTIME_ID);
    uint64_t progress = node_progress(node);

    if (wait->node != node || wait->progress != progress || computed - wait->computed > OTHER_WORK)
        wait->seconds = wait->judged = 0;
    else
        wait->seconds += fmin(now - wait->last, LONGEST_YIELD);
    wait->node = node;
    wait->progress = progress;
    wait->last = now;
    wait->computed = computed;
}

void after_hang_note_yield(const struct node *node, const void *caller)
{
    static _Thread_local struct wait wait;

    add_time(&wait, node);
    bool ends = limit_s >= 0 && wait.seconds >= limit_s;
    if (!ends && wait.seconds < wait.judged + LONG_WAIT)
        return;
    wait.judged = wait.seconds;
    if (!waits_for_lost_work(node, caller))
        wait.seconds = wait.judged = 0;
    else if (ends)
        end_process(node);
    else
        tell(wait.seconds);
}
