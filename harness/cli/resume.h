/* vebench run --resume: what an earlier run left, and where to continue. */
#ifndef VEBENCH_RESUME_H
#define VEBENCH_RESUME_H

#include "measure/results.h"
#include "measure/sweep.h"

struct resume {
    bool has_rows;             /* false: nothing was done, so the run starts over */
    size_t results_bytes;      /* bytes of the results file to keep */
    size_t samples_bytes;      /* bytes of the samples file to keep */
    size_t sequence;           /* configuration to resume at */
    char run_id[RUN_ID_BYTES]; /* of the resumed run */
};

/* Examines the files of an earlier run; `samples` may be NULL. The last configuration that has rows
 * is measured again, as its rows may be incomplete. STATUS_FAILED, saying what differs, if the rows
 * are not from this sweep: from another device, driver or version, or from a plan requested with
 * other options. */
enum status resume_plan(struct resume *resume, const struct sweep *sweep, const char *results,
                        const char *samples, uint64_t seed, struct error *error);

#endif
