#include "sweep/plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The axis values as numbers, for one sub-group size. */
struct grid {
    unsigned numbers[AXES_MAX][AXIS_VALUES_MAX];
    size_t counts[AXES_MAX];
    size_t points;
};

/* Removes numbers outside the limits of the axis. */
static enum status check_numbers(struct grid *grid, const struct family *family, size_t axis,
                                 bool asked, struct plan_gap *gap, struct error *error)
{
    size_t kept = 0;

    for (size_t i = 0; i < grid->counts[axis]; i++) {
        unsigned number = grid->numbers[axis][i];

        if (axis_check_number(&family->axes[axis], number, error) == STATUS_OK)
            grid->numbers[axis][kept++] = number;
        else if (asked)
            return STATUS_USAGE;
        else
            plan_leave_out(gap, family, error);
    }
    grid->counts[axis] = kept;
    return STATUS_OK;
}

static enum status make_grid(struct grid *grid, const struct family *family,
                             const struct family_axes *axes, struct axis_units units,
                             unsigned subgroup_size, struct plan_gap *gap, struct error *error)
{
    enum status status = STATUS_OK;

    units.subgroup_size = subgroup_size;
    grid->numbers[AXIS_SUBGROUP_SIZE][0] = subgroup_size;
    grid->counts[AXIS_SUBGROUP_SIZE] = 1;
    grid->points = 1;
    for (size_t i = AXIS_WORKGROUP_SIZE; status == STATUS_OK && i < family->axis_count; i++) {
        grid->counts[i] = axis_resolve(&axes->values[i], &units, grid->numbers[i]);
        status = check_numbers(grid, family, i, axes->asked[i], gap, error);
        grid->points *= grid->counts[i];
    }
    return status;
}

static struct configuration grid_point(const struct grid *grid, size_t axis_count, size_t point)
{
    unsigned numbers[AXES_MAX] = {0};
    struct configuration configuration = {0};

    for (size_t i = axis_count; i-- > 0;) {
        numbers[i] = grid->numbers[i][point % grid->counts[i]];
        point /= grid->counts[i];
    }
    configuration.subgroup_size = numbers[AXIS_SUBGROUP_SIZE];
    configuration.workgroup_size = numbers[AXIS_WORKGROUP_SIZE];
    configuration.workgroup_count = numbers[AXIS_WORKGROUP_COUNT];
    memcpy(configuration.own, numbers + COMMON_AXES, sizeof(configuration.own));
    return configuration;
}

static enum status add_grid(struct plan *plan, const struct grid *grid, size_t axis_count,
                            struct error *error)
{
    struct configuration *more = realloc(plan->configurations, (plan->count + grid->points + 1) *
                                                                   sizeof(*plan->configurations));

    if (!more)
        return error_out_of_memory(error);
    plan->configurations = more;
    for (size_t p = 0; p < grid->points; p++)
        plan->configurations[plan->count++] = grid_point(grid, axis_count, p);
    return STATUS_OK;
}

/* Replaces the values of the axes by those of a point. */
static enum status take_point(struct family_axes *axes, const struct family *family,
                              const char *point, struct error *error)
{
    enum status status = STATUS_OK;

    for (size_t i = 0; i < family->axis_count; i++)
        axes->values[i].count = 1;
    while (status == STATUS_OK && *point) {
        size_t bytes = strcspn(point, " "), name = strcspn(point, "=");
        const struct axis *axis = family_find_axis(family, point, name);
        char value[32] = "";

        if (axis && name < bytes)
            snprintf(value, sizeof(value), "%.*s", (int)(bytes - name - 1), point + name + 1);
        status = value[0] ? axis_parse(axis, value, &axes->values[axis - family->axes], error)
                          : error_set(error, STATUS_USAGE, "family %s has no point '%s'",
                                      family->name, point);
        point += bytes;
        point += strspn(point, " ");
    }
    return status;
}

static bool has(const struct plan *plan, size_t count, const struct configuration *configuration)
{
    for (size_t i = 0; i < count; i++) {
        if (!memcmp(&plan->configurations[i], configuration, sizeof(*configuration)))
            return true;
    }
    return false;
}

/* Drops those from `first` on that the plan has already: on some devices a point in units of the
 * device, such as half its cache, is one in numbers as well. */
static void drop_repeated(struct plan *plan, size_t first)
{
    size_t kept = first;

    for (size_t i = first; i < plan->count; i++) {
        if (!has(plan, kept, &plan->configurations[i]))
            plan->configurations[kept++] = plan->configurations[i];
    }
    plan->count = kept;
}

static enum status add_point(struct plan *plan, const struct family *family,
                             const struct family_axes *axes, const char *point,
                             const struct axis_units *units, struct grid *grid,
                             struct plan_gap *gap, struct error *error)
{
    struct family_axes *one = malloc(sizeof(*one));
    unsigned size[AXIS_VALUES_MAX];
    size_t before = plan->count;
    enum status status = STATUS_OK;

    if (!one)
        return error_out_of_memory(error);
    *one = *axes;
    status = take_point(one, family, point, error);
    if (status == STATUS_OK) {
        axis_resolve(&one->values[AXIS_SUBGROUP_SIZE], units, size);
        status = make_grid(grid, family, one, *units, size[0], gap, error);
    }
    if (status == STATUS_OK)
        status = add_grid(plan, grid, family->axis_count, error);
    if (status == STATUS_OK)
        drop_repeated(plan, before);
    free(one);
    return status;
}

static enum status add_points(struct plan *plan, const struct family *family,
                              const struct family_axes *axes, const char *const *points,
                              const struct axis_units *units, struct grid *grid,
                              struct plan_gap *gap, struct error *error)
{
    enum status status = STATUS_OK;

    for (size_t i = 0; status == STATUS_OK && points[i]; i++)
        status = add_point(plan, family, axes, points[i], units, grid, gap, error);
    return status;
}

static enum status shuffle(struct plan *plan, uint64_t seed, struct error *error)
{
    struct configuration *shuffled = calloc(plan->count + 1, sizeof(*shuffled));
    size_t *order = calloc(plan->count + 1, sizeof(*order));
    enum status status = STATUS_OK;

    if (shuffled && order) {
        struct prng prng;

        prng_seed(&prng, seed);
        prng_permutation(&prng, order, plan->count);
        for (size_t i = 0; i < plan->count; i++)
            shuffled[i] = plan->configurations[order[i]];
        free(plan->configurations);
        plan->configurations = shuffled;
        shuffled = NULL;
    } else {
        status = error_out_of_memory(error);
    }
    free(shuffled);
    free(order);
    return status;
}

/* The driver keeps some of the memory for itself. */
#define USABLE_MEMORY 0.8

/* On a device that shares the host's memory, the host's two sides of a buffer, before and after a
 * launch, are in it too. */
#define SIDES_OF_A_BUFFER 3

enum status plan_check_memory(const struct device *device, const struct family *family,
                              const struct configuration *configuration, struct error *error)
{
    size_t local = family->argument_slm_bytes ? family->argument_slm_bytes(configuration) : 0;
    double global = (double)family_buffer_bytes(family, configuration);
    double there = (double)device->memory_bytes * USABLE_MEMORY;

    if (device->is_integrated)
        there /= SIDES_OF_A_BUFFER;
    if (local > device->max_slm_bytes)
        return error_set(error, STATUS_UNSUPPORTED,
                         "a work-group of %u takes %zu bytes of local memory, the device has %u",
                         configuration->workgroup_size, local, device->max_slm_bytes);
    if (device->memory_bytes && global > there)
        return error_set(error, STATUS_UNSUPPORTED,
                         "its buffers take %.0f MiB, the device has %.0f MiB for them",
                         global / 1048576.0, there / 1048576.0);
    return STATUS_OK;
}

void plan_leave_out(struct plan_gap *gap, const struct family *family, const struct error *error)
{
    if (gap->count++ == 0)
        snprintf(gap->reason, sizeof(gap->reason), "%s: %.900s", family->name, error->text);
}

enum status plan_make(struct plan *plan, const struct family *family,
                      const struct family_axes *axes, const struct device *device, uint64_t seed,
                      struct plan_gap *gap, struct error *error)
{
    struct axis_units units = {1, device_xe_cores(device),
                               device_xe_cores(device) * device_threads_per_xe_core(device),
                               device->cache_bytes};
    struct grid *grid = malloc(sizeof(*grid));
    unsigned sizes[AXIS_VALUES_MAX];
    size_t count = axis_resolve(&axes->values[AXIS_SUBGROUP_SIZE], &units, sizes);
    enum status status = STATUS_OK;

    plan->configurations = NULL;
    plan->count = 0;
    if (!grid)
        status = error_out_of_memory(error);
    for (size_t i = 0; status == STATUS_OK && i < count; i++) {
        status = make_grid(grid, family, axes, units, sizes[i], gap, error);
        if (status == STATUS_OK)
            status = add_grid(plan, grid, family->axis_count, error);
    }
    if (status == STATUS_OK && axes->has_points)
        status = add_points(plan, family, axes, family->points, &units, grid, gap, error);
    if (status == STATUS_OK && axes->has_default_points)
        status = add_points(plan, family, axes, family->default_points, &units, grid, gap, error);
    if (status == STATUS_OK)
        status = shuffle(plan, seed, error);
    free(grid);
    return status;
}

void plan_free(struct plan *plan)
{
    free(plan->configurations);
    plan->configurations = NULL;
    plan->count = 0;
}
