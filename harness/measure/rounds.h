/* The launches behind the measurement of one configuration: how many iterations, in which order,
 * how often. */
#ifndef VEBENCH_ROUNDS_H
#define VEBENCH_ROUNDS_H

#include "measure/evaluate.h"
#include "measure/launch.h"

#define CLOCK_SAMPLES_MAX 192

/* Everything about a configuration while it is being measured. */
struct run {
    struct session *session;
    const struct family *family;
    const struct configuration *configuration;
    size_t configuration_index;
    const struct kernel *kernels;
    const struct measure_options *options;
    FILE *show; /* or NULL */
    struct measurement *measurements;
    struct workspace workspace;
    uint32_t base[VARIANTS_MAX];         /* n of the iteration counts n, 2n, 3n */
    double shortest_ticks[VARIANTS_MAX]; /* in the rounds so far */
    bool shown[VARIANTS_MAX];
    unsigned rounds; /* done so far */
    unsigned rounds_max;
    double *values; /* [round][variant][point] */
    struct sample *samples;
    size_t sample_count;
    double clock_samples[CLOCK_SAMPLES_MAX];
    size_t clock_count;
};

/* Does the variant have a kernel, and has nothing gone wrong with it? */
bool run_takes_part(const struct run *run, size_t variant);

/* The values of a variant in a round. */
double *run_values(const struct run *run, unsigned round, size_t variant);

/* The functions below note what goes wrong with a variant in its measurement; variants whose
 * baseline has gone wrong go with it. They fail only with what ends the configuration: STATUS_LOST
 * and STATUS_INTERRUPTED. */

/* Launches until the clock can be expected to stand where it will stay. */
enum status run_warm_up(struct run *run, struct error *error);

/* Finds every variant's iteration count: the fewest whose launch is long enough. */
enum status run_calibrate(struct run *run, struct error *error);

/* The launches whose results are only right if what is measured works. */
enum status run_prove(struct run *run, struct error *error);

/* `rounds` more rounds. Where a launch turns out too short, all is done again with more
 * iterations, a bounded number of times. */
enum status run_rounds(struct run *run, unsigned rounds, struct error *error);

#endif
