/* The results of a run: tasks that are done go in, and the files follow from them: rows, and where
 * wanted samples and counters. A task has an entry in each (base/entry-file.h), so that its rows
 * are all there or none, and may be put in again when it has been measured again. While a store is
 * open no other process has one of the same files (base/file-lock.h). */
#ifndef VEBENCH_STORE_H
#define VEBENCH_STORE_H

#include "base/entry-file.h"
#include "base/file-lock.h"
#include "sweep/sweep-rows.h"

enum store_part { STORE_RESULTS, STORE_SAMPLES, STORE_COUNTERS, STORE_PARTS };

/* All is borrowed, and must outlive the store. */
struct store_request {
    const char *path[STORE_PARTS]; /* NULL: it has none */
    FILE *stream;                  /* of the results, in place of their path */
    enum row_format format;        /* of the results; samples and counters are CSV */
    const struct axis_columns *axes;
    const char *command; /* of this process, for others that want the same files */
    struct ranks *ranks; /* a member has the files, perhaps of another rank; NULL: this process */
    const char *folder;  /* where rank 0 writes a manifest; NULL: nowhere */
    bool holds;          /* rows may change until the end */
    bool replaces;       /* existing files; otherwise these are refused */
};

struct store {
    struct store_request request;
    struct file_lock lock[STORE_PARTS];
    struct entry_file file[STORE_PARTS];
    bool is_open[STORE_PARTS];
    size_t count;     /* of entries */
    bool has_resumed; /* entry 0 is of a run before */
    bool has_changes; /* that a member does not know to be complete */
};

/* Locks the files, none of which need exist. STATUS_FAILED, naming the other process, if another
 * has one of them. The store must be closed if this succeeds. */
enum status store_lock(struct store *store, const struct store_request *request,
                       struct error *error);

/* Creates all files with their headers, or none. */
enum status store_create(struct store *store, struct error *error);

/* What a run before has left in a file: the last task that is in it, which may not be whole, begins
 * and ends there. */
struct store_rest {
    size_t begin, end; /* bytes */
    size_t rows;       /* before it */
};

/* Goes on with existing files. The last task is entry 0; once it is put in again, what the files
 * have of it is replaced, its samples too. */
enum status store_continue(struct store *store, const struct store_rest rest[STORE_PARTS],
                           struct error *error);

/* Takes in a finished task. Its rows are in the files at once, in the order of this call. A task
 * that is in already has been measured again: as of the next store_commit(), its rows replace those
 * before, and its samples follow them; its counters stay, as a launch that counts is no more
 * precise for being repeated. */
enum status store_put(struct store *store, const struct sweep_rows *rows, struct task *task,
                      struct error *error);
enum status store_commit(struct store *store, struct error *error);

/* Sends the rows of a task to the member, as `kind` with this head. */
enum status store_say(const struct store *store, enum wire_kind kind, const struct wire_entry *head,
                      const struct sweep_rows *rows, const struct task *task, struct error *error);

/* From now on rows wait that could not be replaced in a stream, until they are released. */
void store_hold(struct store *store);
enum status store_release(struct store *store, struct error *error);

/* Can a run with --resume go on with it? */
bool store_can_resume(const struct store *store);

/* The first path whose file system has no locks, or NULL. */
const char *store_unlocked(const struct store *store);

/* Completes and closes the files, and ends the locks. STATUS_FAILED if anything could not be
 * written. Right for a zeroed struct. */
enum status store_close(struct store *store, struct error *error);

#endif
