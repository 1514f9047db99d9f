/* The command streamers of one GPU: they fetch batch buffers, keep the GPU's state and the clock of
 * each of its stacks, and hand walkers to the thread dispatcher.
 *
 * Submission is asynchronous: each context has a thread of its own that executes its batches in
 * order. Contexts take turns on their stack, by priority and then in the order of submission; one
 * that waits at a semaphore lets the others run, as time slicing does on hardware, and one that
 * comes to a walker those of a higher priority. A clock counts core cycles and moves by the GPU's
 * work alone; what timestamps show may follow the host between (device-time.h).
 */
#ifndef VESIM_CS_H
#define VESIM_CS_H

#include <stdbool.h>
#include <stdint.h>

#include "faults/faults.h"
#include "memory/address-space.h"
#include "vesim/vesim.h"

enum cs_engine {
    CS_ENGINE_RENDER,
    CS_ENGINE_COPY,
    CS_ENGINE_COMPUTE,
};

struct cs;
struct cs_context;
struct walker;

/* `device` must outlive the result. NULL: no memory. */
struct cs *cs_create(const struct vesim_device *device, const struct vesim_settings *settings);
/* Faults strike from now on by this plan, which must outlive the streamer. */
void cs_plan_faults(struct cs *cs, const struct faults *faults);
/* All contexts must be gone. */
void cs_destroy(struct cs *cs);

/* The timestamp counters' value in cycle 0. Drivers take a small number (Intel's: 1) for a
 * timestamp that has not been written; on hardware, whose counters run from power-on, no program
 * sees one that small. */
#define TICKS_AT_START (UINT64_C(1) << 16)
/* So much less a context's own counter shows: it begins with the context, and is no copy of the
 * device's. */
#define CONTEXT_TICKS_LATER (UINT64_C(1) << 15)

/* Ticks of a stack's timestamp counter at its present time. */
uint64_t cs_timestamp(struct cs *cs, unsigned stack_number);

/* While batches are queued or executing, waits until one has ended, `microseconds` at the most.
 * Returns whether there was any. */
bool cs_wait_progress(struct cs *cs, unsigned microseconds);

/* Pages have been unbound: later walks translate all addresses anew. May be called at any time. */
void cs_drop_translations(struct cs *cs);

/* Whether a context has been reset since the GPU was opened. */
bool cs_has_hung(struct cs *cs);

/* What was logged of the first contexts that were reset, which the rest mostly follows from: lines
 * without the last newline, "" if there are none. */
#define CS_HANG_REPORTS     3
#define CS_HANG_REPORT_SIZE (VESIM_FAULT_MESSAGE_BYTES + 64)
void cs_hang_reports(struct cs *cs, char *text, size_t size);

/* Whether whoever submits work has been told of a context that was reset: it has asked, or been
 * refused a batch. */
bool cs_hang_was_told(struct cs *cs);

/* How often a batch was executed to its end, or went on behind a semaphore. */
uint64_t cs_progress(struct cs *cs);

/* A context on one engine of a stack: registers, state and a queue of batches. NULL: no memory. */
struct cs_context *cs_context_create(struct cs *cs, unsigned stack, enum cs_engine engine);
/* Contexts of a higher priority go first; they begin with 0. */
void cs_context_set_priority(struct cs_context *context, int priority);
/* Ends the context and waits for its thread. `cancel` drops what has not started and stops what
 * waits at a semaphore or does not end soon; otherwise everything submitted is executed first. */
void cs_context_destroy(struct cs_context *context, bool cancel);

/* A batch faulted: the context executes nothing more. To ask means to wait for the context's work:
 * one that waits in turn for a context that was reset is then reset, too. */
bool cs_context_hung(struct cs_context *context);

/* In between somebody waits for batches to end without asking, of any context. */
void cs_begin_wait(struct cs *cs);
void cs_end_wait(struct cs *cs);

/* How a job has ended. */
struct cs_outcome {
    bool executed;            /* to its end or to a fault, not dropped */
    uint64_t start, end;      /* cycles */
    uint64_t written_back;    /* when the last-level cache was, if it was to be; otherwise `end` */
    struct vesim_fault fault; /* VESIM_FAULT_NONE: none */
    struct vesim_walk walk;   /* of a walker of its own, when counting */
};

struct cs_job {
    struct address_space space;  /* owned by the job */
    uint64_t batch_address;      /* GPU virtual address of the first command */
    const struct walker *walker; /* instead of commands, or NULL; borrowed until done() */
    bool begins_submission;      /* the walker is the first of one: caches are emptied */
    bool writes_back;            /* behind the walker the last-level cache is written back */
    struct cs_outcome *outcome;  /* filled before done(), or NULL */
    /* Called while the job polls and when it goes on: brings the address space up to date with what
     * was bound and unbound meanwhile. Returns 0 or -ENOMEM. NULL: the job keeps what it began
     * with. */
    int (*refresh)(void *owner, struct address_space *space);
    void (*done)(void *owner); /* called once, from any thread, when the GPU has let go of the
                                  job, executed or not */
    void *owner;
};

/* Queues a copy of `job`, whose address space the context then owns. Returns 0, or -ENOMEM, or
 * -EIO when the context has hung; on errors `job` stays the caller's and done() is not called. */
int cs_submit(struct cs_context *context, const struct cs_job *job);

#endif
