#include "gpu/host-tuner.h"

#include <time.h>

/* This many epochs form a stretch, which is run one way and timed as a whole. The slower way is
 * tried again after FIRST_TRIAL to LAST_TRIAL stretches: the more often it has lost, the later. */
enum { STRETCH = 32, FIRST_TRIAL = 8, LAST_TRIAL = 256 };

static uint64_t now_ns(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

void host_tuner_start(struct host_tuner *tuner)
{
    tuner->since_ns = now_ns();
}

void host_tuner_stop(struct host_tuner *tuner)
{
    uint64_t now = now_ns();

    tuner->spent_ns += now - tuner->since_ns;
    tuner->since_ns = now;
}

/* Chooses how to run the next stretch. */
static void choose(struct host_tuner *tuner)
{
    bool better = tuner->cost_ns[true] < tuner->cost_ns[false];

    if (tuner->cost_ns[!tuner->alone] == 0) {
        tuner->alone = !tuner->alone;
        tuner->trial_after = FIRST_TRIAL;
        return;
    }
    if (tuner->alone != better) { /* a lost trial, or the better way has changed */
        tuner->trial_after = tuner->stretches == 0 && tuner->trial_after < LAST_TRIAL
                                 ? 2 * tuner->trial_after
                                 : FIRST_TRIAL;
        tuner->alone = better;
    } else if (++tuner->stretches >= tuner->trial_after) {
        tuner->stretches = 0;
        tuner->alone = !better;
    }
}

void host_tuner_note(struct host_tuner *tuner, uint64_t executed)
{
    tuner->executed += executed;
    if (++tuner->epochs < STRETCH)
        return;
    host_tuner_stop(tuner);
    if (tuner->executed) {
        double cost = (double)tuner->spent_ns / (double)tuner->executed;
        double *known = &tuner->cost_ns[tuner->alone];

        *known = *known == 0 ? cost : (*known + cost) / 2;
        choose(tuner);
    }
    tuner->spent_ns = tuner->executed = tuner->epochs = 0;
}
