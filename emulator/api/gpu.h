/* Inside the library: a GPU and its jobs. */
#ifndef VESIM_API_GPU_H
#define VESIM_API_GPU_H

#include "image/launch-image.h"
#include "memory/address-space.h"
#include "streamer/cs.h"
#include "vesim/vesim.h"

#include <pthread.h>

/* The engines of batches, and one for launches: a batch that faults takes none of them with it. */
enum { ENGINE_LAUNCH = VESIM_ENGINE_COMPUTE + 1, ENGINE_COUNT };

/* Memory that the library has allocated. */
struct allocation {
    uint64_t address;
    void *host;
    struct allocation *next;
};

struct vesim_job {
    struct vesim_gpu *gpu;
    struct launch_image image; /* of a launch */
    struct cs_outcome outcome;
    bool is_launch, begins_submission, writes_back;
    bool is_done, is_forgotten; /* under the GPU's lock; nobody waits for a forgotten one */
    struct vesim_job *next;
};

struct vesim_gpu {
    struct vesim_device device;
    bool counts; /* launches leave a walk */
    struct cs *cs;

    pthread_mutex_t submitting;                /* taken before the lock: */
    struct cs_context *contexts[ENGINE_COUNT]; /* made when first used */

    pthread_mutex_t lock;
    pthread_cond_t ended; /* a job has */
    struct address_space space;
    struct allocation *allocations;
    struct vesim_job *jobs; /* all that are not freed */
    uint64_t running;       /* of these, not done */
};

/* Queues `job`, which it owns from here on, with a walker or the commands at an address. The memory
 * that it sees is `space`, of which it takes the contents. 0, or -1 with the job and the space
 * freed.
 */
int job_submit(struct vesim_job *job, unsigned engine, uint64_t address,
               struct address_space *space, char *error, size_t error_size);

/* A job that is not queued yet; NULL: no memory. */
struct vesim_job *job_new(struct vesim_gpu *gpu, bool is_launch);

/* Frees a job that is done, or not queued. */
void job_free(struct vesim_job *job);

#endif
