/* Loops of a few instructions: their bounds by hand, and their times on the emulated GPU. Argument:
 * the device. */
#include "machine.h"
#include "test.h"

#include "audit/audit-code.h"
#include "audit/loops.h"

#include <stdio.h>
#include <string.h>

enum { REGISTERS = 128 };

static struct machine machine;
static const char *device;

static bool is_hpg(void)
{
    return machine.device.architecture == VESIM_XE_HPG;
}

/* Assembles and audits. A '#' in the text is the pipe of a distance that names its own: "F@1" where
 * distances name pipes, "@1" where there is one; '^' the same of the integer pipe. */
static void assemble(const char *text)
{
    char whole[4096];
    size_t used = 0;

    for (; *text && used + 2 < sizeof(whole); text++) {
        if (*text != '#' && *text != '^')
            whole[used++] = *text;
        else if (is_hpg())
            whole[used++] = *text == '#' ? 'F' : 'I';
    }
    whole[used] = '\0';
    machine_assemble(&machine, whole);
}

static struct isa_audit audit_of(const char *text, unsigned registers)
{
    struct isa_audit audit;
    struct vesim_code *code;
    struct error error;
    char problem[256];

    assemble(text);
    if (vesim_code_read(&code, &machine.device, machine.code, 0x10000, problem, sizeof(problem)))
        fail_msg("%s", problem);
    if (isa_audit_code(&audit, code, registers, 0, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    vesim_code_free(code);
    return audit;
}

static void expect_cycles(const struct isa_audit *audit, enum isa_bound_kind kind, double cycles)
{
    double is = audit->bounds.bound[kind].cycles;

    if (is < cycles - 1e-9 || is > cycles + 1e-9)
        fail_msg("%s: %g cycles, not %g", isa_bound_name(kind), is, cycles);
}

#define COUNT_DOWN                                                                                 \
    "(W) add (1|M0) (ne)f0.0 r12.0<1>:d r12.0<0;1,0>:d -1:w\n"                                     \
    "(f0.0.any8h) while (8|M0) LOOP {^@1}\n"

/* Two float instructions that wait for each other: the second issues 10 cycles after the first, the
 * counter with the second's next cycle, the branch when the flag is there. */
static const char dependent[] = "(W) mov (1|M0) r12.0<1>:d %d:w\n"
                                "mov (8|M0) r10.0<1>:f 1.0:f\n"
                                "LOOP:\n"
                                "add (8|M0) r10.0<1>:f r10.0<8;8,1>:f 1.0:f {#@1}\n"
                                "add (8|M0) r10.0<1>:f r10.0<8;8,1>:f 1.0:f {#@1}\n" COUNT_DOWN;

static void format(char *text, size_t bytes, const char *with_number, unsigned number)
{
    const char *at = strstr(with_number, "%d");

    snprintf(text, bytes, "%.*s%u%s", (int)(at - with_number), with_number, number, at + 2);
}

static void test_dependent(void **state)
{
    const struct vesim_device *d = &machine.device;
    char text[1024];

    (void)state;
    format(text, sizeof(text), dependent, 10);
    struct isa_audit audit = audit_of(text, REGISTERS);
    assert_int_equal(audit.loop_count, 1);
    assert_int_equal(audit.hot.instructions, 4);
    assert_int_equal(audit.hot.pipe[ISA_FLOAT], 2);
    assert_int_equal(audit.hot.pipe[ISA_INTEGER], 1);
    assert_int_equal(audit.hot.pipe[ISA_BRANCH], 1);
    /* two floats and two of the integer pipe, on one port or on two */
    expect_cycles(&audit, ISA_BOUND_ISSUE, d->alu_ports == 1 ? 4 : 2);
    expect_cycles(&audit, ISA_BOUND_READS, d->alu_ports == 1 ? 4 : 2);
    expect_cycles(&audit, ISA_BOUND_MESSAGES, 0);
    /* the first float, the second, the counter one later, the branch, and what follows it */
    double alone = (double)(d->fpu_latency + 1 + d->arf_latency + d->branch_latency);
    assert_true(audit.bounds.alone == alone);
    expect_cycles(&audit, ISA_BOUND_LATENCY, alone / (double)d->threads_per_ve);
    assert_int_equal(audit.bounds.highest, ISA_BOUND_LATENCY);
    assert_string_not_equal(isa_audit_binds(&audit), "");
    assert_non_null(strstr(isa_audit_binds(&audit), "while"));
    assert_int_equal(audit.lines[1].wait, d->fpu_latency - 1);
    assert_int_equal(audit.lines[1].waits_for, 0);
    isa_audit_free(&audit);
}

/* Half as many threads fit with the large register file. */
static void test_large_file(void **state)
{
    char text[1024];

    (void)state;
    format(text, sizeof(text), dependent, 10);
    struct isa_audit audit = audit_of(text, 256);
    assert_int_equal(audit.bounds.threads, machine.device.threads_per_ve / 2);
    isa_audit_free(&audit);
}

/* The time computed for one thread alone is what the emulated GPU takes. */
static void test_as_run(void **state)
{
    uint64_t cycles[2];
    char text[1024];

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        format(text, sizeof(text), dependent, i ? 300 : 100);
        assemble(text);
        assert_int_equal(machine_run(&machine), 0); /* the code is fetched */
        assert_int_equal(machine_run(&machine), 0);
        cycles[i] = machine.cycles;
    }
    struct isa_audit audit = audit_of(text, REGISTERS);
    assert_int_equal(cycles[1] - cycles[0], 200 * (uint64_t)audit.bounds.alone);
    isa_audit_free(&audit);
}

static double reads_of(const char *sources, unsigned lanes, uint64_t passes)
{
    char text[1024];
    double issue = (double)(passes * (lanes / 8) + (machine.device.alu_ports == 1 ? 4 : 2));

    snprintf(text, sizeof(text),
             "LOOP:\n"
             "mad (%u|M0) r30.0<1>:f %s\n"
             "mov (8|M0) r40.0<1>:f 1.0:f\n"
             "mov (8|M0) r41.0<1>:f 1.0:f\n" COUNT_DOWN,
             lanes, sources);
    struct isa_audit audit = audit_of(text, REGISTERS);
    expect_cycles(&audit, ISA_BOUND_ISSUE, issue);
    double cycles = audit.bounds.bound[ISA_BOUND_READS].cycles - issue;
    isa_audit_free(&audit);
    return cycles;
}

/* Xe-HPG: pairs of registers alternate between two banks, 16 bundles of four. Xe-LP: single
 * registers, 8 bundles of two. */
static void test_operand_reads(void **state)
{
    bool hpg = is_hpg();

    (void)state;
    /* three places */
    assert_true(reads_of("r4.0<8;1>:f r7.0<8;1>:f r9.0<1>:f", 8, 1) == 0);
    /* r4 and r68 share a bundle where there are 16, r4 and r20 where there are 8 */
    assert_true(reads_of("r4.0<8;1>:f r68.0<8;1>:f r11.0<1>:f", 8, 1) == 1);
    assert_true(reads_of("r4.0<8;1>:f r20.0<8;1>:f r11.0<1>:f", 8, 1) == (hpg ? 0 : 1));
    /* three bundles of one bank */
    assert_true(reads_of("r4.0<8;1>:f r8.0<8;1>:f r12.0<1>:f", 8, 1) == 1);
    /* a register that is read twice is read once */
    assert_true(reads_of("r4.0<8;1>:f r4.0<8;1>:f r11.0<1>:f", 8,
                         machine.device.same_register_passes) == 0);
    /* sixteen lanes read two registers each: r4, r68 and then r5, r69 */
    assert_true(reads_of("r4.0<8;1>:f r68.0<8;1>:f r10.0<1>:f", 16, 1) == 2);
}

/* A load of 16 dwords from SLM: of all engines each, as much of a cycle as they are of the banks.
 */
static void test_messages(void **state)
{
    const struct vesim_device *d = &machine.device;
    char text[1024];

    (void)state;
    snprintf(text, sizeof(text), "LOOP:\n%s%s" COUNT_DOWN,
             is_hpg() ? "send.slm (16|M0) r17 r15 null:0 0x0 0x04280500 {$8}\n"
                      : "send.dc1 (16|M0) r17 r15 null 0x0 0x04205EFE {$8}\n",
             "mov (16|M0) r20.0<1>:d r17.0<8;8,1>:d {$8.dst}\n");
    struct isa_audit audit = audit_of(text, REGISTERS);
    assert_int_equal(audit.hot.message[VESIM_MESSAGE_SLM_LOAD], 1);
    expect_cycles(&audit, ISA_BOUND_MESSAGES,
                  (double)d->ves_per_xe_core * 16 / (double)d->slm_banks);
    assert_string_equal(audit.bounds.bound[ISA_BOUND_MESSAGES].of, "load/store unit");
    assert_int_equal(audit.bounds.bound[ISA_BOUND_MESSAGES].line, 0);
    /* the move waits for the load */
    assert_int_equal(audit.lines[1].wait, d->slm_latency - 1);
    assert_int_equal(audit.lines[1].waits_for, 0);
    isa_audit_free(&audit);
}

static void test_loops(void **state)
{
    static const char nested[] = "OUTER:\n"
                                 "mov (8|M0) r10.0<1>:f 1.0:f\n"
                                 "INNER:\n"
                                 "mov (8|M0) r11.0<1>:f 1.0:f\n"
                                 "while (8|M0) INNER\n"
                                 "(f0.0) while (8|M0) OUTER\n";
    struct isa_loop loops[ISA_LOOPS_MAX];
    struct isa_audit audit = audit_of(nested, REGISTERS);
    struct vesim_code *code;
    char problem[256];

    (void)state;
    assert_int_equal(audit.loop_count, 2);
    assert_int_equal(audit.hot_loop, 0);
    assert_int_equal(audit.hot.instructions, 2);
    isa_audit_free(&audit);
    assert_int_equal(
        vesim_code_read(&code, &machine.device, machine.code, 0x10000, problem, sizeof(problem)),
        0);
    assert_int_equal(isa_loops(code, loops), 2);
    assert_int_equal(loops[0].depth, 2);
    assert_int_equal(loops[1].depth, 1);
    assert_int_equal(isa_hot_loop(loops, 2, true), 1);
    vesim_code_free(code);
}

/* Of two loops side by side, the shorter one that loads from memory is the hot one. */
static void test_data_loop(void **state)
{
    static const char loops[] = "DATA:\n"
                                "send.ugm (16|M0) r17 r15 null:0 0x0 0x04280500 {$8}\n"
                                "while (8|M0) DATA\n"
                                "TREE:\n"
                                "mov (8|M0) r11.0<1>:f 1.0:f\n"
                                "mov (8|M0) r12.0<1>:f 1.0:f\n"
                                "mov (8|M0) r13.0<1>:f 1.0:f\n"
                                "while (8|M0) TREE\n";

    (void)state;
    if (!is_hpg()) /* whose messages are written so */
        return;
    struct isa_audit audit = audit_of(loops, REGISTERS);
    assert_int_equal(audit.loop_count, 2);
    assert_int_equal(audit.hot_loop, 0);
    assert_int_equal(audit.hot.message[VESIM_MESSAGE_LOAD], 1);
    isa_audit_free(&audit);
}

static void test_no_loop(void **state)
{
    struct isa_audit audit = audit_of("mov (8|M0) r10.0<1>:f 1.0:f\n", REGISTERS);
    struct vesim_code *code;
    struct error error;
    char problem[256];

    (void)state;
    assert_int_equal(audit.loop_count, 0);
    assert_int_equal(audit.hot.instructions, 0);
    assert_true(audit.all.instructions >= 3);
    /* Its bounds are those of the whole. */
    assert_int_equal(audit.line_count, audit.all.instructions);
    assert_true(audit.bounds.bound[audit.bounds.highest].cycles > 0.0);
    isa_audit_free(&audit);
    assert_int_equal(
        vesim_code_read(&code, &machine.device, machine.code, 0x10000, problem, sizeof(problem)),
        0);
    assert_int_equal(isa_audit_code(&audit, code, REGISTERS, 1, &error), STATUS_USAGE);
    assert_non_null(strstr(error.text, "0 loops"));
    vesim_code_free(code);
    memset(machine.code, 0, 0x10000);
    assert_int_equal(
        vesim_code_read(&code, &machine.device, machine.code, 0x10000, problem, sizeof(problem)),
        -1);
    assert_non_null(strstr(problem, "never ends"));
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
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dependent), cmocka_unit_test(test_large_file),
        cmocka_unit_test(test_as_run),    cmocka_unit_test(test_operand_reads),
        cmocka_unit_test(test_messages),  cmocka_unit_test(test_loops),
        cmocka_unit_test(test_data_loop), cmocka_unit_test(test_no_loop),
    };

    device = argc > 1 ? argv[1] : "a380";
    return cmocka_run_group_tests(tests, create, destroy);
}
