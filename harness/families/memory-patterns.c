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
#include "families/memory-patterns.h"

#include "measure/verify.h"

#include <stdlib.h>
#include <string.h>

enum { SRC, DST, SUMS, WITNESS, OFFSETS, COPY_OFFSETS };

struct memory_state {
    uint32_t width; /* bytes of an element */
    void *expected; /* same size as DST */
};

static bool is_loop(size_t variant)
{
    return variant == 0;
}

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

static struct memory_walk walk_of(uint32_t width, const struct configuration *c, size_t variant)
{
    uint32_t bytes = c->own[MEMORY_OWN_WORKING_SET];
    struct memory_walk walk = {
        .operation = MEMORY_LOAD,
        .pattern = MEMORY_SUBGROUP,
        .width = width,
        .lanes = c->subgroup_size,
        .items = c->workgroup_size * c->workgroup_count,
        .stride = 1,
    };

    if (!is_loop(variant)) {
        walk.operation = (enum memory_operation)((variant - 1) / MEMORY_PATTERNS);
        walk.pattern = (enum memory_pattern)((variant - 1) % MEMORY_PATTERNS);
    }
    if (walk.pattern == MEMORY_STRIDED)
        walk.stride = c->own[MEMORY_OWN_STRIDE];
    /* The destination of a copy is one step longer, so that the effect of every turn remains
     * visible. */
    walk.steps = steps_in(walk.operation == MEMORY_COPY ? bytes / 2 : bytes, &walk);
    walk.dst_steps = walk.operation == MEMORY_COPY ? walk.steps + 1 : walk.steps;
    return walk;
}

/* Turns of the loop per iteration, the same for all variants. */
static uint32_t turns_of(uint32_t width, const struct configuration *c)
{
    return walk_of(width, c, 0).steps;
}

enum status memory_check(uint32_t width, const struct configuration *c, size_t variant,
                         struct error *error)
{
    struct memory_walk walk = walk_of(width, c, variant);

    if (c->workgroup_size < c->subgroup_size)
        return error_set(error, STATUS_EXCLUDED, "a work-group smaller than a sub-group");
    if (!is_loop(variant) && walk.pattern != MEMORY_STRIDED && c->own[MEMORY_OWN_STRIDE] != 1)
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

void memory_work(uint32_t width, const struct configuration *c, size_t variant, struct work *work)
{
    struct memory_walk walk = walk_of(width, c, variant);
    double turns = turns_of(width, c);

    if (is_loop(variant) || walk.steps == 0)
        return;
    struct memory_messages of_turn = memory_messages(&walk);
    work->bytes = turns * walk.items * MEMORY_ITEMS * width;
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

size_t memory_buffer_bytes(const struct configuration *c)
{
    size_t items = configuration_items(c);

    return 2 *
           ((size_t)c->own[MEMORY_OWN_WORKING_SET] + items * (1 + MEMORY_ITEMS) * sizeof(uint32_t));
}

static enum status add_buffers(struct workspace *workspace, const struct configuration *c,
                               struct error *error)
{
    size_t items = configuration_items(c);
    size_t set_bytes = c->own[MEMORY_OWN_WORKING_SET];
    const struct {
        enum buffer_use use;
        size_t bytes;
    } buffers[] = {
        [SRC] = {BUFFER_INPUT, set_bytes},
        [DST] = {BUFFER_OUTPUT, set_bytes},
        [SUMS] = {BUFFER_OUTPUT, items * sizeof(uint32_t)},
        [WITNESS] = {BUFFER_OUTPUT, items * sizeof(uint32_t)},
        [OFFSETS] = {BUFFER_INPUT, items * MEMORY_ITEMS * sizeof(uint32_t)},
        [COPY_OFFSETS] = {BUFFER_INPUT, items * MEMORY_ITEMS * sizeof(uint32_t)},
    };
    enum status status = STATUS_OK;

    for (size_t i = 0; status == STATUS_OK && i < sizeof(buffers) / sizeof(buffers[0]); i++)
        status = workspace_add(workspace, buffers[i].use, buffers[i].bytes, error);
    return status;
}

enum status memory_setup(uint32_t width, struct workspace *workspace, const struct configuration *c,
                         struct error *error)
{
    size_t gather = 1 + MEMORY_GATHER;
    size_t copy_gather = gather + MEMORY_COPY * MEMORY_PATTERNS;
    uint32_t count = c->workgroup_size * c->workgroup_count * MEMORY_ITEMS;
    enum status status = memory_check(width, c, 0, error);

    if (status == STATUS_OK)
        status = add_buffers(workspace, c, error);
    if (status != STATUS_OK)
        return status;
    memory_make_offsets(workspace->buffers[OFFSETS].initial, count, walk_of(width, c, gather).steps,
                        random_below, &workspace->prng);
    memory_make_offsets(workspace->buffers[COPY_OFFSETS].initial, count,
                        walk_of(width, c, copy_gather).steps, random_below, &workspace->prng);
    struct memory_state *memory = calloc(1, sizeof(*memory));
    workspace->own = memory;
    if (memory)
        memory->expected = malloc(workspace->buffers[DST].bytes);
    if (!memory || !memory->expected)
        return error_set(error, STATUS_FAILED, "out of memory");
    memory->width = width;
    return STATUS_OK;
}

void memory_teardown(void *own)
{
    struct memory_state *memory = own;

    free(memory->expected);
    free(memory);
}

static size_t offsets_of(const struct memory_walk *walk)
{
    return walk->operation == MEMORY_COPY ? COPY_OFFSETS : OFFSETS;
}

void memory_arguments(const struct workspace *workspace, const struct launch *launch,
                      struct arguments *arguments)
{
    const struct configuration *c = &launch->configuration;
    const struct memory_state *memory = workspace->own;
    struct memory_walk walk = walk_of(memory->width, c, launch->variant);

    argument_buffer(arguments, workspace, SRC);
    argument_buffer(arguments, workspace, DST);
    argument_buffer(arguments, workspace, SUMS);
    argument_buffer(arguments, workspace, WITNESS);
    argument_buffer(arguments, workspace, offsets_of(&walk));
    argument_uint(arguments, launch->iterations * turns_of(memory->width, c));
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
    const uint32_t *sums = workspace->buffers[SUMS].result;
    uint32_t expected = is_loop(launch->variant) ? positions_sum(walk, turns) : turns;

    for (uint32_t item = 0; item < walk->items; item++) {
        if (walk->operation == MEMORY_LOAD && !is_loop(launch->variant))
            expected = memory_sum(walk, workspace->buffers[SRC].initial, item, turns);
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
    const struct memory_state *memory = workspace->own;
    const struct buffer *dst = &workspace->buffers[DST];
    struct memory_walk walk = walk_of(memory->width, c, launch->variant);
    uint32_t turns = launch->iterations * turns_of(memory->width, c);

    walk.offsets = workspace->buffers[offsets_of(&walk)].initial;
    memcpy(memory->expected, dst->initial, dst->bytes);
    if (walk.operation != MEMORY_LOAD)
        memory_write(&walk, workspace->buffers[SRC].initial, memory->expected, turns);
    enum status status =
        verify_uints(dst, "dst", memory->expected, dst->bytes / sizeof(uint32_t), launch, error);
    if (status == STATUS_OK)
        status = verify_sums(workspace, &walk, launch, turns, error);
    if (status == STATUS_OK)
        status = verify_subgroup_sizes(&workspace->buffers[WITNESS], launch, error);
    return status;
}
