/* The tests of each kernel file, in a C file of the same name. */
#ifndef TESTS_PROGRAMS_PROGRAMS_H
#define TESTS_PROGRAMS_PROGRAMS_H

#include "runtime.h"

struct program_test {
    const char *name;
    void (*run)(void);
};

/* clang-format off */
#define PROGRAM_GROUPS(X) \
    X(atomics) X(collectives) X(conditions) X(control) X(convert) X(floats) X(integers) X(matrix) X(memory) \
    X(parallel) X(physics) X(products) X(shapes) X(subgroups)
/* clang-format on */

/* Each ends with an entry without a name. */
#define X(name) extern const struct program_test name##_tests[];
PROGRAM_GROUPS(X)
#undef X

#endif
