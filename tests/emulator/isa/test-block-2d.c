/* Messages for 2-D blocks (Xe2). What they load is compared with a model that goes the other way:
 * it asks for each element of a register which one of the surface belongs there. */
#include <stdio.h>
#include <string.h>

#include "machine.h"
#include "test.h"

static struct machine machine;

/* Offsets into machine.data. */
enum { PAYLOAD = 0x8000, SURFACE = 0x10000, RESULT = 0x20000, SURFACE_BYTES = 0x4000 };

enum { REGISTERS = 32, GRF = 64, FILLING = 0xa5 };

enum order { AS_THEY_ARE, TRANSFORMED, TRANSPOSED };

struct block {
    enum order order;
    unsigned bytes; /* of an element */
    unsigned width, height, blocks;
    int32_t x, y;
    int offset_x, offset_y;                      /* in the descriptor */
    unsigned surface_width, surface_rows, pitch; /* bytes, rows, bytes */
};

static void put_payload(const struct block *b)
{
    uint32_t *d = machine.data + PAYLOAD / 4;

    memset(d, 0, GRF);
    d[0] = MACHINE_DATA + SURFACE;
    d[2] = b->surface_width - 1;
    d[3] = b->surface_rows - 1;
    d[4] = b->pitch - 1;
    d[5] = (uint32_t)b->x;
    d[6] = (uint32_t)b->y;
    d[7] = (b->width - 1) | (b->height - 1) << 8 | (b->blocks - 1) << 16;
}

static uint32_t descriptor(const struct block *b, unsigned opcode, unsigned response)
{
    return opcode | (b->order == TRANSFORMED) << 7 | (unsigned)__builtin_ctz(b->bytes) << 9 |
           (b->order == TRANSPOSED) << 15 | response << 20 | 1u << 25;
}

static uint32_t extended(const struct block *b)
{
    return ((uint32_t)b->offset_x & 0x3ff) << 12 | ((uint32_t)b->offset_y & 0x3ff) << 22;
}

/* r20: the payload; r40 to r71: FILLING, or for a store what is at RESULT. */
#define LOAD_PAYLOAD                                                                               \
    "(W) mov (1|M0) r14.0<1>:uq 0x%x:uq\n"                                                         \
    "(W) send.ugm (1|M0) r20 r14 null:0 0x0 0x0210D580 {A@1,$0}\n"                                 \
    "(W) mov (1|M0) r15.0<1>:uq 0x%x:uq {$0.dst}\n"
#define LOAD_REGISTER                                                                              \
    "(W) send.ugm (1|M0) r%u r15 null:0 0x0 0x0210D580 {A@1,$1}\n"                                 \
    "(W) add (1|M0) r15.0<1>:uq r15.0<0;1,0>:uq 64:uw {$1.dst}\n"
#define STORE_REGISTER                                                                             \
    "(W) send.ugm (1|M0) null r15 r%u:1 0x0 0x0200D584 {A@1,$1}\n"                                 \
    "(W) add (1|M0) r15.0<1>:uq r15.0<0;1,0>:uq 64:uw {$1.src}\n"

static char text[32768];
static size_t length;

static void append(const char *format, unsigned a, unsigned b)
{
    int added = snprintf(text + length, sizeof(text) - length, format, a, b);

    assert_true(added > 0 && (size_t)added < sizeof(text) - length);
    length += (size_t)added;
}

static void begin(void)
{
    length = 0;
    append(LOAD_PAYLOAD, MACHINE_DATA + PAYLOAD, MACHINE_DATA + RESULT);
    for (unsigned i = 0; i < REGISTERS; i++)
        append(LOAD_REGISTER, 40 + i, 0);
}

static void assemble_load(const struct block *b)
{
    begin();
    append("send.ugm (1|M0) r40 r20 null:0 0x%x 0x%x {A@1,$2}\n", extended(b),
           descriptor(b, 3, 31));
    append("(W) mov (1|M0) r15.0<1>:uq 0x%x:uq {$2.dst}\n", MACHINE_DATA + RESULT, 0);
    for (unsigned i = 0; i < REGISTERS; i++)
        append(STORE_REGISTER, 40 + i, 0);
    machine_assemble(&machine, text);
}

static void assemble_store(const struct block *b)
{
    begin();
    append("send.ugm (1|M0) null r20 r40:8 0x%x 0x%x {A@1,$2}\n", extended(b), descriptor(b, 7, 0));
    machine_assemble(&machine, text);
}

static void run(void)
{
    if (machine_run(&machine))
        fail_msg("%s", machine.fault.message);
}

static void fill(unsigned offset, unsigned bytes)
{
    for (unsigned i = 0; i < bytes / 4; i++)
        machine.data[offset / 4 + i] = machine_random();
}

static const uint8_t *bytes_at(unsigned offset)
{
    return (const uint8_t *)machine.data + offset;
}

static unsigned power_of_2(unsigned n)
{
    unsigned power = 1;

    while (power < n)
        power *= 2;
    return power;
}

static unsigned whole_registers(unsigned bytes)
{
    return (bytes + GRF - 1) / GRF * GRF;
}

static unsigned bytes_of_block(const struct block *b)
{
    unsigned packed = b->order == TRANSFORMED ? 4 / b->bytes : 1;
    unsigned rows = (b->height + packed - 1) / packed * packed;

    if (b->order == TRANSPOSED)
        return whole_registers(b->width * power_of_2(b->height) * b->bytes);
    return whole_registers(rows * power_of_2(b->width) * b->bytes);
}

/* Which element of its block register element `e` is; false if it is padding. */
static bool find_element(const struct block *b, unsigned e, unsigned *column, unsigned *row)
{
    unsigned pitch = power_of_2(b->order == TRANSPOSED ? b->height : b->width), n = 4 / b->bytes;

    switch (b->order) {
    case TRANSPOSED:
        *column = e / pitch;
        *row = e % pitch;
        break;
    case TRANSFORMED:
        *column = e % (pitch * n) / n;
        *row = e / (pitch * n) * n + e % n;
        break;
    default:
        *column = e % pitch;
        *row = e / pitch;
    }
    return *column < b->width && *row < b->height;
}

/* The offset of an element in the surface; -1 if it is out of bounds. */
static long offset_of(const struct block *b, unsigned block, unsigned column, unsigned row)
{
    long x = (long)b->x + b->offset_x + (long)(block * b->width + column);
    long y = (long)b->y + b->offset_y + (long)row;

    if (x < 0 || y < 0 || (x + 1) * (long)b->bytes > (long)b->surface_width ||
        y >= (long)b->surface_rows)
        return -1;
    return y * (long)b->pitch + x * (long)b->bytes;
}

static void differs(const struct block *b, unsigned element)
{
    fail_msg("order %d, %u bytes, %u x %u x %u at %d+%d, %d+%d, surface %u x %u: element %u",
             b->order, b->bytes, b->width, b->height, b->blocks, b->x, b->offset_x, b->y,
             b->offset_y, b->surface_width, b->surface_rows, element);
}

static void check_load(const struct block *b)
{
    unsigned each = bytes_of_block(b), total = each * b->blocks;

    assert_true(total <= REGISTERS * GRF);
    fill(SURFACE, SURFACE_BYTES);
    memset(machine.data + RESULT / 4, FILLING, REGISTERS * GRF);
    put_payload(b);
    run();
    for (unsigned e = 0; e < REGISTERS * GRF / b->bytes; e++) {
        unsigned at = e * b->bytes, column, row;
        uint8_t expected[8] = {0};

        if (at >= total) {
            memset(expected, FILLING, sizeof(expected));
        } else if (find_element(b, at % each / b->bytes, &column, &row)) {
            long offset = offset_of(b, at / each, column, row);

            if (offset >= 0)
                memcpy(expected, bytes_at(SURFACE) + offset, b->bytes);
        }
        if (memcmp(bytes_at(RESULT) + at, expected, b->bytes) != 0)
            differs(b, e);
    }
}

/* Each byte of the surface is as before, or is that of the element that goes there. */
static void check_store(const struct block *b)
{
    static uint8_t expected[SURFACE_BYTES];
    unsigned column, row;

    fill(SURFACE, SURFACE_BYTES);
    fill(RESULT, REGISTERS * GRF);
    memcpy(expected, bytes_at(SURFACE), sizeof(expected));
    for (unsigned e = 0; e < bytes_of_block(b) / b->bytes; e++)
        if (find_element(b, e, &column, &row) && offset_of(b, 0, column, row) >= 0)
            memcpy(expected + offset_of(b, 0, column, row), bytes_at(RESULT) + e * b->bytes,
                   b->bytes);
    put_payload(b);
    run();
    for (unsigned i = 0; i < SURFACE_BYTES; i++)
        if (bytes_at(SURFACE)[i] != expected[i])
            differs(b, i);
}

static int between(int low, int high)
{
    return low + (int)(machine_random() % (unsigned)(high - low + 1));
}

/* Somewhere about the surface, most often over one of its edges. A block begins at a dword. */
static void place(struct block *b)
{
    int step = b->bytes < 4 ? (int)(4 / b->bytes) : 1;
    int columns = (int)(b->surface_width / b->bytes), rows = (int)b->surface_rows;
    int width = (int)(b->width * b->blocks), height = (int)b->height;

    b->x = between(-width, columns + 1) / step * step - b->offset_x / step * step;
    b->offset_x = b->offset_x / step * step;
    b->y = between(-height, rows + 1) - b->offset_y;
}

static void check_places(struct block *b, void (*check)(const struct block *b))
{
    static const struct {
        unsigned width, rows, pitch;
    } surfaces[] = {{64, 16, 64}, {100, 33, 112}, {256, 50, 272}};

    for (unsigned i = 0; i < 6; i++) {
        b->surface_width = surfaces[i % 3].width;
        b->surface_rows = surfaces[i % 3].rows;
        b->pitch = surfaces[i % 3].pitch;
        place(b);
        check(b);
    }
}

static const struct block loads[] = {
    {AS_THEY_ARE, 1, 4, 32, 1, .offset_x = 0},    {AS_THEY_ARE, 1, 32, 8, 2, .offset_x = 8},
    {AS_THEY_ARE, 1, 8, 32, 4, .offset_y = -512}, {AS_THEY_ARE, 1, 64, 32, 1, .offset_x = -4},
    {AS_THEY_ARE, 1, 12, 7, 2, .offset_y = 3},    {AS_THEY_ARE, 2, 16, 8, 1, .offset_x = 16},
    {AS_THEY_ARE, 2, 16, 32, 2, .offset_x = 510}, {AS_THEY_ARE, 2, 6, 3, 4, .offset_y = 511},
    {AS_THEY_ARE, 2, 2, 1, 1, .offset_x = 0},     {AS_THEY_ARE, 4, 16, 8, 1, .offset_x = -1},
    {AS_THEY_ARE, 4, 8, 32, 2, .offset_x = 1},    {AS_THEY_ARE, 4, 3, 5, 1, .offset_y = -1},
    {AS_THEY_ARE, 8, 8, 8, 1, .offset_x = 2},     {AS_THEY_ARE, 8, 4, 1, 2, .offset_y = 2},
    {TRANSFORMED, 1, 16, 32, 4, .offset_x = 4},   {TRANSFORMED, 1, 16, 32, 1, .offset_y = 7},
    {TRANSFORMED, 1, 12, 6, 2, .offset_x = 0},    {TRANSFORMED, 2, 16, 16, 2, .offset_x = 6},
    {TRANSFORMED, 2, 16, 32, 1, .offset_y = -5},  {TRANSFORMED, 2, 6, 5, 2, .offset_x = 2},
    {TRANSPOSED, 4, 8, 16, 1, .offset_x = 3},     {TRANSPOSED, 4, 8, 32, 1, .offset_y = 9},
    {TRANSPOSED, 4, 1, 1, 1, .offset_x = 0},      {TRANSPOSED, 4, 3, 7, 1, .offset_y = -2},
    {TRANSPOSED, 8, 4, 8, 1, .offset_x = -3},     {TRANSPOSED, 8, 1, 8, 1, .offset_x = 5},
};

static const struct block stores[] = {
    {AS_THEY_ARE, 1, 4, 8, 1, .offset_x = 4},   {AS_THEY_ARE, 1, 64, 8, 1, .offset_y = -3},
    {AS_THEY_ARE, 1, 12, 5, 1, .offset_x = -8}, {AS_THEY_ARE, 2, 16, 8, 1, .offset_x = 2},
    {AS_THEY_ARE, 2, 6, 3, 1, .offset_y = 500}, {AS_THEY_ARE, 4, 16, 8, 1, .offset_x = -511},
    {AS_THEY_ARE, 4, 1, 1, 1, .offset_x = 1},   {AS_THEY_ARE, 8, 8, 8, 1, .offset_y = 1},
};

static void test_loads(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(loads) / sizeof(loads[0]); i++) {
        struct block b = loads[i];

        place(&b);
        assemble_load(&b);
        check_places(&b, check_load);
    }
}

static void test_stores(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(stores) / sizeof(stores[0]); i++) {
        struct block b = stores[i];

        place(&b);
        assemble_store(&b);
        check_places(&b, check_store);
    }
}

static struct block plain(void)
{
    return (struct block){.bytes = 2,
                          .width = 16,
                          .height = 8,
                          .blocks = 1,
                          .surface_width = 256,
                          .surface_rows = 50,
                          .pitch = 256};
}

/* Nothing is read that is not in the surface: the next page is not mapped. */
static void test_last_row_of_memory(void **state)
{
    struct block b = plain();

    (void)state;
    assemble_load(&b);
    put_payload(&b);
    machine.data[PAYLOAD / 4] = MACHINE_DATA + MACHINE_DATA_BYTES - 4 * 256;
    machine.data[PAYLOAD / 4 + 3] = 3;
    run();
    machine.data[PAYLOAD / 4 + 3] = 4;
    assert_true(machine_run(&machine) < 0);
    assert_non_null(strstr(machine.fault.message, "load from unmapped address 0x500000"));
}

static void expect_fault(const char *what)
{
    assert_true(machine_run(&machine) < 0);
    if (!strstr(machine.fault.message, what))
        fail_msg("\"%s\" does not say \"%s\"", machine.fault.message, what);
}

static void test_misuse(void **state)
{
    static const struct {
        unsigned dword;
        uint32_t value;
        const char *what;
    } cases[] = {
        {0, MACHINE_DATA + SURFACE + 32, "surface"}, /* where it begins */
        {2, 253, "surface"},                         /* bytes wide, less one */
        {4, 247, "surface"},                         /* pitch, less one */
        {4, 127, "surface"},                         /* below the width */
        {5, 1, "begins at element 1"},               /* in a dword */
        {7, 0x1f | 7 << 8 | 1 << 16, "of a size"},   /* rows of 128 bytes */
        {7, 0x0e | 7 << 8, "of a size"},             /* 30 bytes */
        {7, 0x03 | 7 << 8 | 2 << 16, "of a size"},   /* three blocks */
        {7, 0x0f | 32 << 8, "of a size"},            /* 33 rows */
        {7, 0xff | 0xff << 8 | 15 << 16, "of a size"},
    };
    struct block b = plain();

    (void)state;
    assemble_load(&b);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        put_payload(&b);
        machine.data[PAYLOAD / 4 + cases[i].dword] = cases[i].value;
        expect_fault(cases[i].what);
    }
    b.height = 9;
    assemble_store(&b);
    put_payload(&b);
    expect_fault("of a size");
    b = plain();
    put_payload(&b);
    begin();
    append("send.ugm (1|M0) r253 r20 null:0 0x0 0x%x {A@1,$2}\n", descriptor(&b, 3, 4), 0);
    machine_assemble(&machine, text);
    expect_fault("registers beyond the last");
}

/* Combinations that there are no messages for. */
static void test_unknown_messages(void **state)
{
    static const struct block unknown[] = {
        {TRANSPOSED, 2, 8, 8, 1, .surface_width = 64, .surface_rows = 8, .pitch = 64},
        {TRANSFORMED, 4, 8, 8, 1, .surface_width = 64, .surface_rows = 8, .pitch = 64},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(unknown) / sizeof(unknown[0]); i++) {
        put_payload(&unknown[i]);
        assemble_load(&unknown[i]);
        expect_fault("message that the model does not know");
    }
}

/* A thread that an inactive lane or a predicate keeps from sending loads nothing. */
static void test_predicate(void **state)
{
    struct block b = plain();

    (void)state;
    put_payload(&b);
    begin();
    append("(W) mov (1|M0) f0.0<1>:ud 0:ud\n", 0, 0);
    append("(f0.0) send.ugm (1|M0) r40 r20 null:0 0x0 0x%x {A@1,$2}\n", descriptor(&b, 3, 4), 0);
    append("(W) mov (1|M0) r15.0<1>:uq 0x%x:uq {$2.dst}\n" STORE_REGISTER, MACHINE_DATA + RESULT,
           40);
    machine_assemble(&machine, text);
    memset(machine.data + RESULT / 4, FILLING, GRF);
    run();
    for (unsigned i = 0; i < GRF; i++)
        assert_int_equal(bytes_at(RESULT)[i], FILLING);
}

/* The cycles of `messages` like the plain block's at rows 0, 64, 128 and so on, each with its
 * descriptor, to the same registers one after another. */
static uint64_t time_of(unsigned messages, uint32_t message, int warm)
{
    struct block b = plain();

    b.surface_rows = 4096 / 4;
    put_payload(&b);
    length = 0;
    append(LOAD_PAYLOAD, MACHINE_DATA + PAYLOAD, MACHINE_DATA + RESULT);
    for (int round = 0; round < 1 + warm; round++)
        for (unsigned i = 0; i < messages; i++) {
            append("(W) send.ugm (1|M0) r40 r20 null:0 0x%x 0x%x {A@1,$2}\n", i * 16 << 22,
                   message);
            append("sync.nop null {$2.dst}\n", 0, 0);
        }
    machine_assemble(&machine, text);
    run(); /* fetches the code */
    run();
    return machine.cycles;
}

/* What hits the first level takes its latency, and a cycle for each further line: rows of a block
 * that are 256 bytes apart are in eight. */
static void test_time_of_hits(void **state)
{
    const struct vesim_device *d = &machine.device;
    struct block b = plain();
    uint32_t message = descriptor(&b, 3, 4);

    (void)state;
    if (machine.settings.functional)
        return;
    uint64_t once = time_of(4, message, 0), again = time_of(4, message, 1);
    uint64_t hits = 4 * (d->l1_hit_latency + 7 / d->l1_ports * d->l1_line_interval);

    assert_true(again - once >= hits && again - once <= hits + 4 * 4);
}

/* Lines that hit the first level in a run of a load, after a prefetch of the same or none. */
static uint64_t hits_of(bool prefetched)
{
    struct block b = plain();

    put_payload(&b);
    begin();
    if (prefetched)
        append("send.ugm (1|M0) null r20 null:0 0x0 0x%x {A@1,$2}\n", descriptor(&b, 3, 0), 0);
    append("sync.nop null {$2.src}\n", 0, 0);
    append("send.ugm (1|M0) r40 r20 null:0 0x0 0x%x {A@1,$3}\n", descriptor(&b, 3, 4), 0);
    append("sync.nop null {$3.dst}\n", 0, 0);
    machine_assemble(&machine, text);
    run();
    return machine_counters(&machine).value[COUNTER_l1_hit_lines];
}

/* A prefetch brings the lines and writes no register. */
static void test_prefetch(void **state)
{
    struct block b = plain();

    (void)state;
    put_payload(&b);
    begin();
    append("send.ugm (1|M0) null r20 null:0 0x0 0x%x {A@1,$2}\n", descriptor(&b, 3, 0), 0);
    append("(W) mov (1|M0) r15.0<1>:uq 0x%x:uq {$2.src}\n" STORE_REGISTER, MACHINE_DATA + RESULT,
           40);
    machine_assemble(&machine, text);
    memset(machine.data + RESULT / 4, FILLING, GRF);
    run();
    assert_int_equal(bytes_at(RESULT)[0], FILLING);
    if (machine.settings.functional)
        return;
    gpu_count(machine.gpu, true);
    assert_int_equal(hits_of(true), hits_of(false) + b.height);
    gpu_count(machine.gpu, false);
}

/* Threads on all Xe-cores work on a block each, whose lines are in the first level, loading what
 * they have just stored. */
static void test_own_stores_are_seen(void **state)
{
    enum { GROUPS = 32, ROWS = 8 };
    struct block b = plain();
    uint32_t load = descriptor(&b, 3, 4), store = descriptor(&b, 7, 0);

    (void)state;
    b.surface_width = b.pitch = 64;
    b.surface_rows = GROUPS * ROWS;
    b.width = 32;
    put_payload(&b);
    length = 0;
    append(LOAD_PAYLOAD, MACHINE_DATA + PAYLOAD, MACHINE_DATA + RESULT);
    append("(W) shl (1|M0) r20.6<1>:ud r0.1<0;1,0>:ud 3:uw {A@1}\n", 0, 0);
    append("(W) send.ugm (1|M0) r40 r20 null:0 0x0 0x%x {A@1,$2}\n", load + (4u << 20), 0);
    append("sync.nop null {$2.dst}\n", 0, 0);
    for (unsigned i = 0; i < 3; i++) {
        for (unsigned r = 0; r < ROWS; r++)
            append("(W) add (16|M0) r%u.0<1>:ud r%u.0<1;1,0>:ud 1:uw {A@1}\n", 40 + r, 40 + r);
        append("(W) send.ugm (1|M0) null r20 r40:8 0x0 0x%x {A@1,$3}\n", store, 0);
        append("sync.nop null {$3.src}\n", 0, 0);
        append("(W) send.ugm (1|M0) null r20 null:0 0x0 0x0210011F {$4}\n", 0, 0);
        append("(W) send.ugm (1|M0) r40 r20 null:0 0x0 0x%x {A@1,$2}\n", load + (4u << 20), 0);
        append("sync.nop null {$2.dst}\n", 0, 0);
    }
    for (unsigned r = 0; r < ROWS; r++)
        append("(W) add (16|M0) r%u.0<1>:ud r%u.0<1;1,0>:ud 100:uw\n", 40 + r, 40 + r);
    append("(W) send.ugm (1|M0) null r20 r40:8 0x0 0x%x {A@1,$3}\n", store, 0);
    machine_assemble(&machine, text);
    fill(SURFACE, SURFACE_BYTES);
    static uint32_t before[GROUPS * ROWS * 16];
    memcpy(before, machine.data + SURFACE / 4, sizeof(before));
    machine.walker.group_end[0] = GROUPS;
    run();
    machine.walker.group_end[0] = 1;
    for (unsigned i = 0; i < GROUPS * ROWS * 16; i++)
        assert_int_equal(machine.data[SURFACE / 4 + i], before[i] + 103);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_loads),
        cmocka_unit_test(test_stores),
        cmocka_unit_test(test_last_row_of_memory),
        cmocka_unit_test(test_misuse),
        cmocka_unit_test(test_unknown_messages),
        cmocka_unit_test(test_predicate),
        cmocka_unit_test(test_time_of_hits),
        cmocka_unit_test(test_prefetch),
        cmocka_unit_test(test_own_stores_are_seen),
    };

    return machine_run_tests(&machine, "b580", "Xe2", tests, sizeof(tests) / sizeof(tests[0]));
}
