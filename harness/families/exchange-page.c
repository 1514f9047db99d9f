/* Family `exchange` on the page: registers compared with memory. */
#include "families/chain-page.h"
#include "page/family-page.h"
#include "page/findings-parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define SIZES 3

static const unsigned sizes[SIZES] = {8, 16, 32};

/* The ways of one exchange at each sub-group size; NULL where a row is missing. */
struct ways {
    const struct record *like; /* the busiest row: all have as many threads */
    const struct record *registers[SIZES], *slm[SIZES], *barrier[SIZES];
    unsigned in_registers, in_slm; /* number of sizes at which it wins by more than the intervals */
    double widest;                 /* widest half-width of an interval, in the unit of the costs */
    const char *unit;
};

static void append(char *text, const char *more)
{
    size_t used = strlen(text);

    snprintf(text + used, FINDING_BYTES - used, "%s", more);
}

/* The busiest launch of a variant. */
static const struct record *busiest(const struct records *records, const char *family,
                                    const char *variant)
{
    const struct record *best = NULL, *r;

    for (size_t i = 0; (r = next_row(records, family, variant, &i));) {
        if (is_busier(r, best))
            best = r;
    }
    return best;
}

/* The row for this sub-group size with as many threads as `like`: sizes are compared alike. */
static const struct record *row_at(const struct records *records, const struct record *like,
                                   unsigned size)
{
    const struct record *r;

    for (size_t i = 0; (r = next_row(records, like->benchmark, like->variant, &i));) {
        if (r->subgroup_size == size && record_threads(r) == record_threads(like) &&
            r->workgroup_count == like->workgroup_count)
            return r;
    }
    return NULL;
}

static void widen(struct ways *ways, const struct record *r)
{
    if (r)
        ways->widest =
            fmax(ways->widest, (cost_of(r).interval.high - cost_of(r).interval.low) / 2.0);
}

static struct ways ways_of(const struct records *records, const char *family, const char *variant)
{
    struct ways ways = {.unit = "cycles", .like = busiest(records, family, variant)};
    char slm[100], barrier[100];

    snprintf(slm, sizeof(slm), "%s_slm", variant);
    snprintf(barrier, sizeof(barrier), "%s_slm_group", variant);
    for (unsigned i = 0; ways.like && i < SIZES; i++) {
        const struct record *r = row_at(records, ways.like, sizes[i]);

        if (!r || !(ways.slm[i] = sibling(records, r, slm)))
            continue;
        ways.registers[i] = r;
        ways.unit = cost_unit(r);
        ways.barrier[i] = sibling(records, r, barrier);
        widen(&ways, r);
        widen(&ways, ways.slm[i]);
        widen(&ways, ways.barrier[i]);
        ways.in_registers += cost_of(r).interval.high < cost_of(ways.slm[i]).interval.low;
        ways.in_slm += cost_of(r).interval.low > cost_of(ways.slm[i]).interval.high;
    }
    return ways;
}

/* "8 and 32": the sizes at which registers win or, with `in_slm`, local memory. */
static void list_sizes(char *text, const struct ways *ways, bool in_slm)
{
    unsigned left = in_slm ? ways->in_slm : ways->in_registers;

    text[0] = '\0';
    for (unsigned i = 0; i < SIZES; i++) {
        char number[16];

        if (!ways->registers[i] ||
            !(in_slm
                  ? cost_of(ways->registers[i]).interval.low > cost_of(ways->slm[i]).interval.high
                  : cost_of(ways->registers[i]).interval.high < cost_of(ways->slm[i]).interval.low))
            continue;
        snprintf(number, sizeof(number), "%u%s", sizes[i],
                 left == 1   ? ""
                 : left == 2 ? " and "
                             : ", ");
        append(text, number);
        left--;
    }
}

/* "28 / 32 / 59": the costs at the sizes that exist. */
static void list_costs(char *text, const struct record *const *rows)
{
    const char *between = "";

    for (unsigned i = 0; i < SIZES; i++) {
        char number[40];

        if (!rows[i])
            continue;
        snprintf(number, sizeof(number), "%s%.3g", between, fmax(0.0, cost_of(rows[i]).value));
        append(text, number);
        between = " / ";
    }
}

static void tell(struct findings *findings, const struct ways *ways, const char *verb,
                 const char *what)
{
    char advice[FINDING_BYTES] = "", text[FINDING_BYTES] = "", list[FINDING_BYTES], end[80];
    const char *between = "";

    list_sizes(list, ways, false);
    if (ways->in_registers) {
        snprintf(advice, sizeof(advice), "%s in registers, by sub-group functions%s%.40s", verb,
                 ways->in_slm ? ", at sub-groups of " : "", ways->in_slm ? list : "");
    }
    list_sizes(list, ways, true);
    if (ways->in_slm) {
        append(advice, ways->in_registers ? "; through shared local memory at " : verb);
        append(advice, ways->in_registers ? "" : " through shared local memory at sub-groups of ");
        append(advice, list);
    }
    append(advice, ".");
    snprintf(text, sizeof(text), "%s at sub-groups of ", what);
    for (unsigned i = 0; i < SIZES; i++) {
        if (ways->registers[i]) {
            snprintf(end, sizeof(end), "%s%u", between, sizes[i]);
            append(text, end);
            between = " / ";
        }
    }
    append(text, ": ");
    list_costs(text, ways->registers);
    append(text, " in registers, ");
    list_costs(text, ways->slm);
    append(text, " through local memory within the sub-group, ");
    list_costs(text, ways->barrier);
    snprintf(end, sizeof(end), " with a work-group barrier (%s, each to +-%.2g).", ways->unit,
             ways->widest);
    append(text, end);
    findings_add(findings, ways->like, advice, text);
}

static void findings_exchange(struct findings *findings, const struct records *records)
{
    struct ways shuffle = ways_of(records, "exchange", "shuffle_u32");

    if (shuffle.in_registers || shuffle.in_slm)
        tell(findings, &shuffle, "Shuffle", "An arbitrary 32-bit shuffle");
}

static const char *const by_launch[] = {"threads", "workgroup_count", NULL};

static const struct plot plots[] = {
    {.name = "exchange",
     .rank = 60,
     .title = "Exchange within a sub-group, in registers and through memory",
     .caption = "The leftmost mark of a row wins: size in colour, way in shape.",
     .command = "vebench run exchange",
     .shape = PLOT_BARS,
     .y_label = "clock cycles per exchange",
     .log = "",
     .family = "exchange",
     .place = place_chain,
     .slice = by_launch},
};

const struct family_page family_exchange_page = {
    .family = "exchange",
    .plots = plots,
    .plot_count = sizeof(plots) / sizeof(plots[0]),
    .findings = findings_exchange,
    .rank = 30,
};
