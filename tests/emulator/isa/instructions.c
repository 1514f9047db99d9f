#include "instructions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct machine machine;
static const char *device = "a380";

void instructions_choose(int argc, char **argv)
{
    if (argc > 1)
        device = argv[1];
}

bool is_hpg(void)
{
    return machine.device.architecture == VESIM_XE_HPG;
}

void run(const char *text)
{
    run_beside(text, NULL);
}

void run_beside(const char *text, const uint8_t *function)
{
    char whole[16384];
    bool hpg = is_hpg();
    int length = snprintf(whole, sizeof(whole),
                          "(W) mov (8|M0) r10.0<1>:w 0x76543210:v\n"
                          "(W) mov (8|M0) r11.0<1>:d r10.0<8;8,1>:w {%s}\n"
                          "(W) mov (8|M0) r10.0<1>:d r11.0<8;8,1>:d {%s}\n"
                          "(W) shl (8|M0) r12.0<1>:d r10.0<8;8,1>:d 2:w {%s}\n"
                          "%s\n"
                          "(W) send.dc1 (8|M0) null r12 r20%s %s 0x02026E00 {%s}\n",
                          hpg ? "I@1" : "@1", hpg ? "I@1" : "@1", hpg ? "I@1" : "@1", text,
                          hpg ? ":1" : "", hpg ? "0x0" : "0x40", hpg ? "A@1,$15" : "@1,$15");

    assert_true(length > 0 && (size_t)length < sizeof(whole));
    memset(machine.data, 0, 4096);
    machine_assemble(&machine, whole);
    if (function)
        memcpy(machine.code + FUNCTION_OFFSET, function, FUNCTION_BYTES);
    if (machine_run(&machine))
        fail_msg("%s", machine.fault.message);
}

void run_format(const char *format, ...)
{
    char text[8192];
    va_list arguments;

    va_start(arguments, format);
    int length = vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    assert_true(length > 0 && (size_t)length < sizeof(text));
    run(text);
}

void expect(const uint32_t expected[8])
{
    for (unsigned i = 0; i < 8; i++)
        if (machine.data[i] != expected[i])
            fail_msg("lane %u: 0x%08x, not 0x%08x", i, machine.data[i], expected[i]);
}

void expect_floats(const float expected[8])
{
    uint32_t bits[8];

    memcpy(bits, expected, sizeof(bits));
    expect(bits);
}

void expect_fault(const char *text, const char *what)
{
    machine_assemble(&machine, text);
    assert_int_not_equal(machine_run(&machine), 0);
    if (!strstr(machine.fault.message, what))
        fail_msg("\"%s\" does not say \"%s\"", machine.fault.message, what);
}

int instructions_create(void **state)
{
    (void)state;
    machine_load(&machine, device);
    machine.settings.instruction_limit = 100000;
    machine_finish(&machine);
    return 0;
}

int instructions_destroy(void **state)
{
    (void)state;
    machine_destroy(&machine);
    return 0;
}
