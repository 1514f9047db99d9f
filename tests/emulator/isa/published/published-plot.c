/* The plot of docs/accuracy.md: published values against the model's, logarithmic. */
#include "published-figures.h"

#include <math.h>
#include <stdlib.h>

#include "drawing/drawing.h"
#include "drawing/scale.h"
#include "vesim/vesim.h"

enum { LEFT = 52, RIGHT = 470, TOP = 28, BOTTOM = 380 };

static const struct {
    const char *title, *classes; /* without a title it is in another's */
    unsigned shape;
} generations[] = {
    [VESIM_GEN12LP] = {"Xe-LP", "s8", 0},  [VESIM_XE_HPG] = {"Xe-HPG, Xe-LPG", "s16", 1},
    [VESIM_XE_HPC] = {"Xe-HPC", "s32", 0}, [VESIM_XE2] = {"Xe2, Xe3", "s32", 2},
    [VESIM_XE3] = {NULL, "s32", 2},
};

static void put_axes(FILE *out, const struct scale *x, const struct scale *y)
{
    double ticks[SCALE_TICKS_MAX];
    size_t count = scale_ticks(x, ticks);
    char text[SCALE_TEXT_BYTES];

    for (size_t i = 0; i < count; i++) {
        double at = scale_at(x, ticks[i]), height = scale_at(y, ticks[i]);

        scale_text(x, ticks[i], text);
        drawing_line(out, at, TOP, at, BOTTOM, "g");
        drawing_text(out, at, BOTTOM + 15, ANCHOR_MIDDLE, "d", text);
        drawing_line(out, LEFT, height, RIGHT, height, "g");
        drawing_text(out, LEFT - 5, height + 4, ANCHOR_END, "d", text);
    }
    drawing_text(out, (LEFT + RIGHT) / 2.0, BOTTOM + 32, ANCHOR_MIDDLE, "d",
                 "published, in the unit of the row");
    drawing_text(out, LEFT, TOP - 18, ANCHOR_START, "d", "model");
}

/* Where the model is right, and 15 % more and less. */
static void put_diagonals(FILE *out, const struct scale *x, const struct scale *y)
{
    static const double factors[] = {1.0, 1.15, 1 / 1.15};

    for (unsigned i = 0; i < 3; i++) {
        double from = x->low * fmax(1, 1 / factors[i]), to = x->high * fmin(1, 1 / factors[i]);

        drawing_line(out, scale_at(x, from), scale_at(y, from * factors[i]), scale_at(x, to),
                     scale_at(y, to * factors[i]), i == 0 ? "r" : "q");
    }
}

static void put_legend(FILE *out)
{
    double x = 100;

    for (unsigned i = 0; i < sizeof(generations) / sizeof(*generations); i++) {
        if (!generations[i].title)
            continue;
        drawing_mark(out, x, TOP - 22, generations[i].shape, generations[i].classes,
                     generations[i].title);
        drawing_text(out, x + 9, TOP - 18, ANCHOR_START, "d", generations[i].title);
        x += 40 + drawing_text_width(generations[i].title);
    }
}

static void put_marks(FILE *out, const struct figures *all, const struct scale *x,
                      const struct scale *y)
{
    for (size_t i = 0; i < all->count; i++) {
        const struct figure *f = &all->of[i];
        unsigned generation = published_generation(&f->run);
        char hint[512];

        if (!(f->model > 0) || f->published <= 0)
            continue;
        snprintf(hint, sizeof(hint), "%s: %.4g %s, model %.4g", f->what, f->published, f->unit,
                 f->model);
        drawing_mark(out, scale_at(x, f->published), scale_at(y, f->model),
                     generations[generation].shape, generations[generation].classes, hint);
    }
}

int published_plot(const char *path, const struct figures *all)
{
    double low = INFINITY, high = 0;
    char *inside = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&inside, &bytes);
    struct error error = {0};

    if (!out)
        return -1;
    for (size_t i = 0; i < all->count; i++) {
        if (!(all->of[i].model > 0))
            continue;
        low = fmin(low, fmin(all->of[i].published, all->of[i].model));
        high = fmax(high, fmax(all->of[i].published, all->of[i].model));
    }
    struct scale x = scale_over(low, high, true, false), y = x;
    x.from = LEFT, x.to = RIGHT, y.from = BOTTOM, y.to = TOP;
    put_axes(out, &x, &y);
    put_diagonals(out, &x, &y);
    put_legend(out);
    put_marks(out, all, &x, &y);
    fclose(out);
    enum status status = drawing_write(path, "Published figures and the model's",
                                       "Dashed: 15 % more and less. docs/accuracy.md has each row.",
                                       BOTTOM + 40, inside, &error);
    free(inside);
    if (status != STATUS_OK)
        fprintf(stderr, "%s\n", error.text);
    return status == STATUS_OK ? 0 : -1;
}
