/* Text from elsewhere: names in a results file or a model may hold anything. */
#ifndef VEBENCH_TEXT_H
#define VEBENCH_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Replaces with '?' what would steer a terminal: control characters, in UTF-8 those of C1 too. Tabs
 * and line ends stay. */
void text_tame(char *text, size_t bytes);

/* Are they equal, or both NULL? */
bool text_same(const char *a, const char *b);

/* Writes a cell of a Markdown table: what Markdown or HTML would take for markup escaped, line
 * ends as spaces. */
void text_put_markdown(FILE *out, const char *text);

#endif
