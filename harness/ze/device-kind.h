/* Is there a GPU behind the driver, or an emulated one? Emulated results must never pass for
 * measurements, so `hardware` needs positive evidence and everything else is `emulated`. */
#ifndef VEBENCH_DEVICE_KIND_H
#define VEBENCH_DEVICE_KIND_H

#include <stdbool.h>

enum device_kind { DEVICE_EMULATED, DEVICE_HARDWARE };

/* Call after Level Zero has been initialised. Hardware means: this process holds open a character
 * device that the kernel's DRM subsystem (or WSL's /dev/dxg) provides for an Intel GPU, the
 * emulator's library is not loaded and the driver is not told to simulate. */
enum device_kind device_kind_detect(void);

const char *device_kind_name(enum device_kind kind);

/* Do times repeat exactly, so that one launch says as much as many? Only with positive evidence:
 * the emulator's library is loaded, or the driver simulates and executes nothing. A device that is
 * neither known as hardware nor known to be deterministic is labelled as emulated and measured like
 * hardware.
 */
bool device_kind_is_deterministic(void);

/* Might there be hardware? Decides, before Level Zero is initialised, whether to ask the driver for
 * system management, which expects a real device. */
bool device_kind_hardware_possible(void);

#endif
