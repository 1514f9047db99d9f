/* The standard streams. */
#ifndef VEBENCH_STREAMS_H
#define VEBENCH_STREAMS_H

#include "base/error.h"

#include <stdio.h>

/* Opens on /dev/null those of descriptors 0, 1 and 2 that the program was started without:
 * otherwise the first file opened would take their place and receive printed output. Nonzero on
 * failure. */
int streams_open_all(void);

/* Closes a written stream, as the last use of it. STATUS_FAILED, with the reason, if not all of it
 * could be written. `name` is for that message. */
enum status stream_close(FILE *stream, const char *name, struct error *error);

#endif
