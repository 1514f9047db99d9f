/* What ./bootstrap says when it is asked for nothing, or for nonsense. Installs and builds nothing.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "process.h"

#define OUTPUT   "bootstrap.out"
#define MESSAGES "bootstrap.err"

static int bootstrap(const char *first, const char *second)
{
    char *const argv[] = {getenv("BOOTSTRAP"), (char *)first, (char *)second, NULL};
    assert_non_null(argv[0]);
    return process_run(argv, NULL, OUTPUT, MESSAGES);
}

static void assert_contains(const char *path, const char *text)
{
    char *contents = process_read_file(path);
    assert_non_null(contents);
    if (!strstr(contents, text))
        fail_msg("\"%s\" is not in \"%s\"", text, contents);
    free(contents);
}

static void assert_empty(const char *path)
{
    char *contents = process_read_file(path);
    assert_non_null(contents);
    assert_string_equal(contents, "");
    free(contents);
}

static void test_alone_says_what_it_can_do(void **state)
{
    (void)state;
    assert_int_equal(bootstrap(NULL, NULL), 0);
    assert_contains(OUTPUT, "build|bench|test");
    assert_empty(MESSAGES);
}

static void test_unknown_command(void **state)
{
    (void)state;
    assert_int_equal(bootstrap("brew", NULL), 2);
    assert_contains(MESSAGES, "unknown command \"brew\"");
    assert_contains(MESSAGES, "usage:");
    assert_empty(OUTPUT);
}

static void test_too_many_arguments(void **state)
{
    (void)state;
    assert_int_equal(bootstrap("build", "test"), 2);
    assert_contains(MESSAGES, "usage:");
    assert_empty(OUTPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_alone_says_what_it_can_do),
        cmocka_unit_test(test_unknown_command),
        cmocka_unit_test(test_too_many_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
