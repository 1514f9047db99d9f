/* A launch of somebody's kernel, from what a user says of it. */
#ifndef VEBENCH_PREDICT_KERNEL_H
#define VEBENCH_PREDICT_KERNEL_H

#include "cli/predict-command.h"
#include "predict/predict.h"

struct kernel_launch {
    struct predict_kernel kernel;
    struct predict_launch launch;
    void *owned[PREDICT_ARGUMENTS_MAX + 1];
    size_t owned_count;
};

/* Reads the module and the request's texts. Buffers hold zeros. STATUS_USAGE for texts that cannot
 * be read, and for numbers that the kernel takes and nobody gave. */
enum status kernel_launch_make(struct kernel_launch *made, struct predictor *predictor,
                               const struct predict_request *request,
                               struct predict_signature *signature, struct error *error);
void kernel_launch_free(struct kernel_launch *made);

#endif
