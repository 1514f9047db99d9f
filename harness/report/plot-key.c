#include "report/plot-key.h"

#include "drawing/html.h"

#include <string.h>

#define KEY_LEFT        8.0
#define KEY_LINE_HEIGHT 17.0
#define KEY_SYMBOL      16.0 /* from an entry's left edge to its text */
#define KEY_GAP         14.0 /* between entries */
#define TEXT_BYTES      (PLOT_TEXT_BYTES + 16)

void plot_key_add(struct plot_key *key, const struct plot_key_entry *entry)
{
    if (key->count < PLOT_KEY_MAX)
        key->entry[key->count++] = *entry;
}

/* Sizes stand first, in ascending order. */
void plot_key_add_size(struct plot_key *key, unsigned subgroup_size)
{
    size_t at = 0;

    while (at < key->count && key->entry[at].kind == PLOT_KEY_SIZE &&
           key->entry[at].subgroup_size < subgroup_size)
        at++;
    if (subgroup_size == 0 || key->count == PLOT_KEY_MAX ||
        (at < key->count && key->entry[at].kind == PLOT_KEY_SIZE &&
         key->entry[at].subgroup_size == subgroup_size))
        return;
    memmove(&key->entry[at + 1], &key->entry[at], (key->count - at) * sizeof(key->entry[0]));
    key->entry[at] = (struct plot_key_entry){.subgroup_size = subgroup_size};
    key->count++;
}

/* A drawing without methods needs no word on its one shape. */
static void add_ways(struct plot_key *key, const struct plot_view *view, size_t first, size_t count)
{
    for (unsigned method = 0; method < view->method_count; method++) {
        const struct plot_key_entry entry = {
            .kind = PLOT_KEY_SHAPE,
            .shape = method,
            .text = method + 1 == PLOT_METHODS_MAX ? "others" : view->methods[method],
        };
        bool is_used = false;

        for (size_t i = first; i < first + count; i++)
            is_used |= plot_mark_is_measured(&view->mark[i]) &&
                       plot_view_method(view, &view->mark[i]) == method;
        if (is_used && entry.text[0])
            plot_key_add(key, &entry);
    }
}

/* Roofs and guides have their names beside them, levels their latencies. */
static void add_lines(struct plot_key *key, const struct plot_view *view, size_t first,
                      size_t count)
{
    static const struct {
        const char *style;
        struct plot_key_entry entry;
    } lines[] = {
        {"fit", {.kind = PLOT_KEY_LINE, .classes = "l s0", .text = "the model"}},
        {"level", {.kind = PLOT_KEY_LINE, .classes = "l s0", .text = "a level of the model"}},
        {"edge", {.kind = PLOT_KEY_LINE, .classes = "l e s0", .text = "where it ends"}},
    };
    bool has_interval = false;

    for (size_t i = first; i < first + count; i++) {
        const struct plot_mark *mark = &view->mark[i];

        has_interval |= plot_mark_is_measured(mark) && mark->point->hi > mark->point->lo;
    }
    if (has_interval)
        plot_key_add(key, &(struct plot_key_entry){
                              .kind = PLOT_KEY_LINE, .classes = "w s0", .text = "95 % interval"});
    for (size_t l = 0; l < sizeof(lines) / sizeof(lines[0]); l++) {
        bool is_used = false;

        for (size_t i = first; i < first + count; i++)
            is_used |= !strcmp(view->mark[i].point->style, lines[l].style);
        if (is_used)
            plot_key_add(key, &lines[l].entry);
    }
}

void plot_key_make(struct plot_key *key, const struct plot_view *view, size_t first, size_t count)
{
    key->count = 0;
    for (size_t i = first; i < first + count; i++)
        plot_key_add_size(key, view->mark[i].subgroup_size);
    add_ways(key, view, first, count);
    add_lines(key, view, first, count);
}

/* The first size says what the numbers are. */
static void entry_text(const struct plot_key *key, size_t index, char text[TEXT_BYTES])
{
    const struct plot_key_entry *entry = &key->entry[index];

    if (entry->kind == PLOT_KEY_SIZE)
        snprintf(text, TEXT_BYTES, "%s%u", index == 0 ? "sub-groups of " : "",
                 entry->subgroup_size);
    else
        snprintf(text, TEXT_BYTES, "%s", entry->text);
    for (char *c = text; *c; c++)
        *c = *c == '_' ? ' ' : *c;
}

void plot_key_put(FILE *out, const struct plot_key *key)
{
    static const char *const shapes[DRAWING_SHAPES] = {"●", "■", "▲", "◆", "▼", "✚"};
    char text[TEXT_BYTES];

    fputs("<p class=\"key\">", out);
    for (size_t i = 0; i < key->count; i++) {
        const struct plot_key_entry *entry = &key->entry[i];

        if (entry->kind == PLOT_KEY_SIZE)
            fprintf(out, "<span class=\"k %s\">", drawing_size_class(entry->subgroup_size));
        else if (entry->kind == PLOT_KEY_SHAPE)
            fprintf(out, "<span class=\"dim\">%s ", shapes[entry->shape % DRAWING_SHAPES]);
        else
            fprintf(out,
                    "<span class=\"dim\"><svg class=\"sample\" viewBox=\"0 0 16 8\" "
                    "aria-hidden=\"true\"><line class=\"%s\" x1=\"0\" y1=\"4\" x2=\"16\" "
                    "y2=\"4\"/></svg> ",
                    entry->classes);
        entry_text(key, i, text);
        html_put(out, text);
        fputs("</span> ", out);
    }
    fputs("</p>\n", out);
}

static void draw_symbol(FILE *out, const struct plot_key_entry *entry, double x, double y)
{
    switch (entry->kind) {
    case PLOT_KEY_SIZE: /* a swatch, because circles and squares are methods */
        fprintf(out,
                "<rect class=\"m %s\" x=\"%.1f\" y=\"%.1f\" width=\"12\" height=\"9\" rx=\"2\"/>\n",
                drawing_size_class(entry->subgroup_size), x, y - 4.5);
        break;
    case PLOT_KEY_SHAPE:
        drawing_mark(out, x + 6.0, y, entry->shape, "s0", entry->text);
        break;
    case PLOT_KEY_LINE:
        drawing_line(out, x, y, x + 12.0, y, entry->classes);
        break;
    }
}

double plot_key_draw(FILE *out, const struct plot_key *key, const char *inside)
{
    double x = KEY_LEFT, base = 12.0;
    char text[TEXT_BYTES];

    for (size_t i = 0; i < key->count; i++) {
        entry_text(key, i, text);
        double width = KEY_SYMBOL + drawing_text_width(text);

        if (x > KEY_LEFT && x + width > DRAWING_WIDTH - KEY_LEFT) {
            x = KEY_LEFT;
            base += KEY_LINE_HEIGHT;
        }
        draw_symbol(out, &key->entry[i], x, base - 4.0);
        drawing_text(out, x + KEY_SYMBOL, base, ANCHOR_START, "", text);
        x += width + KEY_GAP;
    }
    double height = key->count ? base + 8.0 : 0.0;
    fprintf(out, "<g transform=\"translate(0 %g)\">\n%s</g>\n", height, inside);
    return height;
}
