/* Kernels on a Level Zero device, for tests that compare whole outputs with the host: memory that
 * both sides see, one call to run a kernel, comparisons that name the first difference. Any error
 * fails the running cmocka test. */
#ifndef TESTS_PROGRAMS_RUNTIME_H
#define TESTS_PROGRAMS_RUNTIME_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* One kernel argument. */
struct argument {
    size_t bytes;
    const void *value; /* NULL: `bytes` of local memory */
};

#define BUFFER(pointer)    ((struct argument){sizeof(void *), &(pointer)})
#define VALUE(variable)    ((struct argument){sizeof(variable), &(variable)})
#define LOCAL_MEMORY(size) ((struct argument){(size), NULL})

/* A kernel and its range. Sizes of 0 are 1. */
struct launch {
    const char *module; /* file of the kernel, without .cl */
    const char *kernel;
    uint32_t groups[3], local[3];
    struct argument arguments[8]; /* up to the first of 0 bytes */
};

/* Modules are the files FOLDER/NAME-SIZE.spv; size 0 leaves the choice to the compiler, which gets
 * the build flags ("" for none). */
void runtime_open(const char *folder, unsigned sub_group_size, const char *build_flags);
void runtime_close(void);
unsigned runtime_sub_group_size(void);

bool runtime_has_double(void);
bool runtime_has_half(void);
bool runtime_has_long_atomics(void);

/* Whether it is an Xe-HPG GPU, by its PCI id: Level Zero does not say. */
bool runtime_has_matrix_engines(void);

/* Whether the build flags ask for division and square root rounded as IEEE 754 requires. */
bool runtime_divides_exactly(void);

/* Zeroed host memory that the device reads and writes (not shared memory: a driver that moves it on
 * page faults needs the signal that cmocka takes). It lives until runtime_release(). */
void *runtime_buffer(size_t bytes);
void runtime_release(void);

/* Runs the kernel and waits for it. */
void runtime_launch(const struct launch *launch);

/* Pseudo-random bits, the same sequence after each runtime_release(). */
uint32_t runtime_random(void);
uint64_t runtime_random64(void);
float runtime_random_float(float low, float high);

/* Half precision, by its bits; rounded to nearest even. */
double half_value(uint16_t bits);
uint16_t half_bits(double value);

/* Fail at the first element that differs. Floats may differ by `ulps` units in the last place or
 * by `absolute`; NaNs are equal to one another. */
void expect_bytes(const char *what, const void *result, const void *expected, size_t element_bytes,
                  size_t count);
void expect_floats(const char *what, const float *result, const double *expected, size_t count,
                   double ulps, double absolute);

#endif
