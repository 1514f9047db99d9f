/* The lead: a kernel that spins before each timed kernel of a configuration, in the same list, as
 * wide as that one. An idle GPU lowers its clock, even in the pauses between launches, and a busy
 * one may lower it under wide load; the spin lasts until the clock has settled. Two short spins
 * next to the timed kernel, its edges, show the clock that it had; where a pause costs too much,
 * another spin bridges it. */
#ifndef VEBENCH_LEAD_H
#define VEBENCH_LEAD_H

#include "ze/module-build.h"

/* Kernels that it can be made of: one that counts cycles, and one for compilers that cannot. */
#define LEAD_SOURCES 2u

/* Its machine code; empty until it has been compiled. */
struct lead_image {
    bool compiled;
    size_t source; /* which of them, from 0 */
    struct module_build build;
};

/* Compiles the lead on the session's device. Errors are recorded. */
void lead_image_compile(struct lead_image *image, struct session *session);
void lead_image_free(struct lead_image *image);

enum { LEAD_SPIN, LEAD_BEFORE, LEAD_AFTER, LEAD_BRIDGE, LEAD_PARTS };

/* Places in the host's memory of counts: those of the parts, then these. */
enum { LEAD_ELAPSED = LEAD_PARTS, LEAD_ZERO, LEAD_COUNTS };

struct lead {
    ze_module_handle_t module;
    struct kernel kernel;
    uint64_t *cycles; /* what each of its parts and the timed kernel counted; in host memory */
    bool counts;      /* whether it counts cycles */

    /* Found by calibration; an emulated device's is one iteration, without edges. */
    double spin_ns;           /* of the spin; 0 on an emulated device */
    double wake_ns;           /* of one after which the clock is settled without bridges */
    double rate;              /* settled iterations of a spin per ns, 0: unknown */
    double scatter;           /* of that rate from spin to spin, relative: between quartiles */
    double launch_ns;         /* of a spin that does nothing */
    double mhz;               /* settled clock under this load, 0 if not counted */
    double alone_mhz;         /* the same of a single thread */
    uint32_t threads;         /* that spin, each in a work-group of its own */
    uint32_t iterations;      /* of the spin */
    uint32_t edge_iterations; /* 0: there are no edges */
    bool settles;             /* the clock has stopped rising at its end */
    bool bridges;             /* pauses between launches are spun through */
    unsigned pause_ns;        /* idle time before each launch of the calibration */

    ze_command_list_handle_t bridge[2]; /* take turns: one may still run */
    unsigned turn;
};

/* Creates the session's lead: as short as possible on an emulated device, whose clock is always up.
 * On hardware, calibrates it. */
enum status lead_open(struct session *session, const struct lead_image *image, struct error *error);

/* Spins until the clock has settled, then finds the shortest spin, 1 ms to 1 s, after which the
 * clock is settled again after a pause, and doubles it; with bridges if 8 ms are not enough
 * without. lead_open() calls it. */
enum status lead_calibrate(struct session *session, struct error *error);

/* Makes the lead so many threads wide and, if that changes it, spins until the clock has settled
 * under that load. Nothing on an emulated device. */
enum status lead_widen(struct session *session, double threads, struct error *error);

/* The settled clock is now `speed` times what it was. */
void lead_follow(struct session *session, double speed);

/* Frees the session's lead, if it has one. */
void lead_close(struct session *session);

/* Records the spin and a barrier, where the session has one; and the edge before the timed kernel
 * or, behind it, that after it. */
enum status lead_append(struct session *session, struct error *error);
enum status lead_append_before(struct session *session, struct error *error);
enum status lead_append_after(struct session *session, struct error *error);

/* Record that a timed kernel's count of its own cycles, in device memory, begins at 0, and that the
 * host gets it. Nothing without a lead or for NULL. */
enum status lead_append_reset(struct session *session, void *elapsed, struct error *error);
enum status lead_append_elapsed(struct session *session, void *elapsed, struct error *error);

/* Prepares the spin that the next execution submits behind its list, if the lead bridges pauses. */
enum status lead_bridge(struct session *session, struct error *error);

/* Has the device spin alone, until the clock has settled, and waits for that. */
enum status lead_wake(struct session *session, struct error *error);

/* Runs a spin of each number of iterations that is not 0 alone, after a pause of less than a
 * second;
 * `*ns` gets the time of the last, with `launch_ns`. What it counted is in `cycles[LEAD_BEFORE]`.
 */
enum status lead_time_spins(struct session *session, unsigned pause_ns, double first, double last,
                            double *ns, struct error *error);

/* What the edges of the last list executed say. */
struct lead_clock {
    double speed;  /* against the settled clock: 1 is as fast; 0 if there were no edges */
    double change; /* relative, from the edge before the kernel to that after it */
    double mhz;    /* mean of the edges, 0 if cycles are not counted */
};

struct lead_clock lead_clock(const struct session *session);

/* What the timed kernel of the last list executed counted; 0 if it did not. */
double lead_elapsed(const struct session *session);

#endif
