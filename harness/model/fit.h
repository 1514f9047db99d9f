/* Fits a model to results, family by family (family-model.h), with what these fits share. */
#ifndef VEBENCH_FIT_H
#define VEBENCH_FIT_H

#include "math/form.h"
#include "model/model.h"
#include "rows/row-runs.h"

#include <stdbool.h>

/* State of the fit of a family. */
struct fit {
    struct model *model;
    const char *family; /* the current one, as its descriptor names it */
    const struct records *records;
    bool *used;     /* [records->count], set for rows that contribute to a parameter */
    bool in_cycles; /* every row has its clock: times are in cycles, else in ns */
    uint64_t seed;
    struct error *error;
};

/* Fits everything that the families can explain. The caller owns `model`, also after a failure. */
enum status fit_model(struct model *model, const struct family_models *families,
                      const struct records *records, uint64_t seed, struct error *error);

/* The launch of a user's own kernel that a row has; false where it is none, or does not say all
 * that a prediction of another launch of the kernel starts from. */
bool measured_launch_of(const struct record *record, struct measured_launch *launch);

/* What a model predicts for a row, in the row's own unit (ns where the model is in cycles and the
 * row has its clock). */
struct fit_prediction {
    double predicted, measured; /* the quantity of the family's equations: the row's value, or the
                                   loop around it per unit of work */
    double value;               /* of the row: less what the loop measured beyond it */
    bool from_table; /* looked up in the table of costs instead of computed by an equation */
};

/* False where the model says nothing about the row. */
bool fit_predict(const struct model *model, const struct record *record,
                 struct fit_prediction *prediction);

/* STATUS_FAILED, naming both, where the rows are of another type of device than the model; another
 * device of the same type may be compared with it. */
enum status fit_same_device(const struct model *model, const struct records *records,
                            struct error *error);

/* Shared by the fits. */

/* Rows of one fit. A family allocates a set for its longest run and refills it. */
struct row_set {
    size_t count;
    size_t *index;   /* [count], in fit->records */
    double *y, *sd;  /* [count], values and standard deviations: cycles, or ns */
    double *columns; /* [FORM_TERMS_MAX][count], of the terms, once these are known */
};

enum status row_set_allocate(struct row_set *rows, const struct fit *fit, size_t most);
void row_set_free(struct row_set *rows);

/* Puts row `from` in the place of row `to`, before its columns are known: a filter moves each row
 * that it keeps to the place behind the last one that it kept. */
void row_set_move(struct row_set *rows, size_t to, size_t from);

/* Takes the rows of a run, which must fit into the room allocated, with values in cycles or ns. */
void row_set_take(struct row_set *rows, const struct fit *fit, const struct row_run *run);

/* The family's usable rows, grouped by variant and sub-group size. */
struct fit_group {
    const char *family;
    const char *variant;
    unsigned subgroup_size;
    char name[MODEL_NAME_BYTES]; /* FAMILY.VARIANT.simdN */
    struct row_set rows;         /* never empty */
    struct row_runs runs;        /* owned; all groups */
    size_t next;                 /* index of the next run */
};

/* Call before the first group; fit_end() may be called whatever the status. Notes an absence where
 * the family has no usable rows. */
enum status fit_begin(struct fit *fit, const char *family, struct fit_group *group);

/* The next group, ordered by first row; false after the last. */
bool fit_next(const struct fit *fit, struct fit_group *group);
void fit_end(struct fit_group *group);

/* One term of an equation. */
struct fit_term {
    const char *name; /* of its parameter: the equation's name and a dot precede it */
    const char *per;  /* what the unit is per: "/thread"; "": the rows' unit alone */
    char factor[40];  /* as shown in the equation: "n", or "" for a constant */
};

/* Chooses among the candidates of `problem`, whose columns and rows are those of `rows`, adds a
 * parameter NAME.TERM for each term of the chosen equation, and marks the rows used. A lone
 * constant whose interval is not above 0 is below resolution. Where no candidate can be fitted
 * nothing is added and form->count is 0; STATUS_NO_MEMORY only when out of memory. */
enum status fit_equation(struct fit *fit, const char *name, const struct row_set *rows,
                         const struct fit_term *terms, struct form_problem *problem,
                         struct form *form);

/* Adds a parameter that is just the mean of its rows: fit_equation with one constant. */
enum status fit_constant(struct fit *fit, const char *name, const struct row_set *rows);

/* Adds the parameter NAME.TERM, or NAME where `term` is empty, without a fit; the caller fills the
 * rest. NULL when out of memory. */
struct parameter *fit_add(struct fit *fit, const char *name, const char *term, const char *per,
                          const struct row_set *rows);

/* The same for what one row says by itself: its value, the 95 % interval of its noise, and what it
 * is. */
struct parameter *fit_add_row(struct fit *fit, const char *name, const char *term,
                              const struct row_set *rows, size_t row);

/* Notes the range of hardware threads of the rows' work-groups in the parameters from `first` on.
 */
void fit_note_threads(const struct fit *fit, size_t first, const struct row_set *rows);

/* Notes what is missing, and the command that would measure it. */
enum status fit_absent(struct fit *fit, const char *name, const char *why, const char *command);

/* Notes that no equation fits, for the reason in `why`. STATUS_NO_MEMORY if that was the reason:
 * none was tried. */
enum status fit_failed(struct fit *fit, const char *name, const struct error *why,
                       const char *command);

/* Describes the configuration of a row in readable form. */
void record_describe(const struct record *record, char *text, size_t bytes);

enum status fit_out_of_memory(struct fit *fit);

#endif
