#include "audit/bounds.h"

#include <stdlib.h>

/* A port is named after the first pipe that issues through it. */
static const char *port_name(unsigned port, const struct vesim_device *device)
{
    static const char *const names[] = {
        [VESIM_PIPE_FLOAT] = "float pipe",       [VESIM_PIPE_INTEGER] = "integer pipe",
        [VESIM_PIPE_LONG] = "long pipe",         [VESIM_PIPE_MATH] = "math pipe",
        [VESIM_PIPE_SYSTOLIC] = "systolic pipe",
    };

    return port == VESIM_PIPE_FLOAT && device->alu_ports == 1 ? "float and integer pipe"
                                                              : names[port];
}

const char *isa_bound_name(enum isa_bound_kind kind)
{
    static const char *const names[] = {"issue", "operand reads", "messages", "latency"};

    return names[kind];
}

static struct isa_bound nothing_of(const char *resource)
{
    return (struct isa_bound){.line = -1, .of = resource};
}

/* Adds the cycles for which an instruction occupies the resource. */
static void add(struct isa_bound *bound, uint32_t line, double cycles)
{
    bound->cycles += cycles;
    if (cycles > bound->share) {
        bound->share = cycles;
        bound->line = (int)line;
    }
}

static void keep_higher(struct isa_bound *bound, const struct isa_bound *other)
{
    if (other->cycles > bound->cycles)
        *bound = *other;
}

/* Bounds of the pipes, without and with operand read conflicts. The latter names an instruction
 * that has conflicts. */
static void bound_pipes(const struct vesim_code *code, const struct isa_loop *loop,
                        const unsigned *conflicts, struct isa_bounds *bounds)
{
    for (unsigned port = 0; port < VESIM_PIPE_SEND; port++) {
        struct isa_bound taken = nothing_of(port_name(port, vesim_code_device(code))), read = taken;
        unsigned most = 0;

        for (uint32_t i = loop->first; i <= loop->last; i++) {
            const struct vesim_instruction *inst = vesim_code_instruction(code, i);
            unsigned issue = inst->occupancy - inst->bank_cycles, more = inst->bank_cycles;

            if (inst->port != port)
                continue;
            /* The clock does not have all of those that the compiler counts. */
            if (conflicts[i - loop->first] > more)
                more = conflicts[i - loop->first];
            add(&taken, i - loop->first, issue);
            add(&read, i - loop->first, issue + more);
            if (more > most) {
                most = more;
                read.line = (int)(i - loop->first);
                read.share = issue + more;
            }
        }
        keep_higher(&bounds->bound[ISA_BOUND_ISSUE], &taken);
        keep_higher(&bounds->bound[ISA_BOUND_READS], &read);
    }
}

/* The messages of all vector engines share the load/store unit and the gateway. */
static void bound_messages(const struct vesim_code *code, const struct isa_loop *loop,
                           struct isa_bound *bound)
{
    const struct vesim_device *device = vesim_code_device(code);
    double engines = (double)device->ves_per_xe_core;
    struct isa_bound turns = nothing_of("turns to send"), unit = nothing_of("load/store unit");
    struct isa_bound gateway = nothing_of("barrier gateway");

    for (uint32_t i = loop->first; i <= loop->last; i++) {
        const struct vesim_instruction *inst = vesim_code_instruction(code, i);

        if (inst->pipe != VESIM_PIPE_SEND)
            continue;
        double cycles = inst->unit_cycles * engines;
        add(&turns, i - loop->first, (double)inst->port_cycles);
        add(inst->message == VESIM_MESSAGE_BARRIER ? &gateway : &unit, i - loop->first, cycles);
    }
    keep_higher(bound, &turns);
    keep_higher(bound, &unit);
    keep_higher(bound, &gateway);
}

/* Finds the instruction that others wait for longest. */
static void blame(const struct isa_loop *loop, const struct vesim_wait *waits,
                  struct isa_bound *bound)
{
    for (uint32_t whom = loop->first; whom <= loop->last; whom++) {
        double cycles = 0.0;

        for (uint32_t i = 0; i <= loop->last - loop->first; i++)
            cycles += waits[i].whom == whom ? (double)waits[i].cycles : 0.0;
        if (cycles > bound->share) {
            bound->share = cycles;
            bound->line = (int)(whom - loop->first);
        }
    }
}

static enum status bound_latency(const struct vesim_code *code, const struct isa_loop *loop,
                                 struct vesim_wait *waits, struct isa_bounds *bounds,
                                 struct error *error)
{
    struct isa_bound *bound = &bounds->bound[ISA_BOUND_LATENCY];
    uint64_t cycles = 0;

    if (vesim_code_thread_time(code, loop->first, loop->last, waits, &cycles))
        return error_out_of_memory(error);
    bounds->alone = (double)cycles;
    blame(loop, waits, bound);
    bound->cycles = bounds->alone / bounds->threads;
    bound->share /= bounds->threads;
    bound->of = "dependencies";
    return STATUS_OK;
}

enum status isa_bounds_find(const struct vesim_code *code, const struct isa_loop *loop,
                            unsigned registers, struct isa_bounds *bounds,
                            struct isa_instruction_cost *costs, struct error *error)
{
    uint32_t count = loop->last - loop->first + 1;
    unsigned *conflicts = calloc(count, sizeof(*conflicts));
    struct vesim_wait *waits = calloc(count, sizeof(*waits));
    enum status status = STATUS_OK;

    *bounds =
        (struct isa_bounds){.threads = vesim_threads_per_ve(vesim_code_device(code), registers)};
    for (size_t i = 0; i < ISA_BOUND_COUNT; i++)
        bounds->bound[i].line = -1;
    if (!conflicts || !waits) {
        status = error_out_of_memory(error);
        goto out;
    }
    vesim_code_operand_conflicts(code, loop->first, loop->last, conflicts);
    bound_pipes(code, loop, conflicts, bounds);
    bound_messages(code, loop, &bounds->bound[ISA_BOUND_MESSAGES]);
    status = bound_latency(code, loop, waits, bounds, error);
    for (size_t i = 1; i < ISA_BOUND_COUNT; i++) {
        if (bounds->bound[i].cycles > bounds->bound[bounds->highest].cycles)
            bounds->highest = (enum isa_bound_kind)i;
    }
    for (uint32_t i = 0; i < count; i++)
        costs[i] = (struct isa_instruction_cost){conflicts[i], waits[i]};
out:
    free(conflicts);
    free(waits);
    return status;
}
