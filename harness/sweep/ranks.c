#include "sweep/ranks.h"

#include "base/version.h"

#include <stdio.h>
#include <string.h>

void rank_hello_fill(struct rank_hello *hello, uint64_t digest)
{
    memset(hello, 0, sizeof(*hello));
    snprintf(hello->version, sizeof(hello->version), "%s", vebench_version());
    host_name(hello->host);
    hello->digest = digest;
}

enum status rank_hello_check(const struct rank_hello *hello, const struct ranks *ranks,
                             unsigned rank, struct error *error)
{
    if (!memchr(hello->version, '\0', sizeof(hello->version)) ||
        !memchr(hello->host, '\0', sizeof(hello->host)) ||
        strcmp(hello->version, vebench_version()) != 0)
        return error_set(error, STATUS_FAILED,
                         "rank %u runs another vebench than %s: install the same everywhere", rank,
                         vebench_version());
    if (hello->digest != ranks->digest)
        return error_set(error, STATUS_USAGE,
                         "rank %u on %s was started with other words than rank 0: give vebench the "
                         "same command line in each",
                         rank, hello->host);
    return STATUS_OK;
}

/* On an emulated device every process has GPUs of its own. */
static bool is_same_gpu(const struct gpu *a, const struct gpu *b)
{
    return !a->target.is_deterministic && !b->target.is_deterministic &&
           !strcmp(a->host, b->host) && !strcmp(a->target.device.uuid, b->target.device.uuid);
}

/* Machine code and figures of one hold for the other. */
static bool are_alike(const struct target *a, const struct target *b)
{
    const struct device *x = &a->device, *y = &b->device;

    return a->kind == b->kind && x->device_id == y->device_id && !strcmp(x->name, y->name) &&
           !strcmp(x->driver_version, y->driver_version) && x->total_eus == y->total_eus &&
           x->max_clock_mhz == y->max_clock_mhz && x->max_group_size == y->max_group_size &&
           x->max_slm_bytes == y->max_slm_bytes && x->cache_bytes == y->cache_bytes;
}

enum status gpus_check(const struct gpu *gpus, size_t count, bool each, struct error *error)
{
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < i; k++) {
            if (is_same_gpu(&gpus[i], &gpus[k]))
                return error_set(error, STATUS_USAGE,
                                 "ranks %zu and %zu have the same GPU, %s of %s, and would disturb "
                                 "each other: start no more ranks on a machine than it has GPUs",
                                 k, i, gpus[i].target.device.uuid, gpus[i].host);
        }
        if (!each && !are_alike(&gpus[0].target, &gpus[i].target))
            return error_set(error, STATUS_USAGE,
                             "the GPU of rank %zu, %s (%s) on %s with driver %s, is not like that "
                             "of rank 0, %s with driver %s: a sweep is dealt out to GPUs that are "
                             "alike; with --each every one measures all of it",
                             i, gpus[i].target.device.name, device_kind_name(gpus[i].target.kind),
                             gpus[i].host, gpus[i].target.device.driver_version,
                             gpus[0].target.device.name, gpus[0].target.device.driver_version);
    }
    return STATUS_OK;
}
