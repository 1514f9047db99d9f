/* What runs, how much is left and how long that will take: one line that is written over and over
 * on a terminal, a line for each configuration elsewhere. */
#ifndef VEBENCH_PROGRESS_H
#define VEBENCH_PROGRESS_H

#include "measure/measure.h"

struct progress {
    FILE *out; /* not owned */
    bool is_terminal;
    double started_s; /* host time of the first configuration, 0 before it */
    size_t width;     /* of what stands on the terminal's line */
};

void progress_init(struct progress *progress, FILE *out);

/* Configuration `index` of `total` is about to start. */
void progress_started(struct progress *progress, const struct family *family,
                      const struct configuration *configuration, size_t index, size_t total);

/* It is done. On a terminal only what went wrong stays. */
void progress_finished(struct progress *progress, const struct family *family,
                       const struct measurement *measurements);

/* Nothing more to come: leaves the cursor at the start of a line. */
void progress_end(struct progress *progress);

#endif
