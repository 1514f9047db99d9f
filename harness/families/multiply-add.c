#include "families/multiply-add.h"

#include "measure/verify.h"

#include <stdlib.h>

enum { OUT, WITNESS };

#define CHAINS MULTIPLY_ADD_CHAINS
#define STEPS  MULTIPLY_ADD_STEPS

/* The operands: -x + 3, and for bytes 1 * 1 + 0 * 0 + 0 * 0 + 0 * 0. */
#define MINUS_ONE UINT32_MAX
#define OFFSET    3u
#define ONE_BYTE  1u

static size_t items_of(const struct configuration *c)
{
    return (size_t)c->workgroup_size * c->workgroup_count;
}

void multiply_add_work(const struct configuration *configuration, double operations,
                       struct work *work)
{
    work->flops = (double)items_of(configuration) * CHAINS * STEPS * operations;
    work->units = work->flops / 1e6;
}

enum status multiply_add_setup(struct workspace *workspace,
                               const struct configuration *configuration, struct error *error)
{
    size_t items = items_of(configuration);
    enum status status =
        workspace_add(workspace, BUFFER_OUTPUT, items * CHAINS * sizeof(uint32_t), error);

    if (status == STATUS_OK)
        status = workspace_add(workspace, BUFFER_OUTPUT, items * sizeof(uint32_t), error);
    return status;
}

void multiply_add_arguments(const struct workspace *workspace, const struct launch *launch,
                            bool counts, struct arguments *arguments)
{
    argument_buffer(arguments, workspace, OUT);
    argument_buffer(arguments, workspace, WITNESS);
    argument_uint(arguments, counts ? ONE_BYTE : MINUS_ONE);
    argument_uint(arguments, counts ? ONE_BYTE : OFFSET);
    argument_uint(arguments, launch->iterations);
}

enum status multiply_add_verify(struct workspace *workspace, const struct launch *launch,
                                bool counts, struct error *error)
{
    const struct configuration *c = &launch->configuration;
    size_t values = items_of(c) * CHAINS;
    uint32_t *expected = malloc(values * sizeof(*expected));

    if (!expected)
        return error_set(error, STATUS_FAILED, "out of memory");
    for (size_t i = 0; i < values; i++) {
        uint32_t first = (uint32_t)(i / CHAINS % c->workgroup_size % 64u + i % CHAINS);

        if (counts)
            expected[i] = first + STEPS * launch->iterations;
        else
            expected[i] = launch->iterations % 2 ? OFFSET - first : first;
    }
    enum status status =
        verify_uints(&workspace->buffers[OUT], "out", expected, values, launch, error);
    free(expected);
    if (status == STATUS_OK)
        status = verify_subgroup_sizes(&workspace->buffers[WITNESS], launch, error);
    return status;
}
