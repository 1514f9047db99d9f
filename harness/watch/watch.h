/* A folder of jobs watched over compilers: what the machine code of each kernel is, without running
 * any, held against what it was. */
#ifndef VEBENCH_WATCH_KERNELS_H
#define VEBENCH_WATCH_KERNELS_H

#include "base/error.h"
#include "base/table.h"
#include "rows/records.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* What is watched of a kernel. */
enum watch_figure {
    WATCH_LANES,        /* that the machine code has */
    WATCH_REGISTERS,    /* that a thread is given */
    WATCH_SCRATCH,      /* bytes that a thread spills */
    WATCH_INSTRUCTIONS, /* of the kernel */
    WATCH_MESSAGES,     /* of them, those that leave the engine */
    WATCH_BOUND,        /* least cycles of an iteration of the hot loop, or of the whole */
    WATCH_TIME,         /* of a launch, ns: of rows that are measured, which have nothing else */
    WATCH_FIGURES
};

/* One kernel of a job, at one sub-group size, for one target. */
struct watch_row {
    char *job, *kernel, *target; /* owned */
    unsigned size;
    char *refused; /* owned: what the compiler says; NULL: it takes the kernel */
    double figure[WATCH_FIGURES];
    double time_low, time_high; /* the interval of the time */
};

struct watch_rows {
    struct watch_row *row; /* owned; sorted */
    size_t count;
};

/* Compiles all jobs of the folder for the targets "dg2,tgllp"; NULL: the audit's. STATUS_USAGE if
 * there is none, and for jobs that cannot be read. Free the rows whatever the status. */
enum status watch_survey(struct watch_rows *rows, const char *folder, const char *targets,
                         struct error *error);

/* Adds the times that a job's launches have on a device, of which `target` is the name: of each
 * kernel that with the work-groups that suit it best. A launch that has failed is refused. */
enum status watch_add_times(struct watch_rows *rows, const char *job, const char *target,
                            const struct records *records, struct error *error);

/* The names of a folder's jobs; free each, and the list. STATUS_USAGE if there is none. */
enum status watch_jobs(char ***names, size_t *count, const char *folder, struct error *error);

/* The same from a file that watch_write() has written. */
enum status watch_read(struct watch_rows *rows, const char *path, struct error *error);
enum status watch_write(const struct watch_rows *rows, const char *path, struct error *error);
void watch_free(struct watch_rows *rows);

enum watch_kind { WATCH_SAME, WATCH_BETTER, WATCH_WORSE, WATCH_NEW, WATCH_GONE };

/* A figure that has changed, or a kernel that is new, gone, or refused as it was not. A new one
 * that is refused is worse than none. */
struct watch_change {
    const struct watch_row *before, *after; /* NULL: there is none */
    int figure;                             /* an enum watch_figure; -1: the kernel as a whole */
    enum watch_kind kind;
};

struct watch_changes {
    struct watch_change *change; /* owned; in the order of the rows */
    size_t count, worse;
};

/* Changes of a figure by a smaller share than the threshold are none; lanes, registers and the
 * first byte that is spilled always count, and times whose intervals have a part in common never.
 * The rows are borrowed. */
enum status watch_compare(struct watch_changes *changes, const struct watch_rows *before,
                          const struct watch_rows *after, double threshold, struct error *error);
void watch_changes_free(struct watch_changes *changes);

/* Prints a line for each kernel that was refused, with its reason: what stays refused is no change.
 */
void watch_print_refused(FILE *out, const struct watch_rows *rows);

/* Prints what has changed, what is worse first, and for readers a line with the totals and those
 * that were refused. */
enum status watch_print(FILE *out, const struct watch_changes *changes,
                        const struct watch_rows *after, enum table_format format,
                        struct error *error);

/* JUnit's XML: a case for each kernel, which has failed where anything of it is worse. */
void watch_print_junit(FILE *out, const struct watch_changes *changes,
                       const struct watch_rows *after);

#endif
