/* Which walks are stopped because they cannot end: planted loops, in every way of running. */
#include <string.h>

#include "kernel-text.h"
#include "machine.h"
#include "test.h"

static struct machine machine;
static const char *device = "a380";

/* The ways to run a walk. */
enum way { WITH_CLOCK, FUNCTIONAL, COMPILED, WAYS };

/* How often the tests look at a walk: so that a few rounds of a loop are long. */
enum { EVERY = 500 };

/* Waits for the result of the previous instruction; lengths of payloads. */
#define AT1  (machine.device.architecture == VESIM_XE_HPG ? "I@1" : "@1")
#define NONE (machine.device.architecture == VESIM_XE_HPG ? ":0" : "")
#define ONE  (machine.device.architecture == VESIM_XE_HPG ? ":1" : "")
#define TWO  (machine.device.architecture == VESIM_XE_HPG ? ":2" : "")

/* A machine, and the beginning of a kernel. r12: addresses of 8 dwords; f1.0: not the work-group's
 * first thread. */
static void begin(enum way way, uint32_t threads, uint32_t groups)
{
    machine_load(&machine, device);
    machine.settings.functional = way != WITH_CLOCK;
    machine.settings.compile = way == COMPILED ? VESIM_COMPILE_ALWAYS : VESIM_COMPILE_OFF;
    machine.settings.instruction_limit = 3000000; /* else a test that fails would not end */
    machine.settings.poll_limit_s = 1e-6;
    machine_finish(&machine);
    gpu_watch_every(machine.gpu, EVERY);
    machine.walker.threads_per_group = threads;
    machine.walker.group_end[0] = groups;
    machine.walker.barriers = 1;
    machine.walker.slm_bytes = 1024;
    emit_start();
    emit("(W) mov (8|M0) r10.0<1>:w 0x76543210:v\n"
         "(W) mul (8|M0) r12.0<1>:d r10.0<8;8,1>:w 4:w {%s}\n"
         "(W) and (1|M0) r4.0<1>:ud r0.2<0;1,0>:ud 0xff:uw\n"
         "(W) mov (8|M0) r18.0<1>:d 0:w\n"
         "(W) mov (8|M0) r19.0<1>:d 1:w\n"
         "(W) mov (8|M0) r30.0<1>:d 0:w\n"
         "(W) cmp (1|M0) (ne)f1.0 null<1>:d r4.0<0;1,0>:d 0:w {%s}\n"
         "sync.nop null {%s}\n",
         AT1, AT1, AT1);
}

static int run(void)
{
    machine_assemble(&machine, emitted());
    return machine_run(&machine);
}

static void expect_stop(enum vesim_fault_kind kind, const char *what)
{
    assert_int_equal(run(), -14 /* EFAULT */);
    if (machine.fault.kind != kind || !strstr(machine.fault.message, what))
        fail_msg("kind %d: \"%s\", not %d: \"%s\"", (int)machine.fault.kind, machine.fault.message,
                 (int)kind, what);
    assert_true(machine.fault.instruction[0]);
    assert_int_equal(machine.fault.kernel, MACHINE_CODE);
    machine_destroy(&machine);
}

static void expect_end(void)
{
    if (run())
        fail_msg("%s", machine.fault.message);
    machine_destroy(&machine);
}

/* A load of the flag, in memory (surface 0) or in shared local memory. */
static void emit_load(bool local)
{
    emit("(W) send.dc1 (8|M0) r20 r12 null%s 0x0 0x02106E%s {$1}\n", NONE, local ? "FE" : "00");
}

static void emit_store(const char *data, bool local)
{
    emit("(W) send.dc1 (8|M0) null r12 %s%s 0x0 0x02026E%s {$2}\n", data, ONE, local ? "FE" : "00");
}

/* Waits until the flag is not 0. */
static void emit_wait(bool local)
{
    emit("WAIT:\n");
    emit_load(local);
    emit("(W) cmp (1|M0) (eq)f0.0 null<1>:d r20.0<0;1,0>:d 0:w {$1.dst}\n"
         "(W&f0.0) jmpi (1|M0) WAIT\n");
}

/* Counts to `rounds`. */
static void emit_count(uint32_t rounds)
{
    emit("COUNT:\n"
         "(W) add (8|M0) r30.0<1>:d r30.0<8;8,1>:d 1:w\n"
         "(W) cmp (1|M0) (lt)f0.0 null<1>:ud r30.0<0;1,0>:ud %u:ud {%s}\n"
         "(W&f0.0) jmpi (1|M0) COUNT\n",
         rounds, AT1);
}

static void emit_barrier(void)
{
    emit("(W) send.gtwy (1|M0) null r0 null%s 0x0 0x02000004 {$5}\n"
         "(W) sync.bar null\n",
         NONE);
}

static void test_alone(void **state)
{
    (void)state;
    for (enum way way = 0; way < WAYS; way++) {
        begin(way, 1, 1);
        emit("LOOP:\n(W) jmpi (1|M0) LOOP\n");
        expect_stop(VESIM_FAULT_ENDLESS, "endless loop: the threads that run (1)");
        begin(way, 4, 3 * 32); /* more than one Xe-core */
        emit("LOOP:\n(W) mov (8|M0) r22.0<1>:d r30.0<8;8,1>:d\n(W) jmpi (1|M0) LOOP\n");
        expect_stop(VESIM_FAULT_ENDLESS, "change no memory");
    }
}

/* The others wait for the first thread of their work-group. */
static void test_at_a_barrier(void **state)
{
    (void)state;
    for (enum way way = 0; way < WAYS; way++) {
        begin(way, 8, 1);
        emit("(W&f1.0) jmpi (1|M0) MEET\n"
             "LOOP:\n(W) jmpi (1|M0) LOOP\n"
             "MEET:\n");
        emit_barrier();
        expect_stop(VESIM_FAULT_ENDLESS, "endless loop: the threads that run (1)");
    }
}

/* Local memory is the work-group's own, whose other threads have ended. */
static void test_local_memory(void **state)
{
    (void)state;
    for (enum way way = 0; way < WAYS; way++) {
        begin(way, 4, 1);
        emit("(W&f1.0) jmpi (1|M0) END\n");
        emit_wait(true);
        emit("END:\n");
        expect_stop(VESIM_FAULT_ENDLESS, "change no memory");
    }
}

/* Global memory may be changed by the program, but not for ever. */
static void test_polling(void **state)
{
    (void)state;
    for (enum way way = 0; way < WAYS; way++) {
        begin(way, 1, 1);
        emit_wait(false);
        expect_stop(VESIM_FAULT_ENDLESS, "(1) only wait for memory to change");
        begin(way, 1, 1); /* a lock that somebody else has */
        emit("LOCK:\n"
             "(W) send.dc1 (8|M0) r20 r12 r18%s 0x0 0x0210BE00 {$1}\n"
             "(W) cmp (1|M0) (ne)f0.0 null<1>:d r20.0<0;1,0>:d 0:w {$1.dst}\n"
             "(W&f0.0) jmpi (1|M0) LOCK\n",
             TWO);
        for (unsigned i = 0; i < 8; i++)
            machine.data[i] = 1;
        expect_stop(VESIM_FAULT_ENDLESS, "only wait for memory to change");
    }
}

static void test_polling_without_end(void **state)
{
    (void)state;
    for (enum way way = 0; way < WAYS; way++) {
        begin(way, 1, 1);
        gpu_destroy(machine.gpu);
        machine.settings.poll_limit_s = 0;
        machine.settings.instruction_limit = 100000;
        machine.gpu = gpu_create(&machine.device, &machine.settings);
        assert_non_null(machine.gpu);
        gpu_watch_every(machine.gpu, EVERY);
        emit_wait(false);
        expect_stop(VESIM_FAULT_LIMIT, "still running after 100000 instructions");
    }
}

/* The same store again and again changes nothing; another each time does. */
static void test_stores(void **state)
{
    (void)state;
    for (enum way way = 0; way < WAYS; way++) {
        for (unsigned local = 0; local < 2; local++) {
            begin(way, 1, 1);
            emit("LOOP:\n");
            emit_store("r19", local);
            emit("(W) jmpi (1|M0) LOOP\n");
            expect_stop(VESIM_FAULT_ENDLESS, "endless loop");
            begin(way, 1, 1);
            machine.settings.instruction_limit = 100000;
            emit("LOOP:\n");
            emit_store("r18", local);
            emit("sync.allrd null\n");
            emit_store("r19", local);
            emit("(W) jmpi (1|M0) LOOP\n");
            expect_stop(VESIM_FAULT_LIMIT, "still running");
        }
    }
}

/* A thread that waits for another, which takes its time, of its work-group or of another one. */
static void test_waiting_for_another(void **state)
{
    (void)state;
    for (enum way way = 0; way < WAYS; way++) {
        for (unsigned local = 0; local < 2; local++) {
            begin(way, 2, 1);
            emit("(W&f1.0) jmpi (1|M0) COUNT\n");
            emit_wait(local);
            emit("(W) jmpi (1|M0) END\n");
            emit_count(40000);
            emit_store("r30", local);
            emit("END:\n");
            expect_end();
        }
        begin(way, 1, 2);
        emit("(W) cmp (1|M0) (ne)f1.0 null<1>:d r0.1<0;1,0>:d 0:w\n"
             "(W&f1.0) jmpi (1|M0) COUNT\n");
        emit_wait(false);
        emit("(W) jmpi (1|M0) END\n");
        emit_count(40000);
        emit_store("r30", false);
        emit("END:\n");
        expect_end();
    }
}

static void test_long_loop(void **state)
{
    (void)state;
    for (enum way way = 0; way < WAYS; way++) {
        begin(way, 3, 5);
        emit_count(30000);
        emit_store("r30", false);
        assert_int_equal(run(), 0);
        assert_int_equal(machine.data[0], 30000);
        machine_destroy(&machine);
    }
}

/* The same cycles, however often somebody looks. */
/* The two counters agree whenever they are compared, wherever a look at the walk comes in between.
 */
static void test_looking_between_instructions(void **state)
{
    (void)state;
    for (enum way way = 0; way < WAYS; way++) {
        begin(way, 3, 1);
        emit("(W) mov (8|M0) r24.0<1>:d 0:w\n"
             "(W) mov (8|M0) r26.0<1>:d 0:w\n"
             "(W) jmpi (1|M0) ROUND\n"
             "NEVER:\n(W) jmpi (1|M0) NEVER\n"
             "ROUND:\n(W) xor (8|M0) r24.0<1>:d r24.0<8;8,1>:d 1:w\n");
        for (unsigned i = 0; i < 16; i++)
            emit("(W) mov (8|M0) r28.0<1>:d r24.0<8;8,1>:d {%s}\n", AT1);
        emit("(W) xor (8|M0) r26.0<1>:d r26.0<8;8,1>:d 1:w\n"
             "(W) cmp (1|M0) (ne)f0.0 null<1>:d r24.0<0;1,0>:d r26.0<0;1,0>:d {%s}\n"
             "(W&f0.0) jmpi (1|M0) NEVER\n"
             "(W) add (8|M0) r30.0<1>:d r30.0<8;8,1>:d 1:w\n"
             "(W) cmp (1|M0) (lt)f0.0 null<1>:ud r30.0<0;1,0>:ud 3000:ud {%s}\n"
             "(W&f0.0) jmpi (1|M0) ROUND\n",
             AT1, AT1);
        expect_end();
    }
}

static void test_looking_takes_no_time(void **state)
{
    uint64_t cycles[2][2];

    (void)state;
    for (unsigned several = 0; several < 2; several++) {
        for (unsigned often = 0; often < 2; often++) {
            begin(WITH_CLOCK, 4, several ? 150 : 1);
            gpu_watch_every(machine.gpu, often ? 100 : UINT64_MAX / 8);
            emit("LOOP:\n");
            emit_load(false);
            emit("(W) add (8|M0) r30.0<1>:d r20.0<8;8,1>:d 1:w {$1.dst}\n"
                 "sync.nop null {%s}\n",
                 AT1);
            emit_store("r30", false);
            emit_barrier();
            emit("(W) add (1|M0) (lt)f0.0 r31.0<1>:d r31.0<0;1,0>:d 1:w\n"
                 "(W) cmp (1|M0) (lt)f0.0 null<1>:d r31.0<0;1,0>:d 200:w {%s}\n"
                 "(W&f0.0) jmpi (1|M0) LOOP\n",
                 AT1);
            assert_int_equal(run(), 0);
            cycles[several][often] = machine.cycles;
            machine_destroy(&machine);
        }
        assert_int_equal(cycles[several][0], cycles[several][1]);
    }
}

static void test_time_limit(void **state)
{
    (void)state;
    for (enum way way = 0; way < WAYS; way++) {
        begin(way, 1, 1);
        gpu_destroy(machine.gpu);
        machine.settings.time_limit_s = 1e-6;
        machine.settings.limit_names.time = "--patience";
        machine.gpu = gpu_create(&machine.device, &machine.settings);
        assert_non_null(machine.gpu);
        gpu_watch_every(machine.gpu, EVERY);
        emit_count(1000000000);
        expect_stop(VESIM_FAULT_LIMIT,
                    "still running after 1e-06 seconds (--patience sets another limit)");
    }
}

static unsigned told, ends;
static struct vesim_progress last;

static void note(void *context, const struct vesim_progress *progress)
{
    assert_ptr_equal(context, &machine);
    if (!progress->ended && told) {
        assert_true(progress->instructions > last.instructions);
        assert_true(progress->groups_done >= last.groups_done);
        assert_true(progress->seconds >= last.seconds);
    }
    told++;
    ends += progress->ended;
    last = *progress;
}

static void test_progress(void **state)
{
    (void)state;
    for (enum way way = 0; way < WAYS; way++) {
        told = ends = 0;
        begin(way, 2, 150);
        gpu_destroy(machine.gpu);
        machine.settings.progress = note;
        machine.settings.context = &machine;
        machine.gpu = gpu_create(&machine.device, &machine.settings);
        assert_non_null(machine.gpu);
        gpu_watch_every(machine.gpu, EVERY);
        emit_count(3000);
        assert_int_equal(run(), 0);
        assert_true(told >= 2);
        assert_int_equal(ends, 1);
        assert_true(last.ended);
        assert_int_equal(last.groups, 150);
        assert_int_equal(last.groups_done, 150);
        assert_int_equal(last.kernel_address, MACHINE_CODE);
        machine_destroy(&machine);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_alone),
        cmocka_unit_test(test_at_a_barrier),
        cmocka_unit_test(test_local_memory),
        cmocka_unit_test(test_polling),
        cmocka_unit_test(test_polling_without_end),
        cmocka_unit_test(test_stores),
        cmocka_unit_test(test_waiting_for_another),
        cmocka_unit_test(test_long_loop),
        cmocka_unit_test(test_looking_between_instructions),
        cmocka_unit_test(test_looking_takes_no_time),
        cmocka_unit_test(test_time_limit),
        cmocka_unit_test(test_progress),
    };

    if (argc > 1)
        device = argv[1];
    return cmocka_run_group_tests_name("endless", tests, NULL, NULL);
}
