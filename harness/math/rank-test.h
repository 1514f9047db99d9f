/* The Mann-Whitney test: do two sets of values come from one distribution? */
#ifndef VEBENCH_RANK_TEST_H
#define VEBENCH_RANK_TEST_H

#include <stddef.h>

/* Two-sided probability, if both sets are alike, of ranks at least as far apart as these. Exact for
 * sets without ties of at most 20 values each, else by the normal approximation with corrections
 * for ties and continuity (Mann and Whitney 1947; Lehmann, Nonparametrics, 1975, ch. 1). 1 where a
 * set is empty or memory is short. */
double rank_test(const double *a, size_t a_count, const double *b, size_t b_count);

#endif
