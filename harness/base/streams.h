/* The streams that a program is started with. */
#ifndef VEBENCH_STREAMS_H
#define VEBENCH_STREAMS_H

#include "base/error.h"

#include <stdio.h>

/* Opens descriptors 0, 1 and 2 on /dev/null where the program was started without them: else the
 * first file opened would become one of them, and get what is printed there. Not 0: it failed. */
int streams_open_all(void);

/* Closes a stream that was written to; nothing may follow. STATUS_FAILED, with the reason, where
 * not all of it could be written. `name` is for that message. */
enum status stream_close(FILE *stream, const char *name, struct error *error);

#endif
