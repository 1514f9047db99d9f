/* The clock, from the outside: short instruction sequences whose time can be worked out by hand
 * from the device's figures. Times are slopes over the number of repetitions, which leaves
 * dispatch, payload and end of thread out; each program runs twice and the second run, with the
 * code in the instruction cache, counts. A sync, being an instruction, takes a cycle to issue. */
#include <stdio.h>
#include <string.h>

#include "machine.h"
#include "test.h"

static struct machine machine;
static const char *device = "a380";

static bool is_hpg(void)
{
    return machine.device.architecture == VESIM_XE_HPG;
}

/* `{…}` annotations for the architecture: distances name their pipe on Xe-HPG only. */
#define INT_AT_1   (is_hpg() ? "I@1" : "@1")
#define FLOAT_AT_1 (is_hpg() ? "F@1" : "@1")

static uint64_t cycles_of(const char *before, const char *body, unsigned repetitions)
{
    static char text[131072];
    int length = snprintf(text, sizeof(text), "%s", before);

    for (unsigned i = 0; i < repetitions; i++)
        length += snprintf(text + length, sizeof(text) - (size_t)length, "%s", body);
    machine_run_ok(&machine, text);
    assert_int_equal(machine_run(&machine), 0);
    return machine.cycles;
}

/* Cycles that 16 more repetitions of `body` take. */
static uint64_t sixteen(const char *before, const char *body)
{
    return cycles_of(before, body, 32) - cycles_of(before, body, 16);
}

static void test_dependent_chain(void **state)
{
    (void)state;
    char body[128];
    snprintf(body, sizeof(body), "(W) add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 1:w {%s}\n", INT_AT_1);
    assert_int_equal(sixteen("", body), 16 * machine.device.fpu_latency);
    snprintf(body, sizeof(body), "(W) add (16|M0) r20.0<1>:d r20.0<8;8,1>:d 1:w {%s}\n", INT_AT_1);
    assert_int_equal(sixteen("", body),
                     16 * (machine.device.fpu_latency + machine.device.wide_step));
    snprintf(body, sizeof(body), "(W) add (8|M0) r20.0<1>:f r20.0<8;8,1>:f r21.0<8;8,1>:f {%s}\n",
             FLOAT_AT_1);
    assert_int_equal(sixteen("", body), 16 * machine.device.fpu_latency);
}

static void test_independent_stream(void **state)
{
    (void)state;
    uint64_t width = machine.device.lanes_32bit;
    assert_int_equal(sixteen("", "(W) add (8|M0) r20.0<1>:d r30.0<8;8,1>:d 1:w\n"), 16 * 8 / width);
    assert_int_equal(sixteen("", "(W) add (16|M0) r20.0<1>:d r30.0<8;8,1>:d 1:w\n"),
                     16 * 16 / width);
    /* where floats and integers have a port each, a thread issues into one while the other is busy
     * with its wider instruction */
    assert_int_equal(sixteen("", "(W) add (16|M0) r20.0<1>:d r30.0<8;8,1>:d 1:w\n"
                                 "(W) add (16|M0) r40.0<1>:f r50.0<8;8,1>:f r52.0<8;8,1>:f\n"),
                     (machine.device.alu_ports == 1 ? 2 : 1) * 16 * 16 / width);
    /* extended math has its own, or that of the integers */
    assert_int_equal(sixteen("", "(W) math.sqt (8|M0) r20.0<1>:f r30.0<8;8,1>:f {$1}\n"
                                 "(W) add (16|M0) r40.0<1>:f r50.0<8;8,1>:f r52.0<8;8,1>:f\n"),
                     16 * machine.device.math_latency);
}

/* Math and integers of two threads or of one, none of which waits for another. */
static void test_port_of_math(void **state)
{
    const uint64_t lanes = machine.device.lanes_32bit, math = 16 * 8 / machine.device.math_lanes;

    (void)state;
    const char *const both = "(W) math.sqt (8|M0) r20.0<1>:f r30.0<8;8,1>:f {$1}\n"
                             "(W) add (16|M0) r40.0<1>:d r50.0<8;8,1>:d 1:w\n"
                             "(W) math.sqt (8|M0) r22.0<1>:f r30.0<8;8,1>:f {$2}\n"
                             "(W) add (16|M0) r42.0<1>:d r50.0<8;8,1>:d 1:w\n"
                             "(W) math.sqt (8|M0) r24.0<1>:f r30.0<8;8,1>:f {$3}\n"
                             "(W) add (16|M0) r44.0<1>:d r50.0<8;8,1>:d 1:w\n"
                             "(W) math.sqt (8|M0) r26.0<1>:f r30.0<8;8,1>:f {$4}\n"
                             "(W) add (16|M0) r46.0<1>:d r50.0<8;8,1>:d 1:w\n"
                             "(W) math.sqt (8|M0) r32.0<1>:f r30.0<8;8,1>:f {$5}\n"
                             "(W) add (16|M0) r48.0<1>:d r50.0<8;8,1>:d 1:w\n"
                             "(W) math.sqt (8|M0) r34.0<1>:f r30.0<8;8,1>:f {$6}\n"
                             "(W) add (16|M0) r54.0<1>:d r50.0<8;8,1>:d 1:w\n";
    assert_int_equal(sixteen("", both),
                     6 * (math + (machine.device.alu_ports == 1 ? 0 : 16 * 16 / lanes)));
}

/* 16-bit elements: as many lanes as the device description says. */
static void test_narrow_elements(void **state)
{
    (void)state;
    uint64_t halves = machine.device.lanes_16bit_float, words = machine.device.lanes_16bit_integer;
    assert_int_equal(
        sixteen("", "(W) add (16|M0) r20.0<1>:hf r30.0<16;16,1>:hf r32.0<16;16,1>:hf\n"),
        16 * 16 / halves);
    assert_int_equal(sixteen("", "(W) add (16|M0) r20.0<1>:w r30.0<16;16,1>:w 1:w\n"),
                     16 * 16 / words);
    /* one wide operand makes it a wide instruction */
    assert_int_equal(sixteen("", "(W) add (16|M0) r20.0<1>:d r30.0<16;16,1>:w 1:w\n"), 16 * 2);
}

/* The multipliers take a dword times a word in one pass, dwords in two. */
static void test_products(void **state)
{
    (void)state;
    assert_int_equal(sixteen("", "(W) mul (8|M0) r20.0<1>:d r30.0<8;8,1>:d r32.0<16;8,2>:uw\n"),
                     16);
    assert_int_equal(sixteen("", "(W) mul (8|M0) r20.0<1>:d r30.0<8;8,1>:d r32.0<8;8,1>:d\n"),
                     16 * 2);
}

static uint64_t mad(const char *sources)
{
    char body[256];

    snprintf(body, sizeof(body), "(W) mad (16|M0) r20.0<1>:f %s\n", sources);
    return sixteen("", body);
}

/* An instruction that reads a register for two of its three operands reads it again; uniform values
 * and accumulators do not count. */
static void test_same_register(void **state)
{
    (void)state;
    uint64_t passes = machine.device.same_register_passes;
    const char *apart = "r30.0<8;1>:f r32.0<8;1>:f r34.0<1>:f";
    assert_int_equal(mad(apart), 16 * 2);
    assert_int_equal(mad("r30.0<8;1>:f r32.0<8;1>:f r30.0<1>:f"), 16 * 2 * passes);
    assert_int_equal(mad("r30.0<8;1>:f r30.0<8;1>:f r34.0<1>:f"), 16 * 2 * passes);
    assert_int_equal(mad("r30.0<8;1>:f r32.0<8;1>:f r32.0<1>:f"), 16 * 2 * passes);
    assert_int_equal(mad("r8.3<0;0>:f r32.0<8;1>:f r8.2<0>:f"), 16 * 2);
    assert_int_equal(mad("acc0.0<8;1>:f acc0.0<8;1>:f r34.0<1>:f"), 16 * 2);
}

/* On Xe-HPG, where an A770 shows it: three registers of one bank take a cycle more, of 72 % of the
 * peak in vkpeak's vectors; so do two of one bundle, 4 of the 100 in aboutSHW's loop. */
static void test_register_banks(void **state)
{
    (void)state;
    unsigned waits = is_hpg();
    assert_int_equal(mad("r38.0<8;1>:f r46.0<8;1>:f r3.0<1>:f"), 16 * (2 + waits)); /* not r39 */
    assert_int_equal(mad("r40.0<8;1>:f r48.0<8;1>:f r5.0<1>:f"), 16 * (2 + waits));
    assert_int_equal(mad("r25.0<8;1>:f r27.0<8;1>:f r23.0<1>:f"), 16 * 2); /* vkpeak's scalars */
    assert_int_equal(
        sixteen("", "(W) mad (8|M0) r20.0<1>:f r76.0<8;1>:f r13.0<8;1>:f r14.0<1>:f\n"),
        16 * (1 + waits));
    assert_int_equal(
        sixteen("", "(W) mad (8|M0) r20.0<1>:f r75.0<8;1>:f r13.0<8;1>:f r14.0<1>:f\n"), 16);
}

/* Each lane's element through an address of its own: one lane per cycle. */
static void test_gathered_source(void **state)
{
    (void)state;
    assert_int_equal(sixteen("(W) mov (8|M0) a0.0<1>:uw 0x280:uw\nsync.nop null\n",
                             "(W) mov (8|M0) r20.0<1>:ud r[a0.0]<1,0>:ud\n"),
                     16 * 8);
}

/* The operands of a message have been read send_source_latency and a cycle for each register after
 * it was sent. */
static void test_release_of_operands(void **state)
{
    const char *null = is_hpg() ? ":0" : "";
    char body[256];

    (void)state;
    snprintf(body, sizeof(body),
             "(W) send.dc1 (8|M0) r20 r12 null%s 0x0 0x02106E00 {$1}\n"
             "sync.nop null {$1.src}\n"
             "sync.nop null {$1.dst}\n",
             null);
    uint64_t hit = machine_hit_latency(&machine);
    assert_int_equal(sixteen("(W) mov (8|M0) r12.0<1>:d 0:w\n", body), 16 * (hit + 1));
    snprintf(body, sizeof(body),
             "(W) send.dc1 (8|M0) null r12 r14%s 0x02026E00 {$1}\n"
             "sync.nop null {$1.src}\n",
             is_hpg() ? ":1 0x0" : " 0x40");
    assert_int_equal(sixteen("(W) mov (8|M0) r12.0<1>:d 0:w\n", body),
                     16 * (machine.device.send_source_latency + 2 + 1));
}

static void test_accumulator_forwarding(void **state)
{
    (void)state;
    assert_int_equal(sixteen("", "(W) add (8|M0) acc0.0<1>:f acc0.0<8;8,1>:f r21.0<8;8,1>:f\n"),
                     16 * machine.device.accumulator_latency);
}

/* Each accumulator is waited for on its own: chains through two of them overlap. Sixteen lanes take
 * two, and so do not. */
static void test_accumulators_apart(void **state)
{
    const uint64_t chain = 16 * machine.device.accumulator_latency;

    (void)state;
    assert_int_equal(sixteen("", "(W) add (8|M0) acc0.0<1>:f acc0.0<8;8,1>:f r21.0<8;8,1>:f\n"
                                 "(W) add (8|M0) acc1.0<1>:f acc1.0<8;8,1>:f r22.0<8;8,1>:f\n"),
                     chain);
    assert_int_equal(sixteen("", "(W) add (8|M0) acc0.0<1>:f acc1.0<8;8,1>:f r21.0<8;8,1>:f\n"
                                 "(W) add (8|M0) acc1.0<1>:f acc0.0<8;8,1>:f r22.0<8;8,1>:f\n"),
                     2 * chain);
    assert_int_equal(sixteen("", "(W) add (16|M0) acc0.0<1>:f r23.0<8;8,1>:f r25.0<8;8,1>:f\n"
                                 "(W) add (8|M0) r20.0<1>:f acc1.0<8;8,1>:f r22.0<8;8,1>:f\n"),
                     chain + 2 * 16);
    /* a product's high half reads acc0 without naming it */
    assert_int_equal(sixteen("", "(W) mul (8|M0) acc0.0<1>:d r30.0<8;8,1>:d r40.0<16;8,2>:uw\n"
                                 "(W) mach (8|M0) r20.0<1>:d r30.0<8;8,1>:d r40.0<8;8,1>:d\n"),
                     sixteen("", "(W) mul (8|M0) acc0.0<1>:d r30.0<8;8,1>:d r40.0<16;8,2>:uw\n"
                                 "(W) add (8|M0) acc0.0<1>:d acc0.0<8;8,1>:d 0:w\n"));
}

/* So is each flag of 16 bits; a choice by a condition sets none. */
static void test_flags_apart(void **state)
{
    const char *const compare = "(W) cmp (8|M0) (lt)f0.0 null<1>:d r30.0<8;8,1>:d r31.0<8;8,1>:d\n";
    char body[256];

    (void)state;
    snprintf(body, sizeof(body), "%s%s", compare,
             "(W&f0.0) add (8|M0) r20.0<1>:d r30.0<8;8,1>:d 1:w\n");
    assert_int_equal(sixteen("", body), 16 * (machine.device.arf_latency + 1));
    snprintf(body, sizeof(body), "%s%s", compare,
             "(W&f1.0) add (8|M0) r20.0<1>:d r30.0<8;8,1>:d 1:w\n");
    assert_int_equal(sixteen("", body), 16 * 2);
    snprintf(body, sizeof(body), "%s%s", compare,
             "(W&f0.1) add (8|M0) r20.0<1>:d r30.0<8;8,1>:d 1:w\n");
    assert_int_equal(sixteen("", body), 16 * 2);
    assert_int_equal(sixteen("", "(W) sel (8|M0) (lt)f0.0 r20.0<1>:d r30.0<8;8,1>:d 1:w\n"
                                 "(W&f0.0) add (8|M0) r22.0<1>:d r30.0<8;8,1>:d 1:w\n"),
                     16 * 2);
}

static void test_math(void **state)
{
    (void)state;
    assert_int_equal(sixteen("", "(W) math.sqt (8|M0) r20.0<1>:f r20.0<8;8,1>:f {$1}\n"
                                 "sync.nop null {$1.dst}\n"),
                     16 * (machine.device.math_latency + 1));
    assert_int_equal(sixteen("", "(W) math.sqt (8|M0) r20.0<1>:f r30.0<8;8,1>:f {$1}\n"
                                 "(W) math.sqt (8|M0) r22.0<1>:f r30.0<8;8,1>:f {$2}\n"
                                 "(W) math.sqt (8|M0) r24.0<1>:f r30.0<8;8,1>:f {$3}\n"
                                 "(W) math.sqt (8|M0) r26.0<1>:f r30.0<8;8,1>:f {$4}\n"
                                 "(W) math.sqt (8|M0) r28.0<1>:f r30.0<8;8,1>:f {$5}\n"
                                 "(W) math.sqt (8|M0) r32.0<1>:f r30.0<8;8,1>:f {$6}\n"
                                 "(W) math.sqt (8|M0) r34.0<1>:f r30.0<8;8,1>:f {$7}\n"
                                 "(W) math.sqt (8|M0) r36.0<1>:f r30.0<8;8,1>:f {$8}\n"),
                     16 * 8 * (8 / machine.device.math_lanes));
}

/* Threads of one vector engine take turns: chains that leave the pipe idle overlap entirely. */
static void test_threads_hide_latency(void **state)
{
    (void)state;
    char body[128];
    snprintf(body, sizeof(body), "(W) add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 1:w {%s}\n", INT_AT_1);
    uint64_t one = sixteen("", body);
    machine.walker.threads_per_group = (uint32_t)machine.device.ves_per_xe_core * 4;
    uint64_t four_each = sixteen("", body);
    assert_int_equal(four_each, one);
    /* but not streams that fill it, once all threads have started */
    char stream[2048] = "";
    for (unsigned i = 0; i < 16; i++)
        strcat(stream, "(W) add (8|M0) r20.0<1>:d r30.0<8;8,1>:d 1:w\n");
    four_each = sixteen("", stream);
    machine.walker.threads_per_group = 1;
    assert_int_equal(four_each, 4 * sixteen("", stream));
}

/* One message to shared local memory at a time, each waiting for the last one's reply. */
static uint64_t slm_load(unsigned stride_bytes)
{
    char before[512], body[256];

    snprintf(before, sizeof(before),
             "(W) mov (8|M0) r10.0<1>:w 0x76543210:v\n"
             "(W) mul (8|M0) r12.0<1>:d r10.0<8;8,1>:w %u:w {%s}\n",
             stride_bytes, INT_AT_1);
    snprintf(body, sizeof(body),
             "(W) send.dc1 (8|M0) r20 r12 null%s 0x0 0x02106EFE {%s,$1}\n"
             "sync.nop null {$1.dst}\n",
             is_hpg() ? ":0" : "", is_hpg() ? "A@1" : "@1");
    return sixteen(before, body) - 16; /* without the syncs */
}

static void test_slm_bank_conflicts(void **state)
{
    (void)state;
    machine.walker.slm_bytes = 65536;
    uint64_t row = machine.device.slm_banks * 4;
    assert_int_equal(slm_load(0), 16 * machine.device.slm_latency); /* one dword, broadcast */
    assert_int_equal(slm_load(4), 16 * machine.device.slm_latency);
    assert_int_equal(slm_load((unsigned)row + 4), 16 * machine.device.slm_latency); /* padded */
    assert_int_equal(slm_load((unsigned)row / 4), 16 * (machine.device.slm_latency + 1));
    assert_int_equal(slm_load((unsigned)row / 2), 16 * (machine.device.slm_latency + 3));
    assert_int_equal(slm_load((unsigned)row), 16 * (machine.device.slm_latency + 7));
    machine.walker.slm_bytes = 0;
}

/* Loads from the buffer, each waiting for the last one's reply. */
static uint64_t global_load(unsigned stride_bytes, const char *after)
{
    char before[512], body[512];

    snprintf(before, sizeof(before),
             "(W) mov (8|M0) r10.0<1>:w 0x76543210:v\n"
             "(W) mul (8|M0) r12.0<1>:d r10.0<8;8,1>:w %u:w {%s}\n",
             stride_bytes, INT_AT_1);
    snprintf(body, sizeof(body),
             "(W) send.dc1 (8|M0) r20 r12 null%s 0x0 0x02106E00 {%s,$1}\n"
             "sync.nop null {$1.dst}\n%s",
             is_hpg() ? ":0" : "", is_hpg() ? "A@1" : "@1", after);
    return sixteen(before, body) - 16; /* without the syncs */
}

static void test_lines_per_message(void **state)
{
    (void)state;
    const struct vesim_device *d = &machine.device;
    uint64_t hit = machine_hit_latency(&machine);
    assert_int_equal(global_load(4, ""), 16 * hit); /* one line */
    assert_int_equal(global_load(8, ""), 16 * hit); /* still one */
    assert_int_equal(global_load(16, ""), 16 * (hit + 1 / d->l1_ports * d->l1_line_interval));
    assert_int_equal(global_load(32, ""), 16 * (hit + 3 / d->l1_ports * d->l1_line_interval));
    assert_int_equal(global_load(64, ""), 16 * (hit + 7 / d->l1_ports * d->l1_line_interval));
}

static void test_fence_evicts_first_level(void **state)
{
    (void)state;
    const struct vesim_device *d = &machine.device;
    if (!is_hpg())
        skip();
    assert_int_equal(global_load(4, "(W) send.ugm (1|M0) r30 r0 null:0 0x0 0x0214171F {$2}\n"
                                    "sync.nop null {$2.dst}\n"),
                     16 * (d->l3_hit_latency + d->lsc_fence_latency + 1));
    /* without the flush the line stays */
    assert_int_equal(global_load(4, "(W) send.ugm (1|M0) r30 r0 null:0 0x0 0x0214031F {$2}\n"
                                    "sync.nop null {$2.dst}\n"),
                     16 * (d->l1_hit_latency + d->l1_lanes_latency + d->lsc_fence_latency + 1));
}

/* A barrier costs the gateway's latency after the last arrival, and arrivals queue there. */
static void test_barrier(void **state)
{
    (void)state;
    const char *body = "(W) send.gtwy (1|M0) null r0 null 0x0 0x02000004 {$1}\n"
                       "(W) sync.bar null\n";
    const char *hpg_body = "(W) send.gtwy (1|M0) null r0 null:0 0x0 0x02000004 {$1}\n"
                           "(W) sync.bar null\n";
    uint64_t latency = machine.device.barrier_latency, interval = machine.device.gateway_interval;
    machine.walker.barriers = 1;
    assert_int_equal(sixteen("", is_hpg() ? hpg_body : body), 16 * latency);
    for (uint32_t threads = 2; threads <= machine.device.ves_per_xe_core; threads *= 2) {
        machine.walker.threads_per_group = threads;
        assert_int_equal(sixteen("", is_hpg() ? hpg_body : body),
                         16 * (latency + (threads - 1) * interval));
    }
    machine.walker.threads_per_group = 1;
    machine.walker.barriers = 0;
}

static void test_runs_alike(void **state)
{
    (void)state;
    machine.walker.group_end[0] = 64;
    machine.walker.threads_per_group = 8;
    const char *body = "(W) add (16|M0) r20.0<1>:d r30.0<8;8,1>:d 1:w\n";
    uint64_t first = cycles_of("", body, 16);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(cycles_of("", body, 16), first);
    machine.walker.group_end[0] = 1;
    machine.walker.threads_per_group = 1;
}

static int create(void **state)
{
    (void)state;
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
        cmocka_unit_test(test_dependent_chain),
        cmocka_unit_test(test_independent_stream),
        cmocka_unit_test(test_narrow_elements),
        cmocka_unit_test(test_products),
        cmocka_unit_test(test_same_register),
        cmocka_unit_test(test_register_banks),
        cmocka_unit_test(test_gathered_source),
        cmocka_unit_test(test_release_of_operands),
        cmocka_unit_test(test_accumulator_forwarding),
        cmocka_unit_test(test_accumulators_apart),
        cmocka_unit_test(test_flags_apart),
        cmocka_unit_test(test_math),
        cmocka_unit_test(test_port_of_math),
        cmocka_unit_test(test_threads_hide_latency),
        cmocka_unit_test(test_slm_bank_conflicts),
        cmocka_unit_test(test_lines_per_message),
        cmocka_unit_test(test_fence_evicts_first_level),
        cmocka_unit_test(test_barrier),
        cmocka_unit_test(test_runs_alike),
    };
    return cmocka_run_group_tests_name("clock", tests, create, destroy);
}
