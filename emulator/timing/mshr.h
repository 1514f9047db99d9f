/* The miss status holding registers (MSHRs) of an Xe-core: lines that its load/store unit has sent
 * to the L3, and the messages that wait for them, in the order in which the unit took them. Entries
 * are numbered upwards, live in rings, and leave in the same order. */
#ifndef VESIM_MSHR_H
#define VESIM_MSHR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct thread_slot;
struct group;

/* A cycle that is not known yet. */
#define TIME_PENDING UINT64_MAX

/* Set in a first-level line's `ready`: in flight, to be filled by the miss whose number is in the
 * low bits. */
#define LINE_PENDING (UINT64_C(1) << 63)

enum { NO_TOKEN = 0xff };

struct miss {
    uint64_t line;    /* physical address / line size */
    uint64_t start;   /* cycle at which it arrives at its bank of the L3 */
    uint64_t done;    /* cycle at which it is ready or acknowledged; TIME_PENDING: not served yet */
    uint32_t message; /* number of the message that waits for it */
    uint32_t brought; /* number of the miss that fetches this line; its own if it goes to the L3 */
    uint32_t holder;  /* which of the registers it holds */
    uint32_t translation; /* cycles added for its page */
    uint32_t hit_latency; /* of its message in the first level */
    uint8_t kind;         /* enum message_kind */
    uint8_t passes;       /* of an atomic */
    bool fills;           /* it is filled into the first level */
    bool told;            /* the unit knows when it is done */
};

struct miss_message {
    uint64_t time;   /* cycle of its issue */
    uint64_t source; /* as in struct message_times, from what is known so far */
    uint64_t destination;
    uint64_t visible;
    struct thread_slot *slot; /* NULL once it has ended */
    struct group *group;
    uint32_t first, count; /* its misses */
    uint32_t outstanding;  /* of these; plus 1 until the unit has taken the message */
    uint8_t kind;          /* a fence waits for its thread's messages before it */
    uint8_t token;         /* of the scoreboard, NO_TOKEN: none */
    bool returns;          /* the destination is ready when the lines are */
    bool settled;          /* its thread knows when it completes */
};

struct mshr {
    struct miss *misses;
    struct miss_message *messages;
    uint32_t first_miss, end_miss, miss_room; /* numbers; entries of the ring, a power of 2 */
    uint32_t first_message, end_message, message_room;
    uint32_t unsent;    /* the first miss that has not reached the L3 (gpu/arbiter.c) */
    uint64_t *free;     /* cycle from which each register is free */
    uint32_t registers; /* how many there are, */
    uint32_t next;      /* and the next one: they rotate */
};

int mshr_init(struct mshr *mshr, uint32_t registers);
void mshr_release(struct mshr *mshr);

/* Drops everything in flight and frees the registers. */
void mshr_clear(struct mshr *mshr);

static inline struct miss *mshr_miss(const struct mshr *mshr, uint32_t number)
{
    return &mshr->misses[number & (mshr->miss_room - 1)];
}

static inline struct miss_message *mshr_message(const struct mshr *mshr, uint32_t number)
{
    return &mshr->messages[number & (mshr->message_room - 1)];
}

static inline uint32_t mshr_message_count(const struct mshr *mshr)
{
    return mshr->end_message - mshr->first_message;
}

/* Makes room; false when out of memory. Entries move. */
bool mshr_grow_misses(struct mshr *mshr);
bool mshr_grow_messages(struct mshr *mshr);

/* A new entry at the end, for the caller to fill; NULL when out of memory. Entries may move when
 * one is added. */
static inline struct miss *mshr_add_miss(struct mshr *mshr)
{
    if (mshr->end_miss - mshr->first_miss == mshr->miss_room && !mshr_grow_misses(mshr))
        return NULL;
    return mshr_miss(mshr, mshr->end_miss++);
}

static inline struct miss_message *mshr_add_message(struct mshr *mshr)
{
    if (mshr_message_count(mshr) == mshr->message_room && !mshr_grow_messages(mshr))
        return NULL;
    return mshr_message(mshr, mshr->end_message++);
}

/* The L3 has served a miss: its line is ready, or acknowledged, at `done`. */
void mshr_fill(struct mshr *mshr, uint32_t number, uint64_t done);

/* Frees the settled messages at the front, and their misses. */
void mshr_retire(struct mshr *mshr);

/* Detaches an ended thread from its messages. */
void mshr_forget_thread(struct mshr *mshr, const struct thread_slot *slot);

/* The next miss from `unsent` on that goes to the L3; NULL if there is none. */
static inline struct miss *mshr_next_unsent(struct mshr *mshr)
{
    for (; mshr->unsent != mshr->end_miss; mshr->unsent++) {
        struct miss *miss = mshr_miss(mshr, mshr->unsent);

        if (miss->brought == mshr->unsent)
            return miss;
    }
    return NULL;
}

#endif
