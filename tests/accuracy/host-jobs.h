/* The jobs whose rates are held against published ones, as the host computes them. */
#ifndef TESTS_ACCURACY_HOST_JOBS_H
#define TESTS_ACCURACY_HOST_JOBS_H

#include <stddef.h>
#include <stdint.h>

enum { HOST_JOB_OPTIONS = 20, HOST_JOB_OPTION_BYTES = 64 };

struct host_job {
    const char *name;   /* its file is NAME.yaml */
    const char *unit;   /* of its rate */
    const char *size;   /* what `size` below counts */
    const char *output; /* its argument that is written */

    /* Work of a launch of a size: 1e-9 of it a nanosecond is 1 GB/s, 1 GFLOP/s or 1000 MLUP/s. */
    double (*work)(unsigned size);
    /* Options of `vebench kernel` for a size, if its file does not fix that. Returns how many. */
    size_t (*options)(const struct host_job *job, unsigned size,
                      char option[][HOST_JOB_OPTION_BYTES]);
    /* What the output holds before a launch, or NULL if the job's file says it, and after. A job
     * with fill() has others.cl write before it. Buffers of output_bytes(), the caller's. */
    void (*fill)(const struct host_job *job, unsigned size, void *output);
    void (*compute)(const struct host_job *job, unsigned size, void *output);
    size_t (*output_bytes)(const struct host_job *job, unsigned size);
    int kind; /* of storage, loop or type: what the .cl takes */
};

/* NULL if there is none of this name. */
const struct host_job *host_job_find(const char *name);

/* a * b + c of halves. The product is exact in a float; the sum is rounded to a float first, which
 * changes the half only where it lies half-way between two. */
uint16_t host_half_fma(uint16_t a, uint16_t b, uint16_t c);

/* For the table: each compute() takes what fill() has left. */
size_t lattice_bytes(const struct host_job *job, unsigned size);
double lattice_work(unsigned size);
void lattice_fill(const struct host_job *job, unsigned size, void *output);
void lattice_compute(const struct host_job *job, unsigned size, void *output);

double chains_work(unsigned size);
double chains_of_two_work(unsigned size);
void chains_compute(const struct host_job *job, unsigned size, void *output);
size_t chains_bytes(const struct host_job *job, unsigned size);
double product_work(unsigned size);
void product_compute(const struct host_job *job, unsigned size, void *output);
size_t product_bytes(const struct host_job *job, unsigned size);
double matrix_vector_work(unsigned size);
void matrix_vector_compute(const struct host_job *job, unsigned size, void *output);
size_t matrix_vector_bytes(const struct host_job *job, unsigned size);
double words_work(unsigned size);
void words_compute(const struct host_job *job, unsigned size, void *output);
size_t words_bytes(const struct host_job *job, unsigned size);

#endif
