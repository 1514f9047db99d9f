#include "audit/audit-code.h"
#include "audit/bounds.h"
#include "audit/target-device.h"

#include <stdlib.h>
#include <string.h>

#define TEXT_BYTES 256

const char *isa_pipe_name(enum isa_pipe pipe)
{
    static const char *const names[] = {"float", "int",  "long", "math",
                                        "dpas",  "send", "sync", "branch"};

    return names[pipe];
}

static enum isa_pipe pipe_of(const struct vesim_instruction *inst)
{
    static const enum isa_pipe pipes[] = {
        [VESIM_PIPE_FLOAT] = ISA_FLOAT,       [VESIM_PIPE_INTEGER] = ISA_INTEGER,
        [VESIM_PIPE_LONG] = ISA_LONG,         [VESIM_PIPE_MATH] = ISA_MATH,
        [VESIM_PIPE_SYSTOLIC] = ISA_SYSTOLIC, [VESIM_PIPE_SEND] = ISA_SEND,
        [VESIM_PIPE_NONE] = ISA_SYNC,
    };

    return inst->is_branch ? ISA_BRANCH : pipes[inst->pipe];
}

static void count_inst(struct isa_mix *mix, const struct vesim_instruction *inst)
{
    mix->instructions++;
    mix->pipe[pipe_of(inst)]++;
    if (inst->pipe == VESIM_PIPE_SEND)
        mix->message[inst->message]++;
}

static void count_range(struct isa_mix *mix, const struct vesim_code *code, uint32_t first,
                        uint32_t end)
{
    for (uint32_t i = first; i < end; i++)
        count_inst(mix, vesim_code_instruction(code, i));
}

static char *text_of(const struct vesim_code *code, uint32_t index)
{
    char text[TEXT_BYTES];

    vesim_code_text(code, index, text, sizeof(text));
    return strdup(text);
}

static enum status take_lines(struct isa_audit *audit, const struct vesim_code *code,
                              const struct isa_loop *loop, const struct isa_instruction_cost *costs,
                              struct error *error)
{
    size_t count = loop->last - loop->first + 1;

    audit->lines = calloc(count, sizeof(*audit->lines));
    if (!audit->lines)
        return error_out_of_memory(error);
    for (audit->line_count = 0; audit->line_count < count; audit->line_count++) {
        size_t i = audit->line_count;
        const struct vesim_instruction *inst = vesim_code_instruction(code, loop->first + i);
        uint32_t whom = costs[i].wait.whom;

        audit->lines[i] = (struct isa_line){
            .pc = inst->offset,
            .pipe = pipe_of(inst),
            .occupancy = inst->occupancy,
            .conflicts = costs[i].conflicts,
            .wait = (unsigned)costs[i].wait.cycles,
            .waits_for = whom == VESIM_NOBODY ? -1 : (int)(whom - loop->first),
            .text = text_of(code, loop->first + (uint32_t)i),
        };
        if (!audit->lines[i].text)
            return error_out_of_memory(error);
    }
    return STATUS_OK;
}

/* Code without a loop runs once: its bounds are those of a loop of one iteration. */
static enum status audit_straight(struct isa_audit *audit, const struct vesim_code *code,
                                  unsigned registers, struct error *error)
{
    const struct isa_loop whole = {0, (uint32_t)vesim_code_count(code) - 1, 1};
    struct isa_instruction_cost *costs = calloc(whole.last + 1, sizeof(*costs));

    if (!costs)
        return error_out_of_memory(error);
    enum status status = isa_bounds_find(code, &whole, registers, &audit->bounds, costs, error);
    if (status == STATUS_OK)
        status = take_lines(audit, code, &whole, costs, error);
    free(costs);
    return status;
}

static enum status audit_loop(struct isa_audit *audit, const struct vesim_code *code,
                              const struct isa_loop *loop, unsigned registers, struct error *error)
{
    struct isa_instruction_cost *costs = calloc(loop->last - loop->first + 1, sizeof(*costs));

    if (!costs)
        return error_out_of_memory(error);
    count_range(&audit->hot, code, loop->first, loop->last + 1);
    enum status status = isa_bounds_find(code, loop, registers, &audit->bounds, costs, error);
    if (status == STATUS_OK)
        status = take_lines(audit, code, loop, costs, error);
    free(costs);
    return status;
}

enum status isa_audit_code(struct isa_audit *audit, const struct vesim_code *code,
                           unsigned registers, int loop, struct error *error)
{
    struct isa_loop loops[ISA_LOOPS_MAX];

    memset(audit, 0, sizeof(*audit));
    audit->registers = registers;
    audit->registers_used = vesim_code_registers_used(code);
    audit->code_bytes = (uint32_t)vesim_code_bytes(code);
    count_range(&audit->all, code, 0, (uint32_t)vesim_code_count(code));
    audit->loop_count = isa_loops(code, loops);
    if (loop > (int)audit->loop_count)
        return error_set(error, STATUS_USAGE, "--loop %d: the code has %zu loops", loop,
                         audit->loop_count);
    if (audit->loop_count)
        audit->hot_loop = loop > 0
                              ? (size_t)loop - 1
                              : isa_hot_loop(loops, audit->loop_count, loop == ISA_LOOP_OUTERMOST);
    enum status status = audit->loop_count
                             ? audit_loop(audit, code, &loops[audit->hot_loop], registers, error)
                         : vesim_code_count(code) ? audit_straight(audit, code, registers, error)
                                                  : STATUS_OK;
    if (status != STATUS_OK)
        isa_audit_free(audit);
    return status;
}

enum status isa_audit_make(struct isa_audit *audit, const struct vesim_kernel_properties *kernel,
                           const struct isa_target *target, int loop, struct error *error)
{
    struct vesim_code *code;
    char problem[256];

    memset(audit, 0, sizeof(*audit));
    if (vesim_code_read(&code, &target->device, kernel->code, kernel->code_bytes, problem,
                        sizeof(problem)))
        return error_set(error, STATUS_FAILED, "%s", problem);
    enum status status = isa_audit_code(audit, code, kernel->registers, loop, error);
    vesim_code_free(code);
    audit->width = kernel->sub_group_size;
    audit->required_width = kernel->required_sub_group_size;
    audit->scratch_bytes = kernel->scratch_bytes;
    audit->slm_bytes = kernel->slm_bytes;
    return status;
}

void isa_audit_free(struct isa_audit *audit)
{
    for (size_t i = 0; i < audit->line_count; i++)
        free(audit->lines[i].text);
    free(audit->lines);
    memset(audit, 0, sizeof(*audit));
}

const char *isa_audit_binds(const struct isa_audit *audit)
{
    int line = audit->bounds.bound[audit->bounds.highest].line;

    return line >= 0 && (size_t)line < audit->line_count ? audit->lines[line].text : "";
}
