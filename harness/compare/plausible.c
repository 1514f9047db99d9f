#include "compare/plausible.h"

#include "base/stats.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What somebody has published, whoever measures it here. */
static const struct {
    const char *what, *source;
    double value;
    const char *unit;
} figures[] = {
#define ROW(what, source, value, unit, ...) {what, source, value, unit},
#include "compare/published-figures.def"
#undef ROW
};

#define SAME_FIGURE(what, device, benchmark, variant, tolerance, least, most)                      \
    {what, device, benchmark, variant, (tolerance) / 100.0, least, most, NULL, NULL, 0.0},
#define OWN_FIGURE(what, source, value, unit, device, benchmark, variant, tolerance, least, most)  \
    {what, device, benchmark, variant, (tolerance) / 100.0, least, most, source, unit, value},
static struct published published[] = {
#include "compare/plausible.def"
};
#undef SAME_FIGURE
#undef OWN_FIGURE

#define PUBLISHED_COUNT (sizeof(published) / sizeof(*published))
_Static_assert(PUBLISHED_COUNT <= PLAUSIBLE_MAX, "all figures of a device have room");

#define NAMES_MAX 4

static const struct {
    const char *name;
    const char *parts[NAMES_MAX];
} devices[] = {
#define DEVICE(name, ...) {name, {__VA_ARGS__}},
#include "compare/plausible-devices.def"
#undef DEVICE
};

static const char *find_device(const char *name)
{
    for (size_t i = 0; i < sizeof(devices) / sizeof(*devices); i++) {
        for (size_t k = 0; k < NAMES_MAX && devices[i].parts[k]; k++) {
            if (strstr(name, devices[i].parts[k]))
                return devices[i].name;
        }
    }
    return NULL;
}

const char *plausible_sold_as(const char *device_name)
{
    return strstr(device_name, "[0x") ? find_device(device_name) : NULL;
}

/* Takes source, unit and value from the figure of that name. */
static enum status resolve_figure(struct published *p, struct error *error)
{
    for (size_t i = 0; !p->source && i < sizeof(figures) / sizeof(*figures); i++) {
        if (strcmp(figures[i].what, p->what) != 0)
            continue;
        p->source = figures[i].source;
        p->unit = figures[i].unit;
        p->value = figures[i].value;
    }
    if (p->source)
        return STATUS_OK;
    return error_set(error, STATUS_FAILED, "plausible.def: no figure is called \"%s\"", p->what);
}

static bool is_rate(const struct published *p)
{
    return strchr(p->unit, '/') != NULL;
}

/* The row's result in the unit of the figure; NaN if it has none. */
static double measured(const struct record *record, const char *unit)
{
    if (!strcmp(unit, "GB/s"))
        return record->work_bytes / record->loop_ns;
    if (!strcmp(unit, "GFLOP/s") || !strcmp(unit, "GIOP/s"))
        return record->work_flops / record->loop_ns;
    if (!strcmp(unit, "cycles"))
        return record->value * record->clock_mhz / 1000.0;
    return !strcmp(unit, "ns") ? record->value : NAN;
}

/* A rate is that of the whole device: no Xe-core may be without work. */
static bool measures(const struct record *record, const struct published *p)
{
    double bytes = record_parameter(record, "working_set", 0.0);
    double value = record->usable ? measured(record, p->unit) : NAN;

    return !strcmp(record->benchmark, p->benchmark) && !strcmp(record->variant, p->variant) &&
           (!is_rate(p) || record->workgroup_count >= record->xe_cores) &&
           (!(p->most_bytes > 0.0) || (bytes >= p->least_bytes && bytes <= p->most_bytes)) &&
           isfinite(value) && value > 0.0;
}

struct candidate {
    const struct record *record;
    double value;
};

static int compare_candidates(const void *left, const void *right)
{
    double a = ((const struct candidate *)left)->value,
           b = ((const struct candidate *)right)->value;

    return (a > b) - (a < b);
}

/* `room` has space for all records. */
static void hold_against(struct plausibility *result, const struct records *records,
                         const struct published *p, struct candidate *room)
{
    size_t count = 0;

    *result = (struct plausibility){.published = p, .measured = NAN, .deviation = NAN};
    for (size_t i = 0; i < records->count; i++) {
        const struct record *record = &records->record[i];

        if (measures(record, p))
            room[count++] = (struct candidate){record, measured(record, p->unit)};
    }
    if (count == 0)
        return;
    qsort(room, count, sizeof(*room), compare_candidates);
    result->record = room[is_rate(p) ? count - 1 : count / 2].record;
    result->measured = measured(result->record, p->unit);
    result->deviation = (result->measured - p->value) / p->value;
    result->out_of_line = fabs(result->deviation) > p->tolerance;
}

static enum status unknown_device(const struct records *records, struct error *error)
{
    error_set(error, STATUS_FAILED, "no published figure is known of %.200s; there are some of",
              records->device_name);
    for (size_t i = 0; i < sizeof(devices) / sizeof(*devices); i++)
        error_append(error, "%s %s", i ? "," : "", devices[i].name);
    return STATUS_FAILED;
}

enum status plausible_check(struct plausibilities *all, const struct records *records,
                            struct error *error)
{
    memset(all, 0, sizeof(*all));
    all->device = find_device(records->device_name);
    if (!all->device)
        return unknown_device(records, error);
    struct candidate *room = calloc(records->count + 1, sizeof(*room));
    if (!room)
        return error_out_of_memory(error);
    for (size_t i = 0; i < PUBLISHED_COUNT; i++) {
        struct plausibility *result = &all->of[all->count];

        if (resolve_figure(&published[i], error) != STATUS_OK) {
            free(room);
            return STATUS_FAILED;
        }
        if (strcmp(published[i].device, all->device) != 0)
            continue;
        hold_against(result, records, &published[i], room);
        all->measured += result->record != NULL;
        all->out_of_line += result->out_of_line;
        all->count++;
    }
    free(room);
    return STATUS_OK;
}
