#include "gpu/pace.h"

#include <time.h>

/* Epochs of a stretch, which is run in one way and timed as a whole. And after how many stretches
 * the worse way is tried again: the more often it has lost, the later. */
enum { STRETCH = 32, FIRST_TRIAL = 8, LAST_TRIAL = 256 };

static uint64_t now_ns(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

void pace_start(struct pace *pace)
{
    pace->since_ns = now_ns();
}

void pace_stop(struct pace *pace)
{
    uint64_t now = now_ns();
    pace->spent_ns += now - pace->since_ns;
    pace->since_ns = now;
}

/* The way of the next stretch. */
static void choose(struct pace *pace)
{
    bool better = pace->cost_ns[true] < pace->cost_ns[false];
    if (pace->cost_ns[!pace->alone] == 0) {
        pace->alone = !pace->alone;
        pace->trial_after = FIRST_TRIAL;
        return;
    }
    if (pace->alone != better) { /* a trial that lost, or what was better is no more */
        pace->trial_after = pace->stretches == 0 && pace->trial_after < LAST_TRIAL
                                ? 2 * pace->trial_after
                                : FIRST_TRIAL;
        pace->alone = better;
    } else if (++pace->stretches >= pace->trial_after) {
        pace->stretches = 0;
        pace->alone = !better;
    }
}

void pace_note(struct pace *pace, uint64_t executed)
{
    pace->executed += executed;
    if (++pace->epochs < STRETCH)
        return;
    pace_stop(pace);
    if (pace->executed) {
        double cost = (double)pace->spent_ns / (double)pace->executed;
        double *known = &pace->cost_ns[pace->alone];
        *known = *known == 0 ? cost : (*known + cost) / 2;
        choose(pace);
    }
    pace->spent_ns = pace->executed = pace->epochs = 0;
}
