#include "compare/fleet.h"

#include "base/stats.h"
#include "math/holm.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LEVEL 0.05 /* significance level of all figures together */
/* A normal distribution's standard deviation over its median absolute deviation. */
#define SD_OF_MAD 1.482602218505602

static bool is_of(const struct record *record, const struct fleet_gpu *gpu)
{
    return !strcmp(record->device_uuid, gpu->device_uuid) && !strcmp(record->host, gpu->host) &&
           !strcmp(record->device_name, gpu->device_name) &&
           (record->rank == gpu->rank || (isnan(record->rank) && isnan(gpu->rank)));
}

/* The GPU of a row, added if it is new. Rows of one GPU follow each other, or those of a round of
 * all: the search begins where the last one ended. */
static enum status find_gpu(struct fleet *fleet, const struct record *record, size_t *index,
                            struct error *error)
{
    for (size_t i = 0; i < fleet->gpu_count; i++) {
        *index = (*index + (i > 0)) % fleet->gpu_count;
        if (is_of(record, &fleet->gpus[*index]))
            return STATUS_OK;
    }
    struct fleet_gpu *more = realloc(fleet->gpus, (fleet->gpu_count + 1) * sizeof(*more));
    if (!more)
        return error_set(error, STATUS_FAILED, "out of memory");
    fleet->gpus = more;
    *index = fleet->gpu_count++;
    fleet->gpus[*index] = (struct fleet_gpu){.host = record->host,
                                             .device_name = record->device_name,
                                             .device_uuid = record->device_uuid,
                                             .rank = record->rank};
    return STATUS_OK;
}

static bool is_usable(const struct record *record)
{
    return record->usable && record_has_interval(record);
}

/* Figures that are the same follow each other. */
static int compare_places(const void *left, const void *right)
{
    const struct fleet_figure *a = left, *b = right;
    int order = record_order(&a->record, &b->record);

    if (!order)
        order = strcmp(a->record->device_name, b->record->device_name);
    return order ? order : (a->gpu > b->gpu) - (a->gpu < b->gpu);
}

static bool are_peers(const struct fleet_figure *a, const struct fleet_figure *b)
{
    return record_same(a->record, b->record) &&
           !strcmp(a->record->device_name, b->record->device_name);
}

static enum status collect_figures(struct fleet *fleet, const struct records *records,
                                   struct error *error)
{
    size_t gpu = 0;

    fleet->figures = calloc(records->count + 1, sizeof(*fleet->figures));
    if (!fleet->figures)
        return error_set(error, STATUS_FAILED, "out of memory");
    for (size_t i = 0; i < records->count; i++) {
        const struct record *record = &records->record[i];

        if (find_gpu(fleet, record, &gpu, error) != STATUS_OK)
            return STATUS_FAILED;
        if (is_usable(record))
            fleet->figures[fleet->figure_count++] =
                (struct fleet_figure){.record = record, .gpu = gpu};
        else
            fleet->left_out++;
    }
    qsort(fleet->figures, fleet->figure_count, sizeof(*fleet->figures), compare_places);
    return STATUS_OK;
}

static enum status check_twice(const struct fleet *fleet, struct error *error)
{
    for (size_t i = 1; i < fleet->figure_count; i++) {
        const struct fleet_figure *a = &fleet->figures[i - 1], *b = &fleet->figures[i];

        if (a->gpu == b->gpu && are_peers(a, b))
            return error_set(error, STATUS_FAILED,
                             "%s:%u and %s:%u are the same measurement of the same GPU (%.60s "
                             "%.60s): give each once",
                             a->record->table->path, a->record->line, b->record->table->path,
                             b->record->line, a->record->benchmark, a->record->variant);
    }
    return STATUS_OK;
}

static double figure_error(const struct record *record)
{
    return record_half_interval(record) / STATS_Z975;
}

/* Median over all figures of a group but one; `skip` past the end leaves out none. */
static double median_but(const struct fleet_figure *group, size_t count, size_t skip,
                         double (*of)(const struct record *record), double *room)
{
    size_t used = 0;

    for (size_t i = 0; i < count; i++) {
        if (i != skip)
            room[used++] = of(group[i].record);
    }
    return stats_select_quantile(room, used, 0.5);
}

static double mean_of(const struct record *record)
{
    return record->ns_mean;
}

static void set_peers(struct fleet_figure *group, size_t count, double *room)
{
    double middle = median_but(group, count, count, mean_of, room);

    for (size_t i = 0; i < count; i++) {
        struct fleet_figure *figure = &group[i];

        figure->peers = count - 1;
        figure->peers_ns = median_but(group, count, i, mean_of, room);
        double scale = record_scale(figure->record, figure->peers_ns);
        figure->change = (figure->record->ns_mean - figure->peers_ns) / scale;
        figure->deviation = fabs(figure->record->ns_mean - middle) / scale;
        figure->change_error =
            hypot(figure_error(figure->record), median_but(group, count, i, figure_error, room)) /
            scale;
    }
}

/* Removes figures with too few peers, and compares the others. */
static void compare_groups(struct fleet *fleet, double *room)
{
    struct fleet_figure *figures = fleet->figures;
    size_t kept = 0;

    for (size_t begin = 0, end; begin < fleet->figure_count; begin = end) {
        for (end = begin + 1;
             end < fleet->figure_count && are_peers(&figures[begin], &figures[end]);)
            end++;
        if (end - begin <= FLEET_PEERS_LEAST) {
            fleet->lonely += end - begin;
            continue;
        }
        set_peers(&figures[begin], end - begin, room);
        memmove(&figures[kept], &figures[begin], (end - begin) * sizeof(*figures));
        kept += end - begin;
    }
    fleet->figure_count = kept;
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

/* How GPUs differ, beyond what the intervals of their measurements say: a standard deviation,
 * relative, from all figures of a benchmark, which sort together. A slow GPU has no part in a
 * median. */
static void add_scatter(struct fleet *fleet, double *room)
{
    for (size_t begin = 0, end; begin < fleet->figure_count; begin = end) {
        struct fleet_figure *first = &fleet->figures[begin];

        for (end = begin; end < fleet->figure_count &&
                          !strcmp(fleet->figures[end].record->benchmark, first->record->benchmark);
             end++)
            room[end - begin] =
                fleet->figures[end].deviation * small_sample(fleet->figures[end].peers + 1);
        double scatter = SD_OF_MAD * stats_select_quantile(room, end - begin, 0.5);
        for (size_t i = begin; i < end; i++) {
            struct fleet_figure *figure = &fleet->figures[i];
            double own = figure->change_error;
            double error = hypot(own, scatter * sqrt(1.0 + 1.0 / (double)figure->peers));

            if (error > 0.0)
                figure->probability = erfc(figure->change / error / sqrt(2.0)) / 2.0;
            else
                figure->probability = figure->change > 0.0 ? 0.0 : 1.0;
            figure->change_error = STATS_Z975 * error;
        }
    }
}

static int compare_figures(const void *left, const void *right)
{
    const struct fleet_figure *a = left, *b = right;

    if (a->gpu != b->gpu)
        return a->gpu < b->gpu ? -1 : 1;
    return (a->change < b->change) - (a->change > b->change);
}

static enum status judge_gpus(struct fleet *fleet, double threshold, struct error *error)
{
    enum status status = holm_correct(&fleet->figures[0].probability, fleet->figure_count,
                                      sizeof(*fleet->figures), error);

    for (size_t i = 0; i < fleet->figure_count; i++) {
        struct fleet_figure *figure = &fleet->figures[i];

        figure->slower = figure->probability < LEVEL && figure->change > threshold;
        fleet->gpus[figure->gpu].figures++;
        fleet->gpus[figure->gpu].slower += figure->slower;
    }
    qsort(fleet->figures, fleet->figure_count, sizeof(*fleet->figures), compare_figures);
    return status;
}

enum status fleet_find(struct fleet *fleet, const struct records *records, double threshold,
                       struct error *error)
{
    memset(fleet, 0, sizeof(*fleet));
    double *room = calloc(records->count + 1, sizeof(*room));
    enum status status = room ? collect_figures(fleet, records, error)
                              : error_set(error, STATUS_FAILED, "out of memory");
    if (status == STATUS_OK)
        status = check_twice(fleet, error);
    if (status == STATUS_OK) {
        compare_groups(fleet, room);
        if (fleet->figure_count == 0)
            status = error_set(error, STATUS_FAILED,
                               "there are no peers to compare: it takes three GPUs of one name "
                               "that have measured the same, as vebench run --mpi --each does; "
                               "these rows are of %zu GPUs, and %zu are of use",
                               fleet->gpu_count, fleet->lonely);
    }
    if (status == STATUS_OK) {
        add_scatter(fleet, room);
        status = judge_gpus(fleet, threshold, error);
    }
    free(room);
    if (status != STATUS_OK)
        fleet_free(fleet);
    return status;
}

void fleet_free(struct fleet *fleet)
{
    free(fleet->gpus);
    free(fleet->figures);
    memset(fleet, 0, sizeof(*fleet));
}
