#include "stream-kernels.h"

#include <stdlib.h>
#include <string.h>

#include "kernel-text.h"
#include "layout/surface-state.h"
#include "test.h"

enum { LANES = 16, GROUP_THREADS = 32, RUN = 4, PLANES = 19, SHIFTED_PLANES = 5 };
enum { ADDRESSES = 84, DATA = 20 }; /* registers */

static bool has_block_registers(const struct machine *machine)
{
    return machine->device.architecture >= VESIM_XE_HPC;
}

static const char *integer_at_1(const struct machine *machine)
{
    return machine->device.architecture == VESIM_GEN12LP ? "@1" : "I@1";
}

uint64_t stream_cells(uint32_t bytes)
{
    uint64_t group = LANES * GROUP_THREADS;

    return bytes / (PLANES * 4) / group * group;
}

uint32_t *stream_add_buffer(struct machine *machine, uint32_t bytes)
{
    uint32_t entry = 0x40;
    struct mapping mapping = {.address = STREAM_BUFFER,
                              .size = bytes,
                              .host = calloc(1, bytes),
                              .physical = STREAM_BUFFER,
                              .local = true};

    assert_non_null(mapping.host);
    assert_int_equal(address_space_add(&machine->space, &mapping), 0);
    surface_state_write(machine->surfaces + entry, SURFACE_TYPE_BUFFER, STREAM_BUFFER, bytes, 1);
    memcpy(machine->surfaces + 0x1004, &entry, sizeof(entry));
    return (uint32_t *)(void *)mapping.host;
}

void stream_emit_addresses(const struct machine *machine, uint32_t threads_per_group,
                           unsigned item_bytes, unsigned shift)
{
    const char *at = integer_at_1(machine);

    emit("(W) mov (8|M0) r10.0<1>:w 0x76543210:v\n"
         "(W) add (8|M0) r10.8<1>:w r10.0<8;8,1>:w 8:w {%s}\n"
         "(W) mul (16|M0) r12.0<1>:d r10.0<8;8,1>:w %u:w {%s}\n"
         "(W) and (1|M0) r4.0<1>:ud r0.2<0;1,0>:ud 0xff:uw\n"
         "(W) mul (1|M0) r4.1<1>:d r0.1<0;1,0>:d %u:w\n"
         "(W) add (1|M0) r4.2<1>:d r4.1<0;1,0>:d r4.0<0;1,0>:d {%s}\n"
         "(W) shl (1|M0) r4.3<1>:ud r4.2<0;1,0>:ud %u:w {%s}\n"
         "(W) add (16|M0) r12.0<1>:d r12.0<8;8,1>:d r4.3<0;1,0>:d {%s}\n"
         "sync.nop null {%s}\n",
         at, item_bytes, at, threads_per_group, at, shift, at, at, at);
}

uint64_t stream_warm_cycles(struct machine *machine)
{
    machine_run_ok(machine, emitted());
    if (machine_run(machine))
        fail_msg("%s", machine->fault.message);
    return machine->cycles;
}

/* A load or a store of one dword of each lane, or of four, at the addresses in a register. */
static void emit_message(const struct machine *machine, bool store, unsigned dwords, unsigned data,
                         unsigned address, unsigned token)
{
    if (has_block_registers(machine) && store)
        emit("(W) send.ugm (16|M0) null r%u r%u:%u 0x1000000 %s {$%u}\n", address, data, dwords,
             dwords == 4 ? "0x62003504" : "0x62000504", token);
    else if (has_block_registers(machine))
        emit("(W) send.ugm (16|M0) r%u r%u null:0 0x1000000 %s {$%u}\n", data, address,
             dwords == 4 ? "0x62403500" : "0x62100500", token);
    else if (store && machine->device.architecture == VESIM_XE_HPG)
        emit("(W) send.dc1 (16|M0) null r%u r%u:%u 0x0 %s {$%u}\n", address, data, 2 * dwords,
             dwords == 4 ? "0x04025001" : "0x04025E01", token);
    else if (store) /* the registers of data are in the extended descriptor */
        emit("(W) send.dc1 (16|M0) null r%u r%u 0x%x %s {$%u}\n", address, data, dwords << 7,
             dwords == 4 ? "0x04025001" : "0x04025E01", token);
    else
        emit("(W) send.dc1 (16|M0) r%u r%u null%s 0x0 %s {$%u}\n", data, address,
             machine->device.architecture == VESIM_XE_HPG ? ":0" : "",
             dwords == 4 ? "0x04805001" : "0x04205E01", token);
}

/* The same of a half of each lane, in a register's dwords. */
static void emit_half(const struct machine *machine, bool store, unsigned data, unsigned address,
                      unsigned token)
{
    if (has_block_registers(machine))
        emit(store ? "(W) send.ugm (16|M0) null r%u r%u:1 0x1000000 0x62000B04 {$%u}\n"
                   : "(W) send.ugm (16|M0) r%u r%u null:0 0x1000000 0x62100B00 {$%u}\n",
             store ? address : data, store ? data : address, token);
    else if (store && machine->device.architecture == VESIM_XE_HPG)
        emit("(W) send.dc0 (16|M0) null r%u r%u:2 0x0 0x04030501 {$%u}\n", address, data, token);
    else if (store)
        emit("(W) send.dc0 (16|M0) null r%u r%u 0x80 0x04030501 {$%u}\n", address, data, token);
    else
        emit("(W) send.dc0 (16|M0) r%u r%u null%s 0x0 0x04210501 {$%u}\n", data, address,
             machine->device.architecture == VESIM_XE_HPG ? ":0" : "", token);
}

/* Each thread takes RUN messages of four dwords a lane from each array. */
static uint64_t emit_arrays(struct machine *machine, unsigned read, unsigned written,
                            uint32_t bytes)
{
    const uint32_t message = LANES * 16, thread = RUN * message;
    uint32_t array = bytes / (read + written) / (thread * GROUP_THREADS) * thread * GROUP_THREADS;
    unsigned count = (read + written) * RUN;

    stream_emit_addresses(machine, GROUP_THREADS, 16, 10);
    for (unsigned i = 0; i < count; i++)
        emit("(W) add (16|M0) r%u.0<1>:d r12.0<8;8,1>:d 0x%x:d\n", ADDRESSES + 2 * i,
             i / RUN * array + i % RUN * message);
    emit("sync.nop null {%s}\n", integer_at_1(machine));
    for (unsigned i = 0; i < read * RUN; i++)
        emit_message(machine, false, 4, DATA + 8 * i, ADDRESSES + 2 * i, i);
    if (read)
        emit("sync.allwr null\n");
    for (unsigned i = read * RUN; i < count; i++)
        emit_message(machine, true, 4, DATA + 8 * (i % RUN), ADDRESSES + 2 * i, i);
    machine->walker.group_end[0] = array / (thread * GROUP_THREADS);
    return (uint64_t)array * (read + written);
}

/* Each lane writes its line by so many messages of so many dwords. */
static uint64_t emit_lines(struct machine *machine, unsigned messages, unsigned dwords,
                           uint32_t bytes)
{
    const uint32_t thread = LANES * 64;

    stream_emit_addresses(machine, GROUP_THREADS, 64, 10);
    for (unsigned i = 0; i < messages; i++)
        emit("(W) add (16|M0) r%u.0<1>:d r12.0<8;8,1>:d %u:w\n", ADDRESSES + 2 * i, 4 * dwords * i);
    emit("sync.nop null {%s}\n", integer_at_1(machine));
    for (unsigned i = 0; i < messages; i++)
        emit_message(machine, true, dwords, DATA, ADDRESSES + 2 * i, i);
    machine->walker.group_end[0] = bytes / (thread * GROUP_THREADS);
    return (uint64_t)machine->walker.group_end[0] * thread * GROUP_THREADS;
}

/* The plane of a cell has so many bytes. */
static uint64_t emit_lattice(struct machine *machine, unsigned width, uint32_t bytes)
{
    const uint64_t cells = stream_cells((bytes - 64) * (4 / width));
    const unsigned data = 82, addresses = 40; /* registers, two for each plane */

    stream_emit_addresses(machine, GROUP_THREADS, width, width == 4 ? 6 : 5);
    for (unsigned i = 0; i < PLANES; i++)
        emit("(W) add (16|M0) r%u.0<1>:d r12.0<8;8,1>:d 0x%x:d\n", addresses + 2 * i,
             (unsigned)(i * cells * width) + (i < SHIFTED_PLANES ? width : 0));
    emit("sync.nop null {%s}\n", integer_at_1(machine));
    for (unsigned store = 0; store < 2; store++) {
        for (unsigned i = 0; i < PLANES; i++)
            if (width == 4)
                emit_message(machine, store, 1, data + 2 * i, addresses + 2 * i, i % 16);
            else
                emit_half(machine, store, data + 2 * i, addresses + 2 * i, i % 16);
        emit("sync.allwr null\n");
    }
    machine->walker.group_end[0] = (uint32_t)(cells / (LANES * GROUP_THREADS));
    return cells * (width == 4 ? STREAM_CELL_BYTES : STREAM_HALF_CELL_BYTES);
}

static uint64_t emit_pattern(struct machine *machine, enum stream_pattern pattern, uint32_t bytes)
{
    switch (pattern) {
    case STREAM_READ:
        return emit_arrays(machine, 1, 0, bytes);
    case STREAM_WRITE:
        return emit_arrays(machine, 0, 1, bytes);
    case STREAM_COPY:
        return emit_arrays(machine, 1, 1, bytes);
    case STREAM_TRIAD:
        return emit_arrays(machine, 2, 1, bytes);
    case STREAM_SCATTER:
        return emit_lines(machine, 1, 1, bytes);
    case STREAM_LINES:
        return emit_lines(machine, 4, 4, bytes);
    case STREAM_HALF_LATTICE:
        return emit_lattice(machine, 2, bytes);
    default:
        return emit_lattice(machine, 4, bytes);
    }
}

double stream_rate(struct machine *machine, enum stream_pattern pattern, uint32_t bytes)
{
    machine_use_lanes(machine, LANES);
    machine->walker.threads_per_group = GROUP_THREADS;
    stream_add_buffer(machine, bytes);
    emit_start();
    uint64_t moved = emit_pattern(machine, pattern, bytes);
    emit("sync.allrd null\nsync.allwr null\n");
    return (double)moved / (double)stream_warm_cycles(machine);
}
