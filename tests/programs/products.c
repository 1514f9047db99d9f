#include "programs.h"

#include <string.h>

static int byte_at(const void *from, unsigned index, bool is_signed)
{
    uint8_t byte = ((const uint8_t *)from)[index];

    return is_signed ? (int8_t)byte : byte;
}

static int dot(uint32_t a, uint32_t b, bool a_signed, bool b_signed)
{
    int sum = 0;

    for (unsigned i = 0; i < 4; i++)
        sum += byte_at(&a, i, a_signed) * byte_at(&b, i, b_signed);
    return sum;
}

static void dots(void)
{
    enum { COUNT = 96, RESULTS = 5 };
    uint32_t *a = runtime_buffer(COUNT * 4), *b = runtime_buffer(COUNT * 4);
    int32_t *out = runtime_buffer(COUNT * RESULTS * 4), expected[COUNT * RESULTS];

    for (unsigned i = 0; i < COUNT; i++) {
        int32_t *to = expected + i * RESULTS;

        a[i] = i == 0 ? 0x80808080 : runtime_random();
        b[i] = i < 2 ? 0x80808080 : runtime_random();
        to[0] = dot(a[i], b[i], true, true);
        to[1] = dot(a[i], b[i], false, false);
        to[2] = dot(a[i], b[i], true, false);
        to[3] = dot(a[i], b[i], false, true);
        to[4] = 0;
        for (unsigned shift = 0; shift < 8; shift++)
            to[4] += dot(a[i] >> shift, b[i] << shift, true, true);
    }
    runtime_launch(
        &(struct launch){"dots", "dots", {2}, {COUNT / 2}, {BUFFER(a), BUFFER(b), BUFFER(out)}});
    expect_bytes("results", out, expected, 4, COUNT * RESULTS);
}

/* Operands as the sub-group holds them: register r of a is component r of all work-items, a dword
 * of packed elements each; likewise b, whose register d has the elements d of each column. */
enum { ITEMS = 8, ROWS = 8, DEPTH = 8 };

static const void *register_dword(const uint32_t *operand, unsigned component, unsigned item)
{
    return operand + item * ROWS + component;
}

static void whole_product(const char *kernel, bool a_signed, bool b_signed)
{
    uint32_t *a = runtime_buffer(ITEMS * ROWS * 4), *b = runtime_buffer(ITEMS * DEPTH * 4);
    int32_t *out = runtime_buffer(ITEMS * ROWS * 4), expected[ITEMS * ROWS];

    for (unsigned i = 0; i < ITEMS * ROWS; i++) {
        a[i] = runtime_random();
        b[i] = runtime_random();
        expected[i] = out[i] = (int32_t)runtime_random() / 2;
    }
    for (unsigned row = 0; row < ROWS; row++)
        for (unsigned column = 0; column < ITEMS; column++)
            for (unsigned d = 0; d < DEPTH; d++)
                for (unsigned k = 0; k < 4; k++)
                    expected[column * ROWS + row] +=
                        byte_at(register_dword(a, row, d), k, a_signed) *
                        byte_at(register_dword(b, d, column), k, b_signed);
    runtime_launch(
        &(struct launch){"matrices", kernel, {1}, {ITEMS}, {BUFFER(a), BUFFER(b), BUFFER(out)}});
    expect_bytes(kernel, out, expected, 4, ITEMS * ROWS);
}

/* Small whole numbers: every sum is exact. */
static void float_product(const char *kernel, bool half)
{
    uint32_t *a = runtime_buffer(ITEMS * ROWS * 4), *b = runtime_buffer(ITEMS * DEPTH * 4);
    float *out = runtime_buffer(ITEMS * ROWS * 4);
    double expected[ITEMS * ROWS];
    int a_value[ITEMS * ROWS][2], b_value[ITEMS * DEPTH][2];

    for (unsigned i = 0; i < ITEMS * ROWS; i++) {
        expected[i] = out[i] = (float)(i % 13);
        for (unsigned k = 0; k < 2; k++) {
            int *values[2] = {&a_value[i][k], &b_value[i][k]};
            uint32_t *dwords[2] = {a + i, b + i};

            for (unsigned operand = 0; operand < 2; operand++) {
                float value = (float)(*values[operand] = (int)(runtime_random() % 31) - 15);
                uint32_t bits;

                memcpy(&bits, &value, 4);
                bits = half ? half_bits((double)value) : bits >> 16;
                *dwords[operand] |= bits << 16 * k;
            }
        }
    }
    for (unsigned row = 0; row < ROWS; row++)
        for (unsigned column = 0; column < ITEMS; column++)
            for (unsigned d = 0; d < DEPTH; d++)
                for (unsigned k = 0; k < 2; k++)
                    expected[column * ROWS + row] +=
                        a_value[d * ROWS + row][k] * b_value[column * DEPTH + d][k];
    runtime_launch(
        &(struct launch){"matrices", kernel, {1}, {ITEMS}, {BUFFER(a), BUFFER(b), BUFFER(out)}});
    expect_floats(kernel, out, expected, ITEMS * ROWS, 0, 0);
}

static void matrices(void)
{
    if (!runtime_has_matrix_engines() || runtime_sub_group_size() != ITEMS)
        skip();
    whole_product("i8_i8_matrix_mad_k32", true, true);
    whole_product("u8_u8_matrix_mad_k32", false, false);
    whole_product("i8_u8_matrix_mad_k32", true, false);
    whole_product("u8_i8_matrix_mad_k32", false, true);
    float_product("f16_f16_matrix_mad_k16", true);
    float_product("bf16_bf16_matrix_mad_k16", false);
}

const struct program_test products_tests[] = {
    {"dots", dots},
    {"matrices", matrices},
    {NULL, NULL},
};
