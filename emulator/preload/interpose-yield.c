/* The driver waits for the GPU by polling memory and yielding the processor in between. A GPU works
 * beside the processor; the model works on it. So while the modelled GPU has work, a yield sleeps
 * until some of it is done, for a short time at the most. */
#include <math.h>
#include <stdio.h>
#include <time.h>

#include "preload/interpose.h"

/* Seconds for which a thread only yields before somebody is told. A longer time between two yields
 * than LONGEST_YIELD counts as that much: the thread slept, or the host was busy elsewhere. A
 * thread that computes for longer than OTHER_WORK in between does more than wait. */
#define LONG_WAIT     5.0
#define LONGEST_YIELD 0.1
#define OTHER_WORK    0.01

static double seconds(clockid_t clock)
{
    struct timespec time;

    clock_gettime(clock, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* A driver may poll for work that was lost in a reset, without asking the kernel, which could tell
 * it: 22.43 does as it frees memory that two contexts used (deferred_deleter.cpp). It then waits
 * for ever, here and on hardware. Says so once. */
static void note_yield(void)
{
    static _Thread_local double last, last_computed, waited;
    static int said;
    double now = seconds(CLOCK_MONOTONIC), computed = seconds(CLOCK_THREAD_CPUTIME_ID);

    if (computed - last_computed > OTHER_WORK)
        waited = 0;
    else
        waited += fmin(now - last, LONGEST_YIELD);
    last = now;
    last_computed = computed;
    if (waited < LONG_WAIT || __atomic_exchange_n(&said, 1, __ATOMIC_RELAXED))
        return;
    fprintf(stderr,
            "vesim: since the GPU hang, the program or its driver has only been waiting, for %.0f "
            "seconds, and the GPU has nothing to do. If it polls for the lost work, it waits for "
            "ever, as on hardware: end it, or have it exit after an error without releasing what "
            "that work used\n",
            waited);
}

EXPORT int sched_yield(void)
{
    enum { PATIENCE_US = 1000 };
    struct node *node = node_if_made();

    if (node && cs_wait_progress(node->cs, PATIENCE_US))
        return 0;
    if (node && cs_has_hung(node->cs))
        note_yield();
    NEXT(sched_yield, int, void);
    return next();
}
