/* A file of entries, in the order in which they came: text of whole lines each, such as the rows of
 * a configuration. An entry is added by one write of all of it, and changed by putting a new file
 * in the place of the old one. So the file has each entry whole or not at all, whenever somebody
 * reads it, the program is killed or the disk is full; but a reader may catch a write on its way
 * from one page of memory to the next, and see a last line without its end. */
#ifndef VEBENCH_ENTRY_FILE_H
#define VEBENCH_ENTRY_FILE_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct text {
    const char *at;
    size_t bytes;
};

struct entry {
    size_t begin, end; /* bytes of the file */
    char *change;      /* what is to take its place, or with `keeps` to follow it; owned, or NULL */
    size_t change_bytes;
    bool keeps;
};

struct entry_file {
    const char *name;    /* for messages; borrowed */
    char *path;          /* with links followed; owned; NULL for a stream */
    int descriptor;      /* -1 for a stream */
    FILE *stream;        /* borrowed */
    bool holds;          /* a stream's entries are written by entry_file_release() */
    size_t bytes;        /* in the file */
    struct entry *entry; /* owned */
    size_t count, room;
    bool has_changes;
};

/* Makes `path` with a header. STATUS_FAILED if it exists, unless `replaces`. */
enum status entry_file_create(struct entry_file *file, const char *path, bool replaces,
                              struct text header, struct error *error);

/* Goes on behind the first `end` bytes of `path`, of which those from `first` on are an entry; the
 * rest is cut off. */
enum status entry_file_continue(struct entry_file *file, const char *path, size_t first, size_t end,
                                struct error *error);

/* Writes to an open stream, which nothing is changed in; `name` is for messages. */
enum status entry_file_attach(struct entry_file *file, FILE *stream, const char *name,
                              struct text header, struct error *error);

/* Adds an entry, which gets the number `file->count`. On failure the file is as it was. */
enum status entry_file_add(struct entry_file *file, struct text text, struct error *error);

/* Changes an entry, as of the next entry_file_commit(): `text` replaces it or, with `keeps`, is
 * added to it. Fails only when out of memory. */
enum status entry_file_change(struct entry_file *file, size_t entry, struct text text, bool keeps,
                              struct error *error);

/* Makes all changes at once. On failure the file is as it was, and the changes are forgotten. */
enum status entry_file_commit(struct entry_file *file, struct error *error);

/* From now on a stream's entries wait, so that they can be changed; a file's do not need to. */
void entry_file_hold(struct entry_file *file);

/* Writes what has waited, in order, and holds nothing more. */
enum status entry_file_release(struct entry_file *file, struct error *error);

/* Closes a file. STATUS_FAILED if what is in it could not be written. Right for a zeroed struct. */
enum status entry_file_close(struct entry_file *file, struct error *error);

#endif
