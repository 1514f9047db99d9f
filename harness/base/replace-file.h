/* Atomic replacement of files: complete or not there at all. */
#ifndef VEBENCH_REPLACE_FILE_H
#define VEBENCH_REPLACE_FILE_H

#include "base/error.h"

#include <limits.h>
#include <stdio.h>

/* A file being written beside the one that it will replace. */
struct replacement {
    FILE *out;
    const char *path; /* borrowed, must outlive this */
    int folder;       /* descriptor */
    char name[PATH_MAX];
};

/* Begins a new file beside `path`. */
enum status replacement_open(struct replacement *replacement, const char *path,
                             struct error *error);

/* Renames it to its path, replacing any existing file, if `status`, of what was written into it, is
 * STATUS_OK; removes it otherwise, and returns that status. */
enum status replacement_close(struct replacement *replacement, enum status status,
                              struct error *error);

/* The same, but STATUS_FAILED if there is a file already. */
enum status replacement_close_new(struct replacement *replacement, enum status status,
                                  struct error *error);

/* Tries replacement_open(), so that what takes long knows before whether its result can be written:
 * its status and error. NULL: there is nothing to write. */
enum status replacement_check(const char *path, struct error *error);

/* Replaces `path` by what `print` writes. */
enum status replace_file(const char *path, void (*print)(FILE *out, const void *context),
                         const void *context, struct error *error);

#endif
