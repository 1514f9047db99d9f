/* What Xe2 does differently: both halves of a product, surface states by the whole of their offset,
 * several barriers in a work-group. */
#include <stdio.h>
#include <string.h>

#include "layout/surface-state.h"
#include "machine.h"
#include "test.h"

static struct machine machine;

enum { SCRATCH_STATE = 0x1840, SCRATCH_BYTES = 1024 };

/* Runs a work-group of `threads` threads of 16 lanes. `text` begins with r11 = 0..15, r13.0 the
 * thread's number, all dwords; what it leaves in r20 follows in machine.data, thread by thread.
 * Returns whether there was no fault. */
static bool run(uint32_t threads, uint32_t barriers, const char *text)
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
    machine.walker.barriers = barriers;
    memset(machine.data, 0, 4096);
    machine_assemble(&machine, whole);
    return machine_run(&machine) == 0;
}

static void run_ok(uint32_t threads, uint32_t barriers, const char *text)
{
    if (!run(threads, barriers, text))
        fail_msg("%s", machine.fault.message);
}

static void expect_fault(uint32_t threads, uint32_t barriers, const char *text, const char *what)
{
    assert_false(run(threads, barriers, text));
    if (!strstr(machine.fault.message, what))
        fail_msg("\"%s\" does not say \"%s\"", machine.fault.message, what);
}

/* 0x12345678 * 0x9abcdef0 = 0x0b00ea4e242d2080, in the sequences that the compiler emits */
static void test_halves_of_products(void **state)
{
    static const struct {
        const char *second;
        uint32_t result;
    } cases[] = {
        {"macl (16|M0) r20.0<1>:ud r14.0<1;1,0>:ud r15.0<1;1,0>:ud", 0x242d2080},
        {"mach (16|M0) r20.0<1>:ud r14.0<1;1,0>:ud r15.0<1;1,0>:ud", 0x0b00ea4e},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char text[1024];

        snprintf(text, sizeof(text),
                 "(W) mov (16|M0) r14.0<1>:ud 0x12345678:ud\n"
                 "(W) mov (16|M0) r15.0<1>:ud 0x9ABCDEF0:ud\n"
                 "(W) mul (16|M0) acc0.0<1>:ud r14.0<1;1,0>:ud r15.0<2;1,0>:uw {I@1}\n"
                 "%s {I@1}",
                 cases[i].second);
        run_ok(1, 0, text);
        for (unsigned lane = 0; lane < 16; lane++)
            assert_int_equal(machine.data[lane], cases[i].result);
    }
}

/* Each thread stores in its part of the scratch surface, whose state's offset is in r0.5 and goes
 * to a0 as spilled registers have it, and loads what it stored. */
static void test_scratch_surface(void **state)
{
    const char *text = "(W) and (1|M0) r1.0<1>:ud r0.5<0;1,0>:ud 0xFFFFFC00:ud\n"
                       "(W) shr (1|M0) a0.2<1>:ud r1.0<0;1,0>:ud 4:ud {I@1}\n"
                       "(W) mov (16|M0) r4.0<1>:ud 0x10:ud\n"
                       "(W) add (16|M0) r5.0<1>:ud r13.0<0;1,0>:ud 100:w\n"
                       "(W) store.ugm.d32x16t.a32 (1|M0) ss[a0.2][r4:1+0x30] r5:1 {A@1,$1}\n"
                       "(W) load.ugm.d32x16t.a32 (1|M0) r20:1 ss[a0.2][r4:1+0x30] {$2}\n"
                       "sync.nop null {$2.dst}\n";

    (void)state;
    machine.walker.scratch_surface_offset = SCRATCH_STATE;
    surface_state_write(machine.surfaces + SCRATCH_STATE, SURFACE_TYPE_SCRATCH,
                        MACHINE_DATA + 0x10000, 64, SCRATCH_BYTES);
    run_ok(3, 0, text);
    for (unsigned thread = 0; thread < 3; thread++)
        for (unsigned lane = 0; lane < 16; lane++)
            assert_int_equal(machine.data[thread * 16 + lane], 100 + thread);
    unsigned found = 0;
    for (unsigned part = 0; part < 64; part++)
        found += machine.data[(0x10000 + part * SCRATCH_BYTES + 0x40) / 4] != 0;
    assert_int_equal(found, 3);
    machine.walker.scratch_surface_offset = 0;
}

/* Where a thread runs, as the compiler (intel-graphics-compiler 2.40) reads it to find the thread's
 * private memory: the thread in bits 2:0 of sr0.0, its engine in bits 6:4, the Xe-core in msg0.0. A
 * work-group that fills an Xe-core has each number of it once; with the clock, there is one on
 * each.
 */
static void test_thread_numbers(void **state)
{
    const char *text = "(W) shl (1|M0) r13.2<1>:ud r0.1<0;1,0>:ud 6:w\n"
                       "(W) add (1|M0) r13.0<1>:ud r13.0<0;1,0>:ud r13.2<0;1,0>:ud {I@1}\n"
                       "(W) and (1|M0) r1.8<1>:ud msg0.0<0;1,0>:ud 0xFF:uw {A@1}\n"
                       "(W) and (1|M0) r2.8<1>:ud sr0.0<0;1,0>:ud 0x7F:uw {A@1}\n"
                       "(W) and (1|M0) r2.9<1>:ud r2.8<0;1,0>:ud 7:w {I@1}\n"
                       "(W) asr (1|M0) r1.9<1>:ud r2.8<0;1,0>:ud 1:w\n"
                       "(W) mov (1|M0) r1.10<1>:d -8:w\n"
                       "(W) shl (1|M0) r1.8<1>:ud r1.8<0;1,0>:ud 0x6:uw\n"
                       "(W) bfn.(s0&s1|s2) (1|M0) r2.8<1>:ud r1.9<0;0>:ud r1.10<0;0>:ud "
                       "r2.9<0>:ud {I@2}\n"
                       "(W) or (1|M0) r1.8<1>:ud r1.8<0;1,0>:ud r2.8<0;1,0>:ud {I@1}\n"
                       "(W) mov (16|M0) r20.0<1>:d r1.8<0;1,0>:d {I@1}\n";
    const struct vesim_device *d = &machine.device;
    const unsigned cores = (unsigned)(d->slices * d->xe_cores_per_slice);
    const unsigned threads = (unsigned)(d->ves_per_xe_core * d->threads_per_ve);
    uint64_t seen[64] = {0};

    (void)state;
    assert_int_equal(threads, 64); /* a bit each */
    assert_true(cores <= 64);
    machine.walker.group_end[0] = cores;
    run_ok(threads, 0, text);
    machine.walker.group_end[0] = 1;
    for (unsigned group = 0; group < cores; group++) {
        const uint32_t *first = &machine.data[group * threads * 16];
        const unsigned core = first[0] / threads;
        uint64_t numbers = 0;

        assert_true(core < cores);
        for (unsigned i = 0; i < threads; i++) {
            assert_int_equal(first[i * 16] / threads, core);
            numbers |= UINT64_C(1) << first[i * 16] % threads;
        }
        assert_true(numbers == UINT64_MAX);
        assert_true(machine.settings.functional || !seen[core]);
        seen[core] = numbers;
    }
}

/* Signals barrier `number` of `producers` and `consumers`; the thread is both, or one of them. */
#define SIGNAL_AS(part, number, producers, consumers)                                              \
    "(W) mov (1|M0) r30.2<1>:ud " consumers producers part number ":ud {$1.src}\n"                 \
    "(W) send.gtwy (1|M0) null r30 null:0 0x0 0x02000004 {I@1,$1}\n"
#define SIGNAL(number)  SIGNAL_AS("00", number, "04", "0x04")
#define PRODUCE(number) SIGNAL_AS("40", number, "03", "0x01")
#define CONSUME(number) SIGNAL_AS("80", number, "03", "0x01")
#define WAIT(number)    "(W) sync.bar " number "\n"

/* The sum of what all threads added to a word of shared local memory before the barrier. */
#define ADD_1                                                                                      \
    "(W) mov (16|M0) r31.0<1>:ud 0:ud {$3.src}\n"                                                  \
    "(W) mov (16|M0) r32.0<1>:ud 1:ud {$3.src}\n"                                                  \
    "(W) send.slm (1|M0) null r31 r32:1 0x0 0x0200050C {A@1,$3}\n"
#define READ                                                                                       \
    "(W) send.slm (16|M0) r20 r31 null:0 0x0 0x02100500 {A@1,$4}\n"                                \
    "sync.nop null {$4.dst}\n"

static void expect_everywhere(unsigned threads, uint32_t value)
{
    for (unsigned i = 0; i < threads * 16; i++)
        if (machine.data[i] != value)
            fail_msg("thread %u, lane %u: %u, not %u", i / 16, i % 16, machine.data[i], value);
}

/* Two barriers at once: neither completes by signals of the other. */
static void test_several_barriers(void **state)
{
    (void)state;
    machine.walker.slm_bytes = 1024;
    run_ok(4, 2, ADD_1 SIGNAL("00") WAIT("0x0") READ);
    expect_everywhere(4, 4);
    run_ok(4, 2, ADD_1 SIGNAL("01") WAIT("0x1") READ);
    expect_everywhere(4, 4);
    run_ok(4, 2, SIGNAL("01") ADD_1 SIGNAL("00") WAIT("0x0") READ WAIT("0x1"));
    expect_everywhere(4, 4);
    /* by a flag, and the last of 32; waits in the other order than signals */
    run_ok(4, 32,
           "(W) mov (1|M0) f0.0<1>:ud 31:ud\n" ADD_1 SIGNAL("1f") SIGNAL("02") WAIT("f0.0")
               READ WAIT("0x2"));
    expect_everywhere(4, 4);
    machine.walker.slm_bytes = 0;
}

/* Three threads produce and go on, the fourth waits for them. */
static void test_producers_and_consumer(void **state)
{
    (void)state;
    machine.walker.slm_bytes = 1024;
    run_ok(4, 2,
           "(W) cmp (1|M0) (eq)f0.0 null<1>:ud r13.0<0;1,0>:ud 0:ud\n"
           "(W&f0.0) jmpi consumer\n" ADD_1 PRODUCE("01")
               PRODUCE("00") "(W) jmpi end\n"
                             "consumer:\n" CONSUME("00") CONSUME("01") WAIT("0x1")
                                 WAIT("0x0") "(W) mov (16|M0) r31.0<1>:ud 0:ud\n" READ "end:\n");
    for (unsigned lane = 0; lane < 16; lane++)
        assert_int_equal(machine.data[lane], 3);
    machine.walker.slm_bytes = 0;
}

/* Threads that end do not hold up a barrier of all. */
static void test_ended_threads(void **state)
{
    (void)state;
    run_ok(4, 2,
           "(W) cmp (1|M0) (gt)f0.0 null<1>:ud r13.0<0;1,0>:ud 1:ud\n"
           "(W&f0.0) jmpi end\n" SIGNAL("01") WAIT("0x1") "end:\n"
                                                          "(W) mov (16|M0) r20.0<1>:ud 7:ud\n");
    expect_everywhere(4, 7);
}

static void test_misuse(void **state)
{
    (void)state;
    expect_fault(4, 2, SIGNAL("02"), "signal to barrier 2, of 2");
    expect_fault(4, 2, SIGNAL("01") SIGNAL("01"), "second signal");
    expect_fault(4, 2, SIGNAL_AS("c0", "01", "04", "0x04"), "reserved");
    expect_fault(4, 2, CONSUME("01") WAIT("0x1"), "wait at a barrier");
    expect_fault(3, 1, SIGNAL("00") WAIT("0x0"), "wait at a barrier"); /* of four threads */
    assert_non_null(
        strstr(machine.fault.message, "that the rest of their work-group never reaches"));
    assert_int_equal(machine.fault.kind, VESIM_FAULT_DEADLOCK);
    assert_int_equal(machine.fault.kernel, MACHINE_CODE);
}

/* What a round costs: the signals one after another, then the latency. */
static void test_time(void **state)
{
    const struct vesim_device *d = &machine.device;
    uint64_t cycles[2];

    (void)state;
    if (machine.settings.functional)
        return;
    for (unsigned i = 0; i < 2; i++) {
        static char text[8192];

        text[0] = '\0';
        for (unsigned j = 0; j < 8 * (i + 1); j++)
            strcat(text, "(W) send.gtwy (1|M0) null r30 null:0 0x0 0x02000004 {$1}\n" WAIT("0x1"));
        static char whole[sizeof(text) + 64];
        snprintf(whole, sizeof(whole), "(W) mov (1|M0) r30.2<1>:ud 0x04040001:ud\n%s", text);
        run_ok(4, 2, whole);
        run_ok(4, 2, whole); /* the first fetched the code */
        cycles[i] = machine.cycles;
    }
    assert_int_equal(cycles[1] - cycles[0], 8 * (d->barrier_latency + 3 * d->gateway_interval));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_halves_of_products),
        cmocka_unit_test(test_scratch_surface),
        cmocka_unit_test(test_thread_numbers),
        cmocka_unit_test(test_several_barriers),
        cmocka_unit_test(test_producers_and_consumer),
        cmocka_unit_test(test_ended_threads),
        cmocka_unit_test(test_misuse),
        cmocka_unit_test(test_time),
    };

    return machine_run_tests(&machine, "b580", "Xe2", tests, sizeof(tests) / sizeof(tests[0]));
}
