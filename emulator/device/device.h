/* A modelled device: its figures, read from a text file in which each carries its source. */
#ifndef VESIM_DEVICE_H
#define VESIM_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Which machine language and which command layouts the device speaks. */
enum architecture {
    ARCHITECTURE_GEN12LP, /* Xe-LP: GPGPU_WALKER, dataport (HDC) messages */
    ARCHITECTURE_XE_HPG,  /* Xe-HPG, Xe-LPG: COMPUTE_WALKER, LSC messages */
    ARCHITECTURE_XE2,     /* Xe2: registers of 64 bytes, 16 lanes native, sub-groups of 16 and 32 */
    ARCHITECTURE_COUNT,
};

struct device {
    char name[64];  /* what `vesim --device` calls it, e.g. "a380" */
    char title[96]; /* what people call it, e.g. "Arc A380" */
    enum architecture architecture;
#define SECTION(title)
#define FIGURE(name, unit, minimum, maximum, what) uint64_t name;
#include "device/figures.def"
#undef FIGURE
#undef SECTION
};

/* Reads a description. `name_or_path` is the name of a built-in device, or a path if it holds a
 * slash or names an existing file. Returns 0, or -1 with one line in `error` (no newline) that
 * says which file, line and figure, and what to do. */
int device_load(struct device *device, const char *name_or_path, char *error, size_t error_size);

/* Prints every figure of a description with unit and source ("assumed" where nobody published
 * it), and what the figure means. Same errors as device_load(). */
int device_describe(FILE *out, const char *name_or_path, char *error, size_t error_size);

/* The names of the built-in devices, NULL-terminated. */
const char *const *device_names(void);

#endif
