/* Messages between a sweep and its workers, over a socket. Both ends are the same program with the
 * same request, on machines of one kind, so messages are structures as laid out in memory. */
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
    /* From the sweep to the agent of another rank (agent.h). */
    WIRE_START, /* a worker; answered by WIRE_TARGET or WIRE_START_FAILED */
    WIRE_LEAVE, /* let the worker exit when it has finished; answered by WIRE_ENDED */
    /* From a worker. */
    WIRE_TARGET,       /* struct target: the session is open */
    WIRE_START_FAILED, /* struct error: it could not be opened, and the worker exits */
    WIRE_KERNELS,      /* a struct kernel per variant */
    WIRE_MEASUREMENTS, /* a struct measurement per variant, as far as known */
    WIRE_SAMPLE,       /* struct sample */
    WIRE_COUNT,        /* struct count */
    WIRE_TEXT,         /* for people to read */
    WIRE_DONE,         /* struct error, whose status is that of the order */
    /* From an agent. */
    WIRE_HELLO, /* struct rank_hello, before anything else */
    WIRE_ENDED, /* struct error: how the worker has ended, whatever it was doing */
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
