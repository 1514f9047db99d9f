/* The driver waits for the GPU by polling memory and yielding the processor in between. A GPU works
 * beside the processor; the model works on it. So while the modelled GPU has work, a yield sleeps
 * until some of it is done, for a short time at the most. */
#include <stdio.h>
#include <time.h>

#include "preload/interpose.h"

/* Seconds for which a thread only yields before somebody is told; a pause ends them. */
#define LONG_WAIT  5.0
#define LONG_PAUSE 1.0

static double host_seconds(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* A driver may poll for work that was lost in a reset, without asking the kernel, which could tell
 * it: 22.43 does as it frees memory that two contexts used (deferred_deleter.cpp). It then waits
 * for ever, here and on hardware. Says so once. */
static void note_yield(void)
{
    static _Thread_local double since, last;
    static int said;
    double now = host_seconds();

    if (now - last > LONG_PAUSE)
        since = now;
    last = now;
    if (now - since < LONG_WAIT || __atomic_exchange_n(&said, 1, __ATOMIC_RELAXED))
        return;
    fprintf(stderr,
            "vesim: since the GPU hang, the program or its driver has only been waiting, for %.0f "
            "seconds, and the GPU has nothing to do. If it polls for the lost work, it waits for "
            "ever, as on hardware: end it, or have it exit after an error without releasing what "
            "that work used\n",
            now - since);
}

EXPORT int sched_yield(void)
{
    enum { PATIENCE_US = 200 };
    struct node *node = node_if_made();

    if (node && cs_wait_progress(node->cs, PATIENCE_US))
        return 0;
    if (node && cs_has_hung(node->cs))
        note_yield();
    NEXT(sched_yield, int, void);
    return next();
}
