/* Progress of a run and the time left: on a terminal one line that is overwritten, elsewhere a line
 * where a family begins, at most one for each twentieth of the run; at full verbosity a line for
 * each configuration. */
#ifndef VEBENCH_PROGRESS_H
#define VEBENCH_PROGRESS_H

#include "sweep/sweep.h"

enum verbosity {
    VERBOSITY_QUIET, /* only errors */
    VERBOSITY_NORMAL,
    VERBOSITY_ALL,
};

struct progress {
    FILE *out;                 /* not owned */
    const struct sweep *sweep; /* likewise; NULL: the time left is not said */
    enum verbosity verbosity;
    bool is_terminal;
    double started_s;            /* host time of the first configuration; 0 before it */
    size_t width;                /* length of the terminal's current line */
    const struct family *family; /* of the last configuration */
    size_t next;                 /* the first configuration that may have a line, elsewhere */
};

void progress_init(struct progress *progress, FILE *out, enum verbosity verbosity,
                   const struct sweep *sweep);

/* Seconds until the sweep is done, after `elapsed_s`: as the plan estimated what is left, scaled by
 * what the finished configurations took in place of their estimates. */
double progress_left_s(const struct sweep_standing *standing, unsigned jobs, double elapsed_s);

/* Configuration `index` of `total` is about to start. */
void progress_started(struct progress *progress, const struct family *family,
                      const struct configuration *configuration, size_t index, size_t total);

/* The configuration is done. Except at full verbosity, only problems leave a line. */
void progress_finished(struct progress *progress, const struct family *family,
                       const struct configuration *configuration,
                       const struct measurement *measurements);

/* Another pass over `count` configurations begins, with `left_s` seconds left of the budget. */
void progress_refining(struct progress *progress, size_t count, double left_s);

/* No more progress follows: leaves the cursor at the start of a line. */
void progress_end(struct progress *progress);

#endif
