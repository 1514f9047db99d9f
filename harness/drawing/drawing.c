#include "drawing/drawing.h"

#include "drawing/html.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#define TITLE_HEIGHT 24.0
#define NOTE_HEIGHT  20.0
#define WIDEST_LABEL 40.0
#define MARGIN       8.0
#define LINE_HEIGHT  15.0

/* A longer line is one word, and cut. */
#define PARAGRAPH_LINE_BYTES 320

const char drawing_style[] =
    ".t{font:11.5px system-ui,sans-serif;fill:var(--ink,#1b1b1f)}"
    ".d{fill:var(--dim,#5c5c66)}.b{font-weight:600}"
    ".h{paint-order:stroke;stroke:var(--paper,#fff);stroke-width:3px;stroke-linejoin:round}\n"
    ".g{stroke:var(--line,#d8d8de);stroke-width:1}.a{stroke:var(--dim,#5c5c66);stroke-width:1}"
    ".r{stroke:var(--dim,#5c5c66);stroke-width:1.5}"
    ".q{stroke:var(--dim,#5c5c66);stroke-width:1;stroke-dasharray:4 3}"
    ".w{fill:none;stroke-width:1.2;stroke-opacity:.75}.l{fill:none;stroke-width:1.8}"
    ".e{stroke-dasharray:2 3}.n{fill-opacity:.14;stroke:none}"
    ".m{stroke:var(--paper,#fff);stroke-width:.8}\n"
    ".m.s0,.n.s0{fill:#77777f}.m.s8,.n.s8{fill:#0072b2}.m.s16,.n.s16{fill:#d55e00}"
    ".m.s32,.n.s32{fill:#009e73}"
    ".w.s0,.l.s0{stroke:#77777f}.w.s8,.l.s8{stroke:#0072b2}.w.s16,.l.s16{stroke:#d55e00}"
    ".w.s32,.l.s32{stroke:#009e73}\n";

/* That of a byte of UTF-8: a character's first one has all of it. */
static double byte_width(char byte)
{
    return ((unsigned char)byte & 0xc0) != 0x80 ? DRAWING_CHARACTER : 0.0;
}

double drawing_text_width(const char *text)
{
    double width = 0.0;

    for (; *text; text++)
        width += byte_width(*text);
    return width;
}

void drawing_text(FILE *out, double x, double y, enum drawing_anchor anchor, const char *classes,
                  const char *text)
{
    static const char *const anchors[] = {"", " text-anchor=\"middle\"", " text-anchor=\"end\""};

    /* Keeps the last label of an axis inside the drawing. */
    if (anchor == ANCHOR_MIDDLE && x > DRAWING_WIDTH - WIDEST_LABEL)
        x = fmin(x, DRAWING_WIDTH - 2.0 - 0.6 * drawing_text_width(text));
    fprintf(out, "<text class=\"t %s\" x=\"%.1f\" y=\"%.1f\"%s>", classes, x, y, anchors[anchor]);
    html_put(out, text);
    fputs("</text>\n", out);
}

/* Bytes of `text` up to the last space at which a line of it fits; one word at least. */
static size_t line_bytes(const char *text)
{
    size_t fits = 0;
    double width = 0.0;

    for (size_t i = 0; text[i]; i++) {
        if (text[i] == ' ')
            fits = i;
        width += byte_width(text[i]);
        if (width > DRAWING_WIDTH - 2.0 * MARGIN && fits > 0)
            return fits;
    }
    return strlen(text);
}

double drawing_paragraph(FILE *out, double y, const char *classes, const char *text)
{
    char line[PARAGRAPH_LINE_BYTES];
    double height = 0.0;

    for (text += strspn(text, " "); *text; text += strspn(text, " ")) {
        size_t bytes = line_bytes(text);

        snprintf(line, sizeof(line), "%.*s", (int)bytes, text);
        drawing_text(out, MARGIN, y + height, ANCHOR_START, classes, line);
        height += LINE_HEIGHT;
        text += bytes;
    }
    return height;
}

void drawing_line(FILE *out, double x1, double y1, double x2, double y2, const char *classes)
{
    fprintf(out, "<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n", classes,
            x1, y1, x2, y2);
}

void drawing_mark(FILE *out, double x, double y, unsigned shape, const char *classes,
                  const char *hint)
{
    static const char *const shapes[DRAWING_SHAPES] = {
        "M-4.2 0a4.2 4.2 0 1 0 8.4 0a4.2 4.2 0 1 0-8.4 0z", /* circle */
        "M-3.8-3.8h7.6v7.6h-7.6z",                          /* square */
        "M0-5L4.8 3.6h-9.6z",                               /* triangle */
        "M0-5.2L5.2 0L0 5.2L-5.2 0z",                       /* diamond */
        "M0 5L4.8-3.6h-9.6z",                               /* triangle, point down */
        "M-1.6-5h3.2v3.4h3.4v3.2h-3.4v3.4h-3.2v-3.4h-3.4v-3.2h3.4z",
    };

    fprintf(out, "<path class=\"m %s\" transform=\"translate(%.1f %.1f)\" d=\"%s\"><title>",
            classes, x, y, shapes[shape % DRAWING_SHAPES]);
    html_put(out, hint);
    fputs("</title></path>\n", out);
}

const char *drawing_size_class(unsigned subgroup_size)
{
    return subgroup_size == 8    ? "s8"
           : subgroup_size == 16 ? "s16"
           : subgroup_size == 32 ? "s32"
                                 : "s0";
}

void drawing_put(FILE *out, const char *title, double height, const char *inside)
{
    fputs("<svg role=\"img\" aria-label=\"", out);
    html_put(out, title);
    fprintf(out, "\" viewBox=\"0 0 %g %.0f\">\n%s</svg>\n", DRAWING_WIDTH, height, inside);
}

/* A stand-alone file has no page that defines the variables, so each var() is replaced by its
 * fallback, the second argument. */
static void put_style(FILE *out)
{
    const char *at = drawing_style;

    while (*at) {
        const char *variable = strstr(at, "var(--"), *comma, *end;

        if (!variable) {
            fputs(at, out);
            return;
        }
        comma = strchr(variable, ',');
        end = strchr(variable, ')');
        fprintf(out, "%.*s%.*s", (int)(variable - at), at, (int)(end - comma - 1), comma + 1);
        at = end + 1;
    }
}

enum status drawing_write(const char *path, const char *title, const char *note, double height,
                          const char *inside, struct error *error)
{
    double whole = height + TITLE_HEIGHT + NOTE_HEIGHT;
    FILE *out = fopen(path, "wb");

    if (!out)
        return error_set(error, STATUS_FAILED, "cannot write %s: %s", path, strerror(errno));
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %g %.0f\" width=\"%g\" "
            "height=\"%.0f\">\n<title>",
            DRAWING_WIDTH, whole, 2.0 * DRAWING_WIDTH, 2.0 * whole);
    html_put(out, title);
    fputs("</title>\n<style>", out);
    put_style(out);
    fprintf(out, "</style>\n<rect width=\"%g\" height=\"%.0f\" fill=\"#fff\"/>\n", DRAWING_WIDTH,
            whole);
    drawing_text(out, MARGIN, 16.0, ANCHOR_START, "b", title);
    fprintf(out, "<g transform=\"translate(0 %g)\">\n%s</g>\n", TITLE_HEIGHT, inside);
    drawing_text(out, MARGIN, whole - 7.0, ANCHOR_START, "d", note);
    fputs("</svg>\n", out);
    bool failed = ferror(out) != 0;
    if (fclose(out) != 0 || failed)
        return error_set(error, STATUS_FAILED, "cannot write %s: %s", path, strerror(errno));
    return STATUS_OK;
}
