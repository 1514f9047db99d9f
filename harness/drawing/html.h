/* Text in HTML and SVG. Everything that comes from a file goes through here: names in a results
 * file or a model are untrusted. */
#ifndef VEBENCH_HTML_H
#define VEBENCH_HTML_H

#include <stdio.h>

/* The page's style sheet, without the rules for drawings. */
extern const char html_style[], html_style_of_parts[];

/* Escapes HTML's special characters, and replaces invalid UTF-8 and characters that a page must not
 * contain. */
void html_put(FILE *out, const char *text);

/* The same with spaces for underscores, so that lines can break there. */
void html_put_spaced(FILE *out, const char *text);

/* <TAG>text</TAG> */
void html_element(FILE *out, const char *tag, const char *text);

#endif
