/* Family `latency`: what a page costs that a first TLB does not hold, and how much memory it
 * reaches, from chases through one cache. Steps up meet no TLB, crossing into another page so
 * seldom. Of steps in random order through a set W the first TLB, which reaches R, holds R / W:
 *
 *     latency = that of steps up + miss (1 - R / W)
 *
 * Rows lose the second term here, so that the levels and the pages behind are those of the caches
 * and of memory. */
#include "families/latency/latency-model.h"

#include "families/latency/latency-variants.h"

#include <math.h>
#include <string.h>

/* Random steps that take longer than steps up by this share miss pages; where they take no more,
 * either way, the cache is the same. */
#define SEEN 0.03

/* Both take the same time within this share where there is no TLB. */
#define SAME_WITHIN 0.01

/* So many sets that miss pages determine both terms, and check them. */
#define SETS_LEAST 3

/* What random steps through sets of one cache, in `set` bytes, take longer than steps up. The first
 * one is the largest that misses no page; 0 bytes: there is none. */
enum { SETS_MOST = 16 };
struct excess {
    double least; /* the smallest of all sets of the cache */
    size_t count;
    struct {
        double set, cycles, error;
    } row[SETS_MOST];
};

/* Where one set alone misses pages, the TLB holds at least what the largest other one has, and at
 * most all but so many of this one's. */
#define LEAST_MISSED 0.1

struct first_tlb {
    double miss, reach;
    double least; /* nearer caches are looked up in before it: sets of these are smaller */
};

/* The steps up, each to the next node, through the smallest set above `set`, or NULL. */
static const struct parameter *next_up(const struct model *model, const char *variant,
                                       unsigned subgroup_size, double stride, double set)
{
    const struct parameter *next = NULL;

    for (size_t i = 0; i < model->parameter_count; i++) {
        const struct parameter *p = &model->parameter[i];

        if (strcmp(p->term, LATENCY_UP) == 0 && p->stride == stride && p->working_sets.low > set &&
            parameter_is_of(p, LATENCY_FAMILY, variant, subgroup_size) &&
            (!next || p->working_sets.low < next->working_sets.low))
            next = p;
    }
    return next;
}

static void add_excess(struct excess *excess, size_t place, double set, double cycles, double error)
{
    excess->row[place].set = set;
    excess->row[place].cycles = cycles;
    excess->row[place].error = error;
}

static void find_excess(struct excess *excess, const struct fit *fit, const struct row_set *rows,
                        double stride, const struct parameter *up)
{
    double most = up->working_sets.high, same = SAME_WITHIN * up->value;

    excess->count = 1;
    excess->least = most;
    add_excess(excess, 0, 0.0, 0.0, 0.0);
    for (size_t i = 0; i < rows->count; i++) {
        const struct record *r = &fit->records->record[rows->index[i]];
        double set = latency_working_set(fit, rows, i), more = rows->y[i] - up->value;
        double error = hypot(2.0 * rows->sd[i], same);

        if (!latency_is_unloaded(r) || latency_stride(r) != stride || !(set <= most) ||
            more < -SEEN * up->value)
            continue;
        excess->least = fmin(excess->least, set);
        if (more > SEEN * up->value && excess->count < SETS_MOST)
            add_excess(excess, excess->count++, set, more, error);
        else if (more <= SEEN * up->value && set > excess->row[0].set)
            add_excess(excess, 0, set, fmax(more, 0.0), error);
    }
}

/* cycles set = miss set - miss reach, by least squares; where only one set misses pages, of that
 * and the largest that does not. */
static struct first_tlb solve(const struct excess *excess)
{
    size_t first = excess->count > 2 ? 1 : 0;
    double n = 0.0, x = 0.0, y = 0.0, xx = 0.0, xy = 0.0;

    for (size_t i = first; i < excess->count; i++) {
        double set = excess->row[i].set, product = excess->row[i].cycles * set;

        n += 1.0;
        x += set;
        y += product;
        xx += set * set;
        xy += set * product;
    }
    double miss = (n * xy - x * y) / (n * xx - x * x);
    return (struct first_tlb){miss, (x - y / miss) / n, excess->least};
}

/* What a step through the set takes longer. */
static double more_of(const struct first_tlb *tlb, double set)
{
    return set < tlb->least ? 0.0 : tlb->miss * fmax(1.0 - tlb->reach / set, 0.0);
}

/* Whether the sets are as a TLB makes them: a part of them misses none, or there are enough to say;
 * and each is where it should be. */
static bool is_of_tlb(const struct excess *excess, const struct first_tlb *tlb,
                      const struct parameter *up)
{
    bool has_held = excess->row[0].set > 0.0 && excess->row[0].set <= up->working_sets.high / 2.0;

    if (excess->count < 2 || !(tlb->miss > 0.0) || !(tlb->reach > 0.0) ||
        (!has_held && excess->count <= SETS_LEAST))
        return false;
    for (size_t i = has_held ? 0 : 1; i < excess->count; i++) {
        double off = excess->row[i].cycles - more_of(tlb, excess->row[i].set);

        if (fabs(off) > SEEN * (up->value + tlb->miss))
            return false;
    }
    return true;
}

static void widen(double *off, double by)
{
    *off = hypot(*off, by);
}

/* Adds a term of what steps through sets of the cache, up to that of the steps up, tell. */
static struct parameter *add_term(struct fit *fit, const char *name, const char *term,
                                  const struct excess *excess, double most, double value,
                                  double off)
{
    const struct row_set none = {0};
    struct parameter *p = fit_add(fit, name, term, "", &none);

    if (!p)
        return NULL;
    p->rows = excess->count;
    p->working_sets = (struct interval){excess->least, most};
    p->value = value;
    p->interval = (struct interval){fmax(value - off, 0.0), value + off};
    p->below_resolution = p->interval.low <= 0.0;
    snprintf(p->form, sizeof(p->form),
             "random steps take miss (1 - reach / working set) longer than steps up, sets from "
             "%.0f to %.0f bytes",
             excess->least, most);
    return p;
}

static enum status add_both(struct fit *fit, const char *name, struct excess *excess,
                            const struct parameter *found, const struct first_tlb *tlb)
{
    double most = found->working_sets.high; /* adding parameters moves it */
    double miss_off = 0.0, reach_off = 0.0;

    for (size_t i = 0; i < excess->count; i++) {
        double cycles = excess->row[i].cycles;

        excess->row[i].cycles = cycles + excess->row[i].error;
        struct first_tlb other = solve(excess);
        excess->row[i].cycles = cycles;
        widen(&miss_off, other.miss - tlb->miss);
        widen(&reach_off, other.reach - tlb->reach);
    }
    struct parameter *miss =
        add_term(fit, name, LATENCY_L1_TLB_MISS, excess, most, tlb->miss, miss_off);
    if (!miss)
        return fit_out_of_memory(fit);
    if (excess->count == 2)
        miss->interval.high = excess->row[1].cycles / LEAST_MISSED;
    struct parameter *reach =
        add_term(fit, name, LATENCY_L1_TLB_REACH, excess, most, tlb->reach, reach_off);
    if (!reach)
        return fit_out_of_memory(fit);
    if (excess->count == 2)
        reach->interval.high = (1.0 - LEAST_MISSED) * excess->row[1].set;
    snprintf(reach->unit, sizeof(reach->unit), "bytes");
    return STATUS_OK;
}

/* Without any set that misses, what the largest of them may take longer. */
static enum status add_none(struct fit *fit, const char *name, const struct excess *excess,
                            const struct parameter *found)
{
    double most = excess->row[0].cycles + excess->row[0].error;

    return add_term(fit, name, LATENCY_L1_TLB_MISS, excess, found->working_sets.high, 0.0, most)
               ? STATUS_OK
               : fit_out_of_memory(fit);
}

static void take_more(const struct fit *fit, struct row_set *rows, const struct first_tlb *tlb)
{
    for (size_t i = 0; i < rows->count; i++) {
        if (latency_is_unloaded(&fit->records->record[rows->index[i]]))
            rows->y[i] -= more_of(tlb, latency_working_set(fit, rows, i));
    }
}

/* Whether a step has one address. */
static bool is_one_chain(const char *variant)
{
    const struct variant *found = variant_find(LATENCY_FAMILY, variant);
    const struct latency_variant *own = found ? found->own : NULL;

    return own && !own->is_local && own->chain != LATENCY_LANE;
}

/* Whether steps up through the set tell more than others have told. */
static bool tells_more(const struct excess *excess, const struct parameter *up,
                       const struct excess *than)
{
    if (excess->count > 1) {
        const struct first_tlb tlb = solve(excess);

        return excess->count > than->count && is_of_tlb(excess, &tlb, up);
    }
    return than->count <= 1 && excess->row[0].set >= up->working_sets.high;
}

enum status latency_fit_l1_tlb(struct fit *fit, const char *name, const char *variant,
                               unsigned subgroup_size, struct row_set *rows)
{
    const double stride = latency_least_stride(fit, rows);
    const struct parameter *up, *best = NULL;
    struct excess excess, found = {.count = 0};

    if (!is_one_chain(variant))
        return STATUS_OK;
    for (double set = 0.0; (up = next_up(fit->model, variant, subgroup_size, stride, set)) != NULL;
         set = up->working_sets.high) {
        find_excess(&excess, fit, rows, stride, up);
        if (!tells_more(&excess, up, &found))
            continue;
        found = excess;
        best = up;
    }
    if (found.count <= 1)
        return best ? add_none(fit, name, &found, best) : STATUS_OK;
    const struct first_tlb tlb = solve(&found);
    take_more(fit, rows, &tlb);
    return add_both(fit, name, &found, best, &tlb);
}

double latency_of_l1_tlb(const struct model *model, const struct record *r)
{
    const struct parameter *miss =
        parameter_find(model, LATENCY_FAMILY, r->variant, r->subgroup_size, LATENCY_L1_TLB_MISS);
    const struct parameter *reach =
        parameter_find(model, LATENCY_FAMILY, r->variant, r->subgroup_size, LATENCY_L1_TLB_REACH);

    if (!miss || !reach)
        return 0.0;
    const struct first_tlb tlb = {miss->value, reach->value, miss->working_sets.low};
    return more_of(&tlb, record_parameter(r, "working_set", NAN));
}
