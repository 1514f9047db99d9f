/* Formats of texels whose channels share bytes, by the host's own arithmetic. */
#ifndef PACKED_FORMAT_H
#define PACKED_FORMAT_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum packed_kind { PACKED_UNORM, PACKED_UINT, PACKED_SNORM, PACKED_SINT, PACKED_FLOAT };

/* The lowest bit of red, green, blue and alpha, and how many each has. */
struct packed_format {
    uint32_t code; /* genxml Surface Format */
    enum packed_kind kind;
    unsigned bytes;
    unsigned first[4], bits[4];
    bool is_loaded; /* by typed messages, too, from Xe-HPG on */
};

#define PACKED_FORMATS                                                                             \
    {0x0c2, PACKED_UNORM, 4, {0, 10, 20, 30}, {10, 10, 10, 2}, true},                              \
        {0x0c4, PACKED_UINT, 4, {0, 10, 20, 30}, {10, 10, 10, 2}, true},                           \
        {0x1b3, PACKED_SNORM, 4, {0, 10, 20, 30}, {10, 10, 10, 2}, true},                          \
        {0x1b6, PACKED_SINT, 4, {0, 10, 20, 30}, {10, 10, 10, 2}, true},                           \
        {0x0d3, PACKED_FLOAT, 4, {0, 11, 22}, {11, 11, 10}, true},                                 \
        {0x100, PACKED_UNORM, 2, {11, 5, 0}, {5, 6, 5}, false},                                    \
        {0x102, PACKED_UNORM, 2, {10, 5, 0, 15}, {5, 5, 5, 1}, false},                             \
        {0x104, PACKED_UNORM, 2, {8, 4, 0, 12}, {4, 4, 4, 4}, false},

static inline uint32_t packed_bits_of(float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

/* Of 10 or 11 bits without a sign, 5 of them the exponent. */
static inline float packed_float(uint32_t value, unsigned bits)
{
    const int digits = (int)bits - 5, exponent = (int)(value >> digits);
    const double fraction = ldexp(value & ((1u << digits) - 1), -digits);

    if (exponent == 31)
        return fraction > 0 ? NAN : INFINITY;
    return (float)(exponent ? ldexp(1 + fraction, exponent - 15) : ldexp(fraction, -14));
}

/* What a kernel gets of channel 0 to 3 of a texel, as bits. */
static inline uint32_t packed_channel(const struct packed_format *format, uint32_t texel,
                                      unsigned channel)
{
    const unsigned bits = format->bits[channel];

    if (!bits)
        return channel == 3 ? packed_bits_of(1) : 0;
    const uint32_t all = (1u << bits) - 1, value = texel >> format->first[channel] & all;
    const int32_t number = value > all / 2 ? (int32_t)value - (int32_t)all - 1 : (int32_t)value;

    switch (format->kind) {
    case PACKED_UINT:
        return value;
    case PACKED_SINT:
        return (uint32_t)number;
    case PACKED_UNORM:
        return packed_bits_of((float)value / (float)all);
    case PACKED_SNORM:
        return packed_bits_of(fmaxf((float)number / (float)(all / 2), -1));
    default:
        return packed_bits_of(packed_float(value, bits));
    }
}

#endif
