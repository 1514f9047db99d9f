/* Text in HTML. */
#ifndef VEBENCH_HTML_H
#define VEBENCH_HTML_H

#include "base/error.h"

#include <stdio.h>

/* The page's style sheet. */
extern const char html_style[];

/* Text with what HTML would take for its own replaced. */
void html_put(FILE *out, const char *text);

/* <TAG>text</TAG> */
void html_element(FILE *out, const char *tag, const char *text);

/* An SVG file as part of a page: without its XML declaration, its ids begun with `prefix`, so that
 * they differ from those of other drawings, and its title `title`. */
enum status html_put_svg(FILE *out, const char *path, const char *prefix, const char *title,
                         struct error *error);

#endif
