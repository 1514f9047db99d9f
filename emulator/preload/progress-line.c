#include "preload/progress-line.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

/* Seconds until the first line, and from one to the next. */
#define FIRST 5.0
#define EVERY 1.0

/* Control sequences that terminals of today share (ECMA-48, DEC VT100): save and restore the
 * cursor, do not wrap or do, erase what follows. */
#define SAVE    "\0337"
#define RESTORE "\0338"
#define CUT     "\033[?7l"
#define WRAP    "\033[?7h"
#define ERASE   "\033[K"

size_t progress_line_write(char *line, size_t size, const struct vesim_progress *progress,
                           double shown)
{
    int length = 0;

    if (progress->ended && shown > 0)
        length = snprintf(line, size, ERASE);
    else if (!progress->ended && progress->seconds >= (shown > 0 ? shown + EVERY : FIRST))
        length = snprintf(line, size,
                          SAVE CUT " [vesim: %.0f s, %.1f billion instructions, %" PRIu64
                                   " of %" PRIu64 " work-groups]" ERASE WRAP RESTORE,
                          progress->seconds, (double)progress->instructions * 1e-9,
                          progress->groups_done, progress->groups);
    return length > 0 && (size_t)length < size ? (size_t)length : 0;
}

void progress_line_show(void *context, const struct vesim_progress *progress)
{
    static double shown; /* seconds of the current kernel; a process has one GPU, which runs one */
    char line[192];
    size_t length = progress_line_write(line, sizeof(line), progress, shown);

    (void)context;
    if (length && write(STDERR_FILENO, line, length) < 0)
        return; /* the terminal is gone */
    if (progress->ended)
        shown = 0;
    else if (length)
        shown = progress->seconds;
}
