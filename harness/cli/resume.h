/* vebench run --resume: what an earlier run has left, and where to go on. */
#ifndef VEBENCH_RESUME_H
#define VEBENCH_RESUME_H

#include "measure/results.h"
#include "measure/sweep.h"

struct resume {
    bool has_rows;             /* else nothing was done, and everything begins anew */
    size_t results_bytes;      /* of the results file to keep */
    size_t samples_bytes;      /* the same of samples */
    size_t sequence;           /* of the configuration to go on with */
    char run_id[RUN_ID_BYTES]; /* of the run that goes on */
};

/* Looks at the files of an earlier run; `samples` may be NULL. The last configuration that has rows
 * is measured again, for nobody knows whether it has all of them. STATUS_FAILED, saying what
 * differs, where the rows are none of this sweep's: of another device, driver or version, or of a
 * plan that was asked for in other words. */
enum status resume_plan(struct resume *resume, const struct sweep *sweep, const char *results,
                        const char *samples, uint64_t seed, struct error *error);

#endif
