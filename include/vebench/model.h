/* vebench as a library: rows of results, the model fitted to them, and what it says: predictions
 * and advice. docs/model.md explains the parameters, docs/csv.md the rows. No device is touched.
 *
 * The library reads no environment, prints nothing, and keeps no state but in what it hands out.
 * Texts it hands out live as long as what they came from. Functions that can fail return 0, or -1
 * with one line in `error` (no newline, never longer than `error_bytes` with its NUL) that says
 * what, where, and what to do; what they would have handed out is NULL then. */
#ifndef VEBENCH_MODEL_LIBRARY_H
#define VEBENCH_MODEL_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The project's version, as `vebench --version` has it. */
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
    bool usable;                /* status ok, verified, and a value */
    double value;               /* in `unit`; NaN where there is none */
    double ci95_low, ci95_high; /* 95 % interval of its mean, ns; NaN where the unit is no time */
    double clock_mhz;           /* NaN where unknown */
};

/* Reads CSV files that `vebench run` has written. */
int vebench_rows_read(struct vebench_rows **rows, const char *const *paths, size_t count,
                      char *error, size_t error_bytes);
void vebench_rows_free(struct vebench_rows *rows);

size_t vebench_rows_count(const struct vebench_rows *rows);

/* `index` is below the count. */
struct vebench_row vebench_rows_get(const struct vebench_rows *rows, size_t index);

/* Models. */

struct vebench_model;

struct vebench_parameter {
    const char *name; /* FAMILY.VARIANT.simdN, or with .TERM after it */
    const char *unit; /* "cycles/barrier" */
    const char *form; /* the equation that it is a term of; may be empty */
    double value;
    double low, high;      /* 95 % interval */
    bool below_resolution; /* not told apart from nothing: less than `high` */
    size_t rows;           /* that the equation was fitted to */
    double left_out_error; /* root mean square over the rows of what each is off when predicted from
                              all others, in the equation's unit; NaN: too few rows */
};

/* Fits all that the rows determine. The seed is of the bootstrap: the same seed, the same
 * intervals. */
int vebench_model_fit(struct vebench_model **model, const struct vebench_rows *rows, uint64_t seed,
                      char *error, size_t error_bytes);

/* Reads what vebench_model_write() or `vebench fit` has written. */
int vebench_model_read(struct vebench_model **model, const char *path, char *error,
                       size_t error_bytes);

/* An existing file is replaced, whole or not at all. */
int vebench_model_write(const struct vebench_model *model, const char *path, char *error,
                        size_t error_bytes);
void vebench_model_free(struct vebench_model *model);

const char *vebench_model_device_name(const struct vebench_model *model);

/* Were the rows measured on a modelled device? Then nothing here is a measurement of hardware. */
bool vebench_model_is_emulated(const struct vebench_model *model);

/* Of the clock that times in cycles are of; NaN: times are in ns. */
double vebench_model_clock_mhz(const struct vebench_model *model);

size_t vebench_model_parameter_count(const struct vebench_model *model);

/* `index` is below the count. */
struct vebench_parameter vebench_model_parameter(const struct vebench_model *model, size_t index);

/* The parameter of that name; false where there is none. */
bool vebench_model_find(const struct vebench_model *model, const char *name,
                        struct vebench_parameter *parameter);

/* The value of a row by the family's equation, in the row's unit. False where the model has none
 * for it: whole kernels are predicted by their machine code, with `vebench predict`. */
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

/* From the model's parameters of the family and, where `rows` is not NULL, from its rows. */
int vebench_model_advise(struct vebench_advice **advice, const struct vebench_model *model,
                         const struct vebench_rows *rows, const char *family, char *error,
                         size_t error_bytes);
void vebench_advice_free(struct vebench_advice *advice);

/* All of it, in lines for a person. */
const char *vebench_advice_text(const struct vebench_advice *advice);

/* Rankings of choices that do the same thing, from the model's parameters. `ranking` is below their
 * number, `choice` below that of its choices, which are in no order. */
size_t vebench_advice_ranking_count(const struct vebench_advice *advice);
const char *vebench_advice_title(const struct vebench_advice *advice, size_t ranking);
const char *vebench_advice_unit(const struct vebench_advice *advice, size_t ranking);
size_t vebench_advice_choice_count(const struct vebench_advice *advice, size_t ranking);
struct vebench_choice vebench_advice_choice(const struct vebench_advice *advice, size_t ranking,
                                            size_t choice);

/* The index of the cheapest. */
size_t vebench_advice_best(const struct vebench_advice *advice, size_t ranking);

#ifdef __cplusplus
}
#endif

#endif
