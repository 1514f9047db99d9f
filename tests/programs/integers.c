#include "programs.h"

#include <string.h>

__extension__ typedef __int128 wide;
__extension__ typedef unsigned __int128 unsigned_wide;

static wide limit(wide value, wide low, wide high)
{
    return value < low ? low : value > high ? high : value;
}

enum { PAIRS = 200, RESULTS = 24 };

static const uint64_t corners[] = {0,
                                   1,
                                   2,
                                   3,
                                   77,
                                   0x7f,
                                   0x80,
                                   0xff,
                                   0x7fff,
                                   0x8000,
                                   0xffff,
                                   0x7fffffff,
                                   0x80000000,
                                   0xffffffff,
                                   0x7fffffffffffffff,
                                   0x8000000000000000,
                                   0xffffffffffffffff};

enum { CORNERS = sizeof(corners) / sizeof(corners[0]) };

static uint64_t operand(unsigned index, bool second)
{
    if (index < 100)
        return corners[(second ? index * 7 + index / 17 : index) % CORNERS];
    uint64_t bits = runtime_random64();
    return index % 3 ? bits : bits >> (index % 60);
}

/* The value of the low `bits` of `raw`. */
static wide extend(uint64_t raw, int bits, bool is_signed)
{
    int shift = 64 - bits;

    return is_signed ? (wide)((int64_t)(raw << shift) >> shift) : (wide)(raw << shift >> shift);
}

/* What the kernel computes for one pair of operands; the low bits of each result count. */
static void reference(wide x, wide y, int bits, bool is_signed, unsigned_wide to[RESULTS])
{
    const wide low = is_signed ? -((wide)1 << (bits - 1)) : 0;
    const wide high = ((wide)1 << (is_signed ? bits - 1 : bits)) - 1;
    const unsigned_wide all = ((unsigned_wide)1 << bits) - 1;
    unsigned_wide ux = (unsigned_wide)x & all, product = (unsigned_wide)x * (unsigned_wide)y,
                  mask = (unsigned_wide)(x ^ 0x5a);
    int count = (int)(y & (bits - 1)), leading = 0, trailing = 0, ones = 0;

    while (leading < bits && !(ux >> (bits - 1 - leading) & 1))
        leading++;
    while (trailing < bits && !(ux >> trailing & 1))
        trailing++;
    for (int bit = 0; bit < bits; bit++)
        ones += (int)(ux >> bit & 1);
    bool too_much = !is_signed && product > (unsigned_wide)high; /* 128 bits may be full */
    wide results[RESULTS] = {
        x + y,
        x - y,
        (wide)product,
        y == 0 ? 0 : x / y,
        y == 0 ? 0 : x % y,
        (wide)((unsigned_wide)x << count),
        x >> count,
        (wide)(ux << count | ux >> (bits - count)),
        is_signed ? x * y >> bits : (wide)(product >> bits),
        limit(x + y, low, high),
        limit(x - y, low, high),
        (x + y) >> 1,
        (x + y + 1) >> 1,
        x < y ? x : y,
        x > y ? x : y,
        x > y ? x - y : y - x,
        leading,
        trailing,
        ones,
        (wide)(((unsigned_wide)x & ~mask) | ((unsigned_wide)y & mask)),
        x < y ? ~x : -y,
        (x & y) | (~x ^ y),
        too_much ? high : limit((wide)product + 77, low, high),
        limit(x, 3, 100),
    };
    if (is_signed && y == -1 && x == low) /* undefined */
        results[3] = results[4] = 0;
    for (unsigned i = 0; i < RESULTS; i++)
        to[i] = (unsigned_wide)results[i] & all;
}

static void arithmetic(const char *kernel, unsigned bytes, bool is_signed)
{
    int bits = (int)bytes * 8;
    uint8_t *a = runtime_buffer(PAIRS * bytes), *b = runtime_buffer(PAIRS * bytes),
            *out = runtime_buffer(PAIRS * RESULTS * bytes);
    static uint8_t expected[PAIRS * RESULTS * 8];

    for (unsigned i = 0; i < PAIRS; i++) {
        uint64_t raw_a = operand(i, false), raw_b = operand(i, true);
        unsigned_wide results[RESULTS];

        memcpy(a + i * bytes, &raw_a, bytes);
        memcpy(b + i * bytes, &raw_b, bytes);
        reference(extend(raw_a, bits, is_signed), extend(raw_b, bits, is_signed), bits, is_signed,
                  results);
        for (unsigned k = 0; k < RESULTS; k++) {
            uint64_t result = (uint64_t)results[k];

            memcpy(expected + (i * RESULTS + k) * bytes, &result, bytes);
        }
    }
    runtime_launch(&(struct launch){
        "integers", kernel, {PAIRS / 50}, {50}, {BUFFER(a), BUFFER(b), BUFFER(out)}});
    for (unsigned i = 0; is_signed && i < PAIRS; i++) {
        uint64_t x = 0, y = 0;

        memcpy(&x, a + i * bytes, bytes);
        memcpy(&y, b + i * bytes, bytes);
        if (extend(y, bits, true) == -1 && x == UINT64_C(1) << (bits - 1))
            memset(out + (i * RESULTS + 3) * bytes, 0, 2 * bytes);
    }
    expect_bytes(kernel, out, expected, bytes, PAIRS * RESULTS);
}

#define ARITHMETIC(name, bytes, is_signed)                                                         \
    static void arithmetic_##name(void)                                                            \
    {                                                                                              \
        arithmetic("arithmetic_" #name, bytes, is_signed);                                         \
    }
ARITHMETIC(char, 1, true)
ARITHMETIC(uchar, 1, false)
ARITHMETIC(short, 2, true)
ARITHMETIC(ushort, 2, false)
ARITHMETIC(int, 4, true)
ARITHMETIC(uint, 4, false)
ARITHMETIC(long, 8, true)
ARITHMETIC(ulong, 8, false)

static int32_t field(int32_t value, unsigned shift, unsigned bits)
{
    uint32_t up = (uint32_t)value << (32 - shift - bits);

    return (int32_t)up >> (32 - bits);
}

static void dword_only(void)
{
    int32_t *a = runtime_buffer(PAIRS * 4), *b = runtime_buffer(PAIRS * 4),
            *out = runtime_buffer(PAIRS * 32);
    static int32_t expected[PAIRS * 8];

    for (unsigned i = 0; i < PAIRS; i++) {
        int32_t x = a[i] = (int32_t)operand(i, false), y = b[i] = (int32_t)operand(i, true);
        int32_t *to = expected + i * 8;
        uint32_t product = (uint32_t)field(x, 0, 24) * (uint32_t)field(y, 0, 24);

        to[0] = (int32_t)product;
        to[1] = (int32_t)(product + 99);
        to[2] = (int32_t)(x < 0 ? 0u - (uint32_t)x : (uint32_t)x);
        to[3] = (int32_t)((uint32_t)x << 16 | (uint16_t)y);
        to[4] = (int32_t)(((uint32_t)x >> 7 & 0x1fff) + (uint32_t)field(x, 12, 11));
        to[5] = (x & 0x00fff000) | (y & ~0x00fff000);
        to[6] = (int32_t)((uint32_t)(x / 7 + x % 10) + (uint32_t)y / 641);
        to[7] = (x > 0) + (y < 0) * 2 + (x == y) * 4 + ((uint32_t)x <= (uint32_t)y) * 8;
    }
    runtime_launch(&(struct launch){
        "integers", "dword_only", {PAIRS / 25}, {25}, {BUFFER(a), BUFFER(b), BUFFER(out)}});
    expect_bytes("results", out, expected, 4, PAIRS * 8);
}

static void multiword(void)
{
    enum { COUNT = 96 };
    uint64_t *a = runtime_buffer(COUNT * 16), *b = runtime_buffer(COUNT * 16),
             *out = runtime_buffer(COUNT * 48);
    static uint64_t expected[COUNT * 6];

    for (unsigned i = 0; i < COUNT; i++) {
        unsigned_wide x = 0, y = 0;

        for (unsigned word = 0; word < 2; word++) {
            a[2 * i + word] = operand(i + word * 50, false);
            b[2 * i + word] = operand(i + word * 50, true);
            x |= (unsigned_wide)a[2 * i + word] << (64 * word);
            y |= (unsigned_wide)b[2 * i + word] << (64 * word);
        }
        unsigned_wide sum = x + y, product = x * y;
        expected[i * 6] = (uint64_t)sum;
        expected[i * 6 + 1] = (uint64_t)(sum >> 64);
        expected[i * 6 + 2] = (uint64_t)product;
        expected[i * 6 + 3] = (uint64_t)(product >> 64);
        expected[i * 6 + 4] = (uint64_t)(x >> (b[2 * i + 1] & 63));
        expected[i * 6 + 5] = (uint64_t)(uint32_t)a[2 * i] * (uint32_t)b[2 * i] +
                              (uint64_t)((int64_t)(int32_t)a[2 * i + 1] * (int32_t)b[2 * i + 1]);
    }
    runtime_launch(&(struct launch){
        "integers", "multiword", {3}, {COUNT / 3}, {BUFFER(a), BUFFER(b), BUFFER(out)}});
    expect_bytes("results", out, expected, 8, COUNT * 6);
}

static void dot_products(void)
{
    enum { COUNT = 64 };
    uint32_t *a = runtime_buffer(COUNT * 4), *b = runtime_buffer(COUNT * 4);
    int32_t *out = runtime_buffer(COUNT * 16), expected[COUNT * 4] = {0};

    for (unsigned i = 0; i < COUNT; i++) {
        a[i] = runtime_random();
        b[i] = runtime_random();
        for (unsigned byte = 0; byte < 32; byte += 8) {
            uint8_t x = (uint8_t)(a[i] >> byte), y = (uint8_t)(b[i] >> byte);

            expected[i * 4] += (int8_t)x * (int8_t)y;
            expected[i * 4 + 1] += x * y;
            expected[i * 4 + 2] += (int8_t)x * y;
        }
        int64_t sum = INT64_C(2147483600) + expected[i * 4];
        expected[i * 4 + 3] = (int32_t)(sum > INT32_MAX ? INT32_MAX : sum);
    }
    runtime_launch(&(struct launch){
        "integers", "dot_products", {2}, {COUNT / 2}, {BUFFER(a), BUFFER(b), BUFFER(out)}});
    expect_bytes("results", out, expected, 4, COUNT * 4);
}

static void hashing(void)
{
    enum { COUNT = 40 };
    const char *text = "The quick brown fox jumps over the lazy dog";
    uint32_t length = (uint32_t)strlen(text), *out = runtime_buffer(COUNT * 12),
             expected[COUNT * 3];
    uint8_t *in = runtime_buffer(length);

    memcpy(in, text, length);
    for (unsigned i = 0; i < COUNT; i++) {
        uint32_t hash = 2166136261u ^ i;

        for (uint32_t k = 0; k < length; k++)
            hash = (hash ^ in[k]) * 16777619u;
        expected[i * 3] = hash;
        expected[i * 3 + 1] = 0x414fa339; /* known CRC-32 and Adler-32 of this sentence */
        expected[i * 3 + 2] = 0x5bdc0fda;
    }
    runtime_launch(&(struct launch){
        "integers", "hashing", {2}, {COUNT / 2}, {BUFFER(in), BUFFER(out), VALUE(length)}});
    expect_bytes("hashes", out, expected, 4, COUNT * 3);
}

static void primes(void)
{
    enum { COUNT = 300 };
    uint8_t *out = runtime_buffer(COUNT), expected[COUNT];

    memset(expected, 1, sizeof(expected));
    expected[0] = expected[1] = 0;
    for (unsigned i = 2; i < COUNT; i++)
        for (unsigned multiple = 2 * i; multiple < COUNT; multiple += i)
            expected[multiple] = 0;
    runtime_launch(&(struct launch){"integers", "primes", {3}, {COUNT / 3}, {BUFFER(out)}});
    expect_bytes("primes", out, expected, 1, COUNT);
}

const struct program_test integers_tests[] = {
    {"arithmetic_char", arithmetic_char},
    {"arithmetic_uchar", arithmetic_uchar},
    {"arithmetic_short", arithmetic_short},
    {"arithmetic_ushort", arithmetic_ushort},
    {"arithmetic_int", arithmetic_int},
    {"arithmetic_uint", arithmetic_uint},
    {"arithmetic_long", arithmetic_long},
    {"arithmetic_ulong", arithmetic_ulong},
    {"dword_only", dword_only},
    {"multiword", multiword},
    {"dot_products", dot_products},
    {"hashing", hashing},
    {"primes", primes},
    {NULL, NULL},
};
