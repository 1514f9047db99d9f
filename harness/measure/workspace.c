#include "measure/workspace.h"

#include <stdlib.h>
#include <string.h>

/* Addresses of device sides when there is no device. */
#define FIRST_ADDRESS     (UINT64_C(1) << 32)
#define ADDRESS_ALIGNMENT (UINT64_C(1) << 16)

void workspace_init(struct workspace *workspace, struct session *session, uint64_t seed)
{
    memset(workspace, 0, sizeof(*workspace));
    workspace->session = session;
    workspace->seed = seed;
    prng_seed(&workspace->prng, seed);
}

/* Random, because with compressible contents the memory measured might not be the memory meant. */
static void fill_random(struct prng *prng, void *memory, size_t bytes)
{
    unsigned char *at = memory;

    while (bytes > 0) {
        uint64_t word = prng_next(prng);
        size_t part = bytes < sizeof(word) ? bytes : sizeof(word);

        memcpy(at, &word, part);
        at += part;
        bytes -= part;
    }
}

static void fill_unwritten(void *memory, size_t bytes)
{
    static const uint32_t pattern = BUFFER_UNWRITTEN;
    unsigned char *at = memory;

    for (size_t i = 0; i < bytes; i += sizeof(pattern))
        memcpy(at + i, &pattern, bytes - i < sizeof(pattern) ? bytes - i : sizeof(pattern));
}

/* The next free address after the buffers so far. */
static void *free_address(const struct workspace *workspace)
{
    uint64_t end = FIRST_ADDRESS;

    for (size_t i = 0; i + 1 < workspace->buffer_count; i++) {
        uint64_t bytes = workspace->buffers[i].bytes;

        end += (bytes + ADDRESS_ALIGNMENT - 1) / ADDRESS_ALIGNMENT * ADDRESS_ALIGNMENT;
    }
    return (void *)(uintptr_t)end;
}

static enum status allocate(struct workspace *workspace, struct buffer *buffer, struct error *error)
{
    struct session *session = workspace->session;

    if (!session) {
        buffer->initial = malloc(buffer->bytes ? buffer->bytes : 1);
        buffer->device = free_address(workspace);
        return buffer->initial ? STATUS_OK : error_set(error, STATUS_FAILED, "out of memory");
    }
    enum status status = session_alloc_host(session, buffer->bytes, &buffer->initial, error);
    if (status == STATUS_OK && buffer->use != BUFFER_INPUT)
        status = session_alloc_host(session, buffer->bytes, &buffer->result, error);
    if (status == STATUS_OK)
        status = session_alloc_device(session, buffer->bytes, &buffer->device, error);
    return status;
}

enum status workspace_add(struct workspace *workspace, enum buffer_use use, size_t bytes,
                          struct error *error)
{
    if (workspace->buffer_count == BUFFERS_MAX)
        return error_set(error, STATUS_FAILED, "more than %d buffers", BUFFERS_MAX);
    struct buffer *buffer = &workspace->buffers[workspace->buffer_count++];
    buffer->use = use;
    buffer->bytes = bytes;
    enum status status = allocate(workspace, buffer, error);
    if (status != STATUS_OK)
        return status;
    if (use == BUFFER_OUTPUT)
        fill_unwritten(buffer->initial, bytes);
    else
        fill_random(&workspace->prng, buffer->initial, bytes);
    return STATUS_OK;
}

enum status workspace_record_copies_in(struct workspace *workspace, struct error *error)
{
    enum status status = STATUS_OK;

    for (size_t i = 0; status == STATUS_OK && i < workspace->buffer_count; i++) {
        struct buffer *buffer = &workspace->buffers[i];

        if (buffer->use == BUFFER_INPUT && workspace->inputs_are_there)
            continue;
        /* Results of an earlier launch must not pass for this one's. */
        if (buffer->result)
            memset(buffer->result, 0, buffer->bytes);
        status = session_append_copy(workspace->session, buffer->device, buffer->initial,
                                     buffer->bytes, error);
    }
    return status;
}

enum status workspace_record_copies_out(struct workspace *workspace, struct error *error)
{
    enum status status = STATUS_OK;

    for (size_t i = 0; status == STATUS_OK && i < workspace->buffer_count; i++) {
        struct buffer *buffer = &workspace->buffers[i];

        if (buffer->result)
            status = session_append_copy(workspace->session, buffer->result, buffer->device,
                                         buffer->bytes, error);
    }
    return status;
}

void workspace_release(struct workspace *workspace)
{
    for (size_t i = workspace->buffer_count; i-- > 0;) {
        if (!workspace->session) {
            free(workspace->buffers[i].initial);
            continue;
        }
        session_free(workspace->session, workspace->buffers[i].device);
        session_free(workspace->session, workspace->buffers[i].result);
        session_free(workspace->session, workspace->buffers[i].initial);
    }
    workspace->buffer_count = 0;
}
