/* Alternatives ranked by cost, and whether their costs can be told apart. */
#ifndef VEBENCH_CHOICES_H
#define VEBENCH_CHOICES_H

#include "math/bootstrap.h"
#include "model/model.h"
#include "model/parameter-name.h"

#include <stdbool.h>
#include <stdio.h>

struct estimate {
    double value;
    struct interval interval; /* 95 % */
};

struct choice {
    char variant[VARIANT_NAME_BYTES];
    unsigned subgroup_size;  /* work-items; 0 where it does not matter */
    unsigned workgroup_size; /* work-items; 0 where it does not matter */
    struct estimate cost;
};

struct choices {
    struct choice *choice; /* owned */
    size_t count;
};

/* The aspect in which two choices have to differ; they may differ in the others as well. */
enum aspect { ASPECT_ANY, ASPECT_SUBGROUP_SIZE, ASPECT_VARIANT };

enum status choices_add(struct choices *choices, const struct choice *choice, struct error *error);
void choices_free(struct choices *choices);

/* The cheapest choice that differs from `unlike` in the aspect, or the cheapest of all where
 * `unlike` is NULL; NULL where there is none. */
const struct choice *choices_best(const struct choices *choices, const struct choice *unlike,
                                  enum aspect aspect);

/* Do the intervals overlap, so that the two may be equal? This is stricter than an interval of the
 * difference, because the two are the cheapest of many. */
bool estimates_overlap(const struct estimate *a, const struct estimate *b);

/* b - a, with its interval; relative to a where a is certainly above 0 (sets `*relative`). */
struct estimate estimate_margin(const struct estimate *a, const struct estimate *b, bool *relative);

/* Sum of terms times factors, with errors treated as independent. */
struct estimate estimate_sum(const struct estimate *terms, const double *factors, size_t count);

/* A parameter as an estimate; one below resolution is 0, up to the high end of its interval. */
struct estimate estimate_of(const struct parameter *parameter);

/* Prints the best choice under `title`, then for each aspect the best one that differs in it, how
 * much more it costs, and whether that exceeds the noise. */
void choices_print(FILE *out, const char *title, const struct choices *choices, const char *unit);

/* "1.234 [1.2, 1.3]" */
void estimate_print(FILE *out, const struct estimate *estimate);

/* " costs 12.3 % [11, 13.6] more, beyond the noise" */
void margin_print(FILE *out, const struct estimate *best, const struct estimate *other);

#endif
