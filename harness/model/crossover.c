#include "model/crossover.h"

#include <string.h>

static bool is_second(const struct estimate *first, const struct estimate *second, size_t i)
{
    return second[i].value < first[i].value;
}

static struct crossing around(const struct estimate *first, const struct estimate *second,
                              size_t count, size_t at)
{
    struct crossing c = {.at = at, .noise_first = at, .noise_last = at};

    while (c.noise_first > 0 &&
           estimates_overlap(&first[c.noise_first - 1], &second[c.noise_first - 1]))
        c.noise_first--;
    while (c.noise_last < count && estimates_overlap(&first[c.noise_last], &second[c.noise_last]))
        c.noise_last++;
    /* Turns the half-open range into an inclusive one; an empty range stays empty. */
    if (c.noise_last > c.noise_first) {
        c.noise_last--;
    } else {
        c.noise_first = 1;
        c.noise_last = 0;
    }
    return c;
}

struct crossover crossover_find(const struct estimate *first, const struct estimate *second,
                                size_t count)
{
    struct crossover found = {.second_first = is_second(first, second, 0)};

    for (size_t i = 0; i < count; i++) {
        found.clear_count += !estimates_overlap(&first[i], &second[i]);
        if (i == 0 || is_second(first, second, i) == is_second(first, second, i - 1) ||
            found.count == CROSSINGS_MAX)
            continue;
        found.crossing[found.count++] = around(first, second, count, i);
    }
    return found;
}
