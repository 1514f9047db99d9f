#include "compare/fleet-causes.h"

#include "base/stats.h"
#include "math/many-tests.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A normal distribution's standard deviation over its median absolute deviation, and that of a
 * median over that of a mean. */
#define SD_OF_MAD       1.482602218505602
#define MEDIAN_SD       1.2533141373155

#define RACK_BYTES      64
#define GROUPS_LEAST    3  /* fewer cannot show which is the odd one */
#define SPREAD_LEAST    5  /* groups whose medians show how groups differ */
#define POSITIONS_MOST  64 /* of a trend; neighbours share one beyond */
#define POSITIONS_LEAST 8

/* Groups of GPUs at a level, numbered in the natural order of their names. */
struct groups {
    uint32_t *of;      /* owned; the group of each GPU, UINT32_MAX: none */
    const char **name; /* owned; [count] */
    size_t count;
};

struct search {
    const struct fleet *fleet;
    struct fleet_causes *causes;
    struct groups groups[FLEET_LEVELS];
    double *y; /* owned; how much slower each GPU is, less what has been explained; NaN: unknown */
    double *room;      /* owned; one number a GPU */
    uint32_t *members; /* owned; GPUs by group */
    double threshold, level;
    enum fleet_kind kind;
    double sd; /* of y, robust */
};

const char *fleet_level_name(enum fleet_level level)
{
    static const char *const names[FLEET_LEVELS] = {
        [FLEET_ALONG_RACKS] = "along the racks",
        [FLEET_ALONG_NODES] = "along the nodes",
        [FLEET_RACK] = "rack",
        [FLEET_SLOT] = "slot",
        [FLEET_NODE] = "node",
        [FLEET_GPU] = "GPU",
    };

    return names[level];
}

/* Compares names so that node9 comes before node10. */
static int natural_order(const char *a, const char *b)
{
    while (*a && *b) {
        if (isdigit((unsigned char)*a) && isdigit((unsigned char)*b)) {
            char *a_end, *b_end;
            unsigned long long x = strtoull(a, &a_end, 10), y = strtoull(b, &b_end, 10);

            if (x != y)
                return x < y ? -1 : 1;
            a = a_end;
            b = b_end;
        } else if (*a != *b) {
            return (unsigned char)*a < (unsigned char)*b ? -1 : 1;
        } else {
            a++;
            b++;
        }
    }
    return (*a != '\0') - (*b != '\0');
}

static int by_name(const void *left, const void *right)
{
    const char *a = *(const char *const *)left, *b = *(const char *const *)right;
    int order = natural_order(a, b);

    return order ? order : strcmp(a, b);
}

/* Numbers the groups with these names, one a GPU; "" or NULL: none. */
static bool make_groups(struct groups *groups, const char *const *names, size_t count)
{
    groups->of = malloc((count + 1) * sizeof(*groups->of));
    groups->name = malloc((count + 1) * sizeof(*groups->name));
    if (!groups->of || !groups->name)
        return false;
    size_t used = 0, kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (names[i] && names[i][0])
            groups->name[used++] = names[i];
    }
    qsort(groups->name, used, sizeof(*groups->name), by_name);
    for (size_t i = 0; i < used; i++) {
        if (kept == 0 || strcmp(groups->name[kept - 1], groups->name[i]) != 0)
            groups->name[kept++] = groups->name[i];
    }
    groups->count = kept;
    for (size_t i = 0; i < count; i++) {
        const char **at = NULL;

        if (names[i] && names[i][0])
            at = bsearch(&names[i], groups->name, kept, sizeof(*groups->name), by_name);
        groups->of[i] = at ? (uint32_t)(at - groups->name) : UINT32_MAX;
    }
    return true;
}

/* Writes the rack of each GPU behind each other into `text`. */
static void find_racks(const struct fleet *fleet, const regex_t *rack, char *text,
                       const char **names)
{
    for (size_t i = 0; i < fleet->gpu_count; i++, text += RACK_BYTES) {
        const char *host = fleet->gpus[i].host;
        regmatch_t match[2];

        names[i] = NULL;
        if (!rack || regexec(rack, host, 2, match, 0) != 0)
            continue;
        const regmatch_t *part = match[1].rm_so >= 0 ? &match[1] : &match[0];
        size_t bytes = (size_t)(part->rm_eo - part->rm_so);
        if (bytes >= RACK_BYTES)
            bytes = RACK_BYTES - 1;
        memcpy(text, host + part->rm_so, bytes);
        text[bytes] = '\0';
        names[i] = text;
    }
}

/* Numbers nodes by their place in their rack, or in the fleet where it is unknown. */
static bool place_nodes(const struct groups *nodes, const struct groups *racks, size_t gpus,
                        struct groups *places)
{
    size_t *next = calloc(racks->count + 1, sizeof(*next)); /* the last: of no rack */
    uint32_t *place = malloc((nodes->count + 1) * sizeof(*place));
    uint32_t *rack = malloc((nodes->count + 1) * sizeof(*rack));

    places->of = malloc((gpus + 1) * sizeof(*places->of));
    if (next && place && rack && places->of) {
        for (size_t i = 0; i < gpus; i++)
            rack[nodes->of[i]] = racks->of[i] == UINT32_MAX ? (uint32_t)racks->count : racks->of[i];
        for (size_t i = 0; i < nodes->count; i++) {
            place[i] = (uint32_t)next[rack[i]]++;
            if (place[i] >= places->count)
                places->count = place[i] + 1;
        }
        for (size_t i = 0; i < gpus; i++)
            places->of[i] = place[nodes->of[i]];
    }
    bool done = next && place && rack && places->of;
    free(next);
    free(place);
    free(rack);
    return done;
}

static bool group_all(struct search *search, const regex_t *rack)
{
    const struct fleet *fleet = search->fleet;
    size_t count = fleet->gpu_count;
    const char **names = calloc(count + 1, sizeof(*names));
    struct groups *groups = search->groups;

    search->causes->names = malloc((count + 1) * RACK_BYTES);
    bool done = names && search->causes->names;
    if (done) {
        find_racks(fleet, rack, search->causes->names, names);
        done = make_groups(&groups[FLEET_RACK], names, count);
    }
    for (size_t i = 0; done && i < count; i++)
        names[i] = fleet->gpus[i].pci_address;
    done = done && make_groups(&groups[FLEET_SLOT], names, count);
    for (size_t i = 0; done && i < count; i++)
        names[i] = fleet->gpus[i].host;
    done = done && make_groups(&groups[FLEET_NODE], names, count) &&
           place_nodes(&groups[FLEET_NODE], &groups[FLEET_RACK], count, &groups[FLEET_ALONG_NODES]);
    free(names);
    return done;
}

/* Figures of the kind on a GPU, by their median; the clock, whose loss is a slow-down. */
static double stand_for(struct search *search, const struct fleet_gpu *gpu)
{
    const struct fleet *fleet = search->fleet;
    size_t used = 0;

    if (search->kind == FLEET_CLOCK)
        return gpu->clock_mhz > 0.0 ? -log(gpu->clock_mhz) : NAN;
    for (size_t i = 0; i < gpu->figures; i++) {
        const struct fleet_figure *figure = &fleet->figures[fleet->by_gpu[gpu->first + i]];

        if (fleet->places[figure->place].kind == search->kind)
            search->room[used++] = (double)figure->change;
    }
    return used ? stats_select_quantile(search->room, used, 0.5) : NAN;
}

/* The median of known y, and the robust standard deviation. */
static size_t center(struct search *search)
{
    size_t count = search->fleet->gpu_count, used = 0;

    for (size_t i = 0; i < count; i++) {
        if (!isnan(search->y[i]))
            search->room[used++] = search->y[i];
    }
    if (used == 0)
        return 0;
    double middle = stats_select_quantile(search->room, used, 0.5);
    for (size_t i = 0; i < count; i++)
        search->y[i] -= middle;
    for (size_t i = 0; i < used; i++)
        search->room[i] = fabs(search->room[i] - middle);
    search->sd = SD_OF_MAD * stats_select_quantile(search->room, used, 0.5);
    return used;
}

static enum status add_cause(struct search *search, struct fleet_cause cause, struct error *error)
{
    struct fleet_causes *causes = search->causes;
    struct fleet_cause *more = realloc(causes->cause, (causes->count + 1) * sizeof(*more));

    if (!more)
        return error_out_of_memory(error);
    causes->cause = more;
    cause.kind = search->kind;
    more[causes->count++] = cause;
    return STATUS_OK;
}

/* Sorts GPUs with a known y into groups; `first[g]` to `first[g + 1]` are those of a group. */
static void sort_members(struct search *search, const uint32_t *of, size_t groups, size_t *first)
{
    size_t count = search->fleet->gpu_count;

    memset(first, 0, (groups + 2) * sizeof(*first));
    for (size_t i = 0; i < count; i++) {
        if (of[i] != UINT32_MAX && !isnan(search->y[i]))
            first[of[i] + 2]++;
    }
    for (size_t g = 2; g < groups + 2; g++)
        first[g] += first[g - 1];
    for (size_t i = 0; i < count; i++) {
        if (of[i] != UINT32_MAX && !isnan(search->y[i]))
            search->members[first[of[i] + 1]++] = (uint32_t)i;
    }
}

/* Of an even number, the lower middle: one slow GPU of two is not their node's. */
static double group_median(struct search *search, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i++)
        search->room[i - begin] = search->y[search->members[i]];
    stats_sort(search->room, end - begin);
    return search->room[(end - begin - 1) / 2];
}

/* How medians of groups differ, beyond what their GPUs explain. */
static double spread_of(const double *medians, size_t count, double *room)
{
    if (count < SPREAD_LEAST)
        return 0.0;
    memcpy(room, medians, count * sizeof(*room));
    double middle = stats_select_quantile(room, count, 0.5);
    for (size_t i = 0; i < count; i++)
        room[i] = fabs(medians[i] - middle);
    return SD_OF_MAD * stats_select_quantile(room, count, 0.5);
}

static double probability_of(double change, double sd)
{
    if (sd > 0.0)
        return erfc(change / sd / sqrt(2.0)) / 2.0;
    return change > 0.0 ? 0.0 : 1.0;
}

static enum status test_groups(struct search *search, enum fleet_level level, const size_t *first,
                               double *medians, double *probabilities, struct error *error)
{
    const struct groups *groups = &search->groups[level];

    for (size_t g = 0; g < groups->count; g++)
        medians[g] = first[g + 1] > first[g] ? group_median(search, first[g], first[g + 1]) : 0.0;
    double spread = spread_of(medians, groups->count, search->room);
    for (size_t g = 0; g < groups->count; g++) {
        size_t members = first[g + 1] - first[g];
        double own = members > 2 ? search->sd * MEDIAN_SD / sqrt((double)members) : search->sd;

        probabilities[g] = members > 1 ? probability_of(medians[g], fmax(own, spread)) : 1.0;
    }
    enum status status =
        discoveries_correct(probabilities, groups->count, sizeof(*probabilities), error);
    for (size_t g = 0; status == STATUS_OK && g < groups->count; g++) {
        if (!(probabilities[g] < search->level && medians[g] > search->threshold))
            continue;
        status = add_cause(search,
                           (struct fleet_cause){.level = level,
                                                .name = groups->name[g],
                                                .gpu = search->members[first[g]],
                                                .gpus = first[g + 1] - first[g],
                                                .change = medians[g],
                                                .probability = probabilities[g]},
                           error);
        for (size_t i = first[g]; i < first[g + 1]; i++)
            search->y[search->members[i]] -= medians[g];
    }
    return status;
}

static enum status search_groups(struct search *search, enum fleet_level level, struct error *error)
{
    size_t count = search->groups[level].count;

    if (count < GROUPS_LEAST)
        return STATUS_OK;
    size_t *first = malloc((count + 2) * sizeof(*first));
    double *medians = malloc(count * sizeof(*medians));
    double *probabilities = malloc(count * sizeof(*probabilities));
    enum status status;

    if (first && medians && probabilities) {
        sort_members(search, search->groups[level].of, count, first);
        status = test_groups(search, level, first, medians, probabilities, error);
    } else {
        status = error_out_of_memory(error);
    }
    free(first);
    free(medians);
    free(probabilities);
    return status;
}

static enum status search_gpus(struct search *search, struct error *error)
{
    const struct fleet *fleet = search->fleet;
    enum status status;

    for (size_t i = 0; i < fleet->gpu_count; i++)
        search->room[i] = isnan(search->y[i]) ? 1.0 : probability_of(search->y[i], search->sd);
    status = discoveries_correct(search->room, fleet->gpu_count, sizeof(*search->room), error);
    for (size_t i = 0; status == STATUS_OK && i < fleet->gpu_count; i++) {
        if (!(search->room[i] < search->level && search->y[i] > search->threshold))
            continue;
        status = add_cause(search,
                           (struct fleet_cause){.level = FLEET_GPU,
                                                .name = fleet->gpus[i].host,
                                                .gpu = i,
                                                .gpus = 1,
                                                .change = search->y[i],
                                                .probability = search->room[i]},
                           error);
    }
    return status;
}

/* The probability that chance puts values into such an order, rising or falling (Mann 1945,
 * Kendall 1975); and the median of the slopes of all pairs (Theil 1950, Sen 1968). */
static double trend(const double *value, size_t count, double *slope)
{
    static double slopes[POSITIONS_MOST * (POSITIONS_MOST - 1) / 2];
    double n = (double)count, score = 0.0;
    size_t used = 0;

    for (size_t i = 0; i < count; i++) {
        for (size_t k = i + 1; k < count; k++) {
            score += (value[k] > value[i]) - (value[k] < value[i]);
            slopes[used++] = (value[k] - value[i]) / (double)(k - i);
        }
    }
    *slope = stats_select_quantile(slopes, used, 0.5);
    double sd = sqrt(n * (n - 1.0) * (2.0 * n + 5.0) / 18.0);
    return erfc(fmax(fabs(score) - 1.0, 0.0) / sd / sqrt(2.0));
}

/* Takes a trend out of y, and names it. */
static enum status search_trend(struct search *search, enum fleet_level level,
                                const struct groups *groups, struct error *error)
{
    size_t share = (groups->count + POSITIONS_MOST - 1) / POSITIONS_MOST, first[POSITIONS_MOST + 2];
    size_t positions = share ? (groups->count + share - 1) / share : 0;
    size_t count = search->fleet->gpu_count;
    double medians[POSITIONS_MOST], slope = 0.0;
    uint32_t *of = malloc((count + 1) * sizeof(*of));

    if (!of)
        return error_out_of_memory(error);
    for (size_t i = 0; i < count; i++)
        of[i] = groups->of[i] == UINT32_MAX ? UINT32_MAX : groups->of[i] / (uint32_t)share;
    if (positions >= POSITIONS_LEAST)
        sort_members(search, of, positions, first);
    bool full = positions >= POSITIONS_LEAST;
    for (size_t p = 0; full && p < positions; p++) {
        full = first[p + 1] > first[p];
        medians[p] = full ? group_median(search, first[p], first[p + 1]) : 0.0;
    }
    double probability = full ? trend(medians, positions, &slope) : 1.0;
    double change = full ? fabs(slope) * (double)(positions - 1) : 0.0;
    enum status status = STATUS_OK;
    if (probability < search->level && change > search->threshold) {
        status = add_cause(search,
                           (struct fleet_cause){.level = level,
                                                .name = "",
                                                .gpu = search->members[0],
                                                .gpus = first[positions],
                                                .change = slope * (double)(positions - 1),
                                                .probability = probability},
                           error);
        for (size_t i = 0; i < count; i++)
            search->y[i] -= of[i] == UINT32_MAX ? 0.0 : slope * (double)of[i];
    }
    free(of);
    return status;
}

static enum status search_kind(struct search *search, struct error *error)
{
    const struct groups *groups = search->groups;
    enum status status = STATUS_OK;

    for (size_t i = 0; i < search->fleet->gpu_count; i++)
        search->y[i] = stand_for(search, &search->fleet->gpus[i]);
    if (center(search) < FLEET_EXPLAIN_LEAST)
        return STATUS_OK;
    if (groups[FLEET_RACK].count)
        status = search_trend(search, FLEET_ALONG_RACKS, &groups[FLEET_RACK], error);
    if (status == STATUS_OK)
        status = search_trend(search, FLEET_ALONG_NODES, &groups[FLEET_ALONG_NODES], error);
    center(search);
    for (enum fleet_level level = FLEET_RACK; status == STATUS_OK && level < FLEET_GPU; level++)
        status = search_groups(search, level, error);
    return status == STATUS_OK ? search_gpus(search, error) : status;
}

static int by_level(const void *left, const void *right)
{
    const struct fleet_cause *a = left, *b = right;
    int order = (a->level > b->level) - (a->level < b->level);

    if (!order)
        order = natural_order(a->name, b->name);
    if (!order)
        order = (a->gpu > b->gpu) - (a->gpu < b->gpu);
    return order ? order : (a->kind > b->kind) - (a->kind < b->kind);
}

enum status fleet_explain(struct fleet_causes *causes, const struct fleet *fleet,
                          const regex_t *rack, double threshold, struct error *error)
{
    size_t count = fleet->gpu_count, figures = fleet->place_count;
    size_t room = (count > figures ? count : figures) + 1;
    struct search search = {
        .fleet = fleet,
        .causes = causes,
        .threshold = threshold,
        .level = FLEET_RATE / (FLEET_LEVELS * FLEET_KINDS),
        .y = malloc(room * sizeof(*search.y)),
        .room = malloc(room * sizeof(*search.room)),
        .members = malloc(room * sizeof(*search.members)),
    };

    *causes = (struct fleet_causes){0};
    enum status status = search.y && search.room && search.members && group_all(&search, rack)
                             ? STATUS_OK
                             : error_out_of_memory(error);
    for (search.kind = 0; status == STATUS_OK && search.kind < FLEET_KINDS; search.kind++)
        status = search_kind(&search, error);
    if (causes->count)
        qsort(causes->cause, causes->count, sizeof(*causes->cause), by_level);
    for (size_t i = 0; i < FLEET_LEVELS; i++) {
        free(search.groups[i].of);
        free(search.groups[i].name);
    }
    free(search.y);
    free(search.room);
    free(search.members);
    if (status != STATUS_OK)
        fleet_causes_free(causes);
    return status;
}

void fleet_causes_free(struct fleet_causes *causes)
{
    free(causes->cause);
    free(causes->names);
    *causes = (struct fleet_causes){0};
}
