/* SVG drawings, for the page and as stand-alone files. One style sheet defines their looks by
 * class: a sub-group size has the same colour everywhere. */
#ifndef VEBENCH_DRAWING_H
#define VEBENCH_DRAWING_H

#include "base/error.h"

#include <stdio.h>

#define DRAWING_WIDTH     480.0 /* of every drawing, in SVG user units */
#define DRAWING_CHARACTER 6.4   /* approximate width of a character */

/* Rules shared by the page's style sheet and stand-alone files. */
extern const char drawing_style[];

enum drawing_anchor { ANCHOR_START, ANCHOR_MIDDLE, ANCHOR_END };

/* Escapes the text with html_put(), but not `classes`, which are the program's own. */
void drawing_text(FILE *out, double x, double y, enum drawing_anchor anchor, const char *classes,
                  const char *text);
/* About the width of the text, which is UTF-8. */
double drawing_text_width(const char *text);

/* Breaks the text into lines that fit the drawing, the first with its base at `y`. Returns the
 * height. */
double drawing_paragraph(FILE *out, double y, const char *classes, const char *text);
void drawing_line(FILE *out, double x1, double y1, double x2, double y2, const char *classes);

#define DRAWING_SHAPES 6

/* A mark; `hint` is shown when the pointer rests on it. */
void drawing_mark(FILE *out, double x, double y, unsigned shape, const char *classes,
                  const char *hint);

/* The class of a sub-group size: "s16"; "s0" for 0 and for other sizes. */
const char *drawing_size_class(unsigned subgroup_size);

/* Writes the drawing's enclosing element, as part of a page. */
void drawing_put(FILE *out, const char *title, double height, const char *inside);

/* Writes the drawing as a stand-alone file with its title on top and `note` below. */
enum status drawing_write(const char *path, const char *title, const char *note, double height,
                          const char *inside, struct error *error);

#endif
