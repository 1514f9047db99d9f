/* Images by machine code: typed messages of the dataport, and what the sampler fetches. Where
 * texels lie in tiles, and what formats make of their bits, is worked out by hand. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../packed-format.h"
#include "layout/surface-state.h"
#include "machine.h"
#include "test.h"

/* From the machine's data on, where an image is, and where loaded texels go. */
enum { IMAGE_BYTES = 0x40000, COPY = IMAGE_BYTES };
/* From its surfaces on: the binding table, sampler states, and their border. */
enum { TABLE = 0x1000, SAMPLERS = 0x800, BORDER = 0x840 };
/* Surface formats. */
enum { RGBA32_FLOAT, RGBA16_SINT = 0x82, RGBA8_UNORM = 0xc7, RGBA8_UINT = 0xcb, R16_FLOAT = 0x10e };
enum { R8_SNORM = 0x141, FORMAT_OF_NONE = 0x1ff, R11G11B10_FLOAT = 0x0d3 };
/* Binding table entries. */
enum { ENTRY_IMAGE = 1, ENTRY_COPY = 2 };

static struct machine machine;
static const char *device;
static bool has_tile4;
static struct render_surface_state image; /* 16 x 64 texels */

static void put_surface(unsigned index, const struct render_surface_state *state)
{
    uint32_t d[render_surface_state_dwords] = {0}, offset = 0x100 + index * SURFACE_STATE_BYTES;

    render_surface_state_pack(d, state);
    memcpy(machine.surfaces + offset, d, sizeof(d));
    memcpy(machine.surfaces + TABLE + index * 4, &offset, sizeof(offset));
}

static void put_image(uint32_t format, uint32_t mode, uint32_t pitch)
{
    image.format = format;
    image.tile_mode = mode;
    image.pitch = pitch - 1;
    put_surface(ENTRY_IMAGE, &image);
}

static int setup(void **state)
{
    const struct render_surface_state copy = {.type = SURFACE_TYPE_2D,
                                              .format = RGBA32_FLOAT,
                                              .width = 15,
                                              .pitch = 255,
                                              .address = MACHINE_DATA + COPY};

    (void)state;
    machine_create(&machine, device);
    has_tile4 = machine.device.architecture >= VESIM_XE_HPG;
    machine.walker.dynamic_state_base = MACHINE_SURFACES;
    machine.walker.sampler_state_offset = SAMPLERS;
    put_surface(ENTRY_COPY, &copy);
    image = (struct render_surface_state){.type = SURFACE_TYPE_2D,
                                          .width = 15,
                                          .height = 63,
                                          .select = 4 << 9 | 5 << 6 | 6 << 3 | 7,
                                          .address = MACHINE_DATA};
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    machine_destroy(&machine);
    return 0;
}

/* Lanes have columns 0 to 7 in r13; r14 is the row. */
static int put_coordinates(char *text, size_t bytes, int row)
{
    return snprintf(text, bytes,
                    "mov (8|M0) r10.0<1>:w 0x76543210:v\n"
                    "mov (8|M0) r13.0<1>:d r10.0<8;8,1>:w {A@1}\n"
                    "mov (8|M0) r14.0<1>:d %d:w\n",
                    row);
}

/* Xe-LP has one pipe to wait for, and no name for it. */
static void assemble(char *text)
{
    char *to = text;

    for (const char *from = text; *from; from++)
        if (has_tile4 || from[0] != 'A' || from[1] != '@')
            *to++ = *from;
    *to = 0;
    machine_assemble(&machine, text);
}

static void run_text(char *text)
{
    assemble(text);
    if (machine_run(&machine))
        fail_msg("%s", machine.fault.message);
}

/* Stores `value`, plus the column, plus 0 to 3 for red to alpha. */
static void write_row(int row, int value)
{
    char text[2048];
    size_t at = (size_t)put_coordinates(text, sizeof(text), row);

    for (int i = 0; i < 4; i++)
        at += (size_t)snprintf(text + at, sizeof(text) - at,
                               "add (8|M0) r%d.0<1>:d r13.0<8;8,1>:d %d:w {A@1}\n", 15 + i,
                               value + i);
    snprintf(text + at, sizeof(text) - at,
             "send.dc1 (8|M0) null r13 %s 0x02035001 {A@1,$1}\nsync.nop null {$1.src}\n",
             has_tile4 ? "r14:5 0x0" : "r14 0x140");
    run_text(text);
}

/* The row, as a second operand of one register: Xe-LP has its length in another place. */
#define ROW (has_tile4 ? "r14:1 0x0" : "r14 0x40")

enum load { TYPED, SAMPLER, SAMPLER_STATE };

static int put_load(char *text, size_t bytes, enum load load)
{
    static const char *const sends[] = {
        [TYPED] = "send.dc1 (8|M0) r30 r13 %s 0x02415001 {A@1,$1}\n",
        [SAMPLER] = "send.smpl (8|M0) r30 r13 %s 0x0243A001 {A@1,$1}\n",
        [SAMPLER_STATE] = "send.smpl (8|M0) r30 r13 %s 0x02438001 {A@1,$1}\n",
    };

    return snprintf(text, bytes, sends[load], ROW);
}

/* Coordinates as floats: 0.75 before the left edge of the lane's column, and in the row's centre.
 */
#define BETWEEN_COLUMNS                                                                            \
    "mov (8|M0) r13.0<1>:f r13.0<8;8,1>:d {A@1}\n"                                                 \
    "mov (8|M0) r14.0<1>:f r14.0<8;8,1>:d\n"                                                       \
    "add (8|M0) r13.0<1>:f r13.0<8;8,1>:f -0.75:f {A@1}\n"                                         \
    "add (8|M0) r14.0<1>:f r14.0<8;8,1>:f 0.5:f\n"

/* Loads texels of a row and stores them, as they are in registers, where copied() finds them. */
static void load_row(int row, enum load load)
{
    char text[2048];
    size_t at = (size_t)put_coordinates(text, sizeof(text), row);

    if (load == SAMPLER_STATE)
        at += (size_t)snprintf(text + at, sizeof(text) - at, "%s", BETWEEN_COLUMNS);
    at += (size_t)put_load(text + at, sizeof(text) - at, load);
    snprintf(text + at, sizeof(text) - at,
             "sync.nop null {$1.dst}\n"
             "mov (8|M0) r13.0<1>:d r10.0<8;8,1>:w\n"
             "mov (8|M0) r29.0<1>:d 0:w\n"
             "send.dc1 (8|M0) null r13 %s 0x02035002 {A@1,$2}\nsync.nop null {$2.src}\n",
             has_tile4 ? "r29:5 0x0" : "r29 0x140");
    run_text(text);
}

static uint8_t *image_bytes(uint32_t offset)
{
    return (uint8_t *)machine.data + offset;
}

static uint32_t copied(unsigned texel, unsigned channel)
{
    return machine.data[(COPY + texel * 16) / 4 + channel];
}

static float copied_float(unsigned texel, unsigned channel)
{
    uint32_t bits = copied(texel, channel);
    float value;

    memcpy(&value, &bits, sizeof(value));
    return value;
}

static void check_float(unsigned texel, unsigned channel, float expected)
{
    assert_float_equal(copied_float(texel, channel), expected, 1e-7f);
}

/* Four texels lie at `first`, the next four at `second`, and nothing anywhere else. */
static void check_row(uint32_t first, uint32_t second, unsigned value)
{
    uint32_t others = 0;

    for (unsigned texel = 0; texel < 8; texel++) {
        uint8_t *at = image_bytes(texel < 4 ? first + texel * 4 : second + (texel - 4) * 4);

        for (unsigned i = 0; i < 4; i++) {
            assert_int_equal(at[i], value + texel + i);
            at[i] = 0;
        }
    }
    for (unsigned i = 0; i < IMAGE_BYTES / 4; i++)
        others |= machine.data[i];
    assert_int_equal(others, 0);
}

static void test_layouts(void **state)
{
    (void)state;
    put_image(RGBA8_UINT, TILE_LINEAR, 256);
    write_row(5, 10);
    check_row(5 * 256, 5 * 256 + 16, 10);
    put_image(RGBA8_UINT, TILE_X, 512);
    write_row(9, 20);
    check_row(4096 + 512, 4096 + 512 + 16, 20);
    put_image(RGBA8_UINT, TILE_Y_OR_4, 256); /* two tiles beside each other */
    write_row(5, 30);
    if (has_tile4)
        check_row(256 + 16, 256 + 16 + 64, 30);
    else
        check_row(5 * 16, 512 + 5 * 16, 30);
    write_row(40, 40);
    if (has_tile4)
        check_row(8192 + 1024, 8192 + 1024 + 64, 40);
    else
        check_row(8192 + 8 * 16, 8192 + 512 + 8 * 16, 40);
    if (!has_tile4)
        return;
    put_image(RGBA8_UINT, TILE_64, 512);
    write_row(40, 50);
    check_row(0x4400, 0x4400 + 64, 50);
}

static void test_slices(void **state)
{
    (void)state;
    image.is_array = 1;
    image.first_slice = 2;
    image.depth = 3;
    image.slice_pitch = 64 / 4;
    put_image(RGBA8_UINT, TILE_LINEAR, 256);
    write_row(1, 60);
    check_row((2 * 64 + 1) * 256, (2 * 64 + 1) * 256 + 16, 60);
    image.type = SURFACE_TYPE_1D; /* the second coordinate is the slice; slices are texels apart */
    image.first_slice = 0;
    put_image(RGBA8_UINT, TILE_LINEAR, 256);
    write_row(3, 70);
    check_row(3 * 64 * 4, 3 * 64 * 4 + 16, 70);
}

static void check_formats(enum load load)
{
    static const int16_t integers[4] = {-3, 5, 0, 32767};
    static const uint16_t halves[2] = {0x3e00, 0xc000};
    static const uint8_t bytes[3] = {0x80, 0x81, 0x7f};

    for (unsigned i = 0; i < 32; i++)
        *image_bytes(i) = (uint8_t)(i * 8);
    put_image(RGBA8_UNORM, TILE_LINEAR, 256);
    load_row(0, load);
    for (unsigned i = 0; i < 32; i++)
        check_float(i / 4, i % 4, (float)(i * 8) / 255);
    memcpy(image_bytes(0), integers, sizeof(integers));
    put_image(RGBA16_SINT, TILE_LINEAR, 256);
    load_row(0, load);
    assert_int_equal((int32_t)copied(0, 0), -3);
    assert_int_equal((int32_t)copied(0, 3), 32767);
    memcpy(image_bytes(0), halves, sizeof(halves));
    put_image(R16_FLOAT, TILE_LINEAR, 256);
    load_row(0, load);
    check_float(0, 0, 1.5f);
    check_float(1, 0, -2);
    check_float(1, 1, 0); /* channels that the format lacks */
    check_float(1, 3, 1);
    memcpy(image_bytes(0), bytes, sizeof(bytes));
    put_image(R8_SNORM, TILE_LINEAR, 256);
    load_row(0, load);
    check_float(0, 0, -1);
    check_float(1, 0, -1);
    check_float(2, 0, 1);
}

static void test_formats(void **state)
{
    (void)state;
    check_formats(TYPED);
    check_formats(SAMPLER);
}

/* Stores keep to what the format can hold, and to the image; loads from elsewhere read 0. */
static void test_limits(void **state)
{
    (void)state;
    image.width = 3;
    put_image(RGBA8_UINT, TILE_LINEAR, 256);
    write_row(0, 253);
    for (unsigned i = 0; i < 8; i++)
        assert_int_equal(*image_bytes(i * 4), i >= 4 ? 0 : i < 2 ? 253 + i : 255);
    load_row(0, TYPED);
    assert_int_equal(copied(3, 0), 255);
    assert_int_equal(copied(4, 0), 0);
    assert_int_equal(copied(4, 3), 0);
    write_row(64, 9);
    write_row(-1, 9);
    for (unsigned i = 4; i < IMAGE_BYTES / 4; i++)
        assert_int_equal(machine.data[i], 0);
    image.type = SURFACE_TYPE_NULL;
    put_image(RGBA8_UINT, TILE_LINEAR, 256);
    write_row(0, 9);
    load_row(0, TYPED);
    assert_int_equal(*image_bytes(0), 253);
    assert_int_equal(copied(0, 0), 0);
}

static const struct packed_format packed_formats[] = {PACKED_FORMATS};

/* Moves eight texels, as they are in registers, from where copied() finds them to the image. */
static void store_copied(void)
{
    char text[2048];
    size_t at = (size_t)put_coordinates(text, sizeof(text), 0);

    snprintf(text + at, sizeof(text) - at,
             "send.dc1 (8|M0) r15 r13 %s 0x02415002 {A@1,$1}\n"
             "sync.nop null {$1.dst}\n"
             "send.dc1 (8|M0) null r13 %s 0x02035001 {$2}\nsync.nop null {$2.src}\n",
             ROW, has_tile4 ? "r14:5 0x0" : "r14 0x140");
    run_text(text);
}

static uint32_t packed_texel(const struct packed_format *format, unsigned texel)
{
    uint32_t value = 0;

    memcpy(&value, image_bytes(texel * format->bytes), format->bytes);
    return value;
}

static void check_packed_loads(const struct packed_format *format, enum load load,
                               const uint32_t *texels)
{
    load_row(0, load);
    for (unsigned i = 0; i < 32; i++)
        assert_int_equal(copied(i / 4, i % 4), packed_channel(format, texels[i / 4], i % 4));
}

static void check_packed(const struct packed_format *format)
{
    /* Neither infinite nor NaN in any format. */
    static const uint32_t words[8] = {0x00000000, 0x12345678, 0xa5c35a3c, 0x7777bbbb,
                                      0x8080a0a1, 0xc0000001, 0x9b579b57, 0x40100401};
    uint32_t texels[8];

    for (unsigned i = 0; i < 8; i++) {
        texels[i] = format->bytes == 4 ? words[i] : words[i] & 0xffff;
        memcpy(image_bytes(i * format->bytes), &texels[i], format->bytes);
    }
    put_image(format->code, TILE_LINEAR, 256);
    if (format->is_loaded && has_tile4)
        check_packed_loads(format, TYPED, texels);
    check_packed_loads(format, SAMPLER, texels);
    memset(image_bytes(0), 0x5a, 8 * format->bytes);
    store_copied();
    for (unsigned i = 0; i < 8; i++) {
        /* The least number that SNORM has stands for -1 as the one behind it does. */
        if (format->kind != PACKED_SNORM)
            assert_int_equal(packed_texel(format, i), texels[i]);
        for (unsigned channel = 0; channel < 4; channel++)
            assert_int_equal(packed_channel(format, packed_texel(format, i), channel),
                             packed_channel(format, texels[i], channel));
    }
}

static void test_packed(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(packed_formats) / sizeof(*packed_formats); i++)
        check_packed(&packed_formats[i]);
}

/* Beyond what a format can hold, and between what it can. */
static void test_packed_limits(void **state)
{
    static const float values[4] = {2, -1, 0.4f, 0.5f};
    static const struct {
        float value;
        uint32_t bits; /* of the 11 */
    } floats[8] = {{-3, 0},        {1.999f, 0x3ff},   {1e6f, 0x7bf}, {INFINITY, 0x7c0},
                   {0x1p-15f, 32}, {0x1.7cp-15f, 47}, {0x1p-21f, 0}, {65024, 0x7bf}};

    (void)state;
    memcpy(&machine.data[COPY / 4], values, sizeof(values));
    put_image(0x0c2, TILE_LINEAR, 256);
    store_copied();
    assert_int_equal(*(uint32_t *)image_bytes(0), 1023u | 0u | 409u << 20 | 2u << 30);
    machine.data[COPY / 4] = 5000;
    put_image(0x0c4, TILE_LINEAR, 256);
    store_copied();
    assert_int_equal(*(uint32_t *)image_bytes(0) & 1023, 1023);
    for (unsigned i = 0; i < 8; i++)
        machine.data[COPY / 4 + i * 4] = packed_bits_of(floats[i].value);
    put_image(R11G11B10_FLOAT, TILE_LINEAR, 256);
    store_copied();
    for (unsigned i = 0; i < 8; i++)
        assert_int_equal(*(uint32_t *)image_bytes(i * 4) & 0x7ff, floats[i].bits);
    machine.data[COPY / 4] = packed_bits_of(NAN);
    store_copied();
    assert_int_equal(*(uint32_t *)image_bytes(0) & 0x7c0, 0x7c0);
    assert_int_not_equal(*(uint32_t *)image_bytes(0) & 0x3f, 0);
    load_row(0, SAMPLER);
    assert_true(isnan(copied_float(0, 0)));
    assert_true(isinf(copied_float(3, 0)));
}

/* A store sends each channel where the surface state says, or nowhere. */
static void test_order(void **state)
{
    (void)state;
    image.select = 7 << 9 | 6 << 6 | 5 << 3 | 4; /* alpha, blue, green, red */
    put_image(RGBA8_UINT, TILE_LINEAR, 256);
    write_row(0, 20);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(*image_bytes(4 + i), 20 + 1 + 3 - i);
    image.select = 4 << 9 | 0 << 6 | 1 << 3 | 5; /* red, 0, 1, green */
    put_image(RGBA8_UINT, TILE_LINEAR, 256);
    write_row(0, 40);
    assert_int_equal(*image_bytes(4), 40 + 1);
    assert_int_equal(*image_bytes(5), 40 + 1 + 3);
    assert_int_equal(*image_bytes(6), 20 + 1 + 1);
}

/* Asks for the sizes of the level that is in r13: the same or, with columns, another in each lane.
 */
static size_t put_sizes(char *text, size_t bytes, const char *level)
{
    return (size_t)snprintf(text, bytes,
                            "mov (8|M0) r10.0<1>:w 0x76543210:v\n"
                            "mov (8|M0) r13.0<1>:d %s {A@1}\n"
                            "send.smpl (8|M0) r30 r13 %s 0x0242A001 {A@1,$1}\n"
                            "sync.nop null {$1.dst}\n",
                            level, has_tile4 ? "null:0 0x0" : "null 0x0");
}

static void check_sizes(const char *level, const uint32_t expected[4])
{
    char text[2048];
    size_t at = put_sizes(text, sizeof(text), level);

    snprintf(text + at, sizeof(text) - at,
             "mov (8|M0) r13.0<1>:d r10.0<8;8,1>:w\n"
             "mov (8|M0) r29.0<1>:d 0:w\n"
             "send.dc1 (8|M0) null r13 %s 0x02035002 {A@1,$2}\nsync.nop null {$2.src}\n",
             has_tile4 ? "r29:5 0x0" : "r29 0x140");
    run_text(text);
    for (unsigned lane = 0; lane < 8; lane += 7)
        for (unsigned i = 0; i < 4; i++)
            assert_int_equal(copied(lane, i), expected[i]);
}

/* What `resinfo` says of an image; of what it does not have, 0. */
static void test_sizes(void **state)
{
    (void)state;
    put_image(RGBA8_UINT, TILE_LINEAR, 256);
    check_sizes("0:w", (uint32_t[]){16, 64, 0, 1});
    check_sizes("1:w", (uint32_t[]){0, 0, 0, 1});
    image.levels = 2;
    put_image(RGBA8_UINT, TILE_LINEAR, 256);
    check_sizes("1:w", (uint32_t[]){8, 32, 0, 3});
    check_sizes("3:w", (uint32_t[]){0, 0, 0, 3});
    image.is_array = 1;
    image.depth = 4;
    put_image(RGBA8_UINT, TILE_LINEAR, 256);
    check_sizes("2:w", (uint32_t[]){4, 16, 5, 3});
    image.type = SURFACE_TYPE_3D;
    image.is_array = 0;
    image.levels = 0;
    put_image(RGBA8_UINT, TILE_LINEAR, 256);
    check_sizes("0:w", (uint32_t[]){16, 64, 5, 1});
    image.type = SURFACE_TYPE_1D;
    image.is_array = 1;
    put_image(RGBA8_UINT, TILE_LINEAR, 256);
    check_sizes("0:w", (uint32_t[]){16, 5, 0, 1});
    image.type = SURFACE_TYPE_NULL;
    put_image(RGBA8_UINT, TILE_LINEAR, 256);
    check_sizes("0:w", (uint32_t[]){0, 0, 0, 0});
}

static void test_sizes_of_several_levels(void **state)
{
    char text[1024];

    (void)state;
    put_image(RGBA8_UINT, TILE_LINEAR, 256);
    put_sizes(text, sizeof(text), "r10.0<8;8,1>:w");
    assemble(text);
    assert_int_not_equal(machine_run(&machine), 0);
    assert_non_null(strstr(machine.fault.message, "several levels"));
}

static void expect_fault(enum load load, const char *what)
{
    char text[1024];
    size_t at = (size_t)put_coordinates(text, sizeof(text), 0);

    at += (size_t)put_load(text + at, sizeof(text) - at, load);
    snprintf(text + at, sizeof(text) - at, "sync.nop null {$1.dst}\n");
    assemble(text);
    assert_int_not_equal(machine_run(&machine), 0);
    if (!strstr(machine.fault.message, what))
        fail_msg("\"%s\" does not say \"%s\"", machine.fault.message, what);
}

static void put_sampler(const struct sampler_state *sampler)
{
    uint32_t d[sampler_state_dwords] = {0};

    sampler_state_pack(d, sampler);
    memcpy(machine.surfaces + SAMPLERS, d, sizeof(d));
}

/* Drivers leave the border black; it can have any colour. */
static void test_border(void **state)
{
    static const float border[4] = {0.5f, 2, -0.25f, 0.75f};
    const struct sampler_state sampler = {.minify = 1,
                                          .magnify = 1,
                                          .border = BORDER,
                                          .address_x = 4,
                                          .address_y = 4,
                                          .address_z = 4,
                                          .not_normalized = 1};

    (void)state;
    memcpy(machine.surfaces + BORDER, border, sizeof(border));
    put_sampler(&sampler);
    for (unsigned i = 0; i < 8; i++)
        memset(image_bytes(i * 4), (int)(51 * (i & 1)), 4); /* 0 and 0.2 in turn */
    put_image(RGBA8_UNORM, TILE_LINEAR, 256);
    load_row(0, SAMPLER_STATE);
    check_float(0, 0, 0.5f);
    check_float(0, 1, 1); /* within the format's limits */
    check_float(0, 2, 0);
    check_float(0, 3, 0.75f);
    check_float(1, 0, 0.25f * 0.5f);
    check_float(1, 3, 0.25f * 0.75f);
    check_float(2, 0, 0.75f * 0.2f);
    check_float(3, 3, 0.25f * 0.2f);
    load_row(64, SAMPLER_STATE); /* below the last row */
    check_float(5, 0, 0.5f);
}

static void test_faults(void **state)
{
    (void)state;
    struct sampler_state sampler = {.magnify = 1, .not_normalized = 1};

    put_image(FORMAT_OF_NONE, TILE_LINEAR, 256);
    expect_fault(TYPED, "surface format 0x1ff");
    put_image(0x100, TILE_LINEAR, 256);
    expect_fault(TYPED, "only samplers load");
    image.levels = 3;
    put_image(RGBA8_UINT, TILE_LINEAR, 256);
    put_sampler(&(struct sampler_state){.between_levels = 2, .not_normalized = 1});
    expect_fault(SAMPLER_STATE, "between levels");
    image.levels = 0;
    image.address = 0x7000000;
    put_image(RGBA8_UINT, TILE_LINEAR, 256);
    expect_fault(TYPED, "unmapped address 0x7000000");
    image.address = MACHINE_DATA;
    put_image(RGBA8_UINT, TILE_LINEAR, 256);
    put_sampler(&sampler);
    expect_fault(SAMPLER_STATE, "filter");
    sampler.magnify = 0;
    sampler.address_x = 5;
    put_sampler(&sampler);
    expect_fault(SAMPLER_STATE, "address mode");
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_layouts, setup, teardown),
        cmocka_unit_test_setup_teardown(test_slices, setup, teardown),
        cmocka_unit_test_setup_teardown(test_formats, setup, teardown),
        cmocka_unit_test_setup_teardown(test_limits, setup, teardown),
        cmocka_unit_test_setup_teardown(test_packed, setup, teardown),
        cmocka_unit_test_setup_teardown(test_packed_limits, setup, teardown),
        cmocka_unit_test_setup_teardown(test_order, setup, teardown),
        cmocka_unit_test_setup_teardown(test_sizes, setup, teardown),
        cmocka_unit_test_setup_teardown(test_sizes_of_several_levels, setup, teardown),
        cmocka_unit_test_setup_teardown(test_border, setup, teardown),
        cmocka_unit_test_setup_teardown(test_faults, setup, teardown),
    };

    device = argc > 1 ? argv[1] : "a380";
    return cmocka_run_group_tests(tests, NULL, NULL);
}
