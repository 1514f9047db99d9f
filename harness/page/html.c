#include "page/html.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#define LINE_BYTES 65536

const char html_style[] =
    ":root{color-scheme:light dark;--ink:#1b1b1f;--paper:#fff;--dim:#5c5c66;--line:#d8d8de;"
    "--warn:#9a3b00;--soft:#f3f3f6}\n"
    "@media (prefers-color-scheme:dark){:root{--ink:#e6e6ea;--paper:#16161a;--dim:#a0a0aa;"
    "--line:#38383f;--warn:#ffb27a;--soft:#202026}}\n"
    "*{box-sizing:border-box}\n"
    "body{font:16px/1.45 system-ui,sans-serif;color:var(--ink);background:var(--paper);"
    "max-width:72rem;margin:0 auto;padding:1rem}\n"
    "h1{font-size:1.5rem;margin:0}h2{font-size:1.15rem;margin:2rem 0 .5rem}\n"
    ".emulated{border-left:4px solid var(--warn);color:var(--warn);padding:.2rem .7rem;"
    "margin:.5rem 0;font-weight:600}\n"
    ".findings{padding-left:1.3rem;margin:.3rem 0}.findings li{margin:.35rem 0}\n"
    ".findings b{display:block}.findings span{color:var(--dim);font-size:.93rem}\n"
    "table{border-collapse:collapse;width:100%;font-size:.9rem}\n"
    "td,th{text-align:left;padding:.2rem .6rem .2rem 0;border-bottom:1px solid var(--line);"
    "vertical-align:top;overflow-wrap:break-word}th{white-space:nowrap}\n"
    "td.wrap{overflow-wrap:anywhere}\n"
    "td.number,th.number{text-align:right;white-space:nowrap}\n"
    "figure{margin:.5rem 0}figcaption,.dim{color:var(--dim);font-size:.9rem}\n"
    ".panels{display:grid;gap:.5rem;"
    "grid-template-columns:repeat(auto-fit,minmax(min(100%,24rem),1fr))}\n"
    ".panels svg{width:100%;max-width:40rem;height:auto;display:block}\n"
    ".scroll{overflow-x:auto}code{overflow-wrap:anywhere;background:var(--soft)}\n"
    "summary{cursor:pointer;margin:.3rem 0}\n"
    "svg [color=\"black\"]{color:var(--ink)}svg [stroke=\"black\"]{stroke:var(--ink)}"
    "svg [fill=\"black\"]{fill:var(--ink)}svg [stroke=\"white\"]{stroke:var(--paper)}"
    "svg [color=\"white\"]{color:var(--paper)}\n"
    "@media print{:root{--ink:#000;--paper:#fff;--dim:#444;--line:#bbb;--warn:#000;--soft:#fff;"
    "color-scheme:light}figure svg,tr,li{break-inside:avoid}h2,h3{break-after:avoid}"
    "html{font-size:11px}body{font-size:1rem}.panels{grid-template-columns:1fr 1fr}}\n";

void html_put(FILE *out, const char *text)
{
    for (; *text; text++) {
        switch (*text) {
        case '<':
            fputs("&lt;", out);
            break;
        case '>':
            fputs("&gt;", out);
            break;
        case '&':
            fputs("&amp;", out);
            break;
        case '"':
            fputs("&quot;", out);
            break;
        default:
            fputc(*text, out);
        }
    }
}

void html_element(FILE *out, const char *tag, const char *text)
{
    fprintf(out, "<%s>", tag);
    html_put(out, text);
    fprintf(out, "</%s>", tag);
}

/* The line, with the prefix wherever an id begins. */
static void put_with_ids(FILE *out, const char *line, const char *prefix)
{
    static const char *const before[] = {"id=\"", "id='", "href='#", "href=\"#", "url(#"};

    while (*line) {
        size_t bytes = 0;

        for (size_t i = 0; !bytes && i < sizeof before / sizeof before[0]; i++) {
            if (!strncmp(line, before[i], strlen(before[i])))
                bytes = strlen(before[i]);
        }
        if (bytes)
            fprintf(out, "%.*s%s-", (int)bytes, line, prefix);
        else
            fputc(line[bytes++], out);
        line += bytes;
    }
}

static void put_line(FILE *out, const char *line, const char *prefix, const char *title)
{
    if (!strncmp(line, "<svg", 4)) {
        fputs("<svg role=\"img\" aria-label=\"", out);
        html_put(out, title);
        fputc('"', out);
        line += 4;
    }
    if (!strncmp(line, "<title>Gnuplot</title>", 22)) {
        html_element(out, "title", title);
        fputc('\n', out);
    } else if (strncmp(line, "<desc>", 6) != 0) {
        put_with_ids(out, line, prefix);
    }
}

enum status html_put_svg(FILE *out, const char *path, const char *prefix, const char *title,
                         struct error *error)
{
    FILE *file = fopen(path, "rb");
    char line[LINE_BYTES];
    bool inside = false;

    if (!file)
        return error_set(error, STATUS_FAILED, "cannot read %s: %s", path, strerror(errno));
    while (fgets(line, sizeof line, file)) {
        inside = inside || !strncmp(line, "<svg", 4);
        if (inside)
            put_line(out, line, prefix, title);
    }
    fclose(file);
    if (!inside)
        return error_set(error, STATUS_FAILED, "gnuplot left no drawing in %s", path);
    return STATUS_OK;
}
