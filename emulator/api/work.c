/* What a client submits. */
#include "api/gpu.h"
#include "api/kernel.h"

#include "image/image-error.h"

/* Hands the job to the client, or notes that nobody will ask for it. */
static void hand_out(struct vesim_job *made, struct vesim_job **job)
{
    made->is_forgotten = !job;
    if (job)
        *job = made;
}

static int make_image(struct vesim_job *job, const struct vesim_kernel *kernel,
                      const struct vesim_launch *launch, char *error, size_t error_size)
{
    struct vesim_gpu *gpu = job->gpu;

    pthread_mutex_lock(&gpu->lock);
    int status = launch_image_make(&job->image, &gpu->device, &kernel->image, launch, &gpu->space,
                                   error, error_size);
    pthread_mutex_unlock(&gpu->lock);
    return status;
}

int vesim_gpu_launch(struct vesim_gpu *gpu, const struct vesim_kernel *kernel,
                     const struct vesim_launch *launch, struct vesim_job **job, char *error,
                     size_t error_size)
{
    struct vesim_job *made = job_new(gpu, true);

    if (!made)
        return image_error(error, error_size, "out of memory for a launch");
    made->begins_submission = launch->begins_submission;
    made->writes_back = launch->writes_back;
    if (make_image(made, kernel, launch, error, error_size)) {
        job_free(made);
        return -1;
    }
    hand_out(made, job);
    return job_submit(made, ENGINE_LAUNCH, 0, &made->image.space, error, error_size);
}

int vesim_gpu_submit(struct vesim_gpu *gpu, enum vesim_engine engine, uint64_t address,
                     struct vesim_job **job, char *error, size_t error_size)
{
    struct address_space space;

    if (engine > VESIM_ENGINE_COMPUTE)
        return image_error(error, error_size, "there is no engine %d", (int)engine);
    pthread_mutex_lock(&gpu->lock);
    int status = address_space_copy(&space, &gpu->space);
    pthread_mutex_unlock(&gpu->lock);
    struct vesim_job *made = status ? NULL : job_new(gpu, false);
    if (!made) {
        address_space_release(&space);
        return image_error(error, error_size, "out of memory for a batch");
    }
    hand_out(made, job);
    return job_submit(made, engine, address, &space, error, error_size);
}
