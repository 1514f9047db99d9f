/* Whether the host's other threads are worth their while: found out by trying, now with them, now
 * without, and going on with what took less time for an instruction. Epochs with little to do, or a
 * host that is busy with something else, are quicker without. Nothing depends on the choice but how
 * long the host takes. */
#ifndef VESIM_HOST_TUNER_H
#define VESIM_HOST_TUNER_H

#include <stdbool.h>
#include <stdint.h>

struct host_tuner {
    bool alone;        /* how the epochs to come are to be run */
    double cost_ns[2]; /* of an instruction, with the others and alone; 0: not tried yet */
    uint64_t since_ns; /* when the clock was started */
    uint64_t spent_ns, executed;
    uint32_t epochs;                 /* of this stretch */
    uint32_t stretches, trial_after; /* since the last trial of the worse, and until the next */
};

/* Starts and stops the clock, around a walk. */
void host_tuner_start(struct host_tuner *tuner);
void host_tuner_stop(struct host_tuner *tuner);

/* An epoch is over in which so many instructions have been executed. */
void host_tuner_note(struct host_tuner *tuner, uint64_t executed);

#endif
