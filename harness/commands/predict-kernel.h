/* A launch of a user's kernel, from its command-line description. */
#ifndef VEBENCH_PREDICT_KERNEL_H
#define VEBENCH_PREDICT_KERNEL_H

#include "commands/predict-command.h"
#include "predict/predict.h"

struct kernel_launch {
    struct predict_kernel kernel;
    struct predict_launch launch;
    void *module; /* owned: what kernel.spirv points to */
    struct {
        void *memory; /* of `file` */
        size_t bytes;
        int file;
    } filled[2 * PREDICT_ARGUMENTS_MAX]; /* owned: contents of buffers */
    size_t filled_count;
    bool unsaid[PREDICT_ARGUMENTS_MAX]; /* of launch.buffer: nobody has said what is in it */
    size_t unsaid_count;
    void *structs[PREDICT_ARGUMENTS_MAX]; /* owned: those passed by value */
    char objection[300];                  /* what spirv-val refuses in the module; or "" */
};

/* Reads the module and the texts of the request. Buffers of which they do not say what is in them
 * are filled with zeros. STATUS_USAGE for texts that cannot be read, and for scalar arguments of
 * the kernel that are not given. */
enum status kernel_launch_make(struct kernel_launch *made, struct predictor *predictor,
                               const struct predict_request *request,
                               struct predict_signature *signature, struct error *error);

/* Makes `other` the same launch with random numbers where nobody has said what is in a buffer:
 * numbers that are elements of the smallest buffer, should they be. Owned by `made`. */
enum status kernel_launch_fill(struct kernel_launch *made, struct predict_launch *other,
                               struct error *error);

void kernel_launch_free(struct kernel_launch *made);

#endif
