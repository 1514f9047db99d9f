#include "sweep/store.h"

#include "base/columns.h"
#include "base/streams.h"

#include <stdlib.h>
#include <string.h>

#define ABOUT_BYTES 320

/* Text that is being written. */
struct draft {
    struct csv csv;
    char *text; /* owned by the draft */
    size_t bytes;
};

static enum row_format format_of(const struct store *store, enum store_part part)
{
    return part == STORE_RESULTS ? store->request.format : ROWS_CSV;
}

static enum status draft_begin(struct draft *draft, const struct store *store, enum store_part part,
                               struct error *error)
{
    *draft = (struct draft){.text = NULL};
    FILE *out = stream_open_text(&draft->text, &draft->bytes);

    if (!out)
        return error_out_of_memory(error);
    csv_attach(&draft->csv, out, store->file[part].name);
    draft->csv.format = format_of(store, part);
    return STATUS_OK;
}

/* What has been written; to be freed in any case. */
static struct text draft_end(struct draft *draft, enum status *status, struct error *error)
{
    struct error closing;

    if (draft->csv.file &&
        stream_close_text(draft->csv.file, &draft->text, &closing) != STATUS_OK &&
        *status == STATUS_OK) {
        *status = closing.status;
        *error = closing;
    }
    draft->csv.file = NULL;
    return (struct text){draft->text, draft->bytes};
}

static enum status write_header(const struct store *store, enum store_part part, struct csv *csv,
                                struct error *error)
{
    const struct axis_columns *axes = store->request.axes;

    switch (part) {
    case STORE_RESULTS:
        return results_write_header(csv, axes, error);
    case STORE_SAMPLES:
        return samples_write_header(csv, axes, error);
    default:
        return counters_write_header(csv, axes, error);
    }
}

static enum status write_rows(const struct sweep_rows *rows, const struct task *task,
                              enum store_part part, struct csv *csv, struct error *error)
{
    switch (part) {
    case STORE_RESULTS:
        return sweep_rows_write(rows, task, csv, error);
    case STORE_SAMPLES:
        return sweep_rows_write_samples(rows, task, csv, error);
    default:
        return sweep_rows_write_counts(rows, task, csv, error);
    }
}

/* Which one writes them, the member knows. */
static enum status ask_files(struct store *store, enum wire_kind kind,
                             const struct files_request *request,
                             const char *const headers[STORE_PARTS], struct error *error)
{
    const struct store_request *r = &store->request;
    const char *texts[FILES_TEXTS] = {NULL};
    char host[HOST_BYTES], now[TIME_BYTES], about[ABOUT_BYTES];

    host_name(host);
    utc_text(now);
    snprintf(about, sizeof(about), "on %s since %s: %s", host, now, r->command);
    for (size_t i = 0; i < STORE_PARTS; i++) {
        texts[i] = r->path[i] ? r->path[i] : i == STORE_RESULTS && r->stream ? "-" : NULL;
        texts[STORE_PARTS + i] = headers ? headers[i] : NULL;
    }
    texts[2 * STORE_PARTS] = about;
    texts[2 * STORE_PARTS + 1] = r->folder;
    return ranks_files(r->ranks, kind, request, texts, error);
}

enum status store_lock(struct store *store, const struct store_request *request,
                       struct error *error)
{
    enum status status = STATUS_OK;
    char host[HOST_BYTES], now[TIME_BYTES], about[ABOUT_BYTES];

    *store = (struct store){.request = *request};
    if (request->ranks) {
        const struct files_request none = {.replaces = false};

        return ranks_writes(request->ranks) ? ask_files(store, WIRE_LOCK, &none, NULL, error)
                                            : STATUS_OK;
    }
    host_name(host);
    utc_text(now);
    snprintf(about, sizeof(about), "on %s since %s: %s", host, now, request->command);
    for (size_t i = 0; status == STATUS_OK && i < STORE_PARTS; i++) {
        if (request->path[i])
            status = file_lock_take(&store->lock[i], request->path[i], about, error);
    }
    if (status != STATUS_OK) {
        struct error ignored;

        store_close(store, &ignored);
    }
    return status;
}

static bool has_part(const struct store *store, enum store_part part)
{
    return store->request.path[part] || (part == STORE_RESULTS && store->request.stream);
}

static enum status create_part(struct store *store, enum store_part part, struct error *error)
{
    const struct store_request *request = &store->request;
    struct entry_file *file = &store->file[part];
    struct draft draft;
    enum status status = draft_begin(&draft, store, part, error);

    if (status == STATUS_OK)
        status = write_header(store, part, &draft.csv, error);
    struct text header = draft_end(&draft, &status, error);
    if (status == STATUS_OK)
        status =
            request->path[part]
                ? entry_file_create(file, request->path[part], request->replaces, header, error)
                : entry_file_attach(file, request->stream, "standard output", header, error);
    free(draft.text);
    store->is_open[part] = status == STATUS_OK;
    return status;
}

/* Leaves no file behind that a run has not got. */
static void remove_files(struct store *store)
{
    for (size_t i = 0; i < STORE_PARTS; i++) {
        struct error ignored;

        if (!store->is_open[i])
            continue;
        if (store->request.path[i])
            remove(store->request.path[i]);
        entry_file_close(&store->file[i], &ignored);
        store->is_open[i] = false;
    }
}

/* Has the member make the files, or continue them. */
static enum status create_by_member(struct store *store, const struct store_rest *rest,
                                    struct error *error)
{
    struct files_request request = {.replaces = store->request.replaces,
                                    .holds = store->request.holds,
                                    .has_rest = rest != NULL,
                                    .rows = rest ? rest[STORE_RESULTS].rows : 0};
    const char *headers[STORE_PARTS] = {NULL};
    struct draft drafts[STORE_PARTS] = {{.text = NULL}};
    enum status status = STATUS_OK;

    for (size_t i = 0; i < STORE_PARTS; i++)
        store->is_open[i] = has_part(store, i);
    if (!ranks_writes(store->request.ranks))
        return STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < STORE_PARTS; i++) {
        request.rest[i] = rest ? rest[i].begin : 0;
        if (!has_part(store, i))
            continue;
        status = draft_begin(&drafts[i], store, i, error);
        if (status == STATUS_OK)
            status = write_header(store, i, &drafts[i].csv, error);
        draft_end(&drafts[i], &status, error);
        headers[i] = drafts[i].text;
    }
    if (status == STATUS_OK)
        status = ask_files(store, WIRE_CREATE, &request, headers, error);
    for (size_t i = 0; i < STORE_PARTS; i++)
        free(drafts[i].text);
    return status;
}

enum status store_create(struct store *store, struct error *error)
{
    enum status status = STATUS_OK;

    if (store->request.ranks)
        return create_by_member(store, NULL, error);

    for (size_t i = 0; status == STATUS_OK && i < STORE_PARTS; i++) {
        if (has_part(store, i))
            status = create_part(store, i, error);
    }
    if (status != STATUS_OK)
        remove_files(store);
    return status;
}

enum status store_continue(struct store *store, const struct store_rest rest[STORE_PARTS],
                           struct error *error)
{
    const struct store_request *request = &store->request;
    enum status status = STATUS_OK;

    if (request->ranks)
        return create_by_member(store, rest, error);
    for (size_t i = 0; status == STATUS_OK && i < STORE_PARTS; i++) {
        if (!request->path[i])
            continue;
        status = entry_file_continue(&store->file[i], request->path[i], rest[i].begin, rest[i].end,
                                     error);
        store->is_open[i] = status == STATUS_OK;
    }
    store->count = 1;
    store->has_resumed = true;
    return status;
}

enum status store_say(const struct store *store, enum wire_kind kind, const struct wire_entry *head,
                      const struct sweep_rows *rows, const struct task *task, struct error *error)
{
    struct draft draft;
    enum status status = draft_begin(&draft, store, (enum store_part)head->part, error);

    if (status == STATUS_OK)
        status = write_rows(rows, task, (enum store_part)head->part, &draft.csv, error);
    struct text text = draft_end(&draft, &status, error);
    if (status == STATUS_OK && !ranks_say(store->request.ranks, kind,
                                          (struct text){(const char *)head, sizeof(*head)}, text))
        status = error_set(error, STATUS_LOST, "vebench-mpi is gone; --resume continues the run");
    free(draft.text);
    return status;
}

static enum status put_part(struct store *store, enum store_part part,
                            const struct sweep_rows *rows, const struct task *task,
                            struct error *error)
{
    if (store->request.ranks) {
        const struct wire_entry head = {.rank = store->request.ranks->rank,
                                        .part = (uint32_t)part,
                                        .sequence = task->sequence,
                                        .keeps = part == STORE_SAMPLES && task->is_stored};

        return store_say(store, WIRE_ROWS, &head, rows, task, error);
    }
    struct entry_file *file = &store->file[part];
    bool keeps = part == STORE_SAMPLES && !(store->has_resumed && task->entry == 0);
    struct draft draft;
    enum status status = draft_begin(&draft, store, part, error);

    /* In JSON the first row is told apart. */
    draft.csv.row = task->is_stored ? task->entry > 0 : store->count > 0;
    if (status == STATUS_OK)
        status = write_rows(rows, task, part, &draft.csv, error);
    struct text text = draft_end(&draft, &status, error);
    if (status == STATUS_OK)
        status = task->is_stored ? entry_file_change(file, task->entry, text, keeps, error)
                                 : entry_file_add(file, text, error);
    free(draft.text);
    return status;
}

enum status store_put(struct store *store, const struct sweep_rows *rows, struct task *task,
                      struct error *error)
{
    /* The results come last: samples without rows can be told to be of a task that is not done. */
    static const enum store_part order[] = {STORE_SAMPLES, STORE_COUNTERS, STORE_RESULTS};
    enum status status = STATUS_OK;

    for (size_t i = 0; status == STATUS_OK && i < STORE_PARTS; i++) {
        enum store_part part = order[i];

        if (store->is_open[part] && !(task->is_stored && part == STORE_COUNTERS))
            status = put_part(store, part, rows, task, error);
    }
    if (status != STATUS_OK)
        return status;
    store->has_changes = store->has_changes || task->is_stored;
    if (!task->is_stored)
        task->entry = store->count++;
    else if (task->entry == 0)
        store->has_resumed = false;
    task->is_stored = true;
    return STATUS_OK;
}

enum status store_commit(struct store *store, struct error *error)
{
    enum status status = STATUS_OK;

    if (store->request.ranks && store->has_changes)
        ranks_say(store->request.ranks, WIRE_COMMIT, (struct text){"", 0}, (struct text){"", 0});
    store->has_changes = false;
    if (store->request.ranks)
        return STATUS_OK;
    if (store->is_open[STORE_SAMPLES])
        status = entry_file_commit(&store->file[STORE_SAMPLES], error);
    if (status == STATUS_OK && store->is_open[STORE_RESULTS])
        status = entry_file_commit(&store->file[STORE_RESULTS], error);
    return status;
}

void store_hold(struct store *store)
{
    if (store->is_open[STORE_RESULTS] && !store->request.ranks)
        entry_file_hold(&store->file[STORE_RESULTS]);
}

enum status store_release(struct store *store, struct error *error)
{
    return store->is_open[STORE_RESULTS] && !store->request.ranks
               ? entry_file_release(&store->file[STORE_RESULTS], error)
               : STATUS_OK;
}

bool store_can_resume(const struct store *store)
{
    return store->request.path[STORE_RESULTS] && store->request.format == ROWS_CSV;
}

const char *store_unlocked(const struct store *store)
{
    for (size_t i = 0; i < STORE_PARTS; i++) {
        if (store->lock[i].path && !store->lock[i].is_held)
            return store->request.path[i];
    }
    return NULL;
}

/* Writes what ends the results. */
static enum status complete(struct store *store, struct error *error)
{
    struct draft draft;
    enum status status = draft_begin(&draft, store, STORE_RESULTS, error);

    if (status == STATUS_OK)
        status = columns_write_end(&draft.csv, error);
    struct text end = draft_end(&draft, &status, error);
    if (status == STATUS_OK && end.bytes > 0)
        status = entry_file_add(&store->file[STORE_RESULTS], end, error);
    free(draft.text);
    return status;
}

enum status store_close(struct store *store, struct error *error)
{
    if (store->request.ranks)
        return STATUS_OK;
    enum status status = store->is_open[STORE_RESULTS] ? complete(store, error) : STATUS_OK;

    for (size_t i = 0; i < STORE_PARTS; i++) {
        struct error ignored;

        if (store->is_open[i])
            status = entry_file_close(&store->file[i], status == STATUS_OK ? error : &ignored) ==
                             STATUS_OK
                         ? status
                         : STATUS_FAILED;
        store->is_open[i] = false;
        file_lock_release(&store->lock[i]);
    }
    return status;
}
