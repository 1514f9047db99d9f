/* Dispatch, occupancy and barriers: how fast threads and work-groups start, and how many an
 * Xe-core holds. */
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

static uint64_t warm_cycles(void)
{
    assert_int_equal(machine_run(&machine), 0); /* fetches the code in every Xe-core */
    assert_int_equal(machine_run(&machine), 0);
    return machine.cycles;
}

static uint64_t cycles_with(uint32_t groups, uint32_t threads)
{
    machine.walker.group_end[0] = groups;
    machine.walker.threads_per_group = threads;
    return warm_cycles();
}

static uint32_t peak_with(uint32_t groups, uint32_t threads)
{
    cycles_with(groups, threads);
    return gpu_last_walk(machine.gpu)->peak_threads;
}

static uint32_t cores(void)
{
    return (uint32_t)(machine.device.slices * machine.device.xe_cores_per_slice);
}

static void test_thread_rate(void **state)
{
    const struct vesim_device *d = &machine.device;

    (void)state;
    machine_assemble(&machine, "");
    uint64_t one = cycles_with(1, 1);
    for (uint32_t threads = 2; threads <= d->ves_per_xe_core; threads++)
        assert_int_equal(cycles_with(1, threads) - one,
                         (threads - 1) * d->thread_dispatch_interval);
}

static void test_group_rate(void **state)
{
    const struct vesim_device *d = &machine.device;

    (void)state;
    machine_assemble(&machine, "");
    uint64_t one = cycles_with(1, 1);
    for (uint32_t groups = 2; groups <= cores(); groups++) /* each on an Xe-core of its own */
        assert_int_equal(cycles_with(groups, 1) - one, (groups - 1) * d->group_dispatch_interval);
}

/* Threads that stay for a while, so that all that fit are resident together. */
static void assemble_long_work(void)
{
    char text[8192] = "";
    int length = 0;

    for (unsigned i = 0; i < 128; i++)
        length += snprintf(text + length, sizeof(text) - (size_t)length,
                           "(W) math.sqt (8|M0) r20.0<1>:f r20.0<8;8,1>:f {$1}\n");
    machine_assemble(&machine, text);
}

static void test_occupancy_by_threads(void **state)
{
    const struct vesim_device *d = &machine.device;
    uint32_t slots = (uint32_t)(d->ves_per_xe_core * d->threads_per_ve);

    (void)state;
    assemble_long_work();
    uint32_t fit = slots / 24; /* work-groups of 24 threads in an Xe-core */
    assert_int_equal(peak_with(1, 24), 24);
    assert_int_equal(peak_with(fit * cores(), 24), fit * cores() * 24);
    /* one more starts when the first has ended, and does its work after that one's */
    uint64_t one = cycles_with(1, 24), work = 128 * d->math_latency;
    assert_true(one > work);
    assert_true(cycles_with(fit * cores() + 1, 24) > one + work);
    assert_int_equal(peak_with(3 * cores(), slots), cores() * slots); /* one each */
    machine.walker.threads_per_ve = 4;                                /* as with large GRF */
    assert_int_equal(peak_with(9 * cores(), 16), cores() * 4 * d->ves_per_xe_core);
    machine.walker.threads_per_ve = 0;
}

/* A work-group that finds no room starts when the dispatcher has learned of an end, and then takes
 * as long as the one that ended. */
static void test_retirement(void **state)
{
    const struct vesim_device *d = &machine.device;
    uint32_t slots = (uint32_t)(d->ves_per_xe_core * d->threads_per_ve);

    (void)state;
    assemble_long_work();
    uint64_t one = cycles_with(1, slots), outside = d->dispatch_latency + d->retire_latency;
    assert_int_equal(cycles_with(cores() + 1, slots) - outside,
                     2 * (one - outside) + d->group_retire_latency);
    assert_int_equal(cycles_with(2 * cores(), slots) - outside,
                     2 * (one - outside) + d->group_retire_latency +
                         (cores() - 1) * d->group_dispatch_interval);
}

static void test_occupancy_by_slm(void **state)
{
    (void)state;
    assemble_long_work();
    machine.walker.slm_bytes = 65536;
    uint32_t fit = (uint32_t)machine.device.slm_bytes_per_xe_core / 65536;
    assert_int_equal(peak_with(5 * cores(), 4), fit * cores() * 4);
    machine.walker.slm_bytes = 32768;
    assert_int_equal(peak_with(7 * cores(), 4), 2 * fit * cores() * 4);
    /* the second batch starts when the first has ended */
    uint64_t one_lot = cycles_with(2 * fit, 4), two_lots = cycles_with(2 * fit * cores() + 1, 4);
    assert_true(two_lots > one_lot);
    machine.walker.slm_bytes = 0;
}

static void test_occupancy_by_barriers(void **state)
{
    (void)state;
    assemble_long_work();
    machine.walker.barriers = 1;
    assert_int_equal(peak_with(3 * 32 * cores(), 1), machine.device.barriers_per_xe_core * cores());
    machine.walker.barriers = 0;
    assert_true(peak_with(3 * 32 * cores(), 1) > machine.device.barriers_per_xe_core * cores());
}

/* As many work-groups as Xe-cores, with a thread for each engine, which they keep busy: where they
 * come in batches, one Xe-core has a batch to do and others have nothing. */
static void test_batch(void **state)
{
    enum { INSTRUCTIONS = 768 };
    static char text[INSTRUCTIONS * 64];
    const struct vesim_device *d = &machine.device;
    const uint32_t threads = (uint32_t)d->ves_per_xe_core;
    const uint64_t work = INSTRUCTIONS * 16 / d->lanes_32bit;
    int length = 0;

    (void)state;
    for (unsigned i = 0; i < INSTRUCTIONS; i++)
        length += snprintf(text + length, sizeof(text) - (size_t)length,
                           "(W) add (16|M0) r20.0<1>:f r30.0<8;8,1>:f r40.0<8;8,1>:f\n");
    machine_assemble(&machine, text);
    for (uint32_t batch = 1; batch <= 4; batch *= 2) {
        machine.device.group_batch = batch;
        uint64_t inside = cycles_with(cores(), threads) - d->dispatch_latency - d->retire_latency;
        assert_int_equal(inside / work, batch < cores() ? batch : cores());
    }
    machine.device.group_batch = 1000; /* no more than it has room for */
    assert_int_equal(peak_with(2 * cores(), (uint32_t)d->threads_per_ve * threads),
                     cores() * d->threads_per_ve * threads);
    machine.device.group_batch = 1;
}

/* Rounds of signal and wait. All threads of the group signal as soon as they are released: the
 * gateway takes them one after another, and the last arrival starts the latency. Vector engines
 * send one message per send_arbitration, together more than the gateway takes. */
static uint64_t barrier_round(void)
{
    char text[8192];
    uint64_t cycles[2];

    for (unsigned i = 0; i < 2; i++) {
        int length = 0;

        for (unsigned j = 0; j < 16 * (i + 1); j++)
            length += snprintf(text + length, sizeof(text) - (size_t)length,
                               "(W) send.gtwy (1|M0) null r0 null%s 0x0 0x02000004 {$1}\n"
                               "(W) sync.bar null\n",
                               is_hpg() ? ":0" : "");
        machine_assemble(&machine, text);
        cycles[i] = warm_cycles();
    }
    return cycles[1] - cycles[0];
}

static void test_barrier_of_1_to_64_threads(void **state)
{
    const struct vesim_device *d = &machine.device;

    (void)state;
    machine.walker.barriers = 1;
    machine.walker.group_end[0] = 1;
    for (uint32_t threads = 1; threads <= 64; threads++) {
        machine.walker.threads_per_group = threads;
        /* while the first 16 signals pass, the engines send their next ones */
        assert_true(d->ves_per_xe_core * d->gateway_interval >= d->send_arbitration);
        assert_int_equal(barrier_round(),
                         16 * (d->barrier_latency + (threads - 1) * d->gateway_interval));
    }
    machine.walker.barriers = 0;
}

/* 32 lanes of words take the integer pipe for as many cycles as they are native widths. */
static void test_simd32_occupancy(void **state)
{
    const struct vesim_device *d = &machine.device;
    static char text[8192];

    (void)state;
    machine.walker.group_end[0] = machine.walker.threads_per_group = 1;
    for (unsigned lanes = 8; lanes <= 32; lanes *= 2) {
        uint64_t cycles[2];

        for (unsigned i = 0; i < 2; i++) {
            int length = 0;

            for (unsigned j = 0; j < 16 * (i + 1); j++)
                length += snprintf(text + length, sizeof(text) - (size_t)length,
                                   "(W) add (%u|M0) r20.0<1>:w r30.0<8;8,1>:w 1:w\n", lanes);
            machine_assemble(&machine, text);
            cycles[i] = warm_cycles();
        }
        uint64_t each = (lanes + d->lanes_16bit_integer - 1) / d->lanes_16bit_integer;
        assert_int_equal(cycles[1] - cycles[0], 16 * each);
        const struct counters counters = machine_counters(&machine);
        assert_true(counters.value[COUNTER_pipe_stall_cycles] >= 31 * (each - 1));
    }
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
        cmocka_unit_test(test_thread_rate),
        cmocka_unit_test(test_group_rate),
        cmocka_unit_test(test_occupancy_by_threads),
        cmocka_unit_test(test_retirement),
        cmocka_unit_test(test_occupancy_by_slm),
        cmocka_unit_test(test_batch),
        cmocka_unit_test(test_occupancy_by_barriers),
        cmocka_unit_test(test_barrier_of_1_to_64_threads),
        cmocka_unit_test(test_simd32_occupancy),
    };
    return cmocka_run_group_tests_name("dispatch", tests, create, destroy);
}
