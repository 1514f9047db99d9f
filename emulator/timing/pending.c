#include "timing/pending.h"

#include <stdlib.h>

#include "isa/decode/message.h"

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

void pending_release(struct pending *pending)
{
    free(pending->lines);
    free(pending->messages);
    *pending = (struct pending){0};
}

bool pending_grow_lines(struct pending *pending)
{
    uint32_t capacity = pending->line_capacity ? 2 * pending->line_capacity : 256;
    struct pending_line *lines = realloc(pending->lines, capacity * sizeof(*lines));
    if (!lines)
        return false;
    pending->lines = lines;
    pending->line_capacity = capacity;
    return true;
}

bool pending_grow_messages(struct pending *pending)
{
    uint32_t capacity = pending->message_capacity ? 2 * pending->message_capacity : 64;
    struct pending_message *messages = realloc(pending->messages, capacity * sizeof(*messages));
    if (!messages)
        return false;
    pending->messages = messages;
    pending->message_capacity = capacity;
    return true;
}

void pending_answer(struct pending *pending, struct pending_message *message,
                    struct memory_clock *memory)
{
    for (uint32_t i = 0; i < message->line_count; i++) {
        uint32_t index = message->first_line + i;
        struct pending_line *line = &pending->lines[index];
        if (line->brought != index)
            line->done = later(line->start + memory->device->l1_hit_latency,
                               pending->lines[line->brought].done);
        else if (message->kind == MESSAGE_LOAD)
            line->done = memory_read_line(memory, line->line, line->start);
        else if (message->kind == MESSAGE_STORE)
            line->done = memory_write_line(memory, line->line, line->start);
        else
            line->done = memory_atomic_line(memory, line->line, line->start, line->passes);
        message->visible = later(message->visible, line->done);
        if (message->returns)
            message->destination = later(message->destination, line->done);
    }
}
