#include "isa/message/texel.h"

#include <math.h>
#include <string.h>

#include "isa/execute/operand.h"
#include "isa/message/words.h"

/* SRGB: red, green and blue by the curve of sRGB, alpha as UNORM. */
enum texel_kind { UNORM, SRGB, SNORM, UINT, SINT, FLOAT };

/* Which of a texel's channels it is; beyond the last: the format lacks it, and it reads as this. */
enum { ZERO = 4, ONE = 5 };

enum {
    CHANNELS = TEXEL_CHANNELS,
    ALPHA_CHANNEL = 3,
    RED_SELECTED = 4 /* Shader Channel Select; 0 and 1 are constants */
};

/* From which generation on typed messages load it (Mesa's isl_format.c, column TR). */
enum typed_loads { LOADS_ALWAYS, LOADS_FROM_XE_HPG, LOADS_NEVER };

struct texel_layout {
    uint16_t code;           /* genxml Surface Format, ISL_FORMAT_... of Mesa's isl.h */
    uint8_t kind;            /* enum texel_kind */
    uint8_t bits[CHANNELS];  /* of each channel in memory, from the lowest on; 0: no more */
    uint8_t place[CHANNELS]; /* of red, green, blue, alpha among them */
    uint8_t typed_loads;     /* enum typed_loads */
};

/* clang-format off */
#define FOUR(bits) {bits, bits, bits, bits}
#define TWO(bits) {bits, bits}
#define RGBA {0, 1, 2, 3}
#define BGRA {2, 1, 0, 3}
#define RG {0, 1, ZERO, ONE}
#define RGB {0, 1, 2, ONE}
#define BGR {2, 1, 0, ONE}
#define RED {0, ZERO, ZERO, ONE}
#define ALPHA {ZERO, ZERO, ZERO, 0}
#define INTENSITY {0, 0, 0, 0}
#define LUMINANCE {0, 0, 0, ONE}

static const struct texel_layout layouts[] = {
    {0x000, FLOAT, FOUR(32), RGBA}, {0x001, SINT, FOUR(32), RGBA}, {0x002, UINT, FOUR(32), RGBA},
    {0x080, UNORM, FOUR(16), RGBA}, {0x081, SNORM, FOUR(16), RGBA}, {0x082, SINT, FOUR(16), RGBA},
    {0x083, UINT, FOUR(16), RGBA}, {0x084, FLOAT, FOUR(16), RGBA}, {0x085, FLOAT, TWO(32), RG},
    {0x086, SINT, TWO(32), RG}, {0x087, UINT, TWO(32), RG}, {0x0c0, UNORM, FOUR(8), BGRA},
    {0x0c1, SRGB, FOUR(8), BGRA}, {0x0c2, UNORM, {10, 10, 10, 2}, RGBA, LOADS_FROM_XE_HPG},
    {0x0c4, UINT, {10, 10, 10, 2}, RGBA, LOADS_FROM_XE_HPG}, {0x0c7, UNORM, FOUR(8), RGBA},
    {0x0c8, SRGB, FOUR(8), RGBA}, {0x0c9, SNORM, FOUR(8), RGBA}, {0x0ca, SINT, FOUR(8), RGBA},
    {0x0cb, UINT, FOUR(8), RGBA}, {0x0cc, UNORM, TWO(16), RG}, {0x0cd, SNORM, TWO(16), RG},
    {0x0ce, SINT, TWO(16), RG}, {0x0cf, UINT, TWO(16), RG}, {0x0d0, FLOAT, TWO(16), RG},
    {0x0d3, FLOAT, {11, 11, 10}, RGB, LOADS_FROM_XE_HPG}, {0x0d6, SINT, {32}, RED},
    {0x0d7, UINT, {32}, RED}, {0x0d8, FLOAT, {32}, RED}, {0x0e3, FLOAT, {32}, INTENSITY},
    {0x0e4, FLOAT, {32}, LUMINANCE}, {0x0e5, FLOAT, {32}, ALPHA},
    {0x100, UNORM, {5, 6, 5}, BGR, LOADS_NEVER}, {0x102, UNORM, {5, 5, 5, 1}, BGRA, LOADS_NEVER},
    {0x104, UNORM, {4, 4, 4, 4}, BGRA, LOADS_NEVER}, {0x106, UNORM, TWO(8), RG},
    {0x107, SNORM, TWO(8), RG}, {0x108, SINT, TWO(8), RG}, {0x109, UINT, TWO(8), RG},
    {0x10a, UNORM, {16}, RED}, {0x10b, SNORM, {16}, RED}, {0x10c, SINT, {16}, RED},
    {0x10d, UINT, {16}, RED}, {0x10e, FLOAT, {16}, RED}, {0x111, UNORM, {16}, INTENSITY},
    {0x112, UNORM, {16}, LUMINANCE}, {0x113, UNORM, {16}, ALPHA}, {0x115, FLOAT, {16}, INTENSITY},
    {0x116, FLOAT, {16}, LUMINANCE}, {0x117, FLOAT, {16}, ALPHA}, {0x140, UNORM, {8}, RED},
    {0x141, SNORM, {8}, RED}, {0x142, SINT, {8}, RED}, {0x143, UINT, {8}, RED},
    {0x144, UNORM, {8}, ALPHA}, {0x145, UNORM, {8}, INTENSITY}, {0x146, UNORM, {8}, LUMINANCE},
    {0x1b3, SNORM, {10, 10, 10, 2}, RGBA, LOADS_FROM_XE_HPG},
    {0x1b6, SINT, {10, 10, 10, 2}, RGBA, LOADS_FROM_XE_HPG},
};
/* clang-format on */

unsigned texel_format(uint32_t code)
{
    for (unsigned i = 0; i < sizeof(layouts) / sizeof(*layouts); i++)
        if (layouts[i].code == code)
            return i + 1;
    return 0;
}

static const struct texel_layout *layout_of(unsigned format)
{
    return &layouts[format - 1];
}

unsigned texel_bytes(unsigned format)
{
    unsigned bits = 0;

    for (unsigned i = 0; i < CHANNELS; i++)
        bits += layout_of(format)->bits[i];
    return bits / 8;
}

bool texel_stores(unsigned format)
{
    return layout_of(format)->kind != SRGB;
}

bool texel_loads(unsigned format, enum vesim_architecture architecture)
{
    uint8_t loads = layout_of(format)->typed_loads;

    return loads == LOADS_ALWAYS || (loads == LOADS_FROM_XE_HPG && architecture >= VESIM_XE_HPG);
}

bool texel_filters(unsigned format)
{
    return layout_of(format)->kind != UINT && layout_of(format)->kind != SINT;
}

static uint32_t float_bits(float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

static float bits_float(uint32_t bits)
{
    float value;

    memcpy(&value, &bits, sizeof(value));
    return value;
}

static int32_t signed_channel(uint32_t bits, unsigned count)
{
    return (int32_t)(bits << (32 - count)) >> (32 - count);
}

/* IEC 61966-2-1; the same curve in the Khronos Data Format Specification, "sRGB transfer
 * functions". */
static float srgb_to_linear(float encoded)
{
    if (encoded <= 0.04045f)
        return encoded / 12.92f;
    return powf((encoded + 0.055f) / 1.055f, 2.4f);
}

/* Halves without a sign, and without their last digits (EXT_packed_float). */
static float unsigned_half_to_float(uint32_t bits, unsigned count)
{
    return half_to_float((uint16_t)(bits << (15 - count)));
}

/* Rounds to zero, as "during conversion to another float format" (Direct3D's rules for floats). */
static uint32_t float_to_unsigned_half(float value, unsigned count)
{
    const unsigned digits = count - 5;
    const uint32_t infinity = UINT32_C(31) << digits;

    if (isnan(value))
        return infinity | 1u << (digits - 1);
    if (!(value > 0))
        return 0;
    if (isinf(value))
        return infinity;
    if (value >= 0x1p16f)
        return infinity - 1;
    if (value < 0x1p-14f) /* denormal */
        return (uint32_t)ldexpf(value, 14 + (int)digits);
    return (float_bits(value) >> (23 - digits)) - ((127u - 15) << digits);
}

static uint32_t expand(const struct texel_layout *layout, unsigned channel, uint32_t bits)
{
    unsigned count = layout->bits[layout->place[channel]];

    switch (layout->kind) {
    case SRGB:
        if (channel != ALPHA_CHANNEL)
            return float_bits(srgb_to_linear((float)bits / (float)((1u << count) - 1)));
        /* fall through */
    case UNORM:
        return float_bits((float)bits / (float)((1u << count) - 1));
    case SNORM:
        return float_bits(
            fmaxf((float)signed_channel(bits, count) / (float)((1u << (count - 1)) - 1), -1));
    case SINT:
        return (uint32_t)signed_channel(bits, count);
    case FLOAT:
        if (count == 32)
            return bits;
        return float_bits(count == 16 ? half_to_float((uint16_t)bits)
                                      : unsigned_half_to_float(bits, count));
    default:
        return bits;
    }
}

/* Between the limits and to the nearest integer; NaN becomes 0. */
static int32_t to_integer(float value, float low, float scale)
{
    if (isnan(value))
        return 0;
    return (int32_t)rintf(fminf(fmaxf(value, low), 1) * scale);
}

static uint32_t clamp_unsigned(uint32_t value, unsigned count)
{
    uint32_t most = UINT32_MAX >> (32 - count);

    return value < most ? value : most;
}

static uint32_t clamp_signed(uint32_t bits, unsigned count)
{
    int32_t value = (int32_t)bits, most = INT32_MAX >> (32 - count), least = -most - 1;

    return (uint32_t)(value > most ? most : value < least ? least : value);
}

static uint32_t shrink(const struct texel_layout *layout, unsigned place, uint32_t bits)
{
    unsigned count = layout->bits[place];

    switch (layout->kind) {
    case UNORM:
        return (uint32_t)to_integer(bits_float(bits), 0, (float)((1u << count) - 1));
    case SNORM:
        return (uint32_t)to_integer(bits_float(bits), -1, (float)((1u << (count - 1)) - 1));
    case UINT:
        return clamp_unsigned(bits, count);
    case SINT:
        return clamp_signed(bits, count);
    default:
        if (count == 32)
            return bits;
        return count == 16 ? float_to_half(bits_float(bits))
                           : float_to_unsigned_half(bits_float(bits), count);
    }
}

/* Where a channel lies: bits from `shift` on in a word of 1, 2 or 4 bytes. */
struct channel_bits {
    unsigned byte, bytes, shift;
    uint32_t mask; /* of as many bits, from bit 0 on */
};

static struct channel_bits find_channel(const struct texel_layout *layout, unsigned place)
{
    unsigned first = 0;

    for (unsigned i = 0; i < place; i++)
        first += layout->bits[i];
    return (struct channel_bits){.byte = first / 8,
                                 .bytes = (first % 8 + layout->bits[place] + 7) / 8,
                                 .shift = first % 8,
                                 .mask = UINT32_MAX >> (32 - layout->bits[place])};
}

static uint32_t load_channel(const struct texel_layout *layout, unsigned place, const uint8_t *at)
{
    const struct channel_bits bits = find_channel(layout, place);

    return (uint32_t)word_load(at + bits.byte, bits.bytes) >> bits.shift & bits.mask;
}

static void store_channel(const struct texel_layout *layout, unsigned place, uint32_t value,
                          uint8_t *at)
{
    const struct channel_bits bits = find_channel(layout, place);
    uint32_t word = (uint32_t)word_load(at + bits.byte, bits.bytes) & ~(bits.mask << bits.shift);

    word_store(at + bits.byte, word | value << bits.shift, bits.bytes);
}

static void load_channels(const struct texel_layout *layout, const uint8_t *at, bool sampled,
                          uint32_t *channels)
{
    uint32_t one = layout->kind == UINT || layout->kind == SINT ? 1 : float_bits(1);

    for (unsigned i = 0; i < CHANNELS; i++) {
        channels[i] = 0;
        if (layout->place[i] >= ZERO) {
            if (layout->place[i] == ONE && (at || sampled))
                channels[i] = one;
        } else if (at) {
            channels[i] = expand(layout, i, load_channel(layout, layout->place[i], at));
        }
    }
}

/* What a select of 3 bits chooses. */
static uint32_t choose_channel(const struct texel_layout *layout, const uint32_t *channels,
                               unsigned select)
{
    if (select >= RED_SELECTED)
        return channels[select - RED_SELECTED];
    if (select == 0)
        return 0;
    return layout->kind == UINT || layout->kind == SINT ? 1 : float_bits(1);
}

/* Those of the message, as it selects them. */
static void put_channels(const struct transfer *t, const uint32_t *channels, uint8_t *registers)
{
    uint32_t left = t->shape.component_mask;

    for (unsigned i = 0; left; i++, left &= left - 1) {
        unsigned channel = (unsigned)__builtin_ctz(left);
        uint32_t value = channels[channel];

        if (t->shape.select)
            value = choose_channel(layout_of(t->shape.texel), channels,
                                   t->shape.select >> 3 * (3 - channel) & 7);
        memcpy(registers + i * t->shape.step, &value, sizeof(value));
    }
}

static void load_texel(const struct transfer *t, const uint8_t *at, uint8_t *registers)
{
    uint32_t channels[CHANNELS];

    load_channels(layout_of(t->shape.texel), at, t->shape.select != 0, channels);
    put_channels(t, channels, registers);
}

/* Where a channel of the message goes: the select names a channel of the surface, "read or written"
 * (PRM, "Shader Channel Select"). One that names none goes nowhere. */
static unsigned stored_place(const struct transfer *t, unsigned channel)
{
    unsigned select =
        t->shape.select ? t->shape.select >> 3 * (3 - channel) & 7 : channel + RED_SELECTED;

    return select >= RED_SELECTED ? layout_of(t->shape.texel)->place[select - RED_SELECTED] : ZERO;
}

/* Channels that the message does not have stay as they are. */
static void store_texel(const struct transfer *t, uint8_t *at, const uint8_t *payload)
{
    const struct texel_layout *layout = layout_of(t->shape.texel);
    uint32_t left = t->shape.component_mask, stored = 0;

    for (unsigned i = 0; left; i++, left &= left - 1) {
        unsigned place = stored_place(t, (unsigned)__builtin_ctz(left));
        uint32_t value;

        if (place >= ZERO || stored >> place & 1)
            continue;
        stored |= 1u << place;
        memcpy(&value, payload + i * t->shape.step, sizeof(value));
        store_channel(layout, place, shrink(layout, place, value), at);
    }
}

void texels_move(const struct transfer *t, uint8_t *const *hosts, const uint8_t *payload,
                 uint8_t *registers)
{
    for (unsigned lane = 0; lane < t->shape.lanes; lane++) {
        uint32_t offset = lane * t->shape.register_bytes;

        if (!(t->mask >> lane & 1))
            continue;
        if (t->shape.kind == MESSAGE_LOAD)
            load_texel(t, hosts[lane], registers + offset);
        else if (hosts[lane])
            store_texel(t, hosts[lane], payload + offset);
    }
}

/* A border has the channels that the format has, within its limits. */
static uint32_t limit_border(const struct texel_layout *layout, uint32_t bits)
{
    if (layout->kind != UNORM && layout->kind != SRGB && layout->kind != SNORM)
        return bits;
    return float_bits(fminf(fmaxf(bits_float(bits), layout->kind == SNORM ? -1 : 0), 1));
}

static void sample_channels(const struct texel_layout *layout, const uint8_t *at,
                            const uint32_t *border, uint32_t *channels)
{
    load_channels(layout, at, true, channels);
    for (unsigned i = 0; !at && i < CHANNELS; i++)
        if (layout->place[i] < ZERO)
            channels[i] = limit_border(layout, border[i]);
}

static double weight_of(const struct transfer *t, const struct sampled *sampled, unsigned lane,
                        unsigned texel)
{
    const unsigned level = texel >> t->filtered;
    double between = sampled->level_weight[lane] / 256.0;
    double weight = level ? between : 1 - between;

    for (unsigned i = 0; i < t->filtered; i++) {
        double second = sampled->weight[level][i][lane] / 256.0;

        weight *= texel >> i & 1 ? second : 1 - second;
    }
    return weight;
}

static void weigh_texels(const struct transfer *t, uint8_t *const *hosts,
                         const struct sampled *sampled, unsigned lane, uint32_t *channels)
{
    double sums[CHANNELS] = {0};

    for (unsigned texel = 0; texel < (unsigned)t->levels << t->filtered; texel++) {
        double weight = weight_of(t, sampled, lane, texel);

        if (weight == 0) /* whatever it is */
            continue;
        sample_channels(layout_of(t->shape.texel), hosts[texel * t->shape.lanes + lane],
                        sampled->border, channels);
        for (unsigned i = 0; i < CHANNELS; i++)
            sums[i] += weight * (double)bits_float(channels[i]);
    }
    for (unsigned i = 0; i < CHANNELS; i++)
        channels[i] = float_bits((float)sums[i]);
}

void samples_move(const struct transfer *t, uint8_t *const *hosts, const uint8_t *payload,
                  uint8_t *registers)
{
    struct sampled sampled;
    uint32_t channels[CHANNELS];

    memcpy(&sampled, payload, sizeof(sampled));
    for (unsigned lane = 0; lane < t->shape.lanes; lane++) {
        if (!(t->mask >> lane & 1))
            continue;
        if (t->filtered || t->levels > 1)
            weigh_texels(t, hosts, &sampled, lane, channels);
        else
            sample_channels(layout_of(t->shape.texel), hosts[lane], sampled.border, channels);
        put_channels(t, channels, registers + lane * t->shape.register_bytes);
    }
}
