/* How far a long kernel is, shown on a terminal. */
#ifndef VESIM_PROGRESS_LINE_H
#define VESIM_PROGRESS_LINE_H

#include <stddef.h>

#include "vesim/vesim.h"

/* vesim_settings.progress: from the fifth second on, a line on stderr every second. It stands
 * behind what the program has written, leaves the cursor there, and goes when the kernel ends. */
void progress_line_show(void *context, const struct vesim_progress *progress);

/* What that writes for a kernel of which something is `shown` already, or not. Returns its length,
 * 0 for nothing. */
size_t progress_line_write(char *line, size_t size, const struct vesim_progress *progress,
                           double shown);

#endif
