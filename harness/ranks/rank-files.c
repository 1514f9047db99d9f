#include "ranks/rank-files.h"

#include "base/digest.h"
#include "base/replace-file.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TEXT_HEADER = RANK_PARTS, TEXT_ABOUT = 2 * RANK_PARTS, TEXT_FOLDER };

static const char manifest_name[] = "manifest.csv";

/* The texts begin behind the structure, and there are all of them. */
static enum status take_request(struct rank_files *files, const void *message, size_t bytes,
                                struct error *error)
{
    const char *at = (const char *)message + sizeof(files->request);
    const char *end = (const char *)message + bytes;

    if (bytes < sizeof(files->request))
        return error_set(error, STATUS_FAILED, "a request for files makes no sense");
    memcpy(&files->request, message, sizeof(files->request));
    for (size_t i = 0; i < FILES_TEXTS; i++) {
        const char *nul = memchr(at, '\0', (size_t)(end - at));

        if (!nul)
            return error_set(error, STATUS_FAILED, "a request for files makes no sense");
        free(files->text[i]);
        files->text[i] = strdup(at);
        if (!files->text[i])
            return error_out_of_memory(error);
        at = nul + 1;
    }
    return STATUS_OK;
}

static bool is_file(const struct rank_files *files, size_t part)
{
    return files->text[part][0] && strcmp(files->text[part], "-") != 0;
}

enum status rank_files_lock(struct rank_files *files, const void *request, size_t bytes,
                            struct error *error)
{
    enum status status = take_request(files, request, bytes, error);

    for (size_t i = 0; status == STATUS_OK && i < RANK_PARTS; i++) {
        if (is_file(files, i))
            status =
                file_lock_take(&files->lock[i], files->text[i], files->text[TEXT_ABOUT], error);
    }
    return status;
}

/* Over the two numbers. */
static size_t hash_of(uint32_t rank, uint64_t sequence)
{
    const uint64_t words[2] = {rank, sequence};
    uint64_t hash = digest_bytes(DIGEST_BEGIN, words, sizeof(words));

    return (size_t)(hash ^ hash >> 32);
}

/* The place of a configuration of a rank in the table, or where it would be. */
static struct rank_entry *place_of(struct rank_entry *entries, size_t room, uint32_t rank,
                                   uint64_t sequence)
{
    size_t at = hash_of(rank, sequence) & (room - 1);

    while (entries[at].is_there && (entries[at].rank != rank || entries[at].sequence != sequence))
        at = (at + 1) & (room - 1);
    return &entries[at];
}

static bool grow_entries(struct rank_files *files)
{
    size_t room = files->room ? 2 * files->room : 256;
    struct rank_entry *entries = calloc(room, sizeof(*entries));

    if (!entries)
        return false;
    for (size_t i = 0; i < files->room; i++) {
        const struct rank_entry *entry = &files->entries[i];

        if (entry->is_there)
            *place_of(entries, room, entry->rank, entry->sequence) = *entry;
    }
    free(files->entries);
    files->entries = entries;
    files->room = room;
    return true;
}

/* NULL: out of memory. */
static struct rank_entry *find_entry(struct rank_files *files, uint32_t rank, uint64_t sequence)
{
    if (2 * files->count >= files->room && !grow_entries(files))
        return NULL;
    struct rank_entry *entry = place_of(files->entries, files->room, rank, sequence);
    if (!entry->is_there) {
        *entry = (struct rank_entry){.sequence = sequence, .rank = rank, .is_there = true};
        for (size_t i = 0; i < RANK_PARTS; i++)
            entry->entry[i] = SIZE_MAX;
        files->count++;
    }
    return entry;
}

static enum status create_rank_part(struct rank_files *files, size_t part, struct error *error)
{
    const struct files_request *request = &files->request;
    struct entry_file *file = &files->file[part];
    struct text header = {files->text[TEXT_HEADER + part], strlen(files->text[TEXT_HEADER + part])};
    const char *path = files->text[part];
    enum status status;

    if (!is_file(files, part))
        status = entry_file_attach(file, stdout, "standard output", header, error);
    else if (request->has_rest)
        status = entry_file_continue(file, path, (size_t)request->rest[part],
                                     (size_t)request->rest[part], error);
    else
        status = entry_file_create(file, path, request->replaces, header, error);
    files->is_open[part] = status == STATUS_OK;
    if (status == STATUS_OK && request->holds && !is_file(files, part))
        entry_file_hold(file);
    return status;
}

/* Leaves no file behind that a run has not got. */
static void remove_rank_files(struct rank_files *files)
{
    for (size_t i = 0; i < RANK_PARTS; i++) {
        struct error ignored;

        if (!files->is_open[i])
            continue;
        if (is_file(files, i) && !files->request.has_rest)
            remove(files->text[i]);
        entry_file_close(&files->file[i], &ignored);
        files->is_open[i] = false;
    }
}

enum status rank_files_create(struct rank_files *files, const void *request, size_t bytes,
                              struct error *error)
{
    enum status status = take_request(files, request, bytes, error);

    for (size_t i = 0; status == STATUS_OK && i < RANK_PARTS; i++) {
        if (files->text[i][0])
            status = create_rank_part(files, i, error);
    }
    files->rows = files->request.rows;
    if (status != STATUS_OK)
        remove_rank_files(files);
    return status;
}

static uint64_t count_lines(struct text text)
{
    uint64_t lines = 0;

    for (size_t i = 0; i < text.bytes; i++)
        lines += text.at[i] == '\n';
    return lines;
}

enum status rank_files_put(struct rank_files *files, const struct wire_entry *put, struct text rows,
                           struct error *error)
{
    struct entry_file *file = &files->file[put->part % RANK_PARTS];

    if (put->part >= RANK_PARTS || !files->is_open[put->part])
        return STATUS_OK;
    struct rank_entry *entry = find_entry(files, put->rank, put->sequence);
    if (!entry)
        return error_out_of_memory(error);
    if (entry->entry[put->part] != SIZE_MAX)
        return entry_file_change(file, entry->entry[put->part], rows, put->keeps, error);
    enum status status = entry_file_add(file, rows, error);
    if (status != STATUS_OK)
        return status;
    entry->entry[put->part] = file->count - 1;
    files->rows += put->part == RANK_RESULTS ? count_lines(rows) : 0;
    return STATUS_OK;
}

enum status rank_files_commit(struct rank_files *files, struct error *error)
{
    enum status status = STATUS_OK;

    if (files->is_open[RANK_SAMPLES])
        status = entry_file_commit(&files->file[RANK_SAMPLES], error);
    if (status == STATUS_OK && files->is_open[RANK_RESULTS])
        status = entry_file_commit(&files->file[RANK_RESULTS], error);
    return status;
}

/* "NODE.csv,ROWS" of this writer. */
static void write_line(struct rank_files *files, struct text *line)
{
    const char *path = files->text[RANK_RESULTS], *slash = path ? strrchr(path, '/') : NULL;
    size_t room = path ? strlen(path) + 32 : 0;

    free(files->line);
    files->line = room ? malloc(room) : NULL;
    if (!files->line)
        return;
    int bytes = snprintf(files->line, room, "%s,%llu\r\n", slash ? slash + 1 : path,
                         (unsigned long long)files->rows);
    *line = (struct text){files->line, (size_t)bytes};
}

enum status rank_files_close(struct rank_files *files, struct text *line, struct error *error)
{
    enum status status = STATUS_OK;
    struct error first = {STATUS_OK, ""};

    write_line(files, line);
    if (files->is_open[RANK_RESULTS])
        status = entry_file_release(&files->file[RANK_RESULTS], &first);
    for (size_t i = 0; i < RANK_PARTS; i++) {
        struct error close_error;

        if (files->is_open[i] && entry_file_close(&files->file[i], &close_error) != STATUS_OK &&
            status == STATUS_OK) {
            first = close_error;
            status = close_error.status;
        }
        files->is_open[i] = false;
        file_lock_release(&files->lock[i]);
    }
    *error = first;
    return status;
}

enum status rank_files_manifest(const struct rank_files *files, struct text lines,
                                struct error *error)
{
    const char *folder = files->text[TEXT_FOLDER];
    char path[PATH_MAX];
    struct replacement file;

    if (!folder || !folder[0])
        return STATUS_OK;
    snprintf(path, sizeof(path), "%s/%s", folder, manifest_name);
    enum status status = replacement_open(&file, path, error);
    if (status != STATUS_OK)
        return status;
    fputs("file,rows\r\n", file.out);
    fwrite(lines.at, 1, lines.bytes, file.out);
    return replacement_close(&file, STATUS_OK, error);
}

void rank_files_free(struct rank_files *files)
{
    for (size_t i = 0; i < FILES_TEXTS; i++)
        free(files->text[i]);
    for (size_t i = 0; i < RANK_PARTS; i++)
        file_lock_release(&files->lock[i]);
    free(files->entries);
    free(files->line);
    memset(files, 0, sizeof(*files));
}
