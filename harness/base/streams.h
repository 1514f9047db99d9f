/* The standard streams. */
#ifndef VEBENCH_STREAMS_H
#define VEBENCH_STREAMS_H

#include "base/error.h"

#include <stddef.h>
#include <stdio.h>

/* Opens on /dev/null those of descriptors 0, 1 and 2 that the program was started without:
 * otherwise the first file opened would take their place and receive printed output. Nonzero on
 * failure. */
int streams_open_all(void);

/* Closes a written stream, as the last use of it. STATUS_FAILED, with the reason, if not all of it
 * could be written. `name` is for that message. */
enum status stream_close(FILE *stream, const char *name, struct error *error);

/* Opens a stream that becomes a text: as open_memstream(), but that the stream has an error once
 * there was no memory for what was written. NULL if there is none even for it. */
FILE *stream_open_text(char **text, size_t *bytes);

/* Closes it: `text`, now the caller's, holds all that was written, and ends with a NUL behind its
 * `bytes`. If there was no memory for all of it, frees it and returns STATUS_FAILED. */
enum status stream_close_text(FILE *stream, char **text, struct error *error);

#endif
