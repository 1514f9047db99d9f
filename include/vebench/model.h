/* vebench as a library: rows of results, the model fitted to them, and its predictions and advice.
 * docs/model.md explains the parameters, docs/csv.md the rows. No device is touched.
 *
 * The library reads no environment variables, prints nothing, and keeps no state outside the
 * objects it returns. Strings it returns live as long as the object they come from. Functions that
 * can fail return 0, or -1 with one line in `error` (no newline, at most `error_bytes` including
 * its NUL) that says what failed, where, and what to do; the objects they would have returned are
 * then NULL. */
#ifndef VEBENCH_MODEL_LIBRARY_H
#define VEBENCH_MODEL_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The project's version, as printed by `vebench --version`. */
const char *vebench_model_version(void);

/* Rows of results files, all of one device. */

struct vebench_rows;

struct vebench_row {
    const char *benchmark, *variant;
    const char *parameters;     /* "stride=4 bytes=65536": the family's own axes */
    const char *unit;           /* of the value: "ns/barrier" */
    unsigned subgroup_size;     /* work-items */
    unsigned workgroup_size;    /* work-items */
    unsigned workgroup_count;   /* work-groups */
    bool usable;                /* status ok, verified, and has a value */
    double value;               /* in `unit`; NaN if there is none */
    double ci95_low, ci95_high; /* 95 % interval of the mean, ns; NaN if the unit is not a time */
    double clock_mhz;           /* NaN if unknown */
};

/* Reads CSV files written by `vebench run`. */
int vebench_rows_read(struct vebench_rows **rows, const char *const *paths, size_t count,
                      char *error, size_t error_bytes);
void vebench_rows_free(struct vebench_rows *rows);

size_t vebench_rows_count(const struct vebench_rows *rows);

/* `index` must be below the count. */
struct vebench_row vebench_rows_get(const struct vebench_rows *rows, size_t index);

/* Models. */

struct vebench_model;

struct vebench_parameter {
    const char *name; /* FAMILY.VARIANT.simdN, optionally followed by .TERM */
    const char *unit; /* "cycles/barrier" */
    const char *form; /* the equation it is a term of; may be empty */
    double value;
    double low, high;      /* 95 % interval */
    bool below_resolution; /* indistinguishable from zero: less than `high` */
    size_t rows;           /* number that the equation was fitted to */
    double left_out_error; /* root mean square of the errors when each row is predicted from all
                              others, in the equation's unit; NaN: too few rows */
};

/* Fits everything that the rows determine. The seed is for the bootstrap: the same seed gives the
 * same intervals. */
int vebench_model_fit(struct vebench_model **model, const struct vebench_rows *rows, uint64_t seed,
                      char *error, size_t error_bytes);

/* Reads a model written by vebench_model_write() or `vebench fit`. */
int vebench_model_read(struct vebench_model **model, const char *path, char *error,
                       size_t error_bytes);

/* Replaces an existing file completely or not at all. */
int vebench_model_write(const struct vebench_model *model, const char *path, char *error,
                        size_t error_bytes);
void vebench_model_free(struct vebench_model *model);

const char *vebench_model_device_name(const struct vebench_model *model);

/* Whether the rows were measured on an emulated device, so that nothing here is a measurement of
 * hardware. */
bool vebench_model_is_emulated(const struct vebench_model *model);

/* The clock that times in cycles refer to; NaN: times are in ns. */
double vebench_model_clock_mhz(const struct vebench_model *model);

size_t vebench_model_parameter_count(const struct vebench_model *model);

/* `index` must be below the count. */
struct vebench_parameter vebench_model_parameter(const struct vebench_model *model, size_t index);

/* Finds a parameter by name; false if there is none. */
bool vebench_model_find(const struct vebench_model *model, const char *name,
                        struct vebench_parameter *parameter);

/* Predicts a row's value, in the row's unit, with the family's equation. False if the model has no
 * equation for it: whole kernels are predicted from their machine code, by `vebench predict`. */
bool vebench_model_predict(const struct vebench_model *model, const struct vebench_rows *rows,
                           size_t index, double *value);

/* Advice: what to choose for a family. */

struct vebench_advice;

struct vebench_choice {
    const char *variant;
    unsigned subgroup_size;  /* work-items; 0 where it does not matter */
    unsigned workgroup_size; /* work-items; 0 where it does not matter */
    double cost;             /* in the ranking's unit */
    double low, high;        /* 95 % interval */
};

/* Advice from the model's parameters for the family or, if `rows` is not NULL, from the rows: these
 * rank, and the model adds what is no choice between sizes and methods. */
int vebench_model_advise(struct vebench_advice **advice, const struct vebench_model *model,
                         const struct vebench_rows *rows, const char *family, char *error,
                         size_t error_bytes);
void vebench_advice_free(struct vebench_advice *advice);

/* The whole advice as lines of text for people. */
const char *vebench_advice_text(const struct vebench_advice *advice);

/* Rankings of interchangeable choices for equal work: of rows, one for each question that they
 * answer; of a model, one for each operation and, where it matters, size of a work-group. `ranking`
 * must be below the number of rankings, `choice` below the number of its choices, which are
 * unordered. */
size_t vebench_advice_ranking_count(const struct vebench_advice *advice);
const char *vebench_advice_title(const struct vebench_advice *advice, size_t ranking);
const char *vebench_advice_unit(const struct vebench_advice *advice, size_t ranking);
size_t vebench_advice_choice_count(const struct vebench_advice *advice, size_t ranking);
struct vebench_choice vebench_advice_choice(const struct vebench_advice *advice, size_t ranking,
                                            size_t choice);

/* Index of the cheapest choice. */
size_t vebench_advice_best(const struct vebench_advice *advice, size_t ranking);

#ifdef __cplusplus
}
#endif

#endif
