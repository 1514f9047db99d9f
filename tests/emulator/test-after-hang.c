/* A process whose GPU has hung: it ends by itself, with the errors that the driver tells it of, or
 * goes on, or is ended once it only waits for what was lost.
 *     test-after-hang VESIM DEVICE SPIRV_FILE LEVEL_ZERO_LOST [OPENCL_LOST spins|returns]
 * The last says what the driver does behind a read that the hang has met. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "preload/after-hang.h"
#include "process.h"

/* Longer than a driver asks in vain, half a second at a time, and shorter than the pauses of the
 * programs. */
#define SHORT_LIMIT "6"

static const char *vesim, *device, *spirv, *level_zero, *opencl, *behind_a_read;
static char out_path[] = "/tmp/vesim-out-XXXXXX", err_path[] = "/tmp/vesim-err-XXXXXX";
static char *out, *err;

static void read_answers(void)
{
    free(out);
    free(err);
    out = process_read_file(out_path);
    err = process_read_file(err_path);
    assert_non_null(out);
    assert_non_null(err);
}

/* The command line of vesim, with up to two options, and of a program with its argument; `mode`
 * with the file before it if the program takes one. */
static void fill_command(const char **argv, const char *const *options, const char *program,
                         const char *mode)
{
    const char *const head[] = {vesim, "--quiet", "--device", device};
    size_t count = 0;

    for (size_t i = 0; i < sizeof(head) / sizeof(*head); i++)
        argv[count++] = head[i];
    for (; options && *options; options++)
        argv[count++] = *options;
    argv[count++] = "--";
    argv[count++] = program;
    if (program == level_zero)
        argv[count++] = spirv;
    argv[count++] = mode;
    argv[count] = NULL;
}

static void run(const char *const *options, const char *program, const char *mode, int expected)
{
    const char *argv[16];

    fill_command(argv, options, program, mode);
    int status = process_run((char **)argv, NULL, out_path, err_path);
    read_answers();
    if (status != expected) {
        process_show_file(out_path);
        process_show_file(err_path);
    }
    assert_int_equal(status, expected);
}

#define OPTIONS(...) ((const char *const[]){__VA_ARGS__, NULL})

/* The last lines say that the process was ended, and repeat the report of the hang. */
static void assert_ended(const char *seconds)
{
    char line[128], hang[128];

    snprintf(line, sizeof(line), "vesim: for %s seconds process ", seconds);
    snprintf(hang, sizeof(hang), "vesim: %s: GPU hang: ", device);
    const char *ended = strstr(err, line), *report = ended ? strchr(ended, '\n') + 1 : "";
    if (!ended || !strstr(ended, "it ends with status 122 (--after-hang sets another time)"))
        fail_msg("not said that it was ended: %s", err);
    assert_true(report < strstr(report, " unmapped address 0xdead0000"));
    for (; *report; report = strchr(report, '\n') + 1)
        assert_ptr_equal(strstr(report, hang), report);
    assert_null(strstr(out, "alive"));
    assert_non_null(strstr(out, "started\n"));
}

static void errors_are_told(void **state)
{
    (void)state;
    run(NULL, level_zero, "error", 0);
    assert_string_equal(out, "started\ndevice lost\nalive\n");
    assert_null(strstr(err, "has only waited"));
}

/* The driver has one context of the kernel for all of the program's, and that is lost. */
static void a_new_context_is_refused_or_works(void **state)
{
    (void)state;
    run(NULL, level_zero, "again", 0);
    assert_ptr_equal(strstr(out, "started\ndevice lost\nagain 0x"), out);
    assert_non_null(strstr(out, "\nalive\n"));
}

static void another_queue_goes_on(void **state)
{
    (void)state;
    const char *argv[16];

    fill_command(argv, OPTIONS("--after-hang", SHORT_LIMIT), level_zero, "beside");
    int status = process_run((char **)argv, NULL, out_path, err_path);
    read_answers();
    if (status == 77) {
        assert_non_null(strstr(out, "skipped: a device with one engine"));
        skip();
    }
    assert_int_equal(status, 0);
    assert_string_equal(out, "started\ndevice lost\nalive\n");
}

static void a_program_may_yield(void **state)
{
    (void)state;
    run(OPTIONS("--after-hang", SHORT_LIMIT), level_zero, "yield", 0);
    assert_string_equal(out, "started\ndevice lost\nalive\n");
}

static void a_poll_is_ended(void **state)
{
    (void)state;
    run(OPTIONS("--after-hang", "1"), level_zero, "poll", AFTER_HANG_STATUS);
    assert_ended("1");
    assert_null(strstr(err, "for ever"));
    /* Long enough for a driver that asks every half second. */
    run(OPTIONS("--time-limit", "1"), level_zero, "poll", AFTER_HANG_STATUS);
    assert_ended("5");
}

static void a_long_poll_is_announced(void **state)
{
    (void)state;
    run(OPTIONS("--after-hang", "7"), level_zero, "poll", AFTER_HANG_STATUS);
    assert_ended("7");
    const char *said =
        strstr(err, "it waits for ever, as on hardware: after 7 seconds it is ended");
    assert_non_null(said);
    assert_null(strstr(strchr(said, '\n'), "for ever"));
}

static void one_may_wait(void **state)
{
    const char *argv[16];
    int left = 600;

    (void)state;
    fill_command(argv, OPTIONS("--after-hang", "wait", "--time-limit", "1"), level_zero, "poll");
    int process = process_start((char **)argv, NULL, out_path, err_path);
    assert_true(process > 0);
    while (!process_file_says(err_path, "for ever, as on hardware: end it") && left-- > 0)
        nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
    kill(process, SIGTERM);
    assert_int_equal(process_wait(process), 128 + SIGTERM);
    assert_true(left > 0);
}

static void children_are_on_their_own(void **state)
{
    (void)state;
    run(OPTIONS("--after-hang", SHORT_LIMIT), level_zero, "fork", 0);
    assert_string_equal(out, "started\nchild 0: status 122\nchild 1: status 0\n");
}

static void stacks_are_printed(void **state)
{
    (void)state;
    run(OPTIONS("--after-hang", "1", "--gdb"), level_zero, "poll", AFTER_HANG_STATUS);
    assert_ended("1");
    if (strstr(err, "cannot run gdb") || strstr(err, "ptrace: Operation not permitted"))
        skip();
    assert_non_null(strstr(err, "\nThread 1 "));
    assert_non_null(strstr(err, "main ("));
}

/* Where the system leaves it is the system's business. AddressSanitizer would forbid cores. */
static void a_core_is_left(void **state)
{
    char command[4096];
    const char *options = getenv("ASAN_OPTIONS");
    char *const shell[] = {"/bin/sh", "-c", command, NULL};

    (void)state;
    snprintf(command, sizeof(command),
             "ulimit -c unlimited && folder=$(mktemp -d) && cd \"$folder\" && { "
             "ASAN_OPTIONS='%s:disable_coredump=0' '%s' --quiet --device '%s' --after-hang 1 -- "
             "'%s' '%s' poll; status=$?; rm -r \"$folder\"; exit $status; }",
             options ? options : "", vesim, device, level_zero, spirv);
    int status = process_run(shell, NULL, out_path, err_path);
    read_answers();
    if (strstr(err, "ulimit"))
        skip();
    assert_int_equal(status, AFTER_HANG_STATUS);
    assert_ended("1");
    assert_true(strstr(err, "is a copy of process ") || strstr(err, "the system wrote no core"));
}

static void a_read_that_met_the_hang(void **state)
{
    (void)state;
    if (!opencl)
        skip();
    if (strcmp(behind_a_read, "spins") == 0) {
        run(OPTIONS("--after-hang", SHORT_LIMIT), opencl, "read", AFTER_HANG_STATUS);
        assert_ended(SHORT_LIMIT);
        assert_non_null(strstr(out, "\nread -5\n")); /* CL_OUT_OF_RESOURCES */
    } else {
        run(NULL, opencl, "read", 0);
        assert_non_null(strstr(out, "\nalive\n"));
    }
    assert_non_null(strstr(err, "GPU hang: store to unmapped address 0xdead0000"));
}

static void a_finish_that_met_the_hang(void **state)
{
    (void)state;
    if (!opencl)
        skip();
    run(NULL, opencl, "finish", 0);
    assert_string_equal(out, "started\nfinish -5\nalive\n");
}

/* The driver yields while it is asked. */
static void an_event_that_met_the_hang(void **state)
{
    (void)state;
    if (!opencl)
        skip();
    run(OPTIONS("--after-hang", "1"), opencl, "event", AFTER_HANG_STATUS);
    assert_ended("1");
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_are_told),
        cmocka_unit_test(a_new_context_is_refused_or_works),
        cmocka_unit_test(another_queue_goes_on),
        cmocka_unit_test(a_program_may_yield),
        cmocka_unit_test(a_poll_is_ended),
        cmocka_unit_test(a_long_poll_is_announced),
        cmocka_unit_test(one_may_wait),
        cmocka_unit_test(children_are_on_their_own),
        cmocka_unit_test(stacks_are_printed),
        cmocka_unit_test(a_core_is_left),
        cmocka_unit_test(a_read_that_met_the_hang),
        cmocka_unit_test(a_finish_that_met_the_hang),
        cmocka_unit_test(an_event_that_met_the_hang),
    };

    if (argc != 5 && argc != 7)
        return 2;
    vesim = realpath(argv[1], NULL);
    device = argv[2];
    spirv = realpath(argv[3], NULL);
    level_zero = realpath(argv[4], NULL);
    if (!vesim || !spirv || !level_zero)
        return 2;
    opencl = argc == 7 ? argv[5] : NULL;
    behind_a_read = argc == 7 ? argv[6] : NULL;
    close(mkstemp(out_path));
    close(mkstemp(err_path));
    int status = cmocka_run_group_tests(tests, NULL, NULL);
    free(out);
    free(err);
    unlink(out_path);
    unlink(err_path);
    return status;
}
