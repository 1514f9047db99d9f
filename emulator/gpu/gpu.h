/* The emulated GPU below the command streamer: Xe-cores, caches and memory, with timing. */
#ifndef VESIM_GPU_H
#define VESIM_GPU_H

#include "isa/thread/walker.h"
#include "memory/address-space.h"
#include "timing/memory-traffic.h"
#include "vesim/vesim.h"

struct gpu;

/* A stack of the device. `device` must outlive the GPU. Returns NULL when out of memory. */
struct gpu *gpu_create(const struct vesim_device *device, const struct vesim_settings *settings);

/* Which of the device's stacks the GPU is, and with it what memory is near; 0 unless told. */
void gpu_set_stack(struct gpu *gpu, unsigned stack);
void gpu_destroy(struct gpu *gpu);

/* Runs all work-groups of `walker` to completion. The walk starts at GPU clock cycle `start`;
 * `*end` is the cycle at which the last thread retired. Returns 0, or -EFAULT when a thread did
 * something that hardware would hang or fault on; `fault` describes it. */
int gpu_walk(struct gpu *gpu, const struct address_space *space, const struct walker *walker,
             uint64_t start, uint64_t *end, struct vesim_fault *fault);

/* Overrides the settings for later walks. */
void gpu_run_functional(struct gpu *gpu, bool on);
void gpu_use_threads(struct gpu *gpu, unsigned threads);
void gpu_count(struct gpu *gpu, bool on);
void gpu_force_trips(struct gpu *gpu, const unsigned *trips, unsigned count); /* borrowed */

/* How often to look whether a walk goes on: as often as that costs nothing, unless a test wants it
 * otherwise. Affects no result. */
void gpu_watch_every(struct gpu *gpu, uint64_t instructions);

/* The last walk and its counters, valid until the next walk. Only meaningful if counting. */
const struct vesim_walk *gpu_last_walk(const struct gpu *gpu);

/* What PIPE_CONTROL asks of the caches between walks. */
enum gpu_cache_operation {
    GPU_FLUSH_DATA = 1 << 0,      /* write dirty lines of the first level back */
    GPU_INVALIDATE_DATA = 1 << 1, /* drop the first level */
    GPU_FLUSH_L3 = 1 << 2,        /* write the device cache back to memory */
    GPU_INVALIDATE_CODE = 1 << 3, /* drop the Xe-cores' instruction caches */
    GPU_INVALIDATE_TLB = 1 << 4,  /* drop what they know of pages */
};

/* Performs a set of gpu_cache_operation flags at cycle `start`; returns when they are done. */
uint64_t gpu_cache_control(struct gpu *gpu, unsigned operations, uint64_t start);

/* Accounts for a copy engine's memory traffic, only for timing (the caller moves the bytes);
 * returns the cycle at which the last byte arrives. */
uint64_t gpu_memory_transfer(struct gpu *gpu, const struct memory_traffic *traffic, uint64_t start);

#endif
