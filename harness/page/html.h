/* Text in HTML and SVG. Whatever comes from a file goes through here: names in a results file or a
 * model are anybody's. */
#ifndef VEBENCH_HTML_H
#define VEBENCH_HTML_H

#include <stdio.h>

/* The page's style sheet, without that of its drawings. */
extern const char html_style[], html_style_of_parts[];

/* Text with what HTML would take for its own replaced, and what is no character of UTF-8, or none
 * that a page may have. */
void html_put(FILE *out, const char *text);

/* The same with blanks for underscores, which lines break at. */
void html_put_spaced(FILE *out, const char *text);

/* <TAG>text</TAG> */
void html_element(FILE *out, const char *tag, const char *text);

#endif
