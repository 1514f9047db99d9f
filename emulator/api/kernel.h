/* Inside the library: a kernel that has been loaded. */
#ifndef VESIM_API_KERNEL_H
#define VESIM_API_KERNEL_H

#include "image/zebin.h"
#include "vesim/vesim.h"

struct vesim_kernel {
    struct zebin_kernel image;
    struct vesim_kernel_properties properties;
    uint8_t code[]; /* what the image's points to */
};

#endif
