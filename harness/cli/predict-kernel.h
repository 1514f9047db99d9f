/* A launch of a user's kernel, from its command-line description. */
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

/* Reads the module and the texts of the request. Buffers are filled with zeros. STATUS_USAGE for
 * texts that cannot be read, and for scalar arguments of the kernel that are not given. */
enum status kernel_launch_make(struct kernel_launch *made, struct predictor *predictor,
                               const struct predict_request *request,
                               struct predict_signature *signature, struct error *error);
void kernel_launch_free(struct kernel_launch *made);

#endif
