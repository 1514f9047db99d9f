/* Running text for a terminal. */
#ifndef VEBENCH_WRAP_H
#define VEBENCH_WRAP_H

#include <stdio.h>

#define WRAP_WIDTH 80 /* if not a terminal */

/* Columns of the terminal behind `out`, at least 40; WRAP_WIDTH if it is not a terminal. */
unsigned wrap_width(FILE *out);

/* Writes `text` in lines of at most `width` columns, broken at spaces; a longer word gets its own
 * line. The cursor is at column `from`; further lines begin at `indent`. Ends the last line. */
void wrap_put(FILE *out, const char *text, unsigned from, unsigned indent, unsigned width);

#endif
