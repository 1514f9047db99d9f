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
    if (!machine_knows(device)) {
        printf("the assembler of this system does not know the %s\n", device);
        exit(77);
    }
}

bool is_hpg(void)
{
    return machine.device.architecture == VESIM_XE_HPG;
}

bool is_from(enum vesim_architecture first)
{
    return machine.device.architecture >= first;
}

/* The store of r20 by the addresses of r12. Xe2's takes at least 16 lanes: the upper ones write the
 * end of the buffer. */
static const char *store(void)
{
    static char xe2[512];

    if (is_from(VESIM_XE2))
        snprintf(xe2, sizeof(xe2),
                 "(W) mov (16|M0) r124.0<1>:uq 0x%x:ud {A@1}\n"
                 "(W) add (8|M0) r126.0<1>:ud r12.0<1;1,0>:ud 0x%x:ud {A@1}\n"
                 "(W) mov (8|M0) r124.0<1>:uq r126.0<1;1,0>:ud {A@1}\n"
                 "(W) send.ugm (16|M0) null r124 r20:1 0x0 0x04000584 {A@1,$15}\n",
                 (unsigned)MACHINE_DATA + MACHINE_DATA_BYTES - 64, (unsigned)MACHINE_DATA);
    return is_from(VESIM_XE2) ? xe2
           : is_hpg()         ? "(W) send.dc1 (8|M0) null r12 r20:1 0x0 0x02026E00 {A@1,$15}\n"
                              : "(W) send.dc1 (8|M0) null r12 r20 0x40 0x02026E00 {@1,$15}\n";
}

void run(const char *text)
{
    run_beside(text, NULL);
}

void run_beside(const char *text, const uint8_t *function)
{
    char whole[16384];
    const char *at_1 = is_from(VESIM_XE_HPG) ? "I@1" : "@1";
    int length = snprintf(whole, sizeof(whole),
                          "(W) mov (8|M0) r10.0<1>:w 0x76543210:v\n"
                          "(W) mov (8|M0) r11.0<1>:d r10.0<8;8,1>:w {%s}\n"
                          "(W) mov (8|M0) r10.0<1>:d r11.0<8;8,1>:d {%s}\n"
                          "(W) shl (8|M0) r12.0<1>:d r10.0<8;8,1>:d 2:w {%s}\n"
                          "%s\n%s",
                          at_1, at_1, at_1, text, store());

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
