/*
 * Plays the sweep of a rank below vebench-mpi, on a device that idles: so hundreds of ranks fit on
 * a machine, and what takes time is the dealing.
 *
 *     idle-sweep FILE CONFIGURATIONS MILLISECONDS
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "ranks/ranks.h"

static const struct text nothing;

static void idle(long ms)
{
    const struct timespec pause = {ms / 1000, ms % 1000 * 1000000};

    nanosleep(&pause, NULL);
}

static int give_up(const struct error *error)
{
    fprintf(stderr, "idle-sweep: %s\n", error->text);
    return 1;
}

static enum status begin(struct ranks *ranks, const char *path, uint64_t total, struct error *error)
{
    struct agreement agreement = {.is_last = true};
    const struct files_request request = {.replaces = true};
    const char *const texts[FILES_TEXTS] = {path, NULL, NULL, "rank,sequence\r\n"};
    const struct wire_plan plan = {.total = total};
    enum status status = STATUS_OK;

    error->status = STATUS_OK;
    ranks->is_one_file = true;
    if (ranks_writes(ranks))
        status = ranks_files(ranks, WIRE_CREATE, &request, texts, error);
    if (status == STATUS_OK)
        status = ranks_agree(ranks, &agreement, error);
    if (status == STATUS_OK)
        ranks_say(ranks, WIRE_PLAN, (struct text){(const char *)&plan, sizeof(plan)}, nothing);
    return status;
}

static void put(struct ranks *ranks, uint64_t sequence)
{
    const struct wire_entry entry = {.rank = ranks->rank, .sequence = sequence};
    char row[80];
    int bytes =
        snprintf(row, sizeof(row), "%u,%llu\r\n", ranks->rank, (unsigned long long)sequence);

    ranks_say(ranks, WIRE_ROWS, (struct text){(const char *)&entry, sizeof(entry)},
              (struct text){row, (size_t)bytes});
}

int main(int argc, char **argv)
{
    static struct ranks ranks;
    const struct wire_ask ask = {1, 1};
    struct totals totals = {.ranks = 1};
    struct error error;
    char *place = getenv("VEBENCH_RANKS");

    if (argc != 4 || !place || !ranks_read(&ranks, place))
        return 2;
    if (begin(&ranks, argv[1], strtoull(argv[2], NULL, 10), &error) != STATUS_OK)
        return give_up(&error);
    for (;;) {
        struct wire_range range = {0, 0};
        struct text answer;

        if (!ranks_say(&ranks, WIRE_ASK, (struct text){(const char *)&ask, sizeof(ask)}, nothing) ||
            ranks_hear(&ranks, WIRE_ASK, &answer, &error) != STATUS_OK)
            return give_up(&error);
        memcpy(&range, answer.at, sizeof(range));
        if (range.count == 0)
            break;
        idle(strtol(argv[3], NULL, 10));
        put(&ranks, range.first);
    }
    struct text answer;
    if (!ranks_say(&ranks, WIRE_END, (struct text){(const char *)&totals, sizeof(totals)},
                   nothing) ||
        ranks_hear(&ranks, WIRE_END, &answer, &error) != STATUS_OK)
        return give_up(&error);
    memcpy(&totals, answer.at, sizeof(totals));
    wire_free(&ranks.in);
    return totals.ranks == ranks.count && totals.lost == 0 ? 0 : 1;
}
