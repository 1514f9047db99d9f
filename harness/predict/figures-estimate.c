#include "predict/figures-estimate.h"

#include "model/parameter-name.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* False where there is no parameter that can be told from 0. */
static bool take_parameter(struct figure_estimate *e, const struct parameter *p)
{
    if (!p || p->below_resolution)
        return false;
    *e = (struct figure_estimate){.value = p->value, .range = p->interval};
    memcpy(e->parameter, p->name, sizeof(e->parameter));
    return true;
}

void figure_scale(struct figure_estimate *e, double factor)
{
    e->value *= factor;
    e->range.low *= factor;
    e->range.high *= factor;
}

/* A parameter of a variant, times `factor`. */
static bool take_scaled(const struct figure_input *input, struct figure_estimate *e,
                        const char *family, const char *variant, unsigned subgroup_size,
                        const char *term, double factor)
{
    bool found =
        take_parameter(e, parameter_find(input->model, family, variant, subgroup_size, term));

    figure_scale(e, found ? factor : 1.0);
    return found;
}

bool figure_time(const struct figure_input *input, struct figure_estimate *e, const char *family,
                 const char *variant, unsigned subgroup_size, const char *term)
{
    return take_scaled(input, e, family, variant, subgroup_size, term, input->cycles);
}

bool figure_value(const struct figure_input *input, struct figure_estimate *e, const char *name)
{
    return take_parameter(e, model_find(input->model, "%s", name));
}

void figure_shift(struct figure_estimate *e, double by)
{
    e->value += by;
    e->range.low += by;
    e->range.high += by;
}

void figure_combine(struct figure_estimate *e, double times, const struct figure_estimate *other)
{
    double below = e->value - e->range.low, above = e->range.high - e->value;
    double other_below = other->value - other->range.low;
    double other_above = other->range.high - other->value;

    e->value += times * other->value;
    below = hypot(below, times * (times < 0.0 ? other_above : other_below));
    above = hypot(above, times * (times < 0.0 ? other_below : other_above));
    e->range = (struct interval){e->value - below, e->value + above};
}

void figure_invert(struct figure_estimate *estimate, double numerator)
{
    struct interval range = estimate->range;

    estimate->value = numerator / estimate->value;
    estimate->range = (struct interval){numerator / range.high, numerator / range.low};
}

void figure_exact(struct figure_estimate *e, double value)
{
    e->value = e->range.low = e->range.high = value;
}

double figure_xe_cores(const struct figure_input *input)
{
    return (double)(input->device->slices * input->device->xe_cores_per_slice);
}

/* The estimate, times `factor`, of the sub-group size where it is least or, with a `sign` of -1,
 * most. */
static bool find_extreme(const struct figure_input *input, struct figure_estimate *extreme,
                         const char *family, const char *variant, const char *term, double factor,
                         double sign)
{
    bool found = false;

    for (unsigned size = 8; size <= 32; size *= 2) {
        struct figure_estimate e;

        if (!take_scaled(input, &e, family, variant, size, term, factor) ||
            (found && sign * e.value >= sign * extreme->value))
            continue;
        *extreme = e;
        found = true;
    }
    return found;
}

bool figure_least(const struct figure_input *input, struct figure_estimate *estimate,
                  const char *family, const char *variant, const char *term)
{
    return find_extreme(input, estimate, family, variant, term, input->cycles, 1.0);
}

bool figure_most(const struct figure_input *input, struct figure_estimate *estimate,
                 const char *family, const char *variant, const char *term)
{
    return find_extreme(input, estimate, family, variant, term, 1.0 / input->cycles, -1.0);
}

bool figure_found(const struct figure_input *input, enum vesim_figure_index figure,
                  struct figure_estimate *e)
{
    *e = input->found[figure];
    return e->parameter[0] != '\0';
}

double figure_memory_lines(const struct vesim_device *device)
{
    return ((double)device->memory_bandwidth * (double)device->memory_efficiency / 100.0 -
            (double)device->processor_traffic) *
           1000.0 / (double)device->core_clock / (double)device->line_bytes;
}
