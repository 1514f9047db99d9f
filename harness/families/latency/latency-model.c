/* Family `latency`: fits the levels of memory from pointer chases over working sets. The number of
 * levels, their latencies and their capacities come from the staircase alone. */
#include "families/latency/latency-model.h"

#include "math/change-point.h"
#include "model/advise.h"
#include "model/family-model.h"
#include "model/fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FAMILY LATENCY_FAMILY

bool latency_is_unloaded(const struct record *r)
{
    return r->workgroup_count == 1 && r->workgroup_size <= r->subgroup_size;
}

double latency_stride(const struct record *r)
{
    return record_parameter(r, "stride", NAN);
}

bool latency_is_whole_pages(double stride)
{
    return fmod(stride, LATENCY_PAGE_LEAST) == 0.0;
}

double latency_least_stride(const struct fit *fit, const struct row_set *rows)
{
    double least = INFINITY;

    for (size_t i = 0; i < rows->count; i++)
        least = fmin(least, latency_stride(&fit->records->record[rows->index[i]]));
    return least;
}

/* Keeps chases of one hardware thread at the smallest measured stride: larger strides show other
 * cache sets and pages. Nodes whole pages apart have few sets, and tell no capacity. */
static void keep_unloaded(struct row_set *rows, const struct fit *fit)
{
    double stride = latency_least_stride(fit, rows);
    size_t kept = 0;

    for (size_t i = 0; i < rows->count; i++) {
        const struct record *r = &fit->records->record[rows->index[i]];

        if (!latency_is_unloaded(r) || record_parameter(r, "stride", INFINITY) > stride ||
            latency_is_whole_pages(stride) || !(rows->y[i] > 0.0) ||
            !(record_parameter(r, "working_set", NAN) > 0.0))
            continue;
        row_set_move(rows, kept++, i);
    }
    rows->count = kept;
}

double latency_working_set(const struct fit *fit, const struct row_set *rows, size_t i)
{
    return record_parameter(&fit->records->record[rows->index[i]], "working_set", NAN);
}

void latency_level_term(char *term, unsigned level, const char *what)
{
    snprintf(term, VARIANT_NAME_BYTES, "level%u.%s", level, what);
}

const struct parameter *latency_level(const struct model *model, const char *variant,
                                      unsigned subgroup_size, unsigned level, const char *what)
{
    char term[VARIANT_NAME_BYTES];

    latency_level_term(term, level, what);
    return parameter_find(model, FAMILY, variant, subgroup_size, term);
}

static struct parameter *add_level(struct fit *fit, const struct row_set *rows, const char *name,
                                   unsigned level, const char *what)
{
    char term[VARIANT_NAME_BYTES];

    latency_level_term(term, level, what);
    struct parameter *p = fit_add(fit, name, term, "", rows);
    if (p) {
        snprintf(p->term, sizeof(p->term), "%s", what);
        p->level = level;
    }
    return p;
}

static enum status add_latency(struct fit *fit, const struct row_set *rows, const char *name,
                               unsigned number, const struct staircase_level *level)
{
    struct parameter *p = add_level(fit, rows, name, number, "latency");

    if (!p)
        return fit_out_of_memory(fit);
    p->working_sets = (struct interval){level->first_size, level->last_size};
    p->stride = record_parameter(&fit->records->record[rows->index[0]], "stride", 0.0);
    snprintf(p->form, sizeof(p->form),
             "median of working sets from %.0f to %.0f bytes, nodes %.0f bytes apart",
             p->working_sets.low, p->working_sets.high, p->stride);
    p->rows = level->points;
    p->value = level->value;
    p->interval = level->interval;
    for (size_t i = 0; i < rows->count; i++) {
        double size = latency_working_set(fit, rows, i), residual = rows->y[i] - level->value;

        if (size < level->first_size || size > level->last_size ||
            (p->worst[0] && fabs(residual) <= fabs(p->worst_residual)))
            continue;
        p->worst_residual = residual;
        record_describe(&fit->records->record[rows->index[i]], p->worst, sizeof(p->worst));
    }
    return STATUS_OK;
}

/* A capacity is known only to lie between two sizes; where times rise gradually there is none. */
static enum status add_end(struct fit *fit, const struct row_set *rows, const char *name,
                           unsigned number, const struct staircase_level *level)
{
    bool is_ramp = level->ramp_end > 0.0;

    if (isinf(level->next_size))
        return STATUS_OK;
    struct parameter *p = add_level(fit, rows, name, number, is_ramp ? "ramp" : "capacity");
    if (!p)
        return fit_out_of_memory(fit);
    snprintf(p->unit, sizeof(p->unit), "bytes");
    snprintf(p->form, sizeof(p->form), "%s",
             is_ramp ? "from the low end to the high end it rises gradually, without a step"
                     : "at least the low end, less than the high end");
    p->rows = level->points;
    p->value = level->last_size;
    p->interval = (struct interval){level->last_size, is_ramp ? level->ramp_end : level->next_size};
    return STATUS_OK;
}

static bool is_in_level(const struct staircase_level *levels, size_t count, double size)
{
    for (size_t i = 0; i < count; i++) {
        if (size >= levels[i].first_size && size <= levels[i].last_size)
            return true;
    }
    return false;
}

/* A set of no level: mostly one between two, of which a part is found in the nearer one. */
static enum status add_set(struct fit *fit, const struct row_set *rows, const char *name, size_t i)
{
    double size = latency_working_set(fit, rows, i);
    char term[VARIANT_NAME_BYTES];

    snprintf(term, sizeof(term), "set%.0f.latency", size);
    struct parameter *p = fit_add_row(fit, name, term, rows, i);
    if (!p)
        return fit_out_of_memory(fit);
    snprintf(p->term, sizeof(p->term), "latency");
    snprintf(p->form, sizeof(p->form), "a working set of %.0f bytes, of no level", size);
    p->working_sets = (struct interval){size, size};
    p->stride = record_parameter(&fit->records->record[rows->index[i]], "stride", 0.0);
    return STATUS_OK;
}

static enum status fit_levels(struct fit *fit, const struct row_set *rows, const char *name,
                              struct staircase_point *points)
{
    struct staircase_level levels[STAIRCASE_LEVELS_MAX];
    enum status status = STATUS_OK;
    struct error why;
    size_t count;

    for (size_t i = 0; i < rows->count; i++)
        points[i] =
            (struct staircase_point){latency_working_set(fit, rows, i), rows->y[i], rows->sd[i]};
    if (staircase_levels(points, rows->count, fit->seed, levels, &count, &why) != STATUS_OK) {
        count = 0;
        status = fit_failed(fit, name, &why, "vebench run latency --preset full");
    }
    for (size_t i = 0; status == STATUS_OK && i < count; i++) {
        unsigned level = (unsigned)i + 1;

        status = add_latency(fit, rows, name, level, &levels[i]);
        if (status == STATUS_OK)
            status = add_end(fit, rows, name, level, &levels[i]);
    }
    for (size_t i = 0; status == STATUS_OK && i < rows->count; i++) {
        if (!is_in_level(levels, count, points[i].size))
            status = add_set(fit, rows, name, i);
    }
    return status;
}

static enum status fit_group(struct fit *fit, struct fit_group *group, struct row_set *pages,
                             struct staircase_point *points)
{
    enum status status = latency_fit_jumps(fit, group->name, &group->rows);

    if (status == STATUS_OK)
        status = latency_fit_l1_tlb(fit, group->name, group->variant, group->subgroup_size,
                                    &group->rows);
    latency_take_pages(pages, &group->rows, fit);
    keep_unloaded(&group->rows, fit);
    if (status == STATUS_OK && group->rows.count)
        status = fit_levels(fit, &group->rows, group->name, points);
    return status == STATUS_OK ? latency_fit_pages(fit, group->name, group->variant,
                                                   group->subgroup_size, &group->rows, pages)
                               : status;
}

static enum status fit_latency(struct fit *fit)
{
    struct staircase_point *points = calloc(fit->records->count + 1, sizeof(*points));
    struct row_set pages = {0};
    struct fit_group group;

    if (!points)
        return fit_out_of_memory(fit);
    enum status status = fit_begin(fit, FAMILY, &group);
    if (status == STATUS_OK)
        status = row_set_allocate(&pages, fit, fit->records->count);
    while (status == STATUS_OK && fit_next(fit, &group))
        status = fit_group(fit, &group, &pages, points);
    fit_end(&group);
    row_set_free(&pages);
    free(points);
    return status;
}

/* Interpolates within a step, on logarithmic scales. */
static double between(double size, double low_size, double low, double high_size, double high)
{
    double share = log(size / low_size) / log(high_size / low_size);

    return low * pow(high / low, fmin(fmax(share, 0.0), 1.0));
}

/* Is the level one of nodes as far apart as the row's? Those further apart lie in other cache sets
 * and pages. */
static bool has_stride(const struct parameter *latency, const struct record *r)
{
    return latency->stride == record_parameter(r, "stride", latency->stride);
}

/* The latency of the level that holds the working set, or a value between two levels. */
static bool predict_level(const struct model *model, const struct record *r, double *value)
{
    double size = record_parameter(r, "working_set", NAN), before = 0.0, below = 0.0;

    for (unsigned level = 1; level <= STAIRCASE_LEVELS_MAX; level++) {
        const struct parameter *latency =
            latency_level(model, r->variant, r->subgroup_size, level, "latency");

        if (!latency || !has_stride(latency, r))
            return false;
        struct interval sets = latency->working_sets;
        if (!(sets.low > 0.0) || (level == 1 && size < sets.low))
            return false;
        *value = size < sets.low ? between(size, before, below, sets.low, latency->value)
                                 : latency->value;
        if (size <= sets.high)
            return true;
        /* The last level has no end. */
        if (!latency_level(model, r->variant, r->subgroup_size, level, "capacity") &&
            !latency_level(model, r->variant, r->subgroup_size, level, "ramp"))
            return true;
        before = sets.high;
        below = latency->value;
    }
    return false;
}

static bool predict_latency(const struct model *model, const struct record *r, double *value)
{
    if (!latency_is_unloaded(r) || !(record_parameter(r, "working_set", NAN) > 0.0))
        return false;
    if (latency_is_by_jumps(r))
        return latency_predict_jumps(model, r, value);
    bool predicted = latency_visits_pages(r) ? latency_predict_pages(model, r, value)
                                             : predict_level(model, r, value);
    *value += predicted ? latency_of_l1_tlb(model, r) : 0.0;
    return predicted;
}

static enum status advise_latency(struct advising *a)
{
    struct parameter_parts parts;

    for (size_t i = 0; i < a->model->parameter_count; i++) {
        const struct parameter *p = &a->model->parameter[i];

        if (!p->level || strcmp(p->term, "latency") != 0 || !parameter_parts(p, FAMILY, &parts))
            continue;
        const struct parameter *capacity =
            latency_level(a->model, parts.variant, parts.subgroup_size, p->level, "capacity");
        const struct parameter *ramp =
            latency_level(a->model, parts.variant, parts.subgroup_size, p->level, "ramp");
        const struct parameter *next =
            latency_level(a->model, parts.variant, parts.subgroup_size, p->level + 1, "latency");
        fprintf(a->out, "%s, sub-group %u, level %u: ", parts.variant, parts.subgroup_size,
                p->level);
        estimate_print(a->out, &(struct estimate){p->value, p->interval});
        fprintf(a->out, " %s", p->unit);
        if (capacity && next && isfinite(next->value / p->value))
            fprintf(a->out, "; keep working sets within %.0f bytes: beyond, %.3g times as much",
                    capacity->value, next->value / p->value);
        if (ramp && next && isfinite(next->value / p->value))
            fprintf(a->out,
                    "; from %.0f to %.0f bytes it rises gradually to %.3g times as much, so each "
                    "halving of a working set gains a little, and no size is a border",
                    ramp->interval.low, ramp->interval.high, next->value / p->value);
        fputc('\n', a->out);
        a->said++;
    }
    return STATUS_OK;
}

const struct family_model family_latency_model = {
    .family = FAMILY,
    .rank = 20,
    .fit = fit_latency,
    .predict = predict_latency,
    .advise = advise_latency,
};
