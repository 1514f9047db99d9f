/* Finds out whether more host threads pay off, by running with and without them and keeping what
 * takes less time per instruction. Short epochs, or a busy host, run faster without. The choice
 * only affects host time, never a result. */
#ifndef VESIM_HOST_TUNER_H
#define VESIM_HOST_TUNER_H

#include <stdbool.h>
#include <stdint.h>

struct host_tuner {
    bool alone;        /* how to run the next epochs */
    double cost_ns[2]; /* per instruction, with the other threads and alone; 0: not tried yet */
    uint64_t since_ns; /* when timing started */
    uint64_t spent_ns, executed;
    uint32_t epochs; /* in this stretch */
    uint32_t stretches,
        trial_after; /* stretches since the last trial of the slower way, and until the next */
};

/* Start and stop timing, around a walk. */
void host_tuner_start(struct host_tuner *tuner);
void host_tuner_stop(struct host_tuner *tuner);

/* Records an epoch in which `executed` instructions ran. */
void host_tuner_note(struct host_tuner *tuner, uint64_t executed);

#endif
