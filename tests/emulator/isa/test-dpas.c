/* Matrix products, dpas: every pair of element types, depth and repeat count against a reference on
 * the host that unpacks the operands its own way. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "instructions.h"

enum { INPUT = 0x1000, OUTPUT = 0x4000, SOURCE1 = 0, SOURCE2 = 8, ADDEND = 16, REGISTERS = 24 };

struct element_type {
    const char *name;
    unsigned bits;
    bool is_signed;
};

static const struct element_type types[] = {
    {"ub", 8, false}, {"b", 8, true},   {"u4", 4, false},
    {"s4", 4, true},  {"u2", 2, false}, {"s2", 2, true},
};

static uint32_t random_state;

static uint32_t random_bits(void)
{
    random_state = random_state * 1664525 + 1013904223;
    return random_state >> 8 ^ random_state << 13;
}

static uint32_t *input(unsigned reg)
{
    return machine.data + (INPUT + reg * 32) / 4;
}

static uint32_t output(unsigned row, unsigned column)
{
    return machine.data[(OUTPUT + row * 32) / 4 + column];
}

/* Element `index` of packed little-endian elements. */
static int unpack(const void *from, unsigned index, const struct element_type *type)
{
    const uint8_t *bytes = from;
    unsigned per_byte = 8 / type->bits, all = (1u << type->bits) - 1;
    int value = bytes[index / per_byte] >> (index % per_byte * type->bits) & (int)all;

    return type->is_signed && value > (int)(all / 2) ? value - (int)all - 1 : value;
}

/* r30.. source 1, r40.. source 2, r50.. source 0; r60.. the result, which the program stores. */
static void run_product(const char *operation)
{
    char text[8192];
    size_t at = 0;

    for (unsigned i = 0; i < REGISTERS; i++)
        at += (size_t)snprintf(text + at, sizeof(text) - at,
                               "(W) add (8|M0) r13.0<1>:d r12.0<8;8,1>:d 0x%x:uw {A@1}\n"
                               "(W) send.dc1 (8|M0) r%u r13 null:0 0x0 0x02106E00 {A@1,$1}\n"
                               "sync.nop null {$1.dst}\n",
                               INPUT + i * 32, 30 + i / 8 * 10 + i % 8);
    at += (size_t)snprintf(text + at, sizeof(text) - at, "%s {$2}\nsync.nop null {$2.dst}\n",
                           operation);
    for (unsigned i = 0; i < 8; i++)
        at += (size_t)snprintf(text + at, sizeof(text) - at,
                               "(W) add (8|M0) r13.0<1>:d r12.0<8;8,1>:d 0x%x:uw {A@1}\n"
                               "(W) send.dc1 (8|M0) null r13 r%u:1 0x0 0x02026E00 {A@1,$3}\n"
                               "sync.nop null {$3.src}\n",
                               OUTPUT + i * 32, 60 + i);
    memset(machine.data + OUTPUT / 4, 0xee, 8 * 32);
    assert_true(at < sizeof(text));
    run(text);
}

static void fill(void)
{
    for (unsigned i = 0; i < REGISTERS * 8; i++)
        input(0)[i] = random_bits();
}

static void integer_product(const struct element_type *first, const struct element_type *second,
                            unsigned depth, unsigned repeat)
{
    char text[128];
    unsigned group = first->bits <= 4 && second->bits <= 4 ? 8 : 4;

    snprintf(text, sizeof(text), "dpas.%ux%u (8|M0) r60:d r50:d r30:%s r40.0:%s", depth, repeat,
             first->name, second->name);
    fill();
    run_product(text);
    for (unsigned row = 0; row < 8; row++)
        for (unsigned column = 0; column < 8; column++) {
            uint32_t sum = input(ADDEND)[row * 8 + column];

            for (unsigned d = 0; d < depth; d++)
                for (unsigned k = 0; k < group; k++)
                    sum += (uint32_t)(unpack(input(SOURCE1), (d * 8 + column) * group + k, first) *
                                      unpack(input(SOURCE2), (row * 8 + d) * group + k, second));
            uint32_t expected = row < repeat ? sum : 0;
            if (row < repeat && output(row, column) != expected)
                fail_msg("%s: row %u, column %u: 0x%x, not 0x%x", text, row, column,
                         output(row, column), expected);
        }
}

/* The first row of source 2 by a column of the registers from `first` on, as signed bytes. */
static uint32_t dot(unsigned first, unsigned column)
{
    uint32_t sum = 0;

    for (unsigned d = 0; d < 8; d++)
        for (unsigned k = 0; k < 4; k++)
            sum += (uint32_t)(unpack(input(first), (d * 8 + column) * 4 + k, &types[1]) *
                              unpack(input(SOURCE2), d * 4 + k, &types[1]));
    return sum;
}

static void test_integers(void **state)
{
    (void)state;
    if (!is_hpg())
        skip();
    for (unsigned a = 0; a < sizeof(types) / sizeof(types[0]); a++)
        for (unsigned b = 0; b < sizeof(types) / sizeof(types[0]); b++)
            integer_product(&types[a], &types[b], 8, 8);
    for (unsigned repeat = 1; repeat < 8; repeat++)
        integer_product(&types[1], &types[0], 8, repeat);
}

/* Rows beyond the repeat count stay as they are. */
static void test_rows(void **state)
{
    (void)state;
    if (!is_hpg())
        skip();
    fill();
    run_product("(W) mov (8|M0) r63.0<1>:ud 0x1234:uw\n"
                "dpas.8x3 (8|M0) r60:d null:d r30:b r40.0:b");
    for (unsigned column = 0; column < 8; column++)
        assert_int_equal(output(3, column), 0x1234);
}

/* Sums of integers wrap. */
static void test_wrap(void **state)
{
    (void)state;
    if (!is_hpg())
        skip();
    memset(input(0), 0x7f, 2 * 8 * 32); /* products of 127 * 127 */
    for (unsigned column = 0; column < 8; column++)
        input(ADDEND)[column] = 0x7fffff00;
    run_product("dpas.8x1 (8|M0) r60:d r50:d r30:b r40.0:b");
    assert_int_equal(output(0, 5), 0x7fffff00u + 32u * 127 * 127);
}

/* Small whole numbers, whose products and sums are exact. */
static void test_floats(void **state)
{
    (void)state;
    if (!is_hpg())
        skip();
    static const uint16_t half[8] = {0x0000, 0x3c00, 0xc000, 0x4200,
                                     0x4400, 0xbc00, 0x4500, 0x3800};
    static const uint16_t bfloat[8] = {0x0000, 0x3f80, 0xc000, 0x4040,
                                       0x4080, 0xbf80, 0x40a0, 0x3f00};
    static const float value[8] = {0, 1, -2, 3, 4, -1, 5, 0.5f};
    for (unsigned is_half = 0; is_half < 2; is_half++) {
        uint8_t pick[2 * 8 * 16];
        uint16_t *packed = (uint16_t *)(void *)input(SOURCE1);

        for (unsigned i = 0; i < sizeof(pick); i++) {
            pick[i] = random_bits() % 8;
            packed[i] = is_half ? half[pick[i]] : bfloat[pick[i]];
        }
        for (unsigned i = 0; i < 64; i++) {
            float addend = (float)i;

            memcpy(input(ADDEND) + i, &addend, 4);
        }
        run_product(is_half ? "dpas.8x8 (8|M0) r60:f r50:f r30:hf r40.0:hf"
                            : "dpas.8x8 (8|M0) r60:f r50:f r30:bf r40.0:bf");
        for (unsigned row = 0; row < 8; row++)
            for (unsigned column = 0; column < 8; column++) {
                float sum = (float)(row * 8 + column), result;

                for (unsigned d = 0; d < 8; d++)
                    for (unsigned k = 0; k < 2; k++)
                        sum += value[pick[(d * 8 + column) * 2 + k]] *
                               value[pick[128 + (row * 8 + d) * 2 + k]];
                uint32_t bits = output(row, column);
                memcpy(&result, &bits, 4);
                if (result != sum)
                    fail_msg("row %u, column %u: %g, not %g", row, column, (double)result,
                             (double)sum);
            }
    }
}

/* A product marked {Atomic} is not there yet when the next one reads its sources: that adds to what
 * was in r60 before, and what comes after it sees the sum alone. */
static void test_back_to_back(void **state)
{
    const char *const texts[] = {
        "(W) mov (8|M0) r60.0<1>:d r50.0<8;8,1>:d\n"
        "dpas.8x1 (8|M0) r60:d null:d r40:b r40.0:b {A@1,Atomic}\n"
        "dpas.8x1 (8|M0) r60:d r60:d r30:b r40.0:b",
        "(W) mov (8|M0) r60.0<1>:d r50.0<8;8,1>:d\n"
        "dpas.8x1 (8|M0) r61:d null:d r40:b r40.0:b {A@1,Atomic}\n"
        "dpas.8x1 (8|M0) r60:d null:d r30:b r40.0:b {Atomic}\n"
        "dpas.8x1 (8|M0) r60:d r50:d r30:b r40.0:b",
    };

    (void)state;
    if (!is_hpg())
        skip();
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        fill();
        run_product(texts[i]);
        for (unsigned column = 0; column < 8; column++)
            assert_int_equal(output(0, column), input(ADDEND)[column] + dot(SOURCE1, column));
    }
    for (unsigned column = 0; column < 8; column++)
        assert_int_equal(output(1, column), dot(SOURCE2, column));
}

/* Cycles that a product and the next take beyond the next alone. */
static uint64_t interval(unsigned rows)
{
    char text[128], both[256];

    snprintf(text, sizeof(text),
             "dpas.8x%u (8|M0) r60:d null:d r30:b r40.0:b {$2}\nsync.nop null {$2.dst}", rows);
    machine_run_ok(&machine, text);
    uint64_t one = machine.cycles;
    snprintf(both, sizeof(both), "dpas.8x%u (8|M0) r70:d null:d r30:b r40.0:b {$1}\n%s", rows,
             text);
    machine_run_ok(&machine, both);
    return machine.cycles - one;
}

/* A product of one row takes systolic_latency, one of eight systolic_latency_8; the next one can
 * start systolic_interval for each row later, or when its first factor of eight registers is read,
 * and after a gap. */
static void test_time(void **state)
{
    (void)state;
    if (!is_hpg() || machine.settings.functional)
        skip();
    machine_run_ok(&machine, "nop");
    uint64_t base = machine.cycles;
    machine_run_ok(&machine, "nop");
    assert_int_equal(machine.cycles, base);
    machine_run_ok(&machine, "dpas.8x8 (8|M0) r60:d null:d r30:b r40.0:b {$2}\n"
                             "sync.nop null {$2.dst}");
    uint64_t one = machine.cycles;
    machine_run_ok(&machine, "dpas.8x1 (8|M0) r60:d null:d r30:b r40.0:b {$2}\n"
                             "sync.nop null {$2.dst}");
    assert_int_equal(one - machine.cycles,
                     machine.device.systolic_latency_8 - machine.device.systolic_latency);
    assert_int_equal(interval(8),
                     8 * machine.device.systolic_interval + machine.device.systolic_gap);
    assert_int_equal(interval(1), 8 + machine.device.systolic_gap);
}

int main(int argc, char **argv)
{
    instructions_choose(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_integers),     cmocka_unit_test(test_rows),
        cmocka_unit_test(test_wrap),         cmocka_unit_test(test_floats),
        cmocka_unit_test(test_back_to_back), cmocka_unit_test(test_time),
    };
    return cmocka_run_group_tests_name("dpas", tests, instructions_create, instructions_destroy);
}
