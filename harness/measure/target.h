/* The device that a run measures, as rows and reports tell of it: what a session knows that can be
 * told without the driver. */
#ifndef VEBENCH_TARGET_H
#define VEBENCH_TARGET_H

#include "measure/device-kind.h"
#include "measure/device.h"
#include "measure/ticks.h"

struct target {
    struct device device; /* its handles mean something in the session's process only */
    size_t device_count;  /* that the driver shows, this one included */
    enum device_kind kind;
    char loader_version[VERSION_TEXT_BYTES];
    struct timer timer;
    double peak_bandwidth; /* of the device's memory in bytes/s; 0 where nobody says */
};

#endif
