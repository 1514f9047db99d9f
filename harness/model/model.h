/* What a fit found out about a device: parameters with their intervals, what is missing, and where
 * all of it came from. */
#ifndef VEBENCH_MODEL_H
#define VEBENCH_MODEL_H

#include "model/bootstrap.h"

#include <stdio.h>

#define MODEL_NAME_BYTES    96
#define MODEL_TEXT_BYTES    256
#define MODEL_COMMAND_BYTES 256

struct family_model;

struct parameter {
    char name[MODEL_NAME_BYTES]; /* family.what.simdN.term */
    char unit[32];
    char form[MODEL_TEXT_BYTES]; /* the equation that it is a term of */
    double value;
    struct interval interval;             /* 95 % */
    bool below_resolution;                /* not told apart from nothing: less than interval.high */
    size_t rows;                          /* that the equation was fitted to */
    unsigned least_threads, most_threads; /* hardware threads of a work-group in these rows, where
                                             the equation is over them; else 0 */
    bool is_cost; /* of a single row: what was measured, and predicts no other */
    double
        left_out_error; /* root mean square over the rows of what each is off when it is predicted
                           from all others, in the unit of the equation; NaN: too few rows */
    double worst_residual;        /* of the equation, signed, in its unit */
    char worst[MODEL_TEXT_BYTES]; /* the configuration that has it */
};

/* A parameter that the rows do not determine. */
struct absence {
    char name[MODEL_NAME_BYTES];
    char why[MODEL_TEXT_BYTES];
    char command[MODEL_COMMAND_BYTES]; /* that measures what is missing */
};

struct source {
    char *path; /* owned */
    size_t rows;
    size_t unusable; /* of them: not ok, not verified, or without a value */
    size_t used;     /* of them: at least one parameter is fitted to it */
};

/* The families that a model can speak of: what each knows is in family-model.h. */
struct family_models {
    const struct family_model *const *family;
    size_t count;
};

struct model {
    const struct family_models *families; /* borrowed; read and predicted with */
    char device_name[256];
    char device_uuid[64];
    char device_kind[16]; /* "hardware" or "emulated" */
    char driver_version[64];
    double clock_mhz;            /* NaN where the rows have none */
    struct parameter *parameter; /* owned */
    size_t parameter_count;
    bool
        without_costs; /* model_find() finds none of them: for a copy that is asked for equations */
    size_t *by_name;   /* owned; indices of the first `named` parameters, by their names */
    size_t named;      /* the rest is looked through */
    struct absence *absence; /* owned */
    size_t absence_count;
    struct source *source; /* owned */
    size_t source_count;
};

void model_init(struct model *model, const struct family_models *families);
void model_free(struct model *model);

/* A new, zeroed one at the end; NULL when out of memory. Pointers to earlier ones end. */
struct parameter *model_add_parameter(struct model *model);
struct absence *model_add_absence(struct model *model);
struct source *model_add_source(struct model *model, const char *path);

/* Puts the parameters that are of a single row behind the others, as a table of costs; pointers to
 * parameters end. */
enum status model_part_costs(struct model *model, struct error *error);

/* Sorts the names of the parameters so far, which from now on keep theirs. */
enum status model_index(struct model *model, struct error *error);

/* The parameter of that name, formed as printf() does, or NULL. */
const struct parameter *model_find(const struct model *model, const char *format, ...);

/* Its value; `absent` where there is none, 0 where it is below resolution. */
double model_value(const struct parameter *parameter, double absent);

/* One line for each parameter, the costs of single rows, what is missing, and the files. */
void model_print(FILE *out, const struct model *model);

/* As JSON (docs/model.md): written to a new file beside `path`, which it then becomes, so that
 * there is never half a model. An existing file is replaced. */
enum status model_write(const struct model *model, const char *path, struct error *error);

/* STATUS_FAILED, naming line or member, for what is no model of this version. */
enum status model_read(struct model *model, const struct family_models *families, const char *path,
                       struct error *error);

#endif
