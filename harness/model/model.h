/* The result of a fit for a device: parameters with their intervals, what is missing, and the
 * sources of it all. */
#ifndef VEBENCH_MODEL_H
#define VEBENCH_MODEL_H

#include "math/bootstrap.h"

#include <stdio.h>

#define MODEL_NAME_BYTES       96
#define MODEL_TEXT_BYTES       256
#define MODEL_COMMAND_BYTES    256
#define MODEL_MECHANISM_BYTES  64
#define MODEL_MARGINS_MAX      16
#define MODEL_FIGURE_BYTES     32
#define MODEL_CALIBRATIONS_MAX 32
#define MODEL_LAUNCH_BYTES     1024
#define MODEL_DIGEST_BYTES     65 /* of SHA-256, in hexadecimal */
#define MODEL_BARRIERS_MAX     16

struct family_model;

struct parameter {
    char name[MODEL_NAME_BYTES]; /* family.what.simdN.term */
    char term[32];               /* its name in the equation; "": all of it */
    char unit[32];
    char form[MODEL_TEXT_BYTES];  /* the equation that this is a term of, for people; the program
                                     knows it by the members that follow */
    bool is_larger_of_terms;      /* the equation is the larger of its terms, else their sum */
    bool less_baseline_wait;      /* less the time that the baseline of the rows waits */
    unsigned level;               /* of memory, 1: the nearest; 0: about none */
    struct interval working_sets; /* bytes, of the rows it is about; {0, 0}: any */
    double stride;                /* of these rows, as in their axis; 0: any */
    double value;
    struct interval interval;             /* 95 % */
    bool below_resolution;                /* cannot be told from 0: less than interval.high */
    size_t rows;                          /* number that the equation was fitted to */
    unsigned least_threads, most_threads; /* range of hardware threads of a work-group in these
                                             rows, where the equation is over them or of one
                                             work-group by itself; else 0 */
    bool is_cost;          /* of a single row: a measured cost that predicts no other row */
    double left_out_error; /* root mean square over the rows of each one's error when predicted from
                              all others, in the unit of the equation; NaN: too few rows */
    double left_out_share; /* the same of errors relative to the rows; NaN: not known */
    double worst_residual; /* of the equation, signed, in its unit */
    char worst[MODEL_TEXT_BYTES]; /* the configuration where it occurs */
};

/* A parameter that the rows do not determine. */
struct absence {
    char name[MODEL_NAME_BYTES];
    char why[MODEL_TEXT_BYTES];
    char command[MODEL_COMMAND_BYTES]; /* that would measure what is missing */
};

/* How far off predictions by machine code were of rows that determine no parameter: of all, or of
 * what is one kind of their time. */
struct margin {
    char mechanism[MODEL_MECHANISM_BYTES]; /* the kind of time that it is of; "" for any */
    size_t rows;
    double median;          /* of measured over predicted */
    double shorter, longer; /* beyond what figures that are not known exactly explain, nine of ten
                               rows, and a further one as often, take at least the time that is
                               predicted over `shorter`, and at most `longer` times it */
};

/* A figure of a device description that no parameter determines: the value with which rows that
 * depend on it are predicted by machine code as they were measured. */
struct calibration {
    char figure[MODEL_FIGURE_BYTES];
    double value;             /* in the figure's unit */
    struct interval interval; /* of values that are about as good */
    size_t rows;
    double off; /* of these with the value of the least error, in the middle, or in the mean if they
                   are made for the figure: logarithm of measured over predicted */
};

/* What a barrier of so many hardware threads takes beyond what figures of a description say. */
struct barrier_excess {
    unsigned threads; /* of a work-group */
    double cycles;    /* that are to be added to barrier_latency; may be below 0 */
    size_t rows;
};

/* A launch of a user's own kernel, as a row of `vebench kernel` has it. */
struct measured_launch {
    char kernel[MODEL_NAME_BYTES];   /* the row's benchmark */
    char sha256[MODEL_DIGEST_BYTES]; /* of its module */
    char launch[MODEL_LAUNCH_BYTES]; /* in the words of `vebench predict` */
    unsigned lanes;                  /* of a sub-group */
    double value;                    /* ns */
    struct interval interval;        /* 95 % */
};

struct source {
    char *path; /* owned */
    size_t rows;
    size_t unusable; /* number of them that are not ok, not verified, or without a value */
    size_t used;     /* number of them that contribute to at least one parameter */
};

/* The families that a model can cover; family-model.h says what each one knows. */
struct family_models {
    const struct family_model *const *family;
    size_t count;
};

struct model {
    const struct family_models *families; /* borrowed; used for reading and predicting */
    char device_name[256];
    char device_uuid[64];
    char device_kind[16]; /* "hardware" or "emulated" */
    char driver_version[64];
    double clock_mhz;            /* NaN where the rows have none */
    struct parameter *parameter; /* owned */
    size_t parameter_count;
    const char *costs_of;    /* for a copy that is to answer for one configuration: model_find()
                                ignores costs of any other; "": all costs; NULL: none. Borrowed */
    size_t *by_name;         /* owned; indices of the first `named` parameters, sorted by name */
    size_t named;            /* the rest is searched linearly */
    struct absence *absence; /* owned */
    size_t absence_count;
    struct source *source; /* owned */
    size_t source_count;
    struct margin margin[MODEL_MARGINS_MAX]; /* the first is that of all rows */
    size_t margin_count;                     /* 0: nothing tells */
    struct calibration calibration[MODEL_CALIBRATIONS_MAX];
    size_t calibration_count;
    struct barrier_excess barrier[MODEL_BARRIERS_MAX]; /* ascending in threads */
    size_t barrier_count;                              /* 0: figures tell all */
    struct measured_launch *launch;                    /* owned */
    size_t launch_count;
    unsigned xe_cores;            /* as the rows have it; 0: they do not say */
    unsigned threads_per_xe_core; /* likewise */
};

void model_init(struct model *model, const struct family_models *families);
void model_free(struct model *model);

/* Appends a zeroed parameter; NULL when out of memory. Invalidates pointers to parameters. */
struct parameter *model_add_parameter(struct model *model);
struct absence *model_add_absence(struct model *model);
struct measured_launch *model_add_launch(struct model *model);
struct source *model_add_source(struct model *model, const char *path);

/* Moves the parameters of single rows behind the others, as a table of costs. Invalidates pointers
 * to parameters. */
enum status model_part_costs(struct model *model, struct error *error);

/* Indexes the parameters so far by name; their names must not change from here on. */
enum status model_index(struct model *model, struct error *error);

/* What is known of rules that `mechanism` limits or, where too few rows tell, of all; or NULL. */
const struct margin *model_margin(const struct model *model, const char *mechanism);

/* The parameter with this name, formatted as by printf(), or NULL. */
const struct parameter *model_find(const struct model *model, const char *format, ...);

/* What times are in: "cycles" or, where the rows had no clock, "ns". */
const char *model_time_unit(const struct model *model);

/* Its value; `absent` where there is none, 0 where it is below resolution. */
double model_value(const struct parameter *parameter, double absent);

/* Prints one line for each parameter, the costs of single rows, what is missing, and the files. */
void model_print(FILE *out, const struct model *model);

/* Writes JSON (docs/model.md) to a new file beside `path`, then renames it to `path`, so that there
 * is never a partial model. Replaces an existing file. */
enum status model_write(const struct model *model, const char *path, struct error *error);

/* STATUS_FAILED, naming line or member, where the file is not a model of this version. */
enum status model_read(struct model *model, const struct family_models *families, const char *path,
                       struct error *error);

#endif
