/* Shared by the parts of family `latency`: the names of its levels. */
#ifndef VEBENCH_LATENCY_MODEL_H
#define VEBENCH_LATENCY_MODEL_H

#include "model/fit.h"
#include "model/parameter-name.h"

#define LATENCY_FAMILY "latency"
#define LATENCY_SWEEP  "vebench run latency --axis subgroup_size=16"

/* The chases that the fit of pages takes: where pages are missed at all, and what that costs. */
#define LATENCY_PAGES_SWEEP                                                                        \
    LATENCY_SWEEP " --variant global_uniform --axis stride=65600 --axis "                          \
                  "working_set=264M,500M,1000M"

/* Writes "level2.latency" to `term`, which has VARIANT_NAME_BYTES; `what` is latency or capacity.
 * Levels count from 1, the nearest. */
void latency_level_term(char *term, unsigned level, const char *what);

/* The parameter of a level of these chases, or NULL. */
const struct parameter *latency_level(const struct model *model, const char *variant,
                                      unsigned subgroup_size, unsigned level, const char *what);

/* The term of what a set takes whose steps go up by parameter.stride bytes. */
#define LATENCY_UP "up"

/* Pages are missed where a step takes longer by this share. */
#define LATENCY_MISSED 0.15

/* Whether a row is of one hardware thread: more show latency under load. */
bool latency_is_unloaded(const struct record *record);

/* Bytes from a node of the row's chase to its neighbour; NaN where it has none. */
double latency_stride(const struct record *record);

/* Whether nodes so many bytes apart are whole pages apart, of the smallest pages that there are:
 * they are in few sets of a cache. */
#define LATENCY_PAGE_LEAST 4096.0
bool latency_is_whole_pages(double stride);

/* The least of the rows'; infinite without any. */
double latency_least_stride(const struct fit *fit, const struct row_set *rows);

/* A row's working set, bytes; NaN where it has none. */
double latency_working_set(const struct fit *fit, const struct row_set *rows, size_t i);

/* What the lines of a chase's nodes take of a cache. */
double latency_line_bytes(const struct record *record);

/* Chases over nodes that have a page each: whether a row is one; and what a page costs that they
 * miss, in the unit of the rows, with the working sets between which the TLB's reach lies. `near`
 * are chases of nodes side by side. False where no row misses a page. */
struct latency_miss {
    double value;
    struct interval interval, reach;
    bool has_first; /* a first TLB, whose own misses are in some rows */
};
bool latency_has_page_each(const struct record *record);
bool latency_find_misses(const struct fit *fit, const struct row_set *rows,
                         const struct row_set *near, struct latency_miss *miss);

/* What other rows tell of a device, and what may be in its rows therefore. */
struct latency_others {
    bool knows_first;   /* there is a first TLB, whose misses these rows are without */
    bool fetches_ahead; /* lines behind one that is missed, which displace others */
};

/* Narrows the reach by rows of several nodes to a page, in random order, which miss some. */
void latency_narrow_reach(struct latency_miss *miss, const struct fit *fit,
                          const struct row_set *rows, const struct row_set *near,
                          const struct latency_others *others);

/* Chases over pages: whether a row is one; those of a group's rows, for which `pages` has room;
 * fits NAME.pages.miss and .reach to them once the group's levels are in the model, `near` being
 * its chases of nodes side by side; and predicts a row. */
bool latency_visits_pages(const struct record *record);
void latency_take_pages(struct row_set *pages, const struct row_set *rows, const struct fit *fit);
enum status latency_fit_pages(struct fit *fit, const char *name, const char *variant,
                              unsigned subgroup_size, const struct row_set *near,
                              struct row_set *pages);
bool latency_predict_pages(const struct model *model, const struct record *record, double *value);

/* Chases whose steps go up by so many nodes: whether a row is one; adds a parameter for each one of
 * a group, and takes them out of `rows`; and predicts a row. */
bool latency_is_by_jumps(const struct record *record);
enum status latency_fit_jumps(struct fit *fit, const char *name, struct row_set *rows);
bool latency_predict_jumps(const struct model *model, const struct record *record, double *value);

/* Do steps to the next line take less than longer ones through the same set? */
bool latency_fetches_ahead(const struct model *model, const char *variant, unsigned subgroup_size);

/* A first TLB: fits what a miss takes, and how many bytes it reaches if it is missed at all, to a
 * group's random chases, once those that go up are in the model, and takes what it costs out of the
 * rows; and what it adds to a row that is predicted. */
#define LATENCY_L1_TLB_MISS  "l1_tlb.miss"
#define LATENCY_L1_TLB_REACH "l1_tlb.reach"
#define LATENCY_L1_TLB_SWEEP                                                                       \
    LATENCY_SWEEP " --variant global_uniform --axis working_set=256K,512K,1M,L/2 --axis jump=0,1"
enum status latency_fit_l1_tlb(struct fit *fit, const char *name, const char *variant,
                               unsigned subgroup_size, struct row_set *rows);
double latency_of_l1_tlb(const struct model *model, const struct record *record);

#endif
