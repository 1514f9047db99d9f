#include "api/gpu.h"

#include "image/image-error.h"

#include <errno.h>
#include <stdlib.h>

static int check(const struct vesim_gpu *gpu, uint64_t address, uintptr_t host, size_t bytes,
                 char *error, size_t error_size)
{
    if (bytes && bytes - 1 > address_cut(&gpu->space, ~address))
        return image_error(error, error_size,
                           "%zu bytes at 0x%llx reach beyond the %u bits of addresses", bytes,
                           (unsigned long long)address, vesim_address_bits(&gpu->device));
    if (address % VESIM_MEMORY_ALIGNMENT == 0 && host % VESIM_MEMORY_ALIGNMENT == 0 && bytes)
        return 0;
    return image_error(error, error_size,
                       "%zu bytes at 0x%llx: size and address have to be multiples of %d, and the "
                       "size not 0",
                       bytes, (unsigned long long)address, VESIM_MEMORY_ALIGNMENT);
}

/* Lock held. */
static int add(struct vesim_gpu *gpu, uint64_t address, void *host, size_t bytes,
               enum vesim_memory memory, char *error, size_t error_size)
{
    const uint64_t part = gpu->device.stacks > 1 ? PHYSICAL_STACK_BYTES : PHYSICAL_HOST_BASE;
    const uint64_t physical = address & (part - 1); /* of the first stack, which runs the work */
    const struct mapping mapping = {
        .address = address,
        .size = bytes,
        .host = host,
        .physical = memory == VESIM_MEMORY_HOST ? physical | PHYSICAL_HOST_BASE : physical,
        .local = memory == VESIM_MEMORY_DEVICE,
    };

    switch (address_space_add(&gpu->space, &mapping)) {
    case 0:
        return 0;
    case -EEXIST:
        return image_error(error, error_size, "%zu bytes at 0x%llx overlap what is mapped there",
                           bytes, (unsigned long long)address);
    default:
        return image_error(error, error_size, "out of memory");
    }
}

int vesim_gpu_map(struct vesim_gpu *gpu, uint64_t address, void *host, size_t bytes,
                  enum vesim_memory memory, char *error, size_t error_size)
{
    int status = check(gpu, address, (uintptr_t)host, bytes, error, error_size);

    if (!host)
        return image_error(error, error_size, "the memory for 0x%llx is NULL",
                           (unsigned long long)address);
    if (status)
        return status;
    pthread_mutex_lock(&gpu->lock);
    status = add(gpu, address, host, bytes, memory, error, error_size);
    pthread_mutex_unlock(&gpu->lock);
    return status;
}

void *vesim_gpu_allocate(struct vesim_gpu *gpu, uint64_t address, size_t bytes,
                         enum vesim_memory memory, char *error, size_t error_size)
{
    struct allocation *allocation;
    void *host;

    if (check(gpu, address, 0, bytes, error, error_size))
        return NULL;
    allocation = malloc(sizeof(*allocation));
    host = calloc(1, bytes);
    if (!allocation || !host) {
        image_error(error, error_size, "out of memory for %zu bytes at 0x%llx", bytes,
                    (unsigned long long)address);
        goto fail;
    }
    pthread_mutex_lock(&gpu->lock);
    if (add(gpu, address, host, bytes, memory, error, error_size)) {
        pthread_mutex_unlock(&gpu->lock);
        goto fail;
    }
    *allocation = (struct allocation){address_cut(&gpu->space, address), host, gpu->allocations};
    gpu->allocations = allocation;
    pthread_mutex_unlock(&gpu->lock);
    return host;
fail:
    free(allocation);
    free(host);
    return NULL;
}

/* Lock held. */
static void free_allocation(struct vesim_gpu *gpu, uint64_t address)
{
    for (struct allocation **link = &gpu->allocations; *link; link = &(*link)->next) {
        struct allocation *allocation = *link;

        if (allocation->address != address)
            continue;
        *link = allocation->next;
        free(allocation->host);
        free(allocation);
        return;
    }
}

int vesim_gpu_unmap(struct vesim_gpu *gpu, uint64_t address, char *error, size_t error_size)
{
    vesim_gpu_wait(gpu);
    pthread_mutex_lock(&gpu->lock);
    int status = address_space_remove(&gpu->space, address);
    if (!status)
        free_allocation(gpu, address_cut(&gpu->space, address));
    pthread_mutex_unlock(&gpu->lock);
    if (!status)
        return 0;
    return image_error(error, error_size, "no mapping begins at 0x%llx",
                       (unsigned long long)address);
}
