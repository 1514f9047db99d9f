/* Which sub-group size and which method does an operation fastest, and where that changes.
 *
 * Everything that says so asks here: the heat map and the findings of a page, advice, and the
 * comparison of sizes. A question is an operation on a type, an amount of work in all, and the
 * number of Xe-cores that it is spread over; its candidates are the rows that did just that.
 * docs/model.md, "Verdicts", defines the words. */
#ifndef VEBENCH_VERDICT_H
#define VEBENCH_VERDICT_H

#include "model/choices.h"
#include "model/parameter-name.h"
#include "rows/records.h"

/* Costs closer than this are equal for whoever writes a kernel. */
#define VERDICT_TIE 0.01

/* Clock cycles for each unit of work below which a cost is free. */
#define VERDICT_FREE 0.5

/* What work is counted in: the first of these that the rows declare. */
enum work_kind {
    WORK_OPERATIONS, /* arithmetic operations of the payload */
    WORK_BYTES,      /* loaded and stored by the payload */
    WORK_VALUES,     /* handed to another lane, or reduced */
    WORK_ITEMS,      /* work-items synchronised or served */
};

struct verdict_question {
    const char *family, *operation, *type, *parameters; /* borrowed from the rows */
    const char *unit;                                   /* of the rows' values */
    enum work_kind kind;
    double work;             /* in all, in an iteration of the launch */
    unsigned cores;          /* Xe-cores that it is spread over */
    unsigned workgroup_size; /* work-items; 0 where the work is one of operations or bytes: then the
                                work-group is a means, otherwise it says who takes part */
};

struct verdict_candidate {
    const struct record *row; /* NULL: the cost is a model's, in the question's unit */
    char variant[VARIANT_NAME_BYTES];
    const char *method; /* "" where the operation has one only; borrowed */
    unsigned subgroup_size, workgroup_size, workgroup_count;
    struct occupancy occupancy;
    struct estimate cost; /* of the whole work: ns, or the model's unit */
    double degrees;       /* of freedom of its interval */
    bool is_free;         /* too cheap to be told from nothing */
    bool wins;            /* cannot be told from the best */
};

struct verdict {
    struct verdict_question question;
    struct verdict_candidate *candidate; /* owned; the winners first, then by cost */
    size_t count, winners;
    double gain; /* the best loser costs at least this much more than the best, as a share of it, at
                    the unfavourable ends of both intervals; 0: none loses, NaN: the best is free */
};

struct verdicts {
    struct verdict *verdict; /* owned; sorted by question: ladders, each by ascending work */
    size_t count;
};

/* Ranks the rows of a family, or of all where it is NULL. A row somewhat faster than its
 * baseline is free. Rows that are otherwise unusable, baselines and references of others, and units
 * that are no time have no part in it. */
enum status verdicts_make(struct verdicts *verdicts, const struct records *records,
                          const char *family, struct error *error);
void verdicts_free(struct verdicts *verdicts);

/* Ranks all rows of a family that are times of the same launch, whatever its work-groups: those of
 * one operation, or all where it is NULL. Free the candidates. */
enum status verdict_make(struct verdict *verdict, const struct records *records, const char *family,
                         const char *operation, struct error *error);

/* Adds a candidate, for verdict_rank(). */
enum status verdict_add(struct verdict *verdict, const struct verdict_candidate *candidate,
                        struct error *error);

/* Sorts the candidates and decides who wins. */
void verdict_rank(struct verdict *verdict);

/* The probability that chance alone makes the difference of two candidates, corrected for the
 * number of those that the best is held against (Bonferroni). */
double verdict_probability(const struct verdict *verdict, const struct verdict_candidate *a,
                           const struct verdict_candidate *b);

/* Do two candidates differ for certain, and by more than VERDICT_TIE? */
bool verdict_differ(const struct verdict *verdict, const struct verdict_candidate *a,
                    const struct verdict_candidate *b);

/* The best candidate at a sub-group size, or NULL. */
const struct verdict_candidate *verdict_best_at(const struct verdict *verdict,
                                                unsigned subgroup_size);

/* Does the verdict choose: has it candidates that lost? */
bool verdict_decides(const struct verdict *verdict);

/* Sub-group sizes among the candidates. */
size_t verdict_sizes(const struct verdict *verdict);

/* Verdicts from `first` on that differ in the amount of work alone: a ladder. Returns how many. */
size_t verdicts_ladder(const struct verdicts *verdicts, size_t first);

/* The verdict on a question, which may be of other rows, or NULL. */
const struct verdict *verdicts_find(const struct verdicts *verdicts,
                                    const struct verdict_question *question);

/* Consecutive verdicts of a ladder with a winner in common. */
struct verdict_stretch {
    size_t first, last;                     /* indices of verdicts */
    const struct verdict_candidate *winner; /* at `first`; it wins up to `last` */
    bool is_border; /* the winner before was tried at `first`, too, and lost, and this one at the
                       end of the stretch before, in which it lost; both with about as many threads
                       there, where the work-group is a means */
};

#define VERDICT_STRETCHES_MAX 16

/* Divides a ladder of `count` verdicts into as few stretches as possible; the border between two
 * lies between the last verdict of one and the first of the next. Returns how many. */
size_t verdict_stretches(const struct verdicts *verdicts, size_t first, size_t count,
                         struct verdict_stretch stretches[VERDICT_STRETCHES_MAX]);

/* Does an Xe-core have so much to do that the verdict is one of throughput: does the candidate with
 * the most threads fill half of it? Otherwise it is one of latency. */
bool verdict_is_throughput(const struct verdict *verdict);

/* "a throughput" or "a latency". */
const char *verdict_asks(const struct verdict *verdict);

#define VERDICT_TEXT_BYTES 480

/* "shuffle u32, stride=1", "barrier work_group_local" */
const char *verdict_title(const struct verdict *verdict, char text[VERDICT_TEXT_BYTES]);

/* "work-groups of 512, Xe-core half full" */
const char *verdict_scope(const struct verdict *verdict, char text[VERDICT_TEXT_BYTES]);

/* The amount of work, as one reads it: "512 work-items", "64 KiB". */
const char *verdict_work(const struct verdict *verdict, char text[VERDICT_TEXT_BYTES]);

/* "16 lanes, slm": what to choose. */
const char *verdict_choice(const struct verdict *verdict, const struct verdict_candidate *candidate,
                           char text[VERDICT_TEXT_BYTES]);

/* The winners: the best method at each size, "16 or 32 lanes, slm (2 other ways are as good)". */
const char *verdict_choices(const struct verdict *verdict, char text[VERDICT_TEXT_BYTES]);

/* A candidate's cost as people see it: clock cycles, unless asked for another unit, of one unit of
 * the rows' if the candidates agree on it and else of the whole work; or a rate, of bytes and
 * operations. */
struct estimate verdict_shown(const struct verdict *verdict,
                              const struct verdict_candidate *candidate);

/* "cycles", "GB/s" */
const char *verdict_shown_unit(const struct verdict *verdict);

/* "136 cycles", "free" */
const char *verdict_cost(const struct verdict *verdict, const struct verdict_candidate *candidate,
                         char text[VERDICT_TEXT_BYTES]);

/* What to do, by how much, and where: "16 lanes: 136 cycles against 181 (32 lanes) and 197 (8
 * lanes), work-groups of 512, Xe-core half full". */
const char *verdict_sentence(const struct verdict *verdict, char text[VERDICT_TEXT_BYTES]);

/* Where along its ladder something else wins than in this verdict of `verdicts`: "; 16 lanes, slm
 * up to work-groups of 128; 32 lanes from work-groups of 1024 on". */
const char *verdict_borders(const struct verdicts *verdicts, const struct verdict *verdict,
                            char text[VERDICT_TEXT_BYTES]);

#endif
