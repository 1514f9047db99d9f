/* Layouts of commands and state: what their tables say of themselves, both ways through each, and
 * dwords worked out by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "layout/surface-state.h"

#define DWORDS_MAX 64

/* One line of a table. `high` counts from the first bit of the dword, beyond 31 and 63 as well. */
struct line {
    enum { LINE_LAYOUT, LINE_DWORD, LINE_QWORD, LINE_DWORDS } kind;
    const char *name;
    unsigned dword, high, low; /* of a layout, `dword` is how many it has */
};

static const struct line lines[] = {
#define LAYOUT(layout, structure, dwords, source) {LINE_LAYOUT, #layout, dwords, 0, 0},
#define BITS(dword, high, low, name, source)      {LINE_DWORD, #name, dword, high, low},
#define OFFSET(dword, high, low, name, source)    {LINE_DWORD, #name, dword, high, low},
#define QWORD(dword, high, low, name, source)     {LINE_QWORD, #name, dword, high, low},
#define DWORDS(dword, count, name, source)        {LINE_DWORDS, #name, dword, 32 * (count)-1, 0},
#define PART(dword, structure, name)              {LINE_DWORDS, #name, dword, 32 * structure##_dwords - 1, 0},
#define END()
#include "layout/structures.def"
};

/* equal(): whether every field is the same, whatever the padding holds. */
#define LAYOUT(layout, structure, dwords, source)                                                  \
    static bool layout##_equal(const struct structure *a, const struct structure *b)               \
    {                                                                                              \
        return true
#define BITS(dword, high, low, name, source)   &&a->name == b->name
#define OFFSET(dword, high, low, name, source) &&a->name == b->name
#define QWORD(dword, high, low, name, source)  &&a->name == b->name
#define DWORDS(dword, count, name, source)     &&memcmp(a->name, b->name, sizeof(a->name)) == 0
#define PART(dword, structure, name)           &&structure##_equal(&a->name, &b->name)
#define END()                                                                                      \
    ;                                                                                              \
    }
#include "layout/structures.def"

static void fields_do_not_overlap(void **state)
{
    uint8_t taken[32 * DWORDS_MAX] = {0};
    const char *layout = NULL;
    unsigned dwords = 0;

    (void)state;
    for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
        const struct line *line = &lines[i];
        const unsigned most = line->kind == LINE_QWORD ? 63 : line->kind == LINE_DWORD ? 31 : ~0u;

        if (line->kind == LINE_LAYOUT) {
            layout = line->name;
            dwords = line->dword;
            assert_in_range(dwords, 1, DWORDS_MAX);
            memset(taken, 0, sizeof(taken));
            continue;
        }
        if (line->high < line->low || line->high > most ||
            32 * line->dword + line->high >= 32 * dwords)
            fail_msg("%s: %s is not a field of its %u dwords", layout, line->name, dwords);
        for (unsigned bit = line->low; bit <= line->high; bit++) {
            if (taken[32 * line->dword + bit]++)
                fail_msg("%s: bit %u of dword %u has two fields, one of them %s", layout, bit,
                         line->dword, line->name);
        }
    }
}

static void random_dwords(uint32_t *d)
{
    for (unsigned i = 0; i < DWORDS_MAX; i++)
        d[i] = (uint32_t)rand() << 16 ^ (uint32_t)rand();
}

/* What a line's field covers of dword `i`. */
static uint32_t covers(const struct line *line, unsigned i)
{
    uint32_t mask = 0;

    for (unsigned bit = line->low; line->kind != LINE_LAYOUT && bit <= line->high; bit++)
        mask |= line->dword + bit / 32 == i ? UINT32_C(1) << bit % 32 : 0;
    return mask;
}

/* Dword `i` keeps its bits of no field. Parts have such bits themselves: their own layouts tell. */
static void expect_kept(const char *layout, const uint32_t *before, const uint32_t *after)
{
    uint32_t fields[DWORDS_MAX] = {0};
    bool inside = false;

    for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
        if (lines[i].kind == LINE_LAYOUT)
            inside = strcmp(lines[i].name, layout) == 0;
        for (unsigned d = 0; inside && d < DWORDS_MAX; d++)
            fields[d] |= covers(&lines[i], d);
    }
    for (unsigned d = 0; d < DWORDS_MAX; d++) {
        if ((before[d] ^ after[d]) & ~fields[d])
            fail_msg("%s: packing changes bits of no field in dword %u", layout, d);
    }
}

/* Any dwords, unpacked, packed over any others and unpacked again. */
static void both_ways_give_the_same(void **state)
{
    uint32_t d[DWORDS_MAX], others[DWORDS_MAX], packed[DWORDS_MAX];

    (void)state;
    srand(1);
    for (unsigned times = 0; times < 16; times++) {
#define LAYOUT(layout, structure, dwords, source)                                                  \
    {                                                                                              \
        random_dwords(d);                                                                          \
        random_dwords(others);                                                                     \
        memcpy(packed, others, sizeof(packed));                                                    \
        const struct structure first = layout##_unpack(d);                                         \
        layout##_pack(packed, &first);                                                             \
        const struct structure second = layout##_unpack(packed);                                   \
        assert_true(layout##_equal(&first, &second));                                              \
        expect_kept(#layout, others, packed);                                                      \
    }
#define BITS(dword, high, low, name, source)
#define OFFSET(dword, high, low, name, source)
#define QWORD(dword, high, low, name, source)
#define DWORDS(dword, count, name, source)
#define PART(dword, structure, name)
#define END()
#include "layout/structures.def"
    }
}

static void packs_gpgpu_walker(void **state)
{
    const struct gpgpu_walker walker = {
        .interface_descriptor = 1,
        .indirect_bytes = 256,
        .indirect_offset = 0x100,
        .thread_width_maximum = 3,
        .simd_size = 1,
        .group_start_x = 1,
        .group_end_x = 4,
        .group_start_y = 2,
        .group_end_y = 5,
        .group_end_z = 1,
        .right_execution_mask = 0xff,
    };
    const uint32_t expected[gpgpu_walker_dwords] = {
        0x7105000d, 1, 256, 0x100, 0x40000003, 1, 0, 4, 2, 0, 5, 0, 1, 0xff, 0xffffffff};
    uint32_t d[gpgpu_walker_dwords] = {[0] = 0x7105000d, [14] = 0xffffffff};

    (void)state;
    gpgpu_walker_pack(d, &walker);
    assert_memory_equal(d, expected, sizeof(d));
}

static struct compute_walker some_walker(void)
{
    return (struct compute_walker){
        .body = {.indirect_offset = 0x80,
                 .walk_order = 2,
                 .emit_inline = 1,
                 .emit_local = 7,
                 .generate_local_id = 1,
                 .simd_size = 1,
                 .execution_mask = 0xffff,
                 .local_x_maximum = 31,
                 .local_y_maximum = 1,
                 .group_end = {3, 4, 5}},
        .descriptor = {.kernel_start = 0x40,
                       .binding_table = 0x60,
                       .threads_per_group = 2,
                       .slm_size = 3,
                       .barriers = 1},
        .post_sync = {.operation = 3,
                      .dataport_pipeline_flush = 1,
                      .address = 0x123456789ab8,
                      .data = 0x1122334455667788},
        .inline_data = {100, 101, 102, 103, 104, 105, 106, 107},
    };
}

static void packs_compute_walker(void **state)
{
    const struct compute_walker walker = some_walker();
    const uint32_t expected[compute_walker_dwords] = {0,
                                                      0,
                                                      0,
                                                      0x80,
                                                      0x7e800000,
                                                      0xffff,
                                                      31 | 1u << 10,
                                                      3,
                                                      4,
                                                      5,
                                                      0,
                                                      0,
                                                      0,
                                                      0,
                                                      0,
                                                      0,
                                                      0,
                                                      0,
                                                      0x40,
                                                      0,
                                                      0,
                                                      0,
                                                      0x60,
                                                      2 | 3u << 16 | 1u << 28,
                                                      0,
                                                      0,
                                                      7,
                                                      0x56789ab8,
                                                      0x1234,
                                                      0x55667788,
                                                      0x11223344,
                                                      100,
                                                      101,
                                                      102,
                                                      103,
                                                      104,
                                                      105,
                                                      106,
                                                      107};
    uint32_t d[compute_walker_xe2_dwords] = {0};

    (void)state;
    compute_walker_pack(d, &walker);
    assert_memory_equal(d, expected, sizeof(expected));

    /* Xe2: a dword more in front of the descriptor. */
    memset(d, 0, sizeof(d));
    compute_walker_xe2_pack(d, &walker);
    assert_memory_equal(d, expected, 4 * 18);
    assert_int_equal(d[18], 0);
    assert_memory_equal(d + 19, expected + 18, 4 * (39 - 18));
}

static void cuts_off_what_is_too_wide(void **state)
{
    const struct mi_atomic atomic = {.data_size = 7, .address = UINT64_MAX};
    uint32_t d[mi_atomic_dwords] = {0};

    (void)state;
    mi_atomic_pack(d, &atomic);
    assert_int_equal(d[0], 3u << 19);
    assert_int_equal(d[1], 0xfffffffc);
    assert_int_equal(d[2], 0x1ffffff);
}

static void spreads_a_buffer_over_three_fields(void **state)
{
    const uint64_t sizes[] = {1, 128, 129, 0x12345678, UINT64_C(1) << 32};
    uint32_t d[render_surface_state_dwords];

    (void)state;
    surface_state_write(d, SURFACE_TYPE_BUFFER, 0xfedcba987654, 0x12345678, 1);
    assert_int_equal(d[0], 4u << 29);
    assert_int_equal(d[2], 0x28ac0077); /* of 0x12345677, bits 6:0 and 20:7 */
    assert_int_equal(d[3], 0x91u << 21);
    assert_int_equal(d[8], 0xba987654);
    assert_int_equal(d[9], 0xfedc);
    for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
        surface_state_write(d, SURFACE_TYPE_BUFFER, 0, sizes[i], 4);
        const struct render_surface_state surface = render_surface_state_unpack(d);
        assert_true(surface_state_elements(&surface) == sizes[i]);
        assert_int_equal(surface.pitch, 3);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_do_not_overlap),
        cmocka_unit_test(both_ways_give_the_same),
        cmocka_unit_test(packs_gpgpu_walker),
        cmocka_unit_test(packs_compute_walker),
        cmocka_unit_test(cuts_off_what_is_too_wide),
        cmocka_unit_test(spreads_a_buffer_over_three_fields),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
