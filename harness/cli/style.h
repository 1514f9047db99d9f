/* Colours and weights of text on a terminal. */
#ifndef VEBENCH_STYLE_H
#define VEBENCH_STYLE_H

#include <stdbool.h>
#include <stdio.h>

enum style { STYLE_NONE, STYLE_BOLD, STYLE_GOOD, STYLE_BAD, STYLE_DOUBTFUL };

/* Whether `out` is a terminal that shows styles: not if NO_COLOR is set to something, nor on a dumb
 * terminal. */
bool style_shown(FILE *out);

/* Writes the text, in the style if `out` shows styles. */
void style_put(FILE *out, enum style style, const char *text);

/* The sequences that begin a style and that end any style; "" if `out` shows none. */
const char *style_begin(FILE *out, enum style style);
const char *style_end(FILE *out);

#endif
