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
    uint32_t peak_threads, thread_places; /* resident at once; the device's places for them */
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

#ifdef __cplusplus
}
#endif

#endif
