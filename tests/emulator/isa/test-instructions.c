/* The instruction set, instruction by instruction: assembled by Intel's assembler, executed by the
 * model, compared with values worked out by hand. The argument names the device. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "instructions.h"
#include "isa/decode/program.h"

static void test_add_mul(void **state)
{
    (void)state;
    run("add (8|M0) r20.0<1>:d r10.0<8;8,1>:d 100:w {@1}");
    expect((uint32_t[]){100, 101, 102, 103, 104, 105, 106, 107});
    run("mul (8|M0) r20.0<1>:d r10.0<8;8,1>:d -3:w {@1}");
    expect((uint32_t[]){0, -3u, -6u, -9u, -12u, -15u, -18u, -21u});
    run("add (8|M0) r20.0<1>:d -r10.0<8;8,1>:d r12.0<0;1,0>:d {@1}");
    expect((uint32_t[]){0, -1u, -2u, -3u, -4u, -5u, -6u, -7u});
    run("(W) mov (8|M0) r20.0<1>:d 7:w {@1}\n"
        "mad (8|M0) r20.0<1>:d r20.0<8;1>:d r10.0<8;1>:d r12.0<1>:w {@1}");
    expect((uint32_t[]){7, 7, 7 + 2 * 4, 7, 7 + 4 * 8, 7, 7 + 6 * 12, 7});
}

static void test_regions(void **state)
{
    (void)state;
    run("mov (8|M0) r20.0<1>:d r10.0<0;1,0>:d {@1}");
    expect((uint32_t[]){0, 0, 0, 0, 0, 0, 0, 0});
    run("mov (8|M0) r20.0<1>:d r10.1<0;2,1>:d {@1}");
    expect((uint32_t[]){1, 2, 1, 2, 1, 2, 1, 2});
    run("(W) mov (8|M0) r20.0<1>:d 9:w {@1}\n"
        "(W) mov (4|M0) r20.0<2>:d r10.4<4;4,1>:d {@1}");
    expect((uint32_t[]){4, 9, 5, 9, 6, 9, 7, 9});
    run("mov (8|M0) r20.0<1>:d r12.0<8;4,2>:uw {@1}");
    expect((uint32_t[]){0, 4, 8, 12, 16, 20, 24, 28});
    run("(W) mov (8|M0) r20.0<1>:d 0:w {@1}\n"
        "(W) mov (8|M0) r20.0<4>:ub r10.0<8;8,1>:d {@1}");
    expect((uint32_t[]){0, 1, 2, 3, 4, 5, 6, 7});
}

static void test_indirect(void **state)
{
    (void)state;
    const unsigned r10 = 10 * (is_from(VESIM_XE2) ? 64 : 32); /* its address in bytes */
    run_format("(W) shl (8|M0) r13.0<1>:d r10.0<8;8,1>:d 2:w {@1}\n"
               "(W) add (8|M0) r13.0<1>:d -r13.0<8;8,1>:d 28:w {@1}\n"
               "(W) add (8|M0) a0.0<1>:uw r13.0<16;8,2>:uw 0x%x:uw {@1}\n"
               "mov (8|M0) r20.0<1>:d r[a0.0]<1,0>:d {@1}",
               r10);
    expect((uint32_t[]){7, 6, 5, 4, 3, 2, 1, 0});
    run_format("(W) mov (1|M0) a0.0<1>:uw 0x%x:uw {@1}\n"
               "mov (8|M0) r20.0<1>:d r[a0.0]<0;1,0>:d {@1}",
               r10 + 12);
    expect((uint32_t[]){3, 3, 3, 3, 3, 3, 3, 3});
}

static void test_logic_shift(void **state)
{
    (void)state;
    run("and (8|M0) r20.0<1>:d r10.0<8;8,1>:d ~r12.0<8;8,1>:d {@1}");
    expect((uint32_t[]){0, 1, 2, 3 & ~12, 4 & ~16, 5 & ~20, 6 & ~24, 7 & ~28});
    run("shr (8|M0) r20.0<1>:ud r10.0<8;8,1>:ud 1:w {@1}");
    expect((uint32_t[]){0, 0, 1, 1, 2, 2, 3, 3});
    run("asr (8|M0) r20.0<1>:d -r12.0<8;8,1>:d 1:w {@1}");
    expect((uint32_t[]){0, -2u, -4u, -6u, -8u, -10u, -12u, -14u});
    run("cbit (8|M0) r20.0<1>:ud r10.0<8;8,1>:ud {@1}");
    expect((uint32_t[]){0, 1, 1, 2, 1, 2, 2, 3});
    run("fbl (8|M0) r20.0<1>:ud r10.0<8;8,1>:ud {@1}");
    expect((uint32_t[]){UINT32_MAX, 0, 1, 0, 2, 0, 1, 0});
    run("lzd (8|M0) r20.0<1>:ud r10.0<8;8,1>:ud {@1}");
    expect((uint32_t[]){32, 31, 30, 30, 29, 29, 29, 29});
    run("bfrev (8|M0) r20.0<1>:ud r10.0<8;8,1>:ud {@1}");
    expect((uint32_t[]){0, 1u << 31, 1u << 30, 3u << 30, 1u << 29, 5u << 29, 3u << 29, 7u << 29});
}

static void test_flags(void **state)
{
    (void)state;
    run("(W) mov (8|M0) r20.0<1>:d 1:w {@1}\n"
        "cmp (8|M0) (gt)f0.0 null<1>:d r10.0<8;8,1>:d 3:w {@1}\n"
        "(f0.0) mov (8|M0) r20.0<1>:d 2:w {@1}");
    expect((uint32_t[]){1, 1, 1, 1, 2, 2, 2, 2});
    run("cmp (8|M0) (lt)f1.0 null<1>:d r10.0<8;8,1>:d 2:w {@1}\n"
        "(~f1.0) sel (8|M0) r20.0<1>:d r10.0<8;8,1>:d r12.0<8;8,1>:d {@1}");
    expect((uint32_t[]){0, 4, 2, 3, 4, 5, 6, 7});
    run("sel (8|M0) (lt)f0.0 r20.0<1>:d r10.0<8;8,1>:d 4:w {@1}");
    expect((uint32_t[]){0, 1, 2, 3, 4, 4, 4, 4});
    const char *of_eight = is_from(VESIM_XE2) ? "" : "8h"; /* else of as many as it has lanes */
    run_format("(W) mov (8|M0) r20.0<1>:d 0:w {@1}\n"
               "cmp (8|M0) (eq)f0.0 null<1>:d r10.0<8;8,1>:d 5:w {@1}\n"
               "(f0.0.any%s) mov (8|M0) r20.0<1>:d 1:w {@1}\n"
               "(f0.0.all%s) mov (8|M0) r20.0<1>:d 2:w {@1}",
               of_eight, of_eight);
    expect((uint32_t[]){1, 1, 1, 1, 1, 1, 1, 1});
    /* dwords compare signed or unsigned by their type */
    run("(W) mov (8|M0) r20.0<1>:d 0:w {@1}\n"
        "(W) add (8|M0) r14.0<1>:d r10.0<8;8,1>:d -4:w {@1}\n"
        "cmp (8|M0) (lt)f0.0 null<1>:ud r14.0<8;8,1>:ud 2:uw {@1}\n"
        "(f0.0) mov (8|M0) r20.0<1>:d 1:w {@1}");
    expect((uint32_t[]){0, 0, 0, 0, 1, 1, 0, 0});
}

static void test_wide_multiply(void **state)
{
    (void)state;
    /* 0x12345678 * 0x9abcdef0 = 0x0b00ea4e242d2080, the sequence that compilers emit */
    const char *low = "(W) mov (8|M0) r14.0<1>:ud 0x12345678:ud {@1}\n"
                      "(W) mov (8|M0) r15.0<1>:ud 0x9ABCDEF0:ud {@1}\n"
                      "(W) mul (8|M0) acc0.0<1>:ud r14.0<8;8,1>:ud r15.0<16;8,2>:uw {@1}\n"
                      "mach (8|M0) r20.0<1>:ud r14.0<8;8,1>:ud r15.0<8;8,1>:ud";
    const char *high = "(W) mov (8|M0) r14.0<1>:ud 0x12345678:ud {@1}\n"
                       "(W) mov (8|M0) r15.0<1>:ud 0x9ABCDEF0:ud {@1}\n"
                       "(W) mul (8|M0) acc0.0<1>:ud r14.0<8;8,1>:ud r15.0<16;8,2>:uw {@1}\n"
                       "mach (8|M0) r20.0<1>:ud r14.0<8;8,1>:ud r15.0<8;8,1>:ud {AccWrEn}";
    if (!is_from(VESIM_XE2)) { /* where it is macl's, and mach has no other */
        run(low);
        for (unsigned i = 0; i < 8; i++)
            assert_int_equal(machine.data[i], 0x242d2080);
    }
    run(is_from(VESIM_XE2) ? low : high);
    for (unsigned i = 0; i < 8; i++)
        assert_int_equal(machine.data[i], 0x0b00ea4e);
}

static void test_float(void **state)
{
    (void)state;
    run("mov (8|M0) r14.0<1>:f r10.0<8;8,1>:d {@1}\n"
        "mad (8|M0) r20.0<1>:f r14.0<8;1>:f r14.0<8;1>:f r14.0<1>:f {@1}");
    expect_floats((float[]){0, 2, 6, 12, 20, 30, 42, 56});
    run("mov (8|M0) r14.0<1>:f r10.0<8;8,1>:d {@1}\n"
        "add (8|M0) (sat)r20.0<1>:f r14.0<8;8,1>:f -2.5:f {@1}");
    expect_floats((float[]){0, 0, 0, 0.5f, 1, 1, 1, 1});
    run("mov (8|M0) r14.0<1>:f r10.0<8;8,1>:d {@1}\n"
        "mul (8|M0) r14.0<1>:f r14.0<8;8,1>:f -0.75:f {@1}\n"
        "mov (8|M0) r20.0<1>:d r14.0<8;8,1>:f {@1}");
    expect((uint32_t[]){0, 0, -1u, -2u, -3u, -3u, -4u, -5u});
    const bool in_order = is_from(VESIM_XE2); /* a pipe of math's own */
    run_format("mov (8|M0) r14.0<1>:f r10.0<8;8,1>:d {@1}\n"
               "math.sqt (8|M0) r20.0<1>:f r14.0<8;8,1>:f {%s}\n"
               "sync.nop null {%s}",
               in_order ? "F@1" : "@1,$1", in_order ? "A@1" : "$1.dst");
    expect_floats((float[]){0, 1, sqrtf(2), sqrtf(3), 2, sqrtf(5), sqrtf(6), sqrtf(7)});
}

/* Between operands of one type a signalling NaN stays one, whether it is in a register or in the
 * instruction: the compiler moves integers so, to use the pipe of floats. */
static void test_moved_bits(void **state)
{
    (void)state;
    run("(W) mov (8|M0) r20.0<2>:hf 0x7db2:hf\n"
        "(W) mov (8|M0) r20.1<2>:hf 0xfc01:hf {@1}");
    for (unsigned i = 0; i < 8; i++)
        assert_int_equal(machine.data[i], 0xfc017db2);
    run("(W) mov (8|M0) r20.0<1>:f 0x7f812345:f {@1}");
    for (unsigned i = 0; i < 8; i++)
        assert_int_equal(machine.data[i], 0x7f812345);
    run("(W) add (8|M0) r14.0<1>:d r10.0<8;8,1>:d 0x7db2fc00:d {@1}\n"
        "mov (8|M0) r16.0<2>:hf r14.0<16;8,2>:hf {@1}\n"
        "mov (8|M0) r16.1<2>:hf r14.1<16;8,2>:hf {@1}\n"
        "mov (8|M0) r20.0<1>:f r16.0<8;8,1>:f {@1}");
    for (unsigned i = 0; i < 8; i++)
        assert_int_equal(machine.data[i], 0x7db2fc00 + i);
    run("(W) mov (8|M0) r20.0<1>:d 0xffa60001:d {@1}\n"
        "(W) mov (4|M0) r20.4<1>:d 1:d {@1}\n" /* a denormal */
        "(W) csel (8|M0) (eq)f0.0 r20.0<1>:f r20.0<8;1>:f r20.0<8;1>:f r20.0<1>:f {@1}");
    for (unsigned i = 0; i < 8; i++)
        assert_int_equal(machine.data[i], i < 4 ? 0xffa60001 : 1);
}

static void test_if_else(void **state)
{
    (void)state;
    run("cmp (8|M0) (lt)f0.0 null<1>:d r10.0<8;8,1>:d 3:w {@1}\n"
        "(f0.0) if (8|M0) ELSE ENDIF\n"
        "mov (8|M0) r20.0<1>:d 10:w\n"
        "else (8|M0) ENDIF ENDIF\n"
        "ELSE:\n"
        "mov (8|M0) r20.0<1>:d 20:w\n"
        "ENDIF:\n"
        "endif (8|M0) DONE\n"
        "DONE:\n"
        "add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 1:w {@1}");
    expect((uint32_t[]){11, 11, 11, 21, 21, 21, 21, 21});
}

static void test_while_break(void **state)
{
    (void)state;
    /* each lane counts to its own number, then leaves the loop */
    run("mov (8|M0) r20.0<1>:d 100:w {@1}\n"
        "mov (8|M0) r14.0<1>:d 0:w {@1}\n"
        "LOOP:\n"
        "cmp (8|M0) (eq)f0.0 null<1>:d r14.0<8;8,1>:d r10.0<8;8,1>:d {@1}\n"
        "(f0.0) break (8|M0) END END\n"
        "add (8|M0) r14.0<1>:d r14.0<8;8,1>:d 1:w {@1}\n"
        "add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 10:w {@1}\n"
        "END:\n"
        "while (8|M0) LOOP\n"
        "add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 1:w {@1}");
    expect((uint32_t[]){101, 111, 121, 131, 141, 151, 161, 171});
}

static void test_goto_join(void **state)
{
    (void)state;
    run("mov (8|M0) r20.0<1>:d 0:w {@1}\n"
        "mov (8|M0) r14.0<1>:d 0:w {@1}\n"
        "cmp (8|M0) (ge)f0.0 null<1>:d r10.0<8;8,1>:d 6:w {@1}\n"
        "(f0.0) goto (8|M0) OUT OUT\n"
        "LOOP:\n"
        "add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 5:w {@1}\n"
        "add (8|M0) r14.0<1>:d r14.0<8;8,1>:d 1:w {@1}\n"
        "cmp (8|M0) (le)f1.0 null<1>:d r14.0<8;8,1>:d r10.0<8;8,1>:d {@1}\n"
        "(f1.0) goto.b (8|M0) OUT LOOP\n"
        "OUT:\n"
        "join (8|M0) LAST\n"
        "LAST:\n"
        "add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 1:w {@1}");
    expect((uint32_t[]){6, 11, 16, 21, 26, 31, 1, 1});
}

/* Lanes of a group count whether or not the instruction executes them. */
static void test_predicate_groups(void **state)
{
    (void)state;
    if (is_from(VESIM_XE2))
        skip(); /* a group has as many lanes as the instruction */
    run("(W) mov (8|M0) r20.0<1>:d 0:w {@1}\n"
        "(W) mov (1|M0) f0.0<1>:uw 0x0100:uw {@1}\n"
        "(W&f0.0.any16h) mov (8|M0) r20.0<1>:d 1:w {@1}\n"
        "(W&f0.0.any8h) mov (8|M0) r20.0<1>:d 2:w {@1}\n"
        "(W) mov (1|M0) f0.0<1>:uw 0x00ff:uw {@1}\n"
        "(W&f0.0.all16h) mov (8|M0) r20.0<1>:d 3:w {@1}");
    expect((uint32_t[]){1, 1, 1, 1, 1, 1, 1, 1});
}

static void test_rotate(void **state)
{
    (void)state;
    run("(W) add (8|M0) r14.0<1>:d r10.0<8;8,1>:d 0x9000:uw {@1}\n"
        "(W) mov (8|M0) r20.0<1>:d 0:w {@1}\n"
        "rol (8|M0) r20.0<2>:uw r14.0<16;8,2>:uw 19:w {@1}");
    expect((uint32_t[]){0x8004, 0x800c, 0x8014, 0x801c, 0x8024, 0x802c, 0x8034, 0x803c});
    run("ror (8|M0) r20.0<1>:ud r10.0<8;8,1>:ud 1:w {@1}");
    expect((uint32_t[]){0, 1u << 31, 1, 1 | 1u << 31, 2, 2 | 1u << 31, 3, 3 | 1u << 31});
}

static void test_carry(void **state)
{
    (void)state;
    const char *carries = is_from(VESIM_XE2) ? "" : "AccWrEn,"; /* else they always do */
    run_format("(W) add (8|M0) r14.0<1>:d r10.0<8;8,1>:d -4:w {@1}\n"
               "addc (8|M0) r15.0<1>:ud r14.0<8;8,1>:ud 2:ud {%s@1}\n"
               "mov (8|M0) r20.0<1>:ud acc0.0<8;8,1>:ud {@1}",
               carries);
    expect((uint32_t[]){0, 0, 1, 1, 0, 0, 0, 0});
    run_format("subb (8|M0) r15.0<1>:ud r10.0<8;8,1>:ud 3:ud {%s@1}\n"
               "add (8|M0) r20.0<1>:ud acc0.0<8;8,1>:ud r15.0<8;8,1>:ud {@1}",
               carries);
    expect((uint32_t[]){-2u, -1u, 0, 0, 1, 2, 3, 4});
}

static void test_saturation(void **state)
{
    (void)state;
    run("(W) mov (8|M0) r14.0<1>:ud 0xfffffffc:ud {@1}\n"
        "add (8|M0) (sat)r20.0<1>:ud r14.0<8;8,1>:ud r10.0<8;8,1>:ud {@1}");
    expect((uint32_t[]){-4u, -3u, -2u, -1u, -1u, -1u, -1u, -1u});
    run("add (8|M0) (sat)r20.0<1>:ud r10.0<8;8,1>:ud -3:d {@1}");
    expect((uint32_t[]){0, 0, 0, 0, 1, 2, 3, 4});
    run("(W) mov (8|M0) r14.0<1>:ud 0xffffffff:ud {@1}\n"
        "mul (8|M0) (sat)r20.0<1>:ud r14.0<8;8,1>:ud r14.0<8;8,1>:ud {@1}");
    expect((uint32_t[]){-1u, -1u, -1u, -1u, -1u, -1u, -1u, -1u});
    run("(W) mov (8|M0) r20.0<1>:d 0:w {@1}\n"
        "mov (8|M0) (sat)r20.0<4>:b -r12.0<8;8,1>:d {@1}\n"
        "shl (8|M0) r14.0<1>:d r12.0<8;8,1>:d 4:w {@1}\n"
        "mov (8|M0) (sat)r20.1<4>:b r14.0<8;8,1>:d {@1}");
    expect((uint32_t[]){0x0000, 0x40fc, 0x7ff8, 0x7ff4, 0x7ff0, 0x7fec, 0x7fe8, 0x7fe4});
}

/* A destination of words in an accumulator leaves the next accumulator alone. */
static void test_accumulator_words(void **state)
{
    (void)state;
    run("(W) mov (8|M0) acc3.0<1>:d r10.0<8;8,1>:d {@1}\n"
        "(W) mov (16|M0) r14.0<1>:uw 0x100:uw {@1}\n"
        "or (8|M0) acc2.0<1>:uw r14.0<8;8,1>:uw 0x3:uw {@1}\n"
        "mov (8|M0) r15.0<1>:d acc2.0<8;8,1>:uw {@1}\n"
        "add (8|M0) r20.0<1>:d acc3.0<8;8,1>:d r15.0<8;8,1>:d {@1}");
    expect((uint32_t[]){0x103, 0x104, 0x105, 0x106, 0x107, 0x108, 0x109, 0x10a});
    if (machine.device.architecture != VESIM_XE_HPG)
        return;
    run("(W) mov (16|M0) r14.0<1>:uw 0x0f0f:uw {@1}\n"
        "mov (8|M0) r13.0<1>:uw r12.0<16;8,2>:uw\n"
        "bfn.0x96 (8|M0) acc2.0<1>:uw r14.0<1;0>:uw r13.0<1;0>:uw -1:w {@1}\n"
        "mov (8|M0) r20.0<1>:d acc2.0<8;8,1>:uw {@1}");
    expect((uint32_t[]){0xf0f0, 0xf0f4, 0xf0f8, 0xf0fc, 0xf0e0, 0xf0e4, 0xf0e8, 0xf0ec});
}

/* cr0's rounding mode: conversions to half, from integer, sums. */
static void test_rounding(void **state)
{
    (void)state;
    const char *to_half = "(W) add (8|M0) r14.0<1>:d r10.0<8;8,1>:d 2048:w {@1}\n"
                          "(W) mov (8|M0) r14.0<1>:f r14.0<8;8,1>:d {@1}\n"
                          "(W) mov (8|M0) r20.0<1>:d 0:w {@1}\n"
                          "(W) or (1|M0) cr0.0<1>:ud cr0.0<0;1,0>:ud 0x%x:uw {@1}\n"
                          "mov (8|M0) r20.0<2>:hf r14.0<8;8,1>:f {@1}";
    char text[1024];
    snprintf(text, sizeof(text), to_half, 0);
    run(text);
    expect((uint32_t[]){0x6800, 0x6800, 0x6801, 0x6802, 0x6802, 0x6802, 0x6803, 0x6804});
    snprintf(text, sizeof(text), to_half, 0x10);
    run(text);
    expect((uint32_t[]){0x6800, 0x6801, 0x6801, 0x6802, 0x6802, 0x6803, 0x6803, 0x6804});
    snprintf(text, sizeof(text), to_half, 0x30);
    run(text);
    expect((uint32_t[]){0x6800, 0x6800, 0x6801, 0x6801, 0x6802, 0x6802, 0x6803, 0x6803});
    run("(W) add (8|M0) r14.0<1>:d r10.0<8;8,1>:d 0x01000000:d {@1}\n"
        "(W) or (1|M0) cr0.0<1>:ud cr0.0<0;1,0>:ud 0x10:uw {@1}\n"
        "mov (8|M0) r20.0<1>:f r14.0<8;8,1>:d {@1}");
    expect_floats((float[]){0x1p24f, 0x1p24f + 2, 0x1p24f + 2, 0x1p24f + 4, 0x1p24f + 4,
                            0x1p24f + 6, 0x1p24f + 6, 0x1p24f + 8});
    run("mov (8|M0) r14.0<1>:f r10.0<8;8,1>:d {@1}\n"
        "(W) or (1|M0) cr0.0<1>:ud cr0.0<0;1,0>:ud 0x30:uw {@1}\n"
        "add (8|M0) r20.0<1>:f r14.0<8;8,1>:f 0x4B800000:f {@1}");
    expect_floats((float[]){0x1p24f, 0x1p24f, 0x1p24f + 2, 0x1p24f + 2, 0x1p24f + 4, 0x1p24f + 4,
                            0x1p24f + 6, 0x1p24f + 6});
}

/* Lanes return at different places and reconverge after the call, with those that did not call. */
static void test_call(void **state)
{
    (void)state;
    run("mov (8|M0) r20.0<1>:d 5:w {@1}\n"
        "cmp (8|M0) (lt)f0.0 null<1>:d r10.0<8;8,1>:d 4:w {@1}\n"
        "(f0.0) call (8|M0) r30.4 FUNCTION\n"
        "add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 1:w {@1}\n"
        "(W) jmpi (1|M0) OVER\n"
        "FUNCTION:\n"
        "mul (8|M0) r20.0<1>:d r20.0<8;8,1>:d 10:w {@1}\n"
        "cmp (8|M0) (lt)f0.0 null<1>:d r10.0<8;8,1>:d 2:w {@1}\n"
        "(f0.0) ret (8|M0) r30.4\n"
        "add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 3:w {@1}\n"
        "ret (8|M0) r30.4\n"
        "OVER:\n"
        "add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 100:w {@1}");
    expect((uint32_t[]){151, 151, 154, 154, 106, 106, 106, 106});
    /* a return to nowhere */
    machine_assemble(&machine, "(W) mov (8|M0) r30.0<1>:ud 0x7:ud {@1}\nret (8|M0) r30.0");
    assert_int_not_equal(machine_run(&machine), 0);
    assert_non_null(strstr(machine.fault.message, "return to code outside the kernel"));
    assert_int_equal(machine.fault.kind, VESIM_FAULT_INSTRUCTION);
    assert_int_equal(machine.fault.offset, 16);
    assert_int_equal(strncmp(machine.fault.instruction, "ret (8|M0)", 10), 0);
}

/* Functions whose addresses are in registers, and which are not part of the kernel's code. They
 * call one another, and some lanes only; lanes part in them. */
static void test_call_outside(void **state)
{
    static uint8_t function[FUNCTION_BYTES], other[FUNCTION_BYTES];
    static const char kernel[] = "mov (8|M0) r20.0<1>:d 5:w {@1}\n"
                                 "(W) mov (1|M0) r31.0<1>:ud 0x108000:ud {@1}\n"
                                 "(W) calla (8|M0) r30.4 r31.0 {@1}\n"
                                 "add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 1:w {@1}\n"
                                 "cmp (8|M0) (lt)f0.0 null<1>:d r10.0<8;8,1>:d 4:w {@1}\n"
                                 "(W) add (1|M0) r31.0<1>:d -ip.0<0;1,0>:d 0x107ff0:d {@1}\n"
                                 "(f0.0) call (8|M0) r30.4 r31.0 {@1}\n"
                                 "add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 1:w {@1}";

    (void)state;
    machine_assemble(&machine, "cmp (8|M0) (lt)f0.0 null<1>:d r10.0<8;8,1>:d 2:w {@1}\n"
                               "(W&f0.0) jmpi (1|M0) ON\n"
                               "add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 50:w {@1}\n"
                               "ON:\n"
                               "mul (8|M0) r20.0<1>:d r20.0<8;8,1>:d 10:w {@1}\n"
                               "call (8|M0) r29.0 INNER\n"
                               "(f0.0) ret (8|M0) r30.4\n"
                               "add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 3:w {@1}\n"
                               "ret (8|M0) r30.4\n"
                               "INNER:\n"
                               "add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 1000:w {@1}\n"
                               "ret (8|M0) r29.0");
    memcpy(function, machine.code, sizeof(function));
    run_beside(kernel, function);
    expect((uint32_t[]){11511, 11511, 11544, 11544, 1055, 1055, 1055, 1055});
    run_beside(kernel, function); /* known now */
    expect((uint32_t[]){11511, 11511, 11544, 11544, 1055, 1055, 1055, 1055});
    machine_assemble(&machine, "mul (8|M0) r20.0<1>:d r20.0<8;8,1>:d 2:w {@1}\nret (8|M0) r30.4");
    memcpy(other, machine.code, sizeof(other));
    run_beside(kernel, other); /* another one there */
    expect((uint32_t[]){23, 23, 23, 23, 12, 12, 12, 12});
}

static void test_call_of_nothing(void **state)
{
    (void)state;
    expect_fault("(W) mov (1|M0) r31.0<1>:ud 0x7fff0000:ud {@1}\n"
                 "(W) calla (8|M0) r30.4 r31.0 {@1}",
                 "call of code outside the kernel, at 0x7fff0000: no code is mapped there");
    expect_fault("(W) mov (1|M0) r31.0<1>:ud 0x10fff0:ud {@1}\n"
                 "(W) calla (8|M0) r30.4 r31.0 {@1}",
                 "the function there never returns");
}

/* Code ends with its functions, which follow the end of the thread. */
static void test_length_with_functions(void **state)
{
    (void)state;
    machine_assemble(&machine, is_from(VESIM_XE_HPG)
                                   ? "call (8|M0) r30.0 FUNCTION\n"
                                     "(W) send.gtwy (8|M0) null r127 null:0 0x0 0x02000010 {EOT}\n"
                                     "FUNCTION:\n"
                                     "add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 1:w\n"
                                     "ret (8|M0) r30.0"
                                   : "call (8|M0) r30.0 FUNCTION\n"
                                     "(W) send.ts (8|M0) null r127 null 0x0 0x02000010 {EOT}\n"
                                     "FUNCTION:\n"
                                     "add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 1:w\n"
                                     "ret (8|M0) r30.0");
    assert_int_equal(program_length(machine.code, 0x10000), 4 * 16);
    assert_int_equal(machine_run(&machine), 0);
}

/* Shared local memory has no address bit 28: the compiler sets it to tell a pointer from null. */
static void test_local_address(void **state)
{
    (void)state;
    if (is_from(VESIM_XE2))
        skip(); /* its messages are others */
    bool hpg = machine.device.architecture == VESIM_XE_HPG;
    char text[512];
    machine.walker.slm_bytes = 1024;
    snprintf(text, sizeof(text),
             "(W) add (8|M0) r15.0<1>:d r12.0<8;8,1>:d 0x10000000:d {@1}\n"
             "(W) send.dc1 (8|M0) null r15 r10%s %s 0x02026EFE {%s,$1}\n"
             "(W) send.dc1 (8|M0) r20 r12 null%s 0x0 0x02106EFE {$2}\n"
             "sync.nop null {$2.dst}",
             hpg ? ":1" : "", hpg ? "0x0" : "0x40", hpg ? "A@1" : "@1", hpg ? ":0" : "");
    run(text);
    machine.walker.slm_bytes = 0;
    expect((uint32_t[]){0, 1, 2, 3, 4, 5, 6, 7});
}

/* On Xe-HPG a scratch block goes to the surface that the header names. */
static void test_scratch_surface(void **state)
{
    (void)state;
    if (machine.device.architecture != VESIM_XE_HPG)
        return;
    uint32_t surface[16] = {[0] = 6u << 29, [3] = 1024 - 1, [8] = MACHINE_DATA + 0x8000};
    memcpy(machine.surfaces + 0x400, surface, sizeof(surface));
    machine.walker.scratch_surface_offset = 0x400;
    run("(W) mov (8|M0) r30.0<1>:ud r0.0<8;8,1>:ud {@1}\n"
        "(W) send.dc0 (16|M0) null r30 r12:1 0x0 0x020F0002 {A@1,$1}\n"
        "(W) send.dc0 (16|M0) r20 r30 null:0 0x0 0x021D0002 {$2}\n"
        "sync.nop null {$2.dst}");
    machine.walker.scratch_surface_offset = 0;
    expect((uint32_t[]){0, 4, 8, 12, 16, 20, 24, 28});
    assert_int_equal(machine.data[(0x8000 + 2 * 32) / 4 + 7], 28);
}

/* Stateless messages with a header begin at the header's buffer base. */
static void test_stateless_header(void **state)
{
    (void)state;
    if (is_from(VESIM_XE2))
        skip(); /* its messages are others */
    bool hpg = machine.device.architecture == VESIM_XE_HPG;
    char text[512];
    snprintf(text, sizeof(text),
             "(W) mov (8|M0) r30.0<1>:ud 0:uw {@1}\n"
             "(W) mov (1|M0) r30.5<1>:ud 0x%x:ud {@1}\n"
             "(W) mov (1|M0) r30.2<1>:ud 4:uw {@1}\n"
             "(W) send.dc0 (8|M0) null r30 r12%s %s 0x020A02FF {%s,$1}",
             MACHINE_DATA + 0x8800, hpg ? ":1" : "", hpg ? "0x0" : "0x40", hpg ? "A@1" : "@1");
    run(text);
    for (unsigned i = 0; i < 8; i++)
        assert_int_equal(machine.data[(0x8800 + 64) / 4 + i], 4 * i);
}

/* A surface named by an address register, which counts in dwords: a0.2 is the third. Its state is
 * at an offset from the surface state base, or from that of bindless surfaces. */
static void test_descriptor_register(void **state)
{
    (void)state;
    if (machine.device.architecture != VESIM_XE_HPG)
        return;
    uint32_t surface[16] = {[0] = 4u << 29, [2] = 127, [8] = MACHINE_DATA + 0x9000};
    memcpy(machine.surfaces + 0x440, surface, sizeof(surface));
    surface[8] += 0x400;
    memcpy(machine.surfaces + 0x1840, surface, sizeof(surface));
    machine.walker.bindless_surface_base = MACHINE_SURFACES + 0x1800;
    run("(W) mov (1|M0) a0.1<1>:ud 0x40:ud\n"
        "(W) mov (1|M0) a0.2<1>:ud 0x440:ud\n"
        "(W) send.ugm (1|M0) null r12 r10:1 a0.2 0x4200C504 {ExBSO,A@1,$1}\n"
        "(W) send.ugm (1|M0) null r12 r10:1 a0.1 0x2200C504 {ExBSO,A@1,$2}");
    for (unsigned i = 0; i < 8; i++) {
        assert_int_equal(machine.data[0x9000 / 4 + i], i);
        assert_int_equal(machine.data[0x9400 / 4 + i], i);
    }
}

/* sr0.0 without the bits that the compiler takes out is the number of the thread's slot. */
static void test_thread_slot(void **state)
{
    (void)state;
    if (is_from(VESIM_XE2))
        skip(); /* test-xe2.c has its numbers */
    bool seen[16] = {false};
    machine.walker.threads_per_group = 16;
    run("(W) and (1|M0) r14.0<1>:ud r0.2<0;1,0>:ud 0xff:uw {@1}\n"
        "(W) shl (8|M0) r12.0<1>:ud r14.0<0;1,0>:ud 2:w {@1}\n"
        "(W) and (1|M0) r15.0<1>:ud sr0.0<0;1,0>:ud 0x3fff:uw {@1}\n"
        "(W) mov (8|M0) r20.0<1>:ud r15.0<0;1,0>:ud {@1}");
    machine.walker.threads_per_group = 1;
    for (unsigned i = 0; i < 16; i++) {
        uint32_t id = machine.data[i], slot = id;

        if (machine.device.architecture == VESIM_XE_HPG) {
            slot = (id & 63) | (id >> 1 & ~63u);
            slot = (slot & 7) | (slot >> 1 & ~7u);
            assert_int_equal(id & 0x48, 0);
        }
        slot /= (uint32_t)machine.device.threads_per_ve; /* one thread in each vector engine */
        assert_true(slot < 16);
        assert_false(seen[slot]);
        seen[slot] = true;
    }
}

/* Fails unless a thread begins with zeros, but for its payload and what run() writes. */
static void expect_clear_registers(void)
{
    char text[8192];
    int length = 0;

    for (unsigned i = 13; i < 128; i++)
        length += snprintf(text + length, sizeof(text) - (size_t)length,
                           "(W) or (8|M0) r20.0<1>:ud r20.0<8;8,1>:ud r%u.0<8;8,1>:ud\n", i);
    snprintf(text + length, sizeof(text) - (size_t)length,
             "(W) mov (8|M0) r21.0<1>:ud acc0.0<8;8,1>:ud\n"
             "(W) or (8|M0) r20.0<1>:ud r20.0<8;8,1>:ud r21.0<8;8,1>:ud\n"
             "(W) mov (1|M0) r21.0<1>:ud f0.0<0;1,0>:ud\n"
             "(W) or (1|M0) r20.0<1>:ud r20.0<0;1,0>:ud r21.0<0;1,0>:ud\n");
    run(text);
    expect((const uint32_t[8]){0});
}

static void test_registers_at_start(void **state)
{
    const char *colon = is_hpg() ? ":0" : "";
    char text[8192];
    int length = 0;

    (void)state;
    for (unsigned i = 13; i < 128; i++)
        length += snprintf(text + length, sizeof(text) - (size_t)length,
                           "(W) not (8|M0) r%u.0<1>:ud r10.0<8;8,1>:ud\n", i);
    run(text);
    expect_clear_registers();
    run("(W) mov (1|M0) a0.0<1>:uw 0x400:uw\n"
        "(W) not (8|M0) r[a0.0]<1>:d r10.0<8;8,1>:d");
    expect_clear_registers();
    run("(W) mul (8|M0) acc0.0<1>:d r12.0<8;8,1>:d r12.0<16;8,2>:uw\n"
        "(W) cmp (8|M0) (ge)f0.0 null<1>:d r12.0<8;8,1>:d 0:w");
    expect_clear_registers();
    if (is_from(VESIM_XE2))
        return; /* its messages are others */
    run_format("(W) send.dc1 (8|M0) null r12 r12%s %s 0x02026E00 {$1}\n"
               "(W) send.dc1 (8|M0) r60 r12 null%s 0x0 0x02106E00 {$2}\n"
               "(W) mov (1|M0) a0.0<1>:ud 0x02106E00:ud\n"
               "(W) send.dc1 (8|M0) r90 r12 null%s 0x0 a0.0 {$3}\n"
               "(W) mov (8|M0) r20.0<1>:ud r60.0<8;8,1>:ud",
               is_hpg() ? ":1" : "", is_hpg() ? "0x0" : "0x40", colon, colon);
    expect((const uint32_t[8]){0, 4, 8, 12, 16, 20, 24, 28});
    expect_clear_registers();
}

static void test_unmapped_store_faults(void **state)
{
    (void)state;
    const char *const send = is_from(VESIM_XE2) ? "send.ugm" : "send.dc1";
    const char *const xe2 = "(W) mov (16|M0) r14.0<1>:uq 0x7fff0000:ud\n"
                            "(W) send.ugm (16|M0) null r14 r20:1 0x0 0x04000584 {A@1,$1}";
    const char *const hpg = "(W) mov (8|M0) r14.0<1>:ud 0x7fff0000:ud\n"
                            "(W) send.dc1 (8|M0) null r14 r20:1 0x0 0x02026EFF {A@1,$1}";
    const char *const lp = "(W) mov (8|M0) r14.0<1>:ud 0x7fff0000:ud\n"
                           "(W) send.dc1 (8|M0) null r14 r20 0x40 0x02026EFF {@1,$1}";
    machine_assemble(&machine, is_from(VESIM_XE2) ? xe2 : is_hpg() ? hpg : lp);
    assert_int_not_equal(machine_run(&machine), 0);
    assert_non_null(strstr(machine.fault.message, "unmapped address 0x7fff0000"));
    assert_non_null(strstr(machine.fault.message, send));
    assert_int_equal(machine.fault.kind, VESIM_FAULT_PAGE);
    assert_int_equal(machine.fault.address, 0x7fff0000);
    assert_int_equal(machine.fault.offset, 16);
    assert_non_null(strstr(machine.fault.instruction, send));
}

static void test_endless_loop_faults(void **state)
{
    (void)state;
    machine_assemble(&machine, "LOOP:\n(W) jmpi (1|M0) LOOP");
    assert_int_not_equal(machine_run(&machine), 0);
    assert_non_null(strstr(machine.fault.message, "still running"));
    assert_int_equal(machine.fault.kind, VESIM_FAULT_LIMIT);
    assert_int_equal(machine.fault.kernel, MACHINE_CODE);
}

int main(int argc, char **argv)
{
    instructions_choose(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_add_mul),
        cmocka_unit_test(test_regions),
        cmocka_unit_test(test_indirect),
        cmocka_unit_test(test_logic_shift),
        cmocka_unit_test(test_flags),
        cmocka_unit_test(test_wide_multiply),
        cmocka_unit_test(test_float),
        cmocka_unit_test(test_moved_bits),
        cmocka_unit_test(test_if_else),
        cmocka_unit_test(test_while_break),
        cmocka_unit_test(test_goto_join),
        cmocka_unit_test(test_predicate_groups),
        cmocka_unit_test(test_rotate),
        cmocka_unit_test(test_carry),
        cmocka_unit_test(test_saturation),
        cmocka_unit_test(test_accumulator_words),
        cmocka_unit_test(test_rounding),
        cmocka_unit_test(test_call),
        cmocka_unit_test(test_call_outside),
        cmocka_unit_test(test_call_of_nothing),
        cmocka_unit_test(test_length_with_functions),
        cmocka_unit_test(test_local_address),
        cmocka_unit_test(test_scratch_surface),
        cmocka_unit_test(test_stateless_header),
        cmocka_unit_test(test_descriptor_register),
        cmocka_unit_test(test_thread_slot),
        cmocka_unit_test(test_registers_at_start),
        cmocka_unit_test(test_unmapped_store_faults),
        cmocka_unit_test(test_endless_loop_faults),
    };
    return cmocka_run_group_tests_name("instructions", tests, instructions_create,
                                       instructions_destroy);
}
