#include "host-jobs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "filled.h"
#include "job/half.h"

#include "test.h"

/* intensity.cl: a work-item reads words in four turns, eight at a time. */
enum { ITEMS = 262144, GROUP = 256, TOGETHER = 8, TURNS = 4 };
enum { FLOATS, HALVES, INTEGERS };

/* Of STREAM, a size is a number of megabytes of an array. */
static size_t stream_bytes(const struct host_job *job, unsigned size)
{
    (void)job;
    return (size_t)size << 20;
}

static double copy_work(unsigned size)
{
    return 2.0 * (double)stream_bytes(NULL, size);
}

static double triad_work(unsigned size)
{
    return 3.0 * (double)stream_bytes(NULL, size);
}

static void stream_compute(const struct host_job *job, unsigned size, void *output)
{
    size_t bytes = stream_bytes(job, size);
    float *a = filled("float:1", bytes), *b = filled("float:2", bytes), *c = output;

    for (size_t i = 0; i < bytes / sizeof(*c); i++) {
        const float of_loop[] = {a[i], 3 * a[i], a[i] + b[i], a[i] + 3 * b[i]};

        c[i] = of_loop[job->kind];
    }
    free(a);
    free(b);
}

/* Of multiply-adds for each word, a size is their number. */
static size_t intensity_bytes(const struct host_job *job, unsigned size)
{
    (void)job;
    (void)size;
    return ITEMS * sizeof(uint32_t);
}

static double intensity_work(unsigned size)
{
    return (double)ITEMS * TOGETHER * TURNS * (2.0 * size + 1);
}

static double half_intensity_work(unsigned size)
{
    return 2 * intensity_work(size);
}

static size_t intensity_options(const struct host_job *job, unsigned size,
                                char option[][HOST_JOB_OPTION_BYTES])
{
    snprintf(option[0], HOST_JOB_OPTION_BYTES, "-D");
    snprintf(option[1], HOST_JOB_OPTION_BYTES, "TYPE=%d", job->kind);
    snprintf(option[2], HOST_JOB_OPTION_BYTES, "-D");
    snprintf(option[3], HOST_JOB_OPTION_BYTES, "PRODUCTS=%u", size);
    return 4;
}

uint16_t host_half_fma(uint16_t a, uint16_t b, uint16_t c)
{
    return half_from_float(fmaf(half_to_float(a), half_to_float(b), half_to_float(c)));
}

static uint32_t multiply_add(int type, uint32_t a, uint32_t b, uint32_t c)
{
    float x, y, z;

    if (type == INTEGERS)
        return a * b + c;
    if (type == HALVES)
        return (uint32_t)host_half_fma((uint16_t)(a >> 16), (uint16_t)(b >> 16),
                                       (uint16_t)(c >> 16))
                   << 16 |
               host_half_fma((uint16_t)a, (uint16_t)b, (uint16_t)c);
    memcpy(&x, &a, sizeof(x));
    memcpy(&y, &b, sizeof(y));
    memcpy(&z, &c, sizeof(z));
    x = fmaf(x, y, z);
    memcpy(&a, &x, sizeof(a));
    return a;
}

static uint32_t chain(int type, uint32_t value, unsigned length)
{
    static const uint32_t seeds[] = {0xbe800000, 0xb400b400, 12345}; /* -0.25, twice -0.25 */

    for (unsigned i = 0; i < length; i++)
        value = multiply_add(type, value, value, seeds[type]);
    return value;
}

/* The ends of the chains of all halves, for speed; NULL for other types. */
static uint16_t *half_chains(int type, unsigned length)
{
    uint16_t *ends = type == HALVES ? malloc(65536 * sizeof(*ends)) : NULL;

    for (uint32_t i = 0; ends && i < 65536; i++)
        ends[i] = (uint16_t)chain(type, i, length);
    return ends;
}

static void intensity_compute(const struct host_job *job, unsigned size, void *output)
{
    static const char *const rules[] = {"float:1", "half:1", "random:1"};
    uint16_t *ends = half_chains(job->kind, size);
    uint32_t *in = filled(rules[job->kind], (size_t)ITEMS * TOGETHER * TURNS * sizeof(*in));
    uint32_t *out = output;

    for (size_t item = 0; item < ITEMS; item++) {
        uint32_t sum = 0, value[TOGETHER];
        size_t at = item / GROUP * GROUP * TOGETHER + item % GROUP;

        for (size_t turn = 0; turn < TURNS; turn++, at += (size_t)ITEMS * TOGETHER) {
            for (size_t j = 0; j < TOGETHER; j++) {
                uint32_t word = in[at + j * GROUP];

                value[j] = ends ? (uint32_t)ends[word >> 16] << 16 | ends[word & 0xffff]
                                : chain(job->kind, word, size);
            }
            for (size_t j = 0; j < TOGETHER; j += 2)
                sum = multiply_add(job->kind, value[j], value[j + 1], sum);
        }
        out[item] = sum;
    }
    free(ends);
    free(in);
}

#define LATTICE(name, kind)                                                                        \
    {                                                                                              \
        name, "MLUP/s", "planes of 128 x 128 cells", "populations", lattice_work, NULL,            \
            lattice_fill, lattice_compute, lattice_bytes, kind                                     \
    }
#define STREAM(name, work, kind)                                                                   \
    {                                                                                              \
        name, "GB/s", "MB an array", "c", work, NULL, NULL, stream_compute, stream_bytes, kind     \
    }
#define INTENSITY(name, unit, work, kind)                                                          \
    {                                                                                              \
        name, unit, "multiply-adds a word", "out", work, intensity_options, NULL,                  \
            intensity_compute, intensity_bytes, kind                                               \
    }

#define CHAINS(name, unit, work, kind)                                                             \
    {                                                                                              \
        name, unit, "turns", "out", work, NULL, NULL, chains_compute, chains_bytes, kind           \
    }
#define WORDS_OF(name, kind)                                                                       \
    {                                                                                              \
        name, "GB/s", "MB", "out", words_work, NULL, NULL, words_compute, words_bytes, kind        \
    }

#define PRODUCT(name, kind)                                                                        \
    {                                                                                              \
        name, "GFLOP/s", "rows", "out", product_work, NULL, NULL, product_compute, product_bytes,  \
            kind                                                                                   \
    }

static const struct host_job jobs[] = {
    LATTICE("lattice-fp32", 0),
    LATTICE("lattice-fp16s", 1),
    LATTICE("lattice-fp16c", 2),
    STREAM("stream-copy", copy_work, 0),
    STREAM("stream-scale", copy_work, 1),
    STREAM("stream-add", triad_work, 2),
    STREAM("stream-triad", triad_work, 3),
    INTENSITY("intensity-fp32", "GFLOP/s", intensity_work, FLOATS),
    INTENSITY("intensity-fp16", "GFLOP/s", half_intensity_work, HALVES),
    INTENSITY("intensity-int32", "GIOP/s", intensity_work, INTEGERS),
    CHAINS("chains-fp32", "GFLOP/s", chains_work, 0),
    CHAINS("chains-fp16", "GFLOP/s", chains_of_two_work, 1),
    CHAINS("chains-fp64", "GFLOP/s", chains_work, 2),
    CHAINS("chains-int32", "GIOP/s", chains_work, 3),
    CHAINS("chains-int64", "GIOP/s", chains_work, 4),
    WORDS_OF("words-read", 0),
    WORDS_OF("words-write", 1),
    WORDS_OF("words-read-lines", 2),
    WORDS_OF("words-write-lines", 3),
    PRODUCT("product-fp32", 0),
    PRODUCT("product-fp16", 1),
    {"matrix-vector", "GFLOP/s", "elements a row", "out", matrix_vector_work, NULL, NULL,
     matrix_vector_compute, matrix_vector_bytes, 0},
};

const struct host_job *host_job_find(const char *name)
{
    for (size_t i = 0; i < sizeof(jobs) / sizeof(*jobs); i++)
        if (strcmp(jobs[i].name, name) == 0)
            return &jobs[i];
    return NULL;
}
