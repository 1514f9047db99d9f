#include "model/choices.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum status choices_add(struct choices *choices, const struct choice *choice, struct error *error)
{
    struct choice *more = realloc(choices->choice, (choices->count + 1) * sizeof(*more));

    if (!more)
        return error_out_of_memory(error);
    choices->choice = more;
    more[choices->count++] = *choice;
    return STATUS_OK;
}

void choices_free(struct choices *choices)
{
    free(choices->choice);
    memset(choices, 0, sizeof(*choices));
}

static bool differs(const struct choice *a, const struct choice *b, enum aspect aspect)
{
    switch (aspect) {
    case ASPECT_SUBGROUP_SIZE:
        return a->subgroup_size != b->subgroup_size;
    case ASPECT_VARIANT:
        return strcmp(a->variant, b->variant) != 0;
    case ASPECT_ANY:
        break;
    }
    return a != b;
}

const struct choice *choices_best(const struct choices *choices, const struct choice *unlike,
                                  enum aspect aspect)
{
    const struct choice *best = NULL;

    for (size_t i = 0; i < choices->count; i++) {
        const struct choice *c = &choices->choice[i];

        if (unlike && !differs(c, unlike, aspect))
            continue;
        if (!best || c->cost.value < best->cost.value)
            best = c;
    }
    return best;
}

bool estimates_overlap(const struct estimate *a, const struct estimate *b)
{
    return a->interval.low <= b->interval.high && b->interval.low <= a->interval.high;
}

struct estimate estimate_sum(const struct estimate *terms, const double *factors, size_t count)
{
    struct estimate sum = {0};
    double below = 0.0, above = 0.0;

    for (size_t i = 0; i < count; i++) {
        double down = factors[i] * (terms[i].value - terms[i].interval.low);
        double up = factors[i] * (terms[i].interval.high - terms[i].value);

        sum.value += factors[i] * terms[i].value;
        below = hypot(below, factors[i] < 0.0 ? up : down);
        above = hypot(above, factors[i] < 0.0 ? down : up);
    }
    sum.interval = (struct interval){sum.value - below, sum.value + above};
    return sum;
}

struct estimate estimate_margin(const struct estimate *a, const struct estimate *b, bool *relative)
{
    static const double factors[] = {-1.0, 1.0};
    const struct estimate terms[] = {*a, *b};
    struct estimate margin = estimate_sum(terms, factors, 2);

    *relative = a->interval.low > 0.0;
    if (*relative) {
        margin.value /= a->value;
        margin.interval.low /= a->value;
        margin.interval.high /= a->value;
    }
    return margin;
}

struct estimate estimate_of(const struct parameter *p)
{
    struct estimate estimate = {p->value, p->interval};

    if (p->below_resolution) {
        estimate.value = 0.0;
        estimate.interval.low = fmin(0.0, p->interval.low);
        estimate.interval.high = fmax(0.0, p->interval.high);
    }
    return estimate;
}

void estimate_print(FILE *out, const struct estimate *e)
{
    fprintf(out, "%.4g [%.4g, %.4g]", e->value, e->interval.low, e->interval.high);
}

void margin_print(FILE *out, const struct estimate *best, const struct estimate *other)
{
    bool relative;
    struct estimate margin = estimate_margin(best, other, &relative);
    double scale = relative ? 100.0 : 1.0;

    if (!isfinite(scale * margin.value) || !isfinite(scale * margin.interval.low) ||
        !isfinite(scale * margin.interval.high)) {
        fputs(" costs more, but by how much cannot be said", out);
        return;
    }
    fprintf(out, " costs %.3g%s [%.3g, %.3g] more, %s the noise", scale * margin.value,
            relative ? " %" : "", scale * margin.interval.low, scale * margin.interval.high,
            estimates_overlap(best, other) ? "within" : "beyond");
}

static void print_choice(FILE *out, const struct choice *c)
{
    fputs(c->variant, out);
    if (c->subgroup_size)
        fprintf(out, ", sub-group %u", c->subgroup_size);
    if (c->workgroup_size)
        fprintf(out, ", work-group %u", c->workgroup_size);
}

void choices_print(FILE *out, const char *title, const struct choices *choices, const char *unit)
{
    static const struct {
        enum aspect aspect;
        const char *text;
    } aspects[] = {
        {ASPECT_SUBGROUP_SIZE, "another sub-group size"},
        {ASPECT_VARIANT, "another variant"},
    };
    const struct choice *best = choices_best(choices, NULL, ASPECT_ANY);

    if (!best)
        return;
    fprintf(out, "%s: best ", title);
    print_choice(out, best);
    fputs(": ", out);
    if (best->cost.interval.low > 0.0 || best->cost.interval.high <= 0.0)
        estimate_print(out, &best->cost);
    else
        fprintf(out, "below resolution, < %.4g", best->cost.interval.high);
    fprintf(out, " %s\n", unit);
    for (size_t i = 0; i < sizeof(aspects) / sizeof(aspects[0]); i++) {
        const struct choice *other = choices_best(choices, best, aspects[i].aspect);

        if (!other)
            continue;
        fprintf(out, "    %s: ", aspects[i].text);
        print_choice(out, other);
        margin_print(out, &best->cost, &other->cost);
        fputc('\n', out);
    }
    if (choices->count == 1)
        fputs("    there is nothing to compare it with\n", out);
}
