/* The files behind the words of a command line: a word is a file, or a folder of files.
 *
 * A folder has one file for each node of a run, NODE.csv or NODE.csv.zst, and perhaps a manifest,
 * manifest.csv, with the columns `file` and `rows`. Then exactly the files that it lists are read;
 * without one, all whose names end in .csv or .csv.zst. */
#ifndef VEBENCH_RESULT_FILES_H
#define VEBENCH_RESULT_FILES_H

#include "base/error.h"

#include <stddef.h>

#define RESULT_FILES_MANIFEST "manifest.csv"

struct result_files {
    char **path; /* owned, as are the texts; those of a folder in the order of their names */
    size_t count;
};

/* STATUS_FAILED for a folder without such files, and for one that lacks a file of its manifest. */
enum status result_files_list(struct result_files *files, const char *const *words, size_t count,
                              struct error *error);
void result_files_free(struct result_files *files);

#endif
