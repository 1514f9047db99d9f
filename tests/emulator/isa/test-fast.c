/* The fast path against the general one: each instruction below runs by both, and in both builds of
 * the fast path, on threads with random registers, flags and active lanes; all registers have to be
 * equal afterwards. */
#include <stdlib.h>
#include <string.h>

#include "isa/fast/fast.h"
#include "isa/select/select.h"
#include "isa/thread/thread.h"
#include "machine.h"
#include "plain-instructions.h"
#include "test.h"

#define ROUNDS  200
#define MUTANTS 200 /* of each instruction */

static struct machine machine;
static const char *device = "a380";

/* Runs one instruction by `execute` on a copy of `before`. */
static void run(const struct inst *inst, execute_function execute, const struct thread *before,
                struct thread *after)
{
    *after = *before;
    if (execute(after, inst))
        fail_msg("%s", after->fault->message);
}

static void compare(const struct program *program, const struct inst *inst, execute_function fast,
                    unsigned rounds, const char *text, const char *build)
{
    static struct thread before, general, quick;
    static struct vesim_fault fault;

    before.program = program;
    before.fault = &fault;
    for (unsigned round = 0; round < rounds; round++) {
        plain_randomise(&before, round % 8 != 0);
        run(inst, inst->general, &before, &general);
        run(inst, fast, &before, &quick);
        for (uint32_t at = 0; at < REGISTER_FILE_BYTES; at += 4)
            if (thread_read32(&general, at) != thread_read32(&quick, at))
                fail_msg("%s, byte %u: 0x%08x the general way, 0x%08x fast (%s)", text, at,
                         thread_read32(&general, at), thread_read32(&quick, at), build);
        for (unsigned i = 0; i < ACCUMULATORS; i++)
            if (general.accumulator[i] != quick.accumulator[i])
                fail_msg("%s, accumulator %u: 0x%llx the general way, 0x%llx fast (%s)", text, i,
                         (unsigned long long)general.accumulator[i],
                         (unsigned long long)quick.accumulator[i], build);
    }
}

/* Compares each build of the fast path; false if it does not take the instruction. */
static bool compare_builds(const struct program *program, unsigned rounds, const char *text)
{
    struct inst *inst = &program->insts[0];
    execute_function plain = fast_select(inst, &fast_plain);

    if (!plain)
        return false;
    compare(program, inst, plain, rounds, text, "plain");
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        compare(program, inst, fast_select(inst, &fast_avx2), rounds, text, "AVX2");
    return true;
}

static void check(const char *text)
{
    machine_assemble(&machine, text);
    struct program *program = machine_decode(&machine, VESIM_LANES_GENERAL);
    if (!program)
        fail_msg("%s cannot be decoded", text);
    if (!compare_builds(program, ROUNDS, text))
        fail_msg("%s does not take the fast path", text);
    program_free(program);
}

static void each_instruction(void (*act)(const char *text))
{
    for (unsigned i = 0; i < plain_count(&machine.device); i++)
        act(plain_text(&machine.device, i));
}

static void test_same_bits(void **state)
{
    (void)state;
    each_instruction(check);
}

static unsigned mutants;

/* As far as they can be decoded. */
static void check_mutants(const char *text)
{
    uint8_t original[16];

    machine_assemble(&machine, text);
    memcpy(original, machine.code, sizeof(original));
    for (unsigned round = 0; round < MUTANTS; round++) {
        memcpy(machine.code, original, sizeof(original));
        plain_flip(machine.code);
        struct program *program = machine_decode(&machine, VESIM_LANES_GENERAL);
        if (!program)
            continue;
        char mutant[256];
        program_disassemble(program, 0, mutant, sizeof(mutant));
        mutants += compare_builds(program, 8, mutant);
        program_free(program);
    }
}

static void test_mutants(void **state)
{
    (void)state;
    each_instruction(check_mutants);
    printf("%u mutants on the fast path\n", mutants);
    assert_true(mutants > 1000);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        device = argv[1];
    if (!machine_knows(device))
        return 77; /* nor does the assembler of Debian 12 know Xe2 */
    machine_create(&machine, device);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_same_bits),
                                       cmocka_unit_test(test_mutants)};
    int status = cmocka_run_group_tests_name("fast path", tests, NULL, NULL);
    machine_destroy(&machine);
    return status;
}
