#include "cli/wrap.h"

#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define LEAST_WIDTH 40u

unsigned wrap_width(FILE *out)
{
    struct winsize size;

    if (!isatty(fileno(out)) || ioctl(fileno(out), TIOCGWINSZ, &size) != 0 || !size.ws_col)
        return WRAP_WIDTH;
    return size.ws_col < LEAST_WIDTH ? LEAST_WIDTH : size.ws_col;
}

/* Number of UTF-8 characters: all bytes except continuation bytes. */
static unsigned columns_of(const char *text, size_t bytes)
{
    unsigned columns = 0;

    for (size_t i = 0; i < bytes; i++)
        columns += ((unsigned char)text[i] & 0xc0) != 0x80;
    return columns;
}

void wrap_put(FILE *out, const char *text, unsigned from, unsigned indent, unsigned width)
{
    unsigned column = from;
    int begins = 1; /* the line is still empty */

    for (text += strspn(text, " "); *text; text += strspn(text, " ")) {
        size_t bytes = strcspn(text, " ");
        unsigned columns = columns_of(text, bytes);

        if (!begins && column + 1 + columns > width) {
            fprintf(out, "\n%*s", (int)indent, "");
            column = indent;
            begins = 1;
        }
        if (!begins)
            fputc(' ', out);
        fwrite(text, 1, bytes, out);
        column += columns + !begins;
        begins = 0;
        text += bytes;
    }
    fputc('\n', out);
}
