/* The software scoreboard: distances in each pipe and over all, tokens, interlocked registers. */
#include "test.h"

#include <string.h>

#include "timing/scoreboard.h"

static struct scoreboard board;
static bool single_pipe;

static int reset(void **state)
{
    (void)state;
    memset(&board, 0, sizeof(board));
    single_pipe = false;
    return 0;
}

static void issue(enum pipe pipe, uint64_t done)
{
    struct issue record = issue_of(&(struct inst){.pipe = (uint8_t)pipe}, single_pipe);

    scoreboard_issue(&board, &record, done);
}

static struct inst at_distance(enum pipe pipe, enum distance_pipe of, unsigned distance)
{
    return (struct inst){
        .pipe = (uint8_t)pipe,
        .scoreboard = {.distance_pipe = (uint8_t)of, .distance = (uint8_t)distance}};
}

static struct inst with_token(enum token_use use, unsigned token)
{
    return (struct inst){.pipe = PIPE_SEND,
                         .scoreboard = {.token_use = (uint8_t)use, .token = (uint8_t)token}};
}

static uint64_t ready_from(struct inst inst, uint64_t now)
{
    struct issue record = issue_of(&inst, single_pipe);

    return scoreboard_ready(&board, &record, now);
}

static void expect(struct inst inst, uint64_t ready)
{
    assert_int_equal(ready_from(inst, 5), ready);
}

static void expect_cause(struct inst inst, uint64_t now, enum scoreboard_cause cause)
{
    struct issue record = issue_of(&inst, single_pipe);

    assert_int_equal(scoreboard_cause(&board, &record, now), cause);
}

static void test_distance_in_each_pipe(void **state)
{
    (void)state;
    issue(PIPE_FLOAT, 100);
    issue(PIPE_INTEGER, 200);
    issue(PIPE_FLOAT, 110);
    issue(PIPE_LONG, 300);
    issue(PIPE_INTEGER, 210);
    expect(at_distance(PIPE_FLOAT, DISTANCE_FLOAT, 1), 110);
    expect(at_distance(PIPE_FLOAT, DISTANCE_FLOAT, 2), 100);
    expect(at_distance(PIPE_FLOAT, DISTANCE_FLOAT, 3), 5); /* there were only two */
    expect(at_distance(PIPE_FLOAT, DISTANCE_INTEGER, 1), 210);
    expect(at_distance(PIPE_FLOAT, DISTANCE_INTEGER, 2), 200);
    expect(at_distance(PIPE_SEND, DISTANCE_LONG, 1), 300);
    expect(at_distance(PIPE_SEND, DISTANCE_ALL, 1), 300);
    expect(at_distance(PIPE_SEND, DISTANCE_ALL, 2), 200); /* the later of 100, 200 and none */
    expect(at_distance(PIPE_INTEGER, DISTANCE_OWN, 1), 210);
    expect(at_distance(PIPE_LONG, DISTANCE_OWN, 1), 300);
    expect(at_distance(PIPE_SEND, DISTANCE_OWN, 1), 5); /* which has no in-order pipe */
}

/* Gen12LP counts over all in-order instructions, whatever their pipe. */
static void test_distance_over_one_pipe(void **state)
{
    (void)state;
    single_pipe = true;
    issue(PIPE_FLOAT, 100);
    issue(PIPE_MATH, 900); /* not in order: not counted */
    issue(PIPE_INTEGER, 200);
    issue(PIPE_FLOAT, 110);
    struct inst inst = at_distance(PIPE_FLOAT, DISTANCE_NONE, 1);
    assert_int_equal(ready_from(inst, 5), 110);
    inst.scoreboard.distance = 2;
    assert_int_equal(ready_from(inst, 5), 200);
    inst.scoreboard.distance = 3;
    assert_int_equal(ready_from(inst, 5), 100);
    assert_int_equal(ready_from(inst, 150), 150);
}

static void test_the_longest_distance(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 20; i++)
        issue(PIPE_INTEGER, 100 + i);
    for (unsigned distance = 1; distance <= 7; distance++)
        expect(at_distance(PIPE_INTEGER, DISTANCE_INTEGER, distance), 120 - distance);
}

static void test_tokens(void **state)
{
    (void)state;
    scoreboard_token(&board, 3, 40, 90);
    scoreboard_token(&board, 31, 60, 70);
    expect(with_token(TOKEN_SOURCE, 3), 40);
    expect(with_token(TOKEN_DESTINATION, 3), 90);
    expect(with_token(TOKEN_SET, 3), 90); /* its last holder has to be done */
    expect(with_token(TOKEN_SOURCE, 31), 60);
    expect(with_token(TOKEN_DESTINATION, 31), 70);
    expect(with_token(TOKEN_DESTINATION, 4), 5);
    expect(with_token(TOKEN_NONE, 3), 5);
    struct inst sync = {.opcode = OP_sync, .pipe = PIPE_NONE, .function = SYNC_ALLRD};
    expect(sync, 60);
    sync.function = SYNC_ALLWR;
    expect(sync, 90);
    assert_int_equal(ready_from(sync, 95), 95);
    expect_cause(sync, 5, SCOREBOARD_CAUSE_NONE);
}

static void test_interlocked_registers(void **state)
{
    (void)state;
    board.flags[1] = 30;
    board.accumulators[2] = 20;
    board.accumulators[7] = 25;
    board.address = 10;
    expect((struct inst){.flags_read = 2}, 30);
    expect((struct inst){.flags_read = 0xd}, 5);
    expect((struct inst){.accumulators_read = 4}, 20);
    expect((struct inst){.accumulators_read = 0x84}, 25);
    expect((struct inst){.accumulators_read = 0x7b}, 5);
    expect((struct inst){.reads_address = true}, 10);
    expect((struct inst){.reads_address = true, .accumulators_read = 4}, 20);
    expect((struct inst){0}, 5);
}

static void test_cause(void **state)
{
    (void)state;
    issue(PIPE_FLOAT, 50);
    scoreboard_token(&board, 1, 40, 90);
    board.flags[0] = 70;
    struct inst inst = at_distance(PIPE_FLOAT, DISTANCE_FLOAT, 1);
    expect_cause(inst, 5, SCOREBOARD_CAUSE_DISTANCE);
    expect_cause(inst, 50, SCOREBOARD_CAUSE_NONE);
    inst.flags_read = 1; /* the last of them delays it */
    expect_cause(inst, 5, SCOREBOARD_CAUSE_REGISTER);
    inst.scoreboard.token_use = TOKEN_DESTINATION;
    inst.scoreboard.token = 1;
    expect_cause(inst, 5, SCOREBOARD_CAUSE_TOKEN);
    inst.scoreboard.token_use = TOKEN_SOURCE;
    expect_cause(inst, 5, SCOREBOARD_CAUSE_REGISTER);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_distance_in_each_pipe, reset),
        cmocka_unit_test_setup(test_distance_over_one_pipe, reset),
        cmocka_unit_test_setup(test_the_longest_distance, reset),
        cmocka_unit_test_setup(test_tokens, reset),
        cmocka_unit_test_setup(test_interlocked_registers, reset),
        cmocka_unit_test_setup(test_cause, reset),
    };

    return cmocka_run_group_tests_name("scoreboard", tests, NULL, NULL);
}
