/* The launcher's command line.
 *     test-launcher VESIM STATICALLY_LINKED_PROGRAM */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "process.h"

static char *vesim, *static_program;
static char out_path[] = "/tmp/vesim-out-XXXXXX", err_path[] = "/tmp/vesim-err-XXXXXX";
static char *out, *err;

/* Runs vesim with the arguments; returns its status and leaves its output in `out` and `err`. */
static int run(const char *const *environment, char *const *arguments)
{
    char *argv[16] = {vesim};

    for (unsigned i = 0; arguments[i] && i < 14; i++)
        argv[i + 1] = arguments[i];
    int status = process_run(argv, environment, out_path, err_path);
    free(out);
    free(err);
    out = process_read_file(out_path);
    err = process_read_file(err_path);
    assert_non_null(out);
    assert_non_null(err);
    return status;
}

#define RUN(...) run(NULL, (char *[]){__VA_ARGS__, NULL})

static void expect_usage_error(int status, const char *text)
{
    assert_int_equal(status, 2);
    assert_string_equal(out, "");
    assert_ptr_equal(strstr(err, "vesim: "), err);
    if (!strstr(err, text))
        fail_msg("'%s' lacks '%s'", err, text);
    assert_ptr_equal(strchr(err, '\n'), err + strlen(err) - 1); /* one line */
}

static void tells_usage_errors(void **state)
{
    (void)state;
    expect_usage_error(RUN("--"), "no program");
    expect_usage_error(RUN("--device", "a380"), "no program");
    expect_usage_error(RUN("--device", "a380", "--"), "no program");
    expect_usage_error(RUN("true"), "write -- before the program true");
    expect_usage_error(RUN("--bogus", "--", "true"), "unknown option --bogus");
    expect_usage_error(RUN("--device"), "--device");
    expect_usage_error(RUN("--device", "a999", "--", "true"), "no device 'a999'");
    expect_usage_error(RUN("--device", "./nothing", "--", "true"), "./nothing: No such file");
    expect_usage_error(RUN("--describe", "a999"), "no device 'a999'");
    expect_usage_error(RUN("--threads", "0", "--", "true"), "--threads takes a number");
    expect_usage_error(RUN("--time-limit", "soon", "--", "true"), "--time-limit takes a number");
    expect_usage_error(RUN("--after-hang", "0", "--", "true"),
                       "--after-hang takes wait or a number of seconds above 0, not 0");
    expect_usage_error(RUN("--after-hang", "soon", "--", "true"), "--after-hang takes wait or");
    expect_usage_error(RUN("--threads", "2x", "--", "true"), "--threads takes a number");
    expect_usage_error(RUN("--kernel-driver", "nouveau", "--", "true"),
                       "--kernel-driver takes i915 or xe, not nouveau");
    expect_usage_error(RUN("--list", "x"), "unexpected argument x");
    expect_usage_error(RUN("--compile", "maybe", "--", "true"), "off, on or check");
}

static void prints_devices(void **state)
{
    (void)state;
    assert_int_equal(RUN("--list"), 0);
    assert_string_equal(
        out, "a380\na750\na770\nb580\niris-xe\nuhd770\nalder-lake\nraptor-lake\n"
             "meteor-lake\narrow-lake\nlunar-lake\npanther-lake\nnova-lake-p\ncrescent-island\n"
             "max-1100\nmax-1550\n");
    assert_int_equal(RUN("--describe", "iris-xe"), 0);
    assert_non_null(strstr(out, "1350000 kHz"));
    assert_string_equal(err, "");
    assert_int_equal(RUN("--version"), 0);
    assert_ptr_equal(strstr(out, "vesim "), out);
    assert_int_equal(RUN("--help"), 0);
    assert_non_null(strstr(out, "usage: vesim"));
}

static void says_that_output_is_full(void **state)
{
    char *shell[] = {"/bin/sh", "-c", "exec \"$0\" --describe a380 > /dev/full", vesim, NULL};

    (void)state;
    if (access("/dev/full", W_OK) != 0)
        skip();
    assert_int_equal(process_run(shell, NULL, out_path, err_path), 1);
    free(err);
    err = process_read_file(err_path);
    assert_non_null(strstr(err, "vesim: cannot write to standard output"));
}

static void becomes_the_program(void **state)
{
    (void)state;
    assert_int_equal(RUN("--", "sh", "-c", "echo $VESIM_DEVICE; exit 7"), 7);
    assert_string_equal(out, "a380\n");
    assert_string_equal(err, "");
    assert_int_equal(RUN("--device", "iris-xe", "--", "echo", "--device", "x"), 0);
    assert_string_equal(out, "--device x\n");
    assert_int_equal(RUN("--", "/not/there"), 127);
    assert_non_null(strstr(err, "cannot run /not/there"));
}

/* Built without a compiler of its own, it says what is missing. */
static void hands_on_compiling(void **state)
{
    int status = RUN("--functional", "--compile", "check", "--", "sh", "-c", "echo $VESIM_COMPILE");

    (void)state;
    if (status == 2) {
        expect_usage_error(status, "built without LLVM's headers");
        skip();
    }
    assert_int_equal(status, 0);
    assert_string_equal(out, "check\n");
}

static void hands_on_the_time_limit(void **state)
{
    (void)state;
    assert_int_equal(RUN("--time-limit", "90.5", "--", "sh", "-c", "echo $VESIM_TIME_LIMIT"), 0);
    assert_string_equal(out, "90.5\n");
}

static void hands_on_what_to_do_after_a_hang(void **state)
{
    (void)state;
    assert_int_equal(
        RUN("--after-hang", "wait", "--gdb", "--", "sh", "-c", "echo $VESIM_AFTER_HANG $VESIM_GDB"),
        0);
    assert_string_equal(out, "wait 1\n");
}

static void hands_on_the_threads(void **state)
{
    (void)state;
    assert_int_equal(RUN("--kernel-driver", "xe", "--", "sh", "-c", "echo $VESIM_KERNEL_DRIVER"),
                     0);
    assert_string_equal(out, "xe\n");
    assert_int_equal(RUN("--threads", "3", "--", "sh", "-c", "echo $VESIM_THREADS"), 0);
    assert_string_equal(out, "3\n");
}

static void tells_of_programs_without_a_loader(void **state)
{
    (void)state;
    assert_int_equal(RUN("--", static_program), 126);
    assert_non_null(strstr(err, "is statically linked"));
    assert_string_equal(out, "");
    /* a program that its own shell starts: it runs, and the user is told */
    assert_int_equal(RUN("--", "sh", "-c", "\"$0\"; exit 3", static_program), 3);
    assert_non_null(strstr(err, "is statically linked"));
    assert_string_equal(out, "static\n");
}

static void tells_of_a_lost_preload(void **state)
{
    (void)state;
    assert_int_equal(RUN("--", "env", "-i", "/bin/echo", "x"), 0);
    assert_string_equal(out, "x\n");
    assert_non_null(strstr(err, "/bin/echo is started without LD_PRELOAD"));
    assert_int_equal(RUN("--quiet", "--", "env", "-i", "/bin/echo", "x"), 0);
    assert_string_equal(err, "");
}

/* Links to vesim and its library in a folder whose name LD_PRELOAD cannot hold. */
static void lies_in_any_folder(void **state)
{
    static const char script[] =
        "d=$(mktemp -d)/\"$1\"; mkdir -p \"$d\" && cp \"$0\" \"$d/vesim\" && "
        "cp \"${0%/*}/libvesim.so\" \"$d/\" && "
        "\"$d/vesim\" -- cat /sys/class/drm/card0/gt_max_freq_mhz; s=$?; rm -r \"${d%/*}\"; exit "
        "$s";
    static const char *const names[] = {"a b", "a:c", "dol$LIB", "${ORIGIN}", "$"};

    (void)state;
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        char *const argv[] = {"/bin/sh", "-c", (char *)script, vesim, (char *)names[i], NULL};

        assert_int_equal(process_run(argv, NULL, out_path, err_path), 0);
        free(out);
        out = process_read_file(out_path);
        assert_string_equal(out, "2450\n");
    }
}

static void makes_the_counters_file(void **state)
{
    char path[] = "/tmp/vesim-counters-XXXXXX";

    (void)state;
    close(mkstemp(path));
    expect_usage_error(RUN("--counters", path, "--", "true"), "File exists");
    unlink(path);
    expect_usage_error(RUN("--counters", "/not/there/x", "--", "true"), "cannot create");
    expect_usage_error(RUN("--counters", path), "no program");
    assert_int_equal(RUN("--counters", path, "--", "sh", "-c", "cd /; echo $VESIM_COUNTERS"), 0);
    assert_ptr_equal(strstr(out, path), out);
    assert_int_equal(unlink(path), 0); /* it is there, and a program without launches leaves it */
}

static void keeps_other_preloads(void **state)
{
    /* the second for a vesim that is itself built with the sanitizer */
    const char *const environment[] = {"LD_PRELOAD=libdl.so.2",
                                       "ASAN_OPTIONS=verify_asan_link_order=0", NULL};

    (void)state;
    assert_int_equal(run(environment, (char *[]){"--", "sh", "-c", "echo $LD_PRELOAD", NULL}), 0);
    assert_non_null(strstr(out, "libvesim.so:libdl.so.2\n"));
}

/* A description made of what --describe prints of the Iris Xe. */
static void write_description(const char *path)
{
    FILE *file = fopen(path, "w");
    char *next, name[64], value[32], unit[32];

    assert_non_null(file);
    assert_int_equal(RUN("--describe", "iris-xe"), 0);
    fprintf(file, "name = mine\ntitle = My own\narchitecture = gen12lp\n");
    for (char *line = out; (next = strchr(line, '\n')); line = next + 1) {
        *next = '\0';
        if (strncmp(line, "  ", 2) == 0 &&
            sscanf(line, "  %63[a-z0-9_] %31[x0-9a-f] %31s", name, value, unit) == 3)
            fprintf(file, "%s = %s %s | the test\n", name, value, unit);
    }
    fclose(file);
}

static void takes_a_users_file(void **state)
{
    char path[] = "/dev/shm/vesim-device-XXXXXX"; /* below /dev, where the library looks twice */
    int fd = mkstemp(path);

    (void)state;
    close(fd);
    assert_true(fd >= 0);
    expect_usage_error(RUN("--device", path, "--", "true"), "'name' is missing");
    assert_int_equal(RUN("--describe", "a380"), 0);
    write_description(path);
    assert_int_equal(RUN("--device", path, "--", "cat", "/sys/class/drm/card0/gt_max_freq_mhz"), 0);
    assert_string_equal(out, "1350\n");
    unlink(path);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tells_usage_errors),
        cmocka_unit_test(prints_devices),
        cmocka_unit_test(says_that_output_is_full),
        cmocka_unit_test(becomes_the_program),
        cmocka_unit_test(keeps_other_preloads),
        cmocka_unit_test(takes_a_users_file),
        cmocka_unit_test(makes_the_counters_file),
        cmocka_unit_test(hands_on_compiling),
        cmocka_unit_test(hands_on_the_threads),
        cmocka_unit_test(hands_on_the_time_limit),
        cmocka_unit_test(hands_on_what_to_do_after_a_hang),
        cmocka_unit_test(lies_in_any_folder),
        cmocka_unit_test(tells_of_a_lost_preload),
        cmocka_unit_test(tells_of_programs_without_a_loader),
    };

    if (argc != 3)
        return 2;
    vesim = argv[1];
    static_program = argv[2];
    close(mkstemp(out_path));
    close(mkstemp(err_path));
    int failures = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(out_path);
    unlink(err_path);
    free(out);
    free(err);
    return failures;
}
