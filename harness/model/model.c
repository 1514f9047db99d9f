#include "model/model.h"
#include "rows/records.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void model_init(struct model *model, const struct family_models *families)
{
    memset(model, 0, sizeof(*model));
    model->families = families;
    model->clock_mhz = NAN;
}

void model_free(struct model *model)
{
    for (size_t i = 0; i < model->source_count; i++)
        free(model->source[i].path);
    free(model->source);
    free(model->parameter);
    free(model->by_name);
    free(model->absence);
    free(model->launch);
    model_init(model, model->families);
}

/* Grows the array by one zeroed element of `bytes`; returns the new array, or NULL, and the old one
 * stays valid. */
static void *grow(void *array, size_t count, size_t bytes)
{
    char *more = realloc(array, (count + 1) * bytes);

    if (more)
        memset(more + count * bytes, 0, bytes);
    return more;
}

struct parameter *model_add_parameter(struct model *model)
{
    struct parameter *more = grow(model->parameter, model->parameter_count, sizeof(*more));

    if (!more)
        return NULL;
    model->parameter = more;
    return &more[model->parameter_count++];
}

struct absence *model_add_absence(struct model *model)
{
    struct absence *more = grow(model->absence, model->absence_count, sizeof(*more));

    if (!more)
        return NULL;
    model->absence = more;
    return &more[model->absence_count++];
}

struct measured_launch *model_add_launch(struct model *model)
{
    struct measured_launch *more = grow(model->launch, model->launch_count, sizeof(*more));

    if (!more)
        return NULL;
    model->launch = more;
    return &more[model->launch_count++];
}

struct source *model_add_source(struct model *model, const char *path)
{
    struct source *more = grow(model->source, model->source_count, sizeof(*more));
    char *copy = malloc(strlen(path) + 1);

    if (more)
        model->source = more;
    if (!more || !copy) {
        free(copy);
        return NULL;
    }
    strcpy(copy, path);
    more[model->source_count].path = copy;
    return &more[model->source_count++];
}

enum status model_part_costs(struct model *model, struct error *error)
{
    struct parameter *parted = calloc(model->parameter_count + 1, sizeof(*parted));
    size_t count = 0;

    if (!parted)
        return error_out_of_memory(error);
    for (unsigned costs = 0; costs < 2; costs++) {
        for (size_t i = 0; i < model->parameter_count; i++) {
            model->parameter[i].is_cost = model->parameter[i].rows == 1;
            if (model->parameter[i].is_cost == (costs == 1))
                parted[count++] = model->parameter[i];
        }
    }
    free(model->parameter);
    model->parameter = parted;
    model->named = 0;
    return STATUS_OK;
}

static int by_name(const void *left, const void *right)
{
    const struct parameter *a = *(const struct parameter *const *)left;
    const struct parameter *b = *(const struct parameter *const *)right;
    int order = strcmp(a->name, b->name);

    return order ? order : (a > b) - (a < b);
}

enum status model_index(struct model *model, struct error *error)
{
    const struct parameter **sorted = calloc(model->parameter_count + 1, sizeof(*sorted));
    size_t *more = realloc(model->by_name, (model->parameter_count + 1) * sizeof(*more));

    if (more)
        model->by_name = more;
    if (!sorted || !more) {
        free(sorted);
        return error_out_of_memory(error);
    }
    for (size_t i = 0; i < model->parameter_count; i++)
        sorted[i] = &model->parameter[i];
    qsort(sorted, model->parameter_count, sizeof(*sorted), by_name);
    for (size_t i = 0; i < model->parameter_count; i++)
        more[i] = (size_t)(sorted[i] - model->parameter);
    model->named = model->parameter_count;
    free(sorted);
    return STATUS_OK;
}

static const struct parameter *find_named(const struct model *model, const char *name)
{
    size_t low = 0, high = model->named;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (strcmp(model->parameter[model->by_name[middle]].name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == model->named || strcmp(model->parameter[model->by_name[low]].name, name) != 0)
        return NULL;
    return &model->parameter[model->by_name[low]];
}

const struct parameter *model_find(const struct model *model, const char *format, ...)
{
    char name[MODEL_NAME_BYTES];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(name, sizeof(name), format, arguments);
    va_end(arguments);
    const struct parameter *found = find_named(model, name);
    for (size_t i = model->named; !found && i < model->parameter_count; i++) {
        if (!strcmp(model->parameter[i].name, name))
            found = &model->parameter[i];
    }
    bool is_ignored = found && found->is_cost && model->costs_of && found->worst[0] &&
                      strcmp(found->worst, model->costs_of) != 0;
    return is_ignored ? NULL : found;
}

const char *model_time_unit(const struct model *model)
{
    return isfinite(model->clock_mhz) ? "cycles" : "ns";
}

double model_value(const struct parameter *parameter, double absent)
{
    if (!parameter)
        return absent;
    return parameter->below_resolution ? 0.0 : parameter->value;
}

static void print_value(FILE *out, const struct parameter *p)
{
    if (p->below_resolution)
        fprintf(out, "%-56s below resolution, < %.4g %s", p->name, p->interval.high, p->unit);
    else
        fprintf(out, "%-56s %.5g %s [%.5g, %.5g]", p->name, p->value, p->unit, p->interval.low,
                p->interval.high);
}

static void print_parameter(FILE *out, const struct parameter *p)
{
    print_value(out, p);
    fprintf(out, ", %zu row%s", p->rows, p->rows == 1 ? "" : "s");
    if (isfinite(p->left_out_error))
        fprintf(out, ", left-out error %.3g", p->left_out_error);
    if (isfinite(p->left_out_share))
        fprintf(out, " (%.2g %%)", 100.0 * p->left_out_share);
    if (p->worst[0])
        fprintf(out, ", worst %+.3g at %s", p->worst_residual, p->worst);
    fputc('\n', out);
}

static void print_costs(FILE *out, const struct model *model)
{
    size_t first = 0;

    while (first < model->parameter_count && !model->parameter[first].is_cost)
        first++;
    if (first == model->parameter_count)
        return;
    fprintf(out, "Table of %zu costs, each from a single row: they predict no other row\n",
            model->parameter_count - first);
    for (size_t i = first; i < model->parameter_count; i++) {
        print_value(out, &model->parameter[i]);
        fputc('\n', out);
    }
}

const struct margin *model_margin(const struct model *model, const char *mechanism)
{
    for (size_t i = 1; mechanism && i < model->margin_count; i++) {
        if (!strcmp(model->margin[i].mechanism, mechanism))
            return &model->margin[i];
    }
    return model->margin_count ? &model->margin[0] : NULL;
}

static void print_margins(FILE *out, const struct model *model)
{
    for (size_t i = 0; i < model->margin_count; i++) {
        const struct margin *m = &model->margin[i];

        if (!m->rows) /* what it is of comes from other kinds of time */
            continue;
        fprintf(
            out,
            "by machine code, %zu rows%s%s%s took %.3g times as long as predicted, in the middle; "
            "beyond what figures explain, nine of ten from %.1f %% less to %.1f %% more\n",
            m->rows, i ? " with time in \"" : "", i ? m->mechanism : "", i ? "\"" : "", m->median,
            100.0 * (1.0 - 1.0 / m->shorter), 100.0 * (m->longer - 1.0));
    }
}

static void print_calibrations(FILE *out, const struct model *model)
{
    for (size_t i = 0; i < model->calibration_count; i++) {
        const struct calibration *c = &model->calibration[i];

        fprintf(out,
                "no parameter tells %s: with %.4g (%.4g to %.4g) %zu rows are predicted %.1f %% "
                "off, in the middle\n",
                c->figure, c->value, c->interval.low, c->interval.high, c->rows, 100.0 * c->off);
    }
}

static void print_barriers(FILE *out, const struct model *model)
{
    for (size_t i = 0; i < model->barrier_count; i++) {
        const struct barrier_excess *b = &model->barrier[i];

        fprintf(out,
                "a barrier of %u hardware threads takes %.4g cycles %s than barrier_latency and "
                "gateway_interval say, by %zu rows\n",
                b->threads, fabs(b->cycles), b->cycles < 0.0 ? "less" : "more", b->rows);
    }
}

/* A line for each kernel, of the launches that are there. */
static void print_launches(FILE *out, const struct model *model)
{
    for (size_t i = 0; i < model->launch_count; i++) {
        const struct measured_launch *first = &model->launch[i];
        size_t count = 0, before = 0;

        for (size_t j = 0; j < model->launch_count; j++) {
            bool same = !strcmp(model->launch[j].kernel, first->kernel);

            count += same;
            before += same && j < i;
        }
        if (!before)
            fprintf(out, "%s: %zu measured launch%s, from which predictions of it start\n",
                    first->kernel, count, count == 1 ? "" : "es");
    }
}

void model_print(FILE *out, const struct model *model)
{
    fprintf(out, "%s, %s, driver %s\n", model->device_name,
            device_kind_is_emulated(model->device_kind)
                ? "EMULATED: the emulator's figures, not measured on a GPU"
                : "hardware",
            model->driver_version);
    for (size_t i = 0; i < model->parameter_count && !model->parameter[i].is_cost; i++)
        print_parameter(out, &model->parameter[i]);
    print_costs(out, model);
    for (size_t i = 0; i < model->absence_count; i++)
        fprintf(out, "no %s: %s\n    %s\n", model->absence[i].name, model->absence[i].why,
                model->absence[i].command);
    print_calibrations(out, model);
    print_barriers(out, model);
    print_launches(out, model);
    print_margins(out, model);
    for (size_t i = 0; i < model->source_count; i++)
        fprintf(out, "%s: %zu rows, %zu used, %zu not ok\n", model->source[i].path,
                model->source[i].rows, model->source[i].used, model->source[i].unusable);
}
