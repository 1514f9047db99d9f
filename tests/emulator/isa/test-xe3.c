/* What Xe3 does differently: messages whose payload comes from registers that s0 names, those for
 * images among them. */
#include <stdio.h>
#include <string.h>

#include "layout/surface-state.h"
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

enum { RGBA32_FLOAT, RGBA8_UINT = 0xcb };
/* Binding table entries, and from MACHINE_DATA on where their texels are. */
enum { ENTRY_BYTES = 1, ENTRY_DWORDS = 2, BYTES = 0x1000, DWORDS = 0x2000 };

/* A line of 32 texels, as an entry of the binding table. */
static void put_line(unsigned entry, uint32_t format, uint32_t at)
{
    const struct render_surface_state line = {
        .type = SURFACE_TYPE_1D, .format = format, .width = 31, .address = MACHINE_DATA + at};
    uint32_t d[render_surface_state_dwords] = {0}, offset = 0x400 + entry * SURFACE_STATE_BYTES;

    render_surface_state_pack(d, &line);
    memcpy(machine.surfaces + offset, d, sizeof(d));
    memcpy(machine.surfaces + 0x1000 + entry * 4, &offset, sizeof(offset));
}

/* Texel `i` is {i, i + 50, i + 100, i + 150}. `list` names the registers of the coordinates and of
 * the four channels, which r16, r20, r22, r24 and r26 begin. */
#define COUNT_LANES                                                                                \
    "(W) mov (8|M0) r10.0<1>:uw 0x76543210:uv\n"                                                   \
    "(W) add (8|M0) r10.8<1>:uw r10.0<1;1,0>:uw 8:uw {I@1}\n"                                      \
    "(W) add (16|M0) r10.16<1>:uw r10.0<1;1,0>:uw 16:uw {I@1}\n"                                   \
    "(W) mov (32|M0) r16.0<1>:ud r10.0<1;1,0>:uw {I@1}\n"
#define MAKE_CHANNELS                                                                              \
    "(W) mov (32|M0) r20.0<1>:ud r16.0<1;1,0>:ud {I@1}\n"                                          \
    "(W) add (32|M0) r22.0<1>:ud r16.0<1;1,0>:ud 50:uw\n"                                          \
    "(W) add (32|M0) r24.0<1>:ud r16.0<1;1,0>:ud 100:uw\n"                                         \
    "(W) add (32|M0) r26.0<1>:ud r16.0<1;1,0>:ud 150:uw\n"

static void run_text(const char *text)
{
    memset(machine.data, 0, 0x3000);
    machine_assemble(&machine, text);
    if (machine_run(&machine))
        fail_msg("%s", machine.fault.message);
}

static void expect_bytes(unsigned texels)
{
    const uint8_t *at = (const uint8_t *)machine.data + BYTES;

    for (unsigned i = 0; i < 32 * 4; i++)
        assert_int_equal(at[i], i / 4 < texels ? i / 4 + i % 4 * 50 : 0);
}

/* 32 lanes fill two registers with each parameter and channel: the store takes ten. */
static void test_images_of_32_lanes(void **state)
{
    (void)state;
    put_line(ENTRY_BYTES, RGBA8_UINT, BYTES);
    put_line(ENTRY_DWORDS, RGBA32_FLOAT, DWORDS);
    machine_use_lanes(&machine, 32);
    run_text(COUNT_LANES MAKE_CHANNELS
             "(W) mov (1|M0) s0.0<1>:uq 0x1918171615141110:uq\n"
             "(W) mov (1|M0) s0.1<1>:uq 0x1b1a:uq\n"
             "send.tgm (32|M0) null r[s0.0] 0x01000000 0x7400F506 {A@1,$1}\n"
             "sync.nop null {$1.src}\n"
             "(W) send.tgm (1|M0) r60 r10 null:0 0x0 0x0210011F {$4}\n"
             "sync.nop null {$4.dst}\n"
             "send.tgm (32|M0) r40 r[s0.0] 0x01000000 0x6480F502 {$2}\n"
             "sync.nop null {$2.dst}\n"
             "(W) mov (1|M0) s0.0<1>:uq 0x2d2c2b2a29281110:uq\n"
             "(W) mov (1|M0) s0.1<1>:uq 0x2f2e:uq\n"
             "send.tgm (32|M0) null r[s0.0] 0x02000000 0x7400F506 {A@1,$3}\n");
    expect_bytes(32);
    for (unsigned i = 0; i < 32 * 4; i++)
        assert_int_equal(machine.data[DWORDS / 4 + i], i / 4 + i % 4 * 50);
    machine_use_lanes(&machine, 16);
}

/* What a message is of whose image a0 names is only known when it is sent. */
static void test_image_by_address_register(void **state)
{
    (void)state;
    put_line(ENTRY_BYTES, RGBA8_UINT, BYTES);
    machine.walker.bindless_surface_base = MACHINE_SURFACES;
    run_text(COUNT_LANES MAKE_CHANNELS "(W) mov (1|M0) s0.0<1>:uq 0x1a18161410:uq\n"
                                       "(W) mov (1|M0) a0.2<1>:ud 0x440:ud\n"
                                       "send.tgm (16|M0) null r[s0.0] a0.2 0x2A00F506 {A@1,$1}\n");
    expect_bytes(16);
}

/* A payload without room for coordinates beside the channels. */
static void test_image_without_coordinates(void **state)
{
    (void)state;
    machine_assemble(&machine, "send.tgm (16|M0) null r[s0.0] 0x01000000 0x6800F506 {$1}\n");
    assert_true(machine_run(&machine) < 0);
    assert_non_null(strstr(machine.fault.message, "message that the model does not know"));
}

/* How many threads an engine holds depends on the registers that the kernel takes: as many as
 * compute-runtime counts on. */
static void test_register_file(void **state)
{
    static const unsigned registers[] = {32, 64, 96, 128, 160, 192, 256};
    static const unsigned threads[] = {10, 10, 10, 8, 6, 5, 4};
    const struct vesim_device *d = &machine.device;
    const uint32_t cores = (uint32_t)(d->slices * d->xe_cores_per_slice);

    (void)state;
    if (machine.settings.functional)
        skip(); /* work-groups run one after another, and nothing holds their threads */
    machine_assemble(&machine, "(W) math.sqt (16|M0) r20.0<1>:f r20.0<1;1,0>:f {$1}\n"
                               "(W) math.sqt (16|M0) r20.0<1>:f r20.0<1;1,0>:f {$1}\n");
    gpu_count(machine.gpu, true);
    for (size_t i = 0; i < sizeof(threads) / sizeof(threads[0]); i++) {
        const uint32_t most = cores * (uint32_t)d->ves_per_xe_core * threads[i];

        assert_int_equal(vesim_threads_per_ve(d, registers[i]), threads[i]);
        machine.walker.grf_registers = registers[i];
        machine.walker.group_end[0] = 2 * most;
        machine.walker.threads_per_group = 1;
        assert_int_equal(machine_run(&machine), 0);
        assert_true(gpu_last_walk(machine.gpu)->peak_threads <= most);
        /* a whole Xe-core's threads are one work-group at most */
        machine.walker.group_end[0] = 1;
        machine.walker.threads_per_group = (uint32_t)d->ves_per_xe_core * threads[i];
        assert_int_equal(machine_run(&machine), 0);
        assert_int_equal(gpu_last_walk(machine.gpu)->peak_threads,
                         machine.walker.threads_per_group);
        machine.walker.threads_per_group++;
        assert_true(machine_run(&machine) < 0);
        assert_non_null(strstr(machine.fault.message, "more threads"));
    }
    machine.walker.grf_registers = 128;
    machine.walker.threads_per_group = 1;
}

/* Where a thread runs, as the compiler (intel-graphics-compiler 2.40) reads it to find the thread's
 * private memory: the thread in bits 3:0 of sr0.0, its engine in bits 6:4, the Xe-core in msg0.0,
 * ten threads to an engine. */
static void test_thread_numbers(void **state)
{
    static char text[4096];
    const struct vesim_device *d = &machine.device;
    const unsigned threads = (unsigned)(d->ves_per_xe_core * d->threads_per_ve);
    const unsigned cores = (unsigned)(d->slices * d->xe_cores_per_slice);
    bool seen[128] = {false};

    (void)state;
    assert_int_equal(d->threads_per_ve, 10);
    assert_true(threads <= sizeof(seen));
    snprintf(text, sizeof(text),
             "(W) and (1|M0) r2.8<1>:ud msg0.0<0;1,0>:ud 0xFF:uw {A@1}\n"
             "(W) and (1|M0) r3.0<1>:ud sr0.0<0;1,0>:ud 0x7F:uw {A@1}\n"
             "(W) shl (1|M0) r2.8<1>:ud r2.8<0;1,0>:ud 0x3:uw {A@1}\n"
             "(W) shr (1|M0) r3.0<1>:ud r3.0<0;1,0>:ud 0x4:uw {I@2}\n"
             "(W) and (1|M0) r3.1<1>:ud sr0.0<0;1,0>:ud 0xF:uw {A@1}\n"
             "(W) or (1|M0) r2.8<1>:ud r2.8<0;1,0>:ud r3.0<0;1,0>:ud {I@2}\n"
             "(W) mad (1|M0) r6.0<1>:ud r3.1<0;0>:ud r2.8<0;0>:ud 0xA:uw {I@1}\n"
             "(W) and (1|M0) r13.0<1>:ud r0.2<0;1,0>:ud 0xff:ud\n"
             "(W) shl (1|M0) r13.0<1>:ud r13.0<0;1,0>:ud 2:w {A@1}\n"
             "(W) add (1|M0) r13.0<1>:ud r13.0<0;1,0>:ud 0x%x:ud {I@1}\n"
             "(W) mov (1|M0) r14.0<1>:uq r13.0<0;1,0>:ud {I@1}\n"
             "(W) send.ugm (1|M0) null r14 r6:1 0x0 0x04000584 {A@1,$15}\n",
             (unsigned)MACHINE_DATA);
    machine.walker.grf_registers = 96;
    machine.walker.threads_per_group = threads;
    run_text(text);
    machine.walker.grf_registers = 128;
    machine.walker.threads_per_group = 1;
    const unsigned core = machine.data[0] / threads;
    assert_true(core < cores);
    for (unsigned i = 0; i < threads; i++) {
        assert_int_equal(machine.data[i] / threads, core);
        assert_false(seen[machine.data[i] % threads]);
        seen[machine.data[i] % threads] = true;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_payload_from_anywhere),
        cmocka_unit_test(test_list_is_as_long_as_the_payload),
        cmocka_unit_test(test_short_payload),
        cmocka_unit_test(test_images_of_32_lanes),
        cmocka_unit_test(test_image_by_address_register),
        cmocka_unit_test(test_image_without_coordinates),
        cmocka_unit_test(test_thread_numbers),
        cmocka_unit_test(test_register_file),
    };

    return machine_run_tests(&machine, "panther-lake", "Xe3", tests,
                             sizeof(tests) / sizeof(tests[0]));
}
