/* Compiled code against the interpreter: instructions, mutants of their encodings, and random
 * kernels of them, on threads with random registers, flags and active lanes; and whole programs
 * with branches, messages, threads that race, and faults. test-xe-compiled [DEVICE [KERNELS]] runs
 * as many random kernels as asked for. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/compile/compile.h"
#include "machine.h"
#include "plain-instructions.h"
#include "test.h"

#define MUTANTS 6  /* of each instruction */
#define ROUNDS  12 /* threads for each kernel */
#define LINES   24 /* of a random kernel */

static const char *device = "a380";
static unsigned kernels = 30;
static struct machine machine; /* assembles, and has no compiled code */

static void expect_same(const struct thread *interpreted, const struct thread *compiled,
                        const char *text)
{
    for (uint32_t at = 0; at < REGISTER_FILE_BYTES; at += 4)
        if (thread_read32(interpreted, at) != thread_read32(compiled, at))
            fail_msg("%s\nbyte %u: 0x%08x interpreted, 0x%08x compiled", text, at,
                     thread_read32(interpreted, at), thread_read32(compiled, at));
    for (unsigned i = 0; i < ACCUMULATORS; i++)
        if (interpreted->accumulator[i] != compiled->accumulator[i])
            fail_msg("%s\naccumulator %u: 0x%llx interpreted, 0x%llx compiled", text, i,
                     (unsigned long long)interpreted->accumulator[i],
                     (unsigned long long)compiled->accumulator[i]);
}

/* Runs the program's plain instructions both ways. Returns how many there were. */
static unsigned compare(const struct program *program, const char *text)
{
    static struct thread interpreted, compared;
    static struct vesim_fault fault;
    struct compiled *compiled = compiled_create(program, COMPILE_PLAIN, COMPILE_AT_ONCE, NULL);
    unsigned done = 0;

    assert_non_null(compiled);
    compiled_keep(compiled, machine.settings.cache);
    for (unsigned round = 0; round < ROUNDS; round++) {
        plain_randomise(&interpreted, round % 8 != 7);
        interpreted.program = program;
        interpreted.walker = &machine.walker;
        interpreted.fault = &fault;
        compared = interpreted;
        const struct block *block = compiled_find(compiled, &compared, 0, 0, UINT64_MAX);
        if (!block) /* in another mode, or nothing to compile */
            continue;
        uint64_t executed = 0;
        int32_t at = block->run(&compared, &executed, UINT64_MAX);
        bool failed = false;
        for (done = 0; done < executed && !failed; done++)
            failed = program->insts[done].execute(&interpreted, &program->insts[done]);
        if (at < 0)
            continue; /* of registers that do not exist */
        assert_false(failed);
        assert_int_equal(at / 2, executed);
        expect_same(&interpreted, &compared, text);
    }
    compiled_destroy(compiled);
    return done;
}

static void test_each(void **state)
{
    (void)state;
    for (unsigned i = 0; i < plain_count(&machine.device); i++) {
        machine_assemble(&machine, plain_text(&machine.device, i));
        struct program *program = machine_decode(&machine, VESIM_LANES_BEST);
        assert_non_null(program);
        assert_true(compare(program, plain_text(&machine.device, i)) > 0);
        program_free(program);
    }
}

static unsigned check_mutants(const char *text)
{
    uint8_t original[16];
    unsigned done = 0;

    machine_assemble(&machine, text);
    memcpy(original, machine.code, sizeof(original));
    for (unsigned round = 0; round < MUTANTS; round++) {
        memcpy(machine.code, original, sizeof(original));
        plain_flip(machine.code);
        struct program *program = machine_decode(&machine, VESIM_LANES_BEST);
        if (!program)
            continue;
        char mutant[256];
        program_disassemble(program, 0, mutant, sizeof(mutant));
        done += compare(program, mutant) > 0;
        program_free(program);
    }
    return done;
}

static void test_mutants(void **state)
{
    unsigned done = 0;

    (void)state;
    for (unsigned i = 0; i < plain_count(&machine.device); i++)
        done += check_mutants(plain_text(&machine.device, i));
    printf("%u mutants compiled\n", done);
    assert_true(done > 200);
}

static void expect_same_results(const char *text)
{
    machine_assemble(&machine, text);
    struct program *program = machine_decode(&machine, VESIM_LANES_BEST);

    assert_non_null(program);
    assert_true(compare(program, text) > 0);
    program_free(program);
}

/* NaNs keep their sign and payload through extended math, whatever is negated before and after, and
 * if nothing but the negated value is left. */
static void test_nan(void **state)
{
    static const char text[] = "(W) and (8|M0) r22.0<1>:d r23.0<8;8,1>:d 1:w\n"
                               "(W) add (8|M0) r22.0<1>:d r22.0<8;8,1>:d 0x7f800001:d\n"
                               "(W) math.rsqt (8|M0) r24.0<1>:f r22.0<8;8,1>:f\n"
                               "(W) math.sqt (8|M0) r26.0<1>:f -r24.0<8;8,1>:f\n"
                               "(W) math.inv (8|M0) r28.0<1>:f r22.0<8;8,1>:f\n"
                               "(W) math.sqt (8|M0) r30.0<1>:f -r28.0<8;8,1>:f\n"
                               "(W) math.inv (8|M0) r32.0<1>:f -r22.0<8;8,1>:f\n"
                               "(W) mov (8|M0) r24.0<1>:d 0:w\n"
                               "(W) mov (8|M0) r28.0<1>:d 0:w\n";

    (void)state;
    expect_same_results(text);
}

/* A sum or product that is a NaN is the same one for all that take its bits: not for the sums and
 * products that go on with it. */
static void test_nan_in_a_chain(void **state)
{
    static const char text[] = "(W) and (8|M0) r22.0<1>:d r23.0<8;8,1>:d 0x80000fff:d\n"
                               "(W) add (8|M0) r22.0<1>:d r22.0<8;8,1>:d 0x7f800001:d\n"
                               "(W) mul (8|M0) r24.0<1>:f r22.0<8;8,1>:f r26.0<8;8,1>:f\n"
                               "(W) mad (8|M0) r28.0<1>:f r26.0<8;1>:f -r24.0<8;1>:f r30.0<1>:f\n"
                               "(W) sel (8|M0) (lt)f0.0 r20.0<1>:f r24.0<8;8,1>:f r28.0<8;8,1>:f\n"
                               "(W) math.inv (8|M0) r32.0<1>:f r28.0<8;8,1>:f\n"
                               "(W) xor (8|M0) r34.0<1>:d r28.0<8;8,1>:d r24.0<8;8,1>:d\n"
                               "mov (8|M0) r36.0<1>:f -r24.0<8;8,1>:f\n"
                               "(W) add (8|M0) r24.0<1>:f r24.0<8;8,1>:f r28.0<8;8,1>:f\n";

    (void)state;
    expect_same_results(text);
}

/* Products in two halves, of which the second belongs to the first, or to others since: if a source
 * or the accumulator has changed in between, in all lanes or in some. */
static void test_products_in_halves(void **state)
{
    static const char text[] = "(W) mul (8|M0) acc0.0<1>:d r20.0<8;8,1>:d r30.0<16;8,2>:uw\n"
                               "(W) add (16|M0) r22.0<1>:d r20.0<8;8,1>:d r30.0<8;8,1>:d\n"
                               "mach (8|M0) r24.0<1>:d r20.0<8;8,1>:d r30.0<8;8,1>:d\n"
                               "(W) mul (8|M8) acc0.0<1>:d r23.0<8;8,1>:d r22.0<16;8,2>:uw\n"
                               "mach (8|M8) r25.0<1>:d r23.0<8;8,1>:d r22.0<8;8,1>:d\n"
                               "(W) add (16|M0) r26.0<1>:d r24.0<8;8,1>:d r22.0<8;8,1>:d\n"
                               "(W) mul (8|M0) acc0.0<1>:d r26.0<8;8,1>:d r27.0<16;8,2>:uw\n"
                               "mov (8|M0) r27.0<1>:d r20.0<8;8,1>:d\n"
                               "mach (8|M0) r28.0<1>:d r26.0<8;8,1>:d r27.0<8;8,1>:d\n"
                               "(W) mul (8|M0) acc0.0<1>:d r20.0<8;8,1>:d r30.0<16;8,2>:uw\n"
                               "mul (8|M0) acc0.0<1>:d r21.0<8;8,1>:d r30.0<16;8,2>:uw\n"
                               "mach (8|M0) r32.0<1>:d r20.0<8;8,1>:d r30.0<8;8,1>:d\n"
                               "(W) mul (8|M0) acc0.0<1>:d r20.0<8;8,1>:d r30.1<16;8,2>:uw\n"
                               "mach (8|M0) r33.0<1>:d r20.0<8;8,1>:d r30.0<8;8,1>:d\n"
                               "(W) mul (8|M0) acc0.0<1>:d r20.0<8;8,1>:d r30.0<16;8,2>:w\n"
                               "mach (8|M0) r34.0<1>:d r20.0<8;8,1>:d r30.0<8;8,1>:d\n"
                               "(W) mul (16|M0) acc0.0<1>:d r20.0<8;8,1>:d r30.0<16;8,2>:uw\n"
                               "mach (8|M0) r35.0<1>:d r20.0<8;8,1>:d r30.0<8;8,1>:d\n";

    (void)state;
    expect_same_results(text);
}

/* A line with its registers moved near to one another, so that they overlap. */
static void add_line(char *text, size_t size)
{
    static const char digits[] = "0123456789";
    const char *from = plain_text(&machine.device, machine_random() % plain_count(&machine.device));
    size_t length = strlen(text);

    for (bool is_word = false; *from && length + 8 < size; is_word = strchr(digits, *from++)) {
        bool is_register = *from == 'r' && strchr(digits, from[1]) && from[1] && !is_word;

        if (!is_register) {
            text[length++] = *from;
            continue;
        }
        length +=
            (size_t)snprintf(text + length, size - length, "r%u", 20 + machine_random() % 8 * 2);
        while (strchr(digits, from[1]) && from[1])
            from++;
    }
    text[length] = '\0';
    if (length + 32 < size)
        strcat(text, "\n");
}

static void test_random_kernels(void **state)
{
    unsigned instructions = 0;

    (void)state;
    for (unsigned kernel = 0; kernel < kernels; kernel++) {
        char text[LINES * 128] = "";

        for (unsigned line = 0; line < LINES; line++)
            add_line(text, sizeof(text));
        machine_assemble(&machine, text);
        struct program *program = machine_decode(&machine, VESIM_LANES_BEST);
        assert_non_null(program);
        instructions += compare(program, text);
        program_free(program);
    }
    printf("%u instructions in %u kernels\n", instructions, kernels);
    assert_true(instructions >= kernels * LINES);
}

/* What a program leaves behind: all but for what memory holds is in the machine. */
struct outcome {
    int status;
    uint64_t cycles; /* without the clock: a count of instructions */
    char message[VESIM_FAULT_MESSAGE_BYTES];
    uint8_t data[65536];
};

static void run(const char *text, enum vesim_compile compile, struct outcome *outcome)
{
    static struct machine runner;

    machine_load(&runner, device);
    runner.settings.functional = true;
    runner.settings.compile = compile;
    runner.settings.host_threads = 1;
    runner.settings.instruction_limit = 500000;
    machine_finish(&runner);
    machine_assemble(&runner, text);
    runner.walker.threads_per_group = 8;
    runner.walker.group_end[0] = 4;
    runner.walker.slm_bytes = 4096;
    runner.walker.barriers = 1;
    for (unsigned i = 0; i < sizeof(outcome->data) / 4; i++)
        runner.data[i] = i * 2654435761u;
    outcome->status = machine_run(&runner);
    outcome->cycles = runner.cycles;
    strcpy(outcome->message, runner.fault.message);
    memcpy(outcome->data, runner.data, sizeof(outcome->data));
    machine_destroy(&runner);
}

static void expect_same_outcome(const char *text, bool is_fault)
{
    static const enum vesim_compile ways[] = {VESIM_COMPILE_ON, VESIM_COMPILE_ALWAYS,
                                              VESIM_COMPILE_CHECK};
    static struct outcome interpreted, compiled;

    run(text, VESIM_COMPILE_OFF, &interpreted);
    if (is_fault == (interpreted.status == 0))
        fail_msg("%s\n%s", text, interpreted.message);
    for (unsigned i = 0; i < 3; i++) {
        run(text, ways[i], &compiled);
        assert_string_equal(compiled.message, interpreted.message);
        assert_int_equal(compiled.status, interpreted.status);
        assert_int_equal(compiled.cycles, interpreted.cycles);
        if (memcmp(compiled.data, interpreted.data, sizeof(compiled.data)) != 0)
            fail_msg("other memory after\n%s", text);
    }
}

/* r12: offsets of dwords side by side. */
#define OFFSETS                                                                                    \
    "(W) mov (8|M0) r10.0<1>:w 0x76543210:v\n"                                                     \
    "(W) mov (8|M0) r11.0<1>:d r10.0<8;8,1>:w\n"                                                   \
    "(W) mul (8|M0) r12.0<1>:d r11.0<8;8,1>:d 4:w\n"                                               \
    "(W) mov (1|M0) r120.0<1>:d %s:w\n"

/* Loads from and stores to the buffer (table entry 0) or shared local memory (0xfe). */
#define SEND_LOAD(to, at, where)                                                                   \
    "(W) send.dc1 (8|M0) r" to " r" at " null%s 0x0 0x02106E" where "\n"
#define SEND_STORE(from, at, where)                                                                \
    "(W) send.dc1 (8|M0) null r" at " r" from "%s %s 0x02026E" where "\n"

#define LOOP_END                                                                                   \
    "(W) add (1|M0) (gt)f0.0 r120.0<1>:d r120.0<0;1,0>:d -1:w\n"                                   \
    "(W&f0.0) jmpi (1|M0) LOOP\n"

/* The text with the endings that the device's sends have: of loads' second payload, of stores'
 * registers and their descriptor. */
static const char *written(const char *text, const char *trips)
{
    static char whole[8192];
    bool hpg = machine.device.architecture == VESIM_XE_HPG;
    size_t length = 0;
    bool is_trips = true, is_store = false;

    for (; *text; text++) {
        const char *insert = NULL;

        assert_true(length + 16 < sizeof(whole));
        if (strncmp(text, "send.dc1", 8) == 0)
            is_store = strncmp(text + 14, " null", 5) == 0;
        if (strncmp(text, "%s", 2) != 0) {
            whole[length++] = *text;
            continue;
        }
        if (is_trips)
            insert = trips;
        else if (text[-1] == ' ')
            insert = hpg ? "0x0" : "0x40";
        else
            insert = !hpg ? "" : is_store ? ":1" : ":0";
        is_trips = false;
        length += (size_t)sprintf(whole + length, "%s", insert);
        text++;
    }
    whole[length] = '\0';
    return whole;
}

/* Threads of all work-groups add to the same dwords, without atomics: what is left depends on when
 * each has its turn. */
static const char races[] = OFFSETS "LOOP:\n" SEND_LOAD(
    "20", "12", "00") "(W) add (8|M0) r20.0<1>:d r20.0<8;8,1>:d "
                      "r11.0<8;8,1>:d\n" SEND_STORE(
                          "20", "12", "00") "(W) add (8|M0) r20.0<1>:d r20.0<8;8,1>:d "
                                            "1:w\n" SEND_STORE("20", "12", "FE")
                                                SEND_LOAD("22", "12",
                                                          "FE") "(W) xor (8|M0) r24.0<1>:d "
                                                                "r24.0<8;8,1>:d r22.0<8;8,1>:d\n"
                                                                "(W) add (8|M0) r26.0<1>:d "
                                                                "r12.0<8;8,1>:d "
                                                                "512:w\n" SEND_STORE("24", "26",
                                                                                     "00") LOOP_END;

/* Lanes part and come together again in a loop that each leaves in its own time. */
static const char diverges[] =
    OFFSETS "mov (8|M0) r14.0<1>:d 0:w\n"
            "LOOP:\n"
            "add (8|M0) r14.0<1>:d r14.0<8;8,1>:d 1:w\n"
            "(W) and (8|M0) r16.0<1>:d r14.0<8;8,1>:d 3:w\n"
            "cmp (8|M0) (eq)f0.0 null<1>:d r16.0<8;8,1>:d 1:w\n"
            "(f0.0) if (8|M0) L_else L_endif\n"
            "add (8|M0) r18.0<1>:d r18.0<8;8,1>:d 5:w\n"
            "L_else:\n"
            "else (8|M0) L_endif L_endif\n"
            "xor (8|M0) r18.0<1>:d r18.0<8;8,1>:d r14.0<8;8,1>:d\n"
            "L_endif:\n"
            "endif (8|M0) L_next\n"
            "L_next:\n"
            "(W) mul (8|M0) r19.0<1>:d r11.0<8;8,1>:d 40:w\n"
            "cmp (8|M0) (lt)f0.0 null<1>:d r14.0<8;8,1>:d r19.0<8;8,1>:d\n"
            "(f0.0) while (8|M0) LOOP\n" SEND_STORE("18", "12", "00");

/* Offsets that go up and down, and beyond the end of the buffer. */
static const char strays[] =
    OFFSETS "LOOP:\n"
            "(W) shl (8|M0) r14.0<1>:d r120.0<0;1,0>:d 13:w\n"
            "(W) add (8|M0) r14.0<1>:d r14.0<8;8,1>:d r12.0<8;8,1>:d\n" SEND_LOAD(
                "20", "14", "00") "(W) add (8|M0) r22.0<1>:d r22.0<8;8,1>:d r20.0<8;8,1>:d\n"
                                  "(W) and (8|M0) r16.0<1>:d r20.0<8;8,1>:d 0x0ffc:uw\n" SEND_STORE(
                                      "22", "16", "00") SEND_STORE("22", "14", "00") LOOP_END;

static const char endless[] = OFFSETS "LOOP:\n"
                                      "(W) add (8|M0) r20.0<1>:d r20.0<8;8,1>:d 1:w\n" SEND_STORE(
                                          "20", "12", "00") "(W) jmpi (1|M0) LOOP\n";

/* A result for which there is no register, in a loop that has gone round before. */
static const char beyond[] = OFFSETS "(W) mov (1|M0) a0.0<1>:uw 0x1000:uw\n"
                                     "LOOP:\n"
                                     "(W) mov (8|M0) r[a0.0]<1>:d r12.0<8;8,1>:d\n"
                                     "(W) add (1|M0) a0.0<1>:uw a0.0<0;1,0>:uw 32:uw\n" LOOP_END;

static void test_programs(void **state)
{
    (void)state;
    if (machine.device.architecture >= VESIM_XE2)
        skip(); /* its messages are others: test-xe2.c */
    expect_same_outcome(written(races, "300"), false);
    expect_same_outcome(written(diverges, "0"), false);
    expect_same_outcome(written(strays, "200"), false);
}

static void test_faults(void **state)
{
    (void)state;
    if (machine.device.architecture >= VESIM_XE2)
        skip(); /* its messages are others: test-xe2.c */
    expect_same_outcome(written(endless, "0"), true);
    expect_same_outcome(written(beyond, "1000"), true);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        device = argv[1];
    if (argc > 2)
        kernels = (unsigned)atoi(argv[2]);
    if (!machine_knows(device))
        return 77; /* nor does the assembler of Debian 12 know Xe2 */
    machine_create(&machine, device);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_each),
                                       cmocka_unit_test(test_mutants),
                                       cmocka_unit_test(test_nan),
                                       cmocka_unit_test(test_nan_in_a_chain),
                                       cmocka_unit_test(test_products_in_halves),
                                       cmocka_unit_test(test_random_kernels),
                                       cmocka_unit_test(test_programs),
                                       cmocka_unit_test(test_faults)};
    int status = cmocka_run_group_tests_name("compiled code", tests, NULL, NULL);
    machine_destroy(&machine);
    return status;
}
