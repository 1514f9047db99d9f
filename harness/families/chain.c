#include "families/chain.h"

#include "families/chain-way.h"
#include "measure/verify.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A variant is launched with three iteration counts, with one, and with a few to find them. */
#define RESULTS_KEPT 5

struct result {
    uint32_t iterations; /* 0: empty */
    uint64_t x[CHAIN_VALUES_MAX];
};

struct results {
    struct result kept[VARIANTS_MAX][RESULTS_KEPT];
    unsigned next[VARIANTS_MAX];
};

size_t chain_slm_bytes(const struct configuration *configuration)
{
    return configuration->workgroup_size * 2 * sizeof(uint64_t);
}

enum status chain_check(const struct device *device, const struct configuration *configuration,
                        size_t variant, struct error *error)
{
    (void)device;
    (void)variant;
    if (configuration->workgroup_size < configuration->subgroup_size)
        return error_set(error, STATUS_EXCLUDED,
                         "a work-group of %u does not fill a sub-group of "
                         "%u",
                         configuration->workgroup_size, configuration->subgroup_size);
    return STATUS_OK;
}

enum status chain_setup(struct workspace *workspace, const struct configuration *configuration,
                        struct error *error)
{
    size_t lanes = (size_t)CHAIN_PATTERNS * configuration->subgroup_size;
    size_t items = configuration_items(configuration);
    enum status status =
        workspace_add(workspace, BUFFER_INPUT, lanes * sizeof(struct chain_lane), error);

    if (status == STATUS_OK)
        status = workspace_add(workspace, BUFFER_OUTPUT, items * sizeof(uint64_t), error);
    if (status == STATUS_OK)
        status = workspace_add(workspace, BUFFER_OUTPUT, items * sizeof(uint32_t), error);
    if (status != STATUS_OK)
        return status;
    workspace->own = calloc(1, sizeof(struct results));
    return workspace->own ? STATUS_OK : error_set(error, STATUS_FAILED, "out of memory");
}

void chain_arguments(const struct workspace *workspace, const struct launch *launch,
                     struct arguments *arguments)
{
    argument_buffer(arguments, workspace, CHAIN_VALUES);
    argument_buffer(arguments, workspace, CHAIN_OUT);
    argument_buffer(arguments, workspace, CHAIN_WITNESS);
    argument_local(arguments, chain_slm_bytes(&launch->configuration));
    argument_uint(arguments, launch->iterations);
}

void chain_work(const struct configuration *configuration, const struct variant *variant,
                unsigned barriers_per_step, struct work *work)
{
    double subgroups = (double)(configuration_items(configuration) / configuration->subgroup_size);
    size_t task;
    enum chain_way way = chain_way_of(variant->name, &task);

    work->units = CHAIN_STEPS;
    if (!variant->baseline)
        return;
    work->exchanges = subgroups * CHAIN_STEPS;
    if (way == CHAIN_SLM_GROUP || way == CHAIN_GLOBAL_GROUP)
        work->barriers = (double)configuration->workgroup_count * CHAIN_STEPS * barriers_per_step;
}

static const uint64_t *find_result(const struct workspace *workspace, const struct launch *launch,
                                   unsigned lanes, chain_compute *compute)
{
    const struct chain_lane *values = workspace->buffers[CHAIN_VALUES].initial;
    struct results *results = workspace->own;
    struct result *kept = results->kept[launch->variant];
    unsigned *next = &results->next[launch->variant];
    unsigned all = CHAIN_PATTERNS * launch->configuration.subgroup_size;

    for (unsigned i = 0; i < RESULTS_KEPT; i++) {
        if (kept[i].iterations == launch->iterations)
            return kept[i].x;
    }
    kept += *next;
    *next = (*next + 1) % RESULTS_KEPT;
    kept->iterations = launch->iterations;
    for (unsigned first = 0; first < all && first < configuration_items(&launch->configuration);
         first += lanes) {
        struct chain_lane lane[CHAIN_VALUES_MAX];

        memcpy(lane, values + first, lanes * sizeof(*lane));
        compute(workspace, launch, first / lanes, lane);
        for (unsigned l = 0; l < lanes; l++)
            kept->x[first + l] = lane[l].x;
    }
    return kept->x;
}

static float as_float(uint64_t bits)
{
    uint32_t low = (uint32_t)bits;
    float value;

    memcpy(&value, &low, sizeof(value));
    return value;
}

/* Written so that NaN counts as a difference. */
static bool is_near(uint64_t found, uint64_t expected, float tolerance)
{
    return fabsf(as_float(found) - as_float(expected)) <= tolerance * fabsf(as_float(expected));
}

enum status chain_verify(struct workspace *workspace, const struct launch *launch, unsigned lanes,
                         chain_compute *compute, float tolerance, struct error *error)
{
    const uint64_t *expected = find_result(workspace, launch, lanes, compute);
    const uint64_t *out = workspace->buffers[CHAIN_OUT].result;
    size_t repeat = (size_t)CHAIN_PATTERNS * launch->configuration.subgroup_size;

    for (size_t i = 0; i < configuration_items(&launch->configuration); i++) {
        uint64_t e = expected[i % repeat];

        if (out[i] != e && (tolerance == 0.0f || !is_near(out[i], e, tolerance)))
            return error_set(error, STATUS_FAILED,
                             "wrong result after %u iterations: out[%zu] is 0x%016llx, the host "
                             "computes 0x%016llx",
                             (unsigned)launch->iterations, i, (unsigned long long)out[i],
                             (unsigned long long)e);
    }
    return verify_subgroup_sizes(&workspace->buffers[CHAIN_WITNESS], launch, error);
}
