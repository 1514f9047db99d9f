#include "base/csv-splice.h"

#include "base/replace-file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define COPY_BYTES 65536

struct splice {
    const struct csv_part *parts;
    size_t count;
    bool keeps;
    csv_write_part *write;
    void *context;
    FILE *in;
    size_t copied; /* bytes of `in` that are copied or left out */
    struct csv out;
};

static enum status cannot(const struct csv *csv, const char *what, struct error *error)
{
    return error_set(error, STATUS_FAILED, "cannot %s %s: %s", what, csv->path, strerror(errno));
}

enum status csv_place(struct csv *csv, size_t *place, struct error *error)
{
    enum status status = csv_flush(csv, error);
    off_t at = status == STATUS_OK ? ftello(csv->file) : 0;

    if (at < 0)
        return cannot(csv, "write to", error);
    *place = (size_t)at;
    return status;
}

/* Copies what comes before `end`. */
static enum status copy_to(struct splice *splice, size_t end, struct error *error)
{
    char bytes[COPY_BYTES];

    while (splice->copied < end) {
        size_t left = end - splice->copied;
        size_t got = fread(bytes, 1, left < sizeof(bytes) ? left : sizeof(bytes), splice->in);

        if (got == 0)
            return cannot(&splice->out, "read", error);
        fwrite(bytes, 1, got, splice->out.file);
        splice->copied += got;
    }
    return csv_flush(&splice->out, error);
}

static enum status leave_out_to(struct splice *splice, size_t end, struct error *error)
{
    splice->copied = end;
    return fseeko(splice->in, (off_t)end, SEEK_SET) == 0 ? STATUS_OK
                                                         : cannot(&splice->out, "read", error);
}

static enum status write_part(struct splice *splice, size_t i, struct csv_part *moved,
                              struct error *error)
{
    const struct csv_part *part = &splice->parts[i];
    bool leaves_out = part->is_stale && !splice->keeps;
    enum status status = copy_to(splice, part->begin, error);

    *moved = (struct csv_part){.row = part->row};
    if (status == STATUS_OK)
        status = csv_place(&splice->out, &moved->begin, error);
    if (status == STATUS_OK)
        status =
            leaves_out ? leave_out_to(splice, part->end, error) : copy_to(splice, part->end, error);
    splice->out.row = part->row;
    if (status == STATUS_OK && part->is_stale)
        status = splice->write(splice->context, i, &splice->out, error);
    return status == STATUS_OK ? csv_place(&splice->out, &moved->end, error) : status;
}

/* Writes what the new file has of `bytes` of the old one; `moved` receives where the parts are in
 * it. */
static enum status write_all(struct splice *splice, size_t bytes, struct csv_part *moved,
                             struct error *error)
{
    enum status status = STATUS_OK;

    for (size_t i = 0; status == STATUS_OK && i < splice->count; i++)
        status = write_part(splice, i, &moved[i], error);
    if (status == STATUS_OK)
        status = copy_to(splice, bytes, error);
    /* A crash of the machine must not leave less than there was. */
    if (status == STATUS_OK && fsync(fileno(splice->out.file)) != 0)
        status = cannot(&splice->out, "write to", error);
    return status;
}

/* Puts the new file in the place of the old one; `bytes` become its length. */
static enum status replace(struct splice *splice, const struct csv *csv, struct csv_part *moved,
                           size_t *bytes, struct error *error)
{
    struct replacement replacement;
    enum status status = replacement_open(&replacement, csv->path, error);

    if (status != STATUS_OK)
        return status;
    csv_attach(&splice->out, replacement.out, csv->path);
    splice->out.format = csv->format;
    status = write_all(splice, *bytes, moved, error);
    if (status == STATUS_OK)
        status = csv_place(&splice->out, bytes, error);
    return replacement_close(&replacement, status, error);
}

/* Writes to the new file from now on. */
static enum status go_on(struct csv *csv, size_t bytes, struct error *error)
{
    struct csv before = *csv;
    enum status status = csv_continue(csv, before.path, bytes, error);

    if (status != STATUS_OK) {
        *csv = before;
        return status;
    }
    csv->format = before.format;
    csv->row = before.row;
    fclose(before.file);
    return STATUS_OK;
}

enum status csv_splice(struct csv *csv, struct csv_part *parts, size_t count, bool keeps,
                       csv_write_part *write, void *context, struct error *error)
{
    struct splice splice = {parts, count, keeps, write, context, NULL, 0, {.file = NULL}};
    struct csv_part *moved = calloc(count + 1, sizeof(*moved));
    size_t bytes = 0;
    enum status status = csv_place(csv, &bytes, error);

    splice.in = fopen(csv->path, "rb");
    if (status == STATUS_OK && !splice.in)
        status = cannot(csv, "read", error);
    if (status == STATUS_OK && !moved)
        status = error_set(error, STATUS_FAILED, "out of memory");
    if (status == STATUS_OK)
        status = replace(&splice, csv, moved, &bytes, error);
    if (status == STATUS_OK) {
        memcpy(parts, moved, count * sizeof(*parts));
        status = go_on(csv, bytes, error);
    }
    if (splice.in)
        fclose(splice.in);
    free(moved);
    return status;
}
