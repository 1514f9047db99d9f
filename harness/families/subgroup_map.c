/* Family `subgroup_map`: which work-item is in which sub-group and on which lane, shown as a map
 * and checked.
 * Alone, with the map: vebench run subgroup_map --show --axis subgroup_size=16 --axis
 * workgroup_size=11
 *
 * A work-group here is workgroup_size x size_y x size_z work-items. Sub-groups are filled along one
 * dimension, then another, then the third; the last one of a work-group holds the remainder. So a
 * work-group of 7 with sub-groups of at most 16 is one sub-group with size 7 and maximum size 16.
 * The value is the number of sub-groups found in a work-group.
 *
 * Usually x comes first. But where hardware generates the local ids, it walks powers of two, and
 * where x is not one a driver is free to put another dimension first: Intel's does so from Xe-HPG
 * on, for kernels that do not require a particular order (compute-runtime,
 * EncodeDispatchKernel::isRuntimeLocalIdsGenerationRequired). x_distance tells which order was
 * used. */
#include "family/common-axes.h"
#include "family/verify.h"
#include "measure/launch.h"

enum { OWN_SIZE_Y, OWN_SIZE_Z };

/* The arrays in the kernel's buffer, in order. */
enum { FIELD_ID, FIELD_LANE, FIELD_SIZE, FIELD_MAX_SIZE, FIELD_COUNT, FIELDS };

static const char *const field_names[FIELDS] = {"get_sub_group_id()", "get_sub_group_local_id()",
                                                "get_sub_group_size()", "get_max_sub_group_size()",
                                                "get_num_sub_groups()"};

extern const struct family family_subgroup_map; /* at the end */

/* What a variant observes, and where. */
enum subgroup_map { REQUIRED, COMPILER_CHOSEN, X_DISTANCE, CUBE };

static bool is(const struct variant *variant, enum subgroup_map map)
{
    return *(const enum subgroup_map *)variant->own == map;
}

/* The cube: a range of 8 x 8 x 8 in work-groups of 4 x 4 x 4. */
#define CUBE_SIDE   4u
#define CUBE_GROUPS 2u

/* The orders in which dimensions can be walked when sub-groups are filled. */
static const uint8_t orders[][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                    {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};

static uint32_t items_of(const struct configuration *c)
{
    return c->workgroup_size * c->own[OWN_SIZE_Y] * c->own[OWN_SIZE_Z];
}

static void map_geometry(const struct launch *launch, struct geometry *geometry)
{
    if (is(launch->variant, CUBE)) {
        for (int d = 0; d < 3; d++) {
            geometry->size[d] = CUBE_SIDE;
            geometry->count[d] = CUBE_GROUPS;
        }
        return;
    }
    geometry->size[1] = launch->configuration.own[OWN_SIZE_Y];
    geometry->size[2] = launch->configuration.own[OWN_SIZE_Z];
}

static size_t map_bytes(const struct configuration *configuration)
{
    size_t places = (size_t)items_of(configuration) * configuration->workgroup_count;

    return FIELDS * places * sizeof(uint32_t);
}

static const struct buffer_plan buffers[] = {{"map", BUFFER_OUTPUT, map_bytes}};

static void map_arguments(const struct workspace *workspace, const struct launch *launch,
                          struct arguments *arguments)
{
    (void)workspace;
    (void)launch;
    (void)arguments;
}

/* The position of work-item `place`, counted with x fastest, in a work-group whose dimensions are
 * walked in `order`. */
static uint32_t walked(const uint32_t size[3], const uint8_t order[3], uint32_t place)
{
    uint32_t id[3] = {place % size[0], place / size[0] % size[1], place / size[0] / size[1]};

    return id[order[0]] + size[order[0]] * (id[order[1]] + size[order[1]] * id[order[2]]);
}

/* The expected value of a field for the work-item at position `walked_place` of the walk. */
static uint32_t expected(const struct configuration *c, int field, uint32_t walked_place)
{
    uint32_t items = items_of(c);
    uint32_t first = walked_place - walked_place % c->subgroup_size;

    switch (field) {
    case FIELD_ID:
        return walked_place / c->subgroup_size;
    case FIELD_LANE:
        return walked_place - first;
    case FIELD_SIZE:
        return items - first < c->subgroup_size ? items - first : c->subgroup_size;
    case FIELD_MAX_SIZE:
        return c->subgroup_size;
    default:
        return (items + c->subgroup_size - 1) / c->subgroup_size;
    }
}

static enum status compare(const uint32_t *found, const struct launch *launch,
                           const uint8_t order[3], struct error *error)
{
    const struct configuration *c = &launch->configuration;
    struct geometry geometry = family_geometry(&family_subgroup_map, launch);
    const uint32_t *size = geometry.size;
    uint32_t items = items_of(c);

    for (int field = 0; field < FIELDS; field++) {
        for (uint32_t i = 0; i < items * c->workgroup_count; i++, found++) {
            uint32_t wanted = expected(c, field, walked(size, order, i % items));

            if (*found != wanted) {
                return error_set(error, STATUS_FAILED,
                                 "work-item %u of work-group %u: %s is %u, but by its position it "
                                 "should be %u",
                                 (unsigned)(i % items), (unsigned)(i / items), field_names[field],
                                 (unsigned)*found, (unsigned)wanted);
            }
        }
    }
    return STATUS_OK;
}

/* Finds the order of dimensions that the map follows, as an index into `orders`. STATUS_FAILED
 * where it follows none, with the mismatch for the order x, y, z. */
static enum status find_order(const struct workspace *workspace, const struct launch *launch,
                              size_t *order, struct error *error)
{
    enum status status = compare(workspace->buffers[0].result, launch, orders[0], error);
    struct error other;

    for (*order = 0; status != STATUS_OK && *order + 1 < sizeof(orders) / sizeof(orders[0]);) {
        if (compare(workspace->buffers[0].result, launch, orders[++*order], &other) == STATUS_OK)
            status = STATUS_OK;
    }
    return status;
}

static enum status map_verify(struct workspace *workspace, const struct launch *launch,
                              struct error *error)
{
    size_t order;

    return find_order(workspace, launch, &order, error);
}

static enum status map_check(const struct device *device, const struct configuration *c,
                             const struct variant *variant, struct error *error)
{
    (void)device;
    if (is(variant, X_DISTANCE) && c->workgroup_size == 1)
        return error_set(error, STATUS_EXCLUDED, "no work-item has a neighbour along x");
    if (is(variant, CUBE) &&
        (c->workgroup_size != CUBE_SIDE * CUBE_SIDE * CUBE_SIDE || c->own[OWN_SIZE_Y] != 1 ||
         c->own[OWN_SIZE_Z] != 1 || c->workgroup_count != CUBE_GROUPS * CUBE_GROUPS * CUBE_GROUPS))
        return error_set(error, STATUS_EXCLUDED, "the cube has 8 work-groups of 64");
    return STATUS_OK;
}

static enum status map_observe(struct workspace *workspace, const struct kernel *kernel,
                               const struct launch *launch, double *value, struct error *error)
{
    const struct configuration *c = &launch->configuration;
    uint32_t items = items_of(c);
    const uint32_t *ids = workspace->buffers[0].result;
    const uint32_t *lanes = ids + (size_t)items * c->workgroup_count;
    struct launch_time time;
    enum status status = launch_execute(workspace, &time, error);

    (void)kernel;
    *value = 0.0;
    if (status == STATUS_OK && is(launch->variant, X_DISTANCE))
        *value = (double)(ids[1] * c->subgroup_size + lanes[1]) - (double)lanes[0];
    /* In work-group 0: each sub-group has one lane 0. */
    for (uint32_t i = 0; status == STATUS_OK && !is(launch->variant, X_DISTANCE) && i < items; i++)
        *value += lanes[i] == 0;
    return status;
}

/* Shows one row of a work-group, x from 0, as runs of neighbours on equally spaced lanes of a
 * sub-group. */
static void show_row(FILE *out, const uint32_t *ids, const uint32_t *lanes, uint32_t width)
{
    const char *separator = "";

    for (uint32_t first = 0, next; first < width; first = next) {
        for (next = first + 1; next < width && ids[next] == ids[first] &&
                               lanes[next] - lanes[next - 1] == lanes[first + 1] - lanes[first];
             next++)
            continue;
        fprintf(out, "%s x %u", separator, (unsigned)first);
        if (next - first > 1)
            fprintf(out, "-%u", (unsigned)(next - 1));
        fprintf(out, ": sub-group %u, lane %u", (unsigned)ids[first], (unsigned)lanes[first]);
        if (next - first > 1)
            fprintf(out, "-%u", (unsigned)lanes[next - 1]);
        if (next - first > 1 && lanes[first + 1] - lanes[first] != 1)
            fprintf(out, " by %u", (unsigned)(lanes[first + 1] - lanes[first]));
        separator = ";";
    }
    fputc('\n', out);
}

static void map_show(const struct workspace *workspace, const struct launch *launch, FILE *out)
{
    const struct configuration *c = &launch->configuration;
    const uint32_t *map = workspace->buffers[0].result;
    size_t total = (size_t)items_of(c) * c->workgroup_count, order = 0;
    struct geometry geometry = family_geometry(&family_subgroup_map, launch);
    uint32_t width = geometry.size[0], height = geometry.size[1], depth = geometry.size[2];
    struct error ignored;

    if (is(launch->variant, X_DISTANCE))
        return;
    find_order(workspace, launch, &order, &ignored);
    fprintf(out, "%s, work-group of %u x %u x %u: %u sub-groups of at most %u, along %c, %c, %c\n",
            is(launch->variant, COMPILER_CHOSEN) ? "size chosen by the compiler" : "required size",
            (unsigned)width, (unsigned)height, (unsigned)depth, (unsigned)map[FIELD_COUNT * total],
            (unsigned)map[FIELD_MAX_SIZE * total], "xyz"[orders[order][0]], "xyz"[orders[order][1]],
            "xyz"[orders[order][2]]);
    for (uint32_t row = 0; row < height * depth; row++) {
        fprintf(out, "  y %u z %u |", (unsigned)(row % height), (unsigned)(row / height));
        show_row(out, map + row * width, map + total + row * width, width);
    }
}

static const struct axis axes[] = {
    SUBGROUP_SIZE_AXIS,
    {.name = "workgroup_size",
     .means = "work-items of a work-group along x",
     .defaults = "1,7,11,16,33,64",
     .quick = "7,11,33",
     .full = "1:40:+1,63,64,65,127,128,255,256,512,1024",
     .kind = AXIS_COUNT,
     .least = 1,
     .largest = 1024},
    WORKGROUP_COUNT_AXIS("8", NULL, "1,2,3,8,C"),
    {.name = "size_y",
     .means = "work-items of a work-group along y",
     .defaults = "1,3",
     .full = "1,2,3,4,8",
     .kind = AXIS_COUNT,
     .least = 1,
     .largest = 1024},
    {.name = "size_z",
     .means = "work-items of a work-group along z",
     .defaults = "1,2",
     .full = "1,2,3",
     .kind = AXIS_COUNT,
     .least = 1,
     .largest = 64},
};

static const struct variant variants[] = {
    {.name = "required",
     .own = &(const enum subgroup_map){REQUIRED},
     .entry_point = "subgroup_map_required",
     .means = "the kernel requires the sub-group size",
     .unit = "sub-groups",
     .estimator = ESTIMATOR_OBSERVE,
     .instructions = {"store\\.ugm", "surface write"}},
    {.name = "compiler_chosen",
     .own = &(const enum subgroup_map){COMPILER_CHOSEN},
     .entry_point = "subgroup_map_any_size",
     .means = "the kernel leaves the size to the compiler: one of the sizes has rows",
     .unit = "sub-groups",
     .estimator = ESTIMATOR_OBSERVE,
     .any_size = true,
     .instructions = {"store\\.ugm", "surface write"}},
    {.name = "x_distance",
     .own = &(const enum subgroup_map){X_DISTANCE},
     .entry_point = "subgroup_map_required",
     .means = "lanes from a work-item to its neighbour along x: 1 where sub-groups run along x",
     .unit = "lanes",
     .estimator = ESTIMATOR_OBSERVE,
     .instructions = {"store\\.ugm", "surface write"}},
    {.name = "cube",
     .own = &(const enum subgroup_map){CUBE},
     .entry_point = "subgroup_map_required",
     .means = "a range of 8 x 8 x 8 in work-groups of 4 x 4 x 4",
     .unit = "sub-groups",
     .estimator = ESTIMATOR_OBSERVE,
     .instructions = {"store\\.ugm", "surface write"}},
};

const struct family family_subgroup_map = {
    .name = "subgroup_map",
    .is_held_out = true,
    .measures = "the place of each work-item: sub-group and lane",
    .unit = "sub-groups",
    .baseline_unit = "sub-groups",
    .axes = axes,
    .axis_count = sizeof(axes) / sizeof(axes[0]),
    .variants = variants,
    .variant_count = sizeof(variants) / sizeof(variants[0]),
    .buffers = buffers,
    .buffer_count = sizeof(buffers) / sizeof(buffers[0]),
    .geometry = map_geometry,
    .check = map_check,
    .arguments = map_arguments,
    .verify = map_verify,
    .observe = map_observe,
    .show = map_show,
};
