/* A launch as the GPU sees it: code, arguments, work-item ids, binding table and buffers at
 * addresses where a driver would put them, and the walker command that starts it. */
#ifndef VESIM_LAUNCH_IMAGE_H
#define VESIM_LAUNCH_IMAGE_H

#include "image/zebin.h"
#include "isa/thread/walker.h"
#include "memory/address-space.h"
#include "vesim/vesim.h"

/* This part of the address space is reserved for a launch's own mappings. */
#define LAUNCH_ADDRESS_FIRST UINT64_C(0x10000000)
#define LAUNCH_ADDRESS_END   UINT64_C(0x100000000)

struct launch_image {
    struct address_space space; /* what was mapped before, and these: */
    struct walker walker;
    void *owned[5]; /* code, indirect data, surfaces, scratch and private memory */
    unsigned owned_count;
};

/* `memory` is what is mapped already. 0, or -1 with a line in `error` for a launch that fits
 * neither the kernel nor the device. */
int launch_image_make(struct launch_image *image, const struct vesim_device *device,
                      const struct zebin_kernel *kernel, const struct vesim_launch *launch,
                      const struct address_space *memory, char *error, size_t error_size);
void launch_image_free(struct launch_image *image);

#endif
