/* Caches, lines and banks as messages meet them: pointer chases, lines for each access pattern,
 * bank conflicts. Times are worked out by hand from the device's figures. */
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

static uint64_t counted(enum counter counter)
{
    return gpu_last_walk(machine.gpu)->counters[counter];
}

/* Runs `text` twice, the second time with its code in the instruction cache. */
static uint64_t warm_cycles(const char *text)
{
    machine_run_ok(&machine, text);
    assert_int_equal(machine_run(&machine), 0);
    return machine.cycles;
}

/* Time of `rounds` round the first `lines` lines, each load at the address that the last one gave.
 * The token makes a load wait for the one before. */
static uint64_t chase(unsigned lines, unsigned rounds)
{
    static char text[139000];
    int length = snprintf(text, sizeof(text), "(W) mov (8|M0) r12.0<1>:d 0:w\nsync.nop null {%s}\n",
                          is_hpg() ? "I@1" : "@1");

    for (unsigned i = 0; i < lines; i++)
        machine.data[i * 16] = i + 1 < lines ? (i + 1) * 64 : 0;
    for (unsigned i = 0; i < lines * rounds; i++)
        length += snprintf(text + length, sizeof(text) - (size_t)length,
                           "(W) send.dc1 (8|M0) r12 r12 null%s 0x0 0x02106E00 {$1}\n",
                           is_hpg() ? ":0" : "");
    assert_true((size_t)length < sizeof(text) - 1);
    return warm_cycles(text);
}

/* Cycles of one round more over `lines` lines, when as many as `misses` of them miss. */
static void expect_round(unsigned lines, uint64_t misses, uint64_t hit, uint64_t miss)
{
    assert_int_equal(chase(lines, 2) - chase(lines, 1), (lines - misses) * hit + misses * miss);
}

static void test_first_level_capacity(void **state)
{
    (void)state;
    machine_load(&machine, device);
    if (!machine.device.l1_bytes)
        skip();
    machine.device.l1_bytes = 16384; /* 256 lines, 16 sets */
    machine.device.l1_ways = 16;
    machine_finish(&machine);
    uint64_t hit = machine_hit_latency(&machine);
    uint64_t miss = machine.device.l3_hit_latency;
    expect_round(16, 0, hit, miss);
    expect_round(256, 0, hit, miss);
    expect_round(257, 17, hit, miss); /* one set has a line too many: all of its lines miss */
    expect_round(258, 34, hit, miss);
    expect_round(272, 272, hit, miss);
    machine_destroy(&machine);
}

static void test_last_level_capacity(void **state)
{
    (void)state;
    machine_load(&machine, device);
    machine.device.l1_bytes = machine.device.llc_bytes = 0;
    machine.device.l3_bytes = 65536; /* 1024 lines, 64 sets */
    machine.device.l3_ways = 16;
    machine_finish(&machine);
    uint64_t hit = machine.device.l3_hit_latency, miss = machine.device.memory_latency;
    expect_round(64, 0, hit, miss);
    expect_round(1024, 0, hit, miss);
    expect_round(1025, 17, hit, miss);
    expect_round(1088, 1088, hit, miss);
    machine_destroy(&machine);
}

/* Four pages of 64 lines: a fifth costs a walk for each page in each round. */
static void test_translation(void **state)
{
    (void)state;
    machine_load(&machine, device);
    machine.device.l1_bytes = 0;
    machine.device.tlb_entries = machine.device.tlb_ways = 4;
    machine.device.tlb_page_bytes = 4096;
    machine_finish(&machine);
    gpu_count(machine.gpu, true);
    uint64_t hit = machine.device.l3_hit_latency, walk = machine.device.tlb_miss_latency;
    expect_round(256, 0, hit, hit + walk);
    assert_int_equal(counted(COUNTER_tlb_misses), 0);
    expect_round(320, 5, hit, hit + walk);
    assert_int_equal(counted(COUNTER_tlb_misses), 5);
    machine_destroy(&machine);
}

/* In front of it, two pages: each that a round comes to is looked up behind. */
static void test_first_translation(void **state)
{
    (void)state;
    machine_load(&machine, device);
    machine.device.l1_bytes = 0;
    machine.device.tlb_entries = machine.device.tlb_ways = 4;
    machine.device.tlb_page_bytes = 4096;
    machine.device.l1_tlb_entries = 2;
    machine.device.l1_tlb_miss_latency = 70;
    machine_finish(&machine);
    uint64_t hit = machine.device.l3_hit_latency, walk = machine.device.tlb_miss_latency;
    expect_round(128, 0, hit, hit + 70);
    expect_round(192, 3, hit, hit + 70);
    expect_round(256, 4, hit, hit + 70);
    expect_round(320, 5, hit, hit + 70 + walk);
    machine_destroy(&machine);
}

static int create(void **state)
{
    (void)state;
    machine_create(&machine, device);
    gpu_count(machine.gpu, true);
    return 0;
}

static int destroy(void **state)
{
    (void)state;
    machine_destroy(&machine);
    return 0;
}

/* r10: 0 to 15 as words; the lanes' numbers. */
#define LANES_HPG                                                                                  \
    "(W) mov (8|M0) r10.0<1>:w 0x76543210:v\n"                                                     \
    "(W) add (8|M0) r10.8<1>:w r10.0<8;8,1>:w 8:w {I@1}\n"
#define LANES_LP                                                                                   \
    "(W) mov (8|M0) r10.0<1>:w 0x76543210:v\n"                                                     \
    "(W) add (8|M0) r10.8<1>:w r10.0<8;8,1>:w 8:w {@1}\n"

/* Sends a message with descriptor `send` from addresses lane * stride + first in r12 and r13, when
 * what it touches is in the cache. The cycles that a message more takes, with its wait. */
static uint64_t message(const char *send, unsigned lanes, unsigned stride, unsigned first)
{
    char text[4096];
    uint64_t cycles[2];

    for (unsigned count = 1; count <= 2; count++) {
        int length =
            snprintf(text, sizeof(text),
                     "%s(W) mul (%u|M0) r12.0<1>:d r10.0<8;8,1>:w %u:w {%s}\n"
                     "(W) add (%u|M0) r12.0<1>:d r12.0<8;8,1>:d %u:w {%s}\n"
                     "sync.nop null {%s}\n",
                     is_hpg() ? LANES_HPG : LANES_LP, lanes, stride, is_hpg() ? "I@1" : "@1", lanes,
                     first, is_hpg() ? "I@1" : "@1", is_hpg() ? "I@1" : "@1");

        for (unsigned i = 0; i < count; i++)
            length += snprintf(text + length, sizeof(text) - (size_t)length,
                               "(W) %s {$1}\nsync.nop null {$1.dst}\n", send);
        cycles[count - 1] = warm_cycles(text);
    }
    return cycles[1] - cycles[0] - 1; /* without the sync */
}

static void expect_lines(const char *hpg, const char *lp, unsigned lanes, unsigned stride,
                         unsigned first, unsigned lines)
{
    const struct vesim_device *d = &machine.device;
    uint64_t hit = machine_hit_latency(&machine);
    uint64_t cycles = message(is_hpg() ? hpg : lp, lanes, stride, first);

    assert_int_equal(counted(COUNTER_load_lines), 2 * lines);
    assert_int_equal(counted(COUNTER_load_messages), 2);
    assert_int_equal(cycles, hit + (lines - 1) / d->l1_ports * d->l1_line_interval);
}

#define SEND(rest_hpg, rest_lp) "send." rest_hpg, "send." rest_lp
#define LOAD_8                                                                                     \
    SEND("dc1 (8|M0) r20 r12 null:0 0x0 0x02106E00", "dc1 (8|M0) r20 r12 null 0x0 0x02106E00")
#define LOAD_16                                                                                    \
    SEND("dc1 (16|M0) r20 r12 null:0 0x0 0x04205E00", "dc1 (16|M0) r20 r12 null 0x0 0x04205E00")
#define LOAD_8X4                                                                                   \
    SEND("dc1 (8|M0) r20 r12 null:0 0x0 0x02406000", "dc1 (8|M0) r20 r12 null 0x0 0x02406000")
#define LOAD_16X2                                                                                  \
    SEND("dc1 (16|M0) r20 r12 null:0 0x0 0x04405C00", "dc1 (16|M0) r20 r12 null 0x0 0x04405C00")
#define LOAD_16X4                                                                                  \
    SEND("dc1 (16|M0) r20 r12 null:0 0x0 0x04805000", "dc1 (16|M0) r20 r12 null 0x0 0x04805000")

static void test_lines_of_a_stride(void **state)
{
    (void)state;
    expect_lines(LOAD_8, 8, 0, 0, 1); /* all lanes the same */
    expect_lines(LOAD_8, 8, 4, 0, 1);
    expect_lines(LOAD_8, 8, 4, 32, 1);
    expect_lines(LOAD_8, 8, 4, 36, 2); /* across the end of the line */
    expect_lines(LOAD_8, 8, 12, 0, 2);
    expect_lines(LOAD_8, 8, 16, 0, 2);
    expect_lines(LOAD_8, 8, 64, 0, 8);
    expect_lines(LOAD_16, 16, 4, 0, 1);
    expect_lines(LOAD_16, 16, 4, 4, 2);
    expect_lines(LOAD_16, 16, 8, 0, 2);
    expect_lines(LOAD_16, 16, 16, 0, 4);
    expect_lines(LOAD_16, 16, 32, 0, 8);
    expect_lines(LOAD_16, 16, 64, 0, 16);
    expect_lines(LOAD_16, 16, 256, 0, 16);
}

static void test_lines_of_vectors(void **state)
{
    (void)state;
    expect_lines(LOAD_8X4, 8, 16, 0, 2);
    expect_lines(LOAD_8X4, 8, 32, 0, 4);
    expect_lines(LOAD_8X4, 8, 64, 0, 8);
    expect_lines(LOAD_8X4, 8, 64, 56, 9);   /* each ends where the next begins */
    expect_lines(LOAD_8X4, 8, 128, 56, 16); /* each across the end of its line */
    expect_lines(LOAD_16X2, 16, 8, 0, 2);
    expect_lines(LOAD_16X4, 16, 16, 0, 4);
    expect_lines(LOAD_16X4, 16, 64, 0, 16);
}

/* A block: one address, here in the header's third dword and in owords. */
static void test_lines_of_a_block(void **state)
{
    const struct vesim_device *d = &machine.device;
    uint64_t hit = d->l1_bytes ? d->l1_hit_latency : d->l3_hit_latency;
    const char *send = is_hpg() ? "send.dc0 (8|M0) r20 r12 null:0 0x0 0x02480400"
                                : "send.dc0 (8|M0) r20 r12 null 0x0 0x02480400";

    (void)state;
    assert_int_equal(message(send, 8, 0, 0), hit + 1 / d->l1_ports * d->l1_line_interval);
    assert_int_equal(counted(COUNTER_load_lines), 2 * 2);
    assert_int_equal(counted(COUNTER_global_bytes), 2 * 128);
    assert_int_equal(message(send, 8, 0, 2), /* from byte 32 on */
                     hit + 2 / d->l1_ports * d->l1_line_interval);
    assert_int_equal(counted(COUNTER_load_lines), 2 * 3);
}

/* Lanes that go to lines in no order, some to the same: as many lines as there are different. */
static void test_lines_of_a_gather(void **state)
{
    const struct vesim_device *d = &machine.device;
    uint64_t hit = machine_hit_latency(&machine);

    (void)state;
    /* (lane * 5 % 8) * 64, then half of the lanes sent to the others' lines */
    for (unsigned mask = 7; mask; mask >>= 1) {
        char before[512], text[2048];
        uint64_t cycles[2];

        snprintf(before, sizeof(before),
                 "(W) mov (8|M0) r10.0<1>:w 0x76543210:v\n"
                 "(W) mul (8|M0) r12.0<1>:d r10.0<8;8,1>:w 5:w {%s}\n"
                 "(W) and (8|M0) r12.0<1>:d r12.0<8;8,1>:d %u:w {%s}\n"
                 "(W) shl (8|M0) r12.0<1>:d r12.0<8;8,1>:d 6:w {%s}\n"
                 "sync.nop null {%s}\n",
                 is_hpg() ? "I@1" : "@1", mask, is_hpg() ? "I@1" : "@1", is_hpg() ? "I@1" : "@1",
                 is_hpg() ? "I@1" : "@1");
        const char *send = is_hpg() ? "(W) send.dc1 (8|M0) r20 r12 null:0 0x0 0x02106E00 {$1}\n"
                                      "sync.nop null {$1.dst}\n"
                                    : "(W) send.dc1 (8|M0) r20 r12 null 0x0 0x02106E00 {$1}\n"
                                      "sync.nop null {$1.dst}\n";
        snprintf(text, sizeof(text), "%s%s", before, send);
        cycles[0] = warm_cycles(text);
        assert_int_equal(counted(COUNTER_load_lines), mask + 1);
        snprintf(text, sizeof(text), "%s%s%s", before, send, send);
        cycles[1] = warm_cycles(text);
        assert_int_equal(cycles[1] - cycles[0] - 1, hit + mask / d->l1_ports * d->l1_line_interval);
    }
}

/* The first `degree` of 16 lanes meet in bank 0, the others have a bank each. */
static void test_bank_conflicts(void **state)
{
    (void)state;
    machine.walker.slm_bytes = 65536;
    for (unsigned degree = 1; degree <= 16; degree++) {
        char text[4096];
        uint64_t cycles[2];
        const char *at1 = is_hpg() ? "I@1" : "@1";

        for (unsigned count = 1; count <= 2; count++) {
            int length =
                snprintf(text, sizeof(text),
                         "%s(W) mul (16|M0) r12.0<1>:d r10.0<8;8,1>:w %u:w {%s}\n"
                         "(W) mul (16|M0) r14.0<1>:d r10.0<8;8,1>:w 4:w {%s}\n"
                         "(W) cmp (16|M0) (lt)f0.0 null<1>:w r10.0<8;8,1>:w %u:w {%s}\n"
                         "(W&f0.0) sel (16|M0) r12.0<1>:d r12.0<8;8,1>:d r14.0<8;8,1>:d {%s}\n"
                         "sync.nop null {%s}\n",
                         is_hpg() ? LANES_HPG : LANES_LP, (unsigned)machine.device.slm_banks * 4,
                         at1, at1, degree, at1, at1, at1);

            for (unsigned i = 0; i < count; i++)
                length += snprintf(text + length, sizeof(text) - (size_t)length,
                                   "(W) send.dc1 (16|M0) r20 r12 null%s 0x0 0x04205EFE {$1}\n"
                                   "sync.nop null {$1.dst}\n",
                                   is_hpg() ? ":0" : "");
            cycles[count - 1] = warm_cycles(text);
        }
        assert_int_equal(cycles[1] - cycles[0] - 1, machine.device.slm_latency + degree - 1);
        assert_int_equal(counted(COUNTER_slm_messages), 2);
        /* without conflicts, two loads of 16 lanes fit into a cycle of 32 banks or more */
        assert_int_equal(counted(COUNTER_slm_busy_cycles), degree == 1 ? 1 : 2 * degree);
        assert_int_equal(counted(COUNTER_slm_conflict_cycles), 2 * (degree - 1));
    }
    machine.walker.slm_bytes = 0;
}

/* Two work-groups, each on an Xe-core of its own: the first one's first thread chases pointers
 * through the L3, the threads of the second load 16 lines with each of `messages` messages, all of
 * which began in one bank if banks were the low bits of a line's number. */
static uint64_t chase_beside(unsigned messages)
{
    static char text[65536];
    const char *at = is_hpg() ? "I@1" : "@1", *null = is_hpg() ? ":0" : "";
    unsigned step = (unsigned)machine.device.l3_banks * 64;
    int length = snprintf(text, sizeof(text),
                          "%s(W) mul (16|M0) r12.0<1>:d r10.0<8;8,1>:w %u:w {%s}\n"
                          "(W) mov (8|M0) r16.0<1>:d 0:w\n"
                          "(W) and (1|M0) r4.0<1>:ud r0.2<0;1,0>:ud 0xff:uw\n"
                          "(W) shl (1|M0) r4.1<1>:ud r4.0<0;1,0>:ud 16:w {%s}\n"
                          "(W) add (16|M0) r12.0<1>:d r12.0<8;8,1>:d r4.1<0;1,0>:d {%s}\n"
                          "(W) cmp (1|M0) (ne)f0.0 null<1>:d r0.1<0;1,0>:d 0:w\n"
                          "(W) cmp (1|M0) (ne)f1.0 null<1>:d r4.0<0;1,0>:d 0:w\n"
                          "sync.nop null {%s}\n"
                          "(W&f0.0) jmpi (1|M0) STREAM\n"
                          "(W&f1.0) jmpi (1|M0) END\n",
                          is_hpg() ? LANES_HPG : LANES_LP, step, at, at, at, at);

    for (unsigned i = 0; i < 64; i++)
        length += snprintf(text + length, sizeof(text) - (size_t)length,
                           "(W) send.dc1 (8|M0) r16 r16 null%s 0x0 0x02106E00 {$1}\n", null);
    length +=
        snprintf(text + length, sizeof(text) - (size_t)length, "(W) jmpi (1|M0) END\nSTREAM:\n");
    for (unsigned i = 0; i < messages; i++)
        length += snprintf(text + length, sizeof(text) - (size_t)length,
                           "(W) send.dc1 (16|M0) r%u r12 null%s 0x0 0x04205E00 {$%u}\n",
                           20 + 2 * (i % 8), null, i % 8);
    snprintf(text + length, sizeof(text) - (size_t)length, "END:\nsync.allwr null\n");
    return warm_cycles(text);
}

/* Streaming slows a chase on another Xe-core by no more than the banks' work: what the one has
 * asked for later than the other is served later. */
static void test_chase_beside_a_stream(void **state)
{
    (void)state;
    machine_load(&machine, device);
    machine.device.l1_bytes = 0;
    machine_finish(&machine);
    gpu_count(machine.gpu, true);
    for (unsigned i = 0; i < 64; i++)
        machine.data[(i * 37 % 64) * 64] = ((i + 1) * 37 % 64) * 256;
    machine.walker.simd_width = 16;
    machine.walker.execution_mask = 0xffff;
    machine.walker.threads_per_group = 16;
    machine.walker.group_end[0] = 2;
    machine.walker.local_size[0] = 256;
    uint64_t alone = chase_beside(0), beside = chase_beside(32);
    assert_int_equal(counted(COUNTER_load_lines), 64 + 16 * 32 * 16);
    assert_in_range(beside, alone, alone + alone / 10);
    machine_destroy(&machine);
}

/* An atomic increment of 16 lanes in one line: they take turns, on as many elements or on one. */
static void test_atomics_on_one_line(void **state)
{
    const struct vesim_device *d = &machine.device;
    const char *send = is_hpg() ? "send.dc1 (16|M0) r20 r12 null:0 0x0 0x0420A500"
                                : "send.dc1 (16|M0) r20 r12 null 0x0 0x0420A500";

    (void)state;
    assert_int_equal(message(send, 16, 4, 0), d->l3_hit_latency + 15 * d->atomic_interval);
    assert_int_equal(counted(COUNTER_atomic_lines), 2);
    assert_int_equal(message(send, 16, 0, 0), d->l3_hit_latency + 15 * d->atomic_interval);
    assert_int_equal(counted(COUNTER_atomic_lines), 2);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        device = argv[1];
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_first_level_capacity),
        cmocka_unit_test(test_last_level_capacity),
        cmocka_unit_test(test_translation),
        cmocka_unit_test(test_first_translation),
        cmocka_unit_test_setup_teardown(test_lines_of_a_stride, create, destroy),
        cmocka_unit_test_setup_teardown(test_lines_of_vectors, create, destroy),
        cmocka_unit_test_setup_teardown(test_lines_of_a_block, create, destroy),
        cmocka_unit_test_setup_teardown(test_lines_of_a_gather, create, destroy),
        cmocka_unit_test_setup_teardown(test_bank_conflicts, create, destroy),
        cmocka_unit_test(test_chase_beside_a_stream),
        cmocka_unit_test_setup_teardown(test_atomics_on_one_line, create, destroy),
    };
    return cmocka_run_group_tests_name("caches", tests, NULL, NULL);
}
