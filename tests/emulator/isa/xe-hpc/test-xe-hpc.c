/* What Xe-HPC has of Xe2 and what is its own: halves of a product, barriers by the payload, where a
 * thread runs, addresses of 57 bits, 128 KB of shared local memory. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine.h"
#include "test.h"

static struct machine machine;

/* Half of the 57 bits lie below it; from here on the bits above are ones. */
#define UPPER_HALF  (UINT64_C(1) << 56)
#define UPPER_BYTES 4096

/* Runs a work-group of `threads` threads of 16 lanes. `text` begins with r11 = 0..15, r13.0 the
 * thread's number; what it leaves in r20 follows in machine.data, thread by thread. */
static void run(uint32_t threads, const char *text)
{
    static char whole[8192];
    int length = snprintf(whole, sizeof(whole),
                          "(W) mov (8|M0) r10.0<1>:uw 0x76543210:uv\n"
                          "(W) add (8|M0) r10.8<1>:uw r10.0<1;1,0>:uw 8:uw {I@1}\n"
                          "(W) mov (16|M0) r11.0<1>:ud r10.0<1;1,0>:uw {I@1}\n"
                          "(W) and (1|M0) r13.0<1>:ud r0.2<0;1,0>:ud 0xff:ud\n"
                          "%s\n"
                          "(W) shl (1|M0) r13.1<1>:ud r13.0<0;1,0>:ud 6:w {A@1}\n"
                          "(W) shl (16|M0) r12.0<1>:ud r11.0<1;1,0>:ud 2:w\n"
                          "(W) add (16|M0) r12.0<1>:ud r12.0<1;1,0>:ud r13.1<0;1,0>:ud {I@1}\n"
                          "(W) add (16|M0) r12.0<1>:ud r12.0<1;1,0>:ud 0x%x:ud {I@1}\n"
                          "(W) mov (16|M0) r14.0<1>:uq r12.0<1;1,0>:ud {I@1}\n"
                          "(W) send.ugm (16|M0) null r14 r20:1 0x0 0x04000584 {A@1,$15}\n",
                          text, (unsigned)MACHINE_DATA);

    assert_true(length > 0 && (size_t)length < sizeof(whole));
    machine.walker.threads_per_group = threads;
    memset(machine.data, 0, 4096);
    machine_assemble(&machine, whole);
    if (machine_run(&machine))
        fail_msg("%s", machine.fault.message);
}

/* 0x12345678 * 0x9abcdef0 = 0x0b00ea4e242d2080 */
static void test_halves_of_products(void **state)
{
    static const struct {
        const char *opcode;
        uint32_t result;
    } cases[] = {{"macl", 0x242d2080}, {"mach", 0x0b00ea4e}};

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char text[512];

        snprintf(text, sizeof(text),
                 "(W) mov (16|M0) r14.0<1>:ud 0x12345678:ud\n"
                 "(W) mov (16|M0) r15.0<1>:ud 0x9ABCDEF0:ud\n"
                 "(W) mul (16|M0) acc0.0<1>:ud r14.0<1;1,0>:ud r15.0<2;1,0>:uw {I@1}\n"
                 "%s (16|M0) r20.0<1>:ud r14.0<1;1,0>:ud r15.0<1;1,0>:ud {I@1}",
                 cases[i].opcode);
        run(1, text);
        for (unsigned lane = 0; lane < 16; lane++)
            assert_int_equal(machine.data[lane], cases[i].result);
    }
}

/* The sum of what four threads added to the last dword of the shared local memory, of which they
 * wait for each other as the compiler has it: r0.2 gives the number of threads. */
static void test_barrier(void **state)
{
    (void)state;
    machine.walker.barriers = 1;
    machine.walker.slm_bytes = 128 << 10;
    run(4, "(W) mov (16|M0) r31.0<1>:ud 0x1fffc:ud\n"
           "(W) add (16|M0) r32.0<1>:ud r13.0<0;1,0>:ud 1:ud {I@2}\n"
           "(W) send.slm (1|M0) null r31 r32:1 0x0 0x0200050C {A@1,$3}\n"
           "(W) send.slm (1|M0) r40 r0 null:0 0x0 0x0210011F {$3}\n"
           "sync.nop null {$3.dst}\n"
           "(W) mov (1|M0) r30.2<1>:ud 0:ud\n"
           "(W) mov (2|M0) r30.10<1>:ub r0.11<0;1,0>:ub {I@1}\n"
           "(W) send.gtwy (1|M0) null r30 null:0 0x0 0x02000004 {I@1,$1}\n"
           "(W) sync.bar 0x0\n"
           "(W) send.slm (16|M0) r20 r31 null:0 0x0 0x02100500 {$4}\n"
           "sync.nop null {$4.dst}\n");
    for (unsigned i = 0; i < 64; i++)
        assert_int_equal(machine.data[i], 1 + 2 + 3 + 4);
    machine.walker.barriers = machine.walker.slm_bytes = 0;
}

/* As the compiler (intel-graphics-compiler, CShader::GetHWTID) puts it together again: bits 3, 6
 * and 7 of sr0.0 are left out. Each thread of the device has another number. */
static void test_thread_numbers(void **state)
{
    const struct vesim_device *d = &machine.device;
    const unsigned cores = (unsigned)(d->slices * d->xe_cores_per_slice), threads = 64;
    uint64_t seen[64] = {0};

    (void)state;
    assert_int_equal(d->ves_per_xe_core * d->threads_per_ve, threads);
    assert_true(cores <= 64);
    machine.walker.group_end[0] = cores;
    run(threads, "(W) shl (1|M0) r13.2<1>:ud r0.1<0;1,0>:ud 6:w\n"
                 "(W) add (1|M0) r13.0<1>:ud r13.0<0;1,0>:ud r13.2<0;1,0>:ud {I@1}\n"
                 "(W) and (1|M0) r1.0<1>:ud sr0.0<0;1,0>:ud 0x7:uw {A@1}\n"
                 "(W) and (1|M0) r1.1<1>:ud sr0.0<0;1,0>:ud 0x30:uw\n"
                 "(W) and (1|M0) r1.2<1>:ud sr0.0<0;1,0>:ud 0x7F00:uw\n"
                 "(W) shr (1|M0) r1.1<1>:ud r1.1<0;1,0>:ud 1:w {I@2}\n"
                 "(W) shr (1|M0) r1.2<1>:ud r1.2<0;1,0>:ud 3:w {I@2}\n"
                 "(W) or (1|M0) r1.0<1>:ud r1.0<0;1,0>:ud r1.1<0;1,0>:ud {I@2}\n"
                 "(W) or (1|M0) r1.0<1>:ud r1.0<0;1,0>:ud r1.2<0;1,0>:ud {I@1}\n"
                 "(W) mov (16|M0) r20.0<1>:d r1.0<0;1,0>:d {I@1}\n");
    machine.walker.group_end[0] = 1;
    for (unsigned i = 0; i < cores * threads; i++) {
        const uint32_t number = machine.data[i * 16];

        assert_true(number / threads < cores);
        assert_true(machine.settings.functional ||
                    !(seen[number / threads] >> number % threads & 1));
        seen[number / threads] |= UINT64_C(1) << number % threads;
    }
}

/* A buffer in the upper half, at its address with the sign extension and without. */
static void test_wide_addresses(void **state)
{
    static const struct {
        const char *upper_dword;
    } cases[] = {{"0xFF000000"}, {"0x1000000"}};

    (void)state;
    uint32_t *host = aligned_alloc(64, UPPER_BYTES);
    assert_non_null(host);
    for (unsigned i = 0; i < UPPER_BYTES / 4; i++)
        host[i] = 1000 + i;
    const struct mapping mapping = {.address = UPPER_HALF | MACHINE_DATA,
                                    .size = UPPER_BYTES,
                                    .host = (uint8_t *)host,
                                    .physical = MACHINE_DATA + (64 << 20),
                                    .local = true};
    assert_int_equal(address_space_add(&machine.space, &mapping), 0);
    for (unsigned i = 0; i < 2; i++) {
        char text[1024];

        snprintf(text, sizeof(text),
                 "(W) shl (16|M0) r16.0<1>:ud r11.0<1;1,0>:ud 2:w {I@1}\n"
                 "(W) add (16|M0) r16.0<1>:ud r16.0<1;1,0>:ud 0x%x:ud {I@1}\n"
                 "(W) mov (16|M0) r18.0<2>:ud r16.0<1;1,0>:ud {I@1}\n"
                 "(W) mov (16|M0) r18.1<2>:ud %s:ud\n"
                 "(W) send.ugm (16|M0) r20 r18 null:0 0x0 0x04100580 {A@1,$2}\n"
                 "sync.nop null {$2.dst}\n",
                 (unsigned)MACHINE_DATA, cases[i].upper_dword);
        run(1, text);
        for (unsigned lane = 0; lane < 16; lane++)
            assert_int_equal(machine.data[lane], 1000 + lane);
    }
    assert_int_equal(address_space_remove(&machine.space, UPPER_HALF | MACHINE_DATA), 0);
    free(host);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_halves_of_products),
        cmocka_unit_test(test_barrier),
        cmocka_unit_test(test_thread_numbers),
        cmocka_unit_test(test_wide_addresses),
    };

    return machine_run_tests(&machine, "max-1100", "Xe-HPC", tests,
                             sizeof(tests) / sizeof(tests[0]));
}
