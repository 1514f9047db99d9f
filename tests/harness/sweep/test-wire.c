/* Messages between a sweep and its workers arrive whole and in order, however they are split. */
#include "test.h"

#include "ranks/wire.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define LARGE_BYTES 300001u

static int sockets[2];

static int open_sockets(void **state)
{
    (void)state;
    return socketpair(AF_UNIX, SOCK_STREAM, 0, sockets);
}

static int close_sockets(void **state)
{
    (void)state;
    close(sockets[0]);
    close(sockets[1]);
    return 0;
}

static void test_small_and_empty_messages(void **state)
{
    struct wire_buffer buffer = {0};
    struct wire_message message;

    (void)state;
    assert_false(wire_next(&buffer, &message));
    assert_true(wire_send(sockets[0], WIRE_ORDER, "abc", 3));
    assert_true(wire_send(sockets[0], WIRE_MEASURE, NULL, 0));
    assert_true(wire_send_parts(sockets[0], WIRE_BUILD, "de", 2, "fg", 2));
    assert_true(wire_fill(&buffer, sockets[1], true));
    assert_true(wire_next(&buffer, &message));
    assert_int_equal(message.kind, WIRE_ORDER);
    assert_int_equal(message.bytes, 3);
    assert_memory_equal(message.data, "abc", 3);
    assert_int_equal((uintptr_t)message.data % 16, 0);
    assert_true(wire_next(&buffer, &message));
    assert_int_equal(message.kind, WIRE_MEASURE);
    assert_int_equal(message.bytes, 0);
    assert_true(wire_next(&buffer, &message));
    assert_memory_equal(message.data, "defg", 4);
    assert_false(wire_next(&buffer, &message));
    /* Nothing has arrived, and nothing has ended. */
    assert_true(wire_fill(&buffer, sockets[1], false));
    assert_false(wire_next(&buffer, &message));
    wire_free(&buffer);
}

static void *send_large(void *bytes)
{
    wire_send(sockets[0], WIRE_TEXT, bytes, LARGE_BYTES);
    wire_send(sockets[0], WIRE_DONE, "x", 1);
    return NULL;
}

/* Longer than a socket holds, so it comes in pieces. */
static void test_large_message(void **state)
{
    unsigned char *bytes = malloc(LARGE_BYTES);
    struct wire_buffer buffer = {0};
    struct wire_message message;
    pthread_t thread;

    (void)state;
    assert_non_null(bytes);
    for (size_t i = 0; i < LARGE_BYTES; i++)
        bytes[i] = (unsigned char)(i * 7);
    assert_int_equal(pthread_create(&thread, NULL, send_large, bytes), 0);
    while (!wire_next(&buffer, &message))
        assert_true(wire_fill(&buffer, sockets[1], true));
    assert_int_equal(message.bytes, LARGE_BYTES);
    assert_memory_equal(message.data, bytes, LARGE_BYTES);
    pthread_join(thread, NULL);
    while (!wire_next(&buffer, &message))
        assert_true(wire_fill(&buffer, sockets[1], true));
    assert_int_equal(message.kind, WIRE_DONE);
    wire_free(&buffer);
    free(bytes);
}

/* What came before the end can still be read; half a message is not one. */
static void test_end(void **state)
{
    struct wire_buffer buffer = {0};
    struct wire_message message;

    (void)state;
    assert_true(wire_send(sockets[0], WIRE_DONE, "x", 1));
    assert_int_equal(write(sockets[0], "half of a header", 9), 9);
    shutdown(sockets[0], SHUT_WR);
    while (wire_fill(&buffer, sockets[1], true))
        ;
    assert_true(wire_next(&buffer, &message));
    assert_int_equal(message.kind, WIRE_DONE);
    assert_false(wire_next(&buffer, &message));
    wire_free(&buffer);
    /* Without a receiver: false, and no signal. */
    close(sockets[1]);
    assert_false(wire_send(sockets[0], WIRE_DONE, "x", 1));
    sockets[1] = dup(sockets[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_small_and_empty_messages, open_sockets, close_sockets),
        cmocka_unit_test_setup_teardown(test_large_message, open_sockets, close_sockets),
        cmocka_unit_test_setup_teardown(test_end, open_sockets, close_sockets),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
