/* The counters: what short programs must give, and the sums that hold for any. */
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

#define INT_AT_1 (is_hpg() ? "I@1" : "@1")

static uint64_t value(enum counter counter)
{
    return gpu_last_walk(machine.gpu)->counters[counter];
}

static uint64_t instructions(void)
{
    return value(COUNTER_float_instructions) + value(COUNTER_integer_instructions) +
           value(COUNTER_long_instructions) + value(COUNTER_math_instructions) +
           value(COUNTER_systolic_instructions) + value(COUNTER_send_instructions) +
           value(COUNTER_control_instructions);
}

/* What holds for every walk. */
static void expect_sums(void)
{
    const struct vesim_device *d = &machine.device;
    const struct vesim_walk *walk = gpu_last_walk(machine.gpu);
    uint64_t ves = d->slices * d->xe_cores_per_slice * d->ves_per_xe_core;

    assert_int_equal(value(COUNTER_ve_cycles), ves * machine.cycles);
    assert_int_equal(value(COUNTER_issue_cycles) + value(COUNTER_distance_stall_cycles) +
                         value(COUNTER_token_stall_cycles) + value(COUNTER_register_stall_cycles) +
                         value(COUNTER_pipe_stall_cycles) + value(COUNTER_send_stall_cycles) +
                         value(COUNTER_barrier_stall_cycles) + value(COUNTER_branch_stall_cycles) +
                         value(COUNTER_supply_stall_cycles) + value(COUNTER_idle_cycles),
                     value(COUNTER_ve_cycles));
    assert_int_equal(value(COUNTER_load_messages) + value(COUNTER_store_messages) +
                         value(COUNTER_atomic_messages) + value(COUNTER_fence_messages) +
                         value(COUNTER_barrier_messages) + value(COUNTER_end_messages),
                     value(COUNTER_send_instructions));
    assert_int_equal(value(COUNTER_load_lines) + value(COUNTER_store_lines) +
                         value(COUNTER_atomic_lines),
                     value(COUNTER_l1_hit_lines) + value(COUNTER_l3_hit_lines) +
                         value(COUNTER_memory_lines) + value(COUNTER_allocated_lines));
    assert_int_equal(value(COUNTER_end_messages), walk->threads);
    assert_true(value(COUNTER_issue_cycles) <= instructions());
    assert_true(value(COUNTER_slm_conflict_cycles) <= value(COUNTER_slm_busy_cycles));
    assert_int_equal(walk->end - walk->start, machine.cycles);
    assert_true(walk->peak_threads <= walk->thread_slots && walk->peak_threads <= walk->threads);
    assert_true(walk->first_start >= walk->start && walk->last_end <= walk->end);
    assert_true(value(COUNTER_thread_cycles) <=
                walk->peak_threads * (walk->last_end - walk->first_start));
}

/* The counters that 16 more repetitions of `body` add, with the code in the cache. */
static struct counters sixteen(const char *body)
{
    static char text[65536];
    struct counters counters[2];

    for (unsigned i = 0; i < 2; i++) {
        int length = 0;

        for (unsigned j = 0; j < 16 * (i + 1); j++)
            length += snprintf(text + length, sizeof(text) - (size_t)length, "%s", body);
        machine_run_ok(&machine, text);
        expect_sums();
        assert_int_equal(machine_run(&machine), 0);
        expect_sums();
        counters[i] = machine_counters(&machine);
    }
    for (unsigned i = 0; i < COUNTER_COUNT; i++)
        counters[1].value[i] -= counters[0].value[i];
    return counters[1];
}

struct expectation {
    enum counter counter;
    uint64_t each; /* for one repetition */
};

/* Each repetition takes `cycles` and adds what is listed, and nothing to the other stalls. */
static void expect(const char *body, uint64_t cycles, const struct expectation *list)
{
    struct counters added = sixteen(body);
    uint64_t ves =
        machine.device.slices * machine.device.xe_cores_per_slice * machine.device.ves_per_xe_core;

    assert_int_equal(added.value[COUNTER_ve_cycles], 16 * cycles * ves);
    for (enum counter i = COUNTER_issue_cycles; i < COUNTER_idle_cycles; i++) {
        uint64_t each = 0;

        for (const struct expectation *e = list; e->each; e++)
            each += e->counter == i ? e->each : 0;
        if (added.value[i] != 16 * each)
            fail_msg("counter %u: %llu, not %llu, of\n%s", i, (unsigned long long)added.value[i],
                     (unsigned long long)(16 * each), body);
    }
    for (const struct expectation *e = list; e->each; e++)
        assert_int_equal(added.value[e->counter], 16 * e->each);
    assert_int_equal(added.value[COUNTER_idle_cycles], 16 * cycles * (ves - 1)); /* one works */
    assert_int_equal(added.value[COUNTER_thread_cycles], 16 * cycles);
}

#define LIST(...) ((const struct expectation[]){__VA_ARGS__, {COUNTER_COUNT, 0}})

static void test_reasons(void **state)
{
    const struct vesim_device *d = &machine.device;
    char body[512];

    (void)state;
    snprintf(body, sizeof(body), "(W) add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 1:w {%s}\n", INT_AT_1);
    expect(body, d->fpu_latency,
           LIST({COUNTER_integer_instructions, 1}, {COUNTER_issue_cycles, 1},
                {COUNTER_distance_stall_cycles, d->fpu_latency - 1}));
    expect("(W) add (16|M0) r20.0<1>:f r30.0<8;8,1>:f r32.0<8;8,1>:f\n", 16 / d->lanes_32bit,
           LIST({COUNTER_float_instructions, 1}, {COUNTER_issue_cycles, 1},
                {COUNTER_pipe_stall_cycles, 16 / d->lanes_32bit - 1}));
    expect("(W) add (8|M0) acc0.0<1>:f acc0.0<8;8,1>:f r21.0<8;8,1>:f\n", d->accumulator_latency,
           LIST({COUNTER_float_instructions, 1}, {COUNTER_issue_cycles, 1},
                {COUNTER_register_stall_cycles, d->accumulator_latency - 1}));
    expect("(W) math.sqt (8|M0) r20.0<1>:f r20.0<8;8,1>:f {$1}\nsync.nop null {$1.dst}\n",
           d->math_latency + 1,
           LIST({COUNTER_math_instructions, 1}, {COUNTER_control_instructions, 1},
                {COUNTER_issue_cycles, 2}, {COUNTER_token_stall_cycles, d->math_latency - 1}));
}

static void test_messages(void **state)
{
    const struct vesim_device *d = &machine.device;
    char body[512];

    (void)state;
    machine.walker.slm_bytes = 4096;
    machine.walker.barriers = 1;
    snprintf(body, sizeof(body),
             "(W) send.dc1 (8|M0) r20 r12 null%s 0x0 0x02106EFE {$1}\nsync.nop null {$1.dst}\n",
             is_hpg() ? ":0" : "");
    expect(body, d->slm_latency + 1,
           LIST({COUNTER_send_instructions, 1}, {COUNTER_load_messages, 1},
                {COUNTER_slm_messages, 1}, {COUNTER_slm_bytes, 32},
                {COUNTER_control_instructions, 1}, {COUNTER_issue_cycles, 2},
                {COUNTER_token_stall_cycles, d->slm_latency - 1}));
    /* each takes 16 banks, of which a cycle serves all */
    assert_int_equal(sixteen(body).value[COUNTER_slm_busy_cycles], 16 * 16 / d->slm_banks);
    /* no result is waited for, but a vector engine sends one message at a time */
    snprintf(body, sizeof(body), "(W) send.dc1 (8|M0) r20 r12 null%s 0x0 0x02106EFE\n",
             is_hpg() ? ":0" : "");
    expect(body, d->send_arbitration,
           LIST({COUNTER_send_instructions, 1}, {COUNTER_issue_cycles, 1},
                {COUNTER_send_stall_cycles, d->send_arbitration - 1}));
    snprintf(body, sizeof(body),
             "(W) send.gtwy (1|M0) null r0 null%s 0x0 0x02000004\n(W) sync.bar null\n",
             is_hpg() ? ":0" : "");
    expect(body, d->barrier_latency,
           LIST({COUNTER_send_instructions, 1}, {COUNTER_barrier_messages, 1},
                {COUNTER_control_instructions, 1}, {COUNTER_issue_cycles, 2},
                {COUNTER_barrier_stall_cycles, d->barrier_latency - 2}));
    snprintf(body, sizeof(body),
             "(W) send.dc1 (8|M0) r20 r12 null%s 0x0 0x02106E00 {$1}\nsync.nop null {$1.dst}\n",
             is_hpg() ? ":0" : "");
    expect(body, machine_hit_latency(&machine) + 1,
           LIST({COUNTER_send_instructions, 1}, {COUNTER_load_messages, 1}, {COUNTER_load_lines, 1},
                {d->l1_bytes ? COUNTER_l1_hit_lines : COUNTER_l3_hit_lines, 1},
                {COUNTER_global_bytes, 32}, {COUNTER_control_instructions, 1},
                {COUNTER_issue_cycles, 2},
                {COUNTER_token_stall_cycles, machine_hit_latency(&machine) - 1}));
    machine.walker.slm_bytes = machine.walker.barriers = 0;
}

static void test_branches(void **state)
{
    const struct vesim_device *d = &machine.device;
    uint64_t cycles[2], stalls[2];

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        char text[1024];

        snprintf(text, sizeof(text),
                 "(W) mov (1|M0) r20.0<1>:d %d:w\n"
                 "LOOP:\n"
                 "(W) add (1|M0) (gt)f0.0 r20.0<1>:d r20.0<0;1,0>:d -1:w {%s}\n"
                 "(W&f0.0) jmpi (1|M0) LOOP\n",
                 i ? 18 : 2, INT_AT_1);
        machine_run_ok(&machine, text);
        assert_int_equal(machine_run(&machine), 0);
        expect_sums();
        cycles[i] = machine.cycles;
        stalls[i] = value(COUNTER_branch_stall_cycles);
    }
    assert_int_equal(stalls[1] - stalls[0], 16 * (d->branch_latency - 1));
    assert_int_equal(cycles[1] - cycles[0], 16 * (d->arf_latency + d->branch_latency));
}

static void test_instruction_supply(void **state)
{
    (void)state;
    machine_assemble(&machine, "(W) mov (8|M0) r20.0<1>:d 5:w\n");
    memset(machine.data, 0, 64);
    machine.walker.kernel_address += 0x8000; /* code that the cache has not seen */
    memcpy(machine.code + 0x8000, machine.code, 0x1000);
    assert_int_equal(machine_run(&machine), 0);
    expect_sums();
    assert_int_equal(value(COUNTER_supply_stall_cycles), machine.device.instruction_miss);
    assert_int_equal(machine_run(&machine), 0);
    assert_int_equal(value(COUNTER_supply_stall_cycles), 0);
    gpu_cache_control(machine.gpu, GPU_INVALIDATE_DATA, 0);
    assert_int_equal(machine_run(&machine), 0);
    assert_int_equal(value(COUNTER_supply_stall_cycles), 0);
    gpu_cache_control(machine.gpu, GPU_INVALIDATE_CODE, 0);
    assert_int_equal(machine_run(&machine), 0);
    assert_int_equal(value(COUNTER_supply_stall_cycles), machine.device.instruction_miss);
    machine.walker.kernel_address -= 0x8000;
}

/* A bit of everything, with more work-groups than fit. */
static void test_sums_of_a_crowd(void **state)
{
    char text[4096];
    const char *null_source = is_hpg() ? ":0" : "";

    (void)state;
    snprintf(text, sizeof(text),
             "(W) mov (8|M0) r12.0<1>:w 0x76543210:v\n"
             "(W) mul (8|M0) r14.0<1>:d r12.0<8;8,1>:w 128:w {%s}\n"
             "(W) shl (1|M0) r15.0<1>:ud r0.1<0;1,0>:ud 10:w\n"
             "(W) add (8|M0) r16.0<1>:d r14.0<8;8,1>:d r15.0<0;1,0>:d {%s}\n"
             "(W) mov (1|M0) r20.0<1>:d 5:w\n"
             "sync.nop null {%s}\n"
             "LOOP:\n"
             "(W) send.dc1 (8|M0) r30 r14 null%s 0x0 0x02106EFE {$1}\n"
             "(W) send.dc1 (8|M0) r32 r16 null%s 0x0 0x02106E00 {$2}\n"
             "(W) math.sqt (8|M0) r34.0<1>:f r34.0<8;8,1>:f {$3}\n"
             "sync.allwr null\n"
             "(W) send.dc1 (8|M0) null r16 r32%s 0x0 %s {$4}\n"
             "(W) send.gtwy (1|M0) null r0 null%s 0x0 0x02000004 {$5}\n"
             "(W) sync.bar null\n"
             "(W) add (1|M0) (gt)f0.0 r20.0<1>:d r20.0<0;1,0>:d -1:w {%s}\n"
             "(W&f0.0) jmpi (1|M0) LOOP\n",
             INT_AT_1, INT_AT_1, INT_AT_1, null_source, null_source, is_hpg() ? ":1" : "",
             is_hpg() ? "0x02026E00" : "0x02026E00", null_source, INT_AT_1);
    machine_assemble(&machine, text);
    machine.walker.slm_bytes = 16384;
    machine.walker.barriers = 1;
    for (uint32_t threads = 1; threads <= 40; threads += 13) {
        machine.walker.threads_per_group = threads;
        machine.walker.group_end[0] = 150;
        if (machine_run(&machine))
            fail_msg("%s", machine.fault.message);
        expect_sums();
        assert_int_equal(value(COUNTER_barrier_messages), 150 * threads * 5);
        assert_int_equal(value(COUNTER_load_messages), 2 * 150 * threads * 5);
        assert_true(value(COUNTER_barrier_stall_cycles) > 0);
        assert_true(value(COUNTER_branch_stall_cycles) > 0);
        assert_true(value(COUNTER_token_stall_cycles) > 0);
    }
}

/* Counting changes no time. */
static void test_time_is_the_same(void **state)
{
    uint64_t cycles[2];

    (void)state;
    machine.walker.group_end[0] = 20;
    machine.walker.threads_per_group = 9;
    machine_assemble(&machine, "(W) add (16|M0) r20.0<1>:f r30.0<8;8,1>:f r32.0<8;8,1>:f\n");
    for (unsigned i = 0; i < 3; i++) {
        gpu_count(machine.gpu, i == 2);
        assert_int_equal(machine_run(&machine), 0);
        cycles[i % 2] = machine.cycles;
    }
    assert_int_equal(cycles[0], cycles[1]);
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

int main(int argc, char **argv)
{
    if (argc > 1)
        device = argv[1];
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_reasons, create, destroy),
        cmocka_unit_test_setup_teardown(test_messages, create, destroy),
        cmocka_unit_test_setup_teardown(test_branches, create, destroy),
        cmocka_unit_test_setup_teardown(test_instruction_supply, create, destroy),
        cmocka_unit_test_setup_teardown(test_sums_of_a_crowd, create, destroy),
        cmocka_unit_test_setup_teardown(test_time_is_the_same, create, destroy),
    };
    return cmocka_run_group_tests_name("counters", tests, NULL, NULL);
}
