#include "api/gpu.h"

#include "image/image-error.h"

#include <stdlib.h>

int vesim_gpu_open(struct vesim_gpu **opened, const struct vesim_device *device,
                   const struct vesim_settings *settings, char *error, size_t error_size)
{
    const struct vesim_settings defaults = vesim_settings_default();
    struct vesim_gpu *gpu = calloc(1, sizeof(*gpu));

    if (!settings)
        settings = &defaults;
    if (gpu) {
        gpu->device = *device;
        gpu->space.wide = address_wide(vesim_address_bits(device));
        gpu->counts = settings->counters && !settings->functional;
        gpu->cs = cs_create(&gpu->device, settings);
    }
    if (!gpu || !gpu->cs) {
        free(gpu);
        return image_error(error, error_size, "out of memory for a GPU");
    }
    pthread_mutex_init(&gpu->submitting, NULL);
    pthread_mutex_init(&gpu->lock, NULL);
    pthread_cond_init(&gpu->ended, NULL);
    *opened = gpu;
    return 0;
}

static void free_memory(struct vesim_gpu *gpu)
{
    while (gpu->allocations) {
        struct allocation *allocation = gpu->allocations;

        gpu->allocations = allocation->next;
        free(allocation->host);
        free(allocation);
    }
    address_space_release(&gpu->space);
}

void vesim_gpu_close(struct vesim_gpu *gpu)
{
    if (!gpu)
        return;
    for (unsigned i = 0; i < ENGINE_COUNT; i++) {
        if (gpu->contexts[i])
            cs_context_destroy(gpu->contexts[i], true);
    }
    while (gpu->jobs)
        job_free(gpu->jobs);
    cs_destroy(gpu->cs);
    free_memory(gpu);
    pthread_cond_destroy(&gpu->ended);
    pthread_mutex_destroy(&gpu->lock);
    pthread_mutex_destroy(&gpu->submitting);
    free(gpu);
}
