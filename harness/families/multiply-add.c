#include "families/multiply-add.h"

#include "family/verify.h"

enum { OUT };

#define CHAINS MULTIPLY_ADD_CHAINS
#define STEPS  MULTIPLY_ADD_STEPS

/* The operands: -x + 3, and for bytes 1 * 1 + 0 * 0 + 0 * 0 + 0 * 0. */
#define MINUS_ONE UINT32_MAX
#define OFFSET    3u
#define ONE_BYTE  1u

void operations_work(double flops, struct work *work)
{
    work->flops = flops;
    work->units = flops / 1e6;
}

void operations_arguments(const struct launch *launch, uint32_t a, uint32_t b,
                          struct arguments *arguments)
{
    argument_uint(arguments, a);
    argument_uint(arguments, b);
    argument_uint(arguments, launch->iterations);
}

enum status
operations_verify(struct workspace *workspace, const struct launch *launch, size_t values,
                  uint32_t (*expect)(const struct launch *launch, size_t item, size_t value),
                  struct error *error)
{
    const struct configuration *c = &launch->configuration;
    size_t count = configuration_items(c) * values;
    uint32_t *expected = workspace_scratch(workspace, count * sizeof(*expected), error);

    if (!expected)
        return STATUS_FAILED;
    for (size_t i = 0; i < count; i++)
        expected[i] = expect(launch, i / values % c->workgroup_size, i % values);
    return verify_uints(&workspace->buffers[OUT], expected, count, launch, error);
}

void multiply_add_work(const struct configuration *configuration, double operations,
                       struct work *work)
{
    operations_work((double)configuration_items(configuration) * CHAINS * STEPS * operations, work);
}

size_t multiply_add_bytes(const struct configuration *configuration)
{
    return configuration_items(configuration) * CHAINS * sizeof(uint32_t);
}

void multiply_add_arguments(const struct launch *launch, bool counts, struct arguments *arguments)
{
    operations_arguments(launch, counts ? ONE_BYTE : MINUS_ONE, counts ? ONE_BYTE : OFFSET,
                         arguments);
}

static uint32_t first_value(size_t item, size_t chain)
{
    return (uint32_t)(item % 64u + chain);
}

static uint32_t expect_count(const struct launch *launch, size_t item, size_t chain)
{
    return first_value(item, chain) + STEPS * launch->iterations;
}

static uint32_t expect_alternation(const struct launch *launch, size_t item, size_t chain)
{
    uint32_t first = first_value(item, chain);

    return launch->iterations % 2 ? OFFSET - first : first;
}

enum status multiply_add_verify(struct workspace *workspace, const struct launch *launch,
                                bool counts, struct error *error)
{
    return operations_verify(workspace, launch, CHAINS, counts ? expect_count : expect_alternation,
                             error);
}
