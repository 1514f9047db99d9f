/* An emulated GPU for tests of the instruction set and the clock: assembles a few lines of Xe
 * assembly with Intel's own assembler, runs them, and gives the memory and the cycles. */
#ifndef TEST_MACHINE_H
#define TEST_MACHINE_H

#include <stdint.h>

#include "gpu/gpu.h"
#include "timing/counters.h"
#include "vesim/vesim.h"

/* GPU addresses of the machine's memory. */
enum {
    MACHINE_CODE = 0x100000,     /* kernels */
    MACHINE_SURFACES = 0x200000, /* surface states, then the binding table at +0x1000 */
    MACHINE_DATA = 0x400000,     /* binding table entry 0: a buffer of MACHINE_DATA_BYTES */
    MACHINE_DATA_BYTES = 1 << 20,
};

struct machine {
    struct vesim_device device;
    struct vesim_settings settings;
    struct gpu *gpu;
    struct address_space space;
    struct walker walker; /* one work-group of one SIMD8 thread unless a test changes it */
    uint8_t *code, *surfaces;
    uint32_t *data;
    uint64_t cycles; /* of the last run */
    uint64_t clock;  /* at its end */
    struct vesim_fault fault;
};

/* `device` is the name of a built-in device. Fails the test on errors. */
void machine_create(struct machine *machine, const char *device);

/* The same with figures changed by the test before the GPU is made: load, change, finish. */
void machine_load(struct machine *machine, const char *device);

void machine_finish(struct machine *machine);
void machine_destroy(struct machine *machine);

/* Whether the assembler of this system knows the device's instruction set: Debian 12's does not
 * know Xe2. */
bool machine_knows(const char *device);

/* Runs the tests of what only `generation` does on `machine`, which is made before the first of
 * them: `device`, with 16 lanes and at most 100,000 instructions a run. Returns what main() does:
 * 77 where the assembler does not know the generation. */
struct CMUnitTest;
int machine_run_tests(struct machine *machine, const char *device, const char *generation,
                      const struct CMUnitTest *tests, size_t count);

/* Assembles `text` (an end-of-thread message is added) and makes it the walker's kernel. */
void machine_assemble(struct machine *machine, const char *text);

/* The program of what was assembled last, executed as `lanes` says and compiled by nobody; for the
 * caller to free. NULL: it can't be decoded. */
struct program *machine_decode(const struct machine *machine, enum vesim_lanes lanes);

/* Makes the walker's work-group one thread of so many lanes. */
void machine_use_lanes(struct machine *machine, unsigned lanes);

/* Runs the walker; returns what gpu_walk() does. */
int machine_run(struct machine *machine);

/* Those of the last run; needs gpu_count(). */
struct counters machine_counters(const struct machine *machine);

/* Runs `text` by the walker, failing the test on a fault. */
void machine_run_ok(struct machine *machine, const char *text);

/* Cycles of a load with an address for each lane that the nearest cache has. */
static inline uint64_t machine_hit_latency(const struct machine *machine)
{
    const struct vesim_device *d = &machine->device;

    return d->l1_bytes ? d->l1_hit_latency + d->l1_lanes_latency : d->l3_hit_latency;
}

/* Whether TEST_XE names this mode of running machines: functional, general (without the fast
 * path), compiled (without the clock, all code compiled at once), checked (the same, and compared
 * with the interpreter). */
bool test_wants(const char *way);

/* Random numbers for tests: the same in every run. */
uint32_t machine_random(void);
void machine_random_fill(void *to, size_t bytes);

#endif
