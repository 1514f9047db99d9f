/* The same program on one and on more threads of the host: what `vesim --counters` writes is the
 * same, but for the process that it names. test-threads VESIM DEVICE PROGRAMS FOLDER */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "process.h"

static char **arguments;

/* The counters of all launches, without the first column; for the caller to free. */
static char *run_on(const char *threads)
{
    char counters[256], out[256];

    snprintf(counters, sizeof(counters), "threads-%s-%s.csv", arguments[1], threads);
    snprintf(out, sizeof(out), "threads-%s-%s.out", arguments[1], threads);
    unlink(counters);
    char *const argv[] = {arguments[0],    "--device",   arguments[1], "--threads",
                          (char *)threads, "--counters", counters,     "--",
                          arguments[2],    arguments[3], "16",         "",
                          "parallel",      "atomics",    "memory",     NULL};
    int status = process_run(argv, NULL, out, out);
    if (status)
        process_show_file(out);
    assert_int_equal(status, 0);
    char *rows = process_read_file(counters), *to = rows;
    assert_non_null(rows);
    for (const char *from = rows; *from;) {
        from += strcspn(from, ",\n");
        size_t rest = strcspn(from, "\n") + 1;
        memmove(to, from, rest);
        to += rest;
        from += rest;
    }
    *to = '\0';
    return rows;
}

static void counters_are_the_same(void **state)
{
    static const char *const more[] = {"2", "5"};
    char *one = run_on("1");

    (void)state;
    assert_non_null(strchr(strchr(one, '\n') + 1, '\n')); /* a launch at least */
    for (unsigned i = 0; i < sizeof(more) / sizeof(*more); i++) {
        char *others = run_on(more[i]);

        assert_string_equal(others, one);
        free(others);
    }
    free(one);
}

int main(int argc, char **argv)
{
    if (argc != 5)
        return 2;
    arguments = argv + 1;
    const struct CMUnitTest tests[] = {cmocka_unit_test(counters_are_the_same)};
    return cmocka_run_group_tests_name("threads", tests, NULL, NULL);
}
