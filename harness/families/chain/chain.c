#include "families/chain/chain.h"

#include <math.h>
#include <string.h>

size_t chain_slm_bytes(const struct configuration *configuration)
{
    return configuration->workgroup_size * 2 * sizeof(uint64_t);
}

enum status chain_check(const struct device *device, const struct configuration *configuration,
                        const struct variant *variant, struct error *error)
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

size_t chain_value_bytes(const struct configuration *configuration)
{
    return (size_t)CHAIN_PATTERNS * configuration->subgroup_size * sizeof(struct chain_lane);
}

size_t chain_out_bytes(const struct configuration *configuration)
{
    return configuration_items(configuration) * sizeof(uint64_t);
}

void chain_arguments(const struct workspace *workspace, const struct launch *launch,
                     struct arguments *arguments)
{
    (void)workspace;
    argument_local(arguments, chain_slm_bytes(&launch->configuration));
    argument_uint(arguments, launch->iterations);
}

void chain_work(const struct configuration *configuration, const struct variant *variant,
                unsigned barriers_per_step, struct work *work)
{
    double subgroups = (double)(configuration_items(configuration) / configuration->subgroup_size);
    const struct chain_variant *chain = variant->own;

    work->units = CHAIN_STEPS;
    if (chain->memory == CHAIN_NO_EXCHANGE)
        return;
    work->exchanges = subgroups * CHAIN_STEPS;
    if (chain->has_barrier)
        work->barriers = (double)configuration->workgroup_count * CHAIN_STEPS * barriers_per_step;
}

/* The final values of the lanes with values of their own. */
static const uint64_t *find_values(struct workspace *workspace, const struct launch *launch,
                                   unsigned lanes, chain_compute *compute, struct error *error)
{
    const struct chain_lane *initial = workspace->buffers[CHAIN_VALUES].initial;
    unsigned all = CHAIN_PATTERNS * launch->configuration.subgroup_size;
    struct {
        const struct variant *variant;
        uint64_t iterations;
    } key = {launch->variant, launch->iterations};
    bool is_new;
    uint64_t *values =
        workspace_keep(workspace, &key, sizeof(key), all * sizeof(*values), &is_new, error);

    for (unsigned first = 0;
         values && is_new && first < all && first < configuration_items(&launch->configuration);
         first += lanes) {
        struct chain_lane lane[CHAIN_VALUES_MAX];

        memcpy(lane, initial + first, lanes * sizeof(*lane));
        compute(workspace, launch, first / lanes, lane);
        for (unsigned l = 0; l < lanes; l++)
            values[first + l] = lane[l].x;
    }
    return values;
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
    const uint64_t *expected = find_values(workspace, launch, lanes, compute, error);
    const uint64_t *out = workspace->buffers[CHAIN_OUT].result;
    size_t repeat = (size_t)CHAIN_PATTERNS * launch->configuration.subgroup_size;

    for (size_t i = 0; expected && i < configuration_items(&launch->configuration); i++) {
        uint64_t e = expected[i % repeat];

        if (out[i] != e && (tolerance == 0.0f || !is_near(out[i], e, tolerance)))
            return error_set(error, STATUS_FAILED,
                             "wrong result after %u iterations: out[%zu] is 0x%016llx, the host "
                             "computes 0x%016llx",
                             (unsigned)launch->iterations, i, (unsigned long long)out[i],
                             (unsigned long long)e);
    }
    return expected ? STATUS_OK : STATUS_FAILED;
}
