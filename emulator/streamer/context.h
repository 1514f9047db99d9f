/* Inside the command streamer: the state of a context and of the batch it executes. */
#ifndef VESIM_CS_CONTEXT_H
#define VESIM_CS_CONTEXT_H

#include <pthread.h>

#include "gpu/gpu.h"
#include "layout/layout.h"
#include "streamer/cs.h"
#include "streamer/device-time.h"

/* The longest command there is: an 8-bit length field that excludes the first two dwords. */
#define COMMAND_DWORDS_MAX 257

/* How deep batches may start batches: ring, first, second and third level (PRM Vol 2a,
 * MI_BATCH_BUFFER_START with nesting enabled). */
#define BATCH_LEVELS_MAX 3

/* Batches that execute more commands than this are runaway and end as a hang. */
#define BATCH_COMMANDS_MAX  (UINT64_C(1) << 24)

#define OTHER_REGISTERS_MAX 1024

/* Registers the streamer has no model of keep what is written to them. */
struct other_registers {
    uint32_t offsets[OTHER_REGISTERS_MAX]; /* 0: free */
    uint32_t values[OTHER_REGISTERS_MAX];
};

struct registers {
    uint32_t block[0x400]; /* 0x2000 to 0x2fff of the context's engine */
    struct other_registers other;
};

/* What STATE_BASE_ADDRESS and the front-end commands set for later walkers. GPU addresses. */
struct state {
    uint64_t general_base;
    uint64_t surface_base;
    uint64_t dynamic_base;
    uint64_t indirect_base;
    uint64_t instruction_base;
    uint64_t bindless_surface_base;
    uint64_t bindless_sampler_base;
    uint64_t binding_table_pool; /* valid if has_binding_table_pool (Xe-HP and later) */
    bool has_binding_table_pool;

    bool large_grf;              /* STATE_COMPUTE_MODE */
    uint64_t scratch_pointer;    /* MEDIA_VFE_STATE: bytes from general_base; 0: none */
    uint32_t scratch_per_thread; /* MEDIA_VFE_STATE: bytes */
    uint32_t scratch_surface;    /* CFE_STATE: surface state, bytes from surface_base; 0: none */
    uint32_t descriptors_offset; /* MEDIA_INTERFACE_DESCRIPTOR_LOAD: bytes from dynamic_base */
    uint32_t descriptors_bytes;
};

struct queued_job {
    struct cs_job job;
    uint64_t sequence;     /* order of submission over all contexts */
    uint64_t submitted_ns; /* the host's monotonic time then */
    struct queued_job *next;
};

struct cs_context {
    struct cs *cs;
    struct cs_stack *stack; /* on whose engine it is */
    enum cs_engine engine;
    bool has_partition; /* runs the same commands as a context of each other stack */
    struct registers registers;
    struct state state;
    uint64_t active_cycles; /* GPU time this context has had, up to its present turn */
    uint64_t turn_start;    /* clock when its present turn began */

    /* Under cs->lock: */
    pthread_t thread;
    struct queued_job *first, **last;
    bool hung, closing;
    bool cancelled;    /* also read without the lock */
    uint64_t asked_ns; /* the host's monotonic time at which somebody waited for it last */
    int priority;
    bool wants_turn;
    uint64_t turn_sequence;
    bool executes;              /* a job, or waits in one */
    uint64_t jobs;              /* so many have begun */
    uint64_t looks;             /* so often it has polled in vain */
    struct meeting *meeting;    /* while it waits for the other stack, or NULL */
    struct cs_context *partner; /* whom it has met there, or NULL */
    struct cs_context *next;
};

/* What of the GPU runs by itself: Xe-cores, caches, memory, and a time of its own. */
struct cs_stack {
    struct cs *cs;
    struct gpu *gpu;
    uint64_t clock;       /* core cycles since power-on; moved by the context whose turn it is */
    bool walks;           /* executes a walk now; atomic */
    bool translates_anew; /* the next walk begins with empty TLBs; atomic */

    /* Under cs->lock: */
    struct cs_context *turn; /* who executes now, or NULL */
    struct device_time time; /* also read without the lock by whose turn it is */
};

struct cs {
    const struct vesim_device *device;
    const struct faults *faults; /* NULL: none are planned */
    struct vesim_settings settings;
    struct cs_stack stacks[VESIM_STACKS_MAX]; /* as many as the device has */

    pthread_mutex_t lock;
    pthread_cond_t changed;      /* queues and turns */
    pthread_cond_t progress;     /* a job has ended: what waits at a semaphore may look again */
    struct cs_context *contexts; /* all of them */
    uint64_t sequence;
    uint64_t host_start_ns; /* the host's monotonic clock when the device was opened */
    uint64_t ahead_ticks;   /* by which the device's time is before the host's: work can take longer
                               in its time than in the host's */
    bool has_hung;          /* a context has been reset */
    bool hang_was_told;     /* to whoever submits work */
    char hang_reports[CS_HANG_REPORTS * CS_HANG_REPORT_SIZE];
    unsigned hang_report_count;
    unsigned waits;       /* so many wait for batches to end */
    uint64_t steps;       /* cs_progress() */
    uint64_t last_job_ns; /* the host's monotonic time at which a job began or ended last */
};

/* Its number: the device's first has 0. */
static inline unsigned stack_number(const struct cs_stack *stack)
{
    return (unsigned)(stack - stack->cs->stacks);
}

/* A line for the log, if there is one. */
void cs_log(const struct cs *cs, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Moves the clock of the context whose turn it is; never back. */
static inline void clock_advance(struct cs_stack *stack, uint64_t to)
{
    if (to > stack->clock) /* cs_timestamp() reads it at any time */
        __atomic_store_n(&stack->clock, to, __ATOMIC_RELAXED);
}

/* The execution of one batch. */
struct batch {
    struct cs *cs;
    struct cs_stack *stack; /* the context's */
    struct cs_context *context;
    const struct address_space *space;
    struct cs_job *job;
    const struct vesim_device *device;
    uint64_t sequence;

    uint64_t pc; /* address of the present command */
    uint64_t next_pc;
    uint64_t returns[BATCH_LEVELS_MAX];
    unsigned level;
    uint64_t commands;
    unsigned jumps;       /* since it has last done anything but look at registers and memory; */
    uint64_t jumps_since; /* the host's monotonic time at the first of them */
    bool looked;          /* at memory, since others have last gone on */
    bool ended;
    bool skip;        /* MI_SET_PREDICATE turned the commands behind it into no-ops */
    bool by_result_2; /* MI_SET_PREDICATE decides about predicated jumps */
    bool is_launch;   /* of a walker, without commands */
    bool wrong_lane;  /* a planned fault: in each walker */
    struct vesim_fault fault;
};

/* Executes a batch to its end. Returns 0, or -EFAULT with batch->fault set, or -ECANCELED. */
int batch_execute(struct batch *batch);

/* It jumps. One that looks at memory and does nothing else for some time polls: others go on
 * first. Returns 0, -EFAULT with batch->fault set, or -ECANCELED. */
int batch_jumps(struct batch *batch);

/* Records why the batch cannot go on; the command's address is added. Returns -EFAULT. */
__attribute__((format(printf, 2, 3))) int batch_fault(struct batch *batch, const char *format, ...);

/* The same for an access, which the format names, to `address`, where nothing is mapped. */
__attribute__((format(printf, 3, 4))) int batch_page_fault(struct batch *batch, uint64_t address,
                                                           const char *format, ...);

/* The same of the fault that batch->fault holds already. */
int batch_stop(struct batch *batch);

/* An address for a command that writes apart for each part of a walk that is split over stacks. */
uint64_t batch_partition_address(const struct batch *batch, bool apart, uint64_t address);

/* Memory, checked. Return 0 or -EFAULT with the fault recorded. Addresses that are not aligned to
 * their size fault, as no command can express them. */
int batch_read32(struct batch *batch, uint64_t address, uint32_t *value);
int batch_read64(struct batch *batch, uint64_t address, uint64_t *value);
int batch_write32(struct batch *batch, uint64_t address, uint32_t value);
int batch_write64(struct batch *batch, uint64_t address, uint64_t value);

/* A PIPE_CONTROL that waits for all work, with a set of gpu_cache_operation flags: advances the
 * clock by what both take. */
void pipe_control_flush(struct cs_stack *stack, unsigned operations);

/* Carries out such flags as part of another command, and advances the clock. */
static inline void cache_control(struct batch *batch, unsigned operations)
{
    struct cs_stack *stack = batch->stack;

    clock_advance(stack, gpu_cache_control(stack->gpu, operations, stack->clock));
}

/* Yields the GPU for about `microseconds` or until something has changed, then takes it back.
 * Returns 0, or -ECANCELED when the context is to stop. */
int context_yield(struct cs_context *context, uint64_t sequence, unsigned microseconds);

/* Lets contexts of a higher priority that want the turn have it, before the batch of number
 * `sequence` goes on. Lock not held. */
void context_let_higher(struct cs_context *context, uint64_t sequence);

/* Lock held. Gives others the turn for about `microseconds` or until something has changed, and
 * takes it back. The stack's time stands still meanwhile, unless others move it. */
void context_let_others(struct cs_context *context, uint64_t sequence, unsigned microseconds);

/* If another stack runs the same commands: waits until it has come to this one as well, and goes on
 * at the later time. Does not wait for one that waits elsewhere at a later time, polls, or does
 * nothing. Returns 0, or -ECANCELED. */
int context_meet(struct batch *batch);

/* It has looked at all that it polls, in vain. */
void context_looked(struct cs_context *context);

/* A batch has come past a semaphore. */
void context_went_on(struct cs_context *context);

/* Whether to give up on what the context has waited for since `since_ns`: another context was
 * reset, for seconds nothing has run that could still signal it, and somebody waits for the context
 * meanwhile. Without that its program would wait for ever. A context that nobody waits for may be
 * waiting for its program, which has more work later: drivers keep such batches. */
bool context_is_abandoned(struct cs_context *context, uint64_t since_ns);

/* Registers by their absolute MMIO offset or by the offset of the render engine's block, which the
 * "MMIO remap" of Gen12 moves to the own engine. Return 0 or -EFAULT with the fault recorded. */
int register_read(struct batch *batch, uint32_t offset, uint32_t *value);
int register_write(struct batch *batch, uint32_t offset, uint32_t value);
/* One of the own engine that only keeps its value. */
uint32_t register_own(const struct cs_context *context, uint32_t offset);
uint64_t register_gpr(const struct cs_context *context, unsigned index);
void register_set_gpr(struct cs_context *context, unsigned index, uint64_t value);

/* Commands, by block. `d` holds all `count` dwords of the command. Return 0, -EFAULT (fault
 * recorded) or -ECANCELED. */
int command_mi(struct batch *batch, const uint32_t *d, uint32_t count);
int command_math(struct batch *batch, const uint32_t *d, uint32_t count);
int command_atomic(struct batch *batch, const uint32_t *d, uint32_t count);

/* An atomic operation on memory, by the streamer. */
struct batch_atomic {
    uint32_t opcode; /* of MI_ATOMIC */
    bool qword, returns;
    uint64_t operand1, operand2;
};
int batch_atomic(struct batch *batch, uint64_t address, const struct batch_atomic *atomic);

int command_semaphore_wait(struct batch *batch, const uint32_t *d, uint32_t count);
int command_semaphore_wait_64(struct batch *batch, const uint32_t *d, uint32_t count);
int command_pipe_control(struct batch *batch, const uint32_t *d, uint32_t count);
int command_resource_barrier(struct batch *batch, const uint32_t *d, uint32_t count);
int command_flush_dw(struct batch *batch, const uint32_t *d, uint32_t count);
int command_state(struct batch *batch, const uint32_t *d, uint32_t count);
int command_gpgpu_walker(struct batch *batch, const uint32_t *d, uint32_t count);
int command_compute_walker(struct batch *batch, const uint32_t *d, uint32_t count);
int command_compute_walker_2(struct batch *batch, const uint32_t *d, uint32_t count);
int command_blitter(struct batch *batch, const uint32_t *d, uint32_t count);

/* The comparisons of semaphores and conditional ends: memory against data (PRM Vol 2a,
 * MI_SEMAPHORE_WAIT, Compare Operation). 6 and 7 are reserved and never hold. */
bool compare_holds(unsigned operation, uint64_t memory, uint64_t data);

/* MMIO offsets in the render engine's block (PRM Vol 2c; the same names in compute-runtime's
 * register_offsets.h and i915's intel_engine_regs.h). */
#define REG_PARTITION_ID       0x221c /* compute-runtime, WPARID */
#define REG_PARTITION_OFFSET   0x23b4 /* compute-runtime, of addresses: bytes */
#define REG_PREDICATE_RESULT_2 0x23bc
#define REG_TIMESTAMP          0x2358
#define REG_CTX_TIMESTAMP      0x23a8
#define REG_PREDICATE_SRC0     0x2400
#define REG_PREDICATE_SRC1     0x2408
#define REG_PREDICATE_RESULT   0x2418
#define REG_DISPATCH_DIM_X     0x2500
#define REG_GPR0               0x2600

#endif
