/* The GPU of a sweep, and how it stands to those of other ranks. */
#ifndef VEBENCH_SWEEP_GPU_H
#define VEBENCH_SWEEP_GPU_H

#include "base/error.h"
#include "ranks/ranks.h"
#include "sweep/results.h"
#include "ze/target.h"

#include <stdint.h>

#define RANK_VERSION_BYTES 80

struct gpu {
    char host[HOST_BYTES];
    struct target target; /* as reported by its last worker */
    bool has_target;
    unsigned failed_starts;   /* of workers, in a row */
    struct error start_error; /* of the last one */
};

/* What rank 0 says of itself, to all. */
struct rank_hello {
    char version[RANK_VERSION_BYTES];
    char host[HOST_BYTES];
    uint64_t digest;
    struct run_identity identity; /* of all; only its run_id counts */
};

void rank_hello_fill(struct rank_hello *hello, uint64_t digest);

/* STATUS_FAILED if this rank is of another program than rank 0, STATUS_USAGE if it was started with
 * other words. */
enum status rank_hello_check(const struct rank_hello *root, const struct ranks *ranks,
                             struct error *error);

/* What no two ranks may have: 0 on an emulated device, where every process has GPUs of its own. */
uint64_t gpu_key(const struct gpu *gpu);

/* STATUS_USAGE if another rank, `twin`, has the same GPU. */
enum status gpu_check_twin(const struct gpu *gpu, unsigned rank, uint32_t twin,
                           struct error *error);

/* Whether the GPU can share a sweep with that of rank 0: STATUS_USAGE if machine code and figures
 * of one do not hold for the other. */
enum status gpu_check_alike(const struct gpu *root, const struct gpu *gpu, unsigned rank,
                            struct error *error);

#endif
