/* Text from elsewhere: names in a results file or a model may hold anything. */
#ifndef VEBENCH_TEXT_H
#define VEBENCH_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Replaces with '?' what would steer a terminal: control characters, in UTF-8 those of C1 too. Tabs
 * and line ends stay. */
void text_tame(char *text, size_t bytes);

/* Length in bytes of the character at `at` if it is a control character, else 0: an ASCII control
 * or one of the C1 set, which UTF-8 encodes in two bytes. */
size_t text_control_bytes(const char *at);

/* Writes text that a user gave, such as the name of a file: the bytes of each control character as
 * \xNN. */
void text_put(FILE *out, const char *text);

/* Writes a line that names a file: `before`, the path like text_put(), `behind`. */
void text_put_path(FILE *out, const char *before, const char *path, const char *behind);

/* Are they equal, or both NULL? */
bool text_same(const char *a, const char *b);

/* Writes a cell of a Markdown table: what Markdown or HTML would take for markup escaped, line
 * ends as spaces. */
void text_put_markdown(FILE *out, const char *text);

#endif
