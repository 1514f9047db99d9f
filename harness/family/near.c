#include "family/near.h"

#include <string.h>

#define LETTERS_MAX 40u

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Distance of Damerau and Levenshtein between neighbours: a swap of adjacent letters is one
 * mistake. */
static size_t mistakes_between(const char *a, size_t a_bytes, const char *b, size_t b_bytes)
{
    size_t row[3][LETTERS_MAX + 1];

    for (size_t k = 0; k <= b_bytes; k++)
        row[0][k] = k;
    for (size_t i = 1; i <= a_bytes; i++) {
        size_t *now = row[i % 3], *last = row[(i + 2) % 3], *before = row[(i + 1) % 3];

        now[0] = i;
        for (size_t k = 1; k <= b_bytes; k++) {
            now[k] = least(least(last[k], now[k - 1]) + 1, last[k - 1] + (a[i - 1] != b[k - 1]));
            if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1])
                now[k] = least(now[k], before[k - 2] + 1);
        }
    }
    return row[a_bytes % 3][b_bytes];
}

struct near near_begin(const char *word, size_t bytes)
{
    return (struct near){word, bytes, NULL, 0};
}

void near_consider(struct near *near, const char *name)
{
    size_t bytes = strlen(name);

    if (bytes > LETTERS_MAX || near->bytes > LETTERS_MAX)
        return;
    size_t mistakes = mistakes_between(near->word, near->bytes, name, bytes);
    if (3 * mistakes > near->bytes || (near->best && near->mistakes <= mistakes))
        return;
    near->best = name;
    near->mistakes = mistakes;
}

void near_append(const struct near *near, const char *prefix, struct error *error)
{
    if (near->best)
        error_append(error, "; did you mean %s%s?", prefix, near->best);
}
