/* What an Xe-core has asked of the L3, or waits for, in the time that the Xe-cores run each for
 * itself (see gpu/epoch.c): in the order of issue, to be answered in the order of time of all
 * Xe-cores. */
#ifndef VESIM_PENDING_H
#define VESIM_PENDING_H

#include <stdbool.h>
#include <stdint.h>

#include "timing/memory.h"

struct thread_slot;
struct group;

/* A cycle that is not known yet. */
#define TIME_PENDING UINT64_MAX

/* A line's `ready` in the first level with this bit on: on its way, brought by the pending line
 * whose index is below. */
#define LINE_PENDING (UINT64_C(1) << 63)

enum { NO_TOKEN = 0xff };

struct pending_line {
    uint64_t line;    /* physical address / line size */
    uint64_t start;   /* cycle at which the load/store unit takes it */
    uint64_t done;    /* when answered: cycle at which it is there, or acknowledged */
    uint32_t brought; /* index of the pending line that brings this one; its own: it is that */
    uint8_t passes;   /* of an atomic */
    bool fills;       /* it comes into the first level */
};

struct pending_message {
    uint64_t time;        /* cycle of its issue */
    uint64_t destination; /* as in struct message_times; of pending lines only once answered */
    uint64_t visible;
    struct thread_slot *slot;
    struct group *group;
    uint32_t first_line, line_count;
    uint8_t kind;  /* enum message_kind; a fence waits for its thread's messages before it */
    uint8_t token; /* of the scoreboard, NO_TOKEN: none */
    bool returns;  /* the destination is there when the lines are */
};

struct pending {
    struct pending_line *lines;
    struct pending_message *messages;
    uint32_t line_count, line_capacity;
    uint32_t message_count, message_capacity;
};

void pending_release(struct pending *pending);

/* Makes room for more. False when out of memory. */
bool pending_grow_lines(struct pending *pending);
bool pending_grow_messages(struct pending *pending);

/* A new entry at the end, for the caller to fill; NULL when out of memory. It moves when another is
 * added. */
static inline struct pending_line *pending_add_line(struct pending *pending)
{
    if (pending->line_count == pending->line_capacity && !pending_grow_lines(pending))
        return NULL;
    return &pending->lines[pending->line_count++];
}

static inline struct pending_message *pending_add_message(struct pending *pending)
{
    if (pending->message_count == pending->message_capacity && !pending_grow_messages(pending))
        return NULL;
    return &pending->messages[pending->message_count++];
}

/* Answers a message's lines from the L3. */
void pending_answer(struct pending *pending, struct pending_message *message,
                    struct memory_clock *memory);

#endif
