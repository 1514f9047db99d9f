/* A verdict as bars: the best way at each sub-group size, at equal work. */
#include "report/answers/verdict-bars.h"

#include "drawing/drawing.h"
#include "report/answers/sizes.h"

#include <math.h>
#include <string.h>

#define BAR_ROW_HEIGHT 26.0
#define BAR_HEIGHT     14.0
#define LABEL_RIGHT    62.0 /* where the names of sizes end */
#define BARS_LEFT      70.0
#define BARS_RIGHT     280.0 /* the longest interval's end; values stand to its right */
#define LABEL_GAP      8.0
#define CAP            4.0
#define FOOT_HEIGHT    18.0
#define LABEL_BYTES    (VERDICT_TEXT_BYTES + 64)

/* What ends furthest to the right. */
static double largest(const struct verdict *v)
{
    double most = 0.0;

    for (size_t s = 0; s < SIZES; s++) {
        const struct verdict_candidate *c = verdict_best_at(v, answer_sizes[s]);

        if (c) {
            struct estimate e = verdict_shown(v, c);
            most = fmax(most, isfinite(e.interval.high) ? e.interval.high : e.value);
        }
    }
    return most > 0.0 ? most : 1.0;
}

static double place_on_bar(double value, double most)
{
    return BARS_LEFT + (BARS_RIGHT - BARS_LEFT) * fmin(fmax(value, 0.0), most) / most;
}

static void draw_whisker(FILE *out, double from, double to, double y)
{
    drawing_line(out, from, y, to, y, "r");
    drawing_line(out, from, y - CAP, from, y + CAP, "r");
    drawing_line(out, to, y - CAP, to, y + CAP, "r");
}

static void draw_bar(FILE *out, const struct verdict *v, const struct verdict_candidate *c,
                     double most, double y)
{
    struct estimate e = verdict_shown(v, c);
    double end = place_on_bar(e.value, most), high = place_on_bar(e.interval.high, most);
    char cost[VERDICT_TEXT_BYTES], label[LABEL_BYTES];

    snprintf(label, sizeof(label), "%s%s%s", verdict_cost(v, c, cost), c->method[0] ? ", " : "",
             c->method);
    if (c->is_free) {
        drawing_text(out, BARS_LEFT, y + 4.0, ANCHOR_START, "b", label);
        return;
    }
    fprintf(out, "<rect class=\"m %s%s\" x=\"%g\" y=\"%.1f\" width=\"%.1f\" height=\"%g\"/>\n",
            drawing_size_class(c->subgroup_size), c->wins ? "" : " o", BARS_LEFT,
            y - BAR_HEIGHT / 2.0, end - BARS_LEFT, BAR_HEIGHT);
    draw_whisker(out, place_on_bar(e.interval.low, most), high, y);
    drawing_text(out, fmax(end, high) + LABEL_GAP, y + 4.0, ANCHOR_START, c->wins ? "b" : "",
                 label);
}

double verdict_bars_draw(FILE *out, const struct verdict *v)
{
    bool is_rate = v->question.kind == WORK_OPERATIONS || v->question.kind == WORK_BYTES;
    double most = largest(v), y = BAR_ROW_HEIGHT / 2.0;

    for (size_t s = 0; s < SIZES; s++, y += BAR_ROW_HEIGHT) {
        const struct verdict_candidate *c = verdict_best_at(v, answer_sizes[s]);
        char label[32];

        snprintf(label, sizeof(label), "%u lanes", answer_sizes[s]);
        drawing_text(out, LABEL_RIGHT, y + 4.0, ANCHOR_END, "", label);
        if (c)
            draw_bar(out, v, c, most, y);
        else
            drawing_text(out, BARS_LEFT, y + 4.0, ANCHOR_START, "d", "not measured");
    }
    drawing_line(out, BARS_LEFT, 2.0, BARS_LEFT, SIZES * BAR_ROW_HEIGHT - 2.0, "a");
    drawing_text(out, BARS_LEFT, SIZES * BAR_ROW_HEIGHT + 11.0, ANCHOR_START, "d",
                 is_rate ? "more is better; whiskers are 95 % intervals"
                         : "less is better; whiskers are 95 % intervals");
    return SIZES * BAR_ROW_HEIGHT + FOOT_HEIGHT;
}
