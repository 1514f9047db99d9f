/* The device behind a target, for the files of this directory that judge code by it. */
#ifndef VEBENCH_ISA_TARGET_DEVICE_H
#define VEBENCH_ISA_TARGET_DEVICE_H

#include "audit/target.h"
#include "vesim/vesim.h"

#define ISA_TARGET_BYTES 256

struct isa_target {
    char name[ISA_TARGET_BYTES], compiler[ISA_TARGET_BYTES];
    bool has_figures;
    struct vesim_device device; /* valid if has_figures */
};

#endif
