#include "base/text.h"

#include <string.h>

void text_tame(char *text, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        unsigned char c = (unsigned char)text[i];
        unsigned char next = i + 1 < bytes ? (unsigned char)text[i + 1] : 0;
        int is_line_end = c == '\n' || (c == '\r' && next == '\n');

        if ((c < 0x20 && c != '\t' && !is_line_end) || c == 0x7f)
            text[i] = '?';
        else if (c == 0xc2 && next >= 0x80 && next < 0xa0)
            text[i] = text[i + 1] = '?';
    }
}

size_t text_control_bytes(const char *at)
{
    unsigned char byte = (unsigned char)at[0], next = byte ? (unsigned char)at[1] : 0;

    if (byte == 0xc2 && next >= 0x80 && next < 0xa0)
        return 2;
    return byte < 0x20 || byte == 0x7f;
}

void text_put(FILE *out, const char *text)
{
    for (size_t control = 0; *text; text++) {
        if (!control)
            control = text_control_bytes(text);
        if (!control) {
            fputc(*text, out);
            continue;
        }
        fprintf(out, "\\x%02x", (unsigned char)*text);
        control--;
    }
}

void text_put_path(FILE *out, const char *before, const char *path, const char *behind)
{
    fputs(before, out);
    text_put(out, path);
    fprintf(out, "%s\n", behind);
}

bool text_same(const char *a, const char *b)
{
    return a == b || (a && b && !strcmp(a, b));
}

void text_put_markdown(FILE *out, const char *text)
{
    for (; *text; text++) {
        if (strchr("|\\`*_<>", *text))
            fputc('\\', out);
        fputc(strchr("\r\n", *text) ? ' ' : *text, out);
    }
}
