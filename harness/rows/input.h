/* Bytes of a file: as they are or, if its name ends in .zst, decompressed (Zstandard, RFC 8878). */
#ifndef VEBENCH_INPUT_H
#define VEBENCH_INPUT_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

struct input;

/* STATUS_FAILED if the file cannot be opened, or is compressed and this build cannot read that. */
enum status input_open(struct input **opened, const char *path, struct error *error);

/* Fills `to` with up to `room` bytes; `*got` is 0 only at the end. STATUS_FAILED if the file cannot
 * be read, is corrupt, or ends within compressed data. */
enum status input_read(struct input *input, void *to, size_t room, size_t *got,
                       struct error *error);
void input_close(struct input *input);

/* Does the name say that the file is compressed? */
bool input_is_compressed(const char *path);

#endif
