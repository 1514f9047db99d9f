/* A gpu that executes nothing: for tests of the command streamer, and of programs that ignore what
 * kernels compute. A walk takes 1000 cycles; FAKE_GPU_LOG=1 prints the walker. */
#include "gpu/gpu.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fake-gpu.h"

struct gpu {
    const struct vesim_device *device;
    unsigned stack;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* stacks walk at the same time */

struct fake_gpu fake_gpu = {.walk_cycles = 1000};

struct gpu *gpu_create(const struct vesim_device *device, const struct vesim_settings *settings)
{
    struct gpu *gpu = malloc(sizeof(*gpu));

    (void)settings;
    if (gpu)
        *gpu = (struct gpu){.device = device};
    return gpu;
}

void gpu_set_stack(struct gpu *gpu, unsigned stack)
{
    gpu->stack = stack;
}

void gpu_destroy(struct gpu *gpu)
{
    free(gpu);
}

static void print_walker(const struct walker *w)
{
    fprintf(
        stderr,
        "walker: kernel 0x%" PRIx64 " (base 0x%" PRIx64 ") simd %u groups [%u,%u,%u]-[%u,%u,%u] "
        "threads %u mask 0x%x\n"
        "  indirect 0x%" PRIx64 " cross %u per-thread %u ids from %s dims %u local %ux%ux%u "
        "order %u inline %d\n"
        "  slm %u barriers %u grf %u ssh 0x%" PRIx64 " bss 0x%" PRIx64 " dsh 0x%" PRIx64
        " gsh 0x%" PRIx64 " bt %u sampler %u\n"
        "  scratch 0x%" PRIx64 " x %u surface %u spf %d denorm %d rounding %u\n",
        w->kernel_address, w->instruction_base, w->simd_width, w->group_start[0], w->group_start[1],
        w->group_start[2], w->group_end[0], w->group_end[1], w->group_end[2], w->threads_per_group,
        w->execution_mask, w->indirect_address, w->cross_thread_bytes, w->per_thread_bytes,
        w->local_id_source == LOCAL_ID_FROM_HARDWARE ? "hardware" : "memory",
        w->local_id_dimensions, w->local_size[0], w->local_size[1], w->local_size[2], w->walk_order,
        w->inline_bytes > 0, w->slm_bytes, w->barriers, w->grf_registers, w->surface_state_base,
        w->bindless_surface_base, w->dynamic_state_base, w->general_state_base,
        w->binding_table_offset, w->sampler_state_offset, w->scratch_address,
        w->scratch_bytes_per_thread, w->scratch_surface_offset, w->single_program_flow,
        w->denorm_retain, w->rounding_mode);
}

int gpu_walk(struct gpu *gpu, const struct address_space *space, const struct walker *walker,
             uint64_t start, uint64_t *end, struct vesim_fault *fault)
{
    const char *log = getenv("FAKE_GPU_LOG");

    if (log && *log == '1')
        print_walker(walker);
    pthread_mutex_lock(&lock);
    fake_gpu.last = fake_gpu.of_stack[gpu->stack] = *walker;
    fake_gpu.walks++;
    pthread_mutex_unlock(&lock);
    if (fake_gpu.on_walk)
        fake_gpu.on_walk();
    if (fake_gpu.fault || !address_space_host(space, walker->kernel_address, 16)) {
        snprintf(fault->message, sizeof(fault->message), "the kernel at 0x%" PRIx64 " faults",
                 walker->kernel_address);
        return -EFAULT;
    }
    *end = start + fake_gpu.walk_cycles;
    return 0;
}

const struct vesim_walk *gpu_last_walk(const struct gpu *gpu)
{
    static const struct vesim_walk none;

    (void)gpu;
    return &none;
}

uint64_t gpu_cache_control(struct gpu *gpu, unsigned operations, uint64_t start)
{
    (void)gpu;
    fake_gpu.cache_operations |= operations;
    fake_gpu.code_invalidations += (operations & GPU_INVALIDATE_CODE) != 0;
    fake_gpu.tlb_invalidations += (operations & GPU_INVALIDATE_TLB) != 0;
    return start;
}

uint64_t gpu_memory_transfer(struct gpu *gpu, const struct memory_traffic *traffic, uint64_t start)
{
    (void)gpu;
    uint64_t bytes = traffic->from_device + traffic->to_device + traffic->from_host +
                     traffic->to_host + traffic->from_peer + traffic->to_peer;
    fake_gpu.traffic += bytes;
    return start + bytes / 64;
}
