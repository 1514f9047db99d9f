/* vesim: modelled Intel GPUs. They execute machine code from Intel's compiler, with timing
 * according to their figures. docs/emulator/model.md says what such times mean, and what they do
 * not.
 *
 * The library reads no environment variables, prints nothing, and keeps no state outside the
 * objects it returns (except Intel's assembler library, opened once). Functions that can fail
 * return 0, or -1 with one line in `error` (no newline) that says what failed, where, and what to
 * do. */
#ifndef VESIM_H
#define VESIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Devices. */

/* The instruction set and command layouts of a device. */
enum vesim_architecture {
    VESIM_GEN12LP,  /* Xe-LP: GPGPU_WALKER, dataport (HDC) messages */
    VESIM_XE_HPG,   /* Xe-HPG, Xe-LPG: COMPUTE_WALKER, LSC messages */
    VESIM_XE_HPC,   /* Xe-HPC: commands as on Xe-HPG, registers and barriers as on Xe2; no images */
    VESIM_XE2,      /* Xe2: 64-byte registers, 16 native lanes, sub-groups of 16 and 32 */
    VESIM_XE3,      /* Xe3: also messages that gather their payload */
    VESIM_XE3P,     /* Xe3P: COMPUTE_WALKER_2, no heaps, messages with bases in scalar registers */
    VESIM_XE3P_XPC, /* the same with addresses of 57 bits, no images, and nothing that renders */
    VESIM_ARCHITECTURE_COUNT,
};

/* Their names in descriptions. */
extern const char *const vesim_architecture_names[VESIM_ARCHITECTURE_COUNT];

/* The Linux driver that has the device, and whose calls programs make. */
enum vesim_kernel_driver {
    VESIM_I915,
    VESIM_XE,
    VESIM_KERNEL_DRIVER_COUNT,
};

/* Their names, in descriptions and in the kernel; NULL behind the last. */
extern const char *const vesim_kernel_driver_names[VESIM_KERNEL_DRIVER_COUNT + 1];

/* What is altered of the clock's rules (rules.def): all 0, but for tests. */
struct vesim_rules {
#define RULE(name, maximum, what) uint32_t name;
#include "vesim/rules.def"
#undef RULE
};

/* A device: its figures, in the units given in figures.def. */
struct vesim_device {
    char name[64];  /* its name for `vesim --device`, e.g. "a380" */
    char title[96]; /* its common name, e.g. "Arc A380" */
    enum vesim_architecture architecture;
    enum vesim_kernel_driver kernel_driver;
#define SECTION(title)
#define FIGURE(name, unit, minimum, maximum, what) uint64_t name;
#include "vesim/figures.def"
#undef FIGURE
#undef SECTION
    struct vesim_rules rules;
};

enum vesim_figure_index {
#define SECTION(title)
#define FIGURE(name, unit, minimum, maximum, what) VESIM_FIGURE_##name,
#include "vesim/figures.def"
#undef FIGURE
#undef SECTION
    VESIM_FIGURE_COUNT
};

/* A figure's entry in figures.def. */
struct vesim_figure {
    const char *name, *unit;
    uint64_t minimum, maximum;
    size_t offset; /* of the member in struct vesim_device, bytes */
};

extern const struct vesim_figure vesim_figures[VESIM_FIGURE_COUNT];

/* Where a device stores a figure; `index` is an enum vesim_figure_index. */
uint64_t *vesim_device_figure(struct vesim_device *device, size_t index);

/* The most threads of a kernel that a vector engine holds at once: the kernel takes so many general
 * registers for each (0: 128), and the register file is shared by all. At least 1. */
unsigned vesim_threads_per_ve(const struct vesim_device *device, unsigned registers);

/* How wide the device's addresses are. */
unsigned vesim_address_bits(const struct vesim_device *device);

/* Of no device are there more stacks. */
#define VESIM_STACKS_MAX   2

#define VESIM_SOURCE_BYTES 160

/* A device and the source of each of its figures. */
struct vesim_description {
    struct vesim_device device;
    char sources[VESIM_FIGURE_COUNT][VESIM_SOURCE_BYTES];
    /* The range of each figure: for an assumed one the range given in its source ("assumed LOW to
     * HIGH: why"), for any other its value. */
    uint64_t low[VESIM_FIGURE_COUNT], high[VESIM_FIGURE_COUNT];
    bool is_stand_in; /* the id is not known: all other figures are of the nearest that is */
};

/* The names of the built-in devices, NULL-terminated. */
const char *const *vesim_device_names(void);

/* A GPU that a built-in description fits, with what differs. */
struct vesim_id {
    unsigned id;        /* of PCI */
    const char *device; /* the description's name */
    char title[96];
};

/* Writes the first `capacity` of them, in the order of the descriptions, and returns how many there
 * are. */
size_t vesim_device_ids(struct vesim_id *ids, size_t capacity);

/* Reads a device. `name_or_path` is the name of a built-in one, or a PCI id, such as "0xe20c", or
 * the path of a description if it contains a slash or names an existing file. A device opened by an
 * id other than its description's own has the id as its name; one with an id that is not known has
 * the figures of the nearest known one, as its title says ("Intel GPU 0x56a7, as ..."). */
int vesim_device_load(struct vesim_device *device, const char *name_or_path, char *error,
                      size_t error_size);

/* Reads a device with the sources of its figures. */
int vesim_description_load(struct vesim_description *description, const char *name_or_path,
                           char *error, size_t error_size);

/* Reads a description from text; `origin` is its name in errors. */
int vesim_description_parse(struct vesim_description *description, const char *text,
                            const char *origin, char *error, size_t error_size);

/* Prints every figure with its unit, its source ("assumed" if nobody has published it), and its
 * meaning. */
int vesim_device_describe(FILE *out, const char *name_or_path, char *error, size_t error_size);

/* Counters: events during a walk, which is the execution of one launch. counters.def explains
 * each. */
enum vesim_counter {
#define COUNTER(name, what) VESIM_COUNTER_##name,
#include "vesim/counters.def"
#undef COUNTER
    VESIM_COUNTER_COUNT
};

struct vesim_walk {
    uint64_t sequence; /* of the walk on its GPU, from 0 */
    uint64_t kernel_address;
    const char *device; /* its name */
    uint32_t simd_width;
    uint64_t groups, threads;
    uint64_t start, end;                 /* GPU clock cycles */
    uint64_t first_start, last_end;      /* of the walk's threads */
    uint32_t peak_threads, thread_slots; /* threads resident at once; slots that the device has */
    uint64_t counters[VESIM_COUNTER_COUNT];
};

/* Faults: why work on a GPU has stopped. */
enum vesim_fault_kind {
    VESIM_FAULT_NONE,
    VESIM_FAULT_PAGE,        /* nothing is mapped at `address` */
    VESIM_FAULT_INSTRUCTION, /* the instruction or its message is invalid or unknown */
    VESIM_FAULT_LIMIT,       /* a limit of the settings is exceeded */
    VESIM_FAULT_ENDLESS,     /* a loop that no thread can leave */
    VESIM_FAULT_DEADLOCK,    /* threads at a barrier that others of their work-group never reach */
    VESIM_FAULT_COMMAND,     /* the command, or what it asks for, is invalid or unknown */
    VESIM_FAULT_MEMORY,      /* the host is out of memory */
    VESIM_FAULT_KIND_COUNT,
};

#define VESIM_FAULT_MESSAGE_BYTES     640
#define VESIM_FAULT_INSTRUCTION_BYTES 256

struct vesim_fault {
    enum vesim_fault_kind kind;
    uint64_t address;  /* for VESIM_FAULT_PAGE: GPU address, not sign-extended */
    uint64_t kernel;   /* GPU address of the code being executed; 0: none */
    uint32_t offset;   /* bytes from `kernel` to the instruction, if there is one */
    uint64_t command;  /* GPU address of the command; 0: none, or a launch without a batch */
    uint64_t time;     /* for these two, unless functional: GPU clock cycle, and */
    uint64_t executed; /* instructions of the walk up to then */
    char instruction[VESIM_FAULT_INSTRUCTION_BYTES]; /* assembler text, or "" */
    char message[VESIM_FAULT_MESSAGE_BYTES];         /* one line that says all this; no newline */
};

/* How far a walk is that takes long. */
struct vesim_progress {
    uint64_t kernel_address;
    uint64_t instructions;        /* executed */
    uint64_t groups_done, groups; /* work-groups */
    double seconds;               /* of host time */
    bool ended;                   /* the walk, in one way or another */
};

/* How the host executes the lanes of an instruction. All ways give bit-identical results. */
enum vesim_lanes {
    VESIM_LANES_BEST,    /* the widest vectors of this host */
    VESIM_LANES_PLAIN,   /* vectors that every host has */
    VESIM_LANES_GENERAL, /* one lane at a time */
};

/* When machine code is compiled to code of the host, in builds with LLVM and where the library is
 * installed: with the clock, what lies between messages and branches. Results and times are the
 * same, to the bit. */
enum vesim_compile {
    VESIM_COMPILE_OFF,
    VESIM_COMPILE_ON,     /* when it has been executed often; on a thread of its own */
    VESIM_COMPILE_ALWAYS, /* before it is executed */
    VESIM_COMPILE_CHECK,  /* the same, each stretch between two messages or branches by itself, and
                             compares it with the interpreter, and timing that was remembered with
                             timing that is computed anew: a difference stops the kernel */
};

/* How a GPU is run. Only `functional`, `trips` and `follows_host` affect results or times. */
struct vesim_settings {
    unsigned host_threads; /* that run walks, at most one per Xe-core; 0: one for each processor
                              that the process may use */
    bool functional;       /* results without timing: faster, but times are meaningless */
    bool counters;         /* count events, unless functional */
    bool follows_host;     /* while the GPU has nothing to do, its timestamps go on with the host's
                              monotonic clock; no duration of work depends on that. Else they
                              stand still */
    enum vesim_lanes lanes;
    enum vesim_compile compile;
    const char *cache; /* folder in which compiled code is kept for later processes, made if it is
                          not there; NULL: none. Borrowed */

    /* Walks that count as hung. One whose threads all repeat their state and change no memory is
     * always one. */
    uint64_t instruction_limit; /* it executes more */
    double time_limit_s;        /* it takes longer, by the host's clock; 0: it may */
    double poll_limit_s;        /* for so long it has done nothing but read memory that does not
                                   change; 0: it may */
    struct vesim_limit_names {  /* what the user calls these limits, for messages; NULL: nothing */
        const char *instructions, *time, *polling;
    } limit_names;

    /* Loop i of each kernel's code, in the order in which loops end, iterates trips[i] times each
     * time it is entered; 0: as its condition says. For kernels without their real data.
     * Borrowed. */
    const unsigned *trips;
    size_t trip_count;

    /* Called on whichever thread the event occurs; may be NULL. */
    void (*log)(void *context, const char *line); /* one line: a GPU hang and its reason */
    bool log_commands;                            /* also log every command and walk */
    void (*walk_done)(void *context, const struct vesim_walk *walk);        /* if counting */
    void (*progress)(void *context, const struct vesim_progress *progress); /* of a long walk,
                                                     several times a second, and at its end */
    void *context;                                                          /* passed to these */
};

/* Timed, on all processors, without counters and callbacks, with limits of an hour, and of 30
 * seconds for a walk that only polls. Without the clock, compiled code is on. */
struct vesim_settings vesim_settings_default(void);

/* GPUs, as many as memory permits, each with its own address space and engines. */
struct vesim_gpu;

/* Opens a GPU with copies of `device` and `settings` (NULL: the default). */
int vesim_gpu_open(struct vesim_gpu **opened, const struct vesim_device *device,
                   const struct vesim_settings *settings, char *error, size_t error_size);

/* Stops running work and frees the GPU, with the memory from vesim_gpu_allocate() and jobs that
 * nobody has waited for. Does nothing if NULL. Close each before the process exits: a thread of a
 * GPU may be compiling, with a library whose static objects exit() destroys. */
void vesim_gpu_close(struct vesim_gpu *gpu);

/* Memory. */

/* Where the bytes are on the modelled machine, which affects timing only; on an integrated GPU it
 * makes no difference. */
enum vesim_memory {
    VESIM_MEMORY_DEVICE,
    VESIM_MEMORY_HOST, /* across the link to the host */
};

/* GPU addresses have 48 bits, those of Xe-HPC 57. Caches are indexed by the low 44, so times depend
 * on the addresses that a client chooses, never on where the host puts the bytes. */

/* Alignment of a mapping's host memory and GPU address; malloc() guarantees no less. */
#define VESIM_MEMORY_ALIGNMENT 16

/* Maps host memory at a GPU address. The memory is borrowed, and must stay valid until it is
 * unmapped. */
int vesim_gpu_map(struct vesim_gpu *gpu, uint64_t address, void *host, size_t bytes,
                  enum vesim_memory memory, char *error, size_t error_size);

/* Maps zeroed memory owned by the GPU. Returns its host address, or NULL with `error`. */
void *vesim_gpu_allocate(struct vesim_gpu *gpu, uint64_t address, size_t bytes,
                         enum vesim_memory memory, char *error, size_t error_size);

/* Waits like vesim_gpu_wait(), then unmaps the mapping that begins at `address`, and frees the
 * memory if vesim_gpu_allocate() made it. */
int vesim_gpu_unmap(struct vesim_gpu *gpu, uint64_t address, char *error, size_t error_size);

/* Kernels: machine code with what a launch needs to know, from a device binary ("zebin"), which
 * `ocloc --format zebin` makes for one kind of device. */
struct vesim_kernel;

#define VESIM_ARGUMENTS_MAX 128

enum vesim_argument_kind {
    VESIM_ARGUMENT_UNUSED, /* not used by the compiled code */
    VESIM_ARGUMENT_NUMBER,
    VESIM_ARGUMENT_POINTER, /* to global or constant memory */
    VESIM_ARGUMENT_LOCAL,   /* to shared local memory */
};

struct vesim_kernel_properties {
    unsigned sub_group_size;          /* lanes per thread: 8, 16 or 32 */
    unsigned required_sub_group_size; /* required by the source; 0: none */
    unsigned registers;               /* per thread: 128 or 256 */
    bool has_barrier;
    uint32_t slm_bytes;     /* per work-group, without local arguments */
    uint32_t scratch_bytes; /* per thread: spilled registers and private arrays */
    const uint8_t *code;    /* machine code, valid while the kernel is loaded */
    size_t code_bytes;
    struct {
        enum vesim_argument_kind kind;
        size_t bytes; /* of a number, or of a struct by value as far as the code reads it */
    } arguments[VESIM_ARGUMENTS_MAX];
    size_t argument_count;
};

/* Loads the kernel called `name`, copying its part of the binary. If there is none, the error lists
 * the names in the binary. */
int vesim_kernel_load(struct vesim_kernel **loaded, const void *binary, size_t bytes,
                      const char *name, char *error, size_t error_size);
void vesim_kernel_free(struct vesim_kernel *kernel); /* all its jobs must have finished */

/* Valid while the kernel is loaded. */
const struct vesim_kernel_properties *vesim_kernel_properties(const struct vesim_kernel *kernel);

/* The name of kernel `index`, stored inside the binary; NULL after the last, and if this is not a
 * device binary. */
const char *vesim_kernel_name(const void *binary, size_t bytes, size_t index);

/* Work: launches of kernels, and batches of commands. It runs on threads of its own, in the order
 * of submission unless a batch waits for a semaphore. It sees the memory that is mapped at the time
 * of submission. Any thread may submit and wait. */

struct vesim_argument {
    uint64_t value;     /* a scalar's bits, or a GPU address */
    size_t local_bytes; /* shared local memory for a local pointer argument; else 0 */
    const void *data;   /* a struct by value, read when the launch is submitted; NULL: `value` */
    size_t data_bytes;
};

struct vesim_launch {
    uint32_t global[3]; /* work-items; multiples of: */
    uint32_t local[3];  /* work-items per work-group */
    const struct vesim_argument *arguments;
    size_t argument_count;

    /* Which work-groups run: `group_count` from `first_group` on, in each dimension; a count of 0
     * stands for all that follow. Their ids, and the sizes that the kernel sees, are those of the
     * whole launch. */
    uint32_t first_group[3], group_count[3];

    /* Behind it the last-level cache is written back to memory, as drivers do at the end of a
     * command list and for an event of host scope. */
    bool writes_back;

    /* Before it the instruction caches are emptied, and with i915 the TLBs, as Linux does at the
     * begin of a submission. */
    bool begins_submission;
};

enum vesim_engine { VESIM_ENGINE_RENDER, VESIM_ENGINE_COPY, VESIM_ENGINE_COMPUTE };

enum vesim_outcome {
    VESIM_DONE,
    VESIM_FAULTED, /* stopped by a fault; memory may have been written */
    VESIM_DROPPED, /* not started, because earlier work on the same engine has faulted */
};

/* How work has ended. */
struct vesim_result {
    enum vesim_outcome outcome;
    uint64_t start, end;   /* GPU clock cycles since the GPU was opened */
    uint64_t written_back; /* of a launch: when the cache was, if it was to be; otherwise `end` */
    struct vesim_fault fault; /* if VESIM_FAULTED */
    bool has_walk;            /* for a launch, if counting */
    struct vesim_walk walk;
};

struct vesim_job;

/* Launches a kernel. What a driver would supply (code, arguments, work-item ids, surface states,
 * scratch memory) is placed between addresses 0x10000000 and 0xffffffff, where nothing else may be
 * mapped. Data caches other than the first level keep their contents, as between kernels of one
 * command list. `*job` receives the launch; `job` may be NULL if nobody will wait for it. */
int vesim_gpu_launch(struct vesim_gpu *gpu, const struct vesim_kernel *kernel,
                     const struct vesim_launch *launch, struct vesim_job **job, char *error,
                     size_t error_size);

/* Makes an engine execute the commands at a GPU address, up to MI_BATCH_BUFFER_END. An engine keeps
 * its registers and state from batch to batch; a fault resets them. */
int vesim_gpu_submit(struct vesim_gpu *gpu, enum vesim_engine engine, uint64_t address,
                     struct vesim_job **job, char *error, size_t error_size);

/* Waits for the job to end, stores its outcome in `result` unless that is NULL, and frees the
 * job. */
void vesim_job_wait(struct vesim_job *job, struct vesim_result *result);

/* Waits until all work has ended. */
void vesim_gpu_wait(struct vesim_gpu *gpu);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
