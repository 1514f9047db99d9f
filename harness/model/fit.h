/* Fits a model to results, family by family (family-model.h). What their fits share is here. */
#ifndef VEBENCH_FIT_H
#define VEBENCH_FIT_H

#include "model/form.h"
#include "model/model.h"
#include "model/row-runs.h"

#include <stdbool.h>

/* What the fit of a family works on. */
struct fit {
    struct model *model;
    const char *family; /* whose turn it is, as its descriptor has it */
    const struct records *records;
    bool *used;     /* [records->count], set for rows that a parameter is fitted to */
    bool in_cycles; /* every row says at what clock it ran: times are in cycles, else in ns */
    uint64_t seed;
    struct error *error;
};

/* Fits everything that the families know of. `model` is owned by the caller, also after a failure.
 */
enum status fit_model(struct model *model, const struct family_models *families,
                      const struct records *records, uint64_t seed, struct error *error);

/* What a model says of a row, in the row's own unit (ns where the model is in cycles and the row
 * knows its clock). */
struct fit_prediction {
    double predicted, measured; /* of what the family's equations speak: the row's value, or the
                                   loop around it for a unit of work */
    double value;               /* of the row: less what the loop is measured to take beyond it */
    bool from_table;            /* as a single row had it, and not by an equation */
};

/* False where the model says nothing of the row. */
bool fit_predict(const struct model *model, const struct record *record,
                 struct fit_prediction *prediction);

/* STATUS_FAILED, naming both, where the rows are of another type of device than the model: another
 * of the same type may be held against it. */
enum status fit_same_device(const struct model *model, const struct records *records,
                            struct error *error);

/* What the fits share. */

/* Rows of one fit. A family allocates one for the longest and fills it again and again. */
struct row_set {
    size_t count;
    size_t *index;   /* [count], in fit->records */
    double *y, *sd;  /* [count], values and standard deviations: cycles, or ns */
    double *columns; /* [FORM_TERMS_MAX][count], of the terms, once they are known */
};

enum status row_set_allocate(struct row_set *rows, const struct fit *fit, size_t most);
void row_set_free(struct row_set *rows);

/* The rows of a run, which has no more than there is room for: values in cycles or ns. */
void row_set_take(struct row_set *rows, const struct fit *fit, const struct row_run *run);

/* The family's usable rows, by variant and sub-group size. */
struct fit_group {
    const char *family;
    const char *variant;
    unsigned subgroup_size;
    char name[MODEL_NAME_BYTES]; /* FAMILY.VARIANT.simdN */
    struct row_set rows;         /* never empty */
    struct row_runs runs;        /* owned; all groups */
    size_t next;                 /* of them */
};

/* Before the first group; fit_end() is right after it in any case. Notes an absence where the
 * family has no usable rows. */
enum status fit_begin(struct fit *fit, const char *family, struct fit_group *group);

/* The next group, in the order of its first row; false after the last. */
bool fit_next(const struct fit *fit, struct fit_group *group);
void fit_end(struct fit_group *group);

/* One term of an equation. */
struct fit_term {
    const char *name; /* of its parameter, after the equation's name and a dot */
    const char *per;  /* of what, in the unit: "/thread"; "": as the rows' unit has it */
    char factor[40];  /* as the equation shows it: "n", or "" for a constant */
};

/* Chooses among the candidates of `problem`, whose columns and rows are those of `rows`, adds a
 * parameter NAME.TERM for each term of the equation chosen, and marks the rows used. A lone
 * constant that is not above 0 by its interval is below resolution. STATUS_FAILED only when out of
 * memory; where no candidate can be fitted nothing is added, and form->count is 0. */
enum status fit_equation(struct fit *fit, const char *name, const struct row_set *rows,
                         const struct fit_term *terms, struct form_problem *problem,
                         struct form *form);

/* A parameter that is the mean of its rows and nothing else: fit_equation with one constant. */
enum status fit_constant(struct fit *fit, const char *name, const struct row_set *rows);

/* Adds the parameter NAME.TERM, or NAME where `term` is empty, by hand; the caller fills what
 * remains. NULL when out of memory. */
struct parameter *fit_add(struct fit *fit, const char *name, const char *term, const char *per,
                          const struct row_set *rows);

/* Notes what is missing, and the command that would measure it. */
enum status fit_absent(struct fit *fit, const char *name, const char *why, const char *command);

/* The configuration of a row, for a person. */
void record_describe(const struct record *record, char *text, size_t bytes);

/* "cycles" or "ns". */
const char *fit_unit(const struct fit *fit);

enum status fit_out_of_memory(struct fit *fit);

#endif
