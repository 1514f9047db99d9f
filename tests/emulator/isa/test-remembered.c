/* Remembered timing: random kernels end at the same cycle, and leave the same in memory, their own
 * readings of the clock among it, as with counters, which have every issue decided anew; and where
 * each run that is met again is checked. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/recording.h"
#include "gpu/walk.h"
#include "kernel-text.h"
#include "machine.h"
#include "test.h"

static struct machine machine;
static const char *device = "a380";
static uint64_t cache_bytes = 65536; /* of instructions */

enum { OWN = 0x10000, REGISTERS_FIRST = 20, REGISTERS = 40, TOKENS_USED = 5 };

/* The sanitizers take twenty times as long. */
#ifdef SANITIZED
enum { KERNELS = 30 };
#else
enum { KERNELS = 120 };
#endif

static bool is_single_pipe(void)
{
    return machine.device.architecture == VESIM_GEN12LP;
}

static const char *at1(void)
{
    return is_single_pipe() ? "@1" : "I@1";
}

static const char *none(void)
{
    return machine.device.architecture == VESIM_XE_HPG ? ":0" : "";
}

static const char *one(void)
{
    return machine.device.architecture == VESIM_XE_HPG ? ":1" : "";
}

static unsigned some_register(void)
{
    return REGISTERS_FIRST + machine_random() % (REGISTERS / 2) * 2;
}

/* A distance, or none. */
static const char *some_wait(void)
{
    static char text[16];
    static const char *const pipes[] = {"F", "I", "A"};

    if (machine_random() % 2)
        return "";
    snprintf(text, sizeof(text), "{%s@%u}", is_single_pipe() ? "" : pipes[machine_random() % 3],
             1 + machine_random() % 7);
    return text;
}

static void emit_add(void)
{
    emit("(W) add (16|M0) r%u.0<1>:d r%u.0<8;8,1>:d r%u.0<8;8,1>:d %s\n", some_register(),
         some_register(), some_register(), some_wait());
}

/* One that issues between messages: floats, integers, flags, the accumulator, indirect operands,
 * and those that set tokens or wait for them. */
static void emit_plain(void)
{
    unsigned to = some_register(), a = some_register(), b = some_register();
    unsigned token = machine_random() % TOKENS_USED;

    switch (machine_random() % 15) {
    case 0:
    case 1:
    case 2:
        emit("(W) mad (8|M0) r%u.0<1>:f r%u.0<8;1>:f r%u.0<8;1>:f r%u.0<1>:f %s\n", to, a, b, to,
             some_wait());
        break;
    case 3:
        emit("(W) mul (16|M0) r%u.0<1>:f r%u.0<8;8,1>:f r%u.0<8;8,1>:f %s\n", to, a, b,
             some_wait());
        break;
    case 4:
        emit("(W) cmp (8|M0) (lt)f%u.0 null<1>:d r%u.0<8;8,1>:d r%u.0<8;8,1>:d %s\n",
             machine_random() % 2, a, b, some_wait());
        break;
    case 5:
        emit("(W&f%u.0) sel (8|M0) r%u.0<1>:d r%u.0<8;8,1>:d r%u.0<8;8,1>:d %s\n",
             machine_random() % 2, to, a, b, some_wait());
        break;
    case 6:
        emit("(W) add (8|M0) acc0.0<1>:f r%u.0<8;8,1>:f r%u.0<8;8,1>:f %s\n", a, b, some_wait());
        break;
    case 7:
        emit("(W) mul (8|M0) r%u.0<1>:f acc0.0<8;8,1>:f r%u.0<8;8,1>:f %s\n", to, a, some_wait());
        break;
    case 8:
        emit("(W) mov (1|M0) a0.0<1>:uw 0x%x:uw %s\n", 32 * a, some_wait());
        break;
    case 9:
        emit("(W) mov (1|M0) r%u.0<1>:d r[a0.0,0]<0;1,0>:d %s\n", to, some_wait());
        break;
    case 10:
        emit("(W) math.inv (8|M0) r%u.0<1>:f r%u.0<8;8,1>:f {$%u}\n", to, a, token);
        break;
    case 11:
    case 12:
        emit("(W) add (8|M0) r%u.0<1>:d r%u.0<8;8,1>:d 3:w {$%u.%s}\n", to, a, token,
             machine_random() % 3 ? "src" : "dst");
        break;
    default:
        emit_add();
    }
}

static void emit_message(bool meets)
{
    unsigned kind = machine_random() % 8, token = machine_random() % TOKENS_USED;

    if (kind < 3)
        emit("(W) send.dc1 (8|M0) r%u r%u null%s 0x0 0x%s {$%u}\n", some_register(), kind ? 14 : 12,
             none(), kind == 2 ? "02106EFE" : "02106E00", token);
    else if (kind == 3)
        emit("(W) send.dc1 (8|M0) null r14 r%u%s 0x0 0x02026E00 {$%u}\n", some_register(), one(),
             token);
    else if (kind == 4 && meets)
        emit("(W) send.gtwy (1|M0) null r0 null%s 0x0 0x02000004 {$%u}\n"
             "(W) sync.bar null\n",
             none(), token);
}

/* Addresses, and contents of all registers that are read. */
static void emit_beginning(uint32_t threads)
{
    const char *at = at1();

    emit_start();
    emit_addresses(at, threads, OWN);
    emit("(W) mov (8|M0) r16.0<1>:d 0:w\n"
         "(W) mov (1|M0) a0.0<1>:uw 0x400:uw\n");
    for (unsigned i = 0; i < REGISTERS / 2; i++)
        emit("(W) add (16|M0) r%u.0<1>:d r8.0<0;1,0>:d 0x%x:ud {%s}\n", REGISTERS_FIRST + 2 * i,
             machine_random(), at);
}

static void emit_plain_row(unsigned count)
{
    while (count-- > 0)
        emit_plain();
}

/* A row of instructions that threads come to with more or less to wait for: in some rounds by a
 * branch, which takes its time. */
static void emit_row(unsigned number)
{
    emit("(W) and (1|M0) (ne)f1.1 null<1>:d r5.0<0;1,0>:d %u:w {%s}\n", 1 + machine_random() % 7,
         at1());
    emit_plain_row(8 + machine_random() % 8);
    emit("(W&f1.1) jmpi (1|M0) PART%u\n", number);
    emit_plain_row(machine_random() % 4 / 3);
    emit("PART%u:\n", number);
    emit_plain_row(4 + machine_random() % 28);
}

/* A loop of rows of instructions with and without messages between them. Unless threads meet, they
 * go round by their own numbers of times. Each round adds a reading of the clock to r16. */
static void emit_kernel(uint32_t threads)
{
    const char *at = at1();
    bool meets = machine_random() % 3 == 0;

    emit_beginning(threads);
    emit("(W) and (1|M0) r5.0<1>:d r8.0<0;1,0>:d %u:w {%s}\n"
         "(W) add (1|M0) r5.0<1>:d r5.0<0;1,0>:d 24:w {%s}\n"
         "LOOP:\n",
         meets ? 0 : 15, at, at);
    for (unsigned rows = 1 + machine_random() % 4; rows > 0; rows--) {
        emit_row(rows);
        emit_message(meets);
    }
    emit("(W) mul (1|M0) r16.0<1>:d r16.0<0;1,0>:d 5:w {%s}\n"
         "(W) mov (1|M0) r17.0<1>:ud tm0.0<0;1,0>:ud\n"
         "(W) add (1|M0) r16.0<1>:d r16.0<0;1,0>:d r17.0<0;1,0>:d {%s}\n"
         "(W) add (1|M0) (gt)f0.1 r5.0<1>:d r5.0<0;1,0>:d -1:w {%s}\n"
         "(W&f0.1) jmpi (1|M0) LOOP\n"
         "sync.allrd null\n"
         "sync.allwr null\n"
         "(W) send.dc1 (8|M0) null r14 r16%s 0x0 0x02026E00 {$1}\n",
         at, at, at, one());
}

struct outcome {
    int status;
    uint64_t cycles[2];
    struct vesim_fault fault;
    uint32_t *data;
    size_t remembered; /* bytes */
};

enum way { REMEMBERED, ANEW, CHECKED };

/* A machine for the emitted kernel. */
static void make_machine(uint32_t threads, uint32_t groups, enum way way, uint64_t limit)
{
    machine_load(&machine, device);
    machine.device.instruction_cache_bytes = cache_bytes;
    if (limit)
        machine.settings.instruction_limit = limit;
    if (test_wants("ahead"))
        machine.settings.compile = VESIM_COMPILE_ALWAYS;
    if (way == CHECKED)
        machine.settings.compile = VESIM_COMPILE_CHECK;
    machine_finish(&machine);
    gpu_use_threads(machine.gpu, 1 + machine_random() % 2);
    gpu_count(machine.gpu, way == ANEW);
    machine_assemble(&machine, emitted());
    machine.walker.threads_per_group = threads;
    machine.walker.group_end[0] = groups;
    machine.walker.barriers = 1;
    machine.walker.slm_bytes = 4096;
}

/* Runs the emitted kernel twice. */
static struct outcome run(uint32_t threads, uint32_t groups, enum way way, uint64_t limit)
{
    struct outcome outcome = {.data = malloc(MACHINE_DATA_BYTES)};

    assert_non_null(outcome.data);
    make_machine(threads, groups, way, limit);
    for (unsigned i = 0; i < 2 && !outcome.status; i++) {
        outcome.status = machine_run(&machine);
        outcome.cycles[i] = machine.cycles;
    }
    outcome.fault = machine.fault;
    memcpy(outcome.data, machine.data, MACHINE_DATA_BYTES);
    for (uint32_t i = 0; i < machine.gpu->core_count; i++)
        outcome.remembered += machine.gpu->cores[i].remembered.used;
    machine_destroy(&machine);
    return outcome;
}

static void expect_the_same(const struct outcome *a, const struct outcome *b)
{
    assert_int_equal(a->status, b->status);
    assert_string_equal(a->fault.message, b->fault.message);
    assert_int_equal(a->fault.time, b->fault.time);
    assert_int_equal(a->fault.executed, b->fault.executed);
    assert_memory_equal(a->cycles, b->cycles, sizeof(a->cycles));
    assert_memory_equal(a->data, b->data, MACHINE_DATA_BYTES);
}

/* In one way and anew, with a limit of instructions, unless it is 0. Returns how much was
 * remembered. */
static size_t compare(uint32_t threads, uint32_t groups, enum way way, int status, uint64_t limit)
{
    struct outcome anew = run(threads, groups, ANEW, limit),
                   other = run(threads, groups, way, limit);

    expect_the_same(&other, &anew);
    assert_int_equal(anew.status, status);
    assert_int_equal(anew.remembered, 0);
    free(anew.data);
    free(other.data);
    return other.remembered;
}

static size_t run_both(uint32_t threads, uint32_t groups, int status, uint64_t limit)
{
    return compare(threads, groups, REMEMBERED, status, limit);
}

enum { KERNELS_COMPILED = 8 }; /* compiling takes long */

static void run_random_kernels(enum way way, unsigned kernels)
{
    static const uint32_t sizes[] = {1, 2, 7, 16, 24, 32, 56};
    unsigned with = 0;

    machine_load(&machine, device);
    for (unsigned i = 0; i < kernels; i++) {
        uint32_t threads = sizes[machine_random() % (sizeof(sizes) / sizeof(sizes[0]))];
        uint32_t groups = 1 + machine_random() % 12;

        emit_kernel(threads);
        cache_bytes = machine_random() % 5 ? 65536 : 2048;
        with += compare(threads, groups, way, 0, 0) > 0;
    }
    assert_true(with >= kernels / 2);
    cache_bytes = 65536;
}

static void test_random_kernels(void **state)
{
    (void)state;
    run_random_kernels(REMEMBERED, test_wants("ahead") ? KERNELS_COMPILED : KERNELS);
}

static void test_random_kernels_checked(void **state)
{
    (void)state;
    run_random_kernels(CHECKED, KERNELS_COMPILED);
}

/* The first run that is remembered: one Xe-core runs everything. */
static struct run *first_run(void)
{
    struct remembered *remembered = &machine.gpu->cores[0].remembered;

    assert_true(remembered->used > 0);
    return (struct run *)(void *)remembered->runs;
}

static void expect_found(const char *what)
{
    int status = machine_run(&machine);

    if (!status)
        fail_msg("nothing is said about a wrong %s", what);
    assert_non_null(strstr(machine.fault.message, "what is remembered of its timing"));
}

/* What is remembered is a cycle off, or is of something else. */
static void test_check_finds(void **state)
{
    static const char *const places[] = {"end", "port", "thread", "scoreboard"};
    const char *at = at1();

    (void)state;
    for (unsigned wrong = 0; wrong < sizeof(places) / sizeof(places[0]); wrong++) {
        machine_load(&machine, device);
        emit_beginning(1);
        emit("(W) mov (1|M0) r5.0<1>:d 200:w\n"
             "LOOP:\n");
        for (unsigned i = 0; i < 16; i++)
            emit_add();
        emit("(W) add (1|M0) (gt)f0.1 r5.0<1>:d r5.0<0;1,0>:d -1:w {%s}\n"
             "(W&f0.1) jmpi (1|M0) LOOP\n",
             at);
        make_machine(1, 1, CHECKED, 0);
        assert_int_equal(machine_run(&machine), 0);
        struct run *run = first_run();
        struct run_thread *thread = (struct run_thread *)(void *)(run + 1);
        struct board_time *times = (struct board_time *)(void *)(thread + 1);

        if (wrong == 0)
            run->next_time--;
        else if (wrong == 1)
            run->ports_after[PIPE_INTEGER]++;
        else if (wrong == 2)
            thread->ready++;
        else
            times[thread->nths + thread->reads].time++;
        expect_found(places[wrong]);
        machine_destroy(&machine);
    }
}

/* An instruction that has been fine for a while fails in the midst of a run. */
static void test_faults(void **state)
{
    const char *at = at1();
    size_t remembered = 0;

    (void)state;
    machine_load(&machine, device);
    for (unsigned i = 0; i < 16; i++) {
        emit_beginning(32);
        emit("(W) mul (1|M0) r5.0<1>:ud r8.0<0;1,0>:ud 4:uw\n"
             "(W) add (1|M0) r5.0<1>:ud r5.0<0;1,0>:ud 0x%x:uw {%s}\n"
             "LOOP:\n"
             "(W) add (1|M0) r5.0<1>:ud r5.0<0;1,0>:ud 0x80:uw {%s}\n"
             "(W) mov (1|M0) a0.0<1>:uw r5.0<0;1,0>:uw {%s}\n",
             0x400 + 0x44 * i, at, at, at);
        for (unsigned j = 0; j < 2 + i % 8 + i / 8; j++)
            emit_add();
        emit("(W) mov (1|M0) r40.0<1>:d r[a0.0,0]<0;1,0>:d\n");
        for (unsigned j = 0; j < 14; j++)
            emit_add();
        emit("jmpi LOOP\n");
        remembered += run_both(2 + 6 * (i % 8), 1, -EFAULT, 0);
        assert_non_null(strstr(machine.fault.message, "register-indirect access"));
    }
    assert_true(remembered > 0);
}

/* The limit of instructions is met in the midst of a run. */
static void test_limit(void **state)
{
    (void)state;
    machine_load(&machine, device);
    for (unsigned i = 0; i < 8; i++) {
        emit_beginning(8);
        emit("LOOP:\n");
        for (unsigned j = 0; j < 20; j++)
            emit_add();
        emit("jmpi LOOP\n");
        assert_true(run_both(1 + i, 1, -EFAULT, 20000 + 7 * i) > 0);
    }
}

int main(int argc, char **argv)
{
    if (argc > 1)
        device = argv[1];
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_kernels), cmocka_unit_test(test_random_kernels_checked),
        cmocka_unit_test(test_check_finds),    cmocka_unit_test(test_faults),
        cmocka_unit_test(test_limit),
    };
    return cmocka_run_group_tests_name("remembered", tests, NULL, NULL);
}
