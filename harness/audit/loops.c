#include "audit/loops.h"

static bool uses_memory(const struct vesim_code *code, const struct isa_loop *loop)
{
    for (uint32_t i = loop->first; i <= loop->last; i++) {
        const struct vesim_instruction *inst = vesim_code_instruction(code, i);

        if (inst->pipe == VESIM_PIPE_SEND &&
            (inst->message == VESIM_MESSAGE_LOAD || inst->message == VESIM_MESSAGE_STORE ||
             inst->message == VESIM_MESSAGE_ATOMIC))
            return true;
    }
    return false;
}

size_t isa_loops(const struct vesim_code *code, struct isa_loop loops[ISA_LOOPS_MAX])
{
    size_t count = 0;

    for (size_t i = 0; i < vesim_code_count(code) && count < ISA_LOOPS_MAX; i++) {
        int32_t first = vesim_code_instruction(code, i)->loop_first;

        if (first >= 0)
            loops[count++] = (struct isa_loop){.first = (uint32_t)first, .last = (uint32_t)i};
    }
    for (size_t inner = 0; inner < count; inner++) {
        loops[inner].uses_memory = uses_memory(code, &loops[inner]);
        for (size_t outer = 0; outer < count; outer++)
            loops[inner].depth +=
                loops[outer].first <= loops[inner].first && loops[inner].last <= loops[outer].last;
    }
    return count;
}

size_t isa_hot_loop(const struct isa_loop *loops, size_t count, bool outermost)
{
    size_t hot = 0;

    for (size_t i = 1; i < count; i++) {
        uint32_t size = loops[i].last - loops[i].first, most = loops[hot].last - loops[hot].first;
        bool better =
            outermost ? loops[i].depth < loops[hot].depth : loops[i].depth > loops[hot].depth;

        if (loops[i].depth == loops[hot].depth) {
            bool differ = !outermost && loops[i].uses_memory != loops[hot].uses_memory;

            better = differ ? loops[i].uses_memory : size > most;
        }
        if (better)
            hot = i;
    }
    return hot;
}
