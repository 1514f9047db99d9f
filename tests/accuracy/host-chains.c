/* chains.cl and words.cl on the host. */
#include "host-jobs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "filled.h"
#include "job/half.h"

#include "test.h"

enum { FLOATS, HALVES, DOUBLES, INTEGERS, LONGS };
enum { GROUP = 64, CHAIN_ITEMS = 1048576, WORD_ITEMS = 4194304, WORDS = 16 };
enum { READ, WRITE, READ_LINES, WRITE_LINES };

/* Of chains, a size is a number of turns, each of two multiply-adds. */
double chains_work(unsigned size)
{
    return 4.0 * CHAIN_ITEMS * size;
}

double chains_of_two_work(unsigned size)
{
    return 2 * chains_work(size);
}

size_t chains_bytes(const struct host_job *job, unsigned size)
{
    (void)job;
    (void)size;
    return CHAIN_ITEMS * sizeof(uint32_t);
}

static uint32_t float_chains(int item, int member, unsigned turns)
{
    float x = -(1 + item) / 128.0f, y = -(1 + member) / 128.0f;
    uint32_t bits;

    for (unsigned i = 0; i < turns; i++) {
        x = fmaf(y, x, y);
        y = fmaf(x, y, x);
    }
    memcpy(&bits, &y, sizeof(bits));
    return bits;
}

static uint32_t double_chains(int item, int member, unsigned turns)
{
    double x = -(1 + item) / 128.0, y = -(1 + member) / 128.0;

    for (unsigned i = 0; i < turns; i++) {
        x = fma(y, x, y);
        y = fma(x, y, x);
    }
    float rounded = (float)y;
    uint32_t bits;
    memcpy(&bits, &rounded, sizeof(bits));
    return bits;
}

static uint16_t half_chains(int x_from, int y_from, unsigned turns)
{
    uint16_t x = half_from_float(-(1 + x_from) / 128.0f),
             y = half_from_float(-(1 + y_from) / 128.0f);

    for (unsigned i = 0; i < turns; i++) {
        x = host_half_fma(y, x, y);
        y = host_half_fma(x, y, x);
    }
    return y;
}

static uint64_t integer_chains(uint64_t x, uint64_t y, unsigned turns)
{
    for (unsigned i = 0; i < turns; i++) {
        x = y * x + y;
        y = x * y + x;
    }
    return y;
}

static uint32_t chains_of(int kind, int item, int member, unsigned turns)
{
    const uint32_t low = (uint32_t)item, high = (uint32_t)member;

    switch (kind) {
    case FLOATS:
        return float_chains(item, member, turns);
    case HALVES:
        return half_chains(item, member, turns) | (uint32_t)half_chains(member, item, turns) << 16;
    case DOUBLES:
        return double_chains(item, member, turns);
    default:
        return (uint32_t)integer_chains(low + (high << 16), high + (low << 16), turns);
    }
}

void chains_compute(const struct host_job *job, unsigned size, void *output)
{
    enum { ITEMS = 127, MEMBERS = 61 };
    static uint32_t ends[ITEMS][MEMBERS]; /* there are no other beginnings */
    uint32_t *out = output;

    for (int item = 0; item < ITEMS; item++)
        for (int member = 0; member < MEMBERS; member++)
            ends[item][member] = chains_of(job->kind, item, member, size);
    for (size_t i = 0; i < CHAIN_ITEMS; i++)
        out[i] = ends[i % ITEMS][i % GROUP % MEMBERS];
}

/* Of words, a size is a number of megabytes. */
double words_work(unsigned size)
{
    return (double)size * (1 << 20);
}

size_t words_bytes(const struct host_job *job, unsigned size)
{
    size_t bytes = (size_t)size << 20;

    return job->kind == READ || job->kind == READ_LINES ? bytes / WORDS : bytes;
}

static size_t word_at(int kind, size_t item, size_t i)
{
    return kind == READ_LINES || kind == WRITE_LINES ? item * WORDS + i : i * WORD_ITEMS + item;
}

void words_compute(const struct host_job *job, unsigned size, void *output)
{
    bool reads = job->kind == READ || job->kind == READ_LINES;
    float *in = reads ? filled("float:1", (size_t)size << 20) : NULL, *sums = output;
    uint32_t *out = output;

    for (size_t item = 0; item < WORD_ITEMS; item++) {
        float sum = 0;

        for (size_t i = 0; i < WORDS; i++)
            if (reads)
                sum += in[word_at(job->kind, item, i)];
            else
                out[word_at(job->kind, item, i)] = (uint32_t)item;
        if (reads)
            sums[item] = sum;
    }
    free(in);
}
