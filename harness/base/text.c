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
