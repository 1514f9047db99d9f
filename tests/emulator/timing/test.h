/* cmocka with the headers it expects before it. */
#ifndef TESTS_CLOCK_TEST_H
#define TESTS_CLOCK_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#endif
