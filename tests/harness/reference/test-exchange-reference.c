/* The host reference of family `exchange` against values worked out by hand. */
#include "test.h"

#include "families/exchange/exchange-reference.h"

enum { LANES = 8 };

static const uint32_t source[LANES] = {5, 0, 7, 1, 3, 2, 4, 6};

/* After one iteration of lanes that send their number and add nothing, lane l holds expected[l]. */
static void assert_moves(enum movement movement, const uint64_t *expected)
{
    struct chain_lane lane[LANES] = {{0}};

    for (unsigned l = 0; l < LANES; l++)
        lane[l].x = l;
    exchange_reference(movement, 32, LANES, 1, source, lane);
    for (unsigned l = 0; l < LANES; l++)
        assert_int_equal(lane[l].x, expected[l]);
}

/* Four steps each; the cycles of `source` are 0 5 2 7 6 4 3 1. */
static void test_movements(void **state)
{
    static const uint64_t same[LANES] = {0, 1, 2, 3, 4, 5, 6, 7};
    static const uint64_t third[LANES] = {3, 3, 3, 3, 3, 3, 3, 3};
    static const uint64_t first[LANES] = {0};
    static const uint64_t half[LANES] = {4, 5, 6, 7, 0, 1, 2, 3};
    static const uint64_t shuffled[LANES] = {6, 7, 3, 2, 5, 4, 0, 1};

    (void)state;
    assert_moves(MOVE_NONE, same);
    assert_moves(MOVE_BROADCAST, third);
    assert_moves(MOVE_BROADCAST_INDEX, first);
    assert_moves(MOVE_SHUFFLE, shuffled);
    assert_moves(MOVE_UP, half);
    assert_moves(MOVE_DOWN, half);
    assert_moves(MOVE_PAIRS, same);
    assert_moves(MOVE_REVERSE, same);
}

/* Directions, which an even number of steps hides: each lane adds ten to the power of its number to
 * what it gets, so the decimal digits say which lanes have handled the value. */
static void test_directions(void **state)
{
    static const struct {
        enum movement movement;
        uint64_t lane_0; /* the value lane 0 ends with, lanes 0 to 3 */
    } cases[] = {
        {MOVE_UP, 1111},   /* it began at lane 0, and went over 1, 2, 3 to 0 */
        {MOVE_DOWN, 1111}, /* in the other direction */
        {MOVE_PAIRS, 22},  {MOVE_REVERSE, 2002}, {MOVE_BROADCAST, 3001},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct chain_lane lane[4] = {{0, 0, 1, 0}, {0, 0, 10, 0}, {0, 0, 100, 0}, {0, 0, 1000, 0}};

        exchange_reference(cases[i].movement, 64, 4, 1, source, lane);
        assert_int_equal(lane[0].x, cases[i].lane_0);
    }
}

/* Two iterations of a broadcast from lane 0, then from lane 1. */
static void test_index_follows_iteration(void **state)
{
    struct chain_lane lane[4] = {{7, 0, 1, 0}, {0, 0, 10, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}};

    (void)state;
    exchange_reference(MOVE_BROADCAST_INDEX, 32, 4, 2, source, lane);
    /* 7 + 3 in lane 0 is sent to all, lane 1 has 20; then 10 at a time is added to it. */
    assert_int_equal(lane[2].x, 20 + 30);
}

/* Narrow values wrap; c is applied before a value is sent. */
static void test_width_and_key(void **state)
{
    struct chain_lane lane[4] = {{0x80, 0x7f, 1, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}};

    (void)state;
    /* 0x80 ^ 0x7f = 0xff, + 1 = 0x00; 0x7f, 0x80; and again. */
    exchange_reference(MOVE_NONE, 8, 4, 1, source, lane);
    assert_int_equal(lane[0].x, 0x80);
    lane[0].x = 0x180;
    exchange_reference(MOVE_NONE, 8, 4, 1, source, lane);
    assert_int_equal(lane[0].x, 0x80);
}

/* At first only in lane 0 the predicate holds (x is 0 in its low bits); d is for a vote won, e for
 * one lost. */
static void test_votes(void **state)
{
    static const struct {
        enum movement movement;
        uint64_t lane_1;
    } cases[] = {
        {VOTE_NONE, 1 + 400}, /* never holds it itself */
        {VOTE_ANY, 1 + 40},   /* lane 0 holds it in all four */
        {VOTE_ALL, 1 + 400},  /* the predicate of `all` is the opposite, which lane 0 never has */
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct chain_lane lane[4] = {{0, 0, 4, 4}, {1, 0, 10, 100}, {1, 0, 4, 4}, {3, 0, 4, 4}};

        /* Low bits of lane 1: 1, then 3, 1, 3 with d and 1 throughout with e. */
        exchange_reference(cases[i].movement, 32, 4, 1, source, lane);
        assert_int_equal(lane[1].x, cases[i].lane_1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_movements),
        cmocka_unit_test(test_directions),
        cmocka_unit_test(test_index_follows_iteration),
        cmocka_unit_test(test_width_and_key),
        cmocka_unit_test(test_votes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
