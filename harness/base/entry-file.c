#include "base/entry-file.h"

#include "base/replace-file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define COPY_BYTES 65536

static enum status no_memory(struct error *error)
{
    return error_out_of_memory(error);
}

static enum status cannot(const struct entry_file *file, const char *what, struct error *error)
{
    return error_set(error, STATUS_FAILED, "cannot %s %s: %s", what, file->name, strerror(errno));
}

/* In one write, unless the system stops on its way. False with errno set. */
static bool write_all(int descriptor, struct text text)
{
    while (text.bytes > 0) {
        ssize_t written = write(descriptor, text.at, text.bytes);

        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return false;
        text.at += written;
        text.bytes -= (size_t)written;
    }
    return true;
}

/* Appends to file or stream, all of it or nothing. */
static enum status append(struct entry_file *file, struct text text, struct error *error)
{
    if (file->stream) {
        fwrite(text.at, 1, text.bytes, file->stream);
        return fflush(file->stream) == 0 && !ferror(file->stream) ? STATUS_OK
                                                                  : cannot(file, "write to", error);
    }
    if (!write_all(file->descriptor, text)) {
        enum status status = cannot(file, "write to", error);

        if (ftruncate(file->descriptor, (off_t)file->bytes) != 0 ||
            lseek(file->descriptor, 0, SEEK_END) < 0)
            error_append(error, "; nor can what was begun be cut off: %s", strerror(errno));
        return status;
    }
    file->bytes += text.bytes;
    return STATUS_OK;
}

/* Sets the path, with links followed if there is something. */
static enum status begin(struct entry_file *file, const char *path, struct error *error)
{
    *file = (struct entry_file){.name = path, .descriptor = -1};
    file->path = realpath(path, NULL);
    if (!file->path)
        file->path = strdup(path);
    return file->path ? STATUS_OK : no_memory(error);
}

/* Ends with the status of what failed. */
static enum status give_up(struct entry_file *file, enum status status)
{
    free(file->path);
    free(file->entry);
    if (file->descriptor >= 0)
        close(file->descriptor);
    *file = (struct entry_file){.descriptor = -1};
    return status;
}

static enum status exists(const char *path, struct error *error)
{
    return error_set(error, STATUS_FAILED,
                     "%s exists already; results are never overwritten: name another file with "
                     "--output or --samples, move this one away, or continue it with --resume",
                     path);
}

/* Under its name there is nothing before there is the whole header. */
static enum status write_header(struct entry_file *file, bool replaces, struct text header,
                                struct error *error)
{
    struct replacement replacement;
    enum status status = replacement_open(&replacement, file->path, error);

    if (status != STATUS_OK)
        return error_set(error, STATUS_FAILED,
                         "cannot write to %s: %s; name a file in a folder that exists and that you "
                         "may write to",
                         file->name, strerror(errno));
    file->descriptor = fcntl(fileno(replacement.out), F_DUPFD_CLOEXEC, 0);
    status = file->descriptor < 0 ? cannot(file, "write to", error) : append(file, header, error);
    if (replaces)
        return replacement_close(&replacement, status, error);
    return replacement_close_new(&replacement, status, error);
}

enum status entry_file_create(struct entry_file *file, const char *path, bool replaces,
                              struct text header, struct error *error)
{
    enum status status = begin(file, path, error);

    if (status == STATUS_OK && !replaces && access(path, F_OK) == 0)
        status = exists(path, error);
    if (status == STATUS_OK)
        status = write_header(file, replaces, header, error);
    return status == STATUS_OK ? status : give_up(file, status);
}

enum status entry_file_attach(struct entry_file *file, FILE *stream, const char *name,
                              struct text header, struct error *error)
{
    *file = (struct entry_file){.name = name, .descriptor = -1, .stream = stream};
    return append(file, header, error);
}

/* False if there is no memory. */
static bool make_room(struct entry_file *file)
{
    size_t room = file->room ? 2 * file->room : 64;
    struct entry *more = file->entry;

    if (file->count < file->room)
        return true;
    more = realloc(more, room * sizeof(*more));
    if (!more)
        return false;
    file->entry = more;
    file->room = room;
    return true;
}

enum status entry_file_continue(struct entry_file *file, const char *path, size_t first, size_t end,
                                struct error *error)
{
    enum status status = begin(file, path, error);

    if (status == STATUS_OK && !make_room(file))
        status = no_memory(error);
    if (status != STATUS_OK)
        return give_up(file, status);
    file->descriptor = open(file->path, O_WRONLY | O_CLOEXEC);
    if (file->descriptor < 0 || ftruncate(file->descriptor, (off_t)end) != 0 ||
        lseek(file->descriptor, 0, SEEK_END) < 0)
        return give_up(file, cannot(file, "write to", error));
    file->entry[file->count++] = (struct entry){.begin = first, .end = end};
    file->bytes = end;
    return STATUS_OK;
}

enum status entry_file_add(struct entry_file *file, struct text text, struct error *error)
{
    enum status status = STATUS_OK;

    if (!make_room(file))
        return no_memory(error);
    file->entry[file->count] = (struct entry){.begin = file->bytes, .end = file->bytes};
    if (file->holds && file->stream) {
        file->count++;
        status = entry_file_change(file, file->count - 1, text, false, error);
        file->count -= status != STATUS_OK;
        return status;
    }
    status = append(file, text, error);
    file->entry[file->count].end = file->bytes;
    file->count += status == STATUS_OK;
    return status;
}

enum status entry_file_change(struct entry_file *file, size_t entry, struct text text, bool keeps,
                              struct error *error)
{
    struct entry *e = &file->entry[entry];
    size_t before = keeps && e->change ? e->change_bytes : 0;
    char *change = malloc(before + text.bytes + 1);

    if (!change)
        return no_memory(error);
    if (before)
        memcpy(change, e->change, before);
    memcpy(change + before, text.at, text.bytes);
    free(e->change);
    e->keeps = keeps && (!e->change || e->keeps);
    e->change = change;
    e->change_bytes = before + text.bytes;
    file->has_changes = true;
    return STATUS_OK;
}

static void forget_changes(struct entry_file *file)
{
    for (size_t i = 0; i < file->count; i++) {
        free(file->entry[i].change);
        file->entry[i].change = NULL;
    }
    file->has_changes = false;
}

/* A new file on its way into the place of the old one. */
struct rewriting {
    const struct entry_file *file;
    FILE *in;
    size_t copied; /* bytes of `in` that are copied or left out */
    int out;
};

static enum status copy_to(struct rewriting *r, size_t end, struct error *error)
{
    char bytes[COPY_BYTES];

    while (r->copied < end) {
        size_t left = end - r->copied;
        size_t got = fread(bytes, 1, left < sizeof(bytes) ? left : sizeof(bytes), r->in);

        if (got == 0)
            return cannot(r->file, "read", error);
        if (!write_all(r->out, (struct text){bytes, got}))
            return cannot(r->file, "write to", error);
        r->copied += got;
    }
    return STATUS_OK;
}

static enum status rewrite_entry(struct rewriting *r, const struct entry *e, struct error *error)
{
    enum status status = copy_to(r, e->keeps ? e->end : e->begin, error);

    if (status == STATUS_OK && !write_all(r->out, (struct text){e->change, e->change_bytes}))
        status = cannot(r->file, "write to", error);
    if (status == STATUS_OK && fseeko(r->in, (off_t)e->end, SEEK_SET) != 0)
        status = cannot(r->file, "read", error);
    r->copied = e->end;
    return status;
}

static enum status rewrite(struct rewriting *r, struct error *error)
{
    enum status status = STATUS_OK;

    for (size_t i = 0; status == STATUS_OK && i < r->file->count; i++) {
        if (r->file->entry[i].change)
            status = rewrite_entry(r, &r->file->entry[i], error);
    }
    if (status == STATUS_OK)
        status = copy_to(r, r->file->bytes, error);
    /* A crash of the machine must not leave less than there was. */
    if (status == STATUS_OK && fsync(r->out) != 0)
        status = cannot(r->file, "write to", error);
    return status;
}

/* Where the entries are in the new file. */
static void move_entries(struct entry_file *file)
{
    size_t moved = 0; /* modulo the largest size: may stand for a move towards the beginning */

    for (size_t i = 0; i < file->count; i++) {
        struct entry *e = &file->entry[i];
        size_t before = e->end - e->begin;
        size_t now = !e->change ? before : e->change_bytes + (e->keeps ? before : 0);

        e->begin += moved;
        e->end = e->begin + now;
        moved += now - before;
    }
    file->bytes += moved;
}

static enum status replace(struct entry_file *file, FILE *in, struct error *error)
{
    struct replacement replacement;
    enum status status = replacement_open(&replacement, file->path, error);

    if (status != STATUS_OK)
        return status;
    struct rewriting rewriting = {file, in, 0, fcntl(fileno(replacement.out), F_DUPFD_CLOEXEC, 0)};
    status = rewriting.out < 0 ? cannot(file, "write to", error) : rewrite(&rewriting, error);
    status = replacement_close(&replacement, status, error);
    if (status != STATUS_OK) {
        if (rewriting.out >= 0)
            close(rewriting.out);
        return status;
    }
    move_entries(file);
    close(file->descriptor);
    file->descriptor = rewriting.out;
    return status;
}

enum status entry_file_commit(struct entry_file *file, struct error *error)
{
    if (file->stream || !file->has_changes)
        return STATUS_OK;
    FILE *in = fopen(file->path, "rb");
    enum status status = in ? replace(file, in, error) : cannot(file, "read", error);

    if (in)
        fclose(in);
    forget_changes(file);
    return status;
}

void entry_file_hold(struct entry_file *file)
{
    file->holds = true;
}

enum status entry_file_release(struct entry_file *file, struct error *error)
{
    enum status status = STATUS_OK;

    for (size_t i = 0; file->stream && status == STATUS_OK && i < file->count; i++) {
        const struct entry *e = &file->entry[i];

        if (e->change)
            status = append(file, (struct text){e->change, e->change_bytes}, error);
    }
    forget_changes(file);
    file->holds = false;
    return status;
}

enum status entry_file_close(struct entry_file *file, struct error *error)
{
    enum status status = STATUS_OK;

    forget_changes(file);
    free(file->entry);
    if (file->path && close(file->descriptor) != 0)
        status = cannot(file, "write to", error);
    free(file->path);
    *file = (struct entry_file){.descriptor = -1};
    return status;
}
