/* The launches behind the measurement of one configuration: how many iterations, in which order,
 * how often. */
#ifndef VEBENCH_ROUNDS_H
#define VEBENCH_ROUNDS_H

#include "measure/evaluate.h"
#include "measure/launch.h"

/* On hardware a configuration that was doubtful is measured this many times before it is called
 * unreliable. */
#define MOST_BATCHES 3u

/* No launch takes longer, in ns: kernel drivers reset a GPU that one kernel holds for seconds. */
#define LONGEST_LAUNCH_NS 5e8

/* How much longer than the fewest ticks calibration makes the shortest launch. */
#define CALIBRATION_MARGIN(hardware) ((hardware) ? 1.25 : 1.02)

/* Ticks that a timed launch of the configuration should take at the least. */
double run_fewest_ticks(const struct device *device, bool hardware,
                        const struct configuration *configuration);

/* Everything about a configuration while it is being measured. */
struct run {
    struct session *session;
    const struct family *family;
    const struct configuration *configuration;
    size_t configuration_index;
    const struct kernel *kernels;
    const struct measure_options *options;
    struct stop_rule stop;
    double fewest_ticks; /* of a timed launch */
    FILE *show;          /* or NULL */
    struct measurement *measurements;
    struct workspace workspace;
    unsigned points;                     /* iteration counts n, 2n, ... */
    uint32_t base[VARIANTS_MAX];         /* n */
    double shortest_ticks[VARIANTS_MAX]; /* in the batch so far */
    double iteration_ns[VARIANTS_MAX];   /* of whole launches, at the calibrated count */
    bool shown[VARIANTS_MAX];
    double began_s;       /* when it was begun */
    bool is_cut;          /* the allowance has ended it */
    unsigned rounds;      /* done so far */
    unsigned batch_start; /* the round that the newest batch begins with: it alone is judged */
    unsigned rounds_max;
    double *values; /* [round][variant][point] */
    struct sample *samples;
    size_t sample_count;
    uint64_t longest_ns;  /* of host time, of all launches */
    size_t batch_samples; /* of them when the newest batch began */
    double *clocks;       /* MHz, of the newest batch; room for one a launch */
    size_t clock_count;
    bool primes;        /* the launch at hand only fetches the kernel's code: nobody times it */
    bool clock_counted; /* by the leads' cycles */
};

/* Does the variant have a kernel, and has nothing gone wrong with it? */
bool run_takes_part(const struct run *run, size_t variant);

/* The values of a variant in a round. */
double *run_values(const struct run *run, unsigned round, size_t variant);

/* The functions below note what goes wrong with a variant in its measurement; variants whose
 * baseline has gone wrong go with it. They fail only with what ends the configuration:
 * STATUS_LOST. */

/* What the caches are to hold: family.h. */
enum status run_warm(struct run *run, struct error *error);

/* Finds every variant's iteration count: the fewest whose launch is long enough. Variants whose
 * longest launch would be too long are skipped. */
enum status run_calibrate(struct run *run, struct error *error);

/* The launches whose results are only right if what is measured works. */
enum status run_prove(struct run *run, struct error *error);

/* Begins a batch of rounds. */
void run_begin_batch(struct run *run);

/* `rounds` more rounds of the batch. Where a launch turns out too short, the batch is done again
 * with more iterations, a bounded number of times. */
enum status run_rounds(struct run *run, unsigned rounds, struct error *error);

#endif
