#include "api/gpu.h"

#include "image/image-error.h"

#include <errno.h>
#include <stdlib.h>

struct vesim_job *job_new(struct vesim_gpu *gpu, bool is_launch)
{
    struct vesim_job *job = calloc(1, sizeof(*job));

    if (!job)
        return NULL;
    job->gpu = gpu;
    job->is_launch = is_launch;
    pthread_mutex_lock(&gpu->lock);
    job->next = gpu->jobs;
    gpu->jobs = job;
    pthread_mutex_unlock(&gpu->lock);
    return job;
}

/* Lock held. */
static void take_out(struct vesim_job *job)
{
    struct vesim_job **link = &job->gpu->jobs;

    while (*link != job)
        link = &(*link)->next;
    *link = job->next;
}

static void release(struct vesim_job *job)
{
    launch_image_free(&job->image);
    free(job);
}

void job_free(struct vesim_job *job)
{
    struct vesim_gpu *gpu = job->gpu;

    pthread_mutex_lock(&gpu->lock);
    take_out(job);
    pthread_mutex_unlock(&gpu->lock);
    release(job);
}

/* In the thread of the engine. */
static void job_done(void *owner)
{
    struct vesim_job *job = owner;
    struct vesim_gpu *gpu = job->gpu;

    pthread_mutex_lock(&gpu->lock);
    bool forgotten = job->is_forgotten;
    job->is_done = true;
    gpu->running--;
    if (forgotten)
        take_out(job);
    pthread_cond_broadcast(&gpu->ended);
    pthread_mutex_unlock(&gpu->lock);
    if (forgotten)
        release(job);
}

/* The context of an engine; a new one if the last has faulted. NULL: no memory. */
static struct cs_context *find_context(struct vesim_gpu *gpu, unsigned engine)
{
    static const enum cs_engine kinds[ENGINE_COUNT] = {
        [VESIM_ENGINE_RENDER] = CS_ENGINE_RENDER,
        [VESIM_ENGINE_COPY] = CS_ENGINE_COPY,
        [VESIM_ENGINE_COMPUTE] = CS_ENGINE_COMPUTE,
        [ENGINE_LAUNCH] = CS_ENGINE_COMPUTE,
    };
    struct cs_context **context = &gpu->contexts[engine];

    if (*context && cs_context_hung(*context)) {
        cs_context_destroy(*context, false);
        *context = NULL;
    }
    if (!*context)
        *context = cs_context_create(gpu->cs, 0, kinds[engine]);
    return *context;
}

/* Whether all went well; -EIO: the context has faulted just now. */
static int queue(struct vesim_gpu *gpu, unsigned engine, const struct cs_job *submitted)
{
    struct cs_context *context = find_context(gpu, engine);

    return context ? cs_submit(context, submitted) : -ENOMEM;
}

int job_submit(struct vesim_job *job, unsigned engine, uint64_t address,
               struct address_space *space, char *error, size_t error_size)
{
    struct vesim_gpu *gpu = job->gpu;
    const struct cs_job submitted = {
        .space = *space,
        .batch_address = address_cut(space, address),
        .walker = job->is_launch ? &job->image.walker : NULL,
        .begins_submission = job->begins_submission,
        .writes_back = job->writes_back,
        .outcome = &job->outcome,
        .done = job_done,
        .owner = job,
    };
    int status;

    *space = (struct address_space){0};
    pthread_mutex_lock(&gpu->lock);
    gpu->running++;
    pthread_mutex_unlock(&gpu->lock);
    pthread_mutex_lock(&gpu->submitting);
    do
        status = queue(gpu, engine, &submitted);
    while (status == -EIO);
    pthread_mutex_unlock(&gpu->submitting);
    if (!status)
        return 0;
    pthread_mutex_lock(&gpu->lock);
    gpu->running--;
    pthread_cond_broadcast(&gpu->ended);
    pthread_mutex_unlock(&gpu->lock);
    *space = submitted.space;
    address_space_release(space);
    job_free(job);
    return image_error(error, error_size, "out of memory for a job");
}

static void read_result(const struct vesim_job *job, struct vesim_result *result)
{
    const struct cs_outcome *outcome = &job->outcome;
    bool faulted = outcome->fault.kind != VESIM_FAULT_NONE;

    *result = (struct vesim_result){
        .outcome = !outcome->executed ? VESIM_DROPPED
                   : faulted          ? VESIM_FAULTED
                                      : VESIM_DONE,
        .start = outcome->start,
        .end = outcome->end,
        .written_back = outcome->written_back,
        .has_walk = job->is_launch && job->gpu->counts && outcome->executed && !faulted,
    };
    if (faulted)
        result->fault = outcome->fault;
    if (result->has_walk)
        result->walk = outcome->walk;
}

void vesim_job_wait(struct vesim_job *job, struct vesim_result *result)
{
    struct vesim_gpu *gpu = job->gpu;

    cs_begin_wait(gpu->cs);
    pthread_mutex_lock(&gpu->lock);
    while (!job->is_done)
        pthread_cond_wait(&gpu->ended, &gpu->lock);
    take_out(job);
    pthread_mutex_unlock(&gpu->lock);
    cs_end_wait(gpu->cs);
    if (result)
        read_result(job, result);
    release(job);
}

void vesim_gpu_wait(struct vesim_gpu *gpu)
{
    cs_begin_wait(gpu->cs);
    pthread_mutex_lock(&gpu->lock);
    while (gpu->running)
        pthread_cond_wait(&gpu->ended, &gpu->lock);
    pthread_mutex_unlock(&gpu->lock);
    cs_end_wait(gpu->cs);
}
