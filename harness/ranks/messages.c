#include "ranks/messages.h"

#include <string.h>

void totals_add_slow(struct totals *sum, const struct slow_rank *slow)
{
    uint32_t at = sum->slow < SLOW_RANKS ? sum->slow : SLOW_RANKS;

    sum->slow++;
    while (at > 0 && sum->slowest[at - 1].deviation < slow->deviation)
        at--;
    if (at == SLOW_RANKS)
        return;
    memmove(&sum->slowest[at + 1], &sum->slowest[at],
            (SLOW_RANKS - 1 - at) * sizeof(sum->slowest[0]));
    sum->slowest[at] = *slow;
}

void totals_add(struct totals *sum, const struct totals *more)
{
    sum->ok += more->ok;
    sum->skipped += more->skipped;
    sum->failed += more->failed;
    sum->unreliable += more->unreliable;
    sum->excluded += more->excluded;
    sum->missing += more->missing;
    sum->rows_bytes += more->rows_bytes;
    sum->ranks += more->ranks;
    sum->lost += more->lost;
    sum->files += more->files;
    sum->gone += more->gone;
    if (sum->error.status == STATUS_OK)
        sum->error = more->error;
    sum->compared += more->compared;
    for (uint32_t i = 0; i < more->slow && i < SLOW_RANKS; i++)
        totals_add_slow(sum, &more->slowest[i]);
    if (more->slow > SLOW_RANKS)
        sum->slow += more->slow - SLOW_RANKS;
}
