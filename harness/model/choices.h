/* Things to choose from, by what they cost, and whether the costs can be told apart. */
#ifndef VEBENCH_CHOICES_H
#define VEBENCH_CHOICES_H

#include "model/bootstrap.h"
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

/* What two choices may differ in; the others of their aspects are free then. */
enum aspect { ASPECT_ANY, ASPECT_SUBGROUP_SIZE, ASPECT_WORKGROUP_SIZE, ASPECT_VARIANT };

enum status choices_add(struct choices *choices, const struct choice *choice, struct error *error);
void choices_free(struct choices *choices);

/* The cheapest one that differs from `unlike` in the aspect, or of all where that is NULL; NULL
 * where there is none. */
const struct choice *choices_best(const struct choices *choices, const struct choice *unlike,
                                  enum aspect aspect);

/* May the two be alike? Their intervals have a value in common. Stricter than an interval of the
 * difference would be, since the two are the cheapest of many. */
bool estimates_overlap(const struct estimate *a, const struct estimate *b);

/* b - a, with its interval: relative to a where that surely is above 0 (`*relative`). */
struct estimate estimate_margin(const struct estimate *a, const struct estimate *b, bool *relative);

/* Sum of the terms times their factors, as if their errors were independent. */
struct estimate estimate_sum(const struct estimate *terms, const double *factors, size_t count);

/* A parameter; below resolution it is 0, and up to its interval's high end. */
struct estimate estimate_of(const struct parameter *parameter);

/* The best choice under `title`, then for each aspect the best that differs in it, by how much it
 * costs more and whether that is more than noise. */
void choices_print(FILE *out, const char *title, const struct choices *choices, const char *unit);

/* "1.234 [1.2, 1.3]" */
void estimate_print(FILE *out, const struct estimate *estimate);

/* " costs 12.3 % [11, 13.6] more, beyond the noise" */
void margin_print(FILE *out, const struct estimate *best, const struct estimate *other);

#endif
