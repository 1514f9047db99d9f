/* Drawings in SVG, for the page and as files of their own. What they look like is in one style
 * sheet by class: a sub-group size has one colour everywhere. */
#ifndef VEBENCH_DRAWING_H
#define VEBENCH_DRAWING_H

#include "base/error.h"

#include <stdio.h>

#define DRAWING_WIDTH     480.0 /* of every drawing, in its own units */
#define DRAWING_CHARACTER 6.4   /* width of a letter of its texts, about */

/* The rules that both the page's style sheet and a file of its own have. */
extern const char drawing_style[];

enum drawing_anchor { ANCHOR_START, ANCHOR_MIDDLE, ANCHOR_END };

/* Texts are escaped here, by html_put(). `classes` are this program's own. */
void drawing_text(FILE *out, double x, double y, enum drawing_anchor anchor, const char *classes,
                  const char *text);
void drawing_line(FILE *out, double x1, double y1, double x2, double y2, const char *classes);

#define DRAWING_SHAPES 6

/* A mark; `hint` is what shows where the pointer rests on it. */
void drawing_mark(FILE *out, double x, double y, unsigned shape, const char *classes,
                  const char *hint);

/* Class of a sub-group size: "s16"; of 0 and of other sizes "s0". */
const char *drawing_size_class(unsigned subgroup_size);

/* The element around what was drawn, as part of a page. */
void drawing_put(FILE *out, const char *title, double height, const char *inside);

/* The same as a file, with its title on top and `note` below. */
enum status drawing_write(const char *path, const char *title, const char *note, double height,
                          const char *inside, struct error *error);

#endif
