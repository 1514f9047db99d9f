/* Random programs in which lanes part and come together again, around barriers and messages, on
 * threads that race for the same memory: interpreted, compiled, and checked, each of them has to
 * leave the same bits. With the clock, it also has to take the same cycles, and as many as where
 * each instruction issues by itself, as it does while counters are read. test-xe-compiled-flow
 * [DEVICE [PROGRAMS]] */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine.h"
#include "test.h"

enum { DEPTH = 3, DATA_BYTES = 65536 };

static const char *device = "a380";
static unsigned programs = 8;
static struct machine machine;

/* A program in the making. r11: number of the lane, r12: its offset; r17: the header of blocks; r20
 * to r35: values. */
static char text[65536];
static unsigned labels;
static bool hpg;

__attribute__((format(printf, 1, 2))) static void line(const char *format, ...)
{
    size_t length = strlen(text);
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text + length, sizeof(text) - length - 1, format, arguments);
    va_end(arguments);
    strcat(text, "\n");
}

static unsigned pick(unsigned count)
{
    return machine_random() % count;
}

/* What an instruction waits for, or a message marks: nothing, as often as not. */
static const char *wait(void)
{
    static const char *const of_pipes[] = {"{I@1}", "{F@1}", "{I@2}", "{I@3}", "{A@1}", "{I@7}"};
    static const char *const of_one_pipe[] = {"{@1}", "{@2}", "{@3}", "{@4}", "{@5}", "{@7}"};
    static const char *const of_tokens[] = {"{$1.dst}", "{$1.src}", "{$2.dst}", "{$2.src}"};
    unsigned n = pick(16);

    return n < 6 ? (hpg ? of_pipes : of_one_pipe)[n] : n < 10 ? of_tokens[n - 6] : "";
}

static const char *mark(void)
{
    static const char *const marks[] = {"{$1}", "{$2}", "{$3}"};

    return marks[pick(3)];
}

static unsigned value(void)
{
    return 20 + 2 * pick(8);
}

static void add_arithmetic(void)
{
    static const char *const forms[] = {
        "add (8|M0) r%u.0<1>:d r%u.0<8;8,1>:d r%u.0<8;8,1>:d %s",
        "xor (8|M0) r%u.0<1>:d r%u.0<8;8,1>:d r%u.0<8;8,1>:d %s",
        "(W) add (8|M0) r%u.0<1>:d r%u.0<8;8,1>:d r%u.0<8;8,1>:d %s",
        "mul (8|M0) r%u.0<1>:d r%u.0<8;8,1>:d r%u.0<16;8,2>:w %s",
        /* for longer than a cycle */
        "(W) add (16|M0) r%u.0<1>:d r%u.0<8;8,1>:d r%u.0<8;8,1>:d %s",
        "(f1.0) sel (8|M0) r%u.0<1>:d r%u.0<8;8,1>:d r%u.0<8;8,1>:d %s",
    };
    unsigned to = value(), a = value(), b = value();

    switch (pick(8)) {
    case 0:
        line("add (8|M0) r%u.0<1>:w r%u.0<16;8,2>:w 3:w", to, a);
        break;
    case 1: /* a register that is named by another */
        line("(W) mov (1|M0) a0.0<1>:uw %u:uw", a * (unsigned)machine.device.grf_bytes);
        line("mov (8|M0) r%u.0<1>:d r[a0.0]<8;8,1>:d", to);
        break;
    case 2:
        line("cmp (8|M0) (gt)f1.0 null<1>:d r%u.0<8;8,1>:d r%u.0<8;8,1>:d", a, b);
        break;
    default:
        /* NOLINTNEXTLINE(clang-diagnostic-format-nonliteral) */
        line(forms[pick(sizeof(forms) / sizeof(forms[0]))], to, a, b, wait());
    }
}

/* A block of a register, from or to the buffer (also beyond its end), shared local memory, or
 * memory without a surface. r17: the header. */
static void add_block(void)
{
    static const char *const where[] = {"00", "FE", "FF"};
    const char *mask = pick(2) ? "(W) " : "";
    unsigned n = pick(3);

    line("(W) and (1|M0) r17.2<1>:ud r%u.0<0;1,0>:ud 0x%x:ud", value(), n == 0 ? 0x1ffff : 0xff);
    if (pick(2))
        line("%ssend.dc0 (8|M0) r%u r17 null%s 0x0 0x021802%s", mask, value(), hpg ? ":0" : "",
             where[n]);
    else
        line("%ssend.dc0 (8|M0) null r17 r%u%s 0x020A02%s", mask, value(), hpg ? ":1 0x0" : " 0x40",
             where[n]);
}

/* Addresses of 8 or 16 lanes in r14 and r15: side by side, one for all lanes, or each lane's own.
 */
static void add_addresses(unsigned lanes)
{
    unsigned places = pick(4), from = value();

    for (unsigned i = 0; i < lanes / 8; i++)
        if (places < 2)
            line("(W) add (8|M0) r%u.0<1>:d r12.0<8;8,1>:d %u:uw", 14 + i, 32 * i);
        else
            line("(W) and (8|M0) r%u.0<1>:d r%u.0<%s>:d 0x0ffc:uw", 14 + i,
                 from + (places == 2 ? 0 : i), places == 2 ? "0;1,0" : "8;8,1");
}

/* Dwords from or to the buffer or shared local memory. Of 16 lanes, only (W) has the upper 8. */
static void add_message(void)
{
    const char *where = pick(2) ? "00" : "FE", *mask = pick(2) ? "(W) " : "";
    unsigned registers = 1 + pick(2), lanes = 8 * registers;
    const char *size = registers == 1 ? "6E" : "5E";

    add_addresses(lanes);
    if (pick(2))
        line("%ssend.dc1 (%u|M0) r%u r14 null%s 0x0 0x0%x%x0%s%s %s", mask, lanes, value(),
             hpg ? ":0" : "", 2 * registers, registers, size, where, mark());
    else if (hpg)
        line("%ssend.dc1 (%u|M0) null r14 r%u:%u 0x0 0x0%x02%s%s %s", mask, lanes, value(),
             registers, 2 * registers, size, where, mark());
    else
        line("%ssend.dc1 (%u|M0) null r14 r%u 0x%x 0x0%x02%s%s %s", mask, lanes, value(),
             0x40 * registers, 2 * registers, size, where, mark());
}

static void add_barrier(void)
{
    line("(W) send.gtwy (1|M0) null r0 null%s 0x0 0x02000004", hpg ? ":0" : "");
    if (pick(2))
        add_arithmetic();
    line("(W) sync.bar null");
}

static void add_statements(unsigned depth, unsigned loop);

static void add_condition(void)
{
    static const char *const conditions[] = {"lt", "ge", "eq"};

    /* often the same for all lanes */
    line("(W) and (8|M0) r18.0<1>:d r%u.0<8;8,1>:d %u:w", pick(3) ? value() : 120, 1 + pick(3));
    line("cmp (8|M0) (%s)f0.0 null<1>:d r18.0<8;8,1>:d 1:w", conditions[pick(3)]);
}

static void add_if(unsigned depth, unsigned loop)
{
    unsigned n = labels++;
    bool has_else = pick(2);

    add_condition();
    line("(f0.0) if (8|M0) %s%u END%u", has_else ? "ELSE" : "END", n, n);
    add_statements(depth + 1, loop);
    if (has_else) {
        line("ELSE%u:\nelse (8|M0) END%u END%u", n, n, n);
        add_statements(depth + 1, loop);
    }
    line("END%u:\nendif (8|M0) NEXT%u\nNEXT%u:", n, n, n);
}

static void add_goto(unsigned depth)
{
    unsigned n = labels++;

    add_condition();
    line("(f0.0) goto (8|M0) JOIN%u JOIN%u", n, n);
    add_statements(depth + 1, 0);
    line("JOIN%u:\njoin (8|M0) REST%u\nREST%u:", n, n, n);
}

/* Each lane in its own time. `loop` is the number of the loop around, if any. */
static void add_loop(unsigned depth)
{
    unsigned n = labels++, counter = 100 + 2 * depth;

    line("mov (8|M0) r%u.0<1>:d 0:w\nLOOP%u:", counter, n);
    add_statements(depth + 1, n);
    if (pick(2)) {
        add_condition();
        line("(f0.0) %s (8|M0) WHILE%u WHILE%u", pick(2) ? "break" : "cont", n, n);
        add_arithmetic();
    }
    line("(W) and (8|M0) r19.0<1>:d r11.0<8;8,1>:d %u:w", pick(4));
    line("WHILE%u:\nadd (8|M0) r%u.0<1>:d r%u.0<8;8,1>:d 1:w", n, counter, counter);
    line("cmp (8|M0) (lt)f0.0 null<1>:d r%u.0<8;8,1>:d r19.0<8;8,1>:d", counter);
    line("(f0.0) while (8|M0) LOOP%u", n);
}

static void add_statements(unsigned depth, unsigned loop)
{
    for (unsigned i = 1 + pick(3); i-- > 0;)
        switch (depth < DEPTH ? pick(8) : 3 + pick(5)) {
        case 0:
            add_if(depth, loop);
            break;
        case 1:
            add_goto(depth);
            break;
        case 2:
            add_loop(depth);
            break;
        case 3:
            add_message();
            break;
        case 4:
            add_block();
            break;
        default:
            add_arithmetic();
        }
}

static void write_program(void)
{
    text[0] = '\0';
    labels = 1;
    line("(W) mov (8|M0) r10.0<1>:w 0x76543210:v");
    line("(W) mov (8|M0) r11.0<1>:d r10.0<8;8,1>:w");
    line("(W) mul (8|M0) r12.0<1>:d r11.0<8;8,1>:d 4:w");
    line("(W) mov (8|M0) r120.0<1>:d 20:w");
    line("(W) mov (8|M0) r17.0<1>:ud 0:uw");
    line("(W) mov (1|M0) r17.5<1>:ud 0x%x:ud", MACHINE_DATA);
    for (unsigned i = 0; i < 8; i++)
        line("(W) add (8|M0) r%u.0<1>:d r12.0<8;8,1>:d %u:w", 20 + 2 * i, machine_random() % 999);
    line("ROUND:");
    add_statements(0, 0);
    add_barrier();
    add_statements(0, 0);
    if (pick(2))
        add_barrier();
    add_statements(0, 0);
    line("(W) add (8|M0) (gt)f0.0 r120.0<1>:d r120.0<8;8,1>:d -1:w");
    line("(W&f0.0) jmpi (1|M0) ROUND");
    for (unsigned i = 0; i < 8; i++) {
        line("(W) add (8|M0) r16.0<1>:d r12.0<8;8,1>:d %u:w", 4096 + 32 * i);
        line("(W) send.dc1 (8|M0) null r16 r%u%s 0x02026E00", 20 + 2 * i, hpg ? ":1 0x0" : " 0x40");
    }
}

struct outcome {
    int status;
    uint64_t cycles; /* without the clock: a count of instructions */
    char message[VESIM_FAULT_MESSAGE_BYTES];
    uint8_t data[DATA_BYTES];
};

/* How a program runs. */
struct way {
    const char *name;
    enum vesim_compile compile;
    bool has_clock, counts;
    unsigned threads; /* of a work-group */
};

static void run(const struct way *way, struct outcome *outcome)
{
    static struct machine runner;

    machine_load(&runner, device);
    runner.settings.functional = !way->has_clock;
    runner.settings.counters = way->counts;
    runner.settings.compile = way->compile;
    runner.settings.host_threads = 1;
    runner.settings.instruction_limit = 5000000;
    machine_finish(&runner);
    machine_assemble(&runner, text);
    runner.walker.threads_per_group = way->threads;
    runner.walker.group_end[0] = 3;
    runner.walker.slm_bytes = 4096;
    runner.walker.barriers = 1;
    for (unsigned i = 0; i < DATA_BYTES / 4; i++)
        runner.data[i] = i * 2654435761u;
    outcome->status = machine_run(&runner);
    outcome->cycles = runner.cycles;
    strcpy(outcome->message, runner.fault.message);
    memcpy(outcome->data, runner.data, DATA_BYTES);
    machine_destroy(&runner);
}

static void expect_same(const struct way *way, const struct outcome *interpreted)
{
    static struct outcome outcome;

    run(way, &outcome);
    if (strcmp(outcome.message, interpreted->message) != 0)
        fail_msg("%s\n%s: '%s', interpreted '%s'", text, way->name, outcome.message,
                 interpreted->message);
    if (outcome.cycles != interpreted->cycles)
        fail_msg("%s\n%s: %llu %s, interpreted %llu", text, way->name,
                 (unsigned long long)outcome.cycles, way->has_clock ? "cycles" : "instructions",
                 (unsigned long long)interpreted->cycles);
    for (unsigned at = 0; at < DATA_BYTES; at++)
        if (outcome.data[at] != interpreted->data[at])
            fail_msg("%s\n%s: other memory at %u", text, way->name, at);
}

/* Runs random programs the first way and all others, which have to do the same. */
static void compare_ways(const struct way *ways, unsigned count)
{
    static struct outcome interpreted;
    unsigned ended = 0;

    if (machine.device.architecture >= VESIM_XE2)
        skip(); /* its messages are others */
    for (unsigned i = 0; i < programs; i++) {
        write_program();
        run(&ways[0], &interpreted);
        for (unsigned n = 1; n < count; n++)
            expect_same(&ways[n], &interpreted);
        ended += interpreted.status == 0;
    }
    printf("%u of %u programs end\n", ended, programs);
    assert_true(ended >= programs / 2);
}

static void test_random_programs(void **state)
{
    static const struct way ways[] = {
        {"interpreted", VESIM_COMPILE_OFF, false, false, 8},
        {"compiled", VESIM_COMPILE_ALWAYS, false, false, 8},
        {"checked", VESIM_COMPILE_CHECK, false, false, 8},
    };

    (void)state;
    compare_ways(ways, sizeof(ways) / sizeof(ways[0]));
}

/* One thread on an engine, which issues several instructions at once; and so many that some engines
 * have two and some three. */
static void test_cycles(void **state)
{
    static const unsigned threads[] = {1, 24, 40};

    (void)state;
    for (unsigned i = 0; i < sizeof(threads) / sizeof(threads[0]); i++) {
        const struct way ways[] = {
            {"one by one", VESIM_COMPILE_OFF, true, true, threads[i]},
            {"at once", VESIM_COMPILE_OFF, true, false, threads[i]},
            {"compiled", VESIM_COMPILE_ALWAYS, true, false, threads[i]},
        };

        compare_ways(ways, sizeof(ways) / sizeof(ways[0]));
    }
}

int main(int argc, char **argv)
{
    if (argc > 1)
        device = argv[1];
    if (argc > 2)
        programs = (unsigned)atoi(argv[2]);
    machine_create(&machine, device);
    hpg = machine.device.architecture == VESIM_XE_HPG;
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_programs),
                                       cmocka_unit_test(test_cycles)};
    int status = cmocka_run_group_tests_name("compiled flow", tests, NULL, NULL);
    machine_destroy(&machine);
    return status;
}
