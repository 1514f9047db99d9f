/* Writes results files for tests of the fits: the columns that vebench needs, one row at a time. */
#ifndef TESTS_MODEL_ROWS_H
#define TESTS_MODEL_ROWS_H

#include "model/fit.h"
#include "rows/records.h"

#include <stdio.h>

struct row_writer {
    FILE *file;
    const char *path;
    const char *benchmark;
    const char *device_uuid; /* NULL: "uuid-1" */
    double clock_mhz;        /* 0: 2000 */
};

/* The configuration of a row, and what was measured there. */
struct row_values {
    const char *variant, *parameters;
    unsigned subgroup_size, workgroup_size, workgroup_count;
    double value, half_width;        /* ns */
    const char *status;              /* NULL: "ok" */
    const char *unit;                /* NULL: "ns/barrier" */
    double bytes, messages, loop_ns; /* of an iteration of the whole launch; 0: not given */
    double lines;                    /* the same */
    const char *op, *type, *method;  /* NULL: not given */
};

/* A device of 8 Xe-cores of 128 hardware threads at 2000 MHz. */
void rows_open(struct row_writer *writer, const char *path, const char *benchmark);
void rows_add(struct row_writer *writer, const struct row_values *values);
void rows_close(struct row_writer *writer);

/* Reads the file and fits what it holds, for the caller to free; fails the test on errors. */
void rows_fit(const char *path, uint64_t seed, struct records *records, struct model *model);

/* Writes the model, reads it back with other words as its equations, and fails the test unless it
 * then predicts the same for each row: members say what an equation is, its text does not. */
void rows_require_members(const struct records *records, const struct model *model);

#endif
