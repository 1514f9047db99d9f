/* Walker commands of both generations, and the copy engine. */
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "streamer/context.h" /* has a macro END for itself */

#include "fake-gpu.h"
#include "machine.h"

#define DATA(dword) LOW(MACHINE_DATA + 4 * (dword)), HIGH(MACHINE_DATA)
/* Bases are pages, with the modify bit set. */
#define BASE(page) LOW(MACHINE_DATA + 4096 * (page)) | 1, HIGH(MACHINE_DATA)

/* General base at page 0, surface 1, dynamic 2, indirect 3, instructions 0. */
#define STATE_BASE_ADDRESS                                                                         \
    0x61010014, BASE(0), 0, BASE(1), BASE(2), BASE(3), BASE(0), 0, 0, 0, 0, BASE(1), 0, 0, 0, 0

static struct machine *start(const char *device, enum cs_engine engine)
{
    fake_gpu = (struct fake_gpu){.walk_cycles = 2450000};
    return machine_start(device, engine);
}

/* Two threads a group, with 2 registers for all and 3 for each. */
static void gpgpu_walk(struct machine *m, uint32_t indirect_bytes)
{
    uint32_t *descriptor = &m->data[(8192 + 64 + 32) / 4]; /* the second of those at 64 */

    descriptor[0] = 0x40;                               /* kernel */
    descriptor[2] = 1u << 19;                           /* denormals kept */
    descriptor[3] = 0x60;                               /* samplers */
    descriptor[4] = 0x80;                               /* binding table */
    descriptor[5] = 3u << 16;                           /* per-thread: 3 registers */
    descriptor[6] = 2 | 5u << 16 | 1u << 21 | 3u << 22; /* threads, 16 KB, barrier, rounding */
    descriptor[7] = 2;                                  /* cross-thread: 2 registers */
    assert_true(RUN(m, STATE_BASE_ADDRESS, 0x70000007, 0x400 | 1, 0, 0, 0, 0, 0, 0, 0, 0x70020002,
                    0, 64, 64, 0x7105000d, 1, indirect_bytes, 0x100, 1 | 1u << 30, 1, 0, 4, 2, 0, 5,
                    0, 1, 0xff, 0xffffffff, 0x70040000, 0, END));
}

static void decodes_gpgpu_walker(void **state)
{
    struct machine *m = start("iris-xe", CS_ENGINE_RENDER);
    const struct walker *w = &fake_gpu.last;

    (void)state;
    gpgpu_walk(m, 64 + 2 * 96);
    assert_int_equal(fake_gpu.walks, 1);
    assert_int_equal(w->kernel_address, MACHINE_DATA + 0x40);
    assert_int_equal(w->instruction_base, MACHINE_DATA);
    assert_int_equal(w->simd_width, 16);
    assert_int_equal(w->threads_per_group, 2);
    assert_int_equal(w->group_start[0], 1);
    assert_int_equal(w->group_end[0], 4);
    assert_int_equal(w->group_start[1], 2);
    assert_int_equal(w->group_end[1], 5);
    assert_int_equal(w->group_end[2], 1);
    assert_int_equal(w->execution_mask, 0xff);
    assert_int_equal(w->indirect_address, MACHINE_DATA + 3 * 4096 + 0x100);
    assert_int_equal(w->cross_thread_bytes, 64);
    assert_int_equal(w->per_thread_bytes, 96);
    assert_false(w->lacks_per_thread_data);
    assert_int_equal(w->local_id_source, LOCAL_ID_FROM_MEMORY);
    assert_int_equal(w->slm_bytes, 16384);
    assert_int_equal(w->barriers, 1);
    assert_int_equal(w->grf_registers, 128);
    assert_int_equal(w->surface_state_base, MACHINE_DATA + 4096);
    assert_int_equal(w->binding_table_offset, 0x80);
    assert_int_equal(w->sampler_state_offset, 0x60);
    assert_int_equal(w->scratch_address, MACHINE_DATA + 0x400);
    assert_int_equal(w->scratch_bytes_per_thread, 2048);
    assert_true(w->denorm_retain);
    assert_int_equal(w->rounding_mode, 3);
    machine_stop(m);
}

/* A kernel that takes no ids has its registers for them all the same. */
static void keeps_registers_without_data(void **state)
{
    struct machine *m = start("iris-xe", CS_ENGINE_RENDER);

    (void)state;
    gpgpu_walk(m, 64);
    assert_int_equal(fake_gpu.walks, 1);
    assert_int_equal(fake_gpu.last.per_thread_bytes, 96);
    assert_true(fake_gpu.last.lacks_per_thread_data);
    machine_stop(m);
}

static void needs_a_loaded_descriptor(void **state)
{
    struct machine *m = start("iris-xe", CS_ENGINE_RENDER);

    (void)state;
    assert_false(RUN(m, STATE_BASE_ADDRESS, 0x7105000d, 1, 0, 0, 1u << 30, 0, 0, 1, 0, 0, 1, 0, 1,
                     0xff, 0xffffffff, END));
    machine_stop(m);
}

#define COMPUTE_WALKER(flags, groups, post_sync, address)                                          \
    0x72080025 | (flags), 0, 0, 0x80, 1u << 30 | 1u << 29 | 7u << 26 | 1u << 25 | 2u << 22,        \
        0xffff, 31 | 1u << 10, groups, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0x40, 0, 0, 0, 0x60,          \
        2 | 3u << 16 | 1u << 28, 0, 0, post_sync, address, 0x77, 0x88, 100, 101, 102, 103, 104,    \
        105, 106, 107

static void decodes_compute_walker(void **state)
{
    struct machine *m = start("a380", CS_ENGINE_COMPUTE);
    const struct walker *w = &fake_gpu.last;

    (void)state;
    /* Nothing is mapped at the scratch surface's state (8 MB): a kernel without scratch memory
     * never reads it. */
    assert_true(RUN(m, STATE_BASE_ADDRESS, 0x79190002, LOW(MACHINE_DATA + 8192), HIGH(MACHINE_DATA),
                    0, 0x61050000, 1u << 15 | 1u << 31, 0x72000004, 0x20000u << 10, 0, 0, 0, 0,
                    COMPUTE_WALKER(0, 3, 1, DATA(0)), END));
    assert_int_equal(w->kernel_address, MACHINE_DATA + 0x40);
    assert_int_equal(w->simd_width, 16);
    assert_int_equal(w->group_end[0], 3);
    assert_int_equal(w->threads_per_group, 2);
    assert_int_equal(w->execution_mask, 0xffff);
    assert_int_equal(w->indirect_address, MACHINE_DATA + 0x80);
    assert_int_equal(w->cross_thread_bytes, 0);
    assert_int_equal(w->local_id_source, LOCAL_ID_FROM_HARDWARE);
    assert_int_equal(w->local_id_dimensions, 3);
    assert_int_equal(w->local_size[0], 32);
    assert_int_equal(w->local_size[1], 2);
    assert_int_equal(w->local_size[2], 1);
    assert_int_equal(w->walk_order, 2);
    assert_int_equal(w->inline_bytes, 8 * 4);
    for (unsigned i = 0; i < 8; i++)
        assert_int_equal(w->inline_data[i], 100 + i);
    assert_int_equal(w->slm_bytes, 4096);
    assert_int_equal(w->barriers, 1);
    assert_int_equal(w->grf_registers, 256);
    assert_int_equal(w->binding_table_offset, 4096 + 0x60); /* from the surface states' base */
    assert_int_equal(w->scratch_surface_offset, 0x20000 * 64);
    assert_int_equal(m->data[0], 0x77);
    assert_int_equal(m->data[1], 0x88);
    machine_stop(m);
}

#define COMPUTE_WALKER_XE2(registers)                                                              \
    0x72080026, 0, 0, 0, 1u << 30, 0xffff, 15, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x40, 0,        \
        (registers) << 26, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0

/* Xe3's walkers say how many registers a thread takes, which Xe2's do not. */
static void sizes_register_files(void **state)
{
    static const uint32_t registers[] = {32, 64, 96, 128, 160, 192, 0, 256};

    (void)state;
    for (uint32_t field = 0; field < 10; field++) {
        struct machine *m = start("panther-lake", CS_ENGINE_COMPUTE);
        const uint32_t expected = field < 8 ? registers[field] : 0;

        assert_int_equal(RUN(m, STATE_BASE_ADDRESS, COMPUTE_WALKER_XE2(field), END), expected != 0);
        if (expected)
            assert_int_equal(fake_gpu.last.grf_registers, expected);
        machine_stop(m);
        m = start("b580", CS_ENGINE_COMPUTE);
        assert_true(RUN(m, STATE_BASE_ADDRESS, COMPUTE_WALKER_XE2(field), END));
        assert_int_equal(fake_gpu.last.grf_registers, 128);
        machine_stop(m);
    }
}

#define POST_SYNC_XE3P(operation, address, data) (operation) | 1u << 2 | 1u << 12, address, data, 0

/* The kernel by its own address, and no heaps; what it ends with, in this order: a timestamp, data,
 * 5 added to a qword, nothing. */
#define COMPUTE_WALKER_2(slm, registers)                                                           \
    0x7220003e, 0, 0, 0, 1u << 30 | 1u << 29 | 7u << 26 | 1u << 25 | 2u << 22, 0xffff,             \
        31 | 1u << 10, 3, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, LOW(MACHINE_DATA + 0x40),               \
        HIGH(MACHINE_DATA), 1u << 19 | (registers) << 26, 0, 0,                                    \
        2 | (slm) << 16 | 3u << 22 | 2u << 28, 0, 0, POST_SYNC_XE3P(3u << 16, DATA(0), 0), 100,    \
        101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 113, 114, 115,                 \
        POST_SYNC_XE3P(1u << 16, DATA(8), 0x77),                                                   \
        POST_SYNC_XE3P(2u << 16 | 1u << 20 | 0x27u << 24, DATA(10), 5), 0, 0, 0, 0, 0, 0

static void decodes_compute_walker_2(void **state)
{
    struct machine *m = start("nova-lake-p", CS_ENGINE_COMPUTE);
    const struct walker *w = &fake_gpu.last;

    (void)state;
    m->data[10] = 0xffffffff;
    assert_true(RUN(m, COMPUTE_WALKER_2(12, 1), END));
    assert_int_equal(w->kernel_address, MACHINE_DATA + 0x40);
    assert_int_equal(w->simd_width, 16);
    assert_int_equal(w->group_end[0], 3);
    assert_int_equal(w->threads_per_group, 2);
    assert_int_equal(w->execution_mask, 0xffff);
    assert_int_equal(w->local_id_source, LOCAL_ID_FROM_HARDWARE);
    assert_int_equal(w->local_id_dimensions, 3);
    assert_int_equal(w->local_size[0], 32);
    assert_int_equal(w->local_size[1], 2);
    assert_int_equal(w->walk_order, 2);
    assert_int_equal(w->slm_bytes, 192 << 10);
    assert_int_equal(w->barriers, 2);
    assert_int_equal(w->grf_registers, 64);
    assert_int_equal(w->rounding_mode, 3);
    assert_true(w->denorm_retain);
    assert_int_equal(w->inline_bytes, 64);
    for (unsigned i = 0; i < 16; i++)
        assert_int_equal(w->inline_data[i], 100 + i);
    assert_true(m->data[2] < m->data[6]); /* global start and end, a qword each */
    assert_int_equal(m->data[8], 0x77);
    assert_int_equal(m->data[10], 4);
    assert_int_equal(m->data[11], 1); /* the carry */
    machine_stop(m);
}

/* Sizes of local memory by compute-runtime's SHARED_LOCAL_MEMORY_SIZE of Xe3P, in KB. */
static void sizes_local_memory(void **state)
{
    static const uint32_t kilobytes[] = {0,   1,   2, 4, 8, 16, 32, 64, 24, 48, 96, 128, 192, 256,
                                         320, 384, 3, 5, 6, 7,  9,  10, 11, 12, 13, 14,  15};

    (void)state;
    for (uint32_t field = 0; field < 32; field++) {
        struct machine *m = start("crescent-island", CS_ENGINE_COMPUTE);
        const bool known = field < sizeof(kilobytes) / sizeof(*kilobytes);

        assert_int_equal(RUN(m, COMPUTE_WALKER_2(field, 3), END), known);
        if (known)
            assert_int_equal(fake_gpu.last.slm_bytes, kilobytes[field] << 10);
        machine_stop(m);
    }
}

/* Neither generation has the other's walker, and 512 registers are not modelled. */
static void refuses_other_walkers(void **state)
{
    struct machine *m = start("panther-lake", CS_ENGINE_COMPUTE);

    (void)state;
    assert_false(RUN(m, COMPUTE_WALKER_2(0, 1), END));
    machine_stop(m);
    m = start("nova-lake-p", CS_ENGINE_COMPUTE);
    assert_false(RUN(m, STATE_BASE_ADDRESS, COMPUTE_WALKER_XE2(1), END));
    machine_stop(m);
    m = start("nova-lake-p", CS_ENGINE_COMPUTE);
    assert_false(RUN(m, COMPUTE_WALKER_2(0, 15), END));
    machine_stop(m);
}

/* MI_SEMAPHORE_WAIT_64 compares qwords, or dwords where it says so; with data of its own or of the
 * first general-purpose register. What does not hold would wait for ever. */
static void waits_for_qwords(void **state)
{
    struct machine *m = start("nova-lake-p", CS_ENGINE_COMPUTE);

    (void)state;
    m->data[0] = 7;
    m->data[1] = 1;
    assert_true(RUN(m, 0x1d800005 | 4u << 12, 7, 1, DATA(0), 0, 0,          /* equal */
                    0x1d800005 | 1u << 19 | 4u << 12, 7, 9, DATA(0), 0, 0,  /* as a dword */
                    0x11000003, 0x2600, 6, 0x2604, 1,                       /* the register */
                    0x1d800005 | 1u << 17 | 1u << 12, 0, 0, DATA(0), 0, 0,  /* at least that */
                    0x0e000003 | 1u << 19 | 1u << 15, 0, DATA(0), 0, END)); /* above it */
    assert_false(RUN(m, 0x1d800005 | 1u << 16 | 4u << 12, 7, 1, DATA(0), 0, 0, END));
    machine_stop(m);
}

static void keeps_time(void **state)
{
    struct machine *m = start("a380", CS_ENGINE_COMPUTE);
    const uint64_t walk = 2450000; /* cycles at 2.45 GHz: 1 ms */
    const uint64_t first = FLUSH_CYCLES + walk, second = first + walk;

    (void)state;
    assert_true(RUN(m, STATE_BASE_ADDRESS, COMPUTE_WALKER(0, 1, 0, DATA(0)),
                    COMPUTE_WALKER(0, 1, 3, DATA(8)), MI(0x24, 4), 0x2358, DATA(16), END));
    assert_int_equal(m->data[8], A380_TICKS(first) - CONTEXT_TICKS_LATER);
    assert_int_equal(m->data[9], A380_TICKS(first));
    assert_int_equal(m->data[10], A380_TICKS(second) - CONTEXT_TICKS_LATER);
    assert_int_equal(m->data[11], A380_TICKS(second));
    assert_int_equal(m->data[16], A380_TICKS(second));
    assert_int_equal(cs_timestamp(m->cs, 0), A380_TICKS(second + FLUSH_CYCLES));
    machine_stop(m);
}

static void context_time_is_its_own(void **state)
{
    struct machine *m = start("a380", CS_ENGINE_COMPUTE);
    struct cs_context *other = cs_context_create(m->cs, 0, CS_ENGINE_COMPUTE);
    const uint32_t walk[] = {STATE_BASE_ADDRESS, COMPUTE_WALKER(0, 1, 0, DATA(0)), END};
    const uint64_t before = FLUSH_CYCLES + 2450000 + FLUSH_CYCLES; /* of the other context */

    (void)state;
    machine_load(m, walk, sizeof(walk) / 4);
    machine_submit(m, other, MACHINE_BATCH);
    machine_wait(m);
    assert_true(RUN(m, STATE_BASE_ADDRESS, COMPUTE_WALKER(0, 1, 3, DATA(8)), END));
    assert_int_equal(m->data[8], A380_TICKS(FLUSH_CYCLES) - CONTEXT_TICKS_LATER);
    assert_int_equal(m->data[9], A380_TICKS(before + FLUSH_CYCLES));
    assert_int_equal(m->data[10], A380_TICKS(FLUSH_CYCLES + 2450000) - CONTEXT_TICKS_LATER);
    assert_int_equal(m->data[11], A380_TICKS(before + FLUSH_CYCLES + 2450000));
    cs_context_destroy(other, false);
    machine_stop(m);
}

/* The walks behind an unbinding, and no others. */
static void unbinding_drops_translations(void **state)
{
    struct machine *m = start("a380", CS_ENGINE_COMPUTE);
    const uint32_t walk[] = {STATE_BASE_ADDRESS, COMPUTE_WALKER(0, 1, 0, DATA(0)), END};

    (void)state;
    m->device.kernel_driver = VESIM_XE;
    machine_load(m, walk, sizeof(walk) / 4);
    for (unsigned unbindings = 0; unbindings < 3; unbindings++) {
        for (unsigned times = 0; times < 2; times++) {
            machine_submit(m, m->context, MACHINE_BATCH);
            machine_wait(m);
        }
        assert_int_equal(fake_gpu.tlb_invalidations, unbindings);
        cs_drop_translations(m->cs);
    }
    machine_stop(m);
}

/* What the first walk submits, to contexts that then wait for their turn. */
static struct {
    struct machine *machine;
    struct cs_context *contexts[2];
    unsigned count;
} later;

static bool wants_turn(struct cs_context *context)
{
    pthread_mutex_lock(&context->cs->lock);
    bool wants = context->wants_turn;
    pthread_mutex_unlock(&context->cs->lock);
    return wants;
}

static void submit_later(void)
{
    fake_gpu.on_walk = NULL;
    for (unsigned i = 0; i < later.count; i++) {
        machine_submit(later.machine, later.contexts[i], MACHINE_BATCH2 + i * 64);
        while (!wants_turn(later.contexts[i]))
            sched_yield();
    }
}

/* A batch of two walks, behind which data[0] is 1 and 2; what the first walk submits copies data[0]
 * to data[1], and of two contexts the second one to data[2]. */
static void run_with_later(struct machine *m, const int *priorities, unsigned count)
{
    const uint32_t walks[] = {STATE_BASE_ADDRESS,
                              COMPUTE_WALKER(0, 1, 0, DATA(8)),
                              MI(0x20, 4),
                              DATA(0),
                              1,
                              COMPUTE_WALKER(0, 1, 0, DATA(8)),
                              MI(0x20, 4),
                              DATA(0),
                              2,
                              END};
    const uint32_t copy[] = {MI(0x2e, 5), DATA(1), DATA(0), END};
    const uint32_t copy_other[] = {MI(0x2e, 5), DATA(2), DATA(1), END};

    later.machine = m;
    later.count = count;
    memset(m->data, 0, 16);
    for (unsigned i = 0; i < count; i++) {
        later.contexts[i] = cs_context_create(m->cs, 0, CS_ENGINE_COMPUTE);
        cs_context_set_priority(later.contexts[i], priorities[i]);
    }
    machine_load(m, walks, sizeof(walks) / 4);
    memcpy((uint8_t *)m->batch + (MACHINE_BATCH2 - MACHINE_BATCH), copy, sizeof(copy));
    memcpy((uint8_t *)m->batch + (MACHINE_BATCH2 - MACHINE_BATCH) + 64, copy_other,
           sizeof(copy_other));
    fake_gpu.on_walk = submit_later;
    machine_submit(m, m->context, MACHINE_BATCH);
    for (unsigned i = 0; i < count + 1; i++)
        machine_wait(m);
    for (unsigned i = 0; i < count; i++)
        cs_context_destroy(later.contexts[i], false);
}

/* A context of a higher priority comes before the next walk of one that executes, and before others
 * that wait. */
static void priorities_decide(void **state)
{
    struct machine *m = start("a380", CS_ENGINE_COMPUTE);

    (void)state;
    run_with_later(m, (const int[]){0}, 1);
    assert_int_equal(m->data[1], 2);
    run_with_later(m, (const int[]){1}, 1);
    assert_int_equal(m->data[1], 1);
    cs_context_set_priority(m->context, -1);
    run_with_later(m, (const int[]){0}, 1);
    assert_int_equal(m->data[1], 1);
    cs_context_set_priority(m->context, 0);
    run_with_later(m, (const int[]){0, 0}, 2); /* the second copies what the first has copied */
    assert_int_equal(m->data[2], 2);
    run_with_later(m, (const int[]){-1, 0}, 2);
    assert_int_equal(m->data[1], 2);
    assert_int_equal(m->data[2], 0);
    machine_stop(m);
}

/* Both stacks run the same commands, each its part of the walk, which begin at one time whatever
 * either did before. What they write goes apart. */
static void stacks_share_a_walk(void **state)
{
    enum { ID = 0x221c, OFFSET = 0x23b4, APART = 1 << 11, HEADER = 22, DIMENSION = 30 };
    struct machine *m = start("max-1550", CS_ENGINE_COMPUTE);
    struct cs_context *second = cs_context_create(m->cs, 1, CS_ENGINE_COMPUTE);
    const uint32_t second_id[] = {MI(0x22, 3), ID, 1, END};
    uint32_t walk[] = {STATE_BASE_ADDRESS,
                       COMPUTE_WALKER(1 << 9, 5, 3, DATA(16)),
                       MI(0x22, 3),
                       OFFSET,
                       8,
                       MI(0x20, 4) | APART,
                       DATA(8),
                       77,
                       END};

    (void)state;
    walk[HEADER + 2] = 1u << DIMENSION; /* in x */
    walk[HEADER + 14] = 3;              /* groups of a part */
    assert_true(RUN(m, STATE_BASE_ADDRESS, COMPUTE_WALKER(0, 1, 0, DATA(0)), END));
    assert_true(RUN(m, MI(0x22, 3), ID, 0, END));
    machine_load(m, second_id, sizeof(second_id) / 4);
    machine_submit(m, second, MACHINE_BATCH);
    machine_wait(m);
    machine_load(m, walk, sizeof(walk) / 4);
    machine_submit(m, second, MACHINE_BATCH);
    machine_submit(m, m->context, MACHINE_BATCH);
    machine_wait(m);
    machine_wait(m);
    assert_false(cs_context_hung(m->context) || cs_context_hung(second));
    assert_int_equal(fake_gpu.of_stack[0].group_start[0], 0);
    assert_int_equal(fake_gpu.of_stack[0].group_end[0], 3);
    assert_int_equal(fake_gpu.of_stack[1].group_start[0], 3);
    assert_int_equal(fake_gpu.of_stack[1].group_end[0], 5);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(m->data[16 + i], m->data[20 + i]);
    assert_true(m->data[17] > TICKS_AT_START + m->data[19] - m->data[17]); /* behind the first */
    assert_int_equal(m->data[8], 77);
    assert_int_equal(m->data[10], 77);
    cs_context_destroy(second, false);
    machine_stop(m);
}

/* A stack may not reset what another has yet to see: both wait at the semaphore before either goes
 * on, to the last increment and at one time. */
static void stacks_go_on_together(void **state)
{
    enum { INCREMENT = 5, ROUNDS = 20 };
    struct machine *m = start("max-1550", CS_ENGINE_COMPUTE);
    struct cs_context *second = cs_context_create(m->cs, 1, CS_ENGINE_COMPUTE);
    const uint32_t id[] = {MI(0x22, 3), 0x221c, 1, END};
    /* one more at the first dword, wait for both, reset it, write the time */
    const uint32_t meet[] = {MI(0x2f, 3) | INCREMENT << 8,
                             DATA(0),
                             MI(0x1c, 4) | 1u << 15 | 1u << 12,
                             2,
                             DATA(0),
                             MI(0x20, 4),
                             DATA(0),
                             0,
                             0x7a000004,
                             3u << 14,
                             DATA(4),
                             0,
                             0,
                             END};

    (void)state;
    assert_true(RUN(m, MI(0x22, 3), 0x221c, 0, END));
    machine_load(m, id, sizeof(id) / 4);
    machine_submit(m, second, MACHINE_BATCH);
    machine_wait(m);
    machine_load(m, meet, sizeof(meet) / 4);
    for (int i = 0; i < ROUNDS; i++) {
        machine_submit(m, i % 2 ? second : m->context, MACHINE_BATCH);
        machine_submit(m, i % 2 ? m->context : second, MACHINE_BATCH);
        machine_wait(m);
        machine_wait(m);
        assert_int_equal(m->data[0], 0);
    }
    assert_false(cs_context_hung(m->context) || cs_context_hung(second));
    assert_int_equal(cs_timestamp(m->cs, 0), cs_timestamp(m->cs, 1));
    cs_context_destroy(second, false);
    machine_stop(m);
}

/* Where both wait at commands of their own, the stack whose time is earlier goes on: what the other
 * writes later it does not see. */
static void stacks_go_on_in_the_order_of_their_times(void **state)
{
    enum { ROUNDS = 20 };
    struct machine *m = start("max-1550", CS_ENGINE_COMPUTE);
    struct cs_context *second = cs_context_create(m->cs, 1, CS_ENGINE_COMPUTE);
    const uint32_t id[] = {MI(0x22, 3), 0x221c, 1, END};
#define ALWAYS MI(0x1c, 4) | 1u << 15 | 1u << 12, 0, DATA(2) /* a semaphore that holds */
    const uint32_t both[] = {ALWAYS, END};
    const uint32_t late[] = {
        STATE_BASE_ADDRESS, COMPUTE_WALKER(0, 1, 0, DATA(0)), ALWAYS, MI(0x20, 4), DATA(4), 1, END};
    const uint32_t early[] = {ALWAYS, ALWAYS, ALWAYS, MI(0x2e, 5), DATA(6), DATA(4), END};
#undef ALWAYS

    (void)state;
    assert_true(RUN(m, MI(0x22, 3), 0x221c, 0, END));
    machine_load(m, id, sizeof(id) / 4);
    machine_submit(m, second, MACHINE_BATCH);
    machine_wait(m);
    for (int i = 0; i < ROUNDS; i++) {
        machine_load(m, both, sizeof(both) / 4);
        machine_submit(m, second, MACHINE_BATCH);
        machine_submit(m, m->context, MACHINE_BATCH);
        machine_wait(m);
        machine_wait(m);
        m->data[4] = 0;
        machine_load(m, late, sizeof(late) / 4);
        memcpy(m->batch + (MACHINE_BATCH2 - MACHINE_BATCH) / 4, early, sizeof(early));
        machine_submit(m, second, MACHINE_BATCH2);
        machine_submit(m, m->context, MACHINE_BATCH);
        machine_wait(m);
        machine_wait(m);
        assert_int_equal(m->data[4], 1);
        assert_int_equal(m->data[6], 0);
    }
    assert_false(cs_context_hung(m->context) || cs_context_hung(second));
    cs_context_destroy(second, false);
    machine_stop(m);
}

static void takes_dimensions_from_registers(void **state)
{
    struct machine *m = start("a380", CS_ENGINE_COMPUTE);

    (void)state;
    /* predicated off, then on */
    assert_true(RUN(m, STATE_BASE_ADDRESS, MI(0x22, 7), 0x2500, 7, 0x2504, 8, 0x2508, 9,
                    COMPUTE_WALKER(1u << 10 | 1u << 8, 1, 0, DATA(0)), END));
    assert_int_equal(fake_gpu.walks, 0);
    assert_true(
        RUN(m, MI(0x22, 3), 0x2418, 1, COMPUTE_WALKER(1u << 10 | 1u << 8, 1, 0, DATA(0)), END));
    assert_int_equal(fake_gpu.walks, 1);
    assert_int_equal(fake_gpu.last.group_end[0], 7);
    assert_int_equal(fake_gpu.last.group_end[1], 8);
    assert_int_equal(fake_gpu.last.group_end[2], 9);
    machine_stop(m);
}

static void kernel_faults_hang(void **state)
{
    struct machine *m = start("a380", CS_ENGINE_COMPUTE);

    (void)state;
    fake_gpu.fault = true;
    assert_false(RUN(m, STATE_BASE_ADDRESS, COMPUTE_WALKER(0, 1, 1, DATA(0)), END));
    assert_int_equal(m->data[0], 0); /* no post-sync */
    machine_stop(m);
}

static void skips_empty_walks(void **state)
{
    struct machine *m = start("a380", CS_ENGINE_COMPUTE);

    (void)state;
    assert_true(RUN(m, STATE_BASE_ADDRESS, COMPUTE_WALKER(0, 0, 1, DATA(0)), END));
    assert_int_equal(fake_gpu.walks, 0);
    assert_int_equal(m->data[0], 0x77);
    machine_stop(m);
}

/* 0x41: copy; 0x44: fill. Pitches are stored less one. */
#define BLITTER(opcode, depth, dwords)                                                             \
    (2u << 29 | (uint32_t)(opcode) << 22 | (depth) << 19 | ((dwords)-2))

static void copies_rows(void **state)
{
    struct machine *m = start("a380", CS_ENGINE_COPY);
    uint8_t *bytes = (uint8_t *)m->data;

    (void)state;
    for (unsigned i = 0; i < 256; i++)
        bytes[i] = (uint8_t)i;
    /* 3 rows of 5 bytes: from pitch 16 at (1, 0) to pitch 8 */
    assert_true(RUN(m, BLITTER(0x41, 0, 22), 7, 0, 3u << 16 | 5, DATA(1024), 0, 1, 15, DATA(0), 0,
                    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, END));
    for (unsigned y = 0; y < 3; y++) {
        for (unsigned x = 0; x < 8; x++)
            assert_int_equal(bytes[4096 + y * 8 + x], x < 5 ? y * 16 + x + 1 : 0);
    }
    assert_int_equal(fake_gpu.traffic, 2 * 15); /* read and written */
    assert_true(RUN(m, BLITTER(0x44, 2, 16), 15, 0, 2u << 16 | 4, DATA(2048), 0, 0x01020304, 0, 0,
                    0, 0, 0, 0, 0, 0, END));
    for (unsigned i = 0; i < 8; i++)
        assert_int_equal(m->data[2048 + i], 0x01020304);
    assert_int_equal(m->data[2056], 0);
    assert_int_equal(fake_gpu.traffic, 2 * 15 + 32); /* written */
    machine_stop(m);
}

/* Byte `x` of row `y` in a tile of 128 bytes and 32 rows, whose lines of 64 bytes are 4 rows of 16:
 * Bspec, "Tile4 Format". */
static uint32_t tile4_offset(uint32_t x, uint32_t y)
{
    return x % 16 + y % 4 * 16 + x / 16 % 4 * 64 + y / 4 % 2 * 256 + x / 64 * 512 + y / 8 * 1024;
}

/* A copy of 40 by 10 pixels of 2 bytes between rows (pitch `rows`) at dword 0 and tiles at dword
 * 1024 (pitch of `tiles` bytes), there from pixel (3, 2) on. */
#define TILED_COPY(tiles, rows)                                                                    \
    BLITTER(0x41, 1, 22), ((tiles) / 4 - 1) | 2u << 30, 2u << 16 | 3, 12u << 16 | 43, DATA(1024),  \
        0, 0, (rows)-1, DATA(0), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, END

static void copies_tiles(void **state)
{
    struct machine *m = start("a380", CS_ENGINE_COPY);
    uint8_t *bytes = (uint8_t *)m->data, wanted[4096] = {0};

    (void)state;
    for (unsigned i = 0; i < 1024; i++)
        bytes[i] = (uint8_t)(i * 7 + i / 256);
    for (unsigned y = 0; y < 10; y++)
        for (unsigned x = 0; x < 80; x++)
            wanted[tile4_offset(x + 6, y + 2)] = bytes[y * 90 + x];
    assert_true(RUN(m, TILED_COPY(128, 90)));
    assert_memory_equal(bytes + 4096, wanted, sizeof(wanted));
    /* back, to rows at dword 2048 */
    assert_true(RUN(m, BLITTER(0x41, 1, 22), 99, 0, 10u << 16 | 40, DATA(2048), 0, 2u << 16 | 3,
                    31 | 2u << 30, DATA(1024), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, END));
    for (unsigned y = 0; y < 10; y++)
        assert_memory_equal(bytes + 8192 + y * 100, bytes + y * 90, 80);
    machine_stop(m);
}

/* Rows of half a tile, and rows that overlap. */
static void refuses_pitches(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct machine *m = start("a380", CS_ENGINE_COPY);
        bool is_sound = i ? RUN(m, TILED_COPY(128, 78)) : RUN(m, TILED_COPY(192, 90));

        assert_false(is_sound);
        machine_stop(m);
    }
}

/* Pixels of every size in a row long enough for all ways to repeat them, and rows with and without
 * a gap between them. */
static void fills_rows(void **state)
{
    static const uint32_t pixels[] = {1, 2, 4, 8, 12, 16};
    static const uint8_t colour[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};

    (void)state;
    for (uint32_t depth = 0; depth < 6; depth++) {
        for (uint32_t gap = 0; gap < 2; gap++) {
            struct machine *m = start("a380", CS_ENGINE_COPY);
            uint32_t pixel = pixels[depth], width = MACHINE_BYTES / 3 / pixel - 1,
                     pitch = (width + gap) * pixel, words[4];
            const uint8_t *bytes = (const uint8_t *)m->data;

            memcpy(words, colour, sizeof(words));
            assert_true(RUN(m, BLITTER(0x44, depth, 16), pitch - 1, 0, 3u << 16 | width, DATA(0), 0,
                            words[0], words[1], words[2], words[3], 0, 0, 0, 0, 0, END));
            for (uint32_t i = 0; i < MACHINE_BYTES; i++) {
                bool inside = i / pitch < 3 && i % pitch < width * pixel;

                if (bytes[i] != (inside ? colour[i % pitch % pixel] : 0))
                    fail_msg("byte %u of pixels of %u, gap %u: %u", i, pixel, gap, bytes[i]);
            }
            machine_stop(m);
        }
    }
}

static void blits_stay_inside(void **state)
{
    struct machine *m = start("a380", CS_ENGINE_COPY);

    (void)state;
    assert_false(RUN(m, BLITTER(0x44, 0, 16), 0x3ffff, 0, 0xffffffff, DATA(0), 0, 1, 1, 1, 1, 0, 0,
                     0, 0, 0, END));
    for (unsigned i = 0; i < MACHINE_BYTES / 4; i++)
        assert_int_equal(m->data[i], 0); /* nothing moved before the check */
    machine_stop(m);
}

/* Xe2's copies and fills of bytes: runs, and rows; what sets up fences goes before them. */
static void moves_bytes(void **state)
{
    struct machine *m = start("b580", CS_ENGINE_COPY);
    uint8_t *bytes = (uint8_t *)m->data;

    (void)state;
    for (unsigned i = 0; i < 256; i++)
        bytes[i] = (uint8_t)i;
    assert_true(RUN(m, 0x61090001, DATA(0), BLITTER(0x5a, 0, 10), 99, 0, 0, 0, DATA(0), DATA(1024),
                    0, BLITTER(0x5a, 0, 10) | 1u << 17, 4, 2, 15, 7, DATA(0), DATA(2048), 0, END));
    for (unsigned i = 0; i < 104; i++)
        assert_int_equal(bytes[4096 + i], i < 100 ? i : 0);
    for (unsigned y = 0; y < 3; y++)
        for (unsigned x = 0; x < 8; x++)
            assert_int_equal(bytes[8192 + y * 8 + x], x < 5 ? y * 16 + x : 0);
    assert_int_equal(fake_gpu.traffic, 2 * (100 + 15));
    assert_true(RUN(m, BLITTER(0x5b, 0, 7), 6, 0, 0, DATA(3072), 0xab000000,
                    BLITTER(0x5b, 0, 7) | 1u << 17, 1, 1, 3, DATA(3074), 0xcd000000, END));
    static const uint8_t wanted[] = {0xab, 0xab, 0xab, 0xab, 0xab, 0xab, 0xab, 0,
                                     0xcd, 0xcd, 0,    0,    0xcd, 0xcd, 0,    0};
    assert_memory_equal(bytes + 12288, wanted, sizeof(wanted));
    machine_stop(m);
}

/* Rows from one mapping into the next. */
static void moves_through_mappings(void **state)
{
    enum { MIDDLE = MACHINE_BYTES / 2, BYTES = 100, SET = 30 };
    struct machine *m = start("max-1550", CS_ENGINE_COPY);
    uint8_t *bytes = (uint8_t *)m->data;

    (void)state;
    for (unsigned i = 0; i < BYTES; i++)
        bytes[i] = (uint8_t)(i + 1);
    assert_true(RUN(m, BLITTER(0x5a, 0, 10), BYTES - 1, 0, 0, 0, DATA(0),
                    DATA((MIDDLE - BYTES / 2) / 4), 0, BLITTER(0x5b, 0, 7), 2 * SET - 1, 0, 0,
                    DATA((MIDDLE - SET) / 4), 0xab000000, END));
    const unsigned copied = (MIDDLE - BYTES / 2) / 4 * 4, set = (MIDDLE - SET) / 4 * 4;
    for (unsigned i = 0; i < BYTES; i++)
        assert_int_equal(bytes[copied + i],
                         copied + i >= set && copied + i < set + 2 * SET ? 0xab : i + 1);
    assert_int_equal(fake_gpu.traffic, 2 * BYTES + 2 * SET);
    machine_stop(m);
}

/* Of pages, beyond memory, and where the command does not exist. */
static void refuses_moves(void **state)
{
    struct machine *m = start("b580", CS_ENGINE_COPY);

    (void)state;
    assert_false(RUN(m, BLITTER(0x5a, 0, 10) | 1u << 19, 0, 0, 0, 0, DATA(0), DATA(8), 0, END));
    machine_stop(m);
    m = start("b580", CS_ENGINE_COPY);
    assert_false(RUN(m, BLITTER(0x5b, 0, 7), 0xffffff, 0, 0, DATA(0), 1u << 24, END));
    assert_int_equal(m->data[0], 0);
    machine_stop(m);
    m = start("a380", CS_ENGINE_COPY);
    assert_false(RUN(m, BLITTER(0x5b, 0, 7), 6, 0, 0, DATA(0), 1u << 24, END));
    machine_stop(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decodes_gpgpu_walker),
        cmocka_unit_test(keeps_registers_without_data),
        cmocka_unit_test(needs_a_loaded_descriptor),
        cmocka_unit_test(decodes_compute_walker),
        cmocka_unit_test(sizes_register_files),
        cmocka_unit_test(decodes_compute_walker_2),
        cmocka_unit_test(sizes_local_memory),
        cmocka_unit_test(refuses_other_walkers),
        cmocka_unit_test(waits_for_qwords),
        cmocka_unit_test(keeps_time),
        cmocka_unit_test(context_time_is_its_own),
        cmocka_unit_test(unbinding_drops_translations),
        cmocka_unit_test(priorities_decide),
        cmocka_unit_test(stacks_share_a_walk),
        cmocka_unit_test(stacks_go_on_together),
        cmocka_unit_test(stacks_go_on_in_the_order_of_their_times),
        cmocka_unit_test(takes_dimensions_from_registers),
        cmocka_unit_test(kernel_faults_hang),
        cmocka_unit_test(skips_empty_walks),
        cmocka_unit_test(copies_rows),
        cmocka_unit_test(copies_tiles),
        cmocka_unit_test(refuses_pitches),
        cmocka_unit_test(fills_rows),
        cmocka_unit_test(blits_stay_inside),
        cmocka_unit_test(moves_bytes),
        cmocka_unit_test(moves_through_mappings),
        cmocka_unit_test(refuses_moves),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
