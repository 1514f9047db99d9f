/* Messages between the processes of a run, over a socket: a sweep and its workers, and a sweep and
 * what keeps its place among the ranks (member.h). All ends are the same program with the same
 * request, on machines of one kind, so messages are structures as laid out in memory. */
#ifndef VEBENCH_WIRE_H
#define VEBENCH_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum wire_kind {
    /* From the sweep. */
    WIRE_ORDER,   /* struct order: the subject of the next messages */
    WIRE_BUILD,   /* struct wire_build, then the machine code: part of the order's module */
    WIRE_LEAD,    /* the same for the lead, which is not the order's alone */
    WIRE_COMPILE, /* answered by a WIRE_BUILD per build, perhaps a WIRE_LEAD, then WIRE_DONE */
    WIRE_MEASURE, /* answered by WIRE_KERNELS to WIRE_TEXT, then WIRE_DONE */
    /* From a worker. */
    WIRE_TARGET,       /* struct target: the session is open */
    WIRE_START_FAILED, /* struct error: it could not be opened, and the worker exits */
    WIRE_KERNELS,      /* a struct kernel per variant */
    WIRE_MEASUREMENTS, /* a struct measurement per variant, as far as known */
    WIRE_SAMPLE,       /* struct sample */
    WIRE_COUNT,        /* struct count */
    WIRE_TEXT,         /* for people to read */
    WIRE_DONE,         /* struct error, whose status is that of the order */
    /* From a sweep to its member, and the answer to each. */
    WIRE_AGREE,  /* struct wire_agree, then what rank 0 tells: struct wire_agreed, what it told */
    WIRE_LOCK,   /* texts of struct files_request: struct error */
    WIRE_CREATE, /* the same, with headers: struct error */
    WIRE_PLAN,   /* struct wire_plan: the sweep begins; no answer */
    WIRE_ASK, /* for something to measure (struct wire_ask): struct wire_range, empty at the end */
    WIRE_SHARE,   /* what others need to know: what all have shared */
    WIRE_WILL,    /* struct wire_entry, rows: what to write should the sweep be lost; no answer */
    WIRE_ROWS,    /* struct wire_entry, rows; no answer */
    WIRE_COMMIT,  /* rows that were changed take effect; no answer */
    WIRE_FIGURES, /* struct sketch_cell of each figure: struct sketch_median of each, of all ranks
                   */
    WIRE_END,     /* struct totals, of this rank: those of all, when all have ended */
    /* Between members only. */
    WIRE_ALIVE, /* from time to time */
    WIRE_ADOPT, /* the sender's leader is gone: it is the receiver's now */
    WIRE_LOST,  /* struct error: the sweep of the sender is gone */
    WIRE_STOP,  /* the user asked to stop */
};

struct wire_message {
    enum wire_kind kind;
    const void *data; /* aligned for any structure */
    size_t bytes;
};

/* Blocks until all of it is sent. False if the other end is gone. */
bool wire_send(int socket, enum wire_kind kind, const void *data, size_t bytes);
/* The same for a message in two parts. */
bool wire_send_parts(int socket, enum wire_kind kind, const void *head, size_t head_bytes,
                     const void *tail, size_t tail_bytes);

/* Received data that is not yet a whole message. Starts zeroed. */
struct wire_buffer {
    unsigned char *bytes; /* owned */
    size_t begin, end, room;
};

/* Takes in what has arrived, waiting for something if `wait` is true. False at the end of the
 * stream or if out of memory. */
bool wire_fill(struct wire_buffer *buffer, int socket, bool wait);
/* Gets the next whole message, valid until the next wire_fill(). False: there is none yet. */
bool wire_next(struct wire_buffer *buffer, struct wire_message *message);
void wire_free(struct wire_buffer *buffer);

#endif
