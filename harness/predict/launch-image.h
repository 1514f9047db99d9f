/* A launch as the GPU gets it: code, arguments, work-item ids, binding table and buffers in the
 * places where a driver would put them, and the walker command that starts it. */
#ifndef VEBENCH_LAUNCH_IMAGE_H
#define VEBENCH_LAUNCH_IMAGE_H

#include "isa/thread/walker.h"
#include "memory/address-space.h"
#include "vesim/vesim.h"

#include "predict/predict.h"
#include "predict/zebin.h"

struct launch_image {
    struct address_space space;
    struct walker walker;
    void *owned[4 + PREDICT_ARGUMENTS_MAX];
    unsigned owned_count;
};

/* The kernel works on copies of the launch's buffers. STATUS_FAILED for a launch that does not fit
 * the kernel. */
enum status launch_image_make(struct launch_image *image, const struct vesim_device *device,
                              const struct zebin_kernel *kernel,
                              const struct predict_launch *launch, struct error *error);
void launch_image_free(struct launch_image *image);

#endif
