/* What the environment says of the emulated GPU: the variables VESIM_…, which `vesim` sets from its
 * options. Nothing below reads them. */
#ifndef VESIM_ENVIRONMENT_H
#define VESIM_ENVIRONMENT_H

#include "vesim/vesim.h"

/* Reads them all. An empty variable is one that is not there. Returns 0, or -1 with one line in
 * `error` that names the variable and what it may hold. The settings' log goes to stderr, and their
 * counters to the file that VESIM_COUNTERS names. */
int environment_read(struct vesim_device *device, struct vesim_settings *settings, char *error,
                     size_t error_size);

/* VESIM_AFTER_HANG: seconds, or below 0 for ever; unchanged if it is not there. Returns 0, or -1 as
 * environment_read(). */
int environment_after_hang(double *seconds, char *error, size_t error_size);

/* VESIM_GDB: whether gdb prints the stacks of a process that is ended. */
bool environment_prints_stacks(void);

/* VESIM_FUNCTIONAL alone. */
bool environment_is_functional(void);

#endif
