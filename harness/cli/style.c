#include "cli/style.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const codes[] = {
    [STYLE_NONE] = "",        [STYLE_BOLD] = "\033[1m",      [STYLE_GOOD] = "\033[32m",
    [STYLE_BAD] = "\033[31m", [STYLE_DOUBTFUL] = "\033[33m",
};

bool style_shown(FILE *out)
{
    const char *no_color = getenv("NO_COLOR");
    const char *terminal = getenv("TERM");

    return !(no_color && *no_color) && terminal && strcmp(terminal, "dumb") != 0 &&
           isatty(fileno(out)) == 1;
}

const char *style_begin(FILE *out, enum style style)
{
    return style_shown(out) ? codes[style] : "";
}

const char *style_end(FILE *out)
{
    return style_shown(out) ? "\033[0m" : "";
}

void style_put(FILE *out, enum style style, const char *text)
{
    fprintf(out, "%s%s%s", style_begin(out, style), text, style_end(out));
}
