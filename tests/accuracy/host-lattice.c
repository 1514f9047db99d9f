/* The lattice-Boltzmann step of lattice.cl, direction by direction. A size is a number of planes of
 * 128 x 128 cells. Initial densities are 1 or 2, and all populations multiples of 2^-10: then
 * sums and the quotient are exact, and the rest is rounded alike by host and device. */
#include "host-jobs.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "job/half.h"

enum { SIDE = 128, DIRECTIONS = 19, FLOATS = 0, HALVES = 1 };

static const float relaxation = 1.25f;

static const int velocity[DIRECTIONS][3] = {
    {0, 0, 0},  {1, 0, 0},   {-1, 0, 0}, {0, 1, 0},   {0, -1, 0}, {0, 0, 1},   {0, 0, -1},
    {1, 1, 0},  {-1, -1, 0}, {1, 0, 1},  {-1, 0, -1}, {0, 1, 1},  {0, -1, -1}, {1, -1, 0},
    {-1, 1, 0}, {1, 0, -1},  {-1, 0, 1}, {0, 1, -1},  {0, -1, 1}};

static size_t cells(unsigned planes)
{
    return (size_t)planes * SIDE * SIDE;
}

double lattice_work(unsigned size)
{
    return (double)cells(size) * 1e3;
}

size_t lattice_bytes(const struct host_job *job, unsigned size)
{
    return cells(size) * DIRECTIONS * (job->kind == FLOATS ? sizeof(float) : sizeof(uint16_t));
}

/* 16 bits, of which 4 are the exponent. */
static float narrow_value(uint16_t narrow)
{
    int exponent = narrow >> 11 & 15;
    float fraction = (float)(narrow & 2047);
    float size = exponent ? ldexpf(fraction + 2048, exponent - 26) : ldexpf(fraction, -25);

    return narrow >> 15 ? -size : size;
}

static uint16_t narrow_of(float value)
{
    float size = fabsf(value);
    int exponent = size > 0 && ilogbf(size) > -14 ? ilogbf(size) : -14;
    float units = roundf(ldexpf(size, 11 - exponent)) + (float)((exponent + 14) * 2048);

    return (uint16_t)((signbit(value) ? 0x8000 : 0) | (units > 0x7fff ? 0x7fff : (int)units));
}

static float read_at(const struct host_job *job, const void *slots, size_t at)
{
    const uint16_t *words = slots;

    if (job->kind == FLOATS)
        return ((const float *)slots)[at];
    return job->kind == HALVES ? half_to_float(words[at]) / 32768 : narrow_value(words[at]);
}

static void write_at(const struct host_job *job, void *slots, size_t at, float value)
{
    uint16_t *words = slots;

    if (job->kind == FLOATS)
        ((float *)slots)[at] = value;
    else
        words[at] = job->kind == HALVES ? half_from_float(value * 32768) : narrow_of(value);
}

/* Where a cell finds a direction at an even step: in its own slot, or in that of the neighbour
 * towards which the first of the pair points. */
static size_t place(size_t cell, unsigned direction, unsigned planes)
{
    const int *towards = velocity[direction > 0 ? direction - 1 : 0];
    size_t x = cell % SIDE, y = cell / SIDE % SIDE, z = cell / (SIDE * SIDE);

    if (direction > 0 && direction % 2 == 0) {
        x = (x + SIDE + (size_t)towards[0]) % SIDE;
        y = (y + SIDE + (size_t)towards[1]) % SIDE;
        z = (z + planes + (size_t)towards[2]) % planes;
    }
    return ((direction * planes + z) * SIDE + y) * SIDE + x;
}

void lattice_fill(const struct host_job *job, unsigned size, void *output)
{
    uint32_t random = 1;

    for (size_t cell = 0; cell < cells(size); cell++) {
        float rest = cell % 3 == 0;

        for (unsigned i = 1; i < DIRECTIONS; i++) {
            random = random * 1664525 + 1013904223;
            float value = (float)((int)(random >> 26) - 32) / 1024;

            write_at(job, output, place(cell, i, size), value);
            rest -= value;
        }
        write_at(job, output, cell, rest);
    }
}

static void collide(float f[DIRECTIONS])
{
    float above = f[0], speed[3] = {0};

    for (unsigned i = 1; i < DIRECTIONS; i += 2) {
        above += f[i] + f[i + 1];
        for (unsigned axis = 0; axis < 3; axis++)
            speed[axis] += (float)velocity[i][axis] * (f[i] - f[i + 1]);
    }
    float density = above + 1, scale = 3 / density;

    for (unsigned axis = 0; axis < 3; axis++)
        speed[axis] *= scale;
    float squares = fmaf(speed[0], speed[0], fmaf(speed[1], speed[1], speed[2] * speed[2]));
    float still = fmaf(density * (-1.0f / 6), squares, above);

    f[0] = fmaf(1 - relaxation, f[0], relaxation / 3 * still);
    for (unsigned i = 1; i < DIRECTIONS; i += 2) {
        float weight = relaxation * (i < 7 ? 1.0f / 18 : 1.0f / 36);
        float along = (float)velocity[i][0] * speed[0] + (float)velocity[i][1] * speed[1] +
                      (float)velocity[i][2] * speed[2];
        float even = weight * fmaf(density, 0.5f * along * along, still);
        float odd = weight * (density * along);

        f[i] = fmaf(1 - relaxation, f[i], even + odd);
        f[i + 1] = fmaf(1 - relaxation, f[i + 1], even - odd);
    }
}

static size_t opposite(unsigned direction)
{
    return direction == 0 ? 0 : direction % 2 ? direction + 1 : direction - 1;
}

void lattice_compute(const struct host_job *job, unsigned size, void *output)
{
    for (size_t cell = 0; cell < cells(size); cell++) {
        float f[DIRECTIONS];

        for (unsigned i = 0; i < DIRECTIONS; i++)
            f[i] = read_at(job, output, place(cell, i, size));
        collide(f);
        for (unsigned i = 0; i < DIRECTIONS; i++)
            write_at(job, output, place(cell, (unsigned)opposite(i), size), f[i]);
    }
}
