/* vebench run --resume: what an earlier run left, and where to continue. */
#ifndef VEBENCH_RESUME_H
#define VEBENCH_RESUME_H

#include "sweep/store.h"

struct resume_request {
    const char *results, *samples; /* paths; samples may be NULL */
    const char *folder; /* where other machines have files with rows of this sweep; NULL: nowhere */
    const struct ranks *ranks; /* NULL: there is this process only */
    uint64_t seed;
    bool each; /* every rank measures everything */
};

struct resume {
    bool has_rows; /* false: nothing was done in the file of this process, so it starts over */
    struct store_rest rest[STORE_PARTS];
    char run_id[RUN_ID_BYTES]; /* of the resumed run */
};

/* Reads the files of an earlier run, and has the sweep leave out what they have. The last
 * configuration in a file is measured again, as its rows may be incomplete; without ranks they
 * stay until then. STATUS_FAILED, saying what differs, if the rows are not from this sweep: from
 * another device, driver or version, or from a plan requested with other options. */
enum status resume_plan(struct resume *resume, struct sweep *sweep,
                        const struct resume_request *request, struct error *error);

#endif
