/* Reads one of NIST's reference datasets, as tests/model/nist/ keeps them: data and certified
 * values are NIST's, the layout is ours. */
#ifndef TESTS_MODEL_NIST_H
#define TESTS_MODEL_NIST_H

#include <stddef.h>

#define NIST_ROWS_MAX       100
#define NIST_PARAMETERS_MAX 12
#define NIST_PREDICTORS_MAX 6

struct nist {
    unsigned polynomial; /* the degree of a polynomial, or 0 */
    unsigned predictors;
    double r_squared;
    size_t parameters;
    double certified[NIST_PARAMETERS_MAX], deviation[NIST_PARAMETERS_MAX];
    size_t rows;
    double y[NIST_ROWS_MAX], x[NIST_ROWS_MAX][NIST_PREDICTORS_MAX];
};

/* The set NAME.dat of the folder; the test fails where it cannot be read. */
void nist_read(struct nist *set, const char *folder, const char *name);

/* Digits that agree: the negative decimal logarithm of the relative error (of the absolute one for
 * a certified 0), from 0 to 15. */
double nist_digits(double value, double certified);

#endif
