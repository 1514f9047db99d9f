/* vebench run --resume: what an earlier run left, and where to continue. */
#ifndef VEBENCH_RESUME_H
#define VEBENCH_RESUME_H

#include "sweep/store.h"

struct resume_request {
    const char *results, *samples; /* paths; samples may be NULL */
    uint64_t seed;
    bool each; /* every rank measures everything */
};

struct resume {
    bool has_rows; /* false: nothing was done, so the run starts over */
    struct store_rest rest[STORE_PARTS];
    size_t sequence; /* configuration to resume at */
    unsigned rank;   /* that it is of; with --each all have one to resume at: */
    size_t of_rank[RANKS_MAX];
    char run_id[RUN_ID_BYTES]; /* of the resumed run */
};

/* Examines the files of an earlier run; `samples` may be NULL. The last configuration that has rows
 * is measured again, as its rows may be incomplete; until then they stay. STATUS_FAILED, saying
 * what differs, if the rows are not from this sweep: from another device, driver or version, or
 * from a plan requested with other options. */
enum status resume_plan(struct resume *resume, struct sweep *sweep,
                        const struct resume_request *request, struct error *error);

/* Has the sweep continue there. */
void resume_sweep(const struct resume *resume, struct sweep *sweep,
                  const struct resume_request *request);

#endif
