/*
 * vebench run --mpi as rank 0 of two, where the test is rank 1: what follows a message that is
 * refused does not count, even if it has arrived with it.
 *
 * Argument: the emulated device.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "sweep/ranks.h"
#include "sweep/wire.h"

#include "process.h"

static const char *device;

/* Rank 1 says all it has to say before rank 0 listens. */
static void speak(int stream, const struct rank_hello *hello)
{
    struct target target;

    memset(&target, 0, sizeof(target));
    target.kind = DEVICE_EMULATED;
    target.is_deterministic = true;
    assert_true(wire_send(stream, WIRE_HELLO, hello, sizeof(*hello)));
    assert_true(wire_send(stream, WIRE_TARGET, &target, sizeof(target)));
}

static int run_rank_0(int stream)
{
    char ranks[40];
    const char *const environment[] = {ranks, NULL};
    char *words[] = {getenv("VESIM"),   "--device", (char *)device, "--",
                     getenv("VEBENCH"), "run",      "barrier",      "--variant",
                     "work_group_none", "-q",       "--output",     "ranks.csv",
                     "--mpi",           NULL};

    snprintf(ranks, sizeof(ranks), "VEBENCH_RANKS=0 2 0 2 %d", stream);
    remove("ranks.csv");
    return process_run(words, environment, "ranks.out", "ranks.out");
}

static void assert_refused(const struct rank_hello *hello, int code, const char *text)
{
    int sockets[2];

    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets), 0);
    speak(sockets[0], hello);
    assert_int_equal(run_rank_0(sockets[1]), code);
    close(sockets[0]);
    close(sockets[1]);
    assert_true(process_file_says("ranks.out", text));
}

static void test_other_words(void **state)
{
    struct rank_hello hello;

    (void)state;
    rank_hello_fill(&hello, 1); /* of no command line, as far as anybody knows */
    assert_refused(&hello, 2, "was started with other words than rank 0");
}

static void test_another_version(void **state)
{
    struct rank_hello hello;

    (void)state;
    rank_hello_fill(&hello, 1);
    snprintf(hello.version, sizeof(hello.version), "0.0");
    assert_refused(&hello, 1, "rank 1 runs another vebench than");
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_other_words),
        cmocka_unit_test(test_another_version),
    };

    if (argc != 2)
        return 2;
    device = argv[1];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
