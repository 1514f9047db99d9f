/* What ends a program that finds something wrong. */
#ifndef TESTS_OPENCL_CHECK_H
#define TESTS_OPENCL_CHECK_H

#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

static inline void fail(const char *what, const char *file, int line, int status)
{
    fprintf(stderr, "%s:%d: %s: %d\n", file, line, what, status);
    exit(1);
}

#define CHECK(call)                                                                                \
    do {                                                                                           \
        cl_int status_ = (call);                                                                   \
        if (status_ != CL_SUCCESS)                                                                 \
            fail(#call, __FILE__, __LINE__, status_);                                              \
    } while (0)
#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition))                                                                          \
            fail(#condition, __FILE__, __LINE__, 0);                                               \
    } while (0)

#endif
