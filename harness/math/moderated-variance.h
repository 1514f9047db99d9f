/* Variances of many quantities of which each has few degrees of freedom: what all of them say of
 * how variances scatter is held against what each says itself (Smyth 2004, "Linear models and
 * empirical Bayes methods", section 6: an F distribution is fitted by the moments of logarithms).
 * Nothing here allocates or fails. */
#ifndef VEBENCH_MODERATED_VARIANCE_H
#define VEBENCH_MODERATED_VARIANCE_H

#include <stddef.h>

struct variance {
    double value;   /* in any unit that all of them share, or relative to what is expected */
    double degrees; /* of freedom; 0: unknown */
};

/* The typical variance, and for how many degrees of freedom of a quantity's own it counts: few
 * where variances differ, at most as many as all have together. 0 degrees with fewer than two
 * known variances. */
struct variance variance_prior(const struct variance *variances, size_t count);

/* What prior and own variance say together: their mean, weighted by degrees of freedom. */
struct variance variance_moderate(const struct variance *prior, const struct variance *own);

#endif
