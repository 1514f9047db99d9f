#include "families/slm/slm-reference.h"

struct slm_shape slm_shape_of(uint32_t workgroup_size, uint32_t subgroup_size, uint32_t stride,
                              uint32_t element_words)
{
    struct slm_shape shape = {.workgroup_size = workgroup_size, .stride = stride};

    shape.power = stride & (0u - stride);
    while (1u << shape.log2_span < workgroup_size || 1u << shape.log2_span < stride * subgroup_size)
        shape.log2_span++;
    uint32_t elements =
        (1u << shape.log2_span) + shape.power + SLM_ROTATIONS + SLM_ACCESSES * SLM_PITCH;
    elements += elements / SLM_PITCH + 1; /* padding */
    shape.words = elements * element_words;
    return shape;
}

static uint32_t initial_word(uint32_t word, uint32_t group, uint32_t seed)
{
    return (word + 977u * group + seed) * 0x9e3779b1u;
}

/* Performs one access to element `at`, `times` times. */
static void make_access(enum slm_access access, uint32_t at, uint32_t times, uint32_t lid,
                        uint32_t seed, uint32_t *contents, uint32_t *sum)
{
    bool is_load = access == SLM_LOAD || access == SLM_LOAD_X4;

    if (!is_load)
        sum[0] ^= times % 2 ? at : 0;
    switch (access) {
    case SLM_ADDRESSES_X4:
        sum[1] = sum[1] > at ? sum[1] : at;
        sum[2] = sum[2] < at ? sum[2] : at;
        sum[3] |= at;
        break;
    case SLM_ADDRESSES:
        break;
    case SLM_LOAD:
        sum[0] += times * contents[at];
        break;
    case SLM_LOAD_X4:
        for (unsigned k = 0; k < 4; k++)
            sum[k] += times * contents[4 * at + k];
        break;
    case SLM_STORE:
        contents[at] = seed;
        break;
    case SLM_ATOMIC_ADD:
        contents[at] += times * (2 * lid + 1);
        break;
    }
}

/* Runs all iterations of a work-item; those with the same rotation do the same. */
static uint32_t run_work_item(const struct slm_shape *shape, enum slm_access access, bool padded,
                              uint32_t iterations, uint32_t lid, uint32_t seed, uint32_t *contents)
{
    uint32_t span = 1u << shape->log2_span, sum[4] = {0, 0, UINT32_MAX, 0};
    uint32_t word = (lid * shape->stride & (span - 1)) + (lid * shape->power >> shape->log2_span);

    for (uint32_t r = 0; r < SLM_ROTATIONS && r < iterations; r++) {
        uint32_t times = iterations / SLM_ROTATIONS + (r < iterations % SLM_ROTATIONS);
        uint32_t first = word + r;

        first += padded ? first / SLM_PITCH : 0;
        for (uint32_t a = 0; a < SLM_ACCESSES; a++)
            make_access(access, first + a * (SLM_PITCH + padded), times, lid, seed, contents, sum);
    }
    return sum[0] + 3 * sum[1] + 5 * sum[2] + 7 * sum[3];
}

void slm_reference(const struct slm_shape *shape, enum slm_access access, bool padded,
                   uint32_t iterations, uint32_t group, uint32_t seed, uint32_t *contents,
                   uint32_t *gathered)
{
    for (uint32_t w = 0; w < shape->words; w++)
        contents[w] = initial_word(w, group, seed);
    for (uint32_t lid = 0; lid < shape->workgroup_size; lid++)
        gathered[lid] = run_work_item(shape, access, padded, iterations, lid, seed, contents);
}
