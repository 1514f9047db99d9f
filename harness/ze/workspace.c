#include "ze/workspace.h"

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

/* What is between rows is not written to: until it is, it takes none of the host's memory. */
static void fill_initial(struct workspace *workspace, struct buffer *buffer)
{
    const struct buffer_rows *rows = &buffer->rows;

    for (size_t at = 0; rows->pitch && at < buffer->bytes; at += rows->pitch)
        fill_random(&workspace->prng, (unsigned char *)buffer->initial + at, rows->bytes);
    if (rows->pitch)
        return;
    if (buffer->use == BUFFER_OUTPUT || buffer->use == BUFFER_WITNESS)
        fill_unwritten(buffer->initial, buffer->bytes);
    else
        fill_random(&workspace->prng, buffer->initial, buffer->bytes);
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

static enum status allocate(struct workspace *workspace, struct buffer *buffer,
                            const struct image_plan *image, struct error *error)
{
    struct session *session = workspace->session;

    if (!session) {
        buffer->initial = calloc(buffer->bytes ? buffer->bytes : 1, 1);
        buffer->device = free_address(workspace);
        return buffer->initial ? STATUS_OK : error_out_of_memory(error);
    }
    enum status status = session_alloc_host(session, buffer->bytes, &buffer->initial, error);
    if (status == STATUS_OK && buffer->use != BUFFER_INPUT)
        status = session_alloc_host(session, buffer->bytes, &buffer->result, error);
    if (status == STATUS_OK && image)
        status = image_create(session, image, &buffer->image, error);
    else if (status == STATUS_OK)
        status = session_alloc_device(session, buffer->bytes, &buffer->device, error);
    return status;
}

static enum status add_memory(struct workspace *workspace, const struct buffer *added,
                              const struct image_plan *image, struct error *error)
{
    if (workspace->buffer_count == BUFFERS_MAX)
        return error_set(error, STATUS_FAILED, "more than %d buffers", BUFFERS_MAX);
    struct buffer *buffer = &workspace->buffers[workspace->buffer_count++];
    *buffer = *added;
    enum status status = allocate(workspace, buffer, image, error);
    if (status != STATUS_OK)
        return status;
    fill_initial(workspace, buffer);
    return STATUS_OK;
}

enum status workspace_add(struct workspace *workspace, const char *name, enum buffer_use use,
                          size_t bytes, struct error *error)
{
    const struct buffer added = {.name = name, .use = use, .bytes = bytes};

    return add_memory(workspace, &added, NULL, error);
}

enum status workspace_add_rows(struct workspace *workspace, const char *name, size_t bytes,
                               struct buffer_rows rows, struct error *error)
{
    const struct buffer added = {.name = name, .use = BUFFER_INPUT, .bytes = bytes, .rows = rows};

    return add_memory(workspace, &added, NULL, error);
}

enum status workspace_add_image(struct workspace *workspace, const char *name, enum buffer_use use,
                                const struct image_plan *plan, struct error *error)
{
    const struct buffer added = {.name = name, .use = use, .bytes = image_bytes(plan)};

    return add_memory(workspace, &added, plan, error);
}

void *workspace_scratch(struct workspace *workspace, size_t bytes, struct error *error)
{
    if (!workspace->scratch || bytes > workspace->scratch_bytes) {
        free(workspace->scratch);
        workspace->scratch = malloc(bytes ? bytes : 1);
        workspace->scratch_bytes = bytes;
    }
    if (!workspace->scratch)
        error_out_of_memory(error);
    return workspace->scratch;
}

/* The last results, each with its key. */
struct kept {
    size_t next; /* to be replaced */
    struct {
        unsigned char key[KEPT_KEY_BYTES];
        size_t key_bytes; /* 0: empty */
        void *result;     /* owned */
    } entry[KEPT_MAX];
};

static void kept_free(struct kept *kept)
{
    for (size_t i = 0; kept && i < KEPT_MAX; i++)
        free(kept->entry[i].result);
    free(kept);
}

void workspace_redraw(struct workspace *workspace, uint64_t seed)
{
    workspace->seed = seed;
    prng_seed(&workspace->prng, seed);
    workspace->inputs_are_there = false;
    for (size_t i = 0; i < workspace->buffer_count; i++)
        fill_initial(workspace, &workspace->buffers[i]);
    free(workspace->own);
    workspace->own = NULL;
    kept_free(workspace->kept);
    workspace->kept = NULL;
}

void *workspace_keep(struct workspace *workspace, const void *key, size_t key_bytes, size_t bytes,
                     bool *is_new, struct error *error)
{
    struct kept *kept = workspace->kept;
    size_t at = 0;

    if (!kept)
        kept = workspace->kept = calloc(1, sizeof(*kept));
    while (kept && at < KEPT_MAX &&
           (kept->entry[at].key_bytes != key_bytes || memcmp(kept->entry[at].key, key, key_bytes)))
        at++;
    *is_new = at == KEPT_MAX;
    if (kept && !*is_new)
        return kept->entry[at].result;
    if (kept && !kept->entry[kept->next].result)
        kept->entry[kept->next].result = malloc(bytes ? bytes : 1);
    if (!kept || !kept->entry[kept->next].result) {
        error_out_of_memory(error);
        return NULL;
    }
    at = kept->next;
    kept->next = (kept->next + 1) % KEPT_MAX;
    memcpy(kept->entry[at].key, key, key_bytes);
    kept->entry[at].key_bytes = key_bytes;
    return kept->entry[at].result;
}

/* Is it an output that the family gives no contents of its own? */
static bool is_unwritten(const struct buffer *buffer)
{
    static const uint32_t pattern = BUFFER_UNWRITTEN;
    const unsigned char *at = buffer->initial;
    size_t first = buffer->bytes < sizeof(pattern) ? buffer->bytes : sizeof(pattern);

    return (buffer->use == BUFFER_OUTPUT || buffer->use == BUFFER_WITNESS) &&
           !memcmp(at, &pattern, first) && !memcmp(at, at + first, buffer->bytes - first);
}

/* Results of an earlier launch must not pass for this one's. */
static void forget_result(struct buffer *buffer)
{
    if (buffer->result)
        memset(buffer->result, 0, buffer->bytes);
}

static enum status copy_in(struct session *session, struct buffer *buffer, struct error *error)
{
    forget_result(buffer);
    if (buffer->image)
        return image_append_fill(session, buffer->image, buffer->initial, error);
    if (buffer->rows.pitch)
        return session_append_copy_rows(session, buffer->device, buffer->initial, buffer->bytes,
                                        buffer->rows.bytes, buffer->rows.pitch, error);
    return session_append_copy(session, buffer->device, buffer->initial, buffer->bytes, error);
}

enum status workspace_record_copies_in(struct workspace *workspace, bool reads_results,
                                       bool is_again, struct error *error)
{
    enum status status = STATUS_OK;

    for (size_t i = 0; status == STATUS_OK && i < workspace->buffer_count; i++) {
        struct buffer *buffer = &workspace->buffers[i];
        bool is_there = buffer->use == BUFFER_INPUT && workspace->inputs_are_there;
        bool is_left = buffer->use == BUFFER_ONLY_STORED && is_again;

        if (is_left)
            forget_result(buffer);
        else if (!is_there && (reads_results || !is_unwritten(buffer)))
            status = copy_in(workspace->session, buffer, error);
    }
    return status;
}

enum status workspace_record_copies_out(struct workspace *workspace, struct error *error)
{
    enum status status = STATUS_OK;

    for (size_t i = 0; status == STATUS_OK && i < workspace->buffer_count; i++) {
        struct buffer *buffer = &workspace->buffers[i];

        if (buffer->result && buffer->image)
            status = image_append_read(workspace->session, buffer->result, buffer->image, error);
        else if (buffer->result)
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
        image_destroy(workspace->session, workspace->buffers[i].image);
        session_free(workspace->session, workspace->buffers[i].device);
        session_free(workspace->session, workspace->buffers[i].result);
        session_free(workspace->session, workspace->buffers[i].initial);
    }
    workspace->buffer_count = 0;
    kept_free(workspace->kept);
    free(workspace->scratch);
    free(workspace->own);
    workspace->kept = NULL;
    workspace->scratch = workspace->own = NULL;
}
