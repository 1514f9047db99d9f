/* How far a run is and how long it will take: one line that is written over and over on a terminal,
 * a line for each family elsewhere, a line for each configuration where everything is asked for. */
#ifndef VEBENCH_PROGRESS_H
#define VEBENCH_PROGRESS_H

#include "measure/measure.h"

enum verbosity {
    VERBOSITY_QUIET, /* errors alone */
    VERBOSITY_NORMAL,
    VERBOSITY_ALL,
};

struct progress {
    FILE *out; /* not owned */
    enum verbosity verbosity;
    bool is_terminal;
    double started_s;            /* host time of the first configuration, 0 before it */
    size_t width;                /* of what stands on the terminal's line */
    const struct family *family; /* of the last configuration */
};

void progress_init(struct progress *progress, FILE *out, enum verbosity verbosity);

/* Configuration `index` of `total` is about to start. */
void progress_started(struct progress *progress, const struct family *family,
                      const struct configuration *configuration, size_t index, size_t total);

/* It is done. Unless everything is asked for, only what went wrong leaves a line. */
void progress_finished(struct progress *progress, const struct family *family,
                       const struct configuration *configuration,
                       const struct measurement *measurements);

/* Nothing more to come: leaves the cursor at the start of a line. */
void progress_end(struct progress *progress);

#endif
