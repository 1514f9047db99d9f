#include "sweep/peers.h"

#include "base/digest.h"
#include "base/stats.h"
#include "ranks/sketch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What this GPU has measured. */
struct figure {
    uint64_t key;
    double value;
};

/* A figure is worth comparing if it is known to a tenth. */
#define WIDEST_HALF 0.1

bool peers_wanted(const struct sweep *sweep)
{
    return sweep->request->ranks && sweep->request->each;
}

/* The same for all GPUs of one name that have measured the same. */
static uint64_t key_of(const struct sweep *sweep, const struct task *task, size_t variant)
{
    uint64_t key = digest_text(DIGEST_BEGIN, sweep_target(sweep)->device.name);

    key = digest_text(key, task->family->name);
    key = digest_text(key, task->family->variants[variant].name);
    return digest_bytes(key, &task->configuration, sizeof(task->configuration));
}

/* The figures of one task. */
static size_t take_figures(const struct sweep *sweep, const struct task *task,
                           struct figure *figures)
{
    size_t variants = task->family->variant_count, count = 0;

    for (size_t v = 0; task->noted && v < variants; v++) {
        double value = task->noted[v], half = task->noted[variants + v];

        if (value > 0.0 && half < WIDEST_HALF * value)
            figures[count++] = (struct figure){key_of(sweep, task, v), value};
    }
    return count;
}

static struct figure *all_figures(const struct sweep *sweep, size_t *count)
{
    size_t room = 1;

    for (size_t i = 0; i < sweep->plan.task_count; i++)
        room += sweep->plan.tasks[i].noted ? sweep->plan.tasks[i].family->variant_count : 0;
    struct figure *figures = malloc(room * sizeof(*figures));
    *count = 0;
    for (size_t i = 0; figures && i < sweep->plan.task_count; i++)
        *count += take_figures(sweep, &sweep->plan.tasks[i], figures + *count);
    return figures;
}

static enum status send_figures(struct ranks *ranks, const struct figure *figures, size_t count,
                                struct error *error)
{
    struct sketch_cell *cells = malloc((count + 1) * sizeof(*cells));

    if (!cells)
        return error_out_of_memory(error);
    for (size_t i = 0; i < count; i++)
        cells[i] = sketch_cell(figures[i].key, figures[i].value);
    bool said =
        ranks_say(ranks, WIRE_FIGURES, (struct text){(const char *)cells, count * sizeof(*cells)},
                  (struct text){NULL, 0});
    free(cells);
    return said ? STATUS_OK : error_set(error, STATUS_LOST, "vebench-mpi is gone");
}

/* Of the figures that have peers. */
static void judge(const struct sweep *sweep, const struct figure *figures, size_t count,
                  struct text medians, struct totals *totals)
{
    double *deviations = malloc((2 * count + 1) * sizeof(*deviations));
    size_t compared = 0;

    if (!deviations)
        return;
    double *spreads = deviations + count;
    for (size_t i = 0; i < count; i++) {
        const struct sketch_median *median =
            sketch_find((const struct sketch_median *)medians.at,
                        medians.bytes / sizeof(struct sketch_median), figures[i].key);

        if (!median || median->values < PEERS_LEAST)
            continue;
        deviations[compared] = figures[i].value / median->median - 1.0;
        spreads[compared++] = median->spread;
    }
    if (compared > 0) {
        struct slow_rank slow = {.rank = sweep->request->ranks->rank,
                                 .figures = (uint32_t)compared,
                                 .deviation = stats_describe(deviations, compared).median};
        double usual = PEERS_SPREADS * stats_describe(spreads, compared).median;

        totals->compared = 1;
        snprintf(slow.host, sizeof(slow.host), "%.31s", sweep_gpu(sweep)->host);
        if (slow.deviation > PEERS_THRESHOLD && slow.deviation > usual)
            totals_add_slow(totals, &slow);
    }
    free(deviations);
}

enum status peers_compare(const struct sweep *sweep, struct totals *totals, struct error *error)
{
    struct ranks *ranks = sweep->request->ranks;
    struct text medians;
    size_t count = 0;
    struct figure *figures = all_figures(sweep, &count);

    if (!figures)
        return error_out_of_memory(error);
    enum status status = send_figures(ranks, figures, count, error);
    if (status == STATUS_OK)
        status = ranks_hear(ranks, WIRE_FIGURES, &medians, error);
    if (status == STATUS_OK)
        judge(sweep, figures, count, medians, totals);
    free(figures);
    return status;
}
