/* The device of a target, for those files of this room that judge code by it. */
#ifndef VEBENCH_ISA_TARGET_DEVICE_H
#define VEBENCH_ISA_TARGET_DEVICE_H

#include "device/device.h"
#include "isa/target.h"

#define ISA_TARGET_BYTES 256

struct isa_target {
    char name[ISA_TARGET_BYTES], compiler[ISA_TARGET_BYTES];
    bool has_figures;
    struct device device; /* where has_figures */
};

#endif
