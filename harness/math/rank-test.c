#include "math/rank-test.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#define EXACT_MAX 20

struct ranked {
    double value;
    bool is_a;
};

static int compare_ranked(const void *left, const void *right)
{
    double a = ((const struct ranked *)left)->value;
    double b = ((const struct ranked *)right)->value;

    return (a > b) - (a < b);
}

/* The sum of the ranks of the first set, where tied values share a mean rank; `*tie_term` receives
 * the sum of t^3 - t over groups of t tied values. */
static double rank_sum(const struct ranked *sorted, size_t count, double *tie_term)
{
    double sum = 0.0;

    *tie_term = 0.0;
    for (size_t i = 0; i < count;) {
        size_t end = i;

        while (end < count && sorted[end].value <= sorted[i].value)
            end++;
        double tied = (double)(end - i);
        for (size_t k = i; k < end; k++)
            sum += sorted[k].is_a ? (double)i + (tied + 1.0) / 2.0 : 0.0;
        *tie_term += tied * tied * tied - tied;
        i = end;
    }
    return sum;
}

/* P(U <= u) for sets of m and n values without ties: the share of the C(m+n, m) equally likely
 * orders with at most u inversions, counted by how many the last element adds. */
static double exact_tail(size_t m, size_t n, size_t u)
{
    /* ways[j][v]: orders of i values of one set and j of the other with v inversions. */
    static const size_t most = EXACT_MAX * EXACT_MAX + 1;
    double *ways = calloc((EXACT_MAX + 1) * most, sizeof(*ways));
    double total = 0.0, tail = 0.0;

    if (!ways)
        return NAN;
    for (size_t j = 0; j <= n; j++)
        ways[j * most] = 1.0; /* i = 0: one order, no inversions */
    for (size_t i = 1; i <= m; i++) {
        /* j = 0 remains one order without inversions. The largest element either belongs to the
         * first set, above j of the second, or to the second set. */
        for (size_t j = 1; j <= n; j++) {
            for (size_t v = i * j + 1; v-- > 0;)
                ways[j * most + v] =
                    (v >= j ? ways[j * most + v - j] : 0.0) + ways[(j - 1) * most + v];
        }
    }
    for (size_t v = 0; v <= m * n; v++) {
        total += ways[n * most + v];
        tail += v <= u ? ways[n * most + v] : 0.0;
    }
    free(ways);
    return tail / total;
}

static double normal_two_sided(double u, double m, double n, double tie_term)
{
    double count = m + n;
    double variance = m * n / 12.0 * (count + 1.0 - tie_term / (count * (count - 1.0)));
    double off = fabs(u - m * n / 2.0) - 0.5;

    if (!(variance > 0.0) || off <= 0.0)
        return 1.0;
    return erfc(off / sqrt(variance) / sqrt(2.0));
}

double rank_test(const double *a, size_t a_count, const double *b, size_t b_count)
{
    size_t count = a_count + b_count;
    struct ranked *all = calloc(count + 1, sizeof(*all));
    double tie_term, m = (double)a_count, n = (double)b_count;

    if (!all || a_count == 0 || b_count == 0) {
        free(all);
        return 1.0;
    }
    for (size_t i = 0; i < count; i++)
        all[i] = (struct ranked){i < a_count ? a[i] : b[i - a_count], i < a_count};
    qsort(all, count, sizeof(*all), compare_ranked);
    double u = rank_sum(all, count, &tie_term) - m * (m + 1.0) / 2.0;
    free(all);
    if (a_count <= EXACT_MAX && b_count <= EXACT_MAX && !(tie_term > 0.0)) {
        double tail = exact_tail(a_count, b_count, (size_t)fmin(u, m * n - u));

        if (!isnan(tail))
            return fmin(1.0, 2.0 * tail);
    }
    return normal_two_sided(u, m, n, tie_term);
}
