/* Atomic replacement of files: complete or not there at all. */
#ifndef VEBENCH_REPLACE_FILE_H
#define VEBENCH_REPLACE_FILE_H

#include "base/error.h"

#include <stdio.h>

/* Has `print` write a new file beside `path`, then renames it to `path`, replacing any existing
 * file. */
enum status replace_file(const char *path, void (*print)(FILE *out, const void *context),
                         const void *context, struct error *error);

#endif
