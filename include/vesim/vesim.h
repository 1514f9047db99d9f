/* vesim: modelled Intel GPUs. They execute the machine code that Intel's compiler makes, and keep
 * the time that their figures say. docs/emulator.md says what such a time is, and what it is not.
 *
 * The library reads no environment, prints nothing, and keeps no state but in what it hands out
 * (and Intel's assembler library, opened once). Functions that can fail return 0, or -1 with one
 * line in `error` (no newline) that says what, where, and what to do. */
#ifndef VESIM_H
#define VESIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Devices. */

/* Which machine language and which command layouts a device speaks. */
enum vesim_architecture {
    VESIM_GEN12LP, /* Xe-LP: GPGPU_WALKER, dataport (HDC) messages */
    VESIM_XE_HPG,  /* Xe-HPG, Xe-LPG: COMPUTE_WALKER, LSC messages */
    VESIM_XE2,     /* Xe2: registers of 64 bytes, 16 lanes native, sub-groups of 16 and 32 */
    VESIM_ARCHITECTURE_COUNT,
};

/* What descriptions call them. */
extern const char *const vesim_architecture_names[VESIM_ARCHITECTURE_COUNT];

/* A device: its figures, each with the unit that figures.def says. */
struct vesim_device {
    char name[64];  /* what `vesim --device` calls it, e.g. "a380" */
    char title[96]; /* what people call it, e.g. "Arc A380" */
    enum vesim_architecture architecture;
#define SECTION(title)
#define FIGURE(name, unit, minimum, maximum, what) uint64_t name;
#include "vesim/figures.def"
#undef FIGURE
#undef SECTION
};

enum vesim_figure_index {
#define SECTION(title)
#define FIGURE(name, unit, minimum, maximum, what) VESIM_FIGURE_##name,
#include "vesim/figures.def"
#undef FIGURE
#undef SECTION
    VESIM_FIGURE_COUNT
};

/* What figures.def says of a figure. */
struct vesim_figure {
    const char *name, *unit;
    uint64_t minimum, maximum;
    size_t offset; /* of the member in struct vesim_device, bytes */
};

extern const struct vesim_figure vesim_figures[VESIM_FIGURE_COUNT];

/* Where a device keeps it; `index` is an enum vesim_figure_index. */
uint64_t *vesim_device_figure(struct vesim_device *device, size_t index);

#define VESIM_SOURCE_BYTES 160

/* A device with the source of each of its figures. */
struct vesim_description {
    struct vesim_device device;
    char sources[VESIM_FIGURE_COUNT][VESIM_SOURCE_BYTES];
    /* Between which values a figure lies: of an assumed one what its source says ("assumed LOW to
     * HIGH: why"), of any other its value. */
    uint64_t low[VESIM_FIGURE_COUNT], high[VESIM_FIGURE_COUNT];
};

/* The names of the built-in devices, NULL-terminated. */
const char *const *vesim_device_names(void);

/* Reads a device. `name_or_path` is the name of a built-in one, or the path of a description if it
 * holds a slash or names an existing file. */
int vesim_device_load(struct vesim_device *device, const char *name_or_path, char *error,
                      size_t error_size);

/* The same with the sources. */
int vesim_description_load(struct vesim_description *description, const char *name_or_path,
                           char *error, size_t error_size);

/* The same from text; `origin` is what errors call it. */
int vesim_description_parse(struct vesim_description *description, const char *text,
                            const char *origin, char *error, size_t error_size);

/* Prints every figure with its unit, its source ("assumed" where nobody has published it), and what
 * it means. */
int vesim_device_describe(FILE *out, const char *name_or_path, char *error, size_t error_size);

/* Counters: what happened during a walk, the execution of one launch. counters.def explains each.
 */
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
    uint64_t start, end;                  /* GPU clock cycles */
    uint64_t first_start, last_end;       /* of its threads */
    uint32_t peak_threads, thread_slots; /* resident at once; what the device has room for */
    uint64_t counters[VESIM_COUNTER_COUNT];
};

/* Faults: why work on a GPU has stopped. */
enum vesim_fault_kind {
    VESIM_FAULT_NONE,
    VESIM_FAULT_PAGE,        /* nothing is mapped at `address` */
    VESIM_FAULT_INSTRUCTION, /* the instruction or its message has no meaning, or is not known */
    VESIM_FAULT_LIMIT,       /* more instructions than the settings allow */
    VESIM_FAULT_DEADLOCK,    /* threads at a barrier that others of their work-group never reach */
    VESIM_FAULT_COMMAND,     /* the command, or what it asks for, has no meaning, or is not known */
    VESIM_FAULT_MEMORY,      /* the host is out of memory */
    VESIM_FAULT_KIND_COUNT,
};

#define VESIM_FAULT_MESSAGE_BYTES     640
#define VESIM_FAULT_INSTRUCTION_BYTES 256

struct vesim_fault {
    enum vesim_fault_kind kind;
    uint64_t address; /* of VESIM_FAULT_PAGE: on the GPU, 48 bits */
    uint64_t kernel;  /* GPU address of the code that was executed; 0: none was */
    uint32_t offset;  /* bytes from there to the instruction, if there is one */
    uint64_t command; /* GPU address of the command; 0: none, or a launch without a batch */
    char instruction[VESIM_FAULT_INSTRUCTION_BYTES]; /* the assembler's text of it, or "" */
    char message[VESIM_FAULT_MESSAGE_BYTES];         /* one line that says all this; no newline */
};

/* What the host executes the lanes of an instruction with. All give the same bits. */
enum vesim_lanes {
    VESIM_LANES_BEST,    /* vectors of the widest kind that this host has */
    VESIM_LANES_PLAIN,   /* vectors that any host has */
    VESIM_LANES_GENERAL, /* one lane after the other */
};

/* How a GPU is run. What it computes, and in what time, depends on none of this but `functional`
 * and `trips`. */
struct vesim_settings {
    unsigned host_threads; /* that run walks, at most one for each Xe-core; 0: one for each
                              processor that the process may use */
    bool functional;       /* without the clock, for results alone: faster, times mean nothing */
    bool counters;         /* count what happens, unless functional */
    enum vesim_lanes lanes;
    uint64_t instruction_limit; /* a walk that executes more of them counts as hung */
    const char *limit_name;     /* what users set that by, for the message; NULL: nothing */

    /* Loop i of each kernel's code, in the order in which loops end, goes round trips[i] times each
     * time it is entered; 0: as its condition says. For kernels whose data are not there. Borrowed.
     */
    const unsigned *trips;
    size_t trip_count;

    /* Called from whichever thread it happens on; may be NULL. */
    void (*log)(void *context, const char *line); /* one line: GPU hangs and why */
    bool log_commands;                            /* and every command and walk */
    void (*walk_done)(void *context, const struct vesim_walk *walk); /* when counting */
    void *context;                                                   /* of both */
};

/* The clock, all processors, no counters, 20 billion instructions, nobody to call. */
struct vesim_settings vesim_settings_default(void);

/* GPUs. As many as there is memory for, each with one address space and engines of its own. */
struct vesim_gpu;

/* Opens a GPU: a copy of `device`, run by a copy of `settings` (NULL: the default). */
int vesim_gpu_open(struct vesim_gpu **opened, const struct vesim_device *device,
                   const struct vesim_settings *settings, char *error, size_t error_size);

/* Stops what still runs, and frees the GPU with the memory that vesim_gpu_allocate() made and the
 * jobs that nobody has waited for. NULL: nothing. */
void vesim_gpu_close(struct vesim_gpu *gpu);

/* Memory. */

/* Where the bytes are on the modelled machine, for the clock; an integrated GPU has no difference.
 */
enum vesim_memory {
    VESIM_MEMORY_DEVICE,
    VESIM_MEMORY_HOST, /* behind the link to the host */
};

/* GPU addresses have 48 bits. Caches are indexed by the low 44 of them, so that times depend on the
 * addresses that a client chooses, and never on where the host puts the bytes. */

/* Host memory and GPU address of a mapping are multiples of this; malloc() gives no less. */
#define VESIM_MEMORY_ALIGNMENT 16

/* Maps host memory at a GPU address. It is borrowed, and must stay there until it is unmapped. */
int vesim_gpu_map(struct vesim_gpu *gpu, uint64_t address, void *host, size_t bytes,
                  enum vesim_memory memory, char *error, size_t error_size);

/* Maps zeroed memory of the GPU's own. Returns where the host finds it, or NULL with `error`. */
void *vesim_gpu_allocate(struct vesim_gpu *gpu, uint64_t address, size_t bytes,
                         enum vesim_memory memory, char *error, size_t error_size);

/* Waits as vesim_gpu_wait() does, then unmaps what begins at `address`, and frees it if it was
 * allocated. */
int vesim_gpu_unmap(struct vesim_gpu *gpu, uint64_t address, char *error, size_t error_size);

/* Kernels: machine code with what a launch has to know, from a device binary ("zebin"), which is
 * what `ocloc --format zebin` makes for one kind of device. */
struct vesim_kernel;

#define VESIM_ARGUMENTS_MAX 128

enum vesim_argument_kind {
    VESIM_ARGUMENT_UNUSED, /* by the code that the compiler has made */
    VESIM_ARGUMENT_NUMBER,
    VESIM_ARGUMENT_POINTER, /* to global or constant memory */
    VESIM_ARGUMENT_LOCAL,   /* to shared local memory */
};

struct vesim_kernel_properties {
    unsigned sub_group_size;          /* lanes of a thread: 8, 16 or 32 */
    unsigned required_sub_group_size; /* that the source asks for; 0: none */
    unsigned registers;               /* of a thread: 128 or 256 */
    bool has_barrier;
    uint32_t slm_bytes;     /* of a work-group, without arguments */
    uint32_t scratch_bytes; /* of a thread: spilled registers and private arrays */
    const uint8_t *code;    /* machine code, as long as the kernel is loaded */
    size_t code_bytes;
    struct {
        enum vesim_argument_kind kind;
        size_t bytes; /* of a number */
    } arguments[VESIM_ARGUMENTS_MAX];
    size_t argument_count;
};

/* Loads the kernel of that name from a copy of its part of the binary. Where there is none of that
 * name, the error has the names that there are. */
int vesim_kernel_load(struct vesim_kernel **loaded, const void *binary, size_t bytes,
                      const char *name, char *error, size_t error_size);
void vesim_kernel_free(struct vesim_kernel *kernel); /* no job of it may be unfinished */

/* Valid as long as the kernel is loaded. */
const struct vesim_kernel_properties *vesim_kernel_properties(const struct vesim_kernel *kernel);

/* The name of kernel `index` of a binary, which it lies in; NULL after the last, and for what is no
 * device binary. */
const char *vesim_kernel_name(const void *binary, size_t bytes, size_t index);

/* Work: launches of kernels, and batches of commands. It runs in threads of its own, and is done in
 * the order of submission unless a batch waits at a semaphore. It sees the memory that is mapped
 * when it is submitted. Any thread may submit and wait. */

struct vesim_argument {
    uint64_t value;     /* a number's bits, or a GPU address */
    size_t local_bytes; /* of shared local memory, where the argument points to that; else 0 */
};

struct vesim_launch {
    uint32_t global[3]; /* work-items; multiples of: */
    uint32_t local[3];  /* work-items of a work-group */
    const struct vesim_argument *arguments;
    size_t argument_count;
};

enum vesim_engine { VESIM_ENGINE_RENDER, VESIM_ENGINE_COPY, VESIM_ENGINE_COMPUTE };

enum vesim_outcome {
    VESIM_DONE,
    VESIM_FAULTED, /* and has been stopped: memory may have been written */
    VESIM_DROPPED, /* not begun: work before it on the same engine has faulted */
};

/* How work has ended. */
struct vesim_result {
    enum vesim_outcome outcome;
    uint64_t start, end;      /* GPU clock cycles since it was opened */
    struct vesim_fault fault; /* of VESIM_FAULTED */
    bool has_walk;            /* of a launch, when counting */
    struct vesim_walk walk;
};

struct vesim_job;

/* Launches a kernel. What the driver would put around it (code, arguments, work-item ids, surface
 * states, scratch memory) lies between addresses 0x10000000 and 0xffffffff, where nothing else may
 * be mapped. Data caches are kept, but for the first level, as between kernels of one command list.
 * `*job` takes the launch; NULL for `job`: nobody will ask. */
int vesim_gpu_launch(struct vesim_gpu *gpu, const struct vesim_kernel *kernel,
                     const struct vesim_launch *launch, struct vesim_job **job, char *error,
                     size_t error_size);

/* Has an engine execute the commands at a GPU address, up to MI_BATCH_BUFFER_END. Registers and
 * state stay from one batch to the next of an engine. After a fault they are as at the start. */
int vesim_gpu_submit(struct vesim_gpu *gpu, enum vesim_engine engine, uint64_t address,
                     struct vesim_job **job, char *error, size_t error_size);

/* Waits for the job to end, writes how to `result` (NULL: nowhere), and frees it. */
void vesim_job_wait(struct vesim_job *job, struct vesim_result *result);

/* Waits until all work has ended. */
void vesim_gpu_wait(struct vesim_gpu *gpu);

#ifdef __cplusplus
}
#endif

#endif
