/* Replacing parts of a file of rows while it is being written. */
#ifndef VEBENCH_CSV_SPLICE_H
#define VEBENCH_CSV_SPLICE_H

#include "base/csv.h"

#include <stddef.h>

/* Bytes of a file that belong together, such as the rows of a configuration. */
struct csv_part {
    size_t begin, end;
    unsigned row;  /* rows before it */
    bool is_stale; /* to be written again */
};

/* Writes the rows of a part of that index. */
typedef enum status csv_write_part(void *context, size_t part, struct csv *csv,
                                   struct error *error);

/* The number of bytes written so far, that is, where the next row begins. */
enum status csv_place(struct csv *csv, size_t *place, struct error *error);

/* Makes a copy of the file in which write() has written the stale parts again, then puts it in the
 * file's place, so that whatever happens there is either the old or the new one. With `keeps`, the
 * rows of a stale part stay, and write() adds to them. `parts` are in the order of the file, and
 * afterwards say where they are in the new one; rows go on being written behind it. The csv must
 * not be borrowed. On failure the file and the parts are as they were. */
enum status csv_splice(struct csv *csv, struct csv_part *parts, size_t count, bool keeps,
                       csv_write_part *write, void *context, struct error *error);

#endif
