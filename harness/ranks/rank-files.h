/* The files of a member that writes the rows of several ranks: an entry for each configuration of
 * each rank, in the order in which they come. */
#ifndef VEBENCH_RANK_FILES_H
#define VEBENCH_RANK_FILES_H

#include "base/entry-file.h"
#include "base/file-lock.h"
#include "ranks/messages.h"

/* What a sweep asks of the files. As a message its texts follow it, one after another, each with a
 * NUL at its end: of each part the path, empty if there is none, "-" for standard output; of each
 * part the header; what locks say of this process; and the folder for the manifest, empty if there
 * is none. */
struct files_request {
    bool replaces;             /* existing files */
    bool holds;                /* standard output waits until rows cannot change any more */
    bool has_rest;             /* goes on with existing files: */
    uint64_t rest[RANK_PARTS]; /* how many bytes of them stay */
    uint64_t rows;             /* of results in those */
};

enum { FILES_TEXTS = 2 * RANK_PARTS + 2 };

/* The number of an entry. */
struct rank_entry {
    uint64_t sequence;
    uint32_t rank;
    bool is_there;
    size_t entry[RANK_PARTS]; /* SIZE_MAX: none */
};

struct rank_files {
    struct files_request request;
    char *text[FILES_TEXTS]; /* owned */
    struct file_lock lock[RANK_PARTS];
    struct entry_file file[RANK_PARTS];
    bool is_open[RANK_PARTS];
    struct rank_entry *entries; /* owned; a hash table */
    size_t count, room;
    uint64_t rows; /* lines of results, without the header */
    char *line;    /* of the manifest; owned */
};

/* Takes in a request, and locks the files. STATUS_FAILED, saying who has them. */
enum status rank_files_lock(struct rank_files *files, const void *request, size_t bytes,
                            struct error *error);

/* Takes in the request with its headers, and creates all files or goes on with them. */
enum status rank_files_create(struct rank_files *files, const void *request, size_t bytes,
                              struct error *error);

enum status rank_files_put(struct rank_files *files, const struct wire_entry *put, struct text rows,
                           struct error *error);
enum status rank_files_commit(struct rank_files *files, struct error *error);

/* Closes the files and ends the locks; `*line` is what the manifest says, and belongs to `files`.
 */
enum status rank_files_close(struct rank_files *files, struct text *line, struct error *error);
void rank_files_free(struct rank_files *files);

/* Writes "manifest.csv" into the folder of the request, if it names one. */
enum status rank_files_manifest(const struct rank_files *files, struct text lines,
                                struct error *error);

#endif
