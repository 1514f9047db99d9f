/* Included by every unit test of the harness: cmocka with the headers it expects before it. */
#ifndef TESTS_HARNESS_TEST_H
#define TESTS_HARNESS_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

/* cmocka's own comparison of floats is of single precision. */
#define assert_near(actual, expected, tolerance)                                                   \
    do {                                                                                           \
        double actual_ = (actual);                                                                 \
        double expected_ = (expected);                                                             \
        if (!(fabs(actual_ - expected_) <= (tolerance)))                                           \
            fail_msg("%s is %.12g, expected %.12g", #actual, actual_, expected_);                  \
    } while (0)

#endif
