/* Compares two runs of the same measurements: what became faster, what slower, and what cannot be
 * told. */
#ifndef VEBENCH_COMPARE_H
#define VEBENCH_COMPARE_H

#include "model/records.h"
#include "model/sample-costs.h"

enum verdict { VERDICT_SAME, VERDICT_FASTER, VERDICT_SLOWER, VERDICT_UNCLEAR, VERDICT_COUNT };

/* "SAME" and so on. */
const char *verdict_name(enum verdict verdict);

struct comparison {
    const struct record *base, *new;
    double change; /* (new - base) / |base|, of the means; relative to the loop where the base may
                      be zero */
    double change_error; /* half of its 95 % interval */
    double probability;  /* that chance alone makes such a difference, corrected for the number of
                            comparisons (Holm 1979) */
    bool by_ranks;       /* by Mann-Whitney on kept samples; otherwise from the intervals */
    enum verdict verdict;
};

struct comparisons {
    const struct records *base, *new; /* borrowed */
    struct comparison *comparison;    /* owned */
    size_t count;
    size_t verdicts[VERDICT_COUNT];
    size_t only_base, only_new;         /* usable rows missing from the other file */
    size_t left_out_base, left_out_new; /* rows that are not ok, not verified, or not a time */
};

struct compare_options {
    double threshold;                       /* smaller relative changes count as none */
    const struct sample_file *base_samples; /* both, or neither */
    const struct sample_file *new_samples;
    unsigned base_size; /* to compare sub-group sizes with each other: rows of this size in base, */
    unsigned new_size;  /* against rows of this size in new; 0: each size with itself */
};

enum status compare_records_of(struct comparisons *comparisons, const struct records *base,
                               const struct records *new, const struct compare_options *options,
                               struct error *error);
void comparisons_free(struct comparisons *comparisons);

#endif
