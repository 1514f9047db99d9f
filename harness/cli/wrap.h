/* Running text for a terminal. */
#ifndef VEBENCH_WRAP_H
#define VEBENCH_WRAP_H

#include <stdio.h>

#define WRAP_WIDTH 80 /* of what is no terminal */

/* Columns of the terminal that `out` is, at least 40; WRAP_WIDTH where it is none. */
unsigned wrap_width(FILE *out);

/* Writes `text` in lines of at most `width` columns, broken at spaces. The cursor is at column
 * `from`; further lines begin at `indent`. Ends the last line. A longer word gets its own line. */
void wrap_put(FILE *out, const char *text, unsigned from, unsigned indent, unsigned width);

#endif
