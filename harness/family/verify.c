#include "family/verify.h"

#include <math.h>
#include <string.h>

enum status verify_uints(const struct buffer *buffer, const uint32_t *expected, size_t count,
                         const struct launch *launch, struct error *error)
{
    const uint32_t *found = buffer->result;

    if (!memcmp(found, expected, count * sizeof(*found)))
        return STATUS_OK;
    for (size_t i = 0; i < count; i++) {
        if (found[i] != expected[i]) {
            return error_set(error, STATUS_FAILED,
                             "wrong result after %u iterations: %s[%zu] is 0x%08x, the host "
                             "computes 0x%08x",
                             (unsigned)launch->iterations, buffer->name, i, (unsigned)found[i],
                             (unsigned)expected[i]);
        }
    }
    return STATUS_OK;
}

enum status verify_each(struct workspace *workspace, size_t index, verify_expect *expect,
                        const struct launch *launch, struct error *error)
{
    const struct buffer *buffer = &workspace->buffers[index];
    uint32_t *expected = workspace_scratch(workspace, buffer->bytes, error);
    size_t count = buffer->bytes / sizeof(*expected);

    if (!expected)
        return STATUS_FAILED;
    for (size_t i = 0; i < count; i++)
        expected[i] = expect(buffer, launch, i);
    return verify_uints(buffer, expected, count, launch, error);
}

enum status verify_ulongs(const struct buffer *buffer, const uint64_t *expected, size_t count,
                          const struct launch *launch, struct error *error)
{
    const uint64_t *found = buffer->result;

    for (size_t i = 0; i < count; i++) {
        if (found[i] != expected[i]) {
            return error_set(error, STATUS_FAILED,
                             "wrong result after %u iterations: %s[%zu] is 0x%016llx, the host "
                             "computes 0x%016llx",
                             (unsigned)launch->iterations, buffer->name, i,
                             (unsigned long long)found[i], (unsigned long long)expected[i]);
        }
    }
    return STATUS_OK;
}

enum status verify_floats(const struct buffer *buffer, const float *expected, size_t count,
                          float tolerance, const struct launch *launch, struct error *error)
{
    const float *found = buffer->result;
    float scale = 0.0f;

    for (size_t i = 0; i < count; i++)
        scale = fmaxf(scale, fabsf(expected[i]));
    for (size_t i = 0; i < count; i++) {
        /* Negated so that NaN counts as a difference. */
        if (!(fabsf(found[i] - expected[i]) <= tolerance * scale)) {
            return error_set(error, STATUS_FAILED,
                             "wrong result after %u iterations: %s[%zu] is %.9g, the host computes "
                             "%.9g",
                             (unsigned)launch->iterations, buffer->name, i, (double)found[i],
                             (double)expected[i]);
        }
    }
    return STATUS_OK;
}

enum status verify_subgroup_sizes(const struct buffer *buffer, const struct launch *launch,
                                  struct error *error)
{
    const uint32_t *found = buffer->result;
    unsigned size = launch->configuration.subgroup_size;

    for (size_t i = 0; i < buffer->bytes / sizeof(*found); i++) {
        if (found[i] != size) {
            return error_set(error, STATUS_FAILED,
                             "work-item %zu ran in a sub-group of %u instead of %u (0x%08x)", i,
                             (unsigned)found[i], size, (unsigned)found[i]);
        }
    }
    return STATUS_OK;
}
