/* Arithmetic of every width: each operation on values at the edges of its types. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "instructions.h"

/* dp4a: bytes of each signedness, accumulation, saturation. r14 and r15 are four bytes a lane. */
static void test_dp4a(void **state)
{
    (void)state;
    const char *text = "(W) mov (8|M0) r14.0<1>:ud 0xff80017f:ud {@1}\n"
                       "(W) mov (8|M0) r15.0<1>:ud 0x80ff7f02:ud {@1}\n"
                       "(W) mov (8|M0) r16.0<1>:ud 0x%x:ud {@1}\n"
                       "dp4a (8|M0) %sr20.0<1>:%s r16.0<%s>:%s r14.0<%s>:%s r15.0<1>:%s {@1}";
    const char *region = is_from(VESIM_XE_HPG) ? "1;0" : "8;1";
    /* bytes of r14, lowest first: 127, 1, -128 (128), -1 (255); of r15: 2, 127, -1 (255), -128
     * (128)
     */
    const struct {
        const char *a, *b, *to, *saturate;
        uint32_t addend, result;
    } cases[] = {
        {"d", "d", "d", "", 10, 10 + 254 + 127 + 128 + 128},
        {"ud", "ud", "d", "", 0, 254 + 127 + 128 * 255 + 255 * 128},
        {"d", "ud", "d", "", 0, (uint32_t)(254 + 127 - 128 * 255 - 128)},
        {"ud", "d", "d", "", 0, (uint32_t)(254 + 127 - 128 - 255 * 128)},
        {"d", "d", "d", "", 0x7fffffff, 0x7fffffffu + 637},
        {"d", "d", "d", "(sat)", 0x7fffffff, 0x7fffffff},
        {"d", "ud", "d", "(sat)", 0x80000000, 0x80000000},
        {"ud", "ud", "ud", "(sat)", 0xfffffff0, 0xffffffff},
    };
    for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        uint32_t r = cases[i].result;

        run_format(text, cases[i].addend, cases[i].saturate, cases[i].to, region, cases[i].to,
                   region, cases[i].a, cases[i].b);
        expect((uint32_t[]){r, r, r, r, r, r, r, r});
    }
}

/* The overflow of sums and products, as a flag. */
static void test_overflow(void **state)
{
    (void)state;
    run("(W) mov (8|M0) r20.0<1>:d 0:w {@1}\n"
        "(W) mov (8|M0) r14.0<1>:d 0x7ffffffc:d {@1}\n"
        "add (8|M0) (ov)f0.0 r15.0<1>:d r14.0<8;8,1>:d r10.0<8;8,1>:d {@1}\n"
        "(f0.0) mov (8|M0) r20.0<1>:d 1:w {@1}");
    expect((uint32_t[]){0, 0, 0, 0, 1, 1, 1, 1});
    run("(W) mov (8|M0) r20.0<1>:d 0:w {@1}\n"
        "add (8|M0) (ov)f0.0 null<1>:ud r10.0<8;8,1>:ud -3:d {@1}\n"
        "(f0.0) mov (8|M0) r20.0<1>:d 1:w {@1}");
    expect((uint32_t[]){1, 1, 1, 0, 0, 0, 0, 0});
    expect_fault("add (8|M0) (ov)f0.0 r15.0<1>:f r14.0<8;8,1>:f r10.0<8;8,1>:f", "does not know");
}

/* A condition judges what the destination holds: after the result is cut to its type, clamped or
 * converted, and with the type's sign. */
static void test_conditions(void **state)
{
    (void)state;
    const struct {
        const char *values, *instruction; /* on r14 and r15; the flag's bits are what is expected */
        uint32_t holds[8];
    } cases[] = {
        {"(W) mov (8|M0) r14.0<1>:d 0x7ffffffc:d {@1}\n",
         "add (8|M0) (gt)f0.0 r15.0<1>:d r14.0<8;8,1>:d r10.0<8;8,1>:d",
         {1, 1, 1, 1, 0, 0, 0, 0}},
        {"(W) mov (8|M0) r14.0<1>:d 0x1fffffff:d {@1}\n",
         "shl (8|M0) (lt)f0.0 r15.0<1>:d r14.0<8;8,1>:d r10.0<8;8,1>:d",
         {0, 0, 0, 1, 1, 1, 1, 1}},
        {"(W) mov (8|M0) r14.0<1>:d 0x80000000:d {@1}\n",
         "shl (8|M0) (gt)f0.0 null<1>:d r14.0<8;8,1>:d r10.0<8;8,1>:d",
         {0, 0, 0, 0, 0, 0, 0, 0}},
        {"(W) mov (8|M0) r14.0<1>:d 0x80000003:d {@1}\n",
         "add (8|M0) (lt)f0.0 null<1>:d -r14.0<8;8,1>:d r10.0<8;8,1>:d",
         {0, 0, 0, 1, 1, 1, 1, 1}},
        {"(W) mov (8|M0) r14.0<1>:d 0x7d:d {@1}\n",
         "add (8|M0) (lt)f0.0 r15.0<4>:b r14.0<8;8,1>:d r10.0<8;8,1>:d",
         {0, 0, 0, 1, 1, 1, 1, 1}},
        {"(W) mov (8|M0) r14.0<1>:d 0xfffd:d {@1}\n",
         "add (8|M0) (gt)f0.0 r15.0<2>:uw r14.0<8;8,1>:d r10.0<8;8,1>:d",
         {1, 1, 1, 0, 1, 1, 1, 1}},
        {"", "add (8|M0) (eq)f0.0 (sat)r15.0<1>:ud r10.0<8;8,1>:d -3:d", {1, 1, 1, 1, 0, 0, 0, 0}},
        {"(W) mov (8|M0) r14.0<1>:f r10.0<8;8,1>:d {@1}\n",
         "add (8|M0) (le)f0.0 (sat)r15.0<1>:f r14.0<8;8,1>:f -3.0:f",
         {1, 1, 1, 1, 0, 0, 0, 0}},
        {"(W) mov (8|M0) r14.0<1>:f r10.0<8;8,1>:d {@1}\n",
         "add (8|M0) (lt)f0.0 (sat)r15.0<1>:f r14.0<8;8,1>:f -3.0:f",
         {0, 0, 0, 0, 0, 0, 0, 0}},
        {"(W) mov (8|M0) r14.0<1>:f r10.0<8;8,1>:d {@1}\n"
         "(W) mul (8|M0) r14.0<1>:f r14.0<8;8,1>:f 0x1p-27:f {@1}\n",
         "mov (8|M0) (ne)f0.0 r15.0<1>:hf r14.0<8;8,1>:f",
         {0, 0, 0, 0, 0, 1, 1, 1}},
    };
    for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        run_format("(W) mov (8|M0) r20.0<1>:d 0:w {@1}\n%s%s {@1}\n"
                   "(f0.0) mov (8|M0) r20.0<1>:d 1:w {@1}",
                   cases[i].values, cases[i].instruction);
        expect(cases[i].holds);
    }
}

/* A product added to the accumulator. */
static void test_multiply_accumulate(void **state)
{
    (void)state;
    run("(W) mov (8|M0) acc0.0<1>:d 100:w {@1}\n"
        "mac (8|M0) r20.0<1>:d r10.0<8;8,1>:d -3:w {@1}");
    expect((uint32_t[]){100, 97, 94, 91, 88, 85, 82, 79});
    run("(W) mov (8|M0) acc0.0<1>:f 0.5:f {@1}\n"
        "(W) mov (8|M0) r14.0<1>:f r10.0<8;8,1>:d {@1}\n"
        "mac (8|M0) r20.0<1>:f r14.0<8;8,1>:f r14.0<8;8,1>:f {@1}");
    expect_floats((float[]){0.5f, 1.5f, 4.5f, 9.5f, 16.5f, 25.5f, 36.5f, 49.5f});
}

/* 16-bit sums and moves that saturate. */
static void test_saturated_words(void **state)
{
    (void)state;
    run("(W) mov (8|M0) r20.0<1>:d 0:w {@1}\n"
        "(W) mov (8|M0) r14.0<1>:uw 0x7ffd:uw {@1}\n"
        "(W) mov (8|M0) r15.0<1>:w r10.0<8;8,1>:d {@1}\n"
        "add (8|M0) (sat)r20.0<2>:w r14.0<8;8,1>:w r15.0<8;8,1>:w {@1}\n"
        "add (8|M0) (sat)r20.1<2>:uw r15.0<8;8,1>:uw -5:w {@1}");
    expect((uint32_t[]){0x7ffd, 0x7ffe, 0x7fff, 0x7fff, 0x7fff, 0x7fff, 0x17fff, 0x27fff});
    run("(W) mov (8|M0) r20.0<1>:d 0:w {@1}\n"
        "(W) shl (8|M0) r14.0<1>:d r10.0<8;8,1>:d 14:w {@1}\n"
        "mov (8|M0) (sat)r20.0<2>:w r14.0<8;8,1>:d {@1}\n"
        "mov (8|M0) (sat)r20.1<2>:uw -r14.0<8;8,1>:d {@1}");
    expect((uint32_t[]){0, 0x4000, 0x7fff, 0x7fff, 0x7fff, 0x7fff, 0x7fff, 0x7fff});
}

static void test_averages(void **state)
{
    (void)state;
    run("avg (8|M0) r20.0<1>:d r10.0<8;8,1>:d -r12.0<8;8,1>:d {@1}");
    expect((uint32_t[]){0, -1u, -3u, -4u, -6u, -7u, -9u, -10u});
    run("(W) mov (8|M0) r14.0<1>:ud 0xffffffff:ud {@1}\n"
        "avg (8|M0) r20.0<1>:ud r14.0<8;8,1>:ud r10.0<8;8,1>:ud {@1}");
    const uint32_t half = 0x80000000;
    expect((uint32_t[]){half, half, half + 1, half + 1, half + 2, half + 2, half + 3, half + 3});
}

static void test_bit_fields(void **state)
{
    (void)state;
    const char *r = is_from(VESIM_XE_HPG) ? "1;0" : "8;1";
    run_format("(W) mov (8|M0) r14.0<1>:ud 0x00f50000:ud {@1}\n"
               "(W) mov (8|M0) r15.0<1>:ud 16:uw {@1}\n"
               "bfe (8|M0) r20.0<1>:ud 8:uw r15.0<%s>:ud r14.0<1>:ud {@1}",
               r);
    expect((uint32_t[]){0xf5, 0xf5, 0xf5, 0xf5, 0xf5, 0xf5, 0xf5, 0xf5});
    run_format("(W) mov (8|M0) r14.0<1>:ud 0x00f50000:ud {@1}\n"
               "(W) mov (8|M0) r15.0<1>:ud 8:uw {@1}\n"
               "(W) add (8|M0) r16.0<1>:ud r10.0<8;8,1>:ud 16:uw {@1}\n"
               "bfe (8|M0) r20.0<1>:d r15.0<%s>:d r16.0<%s>:d r14.0<1>:d {@1}",
               r, r);
    expect((uint32_t[]){0xfffffff5, 0x7a, 0x3d, 0x1e, 0xf, 7, 3, 1});
    run_format("(W) mov (8|M0) r14.0<1>:ud 4:uw {@1}\n"
               "bfi1 (8|M0) r15.0<1>:ud r14.0<8;8,1>:ud r12.0<8;8,1>:ud {@1}\n"
               "(W) mov (8|M0) r16.0<1>:ud 0xa0000000:ud {@1}\n"
               "bfi2 (8|M0) r20.0<1>:ud r15.0<%s>:ud r10.0<%s>:ud r16.0<1>:ud {@1}",
               r, r);
    expect((uint32_t[]){0xa0000000, 0xa0000010, 0xa0000200, 0xa0003000, 0xa0040000, 0xa0500000,
                        0xa6000000, 0x70000000});
    run("(W) add (8|M0) r14.0<1>:d r10.0<8;8,1>:d -4:w {@1}\n"
        "fbh (8|M0) r20.0<1>:ud r14.0<8;8,1>:d {@1}");
    expect((uint32_t[]){30, 30, 31, UINT32_MAX, UINT32_MAX, 31, 30, 30});
}

/* Comparisons and selections of denormals, as cr0's mode has them. */
static void test_denormals(void **state)
{
    (void)state;
    const char *text = "(W) %s (1|M0) cr0.0<1>:ud cr0.0<0;1,0>:ud 0x%x:ud {@1}\n"
                       "(W) mov (8|M0) r20.0<1>:d 0:w {@1}\n"
                       "cmp (8|M0) (gt)f0.0 null<1>:f r10.0<8;8,1>:f 0.0:f {@1}\n"
                       "(f0.0) mov (8|M0) r20.0<1>:d 1:w {@1}\n"
                       "sel (8|M0) (ge)f0.0 r14.0<1>:f r10.0<8;8,1>:f r12.0<8;8,1>:f {@1}\n"
                       "or (8|M0) r20.0<1>:d r20.0<8;8,1>:d r14.0<8;8,1>:d {@1}";
    run_format(text, "or", 0x80);
    expect((uint32_t[]){0, 5, 9, 13, 17, 21, 25, 29}); /* the greater, and it is positive */
    run_format(text, "and", ~0x80u);
    expect((uint32_t[]){0, 0, 0, 0, 0, 0, 0, 0});
    /* halves have a mode of their own */
    const char *half = "(W) %s (1|M0) cr0.0<1>:ud cr0.0<0;1,0>:ud 0x%x:ud {@1}\n"
                       "(W) mov (8|M0) r20.0<1>:d 0:w {@1}\n"
                       "add (8|M0) r20.0<2>:hf r10.0<16;8,2>:hf r10.0<16;8,2>:hf {@1}";
    run_format(half, "or", 0x400);
    expect((uint32_t[]){0, 2, 4, 6, 8, 10, 12, 14});
    run_format(half, "and", ~0x400u);
    expect((uint32_t[]){0, 0, 0, 0, 0, 0, 0, 0});
}

/* Quadwords: r14 to r17 are eight of them. Gen12LP has none. */
#define QUADWORDS                                                                                  \
    "mov (8|M0) r14.0<1>:q r10.0<8;8,1>:d {A@1}\n"                                                 \
    "shl (8|M0) r14.0<1>:q r14.0<1;1,0>:q 33:w {A@1}\n"

static void test_quadwords(void **state)
{
    (void)state;
    if (!is_from(VESIM_XE_HPG))
        skip();
    run(QUADWORDS "add (8|M0) r14.0<1>:q r14.0<1;1,0>:q -1:w {A@1}\n"
                  "mov (8|M0) r20.0<1>:d r14.1<2;1,0>:d {A@1}");
    expect((uint32_t[]){-1u, 1, 3, 5, 7, 9, 11, 13});
    run(QUADWORDS "asr (8|M0) r14.0<1>:q -r14.0<1;1,0>:q 34:w {A@1}\n"
                  "mov (8|M0) r20.0<1>:d r14.0<2;1,0>:d {A@1}");
    expect((uint32_t[]){0, -1u, -1u, -2u, -2u, -3u, -3u, -4u});
    run("(W) mov (8|M0) r20.0<1>:d 0:w {A@1}\n" QUADWORDS
        "(W) mov (8|M0) r16.0<1>:uq 0x600000000:uq {A@1}\n"
        "cmp (8|M0) (gt)f0.0 null<1>:q r14.0<1;1,0>:q r16.0<1;1,0>:q {A@1}\n"
        "(f0.0) mov (8|M0) r20.0<1>:d 1:w {A@1}");
    expect((uint32_t[]){0, 0, 0, 0, 1, 1, 1, 1});
    /* unsigned ones are greater than every signed one that their bits look like */
    run("(W) mov (8|M0) r20.0<1>:d 0:w {A@1}\n" QUADWORDS
        "(W) mov (8|M0) r16.0<1>:uq 0xfffffffffffffff0:uq {A@1}\n"
        "cmp (8|M0) (gt)f0.0 null<1>:uq r16.0<1;1,0>:uq r14.0<1;1,0>:q {A@1}\n"
        "(f0.0) mov (8|M0) r20.0<1>:d 1:w {A@1}");
    expect((uint32_t[]){1, 1, 1, 1, 1, 1, 1, 1});
    run("(W) mov (8|M0) r16.0<1>:uq 0xfffffffffffffff0:uq {A@1}\n"
        "mov (8|M0) (sat)r20.0<1>:ud r16.0<1;1,0>:uq {A@1}");
    expect((uint32_t[]){-1u, -1u, -1u, -1u, -1u, -1u, -1u, -1u});
}

/* Doubles of r10 in r14; results go to single precision in r20. */
#define DOUBLES "mov (8|M0) r14.0<1>:df r10.0<8;8,1>:d {A@1}\n"

static void test_doubles(void **state)
{
    (void)state;
    if (!is_from(VESIM_XE_HPG))
        skip();
    run(DOUBLES "mul (8|M0) r16.0<1>:df r14.0<1;1,0>:df r14.0<1;1,0>:df {A@1}\n"
                "add (8|M0) r16.0<1>:df r16.0<1;1,0>:df -r14.0<1;1,0>:df {A@1}\n"
                "mov (8|M0) r20.0<1>:f r16.0<1;1,0>:df {A@1}");
    expect_floats((float[]){0, 0, 2, 6, 12, 20, 30, 42});
    /* a product that single precision cannot hold, but for its low end */
    run(DOUBLES "(W) mov (8|M0) r18.0<1>:df r10.1<0;1,0>:d {A@1}\n"
                "(W) mov (8|M0) r24.0<1>:ud 0x40000001:ud {A@1}\n"
                "mov (8|M0) r26.0<1>:df r24.0<8;8,1>:d {A@1}\n"
                "mul (8|M0) r28.0<1>:df r26.0<1;1,0>:df r14.0<1;1,0>:df {A@1}\n"
                "mov (8|M0) r24.0<1>:d 0x40000000:d {A@1}\n"
                "mov (8|M0) r30.0<1>:df r24.0<8;8,1>:d {A@1}\n"
                "mad (8|M0) r28.0<1>:df r28.0<1;0>:df r30.0<1;0>:df -r14.0<1>:df {A@1}\n"
                "mov (8|M0) r20.0<1>:f r28.0<1;1,0>:df {A@1}");
    expect_floats((float[]){0, 1, 2, 3, 4, 5, 6, 7});
    run("(W) mov (8|M0) r20.0<1>:d 0:w {A@1}\n" DOUBLES
        "(W) mov (8|M0) r18.0<1>:df r10.3<0;1,0>:d {A@1}\n"
        "cmp (8|M0) (lt)f0.0 null<1>:df r14.0<1;1,0>:df r18.0<1;1,0>:df {A@1}\n"
        "(f0.0) mov (8|M0) r20.0<1>:d 1:w {A@1}");
    expect((uint32_t[]){1, 1, 1, 0, 0, 0, 0, 0});
    run(DOUBLES "(W) mov (8|M0) r18.0<1>:df r10.4<0;1,0>:d {A@1}\n"
                "sel (8|M0) (ge)f0.0 r16.0<1>:df r14.0<1;1,0>:df r18.0<1;1,0>:df {A@1}\n"
                "mov (8|M0) r20.0<1>:d -r16.0<1;1,0>:df {A@1}");
    expect((uint32_t[]){-4u, -4u, -4u, -4u, -4u, -5u, -6u, -7u});
    /* quadwords to doubles, rounded as cr0 says: 2^53 + 1 up */
    run("(W) or (1|M0) cr0.0<1>:ud cr0.0<0;1,0>:ud 0x10:uw {A@1}\n"
        "(W) mov (8|M0) r16.0<1>:uq 0x20000000000001:uq {A@1}\n"
        "mov (8|M0) r18.0<1>:df r16.0<1;1,0>:uq {A@1}\n"
        "mov (8|M0) r20.0<1>:d r18.0<2;1,0>:d {A@1}");
    expect((uint32_t[]){1, 1, 1, 1, 1, 1, 1, 1});
}

/* Elements of a packed immediate are a word apart in the destination: dwords take every other. */
static void test_packed_immediates(void **state)
{
    (void)state;
    run("(W) mov (8|M0) r20.0<1>:d 0:w {@1}\n"
        "(W) mov (8|M0) r20.0<1>:w 0xf6543210:v {@1}");
    expect((uint32_t[]){0x10000, 0x30002, 0x50004, 0xffff0006, 0, 0, 0, 0});
    run("(W) mov (8|M0) r20.0<1>:d 9:w {@1}\n"
        "(W) mov (2|M0) r20.0<1>:ud 0x400:uv {@1}");
    expect((uint32_t[]){0, 4, 9, 9, 9, 9, 9, 9});
    run("(W) mov (8|M0) r20.0<1>:d 9:w {@1}\n"
        "(W) add (4|M0) r20.0<1>:d r10.0<4;4,1>:d 0x0f030201:v {@1}");
    expect((uint32_t[]){1, 3, 5, 2, 9, 9, 9, 9});
    run("(W) mov (8|M0) r20.0<1>:d 9:w {@1}\n"
        "(W) mov (4|M0) r20.0<1>:f 0x40302000:vf {@1}");
    expect_floats((float[]){0, 0.5f, 1, 2, 0x1.2p-146f, 0x1.2p-146f, 0x1.2p-146f, 0x1.2p-146f});
}

/* The sequence of an IEEE division: its first instruction's approximation is improved where it is
 * no final result. 1/y of a denormal is beyond the type, and a quotient may be denormal. */
static void test_division(void **state)
{
    (void)state;
    if (!is_from(VESIM_XE_HPG))
        skip();
    const float x[8] = {1, 2, 10, 0x1p-126f, 0x1.8p-149f, 0x1.fffffep127f, 0, 1};
    const float y[8] = {3, -7, 2.5f, 3, 0x1p-149f, 0x1.8p126f, 5, 0};
    char text[4096] = "(W) or (1|M0) cr0.0<1>:ud cr0.0<0;1,0>:ud 0x80:uw {@1}\n";
    for (unsigned i = 0; i < 8; i++) {
        uint32_t bits[2];

        memcpy(&bits[0], &x[i], sizeof(bits[0]));
        memcpy(&bits[1], &y[i], sizeof(bits[1]));
        snprintf(text + strlen(text), sizeof(text) - strlen(text),
                 "(W) mov (1|M0) r14.%u<1>:ud 0x%x:ud {@1}\n"
                 "(W) mov (1|M0) r15.%u<1>:ud 0x%x:ud {@1}\n",
                 i, bits[0], i, bits[1]);
    }
    snprintf(text + strlen(text), sizeof(text) - strlen(text),
             "(W) mov (8|M0) r16.0<1>:f 1.0:f {@1}\n"
             "(W) mov (8|M0) r17.0<1>:f 0.0:f {@1}\n"
             "sync.nop null {A@1}\n"
             "math.invm (8|M0) (eo)f0.0 r20.mme0:f r14.nomme:f r15.nomme:f {$1}\n"
             "sync.nop null {$1.dst}\n"
             "(~f0.0) madm (8|M0) r18.mme1:f r17.nomme:f r14.nomme:f r20.mme0:f {A@1}\n"
             "(~f0.0) madm (8|M0) r19.mme2:f r16.nomme:f -r15.nomme:f r20.mme0:f {A@1}\n"
             "(~f0.0) madm (8|M0) r21.mme3:f r20.mme0:f r19.mme2:f r20.mme0:f {A@1}\n"
             "(~f0.0) madm (8|M0) r22.mme4:f r14.nomme:f -r15.nomme:f r18.mme1:f {A@1}\n"
             "(~f0.0) madm (8|M0) r18.mme5:f r18.mme1:f r22.mme4:f r21.mme3:f {A@1}\n"
             "(~f0.0) madm (8|M0) r22.mme6:f r14.nomme:f -r15.nomme:f r18.mme5:f {A@1}\n"
             "(~f0.0) madm (8|M0) r20.nomme:f r18.mme5:f r22.mme6:f r21.mme3:f {A@1}");
    run(text);
    float quotients[8];
    for (unsigned i = 0; i < 8; i++)
        quotients[i] = x[i] / y[i];
    expect_floats(quotients);
}

/* rsqtm ends early for what has no reciprocal root, with the square root. */
static void test_root_macro(void **state)
{
    (void)state;
    if (!is_from(VESIM_XE_HPG))
        skip();
    run("(W) mov (8|M0) r20.0<1>:d 0:w {@1}\n"
        "(W) mov (8|M0) r14.0<1>:f r12.0<8;8,1>:d {@1}\n"
        "(W) mov (1|M0) r14.1<1>:ud 0x7f800000:ud {@1}\n"
        "(W) mov (1|M0) r14.2<1>:ud 0x80000000:ud {@1}\n"
        "sync.nop null {A@1}\n"
        "math.rsqtm (8|M0) (eo)f0.0 r20.mme0:f r14.nomme:f {$1}\n"
        "sync.nop null {$1.dst}");
    float expected[8] = {0.0f, INFINITY, -0.0f};
    for (unsigned i = 3; i < 8; i++)
        expected[i] = (float)(1.0 / sqrt(4.0 * i));
    expect_floats(expected);
    run("(W) mov (8|M0) r20.0<1>:d 0:w {@1}\n"
        "(W) mov (8|M0) r14.0<1>:f -r10.0<8;8,1>:d {@1}\n"
        "(W) add (8|M0) r14.0<1>:f r14.0<8;8,1>:f 4.0:f {A@1}\n"
        "sync.nop null {A@1}\n"
        "math.rsqtm (8|M0) (eo)f0.0 r15.mme0:f r14.nomme:f {$1}\n"
        "sync.nop null {$1.dst}\n"
        "(f0.0) mov (8|M0) r20.0<1>:d 1:w {A@1}");
    expect((uint32_t[]){0, 0, 0, 0, 1, 1, 1, 1});
}

/* A third source in range of the condition picks the first. */
static void test_conditional_select(void **state)
{
    (void)state;
    const char *r = is_from(VESIM_XE_HPG) ? "1;0" : "8;1";
    run_format("(W) mov (8|M0) r13.0<1>:f r12.0<8;8,1>:d {@1}\n"
               "(W) mov (8|M0) r14.0<1>:f r10.0<8;8,1>:d {@1}\n"
               "(W) add (8|M0) r15.0<1>:f r14.0<8;8,1>:f -3.0:f {@1}\n"
               "csel (8|M0) (lt)f0.0 r20.0<1>:f r14.0<%s>:f r13.0<%s>:f r15.0<1>:f {@1}",
               r, r);
    expect_floats((float[]){0, 1, 2, 12, 16, 20, 24, 28});
}

int main(int argc, char **argv)
{
    instructions_choose(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dp4a),
        cmocka_unit_test(test_overflow),
        cmocka_unit_test(test_conditions),
        cmocka_unit_test(test_multiply_accumulate),
        cmocka_unit_test(test_saturated_words),
        cmocka_unit_test(test_averages),
        cmocka_unit_test(test_bit_fields),
        cmocka_unit_test(test_denormals),
        cmocka_unit_test(test_quadwords),
        cmocka_unit_test(test_doubles),
        cmocka_unit_test(test_packed_immediates),
        cmocka_unit_test(test_division),
        cmocka_unit_test(test_root_macro),
        cmocka_unit_test(test_conditional_select),
    };
    return cmocka_run_group_tests_name("arithmetic", tests, instructions_create,
                                       instructions_destroy);
}
