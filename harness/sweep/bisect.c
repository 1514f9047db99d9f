#include "sweep/bisect.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Costs closer than this ratio are those of one level. */
#define LEVEL_RATIO 1.1
/* Values are multiples of this part of the power of two below them. */
#define STEPS_PER_OCTAVE 16.0

size_t bisect_axis(const struct family *family)
{
    for (size_t i = COMMON_AXES; i < family->axis_count; i++) {
        if (family->axes[i].is_bisected)
            return i - COMMON_AXES;
    }
    return OWN_AXES_MAX;
}

/* Do two configurations differ in the axis only? */
static bool is_beside(const struct configuration *a, const struct configuration *b, size_t axis)
{
    struct configuration moved = *a;

    moved.own[axis] = b->own[axis];
    return !memcmp(&moved, b, sizeof(moved));
}

/* Orders configurations by everything but the axis, then by it. */
static int compare(const struct configuration *a, const struct configuration *b, size_t axis)
{
    int order =
        (a->workgroup_count > b->workgroup_count) - (a->workgroup_count < b->workgroup_count);

    if (!order)
        order = (a->workgroup_size > b->workgroup_size) - (a->workgroup_size < b->workgroup_size);
    if (!order)
        order = (a->subgroup_size > b->subgroup_size) - (a->subgroup_size < b->subgroup_size);
    for (size_t i = 0; !order && i < OWN_AXES_MAX; i++) {
        if (i != axis)
            order = (a->own[i] > b->own[i]) - (a->own[i] < b->own[i]);
    }
    return order ? order : (a->own[axis] > b->own[axis]) - (a->own[axis] < b->own[axis]);
}

/* Inserts pointers to the findings in that order; there are few. */
static void sort(const struct finding **sorted, const struct finding *findings, size_t count,
                 size_t axis)
{
    for (size_t i = 0; i < count; i++) {
        size_t at = i;

        while (at > 0 &&
               compare(&sorted[at - 1]->configuration, &findings[i].configuration, axis) > 0) {
            sorted[at] = sorted[at - 1];
            at--;
        }
        sorted[at] = &findings[i];
    }
}

/* The longest run of configurations that differ in the axis only; the first of the longest. */
static size_t find_longest(const struct finding **sorted, size_t count, size_t axis, size_t *length)
{
    size_t longest = 0, begin = 0;

    *length = 0;
    for (size_t i = 0; i < count; i++) {
        if (!is_beside(&sorted[begin]->configuration, &sorted[i]->configuration, axis))
            begin = i;
        if (i - begin + 1 > *length) {
            longest = begin;
            *length = i - begin + 1;
        }
    }
    return longest;
}

/* False also if one of them has no cost. */
static bool differ(const struct finding *a, const struct finding *b, size_t variant)
{
    double low = fmin(a->value[variant], b->value[variant]);
    double high = fmax(a->value[variant], b->value[variant]);

    return !isnan(a->value[variant]) && !isnan(b->value[variant]) && low > 0.0 &&
           high > LEVEL_RATIO * low && high - low > a->half[variant] + b->half[variant];
}

/* Does a level of the variant end between finding `i` and the next? */
static bool level_ends(const struct finding *const *run, size_t i, size_t variant)
{
    return differ(run[i], run[i + 1], variant) && (i == 0 || !differ(run[i - 1], run[i], variant));
}

static unsigned between(unsigned low, unsigned high)
{
    double middle = sqrt((double)low * high);
    double step = fmax(1.0, exp2(floor(log2(middle))) / STEPS_PER_OCTAVE);

    return (unsigned)(floor(middle / step) * step);
}

enum status bisect_propose(const struct family *family, size_t axis, const struct finding *findings,
                           size_t count, struct configuration *proposed, size_t room,
                           size_t *proposed_count, struct error *error)
{
    const struct finding **sorted = calloc(count + 1, sizeof(*sorted));
    size_t length, added = 0;

    if (!sorted)
        return error_out_of_memory(error);
    sort(sorted, findings, count, axis);
    const struct finding **run = sorted + find_longest(sorted, count, axis, &length);
    for (size_t i = 0; i + 1 < length && added < room; i++) {
        unsigned low = run[i]->configuration.own[axis], high = run[i + 1]->configuration.own[axis];
        unsigned middle = between(low, high);
        bool ends = false;

        for (size_t v = 0; !ends && v < family->variant_count; v++)
            ends = level_ends(run, i, v);
        if (!ends || high <= BISECT_RESOLUTION * low || middle <= low || middle >= high)
            continue;
        proposed[added] = run[i]->configuration;
        proposed[added++].own[axis] = middle;
    }
    free(sorted);
    *proposed_count = added;
    return STATUS_OK;
}
