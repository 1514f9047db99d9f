/* The device that a run measures, as described in rows and reports: what a session knows about it
 * that does not need the driver. */
#ifndef VEBENCH_TARGET_H
#define VEBENCH_TARGET_H

#include "ze/conditions.h"
#include "ze/device-kind.h"
#include "ze/device.h"
#include "ze/ticks.h"

struct target {
    struct device device; /* its handles are valid only in the session's process */
    size_t device_count;  /* devices that the driver shows, including this one */
    enum device_kind kind;
    bool is_deterministic; /* times repeat exactly: see device-kind.h */
    char loader_version[VERSION_TEXT_BYTES];
    struct timer timer;
    double peak_bandwidth; /* of the device's memory in bytes/s; 0 if unknown */
    struct conditions conditions;
};

#endif
