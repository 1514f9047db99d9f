/* Colours and weights of text on a terminal. */
#ifndef VEBENCH_STYLE_H
#define VEBENCH_STYLE_H

#include <stdbool.h>
#include <stdio.h>

enum style { STYLE_NONE, STYLE_BOLD, STYLE_GOOD, STYLE_BAD, STYLE_DOUBTFUL };

/* Is `out` a terminal that shows styles? Not where NO_COLOR is set to something, nor on a dumb
 * one. */
bool style_shown(FILE *out);

/* Writes the text in the style where it is shown, else as it is. */
void style_put(FILE *out, enum style style, const char *text);

/* What begins a style, and what ends any; "" where none is shown. */
const char *style_begin(FILE *out, enum style style);
const char *style_end(FILE *out);

#endif
