/* Families `memory_8` to `memory_64`: the time to load, store and copy a KiB, by the pattern in
 * which the lanes of a sub-group go through it. One family alone, on a full Xe-core: vebench run
 * memory_32 --axis workgroup_size=512 --axis working_set=64K
 *
 * All work-items together go through the working set in steps of 16 elements each, and start over
 * at its end; an iteration covers all of it. The working set decides where the data is found,
 * workgroup_size and workgroup_count how much is in flight at a time. The value is the time of the
 * whole loop: its overhead hides behind the accesses, and variant `none`, which is the overhead
 * alone, shows how much can hide. GB/s, bytes per clock and lines per message are in the CSV.
 * spirv_kernels/memory-patterns.h has the patterns. */
#include "families/memory/memory-patterns.h"

#include "family/verify.h"

#include <string.h>

/* Bytes that all work-items together access in a turn. */
static uint64_t turn_bytes(const struct memory_walk *walk)
{
    return (uint64_t)walk->items * MEMORY_ITEMS * walk->stride * walk->width;
}

/* An odd number, so that a power of two of turns never ends where it began. 0 where there are too
 * few bytes for a step. */
static uint32_t steps_in(uint32_t bytes, const struct memory_walk *walk)
{
    uint32_t steps = (uint32_t)(bytes / turn_bytes(walk));

    return steps ? (steps - 1) | 1u : 0;
}

static struct memory_walk walk_of(const struct memory_variant *variant,
                                  const struct configuration *c)
{
    uint32_t bytes = c->own[MEMORY_OWN_WORKING_SET];
    struct memory_walk walk = {
        .operation = variant->operation,
        .pattern = variant->pattern,
        .width = variant->width,
        .lanes = c->subgroup_size,
        .items = c->workgroup_size * c->workgroup_count,
        .stride = variant->pattern == MEMORY_STRIDED ? c->own[MEMORY_OWN_STRIDE] : 1,
    };

    /* The destination of a copy is one step longer, so that the effect of every turn remains
     * visible. */
    walk.steps = steps_in(walk.operation == MEMORY_COPY ? bytes / 2 : bytes, &walk);
    walk.dst_steps = walk.operation == MEMORY_COPY ? walk.steps + 1 : walk.steps;
    return walk;
}

/* Turns of the loop per iteration, the same for all variants. */
static uint32_t turns_of(const struct memory_variant *variant, const struct configuration *c)
{
    const struct memory_variant loop = {true, MEMORY_LOAD, MEMORY_SUBGROUP, variant->width};

    return walk_of(&loop, c).steps;
}

enum status memory_check(const struct device *device, const struct configuration *c,
                         const struct variant *variant, struct error *error)
{
    const struct memory_variant *own = variant->own;
    struct memory_walk walk = walk_of(own, c);

    (void)device;
    if (c->workgroup_size < c->subgroup_size)
        return error_set(error, STATUS_EXCLUDED, "a work-group smaller than a sub-group");
    if (!own->is_loop && walk.pattern != MEMORY_STRIDED && c->own[MEMORY_OWN_STRIDE] != 1)
        return error_set(error, STATUS_EXCLUDED, "the same at any stride: measured at 1");
    if (walk.steps == 0) {
        return error_set(error, STATUS_EXCLUDED,
                         "all work-items together take %llu bytes at a time, the working set has "
                         "%u%s",
                         (unsigned long long)turn_bytes(&walk), c->own[MEMORY_OWN_WORKING_SET],
                         walk.operation == MEMORY_COPY ? ", half for the source of a copy" : "");
    }
    return STATUS_OK;
}

void memory_work(const struct configuration *c, const struct variant *variant, struct work *work)
{
    const struct memory_variant *own = variant->own;
    struct memory_walk walk = walk_of(own, c);
    double turns = turns_of(own, c);

    if (own->is_loop || walk.steps == 0)
        return;
    struct memory_messages of_turn = memory_messages(&walk);
    work->bytes = turns * walk.items * MEMORY_ITEMS * walk.width;
    if (walk.operation == MEMORY_COPY)
        work->bytes *= 2;
    work->units = work->bytes / 1024.0;
    work->messages = turns * of_turn.messages;
    work->lines = turns * of_turn.lines;
}

static uint32_t random_below(void *context, uint32_t limit)
{
    return prng_below(context, limit);
}

size_t memory_set_bytes(const struct configuration *c)
{
    return c->own[MEMORY_OWN_WORKING_SET];
}

size_t memory_offset_bytes(const struct configuration *c)
{
    return configuration_items(c) * MEMORY_ITEMS * sizeof(uint32_t);
}

void memory_fill_offsets(uint32_t width, enum memory_operation operation,
                         struct workspace *workspace, const struct configuration *c,
                         struct buffer *buffer)
{
    const struct memory_variant gather = {false, operation, MEMORY_GATHER, width};
    uint32_t count = (uint32_t)configuration_items(c) * MEMORY_ITEMS;

    memory_make_offsets(buffer->initial, count, walk_of(&gather, c).steps, random_below,
                        &workspace->prng);
}

static size_t offsets_of(const struct memory_walk *walk)
{
    return walk->operation == MEMORY_COPY ? MEMORY_COPY_OFFSETS : MEMORY_OFFSETS;
}

void memory_arguments(const struct workspace *workspace, const struct launch *launch,
                      struct arguments *arguments)
{
    const struct configuration *c = &launch->configuration;
    struct memory_walk walk = walk_of(launch->variant->own, c);

    for (size_t i = MEMORY_SRC; i <= MEMORY_WITNESS; i++)
        argument_buffer(arguments, workspace, i);
    argument_buffer(arguments, workspace, offsets_of(&walk));
    argument_uint(arguments, launch->iterations * turns_of(launch->variant->own, c));
    argument_uint(arguments, memory_total(&walk));
    argument_uint(arguments, memory_total(&walk) * walk.steps);
    argument_uint(arguments, memory_total(&walk) * walk.dst_steps);
    argument_uint(arguments, walk.stride);
}

/* The sum that the loop alone computes: its position in each turn. */
static uint32_t positions_sum(const struct memory_walk *walk, uint32_t turns)
{
    uint32_t passes = turns / walk->steps;
    uint32_t rest = turns % walk->steps;
    uint32_t pass_sum = 0;
    uint32_t rest_sum = 0;

    for (uint32_t step = 0; step < walk->steps; step++) {
        pass_sum += step * memory_total(walk);
        rest_sum += step < rest ? step * memory_total(walk) : 0;
    }
    return passes * pass_sum + rest_sum;
}

static enum status verify_sums(const struct workspace *workspace, const struct memory_walk *walk,
                               const struct launch *launch, uint32_t turns, struct error *error)
{
    const uint32_t *sums = workspace->buffers[MEMORY_SUMS].result;
    const struct memory_variant *own = launch->variant->own;
    uint32_t expected = own->is_loop ? positions_sum(walk, turns) : turns;

    for (uint32_t item = 0; item < walk->items; item++) {
        if (walk->operation == MEMORY_LOAD && !own->is_loop)
            expected = memory_sum(walk, workspace->buffers[MEMORY_SRC].initial, item, turns);
        if (sums[item] != expected) {
            return error_set(error, STATUS_FAILED,
                             "wrong result after %u iterations: sums[%u] is 0x%08x, the host "
                             "computes 0x%08x",
                             (unsigned)launch->iterations, (unsigned)item, (unsigned)sums[item],
                             (unsigned)expected);
        }
    }
    return STATUS_OK;
}

enum status memory_verify(struct workspace *workspace, const struct launch *launch,
                          struct error *error)
{
    const struct configuration *c = &launch->configuration;
    const struct buffer *dst = &workspace->buffers[MEMORY_DST];
    struct memory_walk walk = walk_of(launch->variant->own, c);
    uint32_t turns = launch->iterations * turns_of(launch->variant->own, c);
    void *expected = workspace_scratch(workspace, dst->bytes, error);

    if (!expected)
        return STATUS_FAILED;
    walk.offsets = workspace->buffers[offsets_of(&walk)].initial;
    memcpy(expected, dst->initial, dst->bytes);
    if (walk.operation != MEMORY_LOAD)
        memory_write(&walk, workspace->buffers[MEMORY_SRC].initial, expected, turns);
    enum status status = verify_uints(dst, expected, dst->bytes / sizeof(uint32_t), launch, error);
    return status == STATUS_OK ? verify_sums(workspace, &walk, launch, turns, error) : status;
}
