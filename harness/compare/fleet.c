#include "compare/fleet.h"

#include "base/stats.h"
#include "math/many-tests.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A normal distribution's standard deviation over its median absolute deviation. */
#define SD_OF_MAD 1.482602218505602

/* What the passes over a fleet share. */
struct judge {
    struct fleet *fleet;
    uint32_t *by_place; /* owned; figures by place */
    double *room;       /* owned; for one number a figure */
};

const char *fleet_kind_name(enum fleet_kind kind)
{
    static const char *const names[FLEET_KINDS] = {
        [FLEET_COMPUTE] = "compute",    [FLEET_MEMORY] = "memory", [FLEET_BARRIER] = "barriers",
        [FLEET_EXCHANGE] = "exchanges", [FLEET_OTHER] = "other",   [FLEET_CLOCK] = "clock",
    };

    return names[kind];
}

static void count_gpus(struct fleet *fleet)
{
    for (size_t i = 0; i < fleet->place_count; i++)
        fleet->places[i].gpus = 0;
    for (size_t i = 0; i < fleet->figure_count; i++)
        fleet->places[fleet->figures[i].place].gpus++;
}

/* Sorts figures into those of each place, by counting. */
static void sort_by_place(const struct judge *judge)
{
    struct fleet *fleet = judge->fleet;
    size_t first = 0;

    for (size_t i = 0; i < fleet->place_count; i++) {
        fleet->places[i].first = first;
        first += fleet->places[i].gpus;
    }
    for (size_t i = 0; i < fleet->figure_count; i++)
        judge->by_place[fleet->places[fleet->figures[i].place].first++] = (uint32_t)i;
    for (size_t i = 0; i < fleet->place_count; i++)
        fleet->places[i].first -= fleet->places[i].gpus;
}

static enum status say_twice(const struct fleet *fleet, const struct fleet_figure *a,
                             const struct fleet_figure *b, struct error *error)
{
    const struct fleet_place *place = &fleet->places[a->place];

    return error_set(error, STATUS_FAILED,
                     "%s:%u and %s:%u are the same measurement of the same GPU (%.60s %.60s): give "
                     "each once",
                     fleet->files[a->file], a->line, fleet->files[b->file], b->line,
                     place->benchmark, place->variant);
}

static enum status check_twice(const struct judge *judge, struct error *error)
{
    const struct fleet *fleet = judge->fleet;
    uint32_t *last = malloc((fleet->gpu_count + 1) * sizeof(*last));
    enum status status = STATUS_OK;

    if (!last)
        return error_out_of_memory(error);
    memset(last, 0xff, (fleet->gpu_count + 1) * sizeof(*last));
    for (size_t i = 0; status == STATUS_OK && i < fleet->figure_count; i++) {
        const struct fleet_figure *figure = &fleet->figures[judge->by_place[i]];
        uint32_t before = last[figure->gpu];

        if (before != UINT32_MAX && fleet->figures[before].place == figure->place)
            status = say_twice(fleet, &fleet->figures[before], figure, error);
        last[figure->gpu] = judge->by_place[i];
    }
    free(last);
    return status;
}

/* Removes figures with too few peers. */
static void remove_lonely(struct fleet *fleet)
{
    size_t kept = 0;

    for (size_t i = 0; i < fleet->figure_count; i++) {
        if (fleet->places[fleet->figures[i].place].gpus > FLEET_PEERS_LEAST)
            fleet->figures[kept++] = fleet->figures[i];
    }
    fleet->lonely = fleet->figure_count - kept;
    fleet->figure_count = kept;
    count_gpus(fleet);
}

/* The values around the middle of some sorted ones, from which the median of all but one follows:
 * without a value up to the middle, those behind it move up. */
struct middle {
    double below, at, above; /* [half - 1], [half], [half + 1] of `count` values */
    size_t count;
};

/* `count` above 2; sorts. */
static struct middle find_middle(double *values, size_t count)
{
    size_t half = count / 2;

    stats_sort(values, count);
    return (struct middle){values[half - 1], values[half],
                           half + 1 < count ? values[half + 1] : values[half], count};
}

static double median_of_all(const struct middle *m)
{
    return m->count % 2 ? m->at : (m->below + m->at) / 2.0;
}

/* The median without one value that is among them. */
static double median_but(const struct middle *m, double value)
{
    if (m->count % 2 == 0) /* an odd number is left, the middle of which is one of the two */
        return value <= m->below ? m->at : m->below;
    if (value < m->at)
        return (m->at + m->above) / 2.0;
    return value > m->at ? (m->below + m->at) / 2.0 : (m->below + m->above) / 2.0;
}

static double scale_of(const struct fleet_figure *figure, double ns)
{
    return figure->loop_ns > 0.0f ? (double)figure->loop_ns : fabs(ns);
}

/* Compares the figures of a place. */
static void compare_place(const struct judge *judge, const struct fleet_place *place)
{
    struct fleet_figure *figures = judge->fleet->figures;
    const uint32_t *which = judge->by_place + place->first;

    if (place->gpus == 0)
        return;
    for (size_t i = 0; i < place->gpus; i++)
        judge->room[i] = figures[which[i]].ns;
    struct middle means = find_middle(judge->room, place->gpus);
    for (size_t i = 0; i < place->gpus; i++)
        judge->room[i] = (double)figures[which[i]].error;
    struct middle errors = find_middle(judge->room, place->gpus);
    for (size_t i = 0; i < place->gpus; i++) {
        struct fleet_figure *figure = &figures[which[i]];
        double peers = median_but(&means, figure->ns), own = (double)figure->error;
        double scale = scale_of(figure, peers);

        figure->peers_ns = (float)peers;
        figure->change = (float)((figure->ns - peers) / scale);
        figure->deviation = (float)(fabs(figure->ns - median_of_all(&means)) / scale);
        figure->change_error = (float)(hypot(own, median_but(&errors, own)) / scale);
    }
}

/* A median absolute deviation from a median of few values is too small, by this factor (Croux and
 * Rousseeuw 1992). */
static double small_sample(size_t count)
{
    static const double factors[] = {1.0,   1.0,   1.196, 1.495, 1.363,
                                     1.206, 1.200, 1.140, 1.129, 1.107};

    return count < sizeof(factors) / sizeof(*factors) ? factors[count]
                                                      : (double)count / ((double)count - 0.8);
}

static void set_probability(struct fleet_figure *figure, double scatter, size_t peers)
{
    double own = (double)figure->change_error, change = (double)figure->change;
    double error = hypot(own, scatter * sqrt(1.0 + 1.0 / (double)peers));

    if (error > 0.0)
        figure->probability = erfc(change / error / sqrt(2.0)) / 2.0;
    else
        figure->probability = change > 0.0 ? 0.0 : 1.0;
    figure->change_error = (float)(STATS_Z975 * error);
}

/* How GPUs differ, beyond what the intervals of their measurements say: a standard deviation,
 * relative, from all figures of a benchmark. A slow GPU has no part in a median. */
static void add_scatter(const struct judge *judge, const char *benchmark)
{
    struct fleet *fleet = judge->fleet;
    size_t used = 0;

    for (size_t p = 0; p < fleet->place_count; p++) {
        const struct fleet_place *place = &fleet->places[p];
        double factor = small_sample(place->gpus);

        for (size_t i = 0; !strcmp(place->benchmark, benchmark) && i < place->gpus; i++)
            judge->room[used++] =
                (double)fleet->figures[judge->by_place[place->first + i]].deviation * factor;
    }
    if (used == 0)
        return;
    double scatter = SD_OF_MAD * stats_select_quantile(judge->room, used, 0.5);
    for (size_t p = 0; p < fleet->place_count; p++) {
        const struct fleet_place *place = &fleet->places[p];

        for (size_t i = 0; !strcmp(place->benchmark, benchmark) && i < place->gpus; i++)
            set_probability(&fleet->figures[judge->by_place[place->first + i]], scatter,
                            place->gpus - 1);
    }
}

static void add_all_scatter(const struct judge *judge)
{
    const struct fleet *fleet = judge->fleet;

    for (size_t i = 0; i < fleet->place_count; i++) {
        bool is_first = true;

        for (size_t k = 0; is_first && k < i; k++)
            is_first = strcmp(fleet->places[k].benchmark, fleet->places[i].benchmark) != 0;
        if (is_first)
            add_scatter(judge, fleet->places[i].benchmark);
    }
}

/* For qsort(), which passes no context. */
static const struct fleet_figure *sorted_figures;

static int from_slow_to_fast(const void *left, const void *right)
{
    const struct fleet_figure *a = &sorted_figures[*(const uint32_t *)left];
    const struct fleet_figure *b = &sorted_figures[*(const uint32_t *)right];

    if (a->change != b->change)
        return (a->change < b->change) - (a->change > b->change);
    return (a->place > b->place) - (a->place < b->place);
}

/* Figures of each GPU, from slow to fast; and its clock. */
static enum status sort_by_gpu(struct fleet *fleet, struct error *error)
{
    size_t first = 0;

    fleet->by_gpu = malloc((fleet->figure_count + 1) * sizeof(*fleet->by_gpu));
    if (!fleet->by_gpu)
        return error_out_of_memory(error);
    for (size_t i = 0; i < fleet->figure_count; i++)
        fleet->gpus[fleet->figures[i].gpu].figures++;
    for (size_t i = 0; i < fleet->gpu_count; i++) {
        fleet->gpus[i].first = first;
        first += fleet->gpus[i].figures;
    }
    for (size_t i = 0; i < fleet->figure_count; i++)
        fleet->by_gpu[fleet->gpus[fleet->figures[i].gpu].first++] = (uint32_t)i;
    sorted_figures = fleet->figures;
    for (size_t i = 0; i < fleet->gpu_count; i++) {
        struct fleet_gpu *gpu = &fleet->gpus[i];
        double sum = 0.0;

        gpu->first -= gpu->figures;
        qsort(fleet->by_gpu + gpu->first, gpu->figures, sizeof(*fleet->by_gpu), from_slow_to_fast);
        for (size_t k = 0; k < gpu->figures; k++)
            sum += (double)fleet->figures[fleet->by_gpu[gpu->first + k]].clock_mhz;
        gpu->clock_mhz = gpu->figures ? sum / (double)gpu->figures : NAN;
    }
    return STATUS_OK;
}

/* The probability of all figures of a GPU together, and of each among them. */
static enum status correct_gpu(struct fleet *fleet, struct fleet_gpu *gpu, double *room,
                               struct error *error)
{
    const uint32_t *which = fleet->by_gpu + gpu->first;

    for (size_t i = 0; i < gpu->figures; i++)
        room[i] = fleet->figures[which[i]].probability;
    enum status status = discoveries_correct(room, gpu->figures, sizeof(*room), error);
    gpu->probability = 1.0;
    for (size_t i = 0; status == STATUS_OK && i < gpu->figures; i++) {
        fleet->figures[which[i]].probability = room[i];
        gpu->probability = fmin(gpu->probability, room[i]);
    }
    return status;
}

/* See FLEET_HOLM_MOST. A figure counts for one GPU of all that are named. */
static enum status limit_rate(struct fleet *fleet, double *room, struct error *error)
{
    enum status status = STATUS_OK;
    size_t named = 0;

    for (size_t i = 0; status == STATUS_OK && i < fleet->gpu_count; i++)
        status = correct_gpu(fleet, &fleet->gpus[i], room, error);
    if (status == STATUS_OK)
        status = discoveries_correct(&fleet->gpus[0].probability, fleet->gpu_count,
                                     sizeof(*fleet->gpus), error);
    for (size_t i = 0; status == STATUS_OK && i < fleet->gpu_count; i++)
        named += fleet->gpus[i].probability < FLEET_RATE;
    for (size_t i = 0; status == STATUS_OK && i < fleet->figure_count; i++) {
        struct fleet_figure *figure = &fleet->figures[i];
        double gpu = fleet->gpus[figure->gpu].probability;
        double among = figure->probability * (double)fleet->gpu_count / (double)(named + !named);

        figure->probability = fmin(1.0, fmax(gpu, among));
    }
    return status;
}

static enum status name_slow(struct fleet *fleet, double threshold, double *room,
                             struct error *error)
{
    double level = fleet->is_rate ? FLEET_RATE : FLEET_LEVEL;
    enum status status = fleet->is_rate
                             ? limit_rate(fleet, room, error)
                             : holm_correct(&fleet->figures[0].probability, fleet->figure_count,
                                            sizeof(*fleet->figures), error);

    for (size_t i = 0; i < fleet->figure_count; i++) {
        struct fleet_figure *figure = &fleet->figures[i];

        figure->slower = figure->probability < level && (double)figure->change > threshold;
        fleet->gpus[figure->gpu].slower += figure->slower;
    }
    return status;
}

static enum status judge_all(const struct judge *judge, double threshold, struct error *error)
{
    struct fleet *fleet = judge->fleet;

    count_gpus(fleet);
    sort_by_place(judge);
    enum status status = check_twice(judge, error);
    if (status != STATUS_OK)
        return status;
    remove_lonely(fleet);
    if (fleet->figure_count == 0)
        return error_set(error, STATUS_FAILED,
                         "there are no peers to compare: it takes three GPUs of one name that have "
                         "measured the same, as vebench run --mpi --each does; these rows are of "
                         "%zu GPUs, and %zu are of use",
                         fleet->gpu_count, fleet->lonely);
    sort_by_place(judge);
    for (size_t i = 0; i < fleet->place_count; i++)
        compare_place(judge, &fleet->places[i]);
    add_all_scatter(judge);
    fleet->is_rate = fleet->gpu_count > FLEET_HOLM_MOST;
    status = sort_by_gpu(fleet, error);
    return status == STATUS_OK ? name_slow(fleet, threshold, judge->room, error) : status;
}

enum status fleet_judge(struct fleet *fleet, double threshold, struct error *error)
{
    struct judge judge = {
        .fleet = fleet,
        .by_place = malloc((fleet->figure_count + 1) * sizeof(*judge.by_place)),
        .room = malloc((fleet->figure_count + 1) * sizeof(*judge.room)),
    };
    enum status status = judge.by_place && judge.room ? judge_all(&judge, threshold, error)
                                                      : error_out_of_memory(error);

    free(judge.by_place);
    free(judge.room);
    return status;
}
