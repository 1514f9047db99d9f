#include "drawing/html.h"

#include <stdbool.h>
#include <string.h>

#define REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */

/* In parts, as compilers need not accept strings longer than 4095 bytes. */
const char html_style[] =
    ":root{color-scheme:light dark;--ink:#1b1b1f;--paper:#fff;--dim:#5c5c66;--line:#e2e2e8;"
    "--warn:#9a3b00;--soft:#f5f5f8;--hot:0,114,178}\n"
    "@media (prefers-color-scheme:dark){:root{--ink:#e6e6ea;--paper:#16161a;--dim:#a6a6b0;"
    "--line:#303037;--warn:#ffb27a;--soft:#202026;--hot:86,180,233}"
    ".m.s8,.n.s8{fill:#56b4e9}.m.s16,.n.s16{fill:#ff9d5c}.m.s32,.n.s32{fill:#3fd1a0}"
    ".w.s8,.l.s8{stroke:#56b4e9}.w.s16,.l.s16{stroke:#ff9d5c}.w.s32,.l.s32{stroke:#3fd1a0}"
    "}\n"
    "*{box-sizing:border-box}html{scroll-behavior:smooth}\n"
    "body{font:16px/1.45 system-ui,sans-serif;color:var(--ink);background:var(--paper);"
    "max-width:76rem;margin:0 auto;padding:1rem}\n"
    "a{color:inherit;text-decoration-color:var(--dim);text-underline-offset:.2em}\n"
    "h1{font-size:1.5rem;margin:0}h2{font-size:1.15rem;margin:0 0 .3rem}"
    "h3{font-size:.95rem;font-weight:600;margin:.4rem 0 0}\n"
    "section{margin:2.6rem 0;scroll-margin-top:3rem}figure{margin:0;scroll-margin-top:6rem}\n"
    ".emulated{border-left:4px solid var(--warn);color:var(--warn);padding:.2rem .7rem;"
    "margin:.5rem 0;font-weight:600}\n"
    ".findings{padding-left:1.3rem;margin:.3rem 0;columns:2 26rem;column-gap:2.5rem}"
    ".findings li{margin:0 0 .6rem;break-inside:avoid}\n"
    ".weak{color:var(--warn)}.findings b{display:block}.findings "
    "span{color:var(--dim);font-size:.9rem}\n"
    "table{border-collapse:collapse;width:100%;font-size:.9rem}\n"
    "td,th{text-align:left;padding:.2rem .6rem .2rem 0;border-bottom:1px solid var(--line);"
    "vertical-align:top;overflow-wrap:break-word}th{white-space:nowrap}\n"
    "td.wrap{overflow-wrap:anywhere}\n"
    "td.number,th.number{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}\n"
    "figcaption,.dim{color:var(--dim);font-size:.9rem}\n"
    ".key{margin:.4rem 0;display:flex;flex-wrap:wrap;gap:.2rem .9rem;font-size:.9rem}\n"
    ".k{--k:#77777f;white-space:nowrap}.k.s8{--k:#0072b2}.k.s16{--k:#d55e00}.k.s32{--k:#009e73}\n"
    ".k::before{content:\"\";display:inline-block;width:.7em;height:.7em;border-radius:50%;"
    "background:var(--k);margin-right:.35em}.sample{width:1.2em;height:.6em;vertical-align:middle}"
    "\n"
    ".panels{display:grid;gap:1rem 2rem;"
    "grid-template-columns:repeat(auto-fit,minmax(min(100%,27rem),1fr))}\n"
    ".panels svg{width:100%;max-width:42rem;height:auto;display:block}\n"
    ".wide table{font-size:.82rem}.wide td{white-space:nowrap}.wide td.wrap{white-space:normal}"
    ".wide,.scroll{overflow-x:auto}.scroll{max-height:26rem}code{overflow-wrap:anywhere;background:"
    "var(--soft);"
    "padding:0 .2em}\n"
    "details{margin:.4rem 0}summary{cursor:pointer;color:var(--dim);font-size:.9rem}\n"
    "nav{margin:1.6rem 0;padding:.7rem 1rem;background:var(--soft);border-radius:.4rem}"
    "nav ul{list-style:none;margin:.2rem 0 0;padding:0;columns:16rem;column-gap:2rem}"
    "nav li{padding:.15rem 0;break-inside:avoid}\n";

const char html_style_of_parts[] =
    ".verdicts{display:grid;gap:1rem 2.4rem;"
    "grid-template-columns:repeat(auto-fit,minmax(min(100%,27rem),1fr))}"
    ".verdicts .o{fill-opacity:.45}.verdicts p{margin:.25rem 0}.verdicts "
    "svg{width:100%;max-width:36rem;height:auto;"
    "display:block}.verdicts article{break-inside:avoid}.first{margin-top:1.2rem}\n"
    ".names{display:grid;grid-template-columns:max-content 1fr;gap:.1rem .9rem;font-size:.85rem}"
    ".names dt{font-weight:600}.names dd{margin:0;color:var(--dim)}\n"
    ".heat{columns:22rem;column-gap:2.2rem}.heat table{break-inside:auto;margin:0 0 1rem;"
    "table-layout:fixed;font-size:.82rem;line-height:1.35}"
    ".heat caption{text-align:left;font-weight:600;padding:.2rem 0;break-after:avoid;"
    "break-inside:avoid}"
    ".heat tr:has(>th:empty){break-before:avoid}.heat caption .dim{font-weight:400}"
    ".heat tr,.heat thead{break-inside:avoid}.heat th{font-weight:400;width:38%;white-space:normal;"
    "padding-right:.4rem}"
    ".heat td,.heat th[scope=col]{width:14.5%;text-align:center;padding:.08rem "
    "0;white-space:nowrap;"
    "border:2px solid var(--paper);font-variant-numeric:tabular-nums}"
    ".heat "
    "td.method{width:18.5%;padding-left:.5rem;text-align:left;color:var(--dim);font-size:.78rem;"
    "white-"
    "space:normal}"
    ".heat .group th{color:var(--dim);padding-top:.4rem}\n"
    ".heat .none{color:var(--dim)}.h0{background:rgba(var(--hot),.04)}"
    ".h1{background:rgba(var(--hot),.14)}.h2{background:rgba(var(--hot),.28)}"
    ".h3{background:rgba(var(--hot),.42)}.h4{background:rgba(var(--hot),.56)}"
    ".h5{background:rgba(var(--hot),.72)}\n"
    ".best{font-weight:700;box-shadow:inset 0 0 0 2px var(--ink)}b.best{padding:.1em .4em}\n"
    ".filter{accent-color:var(--ink)}"
    "#only8:not(:checked)~main .panels .s8,#only16:not(:checked)~main .panels .s16,"
    "#only32:not(:checked)~main .panels .s32,#only8:not(:checked)~main tr.s8,"
    "#only16:not(:checked)~main tr.s16,#only32:not(:checked)~main tr.s32{display:none}\n"
    "@media (prefers-color-scheme:dark){.k.s8{--k:#56b4e9}.k.s16{--k:#ff9d5c}.k.s32{--k:#3fd1a0}}\n"
    "@media print{:root{--ink:#000;--paper:#fff;--dim:#444;--line:#bbb;--warn:#000;--soft:#fff;"
    "color-scheme:light}figure svg,.panels>div,tr,li{break-inside:avoid}h2,h3,figcaption,.key{"
    "break-after:avoid}section,figcaption{break-inside:avoid}.wide,.scroll{overflow:visible;max-"
    "height:none}"
    "html{font-size:10.5px}body{font-size:1rem;max-width:none}.panels{grid-template-columns:1fr "
    "1fr}.filter,.filters,nav,details:not(.group){display:none}.group::details-content{content-"
    "visibility:visible}.heat,.heat td,.panels svg{"
    "print-color-adjust:exact;-webkit-print-color-adjust:exact}section{margin:1.4rem 0}}\n";

/* Length in bytes of the UTF-8 character at the start of `text`; 0 if it is not valid. */
static size_t character(const char *text)
{
    const unsigned char *c = (const unsigned char *)text;
    size_t bytes = c[0] < 0x80                   ? 1
                   : c[0] >= 0xc2 && c[0] < 0xe0 ? 2
                   : (c[0] & 0xf0) == 0xe0       ? 3
                   : c[0] >= 0xf0 && c[0] < 0xf5 ? 4
                                                 : 0;

    for (size_t i = 1; i < bytes; i++) {
        if ((c[i] & 0xc0) != 0x80)
            return 0;
    }
    /* Overlong encodings, surrogates, and values above U+10FFFF. */
    if ((bytes == 3 && ((c[0] == 0xe0 && c[1] < 0xa0) || (c[0] == 0xed && c[1] >= 0xa0))) ||
        (bytes == 4 && ((c[0] == 0xf0 && c[1] < 0x90) || (c[0] == 0xf4 && c[1] >= 0x90))))
        return 0;
    return bytes;
}

static bool is_control(char c)
{
    return ((unsigned char)c < 0x20 && c != '\t' && c != '\n') || c == 0x7f;
}

static void put_character(FILE *out, char c)
{
    switch (c) {
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
    case '\'':
        fputs("&#39;", out);
        break;
    default:
        fputc(c, out);
    }
}

static void put(FILE *out, const char *text, char underscore)
{
    while (*text) {
        size_t bytes = character(text);

        if (bytes == 0 || is_control(*text))
            fputs(REPLACEMENT, out);
        else if (bytes == 1)
            put_character(out, *text == '_' ? underscore : *text);
        else
            fwrite(text, 1, bytes, out);
        text += bytes ? bytes : 1;
    }
}

void html_put(FILE *out, const char *text)
{
    put(out, text, '_');
}

void html_put_spaced(FILE *out, const char *text)
{
    put(out, text, ' ');
}

void html_element(FILE *out, const char *tag, const char *text)
{
    fprintf(out, "<%s>", tag);
    html_put(out, text);
    fprintf(out, "</%s>", tag);
}
