/* Messages between a sweep and its workers, over a socket. Both ends are one program, forked: a
 * message is a structure as it lies in memory, and pointers in it to constants of the program are
 * valid at both ends. */
#ifndef VEBENCH_WIRE_H
#define VEBENCH_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum wire_kind {
    /* From the sweep. */
    WIRE_ORDER,   /* struct order: what the next messages are about */
    WIRE_BUILD,   /* struct wire_build, then the machine code: of the order's module */
    WIRE_COMPILE, /* answered by a WIRE_BUILD for each build, and WIRE_DONE */
    WIRE_MEASURE, /* answered by what follows, and WIRE_DONE */
    /* From a worker. */
    WIRE_TARGET,       /* struct target: the session is open */
    WIRE_START_FAILED, /* struct error: it could not be opened, and the worker ends */
    WIRE_KERNELS,      /* a struct kernel for each variant */
    WIRE_MEASUREMENTS, /* a struct measurement for each variant, as far as they are known */
    WIRE_SAMPLE,       /* struct sample */
    WIRE_TEXT,         /* for a person to read */
    WIRE_DONE,         /* struct error, whose status is that of the order */
};

struct wire_message {
    enum wire_kind kind;
    const void *data; /* aligned for any structure */
    size_t bytes;
};

/* Waits until all of it is handed over. False where the other end is gone. */
bool wire_send(int socket, enum wire_kind kind, const void *data, size_t bytes);
/* The same, of two parts. */
bool wire_send_parts(int socket, enum wire_kind kind, const void *head, size_t head_bytes,
                     const void *tail, size_t tail_bytes);

/* What has come in and is no whole message yet. Starts zeroed. */
struct wire_buffer {
    unsigned char *bytes; /* owned */
    size_t begin, end, room;
};

/* Takes in what is there, waiting for some where `wait` is true. False at the end of the stream, or
 * where there is no memory. */
bool wire_fill(struct wire_buffer *buffer, int socket, bool wait);
/* The next whole message, valid until the next wire_fill(). False: there is none yet. */
bool wire_next(struct wire_buffer *buffer, struct wire_message *message);
void wire_free(struct wire_buffer *buffer);

#endif
