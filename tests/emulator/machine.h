/* A command streamer with a little memory, for tests that run batches. */
#ifndef VESIM_TEST_MACHINE_H
#define VESIM_TEST_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "streamer/cs.h"
#include "vesim/vesim.h"

#define MACHINE_BATCH  UINT64_C(0x100000)       /* GPU address of batches */
#define MACHINE_BATCH2 UINT64_C(0x102000)       /* in the middle of the same buffer */
#define MACHINE_DATA   UINT64_C(0x7fff00000000) /* in two mappings, of half its bytes each */
#define MACHINE_BYTES  16384                    /* of each buffer */

/* The first dwords of MI commands: opcode, and the length where there is one. */
#define MI(opcode, dwords) ((uint32_t)(opcode) << 23 | ((dwords) > 1 ? (uint32_t)(dwords)-2 : 0))
#define END                MI(0x0a, 1)
#define LOW(address)       (uint32_t)(address)
#define HIGH(address)      (uint32_t)((uint64_t)(address) >> 32)

struct machine {
    struct vesim_device device;
    struct cs *cs;
    struct cs_context *context;
    uint32_t batch[MACHINE_BYTES / 4];
    uint32_t data[MACHINE_BYTES / 4];
};

/* Timestamps of the a380, 19.2 MHz at a clock of 2.45 GHz. What the kernel driver wraps around a
 * submission takes FLUSH_CYCLES at either end: 300 for a PIPE_CONTROL, 500 for its flush. */
#define A380_TICKS(cycles) (TICKS_AT_START + (uint64_t)(cycles)*48 / 6125)
#define FLUSH_CYCLES       800

/* Fails the test on errors. The machine's memory is zero. */
struct machine *machine_start(const char *device, enum cs_engine engine);
/* The same, with timestamps that follow the host's clock. */
struct machine *machine_start_following(const char *device, enum cs_engine engine);
void machine_stop(struct machine *machine);

/* Copies the command dwords to MACHINE_BATCH. */
void machine_load(struct machine *machine, const uint32_t *dwords, size_t count);

/* Queues a batch at `address`; machine_wait() waits for one such. */
void machine_submit(struct machine *machine, struct cs_context *context, uint64_t address);
void machine_wait(struct machine *machine);

/* Loads, submits, waits. Returns whether the context is still sound. */
bool machine_run(struct machine *machine, const uint32_t *dwords, size_t count);

#define RUN(machine, ...)                                                                          \
    machine_run(machine, (const uint32_t[]){__VA_ARGS__},                                          \
                sizeof((const uint32_t[]){__VA_ARGS__}) / 4)

#endif
