/* The CSV (RFC 4180) that `vesim --counters` writes: its header line, and a row for each walk. */
#ifndef VESIM_COUNTERS_FILE_H
#define VESIM_COUNTERS_FILE_H

#include "vesim/vesim.h"

/* Appends to the file at `path`, the header first if it is empty; several processes may do so at
 * once. Returns 0, or -1 with errno set. */
int counters_file_append(const char *path, const struct vesim_walk *walk);

#endif
