/* The command streamer's own commands, and malicious batches. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "fake-gpu.h"
#include "gpu/gpu.h"
#include "machine.h"

#define DATA(dword)                LOW(MACHINE_DATA + 4 * (dword)), HIGH(MACHINE_DATA)
#define BATCH(offset)              LOW(MACHINE_BATCH + (offset)), HIGH(MACHINE_BATCH)
#define GPR(n)                     (0x2600 + 8 * (n))
#define ALU(opcode, first, second) ((uint32_t)(opcode) << 20 | (first) << 10 | (second))
#define STORE_REGISTER(reg, dword) MI(0x24, 4), reg, DATA(dword)
#define LOAD_IMMEDIATE(reg, value) MI(0x22, 3), reg, value

static int start(void **state)
{
    *state = machine_start("a380", CS_ENGINE_RENDER);
    fake_gpu = (struct fake_gpu){.walk_cycles = 1000};
    return 0;
}

static int start_following(void **state)
{
    *state = machine_start_following("a380", CS_ENGINE_RENDER);
    fake_gpu = (struct fake_gpu){.walk_cycles = 1000};
    return 0;
}

static int end(void **state)
{
    machine_stop(*state);
    return 0;
}

static void stores_data(void **state)
{
    struct machine *m = *state;

    assert_true(
        RUN(m, MI(0x20, 4), DATA(1), 0x11, MI(0x20, 5) | 1u << 21, DATA(2), 0x22, 0x33, END));
    assert_int_equal(m->data[1], 0x11);
    assert_int_equal(m->data[2], 0x22);
    assert_int_equal(m->data[3], 0x33);
}

static void moves_registers(void **state)
{
    struct machine *m = *state;

    m->data[0] = 0xabc;
    /* memory to register to register to memory, and a register that has no model */
    assert_true(RUN(m, MI(0x29, 4), GPR(1), DATA(0), MI(0x2a, 3), GPR(1), GPR(2),
                    STORE_REGISTER(GPR(2), 1), LOAD_IMMEDIATE(0xe48c, 7), STORE_REGISTER(0xe48c, 2),
                    STORE_REGISTER(0xb100, 3), MI(0x2e, 5), DATA(4), DATA(1), END));
    assert_int_equal(m->data[1], 0xabc);
    assert_int_equal(m->data[2], 7);
    assert_int_equal(m->data[3], 0);
    assert_int_equal(m->data[4], 0xabc);
}

static void computes(void **state)
{
    struct machine *m = *state;

    /* R2 = R0 + R1 with carry out in R3; R4 = R0 - R1; R5 = R0 ^ R1; R6 = ~R0 */
    assert_true(RUN(m, MI(0x22, 9), GPR(0), 0xffffffff, GPR(0) + 4, 0xffffffff, GPR(1), 2,
                    GPR(1) + 4, 0, MI(0x1a, 19), ALU(0x080, 0x20, 0), ALU(0x080, 0x21, 1),
                    ALU(0x100, 0, 0), ALU(0x180, 2, 0x31), ALU(0x180, 3, 0x33), ALU(0x080, 0x20, 0),
                    ALU(0x080, 0x21, 1), ALU(0x101, 0, 0), ALU(0x180, 4, 0x31), ALU(0x180, 7, 0x33),
                    ALU(0x104, 0, 0), ALU(0x180, 5, 0x31), ALU(0x580, 6, 0), ALU(0x081, 0x20, 0),
                    ALU(0x081, 0x21, 0), ALU(0x102, 0, 0), ALU(0x180, 8, 0x32), ALU(0x103, 0, 0),
                    STORE_REGISTER(GPR(2), 0), STORE_REGISTER(GPR(2) + 4, 1),
                    STORE_REGISTER(GPR(3), 2), STORE_REGISTER(GPR(4), 3), STORE_REGISTER(GPR(5), 4),
                    STORE_REGISTER(GPR(6), 5), STORE_REGISTER(GPR(7), 6), STORE_REGISTER(GPR(8), 7),
                    END));
    assert_int_equal(m->data[0], 1);
    assert_int_equal(m->data[1], 0);
    assert_int_equal(m->data[2], 0xffffffff); /* carry */
    assert_int_equal(m->data[3], 0xfffffffd);
    assert_int_equal(m->data[4], 0xfffffffd);
    assert_int_equal(m->data[5], 0);
    assert_int_equal(m->data[6], 0);          /* no borrow */
    assert_int_equal(m->data[7], 0xffffffff); /* zero flag */
}

static void refuses_unknown_alu_words(void **state)
{
    assert_false(RUN((struct machine *)*state, MI(0x1a, 2), ALU(0x7ff, 0, 0), END));
}

static uint32_t atomic(unsigned operation, unsigned size)
{
    return MI(0x2f, 11) | 1u << 18 | 1u << 16 | size << 19 | (operation | size << 5) << 8;
}

static void does_atomics(void **state)
{
    struct machine *m = *state;

    m->data[0] = 5;
    m->data[2] = 0xffffffff;
    m->data[4] = 10;
    m->data[5] = (uint32_t)-3;
    assert_true(RUN(m, MI(0x2f, 3) | 0x05 << 8, DATA(0),                   /* increment */
                    atomic(7, 1), DATA(2), 1, 0, 0, 0, 0, 0, 0, 0,         /* 64-bit add */
                    atomic(14, 0), DATA(4), 10, 99, 0, 0, 0, 0, 0, 0,      /* compare, write */
                    STORE_REGISTER(0x2620, 8),                             /* what was there */
                    atomic(10, 0), DATA(5), 2, 0, 0, 0, 0, 0, 0, 0, END)); /* signed maximum */
    assert_int_equal(m->data[0], 6);
    assert_int_equal(m->data[2], 0);
    assert_int_equal(m->data[3], 1);
    assert_int_equal(m->data[4], 99);
    assert_int_equal(m->data[8], 10);
    assert_int_equal(m->data[5], 2);
}

static void nests_batches(void **state)
{
    struct machine *m = *state;
    const uint32_t second[] = {MI(0x20, 4), DATA(0), 1, END};
    const uint32_t chained[] = {MI(0x20, 4), DATA(2), 3, END};

    memcpy(&m->batch[0x2000 / 4], second, sizeof(second));
    memcpy(&m->batch[0x3000 / 4], chained, sizeof(chained));
    /* a second level returns; a chained batch does not */
    assert_true(RUN(m, MI(0x31, 3) | 1u << 22, BATCH(0x2000), MI(0x20, 4), DATA(1), 2, MI(0x31, 3),
                    BATCH(0x3000), MI(0x20, 4), DATA(1), 77, END));
    assert_int_equal(m->data[0], 1);
    assert_int_equal(m->data[1], 2);
    assert_int_equal(m->data[2], 3);
}

/* To where R0 says. */
static void jumps_indirectly(void **state)
{
    struct machine *m = *state;
    const uint32_t chained[] = {MI(0x20, 4), DATA(2), 3, END};

    memcpy(&m->batch[0x2000 / 4], chained, sizeof(chained));
    assert_true(RUN(m, MI(0x22, 5), GPR(0), LOW(MACHINE_BATCH2), GPR(0) + 4, HIGH(MACHINE_BATCH2),
                    MI(0x31, 3) | 1u << 18, 0, 0, MI(0x20, 4), DATA(1), 77, END));
    assert_int_equal(m->data[1], 0);
    assert_int_equal(m->data[2], 3);
}

/* R2 = [R0]; [R1] = R2 */
static void goes_through_memory(void **state)
{
    struct machine *m = *state;

    m->data[0] = 0x1234;
    m->data[1] = 0x5678;
    assert_true(RUN(m, MI(0x22, 9), GPR(0), LOW(MACHINE_DATA), GPR(0) + 4, HIGH(MACHINE_DATA),
                    GPR(1), LOW(MACHINE_DATA + 16), GPR(1) + 4, HIGH(MACHINE_DATA), MI(0x1a, 10),
                    ALU(0x080, 0x20, 0), ALU(0x081, 0x21, 0), ALU(0x100, 0, 0), ALU(0x082, 2, 0x31),
                    ALU(0x001, 0, 0), ALU(0x080, 0x20, 1), ALU(0x100, 0, 0), ALU(0x181, 0x31, 2),
                    ALU(0x002, 0, 0), END));
    assert_int_equal(m->data[4], 0x1234);
    assert_int_equal(m->data[5], 0x5678);
}

static void predicates(void **state)
{
    struct machine *m = *state;

    assert_true(RUN(m, LOAD_IMMEDIATE(0x23bc, 0), MI(0x01, 1) | 1, MI(0x20, 4), DATA(0), 1,
                    MI(0x01, 1), MI(0x20, 4), DATA(1), 1, LOAD_IMMEDIATE(0x23bc, 1),
                    MI(0x01, 1) | 1, MI(0x20, 4), DATA(2), 1, MI(0x01, 1), END));
    assert_int_equal(m->data[0], 0);
    assert_int_equal(m->data[1], 1);
    assert_int_equal(m->data[2], 1);
}

static void ends_conditionally(void **state)
{
    struct machine *m = *state;
    uint32_t end_unless_greater = MI(0x36, 4) | 1u << 21;

    m->data[0] = 5;
    assert_true(RUN(m, end_unless_greater, 4, DATA(0), MI(0x20, 4), DATA(2), 1, end_unless_greater,
                    5, DATA(0), MI(0x20, 4), DATA(3), 1, END));
    assert_int_equal(m->data[2], 1);
    assert_int_equal(m->data[3], 0);
}

static void writes_post_sync(void **state)
{
    struct machine *m = *state;
    uint64_t ticks;

    assert_true(RUN(m, 0x7a000004 | 1u << 9, 1u << 14 | 1u << 20, DATA(0), 0x12, 0x34, 0x7a000004,
                    3u << 14, DATA(2), 0, 0, MI(0x26, 5) | 1u << 14, DATA(4), 0x56, 0x78, END));
    assert_int_equal(m->data[0], 0x12);
    assert_int_equal(m->data[1], 0x34);
    memcpy(&ticks, &m->data[2], 8);
    assert_int_equal(ticks,
                     A380_TICKS(2 * FLUSH_CYCLES)); /* the first one flushes, the second not */
    assert_int_equal(cs_timestamp(m->cs, 0), A380_TICKS(2 * FLUSH_CYCLES + 300 + FLUSH_CYCLES));
    assert_int_equal(m->data[4], 0x56);
    assert_int_equal(m->data[5], 0x78);
    assert_true(fake_gpu.cache_operations != 0);
}

/* PRM Vol 2a, PIPE_CONTROL: DW1 has Instruction Cache Invalidate Enable in bit 11, for the constant
 * cache in bit 3. The first may not reach what the second does, nor the other way round. */
static void invalidates_code_when_asked(void **state)
{
    struct machine *m = *state;

    fake_gpu.code_invalidations = 0; /* the kernel driver's, at the begin of a submission */
    assert_true(RUN(m, 0x7a000004, 1u << 3, 0, 0, 0, 0, END));
    assert_int_equal(fake_gpu.code_invalidations, 1);
    assert_true(RUN(m, 0x7a000004, 1u << 11, 0, 0, 0, 0, END));
    assert_int_equal(fake_gpu.code_invalidations, 3);
}

/* Linux, i915/gt/gen8_engine_cs.c: gen12_emit_flush_rcs invalidates the TLBs before each batch;
 * xe/xe_ring_ops.c does so where memory has been unbound before. PRM Vol 2a, PIPE_CONTROL: DW1 has
 * TLB Invalidate in bit 18. */
static void drops_translations(void **state)
{
    struct machine *m = *state;

    fake_gpu.tlb_invalidations = 0;
    assert_true(RUN(m, 0x7a000004, 1u << 11, 0, 0, 0, 0, END));
    assert_int_equal(fake_gpu.tlb_invalidations, 1);
    m->device.kernel_driver = VESIM_XE;
    assert_true(RUN(m, 0x7a000004, 1u << 11, 0, 0, 0, 0, END));
    assert_int_equal(fake_gpu.tlb_invalidations, 1);
    assert_true(RUN(m, 0x7a000004, 1u << 18, 0, 0, 0, 0, END));
    assert_int_equal(fake_gpu.tlb_invalidations, 2);
}

static void sleep_a_little(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
}

static const uint32_t wait_for_one[] = {
    MI(0x1c, 5) | 1u << 15 | 4u << 12, 1, DATA(0), 0, MI(0x20, 4), DATA(1), 42, END};

static void waits_for_the_host(void **state)
{
    struct machine *m = *state;

    machine_load(m, wait_for_one, sizeof(wait_for_one) / 4);
    machine_submit(m, m->context, MACHINE_BATCH);
    sleep_a_little();
    assert_int_equal(__atomic_load_n(&m->data[1], __ATOMIC_ACQUIRE), 0);
    __atomic_store_n(&m->data[0], 1, __ATOMIC_RELEASE);
    machine_wait(m);
    assert_int_equal(m->data[1], 42);
    assert_int_equal(cs_timestamp(m->cs, 0),
                     A380_TICKS(2 * FLUSH_CYCLES)); /* not the host's time */
}

#define SLEEP_TICKS (19200000 / 50) /* of sleep_a_little(), 20 ms */

/* Two timestamps with a stall of 300 cycles between them. */
static const uint32_t stamp_twice[] = {MI(0x24, 4), 0x2358,  DATA(0), 0x7a000004, 1u << 20,
                                       0,           0,       0,       0,          MI(0x24, 4),
                                       0x2358,      DATA(1), END};

/* Idle time is the host's, in pairs of ticks; what the GPU does takes the same time in every run.
 */
static void follows_the_host_while_idle(void **state)
{
    struct machine *m = *state;
    uint64_t start = FLUSH_CYCLES; /* of the first timestamp, in cycles of work */

    for (unsigned run = 0; run < 3; run++) {
        uint64_t before = cs_timestamp(m->cs, 0);

        sleep_a_little();
        uint64_t after = cs_timestamp(m->cs, 0);
        assert_true(after >= before + SLEEP_TICKS);
        assert_true(machine_run(m, stamp_twice, sizeof(stamp_twice) / 4));
        assert_true(m->data[0] >= after + 8 * 19); /* the latency of a submission, 8 us */
        assert_int_equal((m->data[0] - A380_TICKS(start)) % 2, 0);
        assert_int_equal(m->data[1] - m->data[0], A380_TICKS(start + 300) - A380_TICKS(start));
        assert_true(cs_timestamp(m->cs, 0) >= m->data[1]);
        start += 300 + 2 * FLUSH_CYCLES;
    }
}

static void follows_the_host_at_semaphores(void **state)
{
    struct machine *m = *state;
    uint64_t before = cs_timestamp(m->cs, 0);

    machine_load(m, wait_for_one, sizeof(wait_for_one) / 4);
    machine_submit(m, m->context, MACHINE_BATCH);
    sleep_a_little();
    __atomic_store_n(&m->data[0], 1, __ATOMIC_RELEASE);
    machine_wait(m);
    assert_true(cs_timestamp(m->cs, 0) >= before + SLEEP_TICKS);
}

/* Jumps back until memory is 1: R7 = (memory - 1 == 0), which decides whether what follows is
 * skipped. As Intel's driver waits for 64-bit counters, and its scheduler on Xe-HPC for work. */
static const uint32_t loop_for_one[] = {MI(0x22, 9),
                                        GPR(7) + 4,
                                        0,
                                        GPR(8),
                                        1,
                                        GPR(8) + 4,
                                        0,
                                        GPR(9),
                                        0, /* once */
                                        MI(0x29, 4),
                                        GPR(7),
                                        DATA(0),
                                        MI(0x22, 3),
                                        GPR(7) + 4,
                                        0,
                                        MI(0x1a, 5),
                                        ALU(0x080, 0x20, 7),
                                        ALU(0x080, 0x21, 8),
                                        ALU(0x101, 0, 0),
                                        ALU(0x180, 7, 0x32),
                                        MI(0x2a, 3),
                                        GPR(7),
                                        0x23bc,
                                        MI(0x01, 1) | 2,
                                        MI(0x31, 3) | 1u << 15,
                                        BATCH(9 * 4),
                                        MI(0x01, 1),
                                        MI(0x20, 4),
                                        DATA(1),
                                        42,
                                        END};

/* The same, by what ends the batch unless memory differs from 1. */
static const uint32_t end_at_one[] = {MI(0x36, 4) | 1u << 21 | 5u << 12, 1, DATA(0), MI(0x31, 3),
                                      BATCH(0)};

/* A batch that waits until data[0] is 1 ends once another context has stored that. */
static void let_another_context_store(struct machine *m, const uint32_t *batch, size_t count)
{
    struct cs_context *other = cs_context_create(m->cs, 0, CS_ENGINE_RENDER);
    const uint32_t signal[] = {MI(0x20, 4), DATA(0), 1, END};

    machine_load(m, batch, count);
    memcpy(&m->batch[0x2000 / 4], signal, sizeof(signal));
    machine_submit(m, m->context, MACHINE_BATCH);
    sleep_a_little();
    assert_int_equal(__atomic_load_n(&m->data[1], __ATOMIC_ACQUIRE), 0);
    machine_submit(m, other, MACHINE_BATCH2);
    machine_wait(m);
    machine_wait(m);
    cs_context_destroy(other, false);
}

static void waits_for_another_context(void **state)
{
    struct machine *m = *state;

    let_another_context_store(m, wait_for_one, sizeof(wait_for_one) / 4);
    assert_int_equal(m->data[1], 42);
}

static void polls_for_another_context(void **state)
{
    struct machine *m = *state;

    let_another_context_store(m, loop_for_one, sizeof(loop_for_one) / 4);
    assert_int_equal(m->data[1], 42);
}

static void polls_by_its_end(void **state)
{
    struct machine *m = *state;

    let_another_context_store(m, end_at_one, sizeof(end_at_one) / 4);
    assert_int_equal(m->data[0], 1);
    assert_false(cs_context_hung(m->context));
}

static void stops_waiting_when_destroyed(void **state)
{
    struct machine *m = *state;
    struct cs_context *other = cs_context_create(m->cs, 0, CS_ENGINE_RENDER);

    machine_load(m, wait_for_one, sizeof(wait_for_one) / 4);
    machine_submit(m, other, MACHINE_BATCH);
    machine_submit(m, other, MACHINE_BATCH);
    sleep_a_little();
    cs_context_destroy(other, true);
    machine_wait(m);
    machine_wait(m);
    assert_int_equal(m->data[1], 0);
}

static void hang_ends_the_context_alone(void **state)
{
    struct machine *m = *state;
    struct cs_context *other = cs_context_create(m->cs, 0, CS_ENGINE_RENDER);
    struct cs_job job = {.batch_address = MACHINE_BATCH};

    assert_false(RUN(m, 0xffffffff));
    assert_int_equal(cs_submit(m->context, &job), -EIO);
    machine_load(m, (const uint32_t[]){END}, 1);
    machine_submit(m, other, MACHINE_BATCH);
    machine_wait(m);
    assert_false(cs_context_hung(other));
    cs_context_destroy(other, false);
}

/* The first word of the machine's data lets a batch on `other` go on; the context of the machine is
 * reset meanwhile. */
static struct cs_context *wait_beside_a_hang(struct machine *m)
{
    struct cs_context *other = cs_context_create(m->cs, 0, CS_ENGINE_RENDER);

    machine_load(m, wait_for_one, sizeof(wait_for_one) / 4);
    machine_submit(m, other, MACHINE_BATCH);
    sleep_a_little();
    m->batch[MACHINE_BYTES / 8] = 0xffffffff;
    machine_submit(m, m->context, MACHINE_BATCH2);
    machine_wait(m);
    assert_true(cs_context_hung(m->context));
    return other;
}

/* A driver's batch that waits for more work has nothing to do with the hang, however long. */
static void hang_spares_who_waits_for_the_host(void **state)
{
    struct machine *m = *state;
    struct cs_context *other = wait_beside_a_hang(m);

    nanosleep(&(struct timespec){.tv_sec = 4}, NULL);
    __atomic_store_n(&m->data[0], 1, __ATOMIC_RELEASE);
    machine_wait(m);
    assert_int_equal(m->data[1], 42);
    assert_false(cs_context_hung(other));
    cs_context_destroy(other, false);
}

/* Nobody lets the batch go on, and somebody waits for it. */
static void hang_resets_what_is_waited_for(void **state)
{
    struct machine *m = *state;
    struct cs_context *other = wait_beside_a_hang(m);

    while (!cs_context_hung(other))
        sleep_a_little();
    machine_wait(m);
    assert_int_equal(m->data[1], 0);
    cs_context_destroy(other, false);
}

static void hang_resets_what_is_to_be_closed(void **state)
{
    struct machine *m = *state;

    cs_context_destroy(wait_beside_a_hang(m), false);
    machine_wait(m);
    assert_int_equal(m->data[1], 0);
}

static void passes_resource_barriers(void **state)
{
    const uint32_t flush[] = {0xac000003, 0,  1u << 24 | 1u << 21, 0, 0, MI(0x20, 4), DATA(0),
                              7,          END};
    const uint32_t wait[] = {0xac000003, 2u << 30, 0, DATA(0), END};

    (void)state;
    struct machine *m = machine_start("b580", CS_ENGINE_RENDER);
    assert_true(machine_run(m, flush, sizeof(flush) / sizeof(*flush)));
    assert_int_equal(m->data[0], 7);
    assert_false(machine_run(m, wait, sizeof(wait) / sizeof(*wait)));
    machine_stop(m);
}

/* Each of these must end as a hang and nothing worse. */
static void survives_hostile_batches(void **state)
{
    static const struct {
        uint32_t words[12];
        unsigned count;
    } batches[] = {
        {{MI(0x31, 3), BATCH(0)}, 3},            /* jumps to itself */
        {{MI(0x31, 3) | 1u << 22, BATCH(0)}, 3}, /* nests itself */
        {{MI(0x31, 3), 0, 0}, 3},                /* jumps to nowhere */
        {{MI(0x31, 3), LOW(MACHINE_BATCH + MACHINE_BYTES - 4), HIGH(MACHINE_BATCH)}, 3},
        {{MI(0x20, 4), 0, 0, 1, END}, 5}, /* writes where nothing is */
        {{MI(0x20, 4), 0xfffffffc, 0xffffffff, 1, END}, 5},
        {{MI(0x20, 5) | 1u << 21, DATA(MACHINE_BYTES / 4 - 1), 1, 1, END}, 6}, /* half outside */
        {{MI(0x20, 3), DATA(0), END}, 4},                                      /* too short */
        {{MI(0x22, 4), GPR(0), 1, GPR(1), END}, 5},                            /* half a pair */
        {{MI(0x22, 3), 0x7ffffc, 1, MI(0x24, 4), 0x7ffffc, 0, 0, END}, 8},
        {{MI(0x2f, 3) | 0x0f << 8, DATA(0), END}, 4},    /* no such atomic */
        {{MI(0x1c, 5), 1, DATA(0), 0, END}, 6},          /* signal mode */
        {{MI(0x26, 4) | 2u << 14, DATA(0), 1, END}, 5},  /* reserved post-sync */
        {{MI(0x3f, 2), 0, END}, 3},                      /* no such command */
        {{0x7a000004, 2u << 14, DATA(0), 0, 0, END}, 7}, /* depth count */
        {{0x7a000000, 0, END}, 3},                       /* PIPE_CONTROL too short */
        {{0xac000003, 0, 0, 0, 0, END}, 6},              /* RESOURCE_BARRIER before Xe2 */
        {{0x7105000d, 0}, 2},                            /* a walker of another generation */
        {{0x72080025, 0}, 2},                            /* no state at all */
        {{0x7fff0000, 0, END}, 3},
        {{0x50400000, 0, END}, 3}, /* the blitter's */
        {{0x20000000, END}, 2},    /* no such type */
        {{0xe0000000, END}, 2},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(batches) / sizeof(*batches); i++) {
        struct machine *m = machine_start("a380", CS_ENGINE_RENDER);

        memset(m->batch, 0, sizeof(m->batch));
        if (machine_run(m, batches[i].words, batches[i].count))
            fail_msg("hostile batch %zu went well", i);
        machine_stop(m);
    }
}

static void survives_a_batch_without_end(void **state)
{
    struct machine *m = *state;

    memset(m->batch, 0, sizeof(m->batch)); /* no-ops up to the end of the buffer */
    machine_submit(m, m->context, MACHINE_BATCH);
    machine_wait(m);
    assert_true(cs_context_hung(m->context));
}

/* A loop that looks at no memory waits for nobody. */
static void survives_a_loop_without_end(void **state)
{
    assert_false(RUN((struct machine *)*state, MI(0x2a, 3), GPR(1), GPR(2), MI(0x31, 3), BATCH(0)));
}

static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525 + 1013904223;
    return *state >> 8;
}

/* Commands of valid length whose dwords are addresses half of the time, so that the batch gets
 * far. */
static void fill_with_commands(struct machine *m, uint32_t *seed)
{
    static const uint32_t headers[] = {MI(0x00, 1),
                                       MI(0x01, 1),
                                       MI(0x20, 4),
                                       MI(0x20, 5) | 1u << 21,
                                       MI(0x22, 3),
                                       MI(0x22, 5),
                                       MI(0x24, 4),
                                       MI(0x29, 4),
                                       MI(0x2a, 3),
                                       MI(0x2e, 5),
                                       MI(0x2f, 3) | 0x500,
                                       MI(0x26, 5),
                                       MI(0x1a, 5),
                                       MI(0x31, 3) | 1u << 22,
                                       0x7a000004,
                                       0x61010014,
                                       0x70000007,
                                       0x70020002,
                                       0x7105000d,
                                       0x72080025,
                                       0x72000004,
                                       0x79190002,
                                       0x61050000,
                                       0x69040000,
                                       0x50400014,
                                       0x5100000e,
                                       END};
    size_t at = 0;

    while (at < MACHINE_BYTES / 4 - 64) {
        uint32_t header = headers[next_random(seed) % (sizeof(headers) / sizeof(*headers))];
        uint32_t words = header >> 29 == 0 && (header >> 23) < 0x10 ? 1 : (header & 0xff) + 2;

        if (header >> 16 == 0x6904)
            words = 1;
        m->batch[at++] = header;
        for (uint32_t i = 1; i < words; i++) {
            uint32_t kind = next_random(seed) % 8, value = next_random(seed);

            if (kind < 3)
                m->batch[at++] = value % (MACHINE_BYTES / 4) * 4; /* low half of a data address */
            else if (kind < 6)
                m->batch[at++] = HIGH(MACHINE_DATA);
            else
                m->batch[at++] = value % 2 ? value : value % 8;
        }
    }
}

static void survives_random_commands(void **state)
{
    int quiet = open("/dev/null", O_WRONLY | O_CLOEXEC), stderr_copy = dup(2);
    uint32_t seed = 12345;

    (void)state;
    fflush(stderr);
    dup2(quiet, 2); /* every round ends as a hang and says so */
    for (int round = 0; round < 3000; round++) {
        struct machine *m =
            machine_start(round % 2 ? "iris-xe" : "a380", (enum cs_engine)(round % 3));

        fill_with_commands(m, &seed);
        machine_submit(m, m->context, MACHINE_BATCH);
        machine_wait(m);
        machine_stop(m);
    }
    dup2(stderr_copy, 2);
    close(stderr_copy);
    close(quiet);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, start, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(stores_data),
        TEST(moves_registers),
        TEST(computes),
        TEST(refuses_unknown_alu_words),
        TEST(does_atomics),
        TEST(nests_batches),
        TEST(jumps_indirectly),
        TEST(goes_through_memory),
        TEST(predicates),
        TEST(ends_conditionally),
        TEST(writes_post_sync),
        TEST(invalidates_code_when_asked),
        TEST(drops_translations),
        TEST(waits_for_the_host),
        cmocka_unit_test_setup_teardown(follows_the_host_while_idle, start_following, end),
        cmocka_unit_test_setup_teardown(follows_the_host_at_semaphores, start_following, end),
        TEST(waits_for_another_context),
        TEST(polls_for_another_context),
        TEST(polls_by_its_end),
        TEST(stops_waiting_when_destroyed),
        TEST(hang_ends_the_context_alone),
        TEST(hang_spares_who_waits_for_the_host),
        TEST(hang_resets_what_is_waited_for),
        TEST(hang_resets_what_is_to_be_closed),
        cmocka_unit_test(passes_resource_barriers),
        cmocka_unit_test(survives_hostile_batches),
        TEST(survives_a_batch_without_end),
        TEST(survives_a_loop_without_end),
        cmocka_unit_test(survives_random_commands),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
