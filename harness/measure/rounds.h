/* The launches behind the measurement of one configuration: how many iterations, in which order,
 * how often. */
#ifndef VEBENCH_ROUNDS_H
#define VEBENCH_ROUNDS_H

#include "measure/evaluate.h"
#include "measure/launch.h"

/* On hardware, a doubtful configuration is measured this often before it is called unreliable. */
#define MOST_BATCHES 3u

/* On an emulated device, which gives the same times again, launches whose rows are in doubt are
 * made longer so often: what caches and queues held at first weighs less. */
#define MOST_LENGTHENINGS 2u

/* The longest permitted launch, in ns: kernel drivers reset a GPU that one kernel occupies for
 * seconds. */
#define LONGEST_LAUNCH_NS 5e8

/* By how much calibration exceeds the fewest ticks for the shortest launch. */
#define CALIBRATION_MARGIN(hardware) ((hardware) ? 1.25 : 1.02)

/* The share of those ticks from which calibration extrapolates. */
#define CALIBRATION_REACH(hardware) ((hardware) ? 1.0 : 0.25)

/* The minimum length in ticks of a timed launch of the variant. */
double run_fewest_ticks(const struct device *device, bool hardware, const struct family *family,
                        const struct configuration *configuration, size_t variant);

struct run;

/* The rounds of the batch that the variant and its baseline have. */
unsigned run_batch_rounds(const struct run *run, size_t variant);

/* The state of a configuration while it is being measured. */
struct run {
    struct session *session;
    const struct family *family;
    const struct configuration *configuration;
    const struct kernel *kernels;
    const struct measure_options *options;
    struct stop_rule stop;
    FILE *show; /* or NULL */
    struct measurement *measurements;
    struct workspace workspace;
    unsigned points;                     /* iteration counts n, 2n, ... */
    uint32_t base[VARIANTS_MAX];         /* n */
    double fewest_ticks[VARIANTS_MAX];   /* of a timed launch */
    double shortest_ticks[VARIANTS_MAX]; /* in the batch so far */
    double iteration_ns[VARIANTS_MAX];   /* one iteration, as calibrated */
    bool shown[VARIANTS_MAX];
    bool doubted[VARIANTS_MAX];         /* unreliable before the rounds that run now */
    bool is_settled[VARIANTS_MAX];      /* the batch has its launches: its rounds leave it out */
    bool contents_matter[VARIANTS_MAX]; /* as far as a round can tell */
    bool bends_alone[VARIANTS_MAX];     /* whatever the contents: they are not what bends a round */
    double bend_scatter[VARIANTS_MAX];  /* see contents_scatter(); 0: no round was bent by them */
    uint32_t tried[VARIANTS_MAX]; /* the iterations of launches that tried several; 0: none did */
    double least_ticks[VARIANTS_MAX], most_ticks[VARIANTS_MAX]; /* of launches with as many */
    unsigned ended[VARIANTS_MAX]; /* its rounds of the batch, if it takes part in no more; or 0 */
    double began_s;               /* when it began */
    bool is_cut;                  /* ended by the time allowance */
    unsigned rounds;              /* done so far */
    unsigned drawn;               /* the number of the contents that the buffers have */
    unsigned batch_start;         /* first round of the newest batch; only that batch is judged */
    unsigned rounds_max;
    double *values;    /* [round][variant][point] */
    double *own_clock; /* [round][variant]: MHz by the kernel's own count; 0: it did not count */
    bool counts[VARIANTS_MAX]; /* its kernel has not failed to count */
    struct sample *samples;
    size_t sample_count;
    uint64_t longest_ns;  /* host time of the longest of all launches */
    size_t batch_samples; /* samples when the newest batch began */
    double *clocks;       /* MHz, of the newest batch; room for one per launch */
    size_t clock_count;
    double *changes; /* of the clock while a launch ran, relative; as many */
    size_t change_count;
    double *asked; /* MHz that system management gave while a kernel ran that cycles were counted
                      beside; as many */
    size_t asked_count;
    bool clock_counted; /* from the leads' cycles */
};

/* Does the variant have a kernel, and has it not failed? */
bool run_takes_part(const struct run *run, size_t variant);

/* A variant's values in a round. */
double *run_values(const struct run *run, unsigned round, size_t variant);

/* The rounds of the newest batch that a variant has taken part in. */
unsigned run_own_rounds(const struct run *run, size_t variant);

/* Resolution of the launches' times, in ns. */
double run_tick_ns(const struct run *run);

/* MHz by the kernel's own count in a round. */
double *run_own_clock(const struct run *run, unsigned round, size_t variant);

/* The functions below record a variant's failure in its measurement and fail the variants that have
 * it as their baseline. They themselves fail only with what ends the whole configuration:
 * STATUS_LOST. */

/* Warms the caches, see `warming` in family.h. */
enum status run_warm(struct run *run, struct error *error);

/* Finds each variant's iteration count: the fewest that make a launch long enough. Skips variants
 * whose longest launch would be too long. */
enum status run_calibrate(struct run *run, struct error *error);

/* Runs the launches whose results are correct only if the measured mechanism works. */
enum status run_prove(struct run *run, struct error *error);

/* On an emulated device, times the shortest launch of variants with few threads with several
 * contents. */
enum status run_try_contents(struct run *run, struct error *error);

/* Begins a batch of rounds. */
void run_begin_batch(struct run *run);

/* Runs `rounds` more rounds of the batch. What turns out to have been measured wrongly is measured
 * again, a bounded number of times: with more iterations where a launch was too short; with the
 * same contents in all launches of a round where they matter, after several have been tried. */
enum status run_rounds(struct run *run, unsigned rounds, struct error *error);

/* Raises the iteration counts of variants whose rows are in doubt, and of their baselines, and
 * takes back their launches of the batch: only they take part in the rounds that follow, from the
 * first on. False, with nothing done, if there are none that may run longer. */
bool run_lengthen(struct run *run);

/* Has the session's counters count one launch of each variant that was measured, after all timed
 * ones. STATUS_LOST, or what the sink returns; another failure is the reason in what it is given.
 */
enum status run_count(struct run *run, const struct sample_sink *sink, struct error *error);

#endif
