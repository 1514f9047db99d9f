/* Kernels that hang: the driver tells the program that its device is lost, stderr tells the user
 * what happened, where, and at which instruction, and the program lives on.
 *     test-hang VESIM DEVICE HANG_PROGRAM SPIRV_FILE */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "process.h"

static char **arguments;
static const char few_instructions[] = "VESIM_INSTRUCTION_LIMIT=100000";

/* Runs the kernel with a limit, as the environment says it; returns what stderr says of it, for the
 * caller to free. */
static char *run_kernel(const char *kernel, const char *limit)
{
    const char *const environment[] = {limit, NULL};
    char *const argv[] = {arguments[0], "--device",   arguments[1],   "--",
                          arguments[2], arguments[3], (char *)kernel, NULL};
    char out[256], err[256];

    snprintf(out, sizeof(out), "hang-%s-%s.out", arguments[1], kernel);
    snprintf(err, sizeof(err), "hang-%s-%s.err", arguments[1], kernel);
    int status = process_run(argv, environment, out, err);
    char *answers = process_read_file(out), *messages = process_read_file(err);

    if (!answers || !messages)
        abort();
    if (status || !strstr(answers, "alive")) {
        process_show_file(out);
        process_show_file(err);
    }
    assert_int_equal(status, 0);
    /* ZE_RESULT_ERROR_DEVICE_LOST, and after it nothing more is taken. */
    assert_ptr_equal(strstr(answers, "execute 0x0\nsynchronize 0x70000001\n"), answers);
    assert_null(strstr(answers, "synchronize 0x0\n"));
    assert_non_null(strstr(answers, "\nalive\n"));
    free(answers);
    return messages;
}

static void assert_says(const char *messages, const char *what)
{
    if (strstr(messages, what))
        return;
    fputs(messages, stderr);
    fail_msg("stderr does not say '%s'", what);
}

static void names_a_bad_store(void **state)
{
    char *messages = run_kernel("bad_pointer", few_instructions);

    (void)state;
    assert_says(messages, arguments[1]);
    assert_says(messages, "GPU hang: store to unmapped address 0xdead0000: kernel at 0x");
    assert_says(messages, "instruction at +0x");
    assert_says(messages, ") send.");
    free(messages);
}

static void names_an_endless_loop(void **state)
{
    char *messages = run_kernel("endless_loop", few_instructions);

    (void)state;
    assert_says(messages, "GPU hang: still running after 100000 instructions");
    assert_says(messages, "VESIM_INSTRUCTION_LIMIT");
    assert_says(messages, "instruction at +0x");
    assert_says(messages, "|M"); /* of the disassembled line: (16|M0) or so */
    free(messages);
}

static void names_a_loop_that_only_waits(void **state)
{
    char *messages = run_kernel("endless_loop", "VESIM_POLL_LIMIT=0.5");

    (void)state;
    assert_says(messages, "GPU hang: endless loop: for 0.5 seconds the threads that run (");
    assert_says(messages, "only wait for memory to change (VESIM_POLL_LIMIT sets another limit)");
    assert_says(messages, "instruction at +0x");
    free(messages);
}

static void names_the_time_limit(void **state)
{
    char *messages = run_kernel("endless_loop", "VESIM_TIME_LIMIT=0.5");

    (void)state;
    assert_says(messages, "GPU hang: still running after 0.5 seconds (--time-limit sets another");
    free(messages);
}

static void names_a_lost_page(void **state)
{
    char *messages = run_kernel("lost_page", few_instructions);

    (void)state;
    assert_says(messages, "GPU hang: kernel at 0x");
    assert_says(messages, ": access to 0x");
    assert_says(messages, "memory of the program that it has unmapped or protected");
    free(messages);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_a_bad_store),
        cmocka_unit_test(names_an_endless_loop),
        cmocka_unit_test(names_a_loop_that_only_waits),
        cmocka_unit_test(names_the_time_limit),
        cmocka_unit_test(names_a_lost_page),
    };

    if (argc != 5)
        return 2;
    arguments = argv + 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
