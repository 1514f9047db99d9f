/* What ./bootstrap and tests/roots/root say when called without arguments, with nonsense, or for
 * something missing. Nothing is installed or built. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "process.h"

#define OUTPUT   "bootstrap.out"
#define MESSAGES "bootstrap.err"

static int run(const char *program, const char *first, const char *second, const char *third)
{
    /* A cache with nothing in it. */
    static const char *const environment[] = {"VEBENCH_ROOTS=no-roots", NULL};
    char *const argv[] = {getenv(program), (char *)first, (char *)second, (char *)third, NULL};

    assert_non_null(argv[0]);
    return process_run(argv, environment, OUTPUT, MESSAGES);
}

static int bootstrap(const char *first, const char *second)
{
    return run("BOOTSTRAP", first, second, NULL);
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

/* `name` is a line of `lines`. */
static int has_line(const char *lines, const char *name)
{
    size_t length = strlen(name);

    for (const char *line = lines; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (!strncmp(line, name, length) && line[length] == '\n')
            return 1;
    }
    return 0;
}

static char *packages(const char *kind, const char *system)
{
    assert_int_equal(run("BOOTSTRAP", "packages", kind, system), 0);
    assert_empty(MESSAGES);
    return process_read_file(OUTPUT);
}

static void test_packages_of_each_system(void **state)
{
    static const struct {
        const char *system, *compiler, *ocloc;
    } systems[] = {
        {"debian-12", "llvm-spirv-15", "intel-opencl-icd"},
        {"debian-unstable", "llvm-spirv-19", "intel-ocloc"},
        {"ubuntu-26.04", "llvm-spirv-19", "intel-ocloc"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(systems) / sizeof(systems[0]); i++) {
        char *build = packages("build", systems[i].system);
        char *test = packages("test", systems[i].system);

        assert_true(has_line(build, systems[i].compiler));
        assert_true(has_line(build, systems[i].ocloc));
        assert_true(has_line(build, "librsvg2-bin"));
        assert_false(has_line(build, "libcmocka-dev"));
        assert_false(has_line(build, "chromium"));
        assert_true(has_line(test, "libcmocka-dev"));
        assert_memory_equal(test, build, strlen(build));
        free(build);
        free(test);
    }
}

static void test_unknown_system(void **state)
{
    (void)state;
    assert_int_equal(run("BOOTSTRAP", "packages", "build", "debian-11"), 1);
    assert_contains(MESSAGES, "(debian-11)");
    assert_contains(MESSAGES, "meson setup build");
    assert_empty(OUTPUT);
}

static void write_program(const char *path, const char *text)
{
    FILE *out = fopen(path, "w");

    assert_non_null(out);
    fprintf(out, "#!/bin/sh\n%s\n", text);
    assert_int_equal(fclose(out), 0);
    assert_int_equal(chmod(path, 0777), 0);
}

static size_t count_lines(const char *path)
{
    char *contents = process_read_file(path);
    size_t lines = 0;

    assert_non_null(contents);
    for (const char *at = contents; *at; at++)
        lines += *at == '\n';
    free(contents);
    return lines;
}

/* A copy builds with programs that only talk: apt-get at length, and Ninja, which ends with
 * `status`. */
static int build_a_copy(const char *status)
{
    char here[2000], path[4096], ends[64];
    const char *const environment[] = {path, ends, "CI=", NULL};
    char *const copy[] = {"/bin/sh", "-c",
                          "rm -rf copied && mkdir -p copied/programs && cp \"$BOOTSTRAP\" copied",
                          NULL};
    char *const build[] = {"copied/bootstrap", "build", NULL};

    assert_int_equal(process_run(copy, NULL, OUTPUT, MESSAGES), 0);
    write_program("copied/programs/id", "echo 0");
    write_program("copied/programs/dpkg-query", "echo not-installed");
    write_program("copied/programs/apt-get", "seq -f 'apt %g' 400");
    write_program("copied/programs/meson", "mkdir -p build");
    write_program("copied/programs/ninja", "seq -f 'ninja %g' 600; exit $NINJA_ENDS");
    assert_non_null(getcwd(here, sizeof(here)));
    snprintf(path, sizeof(path), "PATH=%.2000s/copied/programs:%.2000s", here, getenv("PATH"));
    snprintf(ends, sizeof(ends), "NINJA_ENDS=%s", status);
    return process_run(build, environment, OUTPUT, MESSAGES);
}

/* What others print is in a log, which is named where something fails. */
static void test_says_little(void **state)
{
    char *const clean[] = {"rm", "-rf", "copied", NULL};

    (void)state;
    assert_int_equal(build_a_copy("0"), 0);
    assert_true(count_lines(OUTPUT) <= 5);
    assert_empty(MESSAGES);
    assert_true(count_lines("copied/build/compile.log") == 600);
    assert_int_equal(build_a_copy("7"), 1);
    assert_true(count_lines(MESSAGES) <= 25);
    assert_contains(MESSAGES, "ninja 600");
    assert_contains(MESSAGES, "failed with status 7; its output is in build/compile.log");
    assert_int_equal(process_run(clean, NULL, OUTPUT, MESSAGES), 0);
}

static void test_root_asked_for_nonsense(void **state)
{
    (void)state;
    assert_int_equal(run("ROOT", "brew", "debian-unstable", NULL), 2);
    assert_contains(MESSAGES, "unknown action \"brew\"");
    assert_int_equal(run("ROOT", "run", "plan-9", "true"), 2);
    assert_contains(MESSAGES, "unknown system \"plan-9\"");
    assert_contains(MESSAGES, "usage:");
}

static void test_root_that_is_not_there(void **state)
{
    (void)state;
    assert_int_equal(run("ROOT", "run", "debian-unstable", "true"), 77);
    assert_contains(MESSAGES, "no root of debian-unstable");
    assert_int_equal(run("ROOT", "made", "debian-unstable", NULL), 77);
    assert_empty(OUTPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_alone_says_what_it_can_do),
        cmocka_unit_test(test_unknown_command),
        cmocka_unit_test(test_too_many_arguments),
        cmocka_unit_test(test_packages_of_each_system),
        cmocka_unit_test(test_unknown_system),
        cmocka_unit_test(test_says_little),
        cmocka_unit_test(test_root_asked_for_nonsense),
        cmocka_unit_test(test_root_that_is_not_there),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
