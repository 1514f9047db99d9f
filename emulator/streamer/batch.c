/* The fetch loop: reads commands, checks their lengths, and hands them to their block. */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "streamer/commands.h"
#include "streamer/context.h"

/* How often a running batch checks whether its context is to stop. */
#define CANCEL_CHECK_COMMANDS 4096

__attribute__((format(printf, 2, 3))) static void append(struct vesim_fault *fault,
                                                         const char *format, ...)
{
    size_t used = strlen(fault->message);
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(fault->message + used, sizeof(fault->message) - used, format, arguments);
    va_end(arguments);
}

int batch_stop(struct batch *batch)
{
    if (batch->is_launch)
        return -EFAULT;
    batch->fault.command = batch->pc;
    append(&batch->fault, " (command at 0x%" PRIx64 ")", batch->pc);
    return -EFAULT;
}

int batch_fault(struct batch *batch, const char *format, ...)
{
    va_list arguments;

    batch->fault = (struct vesim_fault){.kind = VESIM_FAULT_COMMAND};
    va_start(arguments, format);
    vsnprintf(batch->fault.message, sizeof(batch->fault.message), format, arguments);
    va_end(arguments);
    return batch_stop(batch);
}

int batch_page_fault(struct batch *batch, uint64_t address, const char *format, ...)
{
    va_list arguments;

    address = address_cut(batch->space, address);
    batch->fault = (struct vesim_fault){.kind = VESIM_FAULT_PAGE, .address = address};
    va_start(arguments, format);
    vsnprintf(batch->fault.message, sizeof(batch->fault.message), format, arguments);
    va_end(arguments);
    append(&batch->fault, " at 0x%" PRIx64 ", which nothing is mapped at", address);
    return batch_stop(batch);
}

uint64_t batch_partition_address(const struct batch *batch, bool apart, uint64_t address)
{
    const struct cs_context *context = batch->context;

    return apart ? address + (uint64_t)register_own(context, REG_PARTITION_ID) *
                                 register_own(context, REG_PARTITION_OFFSET)
                 : address;
}

/* The program may access the same memory concurrently: plain accesses would be a data race, so
 * these are atomic, and ordered as a GPU's post-sync writes are. */
#define ACCESS(name, type, access, what)                                                           \
    int name                                                                                       \
    {                                                                                              \
        type *host = address_space_host(batch->space, address, sizeof(type));                      \
                                                                                                   \
        if (!host)                                                                                 \
            return batch_page_fault(batch, address, "%s of %zu bytes", what, sizeof(type));        \
        if (address % sizeof(type))                                                                \
            return batch_fault(batch, "%s of %zu bytes at 0x%" PRIx64 ", not aligned", what,       \
                               sizeof(type), address);                                             \
        access;                                                                                    \
        return 0;                                                                                  \
    }

ACCESS(batch_read32(struct batch *batch, uint64_t address, uint32_t *value), uint32_t,
       batch->looked = true;
       *value = __atomic_load_n(host, __ATOMIC_ACQUIRE), "read")
ACCESS(batch_read64(struct batch *batch, uint64_t address, uint64_t *value), uint64_t,
       batch->looked = true;
       *value = __atomic_load_n(host, __ATOMIC_ACQUIRE), "read")
ACCESS(batch_write32(struct batch *batch, uint64_t address, uint32_t value), uint32_t,
       __atomic_store_n(host, value, __ATOMIC_RELEASE), "write")
ACCESS(batch_write64(struct batch *batch, uint64_t address, uint64_t value), uint64_t,
       __atomic_store_n(host, value, __ATOMIC_RELEASE), "write")

/* The command's length in dwords; 0 if its kind is unknown. */
static uint32_t command_length(uint32_t header)
{
    const struct mi_header mi = mi_header_unpack(&header);
    const struct gfx_header gfx = gfx_header_unpack(&header);

    switch (command_header_unpack(&header).type) {
    case COMMAND_TYPE_MI:
        /* PRM Vol 2a: opcodes below 0x10 are one dword long. */
        if (mi.opcode < 0x10)
            return 1;
        if (mi.opcode == MI_FLUSH_DW)
            return mi_flush_dw_header_unpack(&header).length + 2;
        return mi.length + 2;
    case COMMAND_TYPE_BLITTER:
        return blitter_header_unpack(&header).length + 2;
    case COMMAND_TYPE_GFXPIPE:
        if (gfx.opcode == PIPELINE_SELECT)
            return 1;
        return gfx.length + 2;
    case COMMAND_TYPE_GFX_EXEC:
        return gfx.length + 2;
    default:
        return 0;
    }
}

static int fetch(struct batch *batch, uint32_t *d, uint32_t *count)
{
    const uint32_t *host = address_space_host(batch->space, batch->pc, 4);

    if (!host)
        return batch_page_fault(batch, batch->pc, "fetch of a command");
    if (batch->pc % 4)
        return batch_fault(batch, "a batch buffer that is not aligned");
    d[0] = __atomic_load_n(host, __ATOMIC_RELAXED);
    *count = command_length(d[0]);
    if (*count == 0)
        return batch_fault(batch, "unknown command 0x%08" PRIx32, d[0]);
    host = address_space_host(batch->space, batch->pc, 4 * (uint64_t)*count);
    if (!host)
        return batch_fault(batch,
                           "command 0x%08" PRIx32 " of %" PRIu32
                           " dwords is cut off by the end of its buffer",
                           d[0], *count);
    /* A copy, as the program could change the buffer between check and use. */
    memcpy(d + 1, host + 1, 4 * ((size_t)*count - 1));
    return 0;
}

static int dispatch(struct batch *batch, const uint32_t *d, uint32_t count)
{
    uint32_t type = command_header_unpack(d).type;

    if (type == COMMAND_TYPE_MI)
        return command_mi(batch, d, count);
    batch->jumps = 0;
    switch (type) {
    case COMMAND_TYPE_BLITTER:
        return command_blitter(batch, d, count);
    case COMMAND_TYPE_GFX_EXEC:
        return batch->skip ? 0 : command_resource_barrier(batch, d, count);
    default:
        break;
    }
    if (batch->skip)
        return 0;
    /* The driver sets up its fences on every engine. */
    if (batch->context->engine == CS_ENGINE_COPY &&
        gfx_header_unpack(d).opcode != STATE_SYSTEM_MEM_FENCE_ADDRESS)
        return batch_fault(batch, "command 0x%08" PRIx32 " is not one of the copy engine", d[0]);
    switch (gfx_header_unpack(d).opcode) {
    case PIPE_CONTROL:
        return command_pipe_control(batch, d, count);
    case GPGPU_WALKER:
        return command_gpgpu_walker(batch, d, count);
    case COMPUTE_WALKER:
        return command_compute_walker(batch, d, count);
    case COMPUTE_WALKER_2:
        return command_compute_walker_2(batch, d, count);
    default:
        return command_state(batch, d, count);
    }
}

int batch_execute(struct batch *batch)
{
    uint32_t d[COMMAND_DWORDS_MAX] = {0}, count = 0;

    while (!batch->ended) {
        if (batch->commands++ == BATCH_COMMANDS_MAX)
            return batch_fault(batch, "the batch has not ended after %" PRIu64 " commands",
                               BATCH_COMMANDS_MAX);
        if (batch->commands % CANCEL_CHECK_COMMANDS == 0 &&
            __atomic_load_n(&batch->context->cancelled, __ATOMIC_RELAXED))
            return -ECANCELED;
        int status = fetch(batch, d, &count);
        if (status)
            return status;
        if (batch->cs->settings.log_commands)
            cs_log(batch->cs, "cs %d: 0x%" PRIx64 ": %08" PRIx32 " [%" PRIu32 "] clock %" PRIu64,
                   (int)batch->context->engine, batch->pc, d[0], count, batch->stack->clock);
        batch->next_pc = batch->pc + 4 * (uint64_t)count;
        status = dispatch(batch, d, count);
        if (status)
            return status;
        batch->pc = address_cut(batch->space, batch->next_pc);
    }
    return 0;
}
