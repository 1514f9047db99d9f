/* The registers of a thread when it starts: r0, work-item ids, and the walker's payload (PRM Vol 7,
 * "GPGPU thread payload"; the driver's side is in compute-runtime). */
#include "gpu/xe-core.h"
#include "memory/round-up.h"

#include <stdio.h>

enum {
    R0_INDIRECT_DATA = 0, /* offset of the indirect data from the general state base */
    R0_GROUP_X = 1 * 4,
    R0_THREAD_NUMBER = 2 * 4, /* bits 7:0 on Xe-HPG; 30:24 the barrier (Gen12LP) or the number of
                                 threads that it counts (Xe-HPG) */
    R0_SAMPLERS = 3 * 4,      /* 31:5 sampler states, from the dynamic state base; 3:0 the size
                                 of scratch space (Gen12LP) */
    R0_BINDING_TABLE = 4 * 4,
    R0_SCRATCH = 5 * 4, /* 31:10 scratch pointer (Gen12LP) or the offset of the scratch surface's
                           state over 64 (Xe-HPG), 9:0 the thread slot ("FFTID") */
    R0_GROUP_Y = 6 * 4,
    R0_GROUP_Z = 7 * 4,
    R0_INDIRECT_ADDRESS = 14 * 4, /* Xe3P: a qword, the first of the inline data
                                     (intel-graphics-compiler, PrologEpilog.cpp) */
};

enum { CR0_SINGLE_PROGRAM_FLOW = 1 << 2, CR0_ROUNDING_SHIFT = 4, CR0_KEEP_DENORMALS = 0x4c0 };

static void load_header(struct thread *thread, const struct group *group,
                        const struct vesim_device *device)
{
    const struct walker *walker = thread->walker;
    bool hpg = device->architecture >= VESIM_XE_HPG;

    thread_write32(thread, R0_INDIRECT_DATA,
                   (uint32_t)(walker->indirect_address - walker->general_state_base) &
                       ~UINT32_C(63));
    thread_write32(thread, R0_GROUP_X, group->id[0]);
    thread_write32(thread, R0_GROUP_Y, group->id[1]);
    thread_write32(thread, R0_GROUP_Z, group->id[2]);
    uint32_t barrier = hpg ? walker->threads_per_group : group->number;
    thread_write32(thread, R0_THREAD_NUMBER, (barrier & 0x7f) << 24 | (thread->number & 0xff));
    thread_write32(thread, R0_BINDING_TABLE, walker->binding_table_offset & ~UINT32_C(31));
    uint32_t scratch = 0, scratch_size = 0;
    if (hpg) {
        scratch = walker->scratch_surface_offset << 4 & ~UINT32_C(1023);
    } else if (walker->scratch_bytes_per_thread) {
        scratch = (uint32_t)(walker->scratch_address - walker->general_state_base) +
                  thread->hardware_id * walker->scratch_bytes_per_thread;
        unsigned power = (unsigned)__builtin_ctz(walker->scratch_bytes_per_thread);
        scratch_size = power > 10 ? power - 10 : 0;
    }
    thread_write32(thread, R0_SAMPLERS,
                   (walker->sampler_state_offset & ~UINT32_C(31)) | scratch_size);
    thread_write32(thread, R0_SCRATCH, (scratch & ~UINT32_C(1023)) | (thread->hardware_id & 1023));
}

/* Positions of x, y and z in the order in which ids advance, by the Walk Order field. */
static const uint8_t walk_orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                          {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};

/* `count` ids of 16 bits: `first`, and each `step` more than the one before. */
static void write_ids(uint8_t *to, uint32_t first, uint32_t step, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint16_t value = (uint16_t)(first + i * step);

        memcpy(to + i * sizeof(value), &value, sizeof(value));
    }
}

/* What the ids of one dimension take, in whole registers. */
static uint32_t ids_bytes(const struct walker *walker, uint32_t grf_bytes)
{
    return (uint32_t)round_up(walker->simd_width * 2, grf_bytes);
}

static uint32_t local_ids_bytes(const struct walker *walker, uint32_t grf_bytes)
{
    return walker->local_id_dimensions * ids_bytes(walker, grf_bytes);
}

/* Writes the 16-bit work-item ids that the hardware generates; returns the next free register. From
 * lane to lane the first dimension's id advances by one, up to its size; then the next one's. */
static uint32_t generate_local_ids(struct thread *thread, uint32_t at)
{
    const struct walker *walker = thread->walker;
    const uint8_t *order = walk_orders[walker->walk_order % 6];
    const uint32_t grf_bytes = thread_grf_end(thread) / GRF_COUNT;
    uint32_t run = ids_bytes(walker, grf_bytes);
    uint32_t index = thread->number * walker->simd_width, size[3], id[3];

    for (unsigned i = 0; i < 3; i++) {
        size[i] = walker->local_size[order[i]] ? walker->local_size[order[i]] : 1;
        id[i] = i == 2 ? index : index % size[i];
        index /= size[i];
    }
    for (uint32_t lane = 0, count; lane < walker->simd_width; lane += count) {
        count = size[0] - id[0];
        if (count > walker->simd_width - lane)
            count = walker->simd_width - lane;
        for (unsigned i = 0; i < 3; i++)
            if (order[i] < walker->local_id_dimensions)
                write_ids(thread->registers + at + order[i] * run + lane * 2, id[i], i == 0, count);
        id[0] += count;
        for (unsigned i = 0; i < 2 && id[i] == size[i]; i++) {
            id[i] = 0;
            id[i + 1]++;
        }
    }
    return at + local_ids_bytes(walker, grf_bytes);
}

/* The same; those that a thread of this number had in an earlier work-group are the same again. */
static uint32_t load_local_ids(struct thread *thread, struct xe_core *core, uint32_t at)
{
    const uint32_t number = thread->number;
    const uint32_t grf_bytes = (uint32_t)core->device->grf_bytes;
    uint8_t *to = thread->registers + at;

    if (number < core->local_ids_known) {
        memcpy(to, core->local_ids[number], LOCAL_IDS_BYTES);
        return at + local_ids_bytes(thread->walker, grf_bytes);
    }
    const uint32_t end = generate_local_ids(thread, at);
    if (number == core->local_ids_known && number < LOCAL_IDS_THREADS) {
        memcpy(core->local_ids[number], to, LOCAL_IDS_BYTES);
        core->local_ids_known++;
    }
    return end;
}

static int copy_from(struct thread *thread, uint64_t address, uint32_t bytes, uint32_t at)
{
    if (bytes == 0)
        return 0;
    const void *host = address_space_host(thread->space, address, bytes);
    if (!host || at + bytes > thread_grf_end(thread)) {
        *thread->fault = (struct vesim_fault){.kind = host ? VESIM_FAULT_COMMAND : VESIM_FAULT_PAGE,
                                              .address = address_cut(thread->space, address),
                                              .kernel = thread->program->address};
        snprintf(thread->fault->message, sizeof(thread->fault->message),
                 "%u bytes of indirect data at unmapped address 0x%llx", bytes,
                 (unsigned long long)address);
        return -1;
    }
    memcpy(thread->registers + at, host, bytes);
    return 0;
}

/* sr0.0 from bit 0 on: where the thread runs, as the compiler puts it together again to find a
 * thread's private memory (intel-graphics-compiler, CShader::GetHWTID). Each generation leaves
 * other bits out. */
static uint32_t state_register_id(uint32_t id, const struct vesim_device *device)
{
    uint32_t engine = id / (uint32_t)device->threads_per_ve;

    switch (device->architecture) {
    case VESIM_XE_HPG: /* bits 3 and 6 */
        return (id & 7) | (id >> 3 & 3) << 4 | id >> 5 << 7;
    case VESIM_XE_HPC: /* bits 3, 6 and 7 */
        return (id & 7) | (id >> 3 & 3) << 4 | id >> 5 << 8;
    case VESIM_XE2: /* bits 3, 7 and 10 */
        return (id & 7) | (id >> 3 & 7) << 4 | (id >> 6 & 3) << 8 | id >> 8 << 11;
    case VESIM_XE3:
    case VESIM_XE3P:
    case VESIM_XE3P_XPC: /* four bits for a thread, though there are no 16; bits 7, 12 and 13 */
        return id % (uint32_t)device->threads_per_ve | (engine & 7) << 4 | (engine >> 3 & 15) << 8 |
               engine >> 7 << 14;
    default:
        return id;
    }
}

/* Of the Xe-core, msg0.0 on Xe3. */
static uint32_t xe_core_id(uint32_t hardware_id, const struct vesim_device *device)
{
    return hardware_id / (uint32_t)(device->threads_per_ve * device->ves_per_xe_core);
}

/* The x ids of the lanes come first: the lowest bit of the first lane's flips, so that it does
 * another's work, and nobody its own. */
static void disturb_local_id(struct thread *thread, const struct group *group, uint32_t at)
{
    const uint32_t *id = group->id, *start = thread->walker->group_start;

    if (thread->number == 0 && id[0] == start[0] && id[1] == start[1] && id[2] == start[2])
        thread->registers[at] ^= 1;
}

int payload_load(struct thread *thread, const struct group *group,
                 const struct vesim_device *device)
{
    const struct walker *walker = thread->walker;

    load_header(thread, group, device);
    uint32_t cr0 = (walker->single_program_flow ? CR0_SINGLE_PROGRAM_FLOW : 0) |
                   (walker->rounding_mode & 3) << CR0_ROUNDING_SHIFT |
                   (walker->denorm_retain ? CR0_KEEP_DENORMALS : 0);
    thread_write32(thread, ARF_CR, cr0);
    thread_write32(thread, ARF_SR, state_register_id(thread->hardware_id, device));
    thread_write32(thread, ARF_SR + 8, thread->dispatched);
    thread_write32(thread, ARF_MSG, xe_core_id(thread->hardware_id, device));
    thread_write32(thread, ARF_CE, thread->dispatched);

    uint32_t at = (uint32_t)device->grf_bytes;
    if (walker->local_id_source == LOCAL_ID_FROM_HARDWARE)
        at = load_local_ids(thread, group->core, at);
    if (walker->wrong_lane && at > (uint32_t)device->grf_bytes)
        disturb_local_id(thread, group, (uint32_t)device->grf_bytes);
    if (device->architecture >= VESIM_XE_HPG) {
        memcpy(thread->registers + at, walker->inline_data, walker->inline_bytes);
        if (device->architecture >= VESIM_XE3P)
            memcpy(thread->registers + R0_INDIRECT_ADDRESS, walker->inline_data, sizeof(uint64_t));
        return 0; /* the kernel loads the rest itself */
    }
    uint64_t per_thread = walker->indirect_address + walker->cross_thread_bytes +
                          (uint64_t)thread->number * walker->per_thread_bytes;
    uint32_t ids = walker->lacks_per_thread_data ? 0 : walker->per_thread_bytes;
    if (copy_from(thread, per_thread, ids, at) ||
        copy_from(thread, walker->indirect_address, walker->cross_thread_bytes,
                  at + walker->per_thread_bytes))
        return -1;
    if (walker->wrong_lane && ids > 0)
        disturb_local_id(thread, group, at);
    return 0;
}

void payload_written(struct written *written, const struct walker *walker,
                     const struct vesim_device *device)
{
    const uint32_t grf_bytes = (uint32_t)device->grf_bytes;
    uint32_t bytes =
        grf_bytes + walker->inline_bytes + walker->per_thread_bytes + walker->cross_thread_bytes;

    if (walker->local_id_source == LOCAL_ID_FROM_HARDWARE)
        bytes += local_ids_bytes(walker, grf_bytes);
    written_add(written, 0, bytes < ARF_NULL ? bytes : ARF_NULL);
}
