/* Family `barrier`: what one synchronisation costs, from none to a work-group barrier with both
 * fences. Alone: vebench run barrier --axis subgroup_size=16 --axis workgroup_size=64
 *
 * Every kernel runs the same loop, which reads and writes a slot of local memory and an element of
 * global memory that rotate with the iteration, and then synchronises in its own way. In the timed
 * shape slots and elements rotate within one sub-group, whose lanes run in lockstep, so the result
 * is defined with any barrier and with none. In the proof shape they rotate through the whole
 * work-group in the memory that the barrier fences, and only a barrier that works gives the right
 * result. */
#include "barrier-reference.h"

#include "../family.h"
#include "../prng.h"

#include <stdlib.h>
#include <string.h>

#define ITEM_BYTES        sizeof(uint32_t)
#define WITNESS_UNWRITTEN 0xdeadbeefu

/* Launches of one configuration alternate between few iteration counts and shapes. */
#define REFERENCES_KEPT 8

struct reference {
    uint32_t iterations; /* 0: empty */
    uint32_t local_mask;
    uint32_t global_mask;
    uint32_t sum_per_group;
    uint32_t *sums; /* one per work-item of a work-group, owned */
};

struct barrier_state {
    struct session *session;
    size_t bytes; /* of each buffer: one uint per work-item of all work-groups */
    uint32_t seed;
    uint32_t *initial;                      /* host: data before a launch */
    uint32_t *unwritten;                    /* host: witness before a launch */
    uint32_t *data_result, *witness_result; /* host: after a launch */
    void *data, *witness;                   /* device */
    struct reference references[REFERENCES_KEPT];
    size_t next_reference;
};

/* In the order of the variants below: which memory the proof widens. */
static const struct {
    bool local, global;
} proof_widens[] = {{0, 0}, {0, 0}, {0, 0}, {1, 0}, {0, 1}, {1, 1}};

static void masks_of(const struct launch *launch, uint32_t *local_mask, uint32_t *global_mask)
{
    const struct configuration *c = &launch->configuration;
    unsigned lanes = c->subgroup_size < c->workgroup_size ? c->subgroup_size : c->workgroup_size;

    *local_mask = lanes - 1;
    *global_mask = lanes - 1;
    if (launch->purpose == LAUNCH_PROOF) {
        if (proof_widens[launch->variant].local)
            *local_mask = c->workgroup_size - 1;
        if (proof_widens[launch->variant].global)
            *global_mask = c->workgroup_size - 1;
    }
}

static size_t barrier_slm_bytes(const struct configuration *configuration)
{
    return configuration->workgroup_size * ITEM_BYTES;
}

static enum status barrier_setup(struct session *session, const struct configuration *configuration,
                                 uint64_t seed, void **state_out, struct error *error)
{
    struct barrier_state *state = calloc(1, sizeof *state);
    void *host[4] = {NULL};
    enum status status = STATUS_OK;
    struct prng prng;

    *state_out = state;
    if (!state)
        return error_set(error, STATUS_FAILED, "out of memory");
    state->session = session;
    state->bytes =
        (size_t)configuration->workgroup_size * configuration->workgroup_count * ITEM_BYTES;
    for (size_t i = 0; status == STATUS_OK && i < 4; i++)
        status = session_alloc_host(session, state->bytes, &host[i], error);
    state->initial = host[0];
    state->unwritten = host[1];
    state->data_result = host[2];
    state->witness_result = host[3];
    if (status == STATUS_OK)
        status = session_alloc_device(session, state->bytes, &state->data, error);
    if (status == STATUS_OK)
        status = session_alloc_device(session, state->bytes, &state->witness, error);
    if (status != STATUS_OK)
        return status;
    prng_seed(&prng, seed);
    state->seed = (uint32_t)prng_next(&prng);
    /* Random, because memory that compresses would not be the memory meant. */
    for (size_t i = 0; i < state->bytes / ITEM_BYTES; i++) {
        state->initial[i] = (uint32_t)prng_next(&prng);
        state->unwritten[i] = WITNESS_UNWRITTEN;
    }
    return STATUS_OK;
}

static void barrier_teardown(void *opaque)
{
    struct barrier_state *state = opaque;

    if (!state)
        return;
    session_free(state->session, state->witness);
    session_free(state->session, state->data);
    session_free(state->session, state->witness_result);
    session_free(state->session, state->data_result);
    session_free(state->session, state->unwritten);
    session_free(state->session, state->initial);
    for (size_t i = 0; i < REFERENCES_KEPT; i++)
        free(state->references[i].sums);
    free(state);
}

static enum status set_arguments(struct barrier_state *state, const struct kernel *kernel,
                                 const struct launch *launch, struct error *error)
{
    uint32_t local_mask;
    uint32_t global_mask;
    enum status status = STATUS_OK;

    masks_of(launch, &local_mask, &global_mask);
    const struct {
        size_t bytes;
        const void *value;
    } arguments[] = {
        {sizeof state->data, &state->data},
        {sizeof state->witness, &state->witness},
        {barrier_slm_bytes(&launch->configuration), NULL},
        {sizeof launch->iterations, &launch->iterations},
        {sizeof local_mask, &local_mask},
        {sizeof global_mask, &global_mask},
        {sizeof state->seed, &state->seed},
    };
    for (uint32_t i = 0; status == STATUS_OK && i < sizeof arguments / sizeof arguments[0]; i++) {
        status = kernel_set_argument(state->session, kernel, i, arguments[i].bytes,
                                     arguments[i].value, error);
    }
    return status;
}

static enum status barrier_run(void *opaque, const struct kernel *kernel,
                               const struct launch *launch, struct error *error)
{
    struct barrier_state *state = opaque;
    struct session *session = state->session;
    enum status status = set_arguments(state, kernel, launch, error);

    memset(state->data_result, 0, state->bytes);
    memset(state->witness_result, 0, state->bytes);
    if (status == STATUS_OK)
        status = session_append_copy(session, state->data, state->initial, state->bytes, error);
    if (status == STATUS_OK)
        status =
            session_append_copy(session, state->witness, state->unwritten, state->bytes, error);
    if (status == STATUS_OK)
        status = session_append_barrier(session, error);
    if (status == STATUS_OK)
        status = session_append_kernel(session, kernel->handle,
                                       launch->configuration.workgroup_count, error);
    if (status == STATUS_OK)
        status = session_append_barrier(session, error);
    if (status == STATUS_OK)
        status = session_append_copy(session, state->data_result, state->data, state->bytes, error);
    if (status == STATUS_OK)
        status = session_append_copy(session, state->witness_result, state->witness, state->bytes,
                                     error);
    return status;
}

static const struct reference *find_reference(struct barrier_state *state,
                                              const struct launch *launch)
{
    unsigned size = launch->configuration.workgroup_size;
    struct reference *reference;
    uint32_t local_mask;
    uint32_t global_mask;

    masks_of(launch, &local_mask, &global_mask);
    for (size_t i = 0; i < REFERENCES_KEPT; i++) {
        reference = &state->references[i];
        if (reference->iterations == launch->iterations && reference->local_mask == local_mask &&
            reference->global_mask == global_mask)
            return reference;
    }
    reference = &state->references[state->next_reference];
    state->next_reference = (state->next_reference + 1) % REFERENCES_KEPT;
    if (!reference->sums)
        reference->sums = malloc(size * sizeof *reference->sums);
    if (!reference->sums)
        return NULL;
    reference->iterations = launch->iterations;
    reference->local_mask = local_mask;
    reference->global_mask = global_mask;
    barrier_reference(size, launch->iterations, local_mask, global_mask, state->seed,
                      reference->sums, &reference->sum_per_group);
    return reference;
}

static enum status barrier_verify(void *opaque, const struct launch *launch, struct error *error)
{
    struct barrier_state *state = opaque;
    const struct configuration *c = &launch->configuration;
    const struct reference *reference = find_reference(state, launch);
    const char *shape = launch->purpose == LAUNCH_PROOF ? " with lanes exchanging data" : "";

    if (!reference)
        return error_set(error, STATUS_FAILED, "out of memory");
    for (size_t i = 0; i < state->bytes / ITEM_BYTES; i++) {
        size_t group = i / c->workgroup_size;
        uint32_t expected = state->initial[i] + reference->sums[i % c->workgroup_size] +
                            (uint32_t)group * reference->sum_per_group;

        if (state->witness_result[i] != c->subgroup_size) {
            return error_set(error, STATUS_FAILED,
                             "work-item %zu ran in a sub-group of %u instead of %u (0x%08x)", i,
                             (unsigned)state->witness_result[i], c->subgroup_size,
                             (unsigned)state->witness_result[i]);
        }
        if (state->data_result[i] != expected) {
            return error_set(error, STATUS_FAILED,
                             "wrong result after %u iterations%s: data[%zu] is 0x%08x, the host "
                             "computes 0x%08x",
                             (unsigned)launch->iterations, shape, i,
                             (unsigned)state->data_result[i], (unsigned)expected);
        }
    }
    return STATUS_OK;
}

static const struct axis axes[] = {
    {
        .name = "subgroup_size",
        .means = "work-items per sub-group (SIMD width)",
        .defaults = "8,16,32",
        .kind = AXIS_POWER_OF_TWO,
        .largest = 32,
    },
    {
        .name = "workgroup_size",
        .means = "work-items per work-group; S stands for the sub-group size",
        .defaults = "S,2S,64,128,256,512",
        .kind = AXIS_POWER_OF_TWO,
        .largest = 4096,
    },
    {
        .name = "workgroup_count",
        .means = "work-groups in the launch",
        .defaults = "1",
        .kind = AXIS_COUNT,
        .largest = 65536,
    },
};

static const struct variant variants[] = {
    {"none", "barrier_none", "the loop alone", false},
    {"sub_group_local", "barrier_sub_group_local", "sub_group_barrier, local fence", false},
    {"sub_group_global", "barrier_sub_group_global", "sub_group_barrier, global fence", false},
    {"work_group_local", "barrier_work_group_local", "work_group_barrier, local fence", true},
    {"work_group_global", "barrier_work_group_global", "work_group_barrier, global fence", true},
    {"work_group_both", "barrier_work_group_both", "work_group_barrier, both fences", true},
};

const struct family family_barrier = {
    .name = "barrier",
    .measures = "the cost of one barrier, by scope and fence",
    .unit = "ns/barrier",
    .baseline_unit = "ns/iteration",
    .work_per_iteration = 1.0,
    .axes = axes,
    .axis_count = sizeof axes / sizeof axes[0],
    .variants = variants,
    .variant_count = sizeof variants / sizeof variants[0],
    .argument_slm_bytes = barrier_slm_bytes,
    .setup = barrier_setup,
    .run = barrier_run,
    .verify = barrier_verify,
    .teardown = barrier_teardown,
};
