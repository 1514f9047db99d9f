/* The modelled GPU below the command streamer: Xe-cores, caches and memory, and their clock. */
#ifndef VESIM_GPU_H
#define VESIM_GPU_H

#include "device/device.h"
#include "isa/thread/fault.h"
#include "isa/thread/walker.h"
#include "memory/address-space.h"
#include "timing/counters.h"
#include "timing/memory-traffic.h"

struct gpu;

/* `device` must outlive the gpu. Returns NULL when out of memory. */
struct gpu *gpu_create(const struct device *device);
void gpu_destroy(struct gpu *gpu);

/* Runs all work-groups of `walker` to their end. The walk starts at GPU clock cycle `start`;
 * `*end` is the cycle at which the last thread has retired. Returns 0, or -EFAULT when a thread
 * did something that the hardware would hang or fault on, which `fault` then describes. */
int gpu_walk(struct gpu *gpu, const struct address_space *space, const struct walker *walker,
             uint64_t start, uint64_t *end, struct gpu_fault *fault);

/* Runs later walks without the clock, for their results alone (functional.c), or with it again. A
 * gpu starts with what the environment's VESIM_FUNCTIONAL says (1: without). */
void gpu_run_functional(struct gpu *gpu, bool on);

/* On how many threads of the host later walks may run, 1 at the least; never on more than there are
 * Xe-cores. With the clock, nothing depends on it but how long that takes. A gpu starts with what
 * the environment's VESIM_THREADS says, else with one for each processor that the process may use.
 */
void gpu_use_threads(struct gpu *gpu, unsigned threads);

/* How many instructions a walk may execute before it counts as hung. A gpu starts with what the
 * environment's VESIM_INSTRUCTION_LIMIT says, else with 20 billion. */
void gpu_limit(struct gpu *gpu, uint64_t instructions);

/* Whether to count what happens during the walks to come. Off, unless the environment's
 * VESIM_COUNTERS names the file to which each walk appends its row. */
void gpu_count(struct gpu *gpu, bool on);

/* Loop i of the code of kernels that are walked from now on, in the order in which loops end, goes
 * round trips[i] times each time it is entered; 0: as its condition says. Borrowed. */
void gpu_force_trips(struct gpu *gpu, const unsigned *trips, unsigned count);

/* The last walk with its counters, valid until the next one. Meaningless without gpu_count(). */
const struct walk_record *gpu_last_walk(const struct gpu *gpu);

/* What PIPE_CONTROL asks of the data caches between walks. */
enum gpu_cache_operation {
    GPU_FLUSH_DATA = 1 << 0,      /* write dirty lines of the first level back */
    GPU_INVALIDATE_DATA = 1 << 1, /* drop the first level */
    GPU_FLUSH_L3 = 1 << 2,        /* write the device cache back to memory */
};

/* Carries out the or of some gpu_cache_operation at cycle `start`; returns when it is done. */
uint64_t gpu_cache_control(struct gpu *gpu, unsigned operations, uint64_t start);

/* A copy engine's traffic with memory, for the clock alone (the caller moves the bytes); returns
 * the cycle at which the last byte has arrived. */
uint64_t gpu_memory_transfer(struct gpu *gpu, const struct memory_traffic *traffic, uint64_t start);

#endif
