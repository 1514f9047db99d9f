/* What runs before each timed kernel of a configuration, in the same list: a kernel that spins for
 * a few milliseconds. An idle GPU lowers its clock, within the pauses between launches too; the
 * spin has it up again when the timed kernel starts, and meanwhile it can be observed. */
#ifndef VEBENCH_LEAD_H
#define VEBENCH_LEAD_H

#include "measure/kernel.h"

struct lead {
    ze_module_handle_t module;
    struct kernel kernel;
    uint64_t *cycles;    /* what the kernel counted; in memory of the host */
    bool counts;         /* does it? Not every compiler gives access to the clock's counter */
    uint32_t iterations; /* of a spin */
    double spin_ns;      /* how long it takes, without its launch; 0 on a model */
    unsigned pause_ns;   /* of the device before each launch by which that is found */
    double launch_ns;    /* of a spin that does nothing */
    bool settles;        /* the clock no longer rises at its end */
};

/* Makes the session's lead: as short as can be on a model, whose clock is always up; on hardware as
 * long as it takes until a kernel after it is as fast as after the longest (64 ms), and twice that.
 */
enum status lead_open(struct session *session, struct error *error);

/* Finds that length; lead_open() has done so. */
enum status lead_calibrate(struct session *session, struct error *error);

/* Frees the session's lead, if it has one. */
void lead_close(struct session *session);

/* Records the lead and a barrier, where the session has one. */
enum status lead_append(struct session *session, struct error *error);

/* The clock in MHz by the cycles of the spin in the list executed last; 0 where they are not
 * counted or too few to tell. */
double lead_clock_mhz(const struct session *session);

#endif
