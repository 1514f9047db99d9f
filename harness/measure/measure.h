/* Measuring one configuration of a family: all its variants, interleaved. */
#ifndef VEBENCH_MEASURE_H
#define VEBENCH_MEASURE_H

#include "base/stats.h"
#include "family/family.h"
#include "measure/stop.h"
#include "ze/counters.h"

#define REASON_BYTES ERROR_TEXT_BYTES

enum row_outcome {
    OUTCOME_OK,
    OUTCOME_SKIPPED, /* the device or the compiler cannot do it */
    OUTCOME_FAILED,
    OUTCOME_UNRELIABLE,
    OUTCOME_EXCLUDED, /* this variant is meaningless for these axis values: it gets no row */
};

/* "ok", "skipped", "failed", "unreliable", "excluded". */
const char *outcome_name(enum row_outcome outcome);

struct measure_options {
    struct stop_rule stop; /* all zero: chosen by the kind of device */
    uint64_t seed;         /* of buffer contents and launch order */
    double allowance_s;    /* no extra round starts that would end later; 0: no limit */
    unsigned first_rounds; /* of the only batch, which goes on if the stop rule is content, to make
                              sure of it; 0: as many rounds and batches as the rule decides */
};

/* Results for one variant. Costs are nanoseconds per unit of work: in excess of the baseline for a
 * variant that has one, of its own loop for any other. */
struct measurement {
    enum row_outcome outcome;
    char reason[REASON_BYTES];  /* empty for OUTCOME_OK */
    int verified;               /* 1 all outputs correct, 0 one was wrong, -1 nothing ran */
    uint32_t iterations;        /* the largest iteration count timed, 0 if none was */
    double value;               /* the result: a robust mean over the rounds */
    double ci95_lo, ci95_hi;    /* of `value` */
    double standard_error;      /* of `value`, including timestamp rounding */
    bool is_rounding_alone;     /* the rounds differ by no more */
    bool may_settle;            /* unreliable for what longer launches may mend */
    bool is_bent;               /* too much: time is not a straight line over iterations */
    struct distribution values; /* over the rounds; count 0 if not measured */
    bool is_time;               /* the values are in ns; otherwise in the variant's unit */
    double iteration_ns;        /* one iteration of the variant's own loop, baseline included,
                                   likewise over the rounds; 0 without a loop */
    double r_squared;           /* median of the rounds' line fits; NaN without a loop */
    double bend;                /* relative difference of the loop's slope between the last and the
                                   first iterations; 0 if it may be straight */
    double mode_gap;            /* relative gap between two groups of launches of one length; 0 if
                                   there are no such groups */
    unsigned outliers;          /* timed launches that took far longer or shorter than others of
                                   their kind */
    bool one_domain;            /* kernel and global timestamps were identical */
    double clock_mhz;           /* median observed before these launches; 0 if not observed */
    double lead_ms;             /* of the spin before each of them */
    double clock_spread;        /* between its 5 % and 95 % quantiles, relative */
    bool clock_counted;         /* by counting cycles, not by asking system management */
    struct surroundings surroundings; /* of the whole configuration */
};

/* Does the variant need no more rounds by the stop rule? Also true of what has not been measured.
 */
bool measurement_is_steady(const struct measurement *measurement, const struct family *family,
                           const struct configuration *configuration, size_t variant,
                           const struct stop_rule *stop);

/* Half the interval, relative to what the stop rule's error is. */
double measurement_width(const struct measurement *measurement, const struct family *family,
                         const struct configuration *configuration, size_t variant);

/* One timed launch. */
struct sample {
    size_t variant;
    unsigned round;
    uint32_t iterations;
    struct launch_time time;
    double value; /* ns, or what a ESTIMATOR_OBSERVE variant observed */
};

#define COUNT_REASON_BYTES 300

/* What a counter of the hardware counted in a launch of its own. */
struct count {
    size_t variant;
    uint32_t iterations;
    struct counter counter;          /* its name is empty if the launch could not be counted */
    double value;                    /* NaN: none */
    char reason[COUNT_REASON_BYTES]; /* why not; empty if it was */
};

struct sample_sink {
    /* NULL: nobody takes the samples. */
    enum status (*put)(void *context, const struct configuration *configuration,
                       const struct sample *sample, struct error *error);
    void *context;
    /* NULL: nothing is counted. */
    enum status (*count)(void *context, const struct count *count, struct error *error);
};

/* Measures one configuration and fills `measurements`, one per variant. kernels[v].handle is NULL
 * if variant v has no kernel; its measurement is then left as the caller set it.
 * A variant that goes wrong becomes
 * OUTCOME_FAILED and the others go on; the function itself fails only with STATUS_LOST, or if
 * samples could not be written. */
enum status measure_configuration(struct session *session, const struct family *family,
                                  const struct configuration *configuration,
                                  const struct kernel *kernels,
                                  const struct measure_options *options,
                                  const struct sample_sink *sink, FILE *show,
                                  struct measurement *measurements, struct error *error);

/* Records and closes every list that measure_configuration() would run, without running any. */
enum status measure_build(struct session *session, const struct family *family,
                          const struct configuration *configuration, const struct kernel *kernels,
                          struct measurement *measurements, struct error *error);

#endif
