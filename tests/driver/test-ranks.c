/*
 * vebench run --mpi as rank 1 of two, where the test keeps its place among them: what a rank says
 * when it is not like rank 0.
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

#include "ranks/messages.h"
#include "ranks/wire.h"
#include "sweep/gpu.h"

#include "process.h"

static const char *device;

/* Both agreements are answered before rank 1 asks: in the first it hears of rank 0, and what it
 * says in the second is to be seen. */
static void answer(int stream, const struct rank_hello *root)
{
    struct wire_agreed agreed = {{STATUS_OK, ""}, WIRE_NOBODY};

    assert_true(wire_send_parts(stream, WIRE_AGREE, &agreed, sizeof(agreed), root, sizeof(*root)));
    error_set(&agreed.error, STATUS_FAILED, "somebody refuses");
    assert_true(wire_send(stream, WIRE_AGREE, &agreed, sizeof(agreed)));
}

static int run_rank_1(int stream)
{
    char ranks[40];
    const char *const environment[] = {ranks, NULL};
    char *words[] = {getenv("VESIM"),   "--device", (char *)device, "--",
                     getenv("VEBENCH"), "run",      "barrier",      "--variant",
                     "work_group_none", "-q",       "--output",     "ranks.csv",
                     "--mpi",           NULL};

    snprintf(ranks, sizeof(ranks), "VEBENCH_RANKS=1 2 1 2 0 %d", stream);
    remove("ranks.csv");
    return process_run(words, environment, "ranks.out", "ranks.out");
}

/* The second thing that it says. */
static struct error second_word(int stream)
{
    struct wire_buffer in = {0};
    struct wire_message message;
    struct wire_agree agree = {.is_last = false};

    assert_true(wire_fill(&in, stream, true));
    for (int i = 0; i < 2; i++) {
        while (!wire_next(&in, &message))
            assert_true(wire_fill(&in, stream, true));
        assert_int_equal(message.kind, WIRE_AGREE);
        assert_true(message.bytes >= sizeof(agree));
        memcpy(&agree, message.data, sizeof(agree));
    }
    wire_free(&in);
    return agree.error;
}

static void assert_refuses(const struct rank_hello *root, enum status status, const char *text)
{
    int sockets[2];

    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets), 0);
    answer(sockets[0], root);
    assert_int_equal(run_rank_1(sockets[1]), 1);
    const struct error error = second_word(sockets[0]);
    assert_int_equal(error.status, status);
    assert_non_null(strstr(error.text, text));
    assert_int_equal(access("ranks.csv", F_OK), -1);
    close(sockets[0]);
    close(sockets[1]);
}

static void test_other_words(void **state)
{
    struct rank_hello root;

    (void)state;
    rank_hello_fill(&root, 1); /* of no command line, as far as anybody knows */
    assert_refuses(&root, STATUS_USAGE, "was started with other words than rank 0");
}

static void test_another_version(void **state)
{
    struct rank_hello root;

    (void)state;
    rank_hello_fill(&root, 1);
    snprintf(root.version, sizeof(root.version), "0.0");
    assert_refuses(&root, STATUS_FAILED, "runs another vebench");
}

/* A member that is gone ends the rank, which nobody could hear any more. */
static void test_no_member(void **state)
{
    int sockets[2];

    (void)state;
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets), 0);
    close(sockets[0]);
    assert_int_equal(run_rank_1(sockets[1]), 1);
    close(sockets[1]);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_other_words),
        cmocka_unit_test(test_another_version),
        cmocka_unit_test(test_no_member),
    };

    if (argc != 2)
        return 2;
    device = argv[1];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
