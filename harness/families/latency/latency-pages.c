/* Family `latency`: what a page costs that the TLB does not hold, and how much memory it reaches,
 * from chases over many pages whose lines a cache holds. Their nodes come in random order, so of a
 * working set W that the TLB reaches R of, a step finds its page with the probability R / W:
 *
 *     latency = that of the lines + miss (1 - R / W)
 *
 * Where there are nodes that have a page each (latency-misses.c) they tell both instead.
 *
 * Strides that are multiples of a page have nodes in few sets of the caches, too, and are not used.
 */
#include "families/latency/latency-model.h"

#include "model/fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LINE_BYTES 64.0

/* Rows that determine both terms, and check them. */
enum { ROWS_LEAST = 3 };

/* What the rows determine: the name of the parameter, what it is, and its unit unless it is that of
 * the rows. */
struct page_term {
    const char *name, *means, *unit;
};

static const struct page_term miss_term = {"pages.miss", "cost", NULL};
static const struct page_term reach_term = {"pages.reach", "working set", "bytes"};

#define LEVELS LATENCY_SWEEP " --variant global_uniform --axis working_set=512K,L/2"

double latency_line_bytes(const struct record *r)
{
    return record_parameter(r, "working_set", NAN) / latency_stride(r) * LINE_BYTES;
}

bool latency_visits_pages(const struct record *r)
{
    double stride = latency_stride(r);

    return latency_is_unloaded(r) && stride > LATENCY_PAGE_LEAST && !latency_is_whole_pages(stride);
}

void latency_take_pages(struct row_set *pages, const struct row_set *rows, const struct fit *fit)
{
    pages->count = 0;
    for (size_t i = 0; i < rows->count; i++) {
        if (!latency_visits_pages(&fit->records->record[rows->index[i]]) || !(rows->y[i] > 0.0))
            continue;
        pages->index[pages->count] = rows->index[i];
        pages->y[pages->count] = rows->y[i];
        pages->sd[pages->count++] = rows->sd[i];
    }
}

/* Whether the level holds the lines of the row's nodes. */
static bool holds(const struct parameter *level, const struct record *r)
{
    double bytes = latency_line_bytes(r);

    return bytes >= level->working_sets.low && bytes <= level->working_sets.high;
}

/* The level that holds the lines of most rows, or NULL. */
static const struct parameter *level_of_most(const struct fit *fit, const char *variant,
                                             unsigned subgroup_size, const struct row_set *pages)
{
    const struct parameter *best = NULL, *level;
    size_t most = 0;

    for (unsigned i = 1;
         (level = latency_level(fit->model, variant, subgroup_size, i, "latency")) != NULL; i++) {
        size_t count = 0;

        for (size_t row = 0; row < pages->count; row++)
            count += holds(level, &fit->records->record[pages->index[row]]);
        if (count > most) {
            most = count;
            best = level;
        }
    }
    return best;
}

/* Keeps rows of one stride, the smallest, whose lines the level holds. */
static void keep_held(struct row_set *pages, const struct fit *fit, const struct parameter *level)
{
    double stride = latency_least_stride(fit, pages);
    size_t kept = 0;

    for (size_t i = 0; i < pages->count; i++) {
        const struct record *r = &fit->records->record[pages->index[i]];

        if (latency_stride(r) == stride && holds(level, r))
            row_set_move(pages, kept++, i);
    }
    pages->count = kept;
}

/* Keeps those that miss pages. The reach lies between the largest set of the others, and the
 * smallest of these. */
static struct interval keep_missing(struct row_set *pages, const struct fit *fit, double held)
{
    struct interval reach = {0.0, INFINITY};
    size_t kept = 0;

    for (size_t i = 0; i < pages->count; i++) {
        double set = latency_working_set(fit, pages, i);

        if (pages->y[i] > (1.0 + LATENCY_MISSED) * held)
            reach.high = fmin(reach.high, set);
    }
    for (size_t i = 0; i < pages->count; i++) {
        double set = latency_working_set(fit, pages, i);

        if (set >= reach.high)
            row_set_move(pages, kept++, i);
        else
            reach.low = fmax(reach.low, set);
    }
    pages->count = kept;
    return reach;
}

static enum status absent(struct fit *fit, const char *name, const char *why, const char *command)
{
    char pages[MODEL_NAME_BYTES];

    snprintf(pages, sizeof(pages), "%.80s.pages", name);
    return fit_absent(fit, pages, why, command);
}

static enum status add(struct fit *fit, const char *name, const struct page_term *term,
                       const struct row_set *pages, double value, struct interval interval)
{
    struct parameter *p = fit_add(fit, name, term->name, "", pages);

    if (!p)
        return fit_out_of_memory(fit);
    if (term->unit)
        snprintf(p->unit, sizeof(p->unit), "%s", term->unit);
    p->stride = latency_stride(&fit->records->record[pages->index[0]]);
    snprintf(p->form, sizeof(p->form),
             "%s of steps that miss a page, miss (1 - reach / working set), nodes %.0f bytes apart",
             term->means, p->stride);
    p->value = value;
    p->interval = interval;
    return STATUS_OK;
}

/* Of too few rows for the equation, the reach alone: between two sets. */
static enum status fit_reach(struct fit *fit, const char *name, const struct row_set *pages,
                             struct interval reach)
{
    if (pages->count > 0 && reach.low > 0.0)
        return add(fit, name, &reach_term, pages, sqrt(reach.low * reach.high), reach);
    return absent(fit, name, "these working sets miss no page, or too few of them do",
                  LATENCY_PAGES_SWEEP);
}

static enum status fit_misses(struct fit *fit, const char *name, struct row_set *pages,
                              const struct parameter *level, struct interval reach)
{
    struct form_problem problem = {.rows = pages->count,
                                   .terms = 2,
                                   .columns = pages->columns,
                                   .y = pages->y,
                                   .row_sd = pages->sd,
                                   .candidates = {3},
                                   .candidate_count = 1,
                                   .is_cost = true};
    struct form form;
    struct error why;

    for (size_t i = 0; i < pages->count; i++) {
        pages->columns[i] = 1.0;
        pages->columns[pages->count + i] = -1.0 / latency_working_set(fit, pages, i);
    }
    if (form_choose(&form, &problem, fit->seed, &why) != STATUS_OK)
        return why.status == STATUS_NO_MEMORY ? fit_out_of_memory(fit)
                                              : absent(fit, name, why.text, LATENCY_PAGES_SWEEP);
    double miss = form.coefficient[0] - level->value, reached = form.coefficient[1] / miss;
    if (!(miss > 0.0) || !(reached > 0.0))
        return fit_reach(fit, name, pages, reach);
    double below =
        hypot(form.coefficient[0] - form.interval[0].low, level->interval.high - level->value);
    double above =
        hypot(form.interval[0].high - form.coefficient[0], level->value - level->interval.low);
    struct interval cost = {fmax(miss - below, 0.0), miss + above};
    struct interval held = {form.interval[1].low / cost.high, reached};
    held.high = cost.low > 0.0 ? form.interval[1].high / cost.low : reach.high;
    /* Sets of ways run over before all is full: a set that misses little is held as well. */
    held.low = reach.low > 0.0 ? fmin(held.low, reach.low) : held.low;
    held.high = fmax(held.high, reach.low);
    enum status status = add(fit, name, &miss_term, pages, miss, cost);
    return status == STATUS_OK ? add(fit, name, &reach_term, pages, reached, held) : status;
}

static void swap_rows(struct row_set *rows, size_t a, size_t b)
{
    size_t index = rows->index[a];
    double y = rows->y[a], sd = rows->sd[a];

    row_set_move(rows, a, b);
    rows->index[b] = index;
    rows->y[b] = y;
    rows->sd[b] = sd;
}

/* Moves the rows whose nodes have a page each to the end; returns how many others there are. */
static size_t part_apart(const struct fit *fit, struct row_set *pages)
{
    size_t others = 0;

    for (size_t i = 0; i < pages->count; i++) {
        if (latency_has_page_each(&fit->records->record[pages->index[i]]))
            continue;
        swap_rows(pages, others++, i);
    }
    return others;
}

/* From nodes that have a page each; false where there are none, or none misses its page. */
static bool fit_apart(struct fit *fit, const char *name, const struct row_set *near,
                      const struct row_set *pages, size_t count,
                      const struct latency_others *others, enum status *status)
{
    const struct row_set apart = {.count = pages->count - count,
                                  .index = pages->index + count,
                                  .y = pages->y + count,
                                  .sd = pages->sd + count};
    const struct row_set several = {
        .count = count, .index = pages->index, .y = pages->y, .sd = pages->sd};
    struct latency_miss miss;

    if (!latency_find_misses(fit, &apart, near, &miss))
        return false;
    latency_narrow_reach(&miss, fit, &several, near, others);
    *status = add(fit, name, &miss_term, &apart, miss.value, miss.interval);
    if (*status == STATUS_OK)
        *status = add(fit, name, &reach_term, &apart,
                      sqrt(fmax(miss.reach.low, LATENCY_PAGE_LEAST) * miss.reach.high), miss.reach);
    return true;
}

enum status latency_fit_pages(struct fit *fit, const char *name, const char *variant,
                              unsigned subgroup_size, const struct row_set *near,
                              struct row_set *pages)
{
    enum status status = STATUS_OK;
    size_t count = part_apart(fit, pages);
    const struct latency_others others = {
        .knows_first = parameter_find(fit->model, LATENCY_FAMILY, variant, subgroup_size,
                                      LATENCY_L1_TLB_MISS) != NULL,
        .fetches_ahead = latency_fetches_ahead(fit->model, variant, subgroup_size)};

    if (fit_apart(fit, name, near, pages, count, &others, &status))
        return status;
    pages->count = count;
    const struct parameter *found = level_of_most(fit, variant, subgroup_size, pages);
    if (pages->count == 0)
        return STATUS_OK;
    if (!found)
        return absent(fit, name, "no level is clear that holds the lines of these nodes", LEVELS);
    const struct parameter level = *found; /* adding parameters moves them */
    keep_held(pages, fit, &level);
    struct interval reach = keep_missing(pages, fit, level.value);
    return pages->count < ROWS_LEAST ? fit_reach(fit, name, pages, reach)
                                     : fit_misses(fit, name, pages, &level, reach);
}

bool latency_predict_pages(const struct model *model, const struct record *r, double *value)
{
    const struct parameter *miss =
        parameter_find(model, LATENCY_FAMILY, r->variant, r->subgroup_size, miss_term.name);
    const struct parameter *reach =
        parameter_find(model, LATENCY_FAMILY, r->variant, r->subgroup_size, reach_term.name);
    const struct parameter *level = NULL;
    unsigned i = 1;

    do {
        level = latency_level(model, r->variant, r->subgroup_size, i++, "latency");
    } while (level && !holds(level, r));
    if (!level || !miss || !reach)
        return false;
    double missed = fmax(1.0 - reach->value / record_parameter(r, "working_set", NAN), 0.0);
    if (latency_has_page_each(r))
        missed = missed > 0.0 ? 1.0 : 0.0;
    *value = level->value + miss->value * missed;
    return isfinite(*value);
}
