/* Messages between a sweep and its workers arrive whole and in order, however they are split. */
#include "test.h"

#include "ranks/wire.h"
#include "sweep/module-messages.h"

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

static void next(struct wire_buffer *buffer, enum wire_kind kind, struct wire_message *message)
{
    while (!wire_next(buffer, message))
        assert_true(wire_fill(buffer, sockets[1], true));
    assert_int_equal(message->kind, kind);
}

/* Machine code, a refusal and one with kernels that count arrive in their places; what belongs to
 * no build of the image is refused. */
static void test_modules(void **state)
{
    static struct module_image sent = {.build_count = 3}, got = {.build_count = 3};
    static unsigned char native[] = "machine code", counting[] = "counts";
    struct wire_buffer buffer = {0};
    struct wire_message message;

    (void)state;
    sent.builds[0] = (struct module_build){
        .state = BUILD_NATIVE, .native = native, .native_bytes = sizeof(native)};
    sent.builds[1] = (struct module_build){.state = BUILD_FAILED, .reason = "no such kernel"};
    sent.builds[2].state = BUILD_PLAIN;
    sent.counting[2] = (struct module_build){
        .state = BUILD_NATIVE, .native = counting, .native_bytes = sizeof(counting)};
    got.builds[1].native = malloc(8); /* of before */
    got.builds[1].native_bytes = 8;
    assert_true(module_image_send(&sent, sockets[0]));
    for (unsigned i = 0; i < 4; i++) {
        next(&buffer, WIRE_BUILD, &message);
        assert_true(module_image_receive(&got, message.data, message.bytes));
    }
    assert_false(wire_next(&buffer, &message));
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(got.builds[i].state, sent.builds[i].state);
        assert_string_equal(got.builds[i].reason, sent.builds[i].reason);
        assert_int_equal(got.builds[i].native_bytes, sent.builds[i].native_bytes);
    }
    assert_memory_equal(got.builds[0].native, native, sizeof(native));
    assert_null(got.builds[1].native);
    assert_int_equal(got.counting[0].state, BUILD_NONE);
    assert_int_equal(got.counting[2].native_bytes, sizeof(counting));
    assert_memory_equal(got.counting[2].native, counting, sizeof(counting));

    struct wire_build head = {.index = 3};
    assert_false(module_image_receive(&got, &head, sizeof(head)));
    head.index = BUILDS_MAX + 3;
    assert_false(module_image_receive(&got, &head, sizeof(head)));
    head.index = 2 * BUILDS_MAX;
    assert_false(module_image_receive(&got, &head, sizeof(head)));
    head.index = 2;
    assert_false(module_image_receive(&got, &head, sizeof(head) - 1));
    assert_true(module_image_receive(&got, &head, sizeof(head)));
    module_image_free(&got);
    wire_free(&buffer);
}

/* The lead that arrives is not compiled again. */
static void test_lead(void **state)
{
    static unsigned char native[] = "spin";
    static struct lead_image sent = {
        .source = 1,
        .build = {.state = BUILD_NATIVE, .native = native, .native_bytes = sizeof(native)}};
    static struct lead_image got;
    struct wire_build head = {.index = 1000};
    struct wire_buffer buffer = {0};
    struct wire_message message;

    (void)state;
    assert_true(lead_image_send(&sent, sockets[0]));
    next(&buffer, WIRE_LEAD, &message);
    assert_false(lead_image_receive(&got, &head, sizeof(head)));
    assert_false(lead_image_receive(&got, &head, sizeof(head) - 1));
    assert_false(got.compiled);
    assert_true(lead_image_receive(&got, message.data, message.bytes));
    assert_true(got.compiled);
    assert_int_equal(got.source, 1);
    assert_int_equal(got.build.state, BUILD_NATIVE);
    assert_memory_equal(got.build.native, native, sizeof(native));
    lead_image_free(&got);
    wire_free(&buffer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_small_and_empty_messages, open_sockets, close_sockets),
        cmocka_unit_test_setup_teardown(test_large_message, open_sockets, close_sockets),
        cmocka_unit_test_setup_teardown(test_end, open_sockets, close_sockets),
        cmocka_unit_test_setup_teardown(test_modules, open_sockets, close_sockets),
        cmocka_unit_test_setup_teardown(test_lead, open_sockets, close_sockets),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
