/* One walk on any number of host threads gives the same cycles, counters and memory, to the bit,
 * however the Xe-cores interact. */
#include <stdlib.h>
#include <string.h>

#include "kernel-text.h"
#include "machine.h"
#include "test.h"

static struct machine machine;
static const char *device = "a380";
static const unsigned host_threads[] = {1, 2, 3, 8};

enum { RUNS = 4, OWN = 0x10000, RESULTS = 0x80000 };

#define AT1  (machine.device.architecture == VESIM_XE_HPG ? "I@1" : "@1")
#define NONE (machine.device.architecture == VESIM_XE_HPG ? ":0" : "")
#define ONE  (machine.device.architecture == VESIM_XE_HPG ? ":1" : "")

static uint32_t cores(void)
{
    return (uint32_t)(machine.device.slices * machine.device.xe_cores_per_slice);
}

static void emit_beginning(uint32_t threads)
{
    emit_start();
    emit_addresses(AT1, threads, OWN);
    emit("sync.nop null {%s}\n", AT1);
}

static void emit_load(unsigned to, unsigned address, unsigned token)
{
    emit("(W) send.dc1 (8|M0) r%u r%u null%s 0x0 0x02106E00 {$%u}\n", to, address, NONE, token);
}

static void emit_store(unsigned address, unsigned data, unsigned token)
{
    emit("(W) send.dc1 (8|M0) null r%u r%u%s 0x0 0x02026E00 {$%u}\n", address, data, ONE, token);
}

/* An atomic add that returns the old value. */
static void emit_add(unsigned to, unsigned address, unsigned data, unsigned token)
{
    emit("(W) send.dc1 (8|M0) r%u r%u r%u%s 0x0 0x0210B700 {$%u}\n", to, address, data, ONE, token);
}

static void set_walk(uint32_t threads, uint32_t groups)
{
    machine.walker.threads_per_group = threads;
    machine.walker.group_end[0] = groups;
    machine.walker.barriers = 1;
}

/* What a run leaves. */
struct outcome {
    uint64_t cycles[2];
    struct counters counters;
    uint32_t *data;
    int status;
    struct vesim_fault fault;
};

static struct outcome run_with(unsigned threads, bool functional)
{
    struct outcome outcome = {.data = malloc(MACHINE_DATA_BYTES)};

    machine_create(&machine, device);
    gpu_use_threads(machine.gpu, threads);
    gpu_run_functional(machine.gpu, functional);
    gpu_count(machine.gpu, true);
    machine_assemble(&machine, emitted());
    return outcome;
}

/* Runs the emitted kernel twice on each number of host threads and returns the results. */
static void run_all(struct outcome outcomes[RUNS], uint32_t threads, uint32_t groups,
                    bool functional)
{
    for (unsigned i = 0; i < RUNS; i++) {
        struct outcome *outcome = &outcomes[i];

        *outcome = run_with(host_threads[i], functional);
        set_walk(threads, groups);
        for (unsigned j = 0; j < 2 && !outcome->status; j++) {
            outcome->status = machine_run(&machine);
            outcome->cycles[j] = machine.cycles;
        }
        outcome->counters = machine_counters(&machine);
        outcome->fault = machine.fault;
        assert_non_null(outcome->data);
        memcpy(outcome->data, machine.data, MACHINE_DATA_BYTES);
        machine_destroy(&machine);
    }
}

static void expect_the_same(struct outcome outcomes[RUNS])
{
    for (unsigned i = 1; i < RUNS; i++) {
        assert_int_equal(outcomes[i].status, outcomes[0].status);
        assert_string_equal(outcomes[i].fault.message, outcomes[0].fault.message);
        assert_memory_equal(outcomes[i].cycles, outcomes[0].cycles, sizeof(outcomes[0].cycles));
        assert_memory_equal(&outcomes[i].counters, &outcomes[0].counters,
                            sizeof(outcomes[0].counters));
        assert_memory_equal(outcomes[i].data, outcomes[0].data, MACHINE_DATA_BYTES);
    }
}

static void release(struct outcome outcomes[RUNS])
{
    for (unsigned i = 0; i < RUNS; i++)
        free(outcomes[i].data);
}

/* All threads add to, read and overwrite the same dwords, with more work-groups than fit. */
static void test_races(void **state)
{
    struct outcome outcomes[RUNS];

    (void)state;
    machine_load(&machine, device);
    const uint32_t threads = 32, groups = 5 * cores();
    emit_beginning(threads);
    emit("(W) add (8|M0) r16.0<1>:d r12.0<8;8,1>:d 0x400:w\n"
         "(W) mov (8|M0) r18.0<1>:d 1:w\n"
         "(W) mov (8|M0) r30.0<1>:d 0:w\n"
         "(W) mov (1|M0) r5.0<1>:d 3:w\n"
         "sync.nop null {%s}\n"
         "LOOP:\n",
         AT1);
    emit_add(20, 12, 18, 1);
    emit_load(22, 16, 2);
    emit("(W) add (8|M0) r24.0<1>:d r20.0<8;8,1>:d r8.0<8;8,1>:d {$1.dst}\n"
         "(W) add (8|M0) r30.0<1>:d r30.0<8;8,1>:d r22.0<8;8,1>:d {$2.dst}\n"
         "(W) add (8|M0) r30.0<1>:d r30.0<8;8,1>:d r24.0<8;8,1>:d {%s}\n"
         "sync.nop null {%s}\n",
         AT1, AT1);
    emit_store(16, 24, 3);
    emit_load(26, 12, 4);
    emit("(W) send.gtwy (1|M0) null r0 null%s 0x0 0x02000004 {$5}\n"
         "(W) sync.bar null\n"
         "(W) add (8|M0) r30.0<1>:d r30.0<8;8,1>:d r26.0<8;8,1>:d {$4.dst}\n"
         "sync.allrd null\n"
         "(W) add (1|M0) (gt)f0.0 r5.0<1>:d r5.0<0;1,0>:d -1:w {%s}\n"
         "(W&f0.0) jmpi (1|M0) LOOP\n",
         NONE, AT1);
    emit_store(14, 30, 6);
    run_all(outcomes, threads, groups, false);
    expect_the_same(outcomes);
    assert_int_equal(outcomes[0].status, 0);
    for (unsigned lane = 0; lane < 8; lane++)
        assert_int_equal(outcomes[0].data[lane], 2 * 3 * threads * groups);
    release(outcomes);
}

/* A thread sees its own stores at once, in the first level too, before other threads do: the
 * difference that it stores in the end is 0. Loads of the same line by others never see part of a
 * store. */
static void test_own_stores(void **state)
{
    struct outcome outcomes[RUNS];

    (void)state;
    machine_load(&machine, device);
    const uint32_t threads = 24, groups = 2 * cores();
    emit_beginning(threads);
    emit("(W) add (8|M0) r16.0<1>:d r14.0<8;8,1>:d 0x%x:ud\n"
         "(W) mov (8|M0) r30.0<1>:d 0:w\n"
         "(W) mov (1|M0) r5.0<1>:d 20:w\n"
         "sync.nop null {%s}\n",
         RESULTS - OWN, AT1);
    emit_load(20, 14, 1);
    emit("sync.nop null {$1.dst}\nLOOP:\n"
         "(W) add (8|M0) r22.0<1>:d r20.0<8;8,1>:d r8.0<8;8,1>:d {$1.dst}\n"
         "(W) add (8|M0) r22.0<1>:d r22.0<8;8,1>:d 1:w {%s}\n"
         "sync.nop null {%s}\n",
         AT1, AT1);
    emit_store(14, 22, 2);
    emit_load(20, 14, 1);
    emit("(W) add (8|M0) r24.0<1>:d r20.0<8;8,1>:d -r22.0<8;8,1>:d {$1.dst}\n"
         "(W) or (8|M0) r30.0<1>:d r30.0<8;8,1>:d r24.0<8;8,1>:d {%s}\n"
         "sync.allrd null\n"
         "(W) add (1|M0) (gt)f0.0 r5.0<1>:d r5.0<0;1,0>:d -1:w {%s}\n"
         "(W&f0.0) jmpi (1|M0) LOOP\n",
         AT1, AT1);
    emit_store(16, 30, 3);
    run_all(outcomes, threads, groups, false);
    expect_the_same(outcomes);
    for (uint32_t i = 0; i < threads * groups * 8; i++) {
        assert_int_equal(outcomes[0].data[OWN / 4 + i], 2 * 20 * (i / 8 + 1));
        assert_int_equal(outcomes[0].data[RESULTS / 4 + i], 0);
    }
    release(outcomes);
}

/* A fence and a barrier between a store and a load of what a neighbour has stored. */
static void test_fences(void **state)
{
    struct outcome outcomes[RUNS];

    (void)state;
    machine_load(&machine, device);
    const uint32_t threads = 16, groups = 3 * cores();
    emit_beginning(threads);
    emit("(W) mul (1|M0) r4.4<1>:d r0.1<0;1,0>:d %u:w\n"
         "(W) add (1|M0) r4.5<1>:d r4.0<0;1,0>:d 1:w\n"
         "(W) and (1|M0) r4.5<1>:d r4.5<0;1,0>:d %u:w {%s}\n"
         "(W) shl (1|M0) r4.5<1>:d r4.5<0;1,0>:d 5:w {%s}\n"
         "(W) add (8|M0) r16.0<1>:d r12.0<8;8,1>:d r4.4<0;1,0>:d\n"
         "(W) add (8|M0) r16.0<1>:d r16.0<8;8,1>:d r4.5<0;1,0>:d {%s}\n"
         "(W) add (8|M0) r16.0<1>:d r16.0<8;8,1>:d 0x%x:ud {%s}\n"
         "(W) add (8|M0) r18.0<1>:d r14.0<8;8,1>:d 0x%x:ud\n"
         "sync.nop null {%s}\n",
         threads * 32, threads - 1, AT1, AT1, AT1, OWN, AT1, RESULTS - OWN, AT1);
    emit_load(20, 16, 1); /* the neighbour's line into the first level, as it was */
    emit("sync.nop null {$1.dst}\n");
    emit_store(14, 8, 2);
    emit("(W) send.dc0 (8|M0) r28 r0 null%s 0x0 0x0219E100 {$3}\n" /* evicts */
         "sync.nop null {$3.dst}\n"
         "(W) send.gtwy (1|M0) null r0 null%s 0x0 0x02000004 {$4}\n"
         "(W) sync.bar null\n",
         NONE, NONE);
    emit_load(22, 16, 5);
    emit("sync.nop null {$5.dst}\n");
    emit_store(18, 22, 6);
    run_all(outcomes, threads, groups, false);
    expect_the_same(outcomes);
    for (uint32_t i = 0; i < threads * groups; i++)
        assert_int_equal(outcomes[0].data[RESULTS / 4 + 8 * i],
                         i / threads * threads + (i + 1) % threads);
    release(outcomes);
}

/* Threads all over the device store to unmapped memory: the first one by the clock is named. */
static void test_faults(void **state)
{
    struct outcome outcomes[RUNS];

    (void)state;
    machine_load(&machine, device);
    emit_beginning(16);
    emit("(W) mov (8|M0) r30.0<1>:uq 0:w\n"
         "(W) shl (4|M0) r30.0<1>:uq r8.0<0;1,0>:ud 16:w\n"
         "(W) shl (4|M0) r31.0<1>:uq r8.0<0;1,0>:ud 16:w\n"
         "sync.nop null {%s}\n"
         "(W) send.dc1 (8|M0) r20 r30 null%s 0x0 0x04145E00 {$1}\n" /* A64 */
         "sync.nop null {$1.dst}\n",
         AT1, NONE);
    run_all(outcomes, 16, 4 * cores(), false);
    expect_the_same(outcomes);
    assert_true(outcomes[0].status < 0);
    assert_non_null(strstr(outcomes[0].fault.message, "unmapped address"));
    release(outcomes);
}

/* Without the clock, the order of work-groups is free, and so are results that depend on it; sums
 * do not. */
static void test_functional(void **state)
{
    struct outcome outcomes[RUNS];

    (void)state;
    machine_load(&machine, device);
    const uint32_t threads = 16, groups = 12 * cores();
    emit_beginning(threads);
    emit("(W) mov (8|M0) r18.0<1>:d 3:w\n"
         "(W) mov (1|M0) r5.0<1>:d 20:w\n"
         "LOOP:\n");
    emit_add(20, 12, 18, 1);
    emit("(W) send.gtwy (1|M0) null r0 null%s 0x0 0x02000004 {$5}\n"
         "(W) sync.bar null\n"
         "(W) add (1|M0) (gt)f0.0 r5.0<1>:d r5.0<0;1,0>:d -1:w {%s}\n"
         "(W&f0.0) jmpi (1|M0) LOOP\n",
         NONE, AT1);
    emit_store(14, 8, 6);
    run_all(outcomes, threads, groups, true);
    for (unsigned i = 0; i < RUNS; i++) {
        assert_int_equal(outcomes[i].status, 0);
        assert_int_equal(outcomes[i].cycles[1], outcomes[0].cycles[1]);
        assert_int_equal(outcomes[i].data[7], 2 * 3 * 20 * threads * groups);
        assert_memory_equal(outcomes[i].data, outcomes[0].data, MACHINE_DATA_BYTES);
    }
    release(outcomes);
}

/* Work-groups that wait for one another: each until all other resident ones have arrived. If
 * `meets`, threads of a work-group give way to one another in the meantime. */
static void wait_for_others(uint32_t threads, bool meets, bool functional)
{
    struct outcome outcomes[RUNS];

    machine_load(&machine, device);
    const uint32_t groups = 4 * cores();
    emit_beginning(threads);
    emit("(W) mov (8|M0) r18.0<1>:d 0:w\n"
         "(W) mov (1|M0) r18.0<1>:d 1:w {%s}\n"
         "sync.nop null {%s}\n",
         AT1, AT1);
    emit_add(20, 12, 18, 1);
    emit("(W) mov (8|M0) r18.0<1>:d 0:w {$1.dst}\n"
         "sync.nop null {%s}\n"
         "LOOP:\n",
         AT1);
    if (meets)
        emit("(W) send.gtwy (1|M0) null r0 null%s 0x0 0x02000004 {$5}\n"
             "(W) sync.bar null\n",
             NONE);
    emit_add(20, 12, 18, 1);
    emit("(W) cmp (1|M0) (lt)f0.0 null<1>:d r20.0<0;1,0>:d %u:w {$1.dst}\n"
         "(W&f0.0) jmpi (1|M0) LOOP\n",
         groups * threads);
    run_all(outcomes, threads, groups, functional);
    for (unsigned i = 0; i < RUNS; i++)
        assert_int_equal(outcomes[i].data[0], 2 * groups * threads);
    if (!functional)
        expect_the_same(outcomes);
    release(outcomes);
}

static void test_waiting_for_others(void **state)
{
    (void)state;
    for (unsigned functional = 0; functional < 2; functional++) {
        wait_for_others(1, false, functional);
        wait_for_others(2, true, functional);
    }
}

int main(int argc, char **argv)
{
    if (argc > 1)
        device = argv[1];
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_races),      cmocka_unit_test(test_own_stores),
        cmocka_unit_test(test_fences),     cmocka_unit_test(test_faults),
        cmocka_unit_test(test_functional), cmocka_unit_test(test_waiting_for_others),
    };
    return cmocka_run_group_tests_name("parallel", tests, NULL, NULL);
}
