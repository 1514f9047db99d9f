/* What Xe3P does differently: sendg, whose messages have bases in s0 and scaled offsets, and mullh.
 * What its descriptors mean is what Intel's disassembler prints of them (intel-graphics-compiler,
 * in the dumps of its own kernels); that is quoted beside each. */
#include <string.h>

#include "isa/decode/message.h"
#include "isa/decode/program.h"
#include "layout/surface-state.h"
#include "machine.h"
#include "test.h"

static struct machine machine;

/* Lane numbers in r30, as dwords, and those of 64 bits in r32 and r33; the buffer's address in
 * s0.2, counted in qwords. */
#define LANES                                                                                      \
    "(W) mov (8|M0) r10.0<1>:uw 0x76543210:uv\n"                                                   \
    "(W) add (8|M0) r10.8<1>:uw r10.0<1;1,0>:uw 8:uw {I@1}\n"                                      \
    "(W) mov (16|M0) r30.0<1>:ud r10.0<1;1,0>:uw {I@1}\n"                                          \
    "(W) mov (16|M0) r32.0<1>:uq r30.0<1;1,0>:ud {I@1}\n"                                          \
    "(W) mov (1|M0) s0.2<1>:uq 0x400000:uq\n"

#define STORE "sendg.ugm (16|M0) null r40:1 r30:1 s0.16 "

static void run_text(const char *text)
{
    memset(machine.data, 0, 8192);
    machine_run_ok(&machine, text);
}

static void expect_lanes(unsigned first, unsigned step, uint32_t value)
{
    for (unsigned lane = 0; lane < 16; lane++)
        assert_int_equal(machine.data[first + lane * step], lane + value);
}

/* store.ugm.d32.a32s [s0.16+0x4*src0], store.ugm.d32.a32u [s0.16+src0]. */
static void test_scaled_offsets(void **state)
{
    (void)state;
    run_text(LANES "(W) mov (16|M0) r40.0<1>:ud r30.0<1;1,0>:ud\n" STORE
                   "0x100000005004 {A@1,$1}\n");
    expect_lanes(0, 1, 0);
    run_text(LANES "(W) shl (16|M0) r40.0<1>:ud r30.0<1;1,0>:ud 4:w\n" STORE "0x1004 {A@1,$1}\n");
    expect_lanes(0, 4, 0);
}

/* Offsets of 32 bits are signed if they are of type a32s: 16 - lane elements before the base. */
static void test_signed_offsets(void **state)
{
    (void)state;
    run_text(LANES "(W) mov (1|M0) s0.2<1>:uq 0x400040:uq\n"
                   "(W) add (16|M0) r40.0<1>:d r30.0<1;1,0>:d -16:w\n" STORE
                   "0x100000005004 {A@1,$1}\n");
    expect_lanes(0, 1, 0);
}

/* store.ugm.d32.a32s [s0.24+0x4*src0+0x4]: counts elements. */
static void test_immediate_offset(void **state)
{
    (void)state;
    run_text(LANES "(W) mov (16|M0) r40.0<1>:ud r30.0<1;1,0>:ud\n" STORE
                   "0x100000405004 {A@1,$1}\n");
    expect_lanes(1, 1, 0);
}

/* load.ugm.d32.a64 [src0], store.ugm.d32.a64 [src0] without s0; load.ugm.d64.a64 [s0.24+0x8*src0]
 * with. */
static void test_addresses_of_64_bits(void **state)
{
    (void)state;
    run_text(LANES "(W) shl (16|M0) r40.0<1>:uq r32.0<1;1,0>:uq 2:w {A@1}\n"
                   "(W) add (16|M0) r40.0<1>:uq r40.0<1;1,0>:uq 0x400000:ud {A@1}\n"
                   "sendg.ugm (16|M0) null r40:2 r30:1 0x9004 {A@1,$1}\n"
                   "sendg.ugm (16|M0) r50 r40:2 null:0 0x9000 {A@1,$2}\n"
                   "(W) add (16|M0) r50.0<1>:ud r50.0<1;1,0>:ud 7:w {$2.dst}\n"
                   "(W) mov (16|M0) r52.0<1>:uq r50.0<1;1,0>:ud {A@1}\n"
                   "(W) mov (1|M0) s0.3<1>:uq 0x400800:uq\n"
                   "sendg.ugm (16|M0) null r32:2 r52:2 s0.24 0x100000009804 {A@1,$3}\n");
    expect_lanes(0, 1, 0);
    expect_lanes(0x200, 2, 7);
}

/* load.ugm.d32x16t.a32u.ovf.ca.ca.uc [s0.16+src0]: a block. */
static void test_block(void **state)
{
    (void)state;
    run_text(LANES "(W) mov (1|M0) r40.0<1>:ud 0x40:ud\n"
                   "(W) mov (16|M0) r41.0<1>:ud 0x80:ud\n"
                   "(W) shl (16|M0) r42.0<1>:ud r30.0<1;1,0>:ud 2:w\n"
                   "(W) add (16|M0) r42.0<1>:ud r42.0<1;1,0>:ud 0x40:ud {A@1}\n"
                   "sendg.ugm (16|M0) null r42:1 r30:1 s0.16 0x1004 {A@1,$1}\n"
                   "(W) sendg.ugm (1|M0) r50 r40:1 null:0 s0.16 0x281680 {A@1,$2}\n"
                   "sync.nop null {$2.dst}\n"
                   "(W) sendg.ugm (1|M0) null r41:1 r50:1 s0.16 0x1684 {$3}\n");
    expect_lanes(0x20, 1, 0);
}

/* store.slm.d32.a32 [src0], load.slm.d32.a32 [src0], and the same from a base on. */
static void test_local_memory(void **state)
{
    (void)state;
    machine.walker.slm_bytes = 4096;
    run_text(LANES "(W) mov (1|M0) s0.3<1>:uq 0x40:uq\n"
                   "(W) shl (16|M0) r40.0<1>:ud r30.0<1;1,0>:ud 2:w\n"
                   "(W) mov (16|M0) r42.0<1>:ud r30.0<1;1,0>:ud\n"
                   "(W) add (16|M0) r41.0<1>:ud r40.0<1;1,0>:ud 0x40:ud {A@1}\n"
                   "sendg.slm (16|M0) null r41:1 r30:1 0x1004 {A@1,$1}\n"
                   "(W) sendg.slm (1|M0) null r0:1 null:0 0x1F {$2}\n"
                   "sync.nop null {$2.dst}\n"
                   "sendg.slm (16|M0) r50 r40:1 null:0 s0.24 0x1000 {$5}\n"
                   "sync.nop null {$5.dst}\n" STORE "0x1004 {A@1,$3}\n"
                   "(W) shl (16|M0) r42.0<1>:ud r30.0<1;1,0>:ud 2:w\n"
                   "(W) add (16|M0) r42.0<1>:ud r42.0<1;1,0>:ud 0x400:ud {A@1}\n"
                   "sendg.ugm (16|M0) null r42:1 r50:1 s0.16 0x1004 {A@1,$4}\n");
    machine.walker.slm_bytes = 0;
    expect_lanes(0x100, 1, 0);
}

/* store.ugm.d32.a32.wb.wb.uc surf[s0.56][src0]: by the address of a surface state. Scratch space
 * has its size in units of 64 bytes where its state says so (compute-runtime,
 * setPitchForScratch()), and what lies beyond is not written. */
static void test_surface_by_address(void **state)
{
    enum { AT = 0x800, PITCH = 2 };
    const struct render_surface_state scratch = {.type = SURFACE_TYPE_SCRATCH,
                                                 .pitch = PITCH - 1,
                                                 .extends_scratch = 1,
                                                 .address = MACHINE_DATA};
    uint32_t d[render_surface_state_dwords] = {0};

    (void)state;
    render_surface_state_pack(d, &scratch);
    memcpy(machine.surfaces + AT, d, sizeof(d));
    run_text(LANES "(W) mov (1|M0) s0.7<1>:uq 0x200800:uq\n"
                   "(W) shl (16|M0) r40.0<1>:ud r30.0<1;1,0>:ud 4:w\n"
                   "(W) add (16|M0) r30.0<1>:ud r30.0<1;1,0>:ud 5:w {A@1}\n"
                   "sendg.ugm (16|M0) null r40:1 r30:1 s0.56 0xED004 {A@1,$1}\n");
    for (unsigned lane = 0; lane < 16; lane++)
        assert_int_equal(machine.data[lane * 4], lane * 16 < PITCH * 64 ? lane + 5 : 0);
}

/* r[s0.0]: the payload of a store.ugm.d32.a64 from registers that s0 names, from any of its bytes
 * on. */
static void test_gathers(void **state)
{
    (void)state;
    run_text(LANES "(W) shl (16|M0) r40.0<1>:uq r32.0<1;1,0>:uq 2:w {A@1}\n"
                   "(W) add (16|M0) r40.0<1>:uq r40.0<1;1,0>:uq 0x400000:ud {A@1}\n"
                   "(W) mov (1|M0) s0.0<1>:uq 0x1e2928:uq\n"
                   "sendg.ugm (16|M0) null r[s0.0]:3 0x9004 {A@1,$1}\n");
    expect_lanes(0, 1, 0);
}

/* atomic_iadd.ugm.d32.a32u [s0.16+src0], all lanes on one dword, with what was there in r50. */
static void test_atomic(void **state)
{
    bool seen[16] = {false};

    (void)state;
    run_text(LANES "(W) mov (16|M0) r40.0<1>:ud 0:ud\n"
                   "(W) mov (16|M0) r41.0<1>:ud 1:ud\n"
                   "(W) shl (16|M0) r42.0<1>:ud r30.0<1;1,0>:ud 2:w\n"
                   "(W) add (16|M0) r42.0<1>:ud r42.0<1;1,0>:ud 0x400:ud {A@1}\n"
                   "sendg.ugm (16|M0) r50 r40:1 r41:1 s0.16 0x100C {A@1,$1}\n"
                   "sync.nop null {$1.dst}\n"
                   "sendg.ugm (16|M0) null r42:1 r50:1 s0.16 0x1004 {A@1,$2}\n");
    assert_int_equal(machine.data[0], 16);
    for (unsigned lane = 0; lane < 16; lane++) {
        const uint32_t old = machine.data[0x100 + lane];

        assert_true(old < 16 && !seen[old]);
        seen[old] = true;
    }
}

/* mullh: low halves of the products, and in the next register the high ones; each source is signed
 * or not by its own type. */
static void test_both_halves_of_products(void **state)
{
    static const struct {
        const char *multiply;
        uint64_t product;
    } cases[] = {
        {"r40.0<0;1,0>:ud r40.0<0;1,0>:ud", UINT64_C(0xfffffffe00000001)},
        {"r40.0<0;1,0>:d r40.0<0;1,0>:d", 1},
        {"r40.0<0;1,0>:d r40.0<0;1,0>:ud", UINT64_C(0xffffffff00000001)},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        char text[2048];

        snprintf(text, sizeof(text),
                 LANES "(W) mov (1|M0) r40.0<1>:d -1:w\n"
                       "(W) shl (16|M0) r41.0<1>:ud r30.0<1;1,0>:ud 2:w\n"
                       "(W) add (16|M0) r42.0<1>:ud r41.0<1;1,0>:ud 0x400:ud {A@1}\n"
                       "(W) mullh (16|M0) r50.0<1>:d %s {A@1}\n"
                       "sendg.ugm (16|M0) null r41:1 r50:1 s0.16 0x1004 {A@1,$1}\n"
                       "sendg.ugm (16|M0) null r42:1 r51:1 s0.16 0x1004 {A@1,$2}\n",
                 cases[i].multiply);
        run_text(text);
        for (unsigned lane = 0; lane < 16; lane++) {
            assert_int_equal(machine.data[lane], (uint32_t)cases[i].product);
            assert_int_equal(machine.data[0x100 + lane], cases[i].product >> 32);
        }
    }
}

/* A signal to the work-group's barrier counts all of its threads, whatever r0 has beside their
 * number: "signal barrier", and the wait for it. */
static void test_barrier(void **state)
{
    (void)state;
    machine.walker.threads_per_group = 4;
    machine.walker.barriers = 1;
    machine.walker.slm_bytes = 1024;
    run_text(LANES "(W) and (1|M0) r40.0<1>:ud r0.2<0;1,0>:ud 0xff:ud\n"
                   "(W) shl (1|M0) r41.0<1>:ud r40.0<0;1,0>:ud 2:w {A@1}\n"
                   "(W) xor (1|M0) r42.0<1>:ud r41.0<0;1,0>:ud 0xc:ud {A@1}\n"
                   "(W) sendg.slm (1|M0) null r41:1 r40:1 0x1004 {A@1,$1}\n"
                   "(W) sendg.slm (1|M0) null r0:1 null:0 0x1F {$2}\n"
                   "sync.nop null {$2.dst}\n"
                   "(W) sendg.gtwy (1|M0) null r0:1 null:0 0x84 {$3}\n"
                   "(W) sync.bar 0x0\n"
                   "(W) sendg.slm (1|M0) r50 r42:1 null:0 0x1000 {$4}\n"
                   "sync.nop null {$4.dst}\n"
                   "(W) sendg.ugm (1|M0) null r41:1 r50:1 s0.16 0x1004 {A@1,$5}\n");
    machine.walker.threads_per_group = 1;
    machine.walker.barriers = 0;
    machine.walker.slm_bytes = 0;
    for (unsigned thread = 0; thread < 4; thread++)
        assert_int_equal(machine.data[thread], 3 - thread);
}

/* The first qword of the inline data is also in r0.7. */
static void test_inline_data(void **state)
{
    (void)state;
    machine.walker.inline_bytes = 64;
    machine.walker.inline_data[0] = 0x12345678;
    machine.walker.inline_data[1] = 0x9abcdef0;
    run_text(LANES "(W) shl (16|M0) r40.0<1>:ud r30.0<1;1,0>:ud 2:w\n"
                   "sendg.ugm (16|M0) null r40:1 r0:1 s0.16 0x1004 {A@1,$1}\n");
    machine.walker.inline_bytes = 0;
    assert_int_equal(machine.data[14], 0x12345678);
    assert_int_equal(machine.data[15], 0x9abcdef0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scaled_offsets),
        cmocka_unit_test(test_signed_offsets),
        cmocka_unit_test(test_immediate_offset),
        cmocka_unit_test(test_addresses_of_64_bits),
        cmocka_unit_test(test_block),
        cmocka_unit_test(test_local_memory),
        cmocka_unit_test(test_surface_by_address),
        cmocka_unit_test(test_gathers),
        cmocka_unit_test(test_atomic),
        cmocka_unit_test(test_both_halves_of_products),
        cmocka_unit_test(test_barrier),
        cmocka_unit_test(test_inline_data),
    };

    return machine_run_tests(&machine, "nova-lake-p", "Xe3P", tests,
                             sizeof(tests) / sizeof(tests[0]));
}
