/* What Xe3 does differently: messages whose payload comes from registers that s0 names. */
#include <stdio.h>
#include <string.h>

#include "machine.h"
#include "test.h"

static struct machine machine;

/* Stores, lane by lane, to a dword each from MACHINE_DATA on: r14 and r15 hold the addresses, r30
 * the lane's number, r40 that and 100. `list` names the registers of the payload, the first in its
 * lowest byte. */
static void store_gathered(const char *list, const char *message)
{
    static char text[4096];
    int length = snprintf(text, sizeof(text),
                          "(W) mov (8|M0) r10.0<1>:uw 0x76543210:uv\n"
                          "(W) add (8|M0) r10.8<1>:uw r10.0<1;1,0>:uw 8:uw {I@1}\n"
                          "(W) mov (16|M0) r30.0<1>:ud r10.0<1;1,0>:uw {I@1}\n"
                          "(W) add (16|M0) r40.0<1>:ud r30.0<1;1,0>:ud 100:uw {I@1}\n"
                          "(W) shl (16|M0) r12.0<1>:ud r30.0<1;1,0>:ud 2:w\n"
                          "(W) add (16|M0) r12.0<1>:ud r12.0<1;1,0>:ud 0x%x:ud {I@1}\n"
                          "(W) mov (16|M0) r14.0<1>:uq r12.0<1;1,0>:ud {I@1}\n"
                          "(W) mov (1|M0) s0.0<1>:uq %s:uq\n"
                          "(W) send.ugm (16|M0) null r[s0.0] 0x0 %s {A@1,$15}\n",
                          (unsigned)MACHINE_DATA, list, message);

    assert_true(length > 0 && (size_t)length < sizeof(text));
    memset(machine.data, 0, 4096);
    machine_assemble(&machine, text);
}

static void expect_words(uint32_t first)
{
    if (machine_run(&machine))
        fail_msg("%s", machine.fault.message);
    for (uint32_t i = 0; i < 16; i++)
        assert_int_equal(machine.data[i], first + i);
}

static void test_payload_from_anywhere(void **state)
{
    (void)state;
    store_gathered("0x1e0f0e", "0x06000584");
    expect_words(0);
    store_gathered("0x280f0e", "0x06000584");
    expect_words(100);
}

/* The list may name a register twice, and what follows the payload is not read. */
static void test_list_is_as_long_as_the_payload(void **state)
{
    (void)state;
    store_gathered("0xff280f0e", "0x06000584");
    expect_words(100);
}

/* A payload that is shorter than what the message takes. */
static void test_short_payload(void **state)
{
    (void)state;
    store_gathered("0x0f0e", "0x04000584");
    assert_true(machine_run(&machine) < 0);
    assert_non_null(strstr(machine.fault.message, "register"));
}

static int create(void **state)
{
    (void)state;
    machine_create(&machine, "panther-lake");
    machine.walker.simd_width = 16;
    machine.walker.execution_mask = 0xffff;
    machine.walker.local_size[0] = 16;
    return 0;
}

static int destroy(void **state)
{
    (void)state;
    machine_destroy(&machine);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_payload_from_anywhere),
        cmocka_unit_test(test_list_is_as_long_as_the_payload),
        cmocka_unit_test(test_short_payload),
    };

    if (!machine_knows("panther-lake")) {
        puts("the assembler library here does not know Xe3");
        return 77;
    }
    return cmocka_run_group_tests_name("xe3", tests, create, destroy);
}
