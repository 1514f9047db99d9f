#include "ranks/wire.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/types.h>

#define ALIGNMENT  16u
#define LEAST_ROOM 65536u

struct header {
    uint64_t kind, bytes;
};

_Static_assert(sizeof(struct header) % ALIGNMENT == 0, "messages stay aligned");

static size_t padded(size_t bytes)
{
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static bool send_all(int socket, const void *data, size_t bytes)
{
    const unsigned char *at = data;

    while (bytes > 0) {
        ssize_t sent = send(socket, at, bytes, MSG_NOSIGNAL);

        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            return false;
        at += sent;
        bytes -= (size_t)sent;
    }
    return true;
}

bool wire_send_parts(int socket, enum wire_kind kind, const void *head, size_t head_bytes,
                     const void *tail, size_t tail_bytes)
{
    static const unsigned char padding[ALIGNMENT];
    size_t bytes = head_bytes + tail_bytes;
    struct header header = {kind, bytes};

    return send_all(socket, &header, sizeof(header)) && send_all(socket, head, head_bytes) &&
           send_all(socket, tail, tail_bytes) && send_all(socket, padding, padded(bytes) - bytes);
}

bool wire_send(int socket, enum wire_kind kind, const void *data, size_t bytes)
{
    return wire_send_parts(socket, kind, data, bytes, NULL, 0);
}

/* Makes room for `more` bytes at the end; drops what has been read from the front. */
static bool make_room(struct wire_buffer *buffer, size_t more)
{
    size_t kept = buffer->end - buffer->begin;
    size_t room = buffer->room ? buffer->room : LEAST_ROOM;
    unsigned char *bytes = buffer->bytes;

    if (kept)
        memmove(bytes, bytes + buffer->begin, kept);
    buffer->begin = 0;
    buffer->end = kept;
    while (room < kept + more)
        room *= 2;
    if (room == buffer->room)
        return true;
    bytes = realloc(bytes, room);
    if (!bytes)
        return false;
    buffer->bytes = bytes;
    buffer->room = room;
    return true;
}

bool wire_fill(struct wire_buffer *buffer, int socket, bool wait)
{
    ssize_t got;

    if (!make_room(buffer, LEAST_ROOM / 2))
        return false;
    do {
        got = recv(socket, buffer->bytes + buffer->end, buffer->room - buffer->end,
                   wait ? 0 : MSG_DONTWAIT);
    } while (got < 0 && errno == EINTR);
    if (got < 0)
        return errno == EAGAIN || errno == EWOULDBLOCK;
    buffer->end += (size_t)got;
    return got > 0;
}

bool wire_next(struct wire_buffer *buffer, struct wire_message *message)
{
    size_t there = buffer->end - buffer->begin;
    struct header header;

    if (there < sizeof(header))
        return false;
    memcpy(&header, buffer->bytes + buffer->begin, sizeof(header));
    if (there < sizeof(header) + padded(header.bytes))
        return false;
    message->kind = (enum wire_kind)header.kind;
    message->data = buffer->bytes + buffer->begin + sizeof(header);
    message->bytes = header.bytes;
    buffer->begin += sizeof(header) + padded(header.bytes);
    return true;
}

void wire_free(struct wire_buffer *buffer)
{
    free(buffer->bytes);
    memset(buffer, 0, sizeof(*buffer));
}
