#include "sweep/gpu.h"

#include "base/digest.h"
#include "base/version.h"

#include <stdio.h>
#include <string.h>

void rank_hello_fill(struct rank_hello *hello, uint64_t digest)
{
    memset(hello, 0, sizeof(*hello));
    snprintf(hello->version, sizeof(hello->version), "%s", vebench_version());
    host_name(hello->host);
    hello->digest = digest;
    run_identity_fill(&hello->identity);
}

enum status rank_hello_check(const struct rank_hello *root, const struct ranks *ranks,
                             struct error *error)
{
    char host[HOST_BYTES];

    host_name(host);
    if (!memchr(root->version, '\0', sizeof(root->version)) ||
        strcmp(root->version, vebench_version()) != 0)
        return error_set(error, STATUS_FAILED,
                         "rank %u on %s runs another vebench, %s, than rank 0: install the same "
                         "everywhere",
                         ranks->rank, host, vebench_version());
    if (root->digest != ranks->digest)
        return error_set(error, STATUS_USAGE,
                         "rank %u on %s was started with other words than rank 0: give vebench the "
                         "same command line in each",
                         ranks->rank, host);
    return STATUS_OK;
}

uint64_t gpu_key(const struct gpu *gpu)
{
    if (gpu->target.is_deterministic)
        return 0;
    return digest_text(digest_text(DIGEST_BEGIN, gpu->host), gpu->target.device.uuid) | 1;
}

enum status gpu_check_twin(const struct gpu *gpu, unsigned rank, uint32_t twin, struct error *error)
{
    if (twin == WIRE_NOBODY)
        return STATUS_OK;
    return error_set(error, STATUS_USAGE,
                     "ranks %u and %u have the same GPU, %s of %s, and would disturb each other: "
                     "start no more ranks on a machine than it has GPUs",
                     rank < twin ? rank : twin, rank < twin ? twin : rank, gpu->target.device.uuid,
                     gpu->host);
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

enum status gpu_check_alike(const struct gpu *root, const struct gpu *gpu, unsigned rank,
                            struct error *error)
{
    if (are_alike(&root->target, &gpu->target))
        return STATUS_OK;
    return error_set(
        error, STATUS_USAGE,
        "the GPU of rank %u, %s (%s) on %s with driver %s, is not like that of rank 0, "
        "%s with driver %s: a sweep is dealt out to GPUs that are alike; with --each "
        "every one measures all of it",
        rank, gpu->target.device.name, device_kind_name(gpu->target.kind), gpu->host,
        gpu->target.device.driver_version, root->target.device.name,
        root->target.device.driver_version);
}
