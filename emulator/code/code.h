/* Inside: code that has been read. */
#ifndef VESIM_CODE_CODE_H
#define VESIM_CODE_CODE_H

#include "isa/decode/program.h"
#include "vesim/code.h"

struct vesim_code {
    struct vesim_device device;
    struct program *program;
    struct vesim_instruction *instructions;
};

#endif
