/* Compares runs of the same measurements, one or several before a change and after it: what became
 * faster, what slower, and what cannot be told. */
#ifndef VEBENCH_COMPARE_H
#define VEBENCH_COMPARE_H

#include "compare/compare-runs.h"
#include "rows/records.h"
#include "rows/sample-costs.h"

enum change { CHANGE_SAME, CHANGE_FASTER, CHANGE_SLOWER, CHANGE_UNCLEAR, CHANGE_COUNT };

/* "SAME" and so on. */
const char *change_name(enum change verdict);

struct comparison {
    const struct record *base, *new; /* of the first run of each side that has the row */
    double base_ns, new_ns; /* what is compared: the means, of runs; of sizes, the costs for the
                               same work, in the rows' units where both count as many */
    double change; /* (new - base) / |base|, of the means, beside the shift common to all rows;
                      relative to the loop where the base may be zero */
    double change_error; /* half of its 95 % interval */
    double probability;  /* that chance alone makes such a difference, corrected for the number of
                            comparisons (Holm 1979) and for the test of the common shift */
    bool by_ranks;       /* by Mann-Whitney on kept samples; otherwise from the intervals */
    enum change verdict;
};

struct comparisons {
    const struct records *base, *new; /* borrowed; the first run of each side */
    size_t base_runs, new_runs;
    struct comparison *comparison; /* owned */
    size_t count;
    size_t verdicts[CHANGE_COUNT];
    struct common_shift shift;
    enum change shift_verdict;          /* CHANGE_SAME where there is none */
    size_t only_base, only_new;         /* usable rows missing from the other side */
    size_t left_out_base, left_out_new; /* rows that are not ok, not verified, or not a time */
};

struct compare_options {
    double threshold;                       /* smaller relative changes count as none */
    const struct sample_file *base_samples; /* both, or neither; with one run for each side */
    const struct sample_file *new_samples;
    unsigned
        base_size; /* to compare sub-group sizes with each other: the best method at this size */
    unsigned new_size; /* in base against the best at this size in new, for each question that both
                          answer (model/verdict.h); 0: each row with itself. With one run for each
                          side */
};

/* The runs of one side; at most COMPARE_RUNS_MAX on both together. */
struct compare_side {
    const struct records *runs; /* borrowed */
    size_t count;               /* at least 1 */
};

/* STATUS_FAILED, naming both, for rows of one measurement in different units. */
enum status compare_sides(struct comparisons *comparisons, const struct compare_side *base,
                          const struct compare_side *new, const struct compare_options *options,
                          struct error *error);

/* The same with one run for each side. */
enum status compare_records_of(struct comparisons *comparisons, const struct records *base,
                               const struct records *new, const struct compare_options *options,
                               struct error *error);
/* Did anything become slower: a row, or all of them? */
bool comparisons_slower(const struct comparisons *comparisons);

void comparisons_free(struct comparisons *comparisons);

#endif
