/* The instruction set, instruction by instruction: assembled by Intel's assembler, executed by the
 * model, compared with values worked out by hand. Each test leaves its result in r20, which the
 * epilogue stores to the data buffer, a dword for each lane. The argument names the device. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine.h"
#include "test.h"

static struct machine machine;
static const char *device = "a380";

/* Every program begins with r10 = 0..7 (dwords), r12 = 4 * r10, and ends by storing r20. */
static void run(const char *text)
{
    char whole[8192];
    bool hpg = machine.device.architecture == ARCHITECTURE_XE_HPG;
    snprintf(whole, sizeof(whole),
             "(W) mov (8|M0) r10.0<1>:w 0x76543210:v\n"
             "(W) mov (8|M0) r11.0<1>:d r10.0<8;8,1>:w {%s}\n"
             "(W) mov (8|M0) r10.0<1>:d r11.0<8;8,1>:d {%s}\n"
             "(W) shl (8|M0) r12.0<1>:d r10.0<8;8,1>:d 2:w {%s}\n"
             "%s\n"
             "(W) send.dc1 (8|M0) null r12 r20%s %s 0x02026E00 {%s}\n",
             hpg ? "I@1" : "@1", hpg ? "I@1" : "@1", hpg ? "I@1" : "@1", text, hpg ? ":1" : "",
             hpg ? "0x0" : "0x40", hpg ? "A@1,$15" : "@1,$15");
    memset(machine.data, 0, 4096);
    machine_run_ok(&machine, whole);
}

static void expect(const uint32_t expected[8])
{
    for (unsigned i = 0; i < 8; i++)
        if (machine.data[i] != expected[i])
            fail_msg("lane %u: 0x%08x, not 0x%08x", i, machine.data[i], expected[i]);
}

static void expect_floats(const float expected[8])
{
    uint32_t bits[8];
    memcpy(bits, expected, sizeof(bits));
    expect(bits);
}

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
    run("(W) shl (8|M0) r13.0<1>:d r10.0<8;8,1>:d 2:w {@1}\n"
        "(W) add (8|M0) r13.0<1>:d -r13.0<8;8,1>:d 28:w {@1}\n"
        "(W) add (8|M0) a0.0<1>:uw r13.0<16;8,2>:uw 0x140:uw {@1}\n"
        "mov (8|M0) r20.0<1>:d r[a0.0]<1,0>:d {@1}");
    expect((uint32_t[]){7, 6, 5, 4, 3, 2, 1, 0});
    run("(W) mov (1|M0) a0.0<1>:uw 0x14C:uw {@1}\n"
        "mov (8|M0) r20.0<1>:d r[a0.0]<0;1,0>:d {@1}");
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
    run("(W) mov (8|M0) r20.0<1>:d 0:w {@1}\n"
        "cmp (8|M0) (eq)f0.0 null<1>:d r10.0<8;8,1>:d 5:w {@1}\n"
        "(f0.0.any8h) mov (8|M0) r20.0<1>:d 1:w {@1}\n"
        "(f0.0.all8h) mov (8|M0) r20.0<1>:d 2:w {@1}");
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
    run(low);
    for (unsigned i = 0; i < 8; i++)
        assert_int_equal(machine.data[i], 0x242d2080);
    run(high);
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
    run("mov (8|M0) r14.0<1>:f r10.0<8;8,1>:d {@1}\n"
        "math.sqt (8|M0) r20.0<1>:f r14.0<8;8,1>:f {@1,$1}\n"
        "sync.nop null {$1.dst}");
    expect_floats((float[]){0, 1, sqrtf(2), sqrtf(3), 2, sqrtf(5), sqrtf(6), sqrtf(7)});
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

static void test_unmapped_store_faults(void **state)
{
    (void)state;
    machine_assemble(&machine, machine.device.architecture == ARCHITECTURE_XE_HPG
                                   ? "(W) mov (8|M0) r14.0<1>:ud 0x7fff0000:ud\n"
                                     "(W) send.dc1 (8|M0) null r14 r20:1 0x0 0x02026EFF {A@1,$1}"
                                   : "(W) mov (8|M0) r14.0<1>:ud 0x7fff0000:ud\n"
                                     "(W) send.dc1 (8|M0) null r14 r20 0x40 0x02026EFF {@1,$1}");
    assert_int_not_equal(machine_run(&machine), 0);
    assert_non_null(strstr(machine.fault.text, "unmapped address 0x7fff0000"));
    assert_non_null(strstr(machine.fault.text, "send.dc1"));
}

static void test_endless_loop_faults(void **state)
{
    (void)state;
    machine_assemble(&machine, "LOOP:\n(W) jmpi (1|M0) LOOP");
    assert_int_not_equal(machine_run(&machine), 0);
    assert_non_null(strstr(machine.fault.text, "still running"));
}

static int create(void **state)
{
    (void)state;
    setenv("VESIM_INSTRUCTION_LIMIT", "100000", 1);
    machine_create(&machine, device);
    return 0;
}

static int destroy(void **state)
{
    (void)state;
    machine_destroy(&machine);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc > 1)
        device = argv[1];
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_add_mul),
        cmocka_unit_test(test_regions),
        cmocka_unit_test(test_indirect),
        cmocka_unit_test(test_logic_shift),
        cmocka_unit_test(test_flags),
        cmocka_unit_test(test_wide_multiply),
        cmocka_unit_test(test_float),
        cmocka_unit_test(test_if_else),
        cmocka_unit_test(test_while_break),
        cmocka_unit_test(test_goto_join),
        cmocka_unit_test(test_unmapped_store_faults),
        cmocka_unit_test(test_endless_loop_faults),
    };
    return cmocka_run_group_tests_name("instructions", tests, create, destroy);
}
