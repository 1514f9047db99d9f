/* vebench predict: the request, and the prediction as text. */
#ifndef VEBENCH_PREDICT_COMMAND_H
#define VEBENCH_PREDICT_COMMAND_H

#include "family/family.h"
#include "predict/predict.h"

#include <stdio.h>

#define PREDICT_WORDS_MAX 64

struct predict_request {
    const char *model_path;
    const char *base; /* description that supplies what the model lacks; NULL: by its device */
    /* Either a family over its axes, */
    const struct family *family;
    const char *axes[PREDICT_WORDS_MAX]; /* NAME=VALUES */
    size_t axis_count;
    enum preset preset;
    /* or a kernel of a module. */
    const char *spirv_path;                 /* SPIR-V, or OpenCL C */
    const char *defines[PREDICT_WORDS_MAX]; /* of OpenCL C, NAME=VALUE */
    size_t define_count;
    const char *kernel;
    unsigned lanes;             /* of its sub-groups; 0: as the module says */
    const char *options;        /* for the compiler, or NULL */
    const char *global, *local; /* X[,Y[,Z]] work-items */
    enum predict_event event;
    const char *trips;                        /* N[,N...], or NULL */
    const char *arguments[PREDICT_WORDS_MAX]; /* INDEX=VALUE */
    size_t argument_count;
    const char *buffers[PREDICT_WORDS_MAX]; /* INDEX=CONTENTS */
    size_t buffer_count;
    const char *rows[PREDICT_WORDS_MAX]; /* results that may have launches of the same kernel */
    size_t row_count;
};

/* Prints a line for each configuration and variant, or what there is to say of the launch. Warnings
 * and, on a terminal, progress go to standard error. STATUS_USAGE for anything
 * missing or unreadable, naming the option and what to give. */
enum status command_predict(const struct predict_request *request, FILE *out, struct error *error);

#endif
