/* The emulator as a program that runs on it sees it. Nothing else in the harness knows the
 * emulator's variables or the functions that its preloaded library exports. Where none is loaded,
 * the functions below say so and setting does nothing. None needs Level Zero. */
#ifndef VEBENCH_EMULATOR_H
#define VEBENCH_EMULATOR_H

#include <stdbool.h>

/* The name of the emulated device, NULL if no emulator is loaded. */
const char *emulator_device_name(void);

/* The Linux driver whose device node the emulated GPU has, such as i915; "unknown" if that is not
 * told. */
const char *emulator_kernel_driver(void);

/* Are timestamps meaningful? An emulator may run without its clock. True if none is loaded. */
bool emulator_keeps_time(void);

/* Peak bandwidth of the emulated memory, of each tile if there are several, in bytes/s; 0 if no
 * emulator is loaded. */
double emulator_memory_bandwidth(void);

/* Processes started from here on emulate with so many threads of the host, unless the user has set
 * the number. Times do not depend on it. */
void emulator_set_threads(unsigned threads);

/* Processes started from here on do not say that they are emulated: for a program that says so
 * itself. */
void emulator_set_quiet(void);

#endif
