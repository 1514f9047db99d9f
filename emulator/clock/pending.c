#include "clock/pending.h"

#include <stdlib.h>

#include "xe/message.h"

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

struct pending_line *pending_add_line(struct pending *pending)
{
    if (pending->line_count == pending->line_capacity) {
        uint32_t capacity = pending->line_capacity ? 2 * pending->line_capacity : 256;
        struct pending_line *lines = realloc(pending->lines, capacity * sizeof(*lines));
        if (!lines)
            return NULL;
        pending->lines = lines;
        pending->line_capacity = capacity;
    }
    struct pending_line *line = &pending->lines[pending->line_count++];
    *line = (struct pending_line){0};
    return line;
}

struct pending_message *pending_add_message(struct pending *pending)
{
    if (pending->message_count == pending->message_capacity) {
        uint32_t capacity = pending->message_capacity ? 2 * pending->message_capacity : 64;
        struct pending_message *messages = realloc(pending->messages, capacity * sizeof(*messages));
        if (!messages)
            return NULL;
        pending->messages = messages;
        pending->message_capacity = capacity;
    }
    struct pending_message *message = &pending->messages[pending->message_count++];
    *message = (struct pending_message){0};
    return message;
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
