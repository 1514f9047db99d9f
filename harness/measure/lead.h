/* The lead: a kernel that spins for a few milliseconds before each timed kernel of a configuration,
 * in the same list. An idle GPU lowers its clock, even in the pauses between launches; the spin
 * brings it back up before the timed kernel starts, and lets it be observed meanwhile. */
#ifndef VEBENCH_LEAD_H
#define VEBENCH_LEAD_H

#include "measure/module-build.h"

/* Its machine code; empty until it has been compiled. */
struct lead_image {
    bool compiled;
    size_t source; /* which of the kernels it is made of */
    struct module_build build;
};

/* Compiles the lead on the session's device. Errors are recorded. */
void lead_image_compile(struct lead_image *image, struct session *session);
/* False if the other end is gone. */
bool lead_image_send(const struct lead_image *image, int socket);
/* Takes in what another process has sent; false if it makes no sense or memory ran out. */
bool lead_image_receive(struct lead_image *image, const void *data, size_t bytes);
void lead_image_free(struct lead_image *image);

struct lead {
    ze_module_handle_t module;
    struct kernel kernel;
    uint64_t *cycles;    /* what the kernel counted; in host memory */
    bool counts;         /* whether it counts cycles */
    uint32_t iterations; /* of a spin */
    double spin_ns;      /* its duration without launch overhead; 0 on a model */
    unsigned pause_ns;   /* idle time before each launch of the calibration */
    double launch_ns;    /* of a spin that does nothing */
    bool settles;        /* the clock has stopped rising at its end */
};

/* Creates the session's lead: as short as possible on a model, whose clock is always up. On
 * hardware, twice the time after which a kernel is as fast as after the longest (64 ms). */
enum status lead_open(struct session *session, const struct lead_image *image, struct error *error);

/* Determines that length; lead_open() calls it. */
enum status lead_calibrate(struct session *session, struct error *error);

/* Frees the session's lead, if it has one. */
void lead_close(struct session *session);

/* Records the lead and a barrier, where the session has one. */
enum status lead_append(struct session *session, struct error *error);

/* The clock in MHz from the cycles of the spin in the last list executed; 0 if they are not counted
 * or too few. */
double lead_clock_mhz(const struct session *session);

#endif
