/* Random OpenCL C programs, and what they compute by the language's rules: a program is made,
 * written as OpenCL C, and evaluated here, for every work-item, without any part of the emulator.
 */
#ifndef TESTS_RANDOM_PROGRAM_H
#define TESTS_RANDOM_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum {
    GROUP = 64,
    ITEMS = 2 * GROUP,
    INPUTS = 512, /* elements of each input, a power of two */
    ARRAY = 8,    /* of each work-item's array, a power of two */
    VARIABLES = 12,
    COMPONENTS_MAX = 4,
};

enum kind { CHAR, UCHAR, SHORT, USHORT, INT, UINT, LONG, ULONG, HALF, FLOAT, DOUBLE, KINDS };

struct type {
    enum kind kind;
    unsigned width; /* 1, 2 or 4 components */
};

/* A scalar, or the components of a vector, each as its bits. */
struct value {
    uint64_t bits[COMPONENTS_MAX];
};

/* What the program may use. */
struct abilities {
    bool has_half, has_double;
    bool divides_exactly; /* float quotients and roots are rounded correctly */
    bool has_ballot;
    unsigned sub_group_size;
};

/* What a work-item reads: integers of 64 bits and floats of moderate size. */
struct inputs {
    uint64_t integers[INPUTS];
    float floats[INPUTS];
};

struct statement;

/* Belongs to whoever made it. */
struct program;

struct program *program_make(uint64_t seed, const struct abilities *abilities);
void program_free(struct program *program);

/* Its statements, in the order of their text; nested ones count. One that is dropped is neither
 * written nor evaluated, with all that it contains. */
unsigned program_statements(const struct program *program);
bool program_is_dropped(const struct program *program, unsigned statement);
void program_drop(struct program *program, unsigned statement, bool dropped);

/* The text of the kernel `tested`: its arguments are the two inputs and a buffer of
 * program_results() quadwords for each work-item, result r of work-item i at r * ITEMS + i. */
void program_write(const struct program *program, FILE *file);
unsigned program_results(const struct program *program);
void program_describe_result(const struct program *program, unsigned result, char text[32]);
void program_evaluate(const struct program *program, const struct inputs *inputs,
                      uint64_t *results);

/* value.c: arithmetic of one component. */
unsigned kind_bits(enum kind kind);
bool kind_is_signed(enum kind kind);
bool kind_is_float(enum kind kind);

enum rounding { TO_NEAREST, TO_ZERO, UPWARD, DOWNWARD };

/* The number that the bits stand for, and the bits of the nearest number of the kind, by the mode.
 * All NaNs have the same bits. Integers must be within range, or else wrap. */
long double number_of(enum kind kind, uint64_t bits);
uint64_t bits_of(enum kind kind, long double number, enum rounding rounding);

/* convert_KIND_sat_ROUNDING. */
uint64_t convert_saturated(enum kind to, enum kind from, uint64_t bits, enum rounding rounding);

#endif
