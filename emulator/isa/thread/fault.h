/* Why a kernel was stopped. */
#ifndef VESIM_FAULT_H
#define VESIM_FAULT_H

struct gpu_fault {
    char text[512]; /* what, where, and the disassembled instruction; no newline */
};

#endif
