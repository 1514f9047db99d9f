#include "ranks/sketch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct sketch_cell sketch_cell(uint64_t key, double value)
{
    return (struct sketch_cell){key, (int32_t)floor(log(value) / log1p(SKETCH_STEP)), 1};
}

/* The middle of a class. */
static double value_of(int32_t level)
{
    return exp((level + 0.5) * log1p(SKETCH_STEP));
}

static int by_key_and_level(const void *a, const void *b)
{
    const struct sketch_cell *one = a, *other = b;

    if (one->key != other->key)
        return one->key < other->key ? -1 : 1;
    return (one->level > other->level) - (one->level < other->level);
}

enum status sketch_add(struct sketch *sketch, const struct sketch_cell *cells, size_t count,
                       struct error *error)
{
    size_t all = sketch->count + count, kept = 0;

    if (count == 0)
        return STATUS_OK;
    struct sketch_cell *grown = realloc(sketch->cells, all * sizeof(*grown));
    if (!grown)
        return error_out_of_memory(error);
    memcpy(grown + sketch->count, cells, count * sizeof(*cells));
    qsort(grown, all, sizeof(*grown), by_key_and_level);
    for (size_t i = 0; i < all; i++) {
        if (kept > 0 && by_key_and_level(&grown[kept - 1], &grown[i]) == 0)
            grown[kept - 1].count += grown[i].count;
        else
            grown[kept++] = grown[i];
    }
    sketch->cells = grown;
    sketch->count = kept;
    return STATUS_OK;
}

void sketch_free(struct sketch *sketch)
{
    free(sketch->cells);
    *sketch = (struct sketch){NULL, 0};
}

struct weighted {
    double value;
    uint64_t count;
};

static int by_value(const void *a, const void *b)
{
    const struct weighted *one = a, *other = b;

    return (one->value > other->value) - (one->value < other->value);
}

/* Of values by size; between two of them, if half lie below. */
static double median_of(const struct weighted *values, size_t count, uint64_t all)
{
    uint64_t below = 0;

    for (size_t i = 0; i < count; i++) {
        below += values[i].count;
        if (2 * below > all)
            return values[i].value;
        if (2 * below == all)
            return (values[i].value + values[i + 1].value) / 2.0;
    }
    return NAN;
}

/* Of the `count` cells of one figure; `values` has room for as many. */
static struct sketch_median judge(const struct sketch_cell *cells, size_t count,
                                  struct weighted *values)
{
    struct sketch_median of = {.key = cells->key};

    for (size_t i = 0; i < count; i++) {
        values[i] = (struct weighted){value_of(cells[i].level), cells[i].count};
        of.values += cells[i].count;
    }
    of.median = median_of(values, count, of.values);
    for (size_t i = 0; i < count; i++)
        values[i].value = fabs(values[i].value / of.median - 1.0);
    qsort(values, count, sizeof(*values), by_value);
    of.spread = median_of(values, count, of.values);
    return of;
}

enum status sketch_medians(const struct sketch *sketch, struct sketch_median **medians,
                           size_t *count, struct error *error)
{
    struct weighted *values = malloc((sketch->count + 1) * sizeof(*values));
    struct sketch_median *all = malloc((sketch->count + 1) * sizeof(*all));

    *count = 0;
    for (size_t i = 0, next; values && all && i < sketch->count; i = next) {
        next = i + 1;
        while (next < sketch->count && sketch->cells[next].key == sketch->cells[i].key)
            next++;
        all[(*count)++] = judge(sketch->cells + i, next - i, values);
    }
    bool is_full = !values || !all;
    free(values);
    if (is_full) {
        free(all);
        return error_out_of_memory(error);
    }
    *medians = all;
    return STATUS_OK;
}

static int by_key(const void *key, const void *median)
{
    uint64_t one = *(const uint64_t *)key, other = ((const struct sketch_median *)median)->key;

    return (one > other) - (one < other);
}

const struct sketch_median *sketch_find(const struct sketch_median *medians, size_t count,
                                        uint64_t key)
{
    return bsearch(&key, medians, count, sizeof(*medians), by_key);
}
