/* A session on a device made of a few functions: it runs the kernels of family `barrier` through
 * the naive simulation and takes exactly the time it is told to. With it the measuring code is
 * tested for finding what is there, and for noticing what is wrong. */
#ifndef TESTS_HARNESS_FAKE_ZE_H
#define TESTS_HARNESS_FAKE_ZE_H

#include "measure/measure.h"

#include <stdint.h>

#define FAKE_VARIANTS    9
#define FAKE_NO_VARIANT  99u
#define FAKE_ANY_VARIANT 98u

/* The group of counters that can count launches; another of its name samples by time. It has the
 * duration of what its query was around in ns, the number of iterations, and their ratio in kHz. */
#define FAKE_COUNTERS      "Basic"
#define FAKE_COUNTER_COUNT 6

struct fake_device {
    /* Behaviour, set by the test. */
    double launch_ns;                   /* of a launch without iterations */
    double iteration_ns[FAKE_VARIANTS]; /* of one iteration of each variant */
    double noise_ns;                    /* amplitude, added to each launch */
    double (*distort)(double start_ns, double busy_ns,
                      double duration_ns); /* what a launch takes instead, that starts then, and
                                              so long after the device was idle; or NULL */
    bool computes_nothing;                 /* only keeps time: for families of the test's own, whose
                                              argument 3 is the number of iterations */
    unsigned wrong_data_variant;           /* writes one wrong value */
    unsigned wrong_proof_variant;          /* only in the proof shape: its barrier does nothing */
    uint32_t witness;                      /* 0: the right sub-group size */
    bool hangs;                            /* no event is ever signalled */
    unsigned hangs_after;                  /* the same from this launch on; 0: from none */
    bool repeats_timestamps;               /* each launch returns those of the first */
    bool separate_domains;                 /* global time runs from another start */
    double spin_ns;                        /* of one iteration of the session's lead */
    double spin_cycles;                    /* what it counts meanwhile; 0: it cannot */
    ze_result_t (*interfere)(
        const char *call); /* comes before each call that can go wrong, and has
                              its result unless it returns a success; or NULL */

    bool has_no_counters; /* the driver has no libraries for them */
    bool has_no_counts;   /* a query that ended has no data */

    /* What happened. */
    unsigned launches;
    unsigned leads;                       /* launches behind a lead */
    unsigned spins;                       /* of nothing else */
    unsigned counted;                     /* launches with a query around a kernel */
    unsigned disturbed;                   /* launches without one while a group was active */
    double longest_ns;                    /* of them */
    uint64_t first_wait_ns, last_wait_ns; /* how long the host would have waited for them */
};

/* The one device of the process. */
extern struct fake_device fake;

/* Makes the device quick, right and quiet, and `session` and `kernels` (FAKE_VARIANTS of them) such
 * as the measuring code expects. */
void fake_open(struct session *session, struct kernel *kernels);

/* Gives the session a lead, which fake_close() takes away again. */
void fake_lead(struct session *session);

/* Begins its time and its noise again, so that what follows does not depend on what was before. */
void fake_restart(void);

/* Takes away the memory that the list being executed has its results copied to: who reads it then
 * crashes. False if it copies none. */
bool fake_unmap_results(void);

/* The handle that stands for a variant's kernel, or the lead's for FAKE_VARIANTS. */
ze_kernel_handle_t fake_kernel(size_t variant);

/* Frees what the code under test has not, and returns how many allocations that were. */
size_t fake_close(void);

/* For a family of the test's own, under a name that has modules: one buffer and the number of
 * iterations as argument 3; and nothing to verify. */
void fake_arguments(const struct workspace *workspace, const struct launch *launch,
                    struct arguments *list);
enum status fake_verify(struct workspace *workspace, const struct launch *launch,
                        struct error *error);

/* The rest of such a family, which has the name of one with modules; and its variant. */
extern const struct buffer_plan fake_buffers[1];

#define FAKE_FAMILY                                                                                \
    .name = "barrier", .unit = "ns/iteration", .baseline_unit = "ns/iteration",                    \
    .buffers = fake_buffers, .buffer_count = 1, .arguments = fake_arguments,                       \
    .lists_buffers = true, .verify = fake_verify
#define FAKE_LOOP .name = "none", .entry_point = "barrier_none", .means = "a loop"

#endif
