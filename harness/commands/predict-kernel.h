/* A launch of a user's kernel, from its command-line description; and launches of the same kernel
 * that were measured. */
#ifndef VEBENCH_PREDICT_KERNEL_H
#define VEBENCH_PREDICT_KERNEL_H

#include "commands/predict-command.h"
#include "predict/neighbours.h"
#include "predict/predict.h"
#include "predict/sample.h"
#include "sha256-hex.h"

struct kernel_module {
    void *spirv; /* owned */
    size_t bytes;
    char objection[300]; /* what spirv-val refuses in it; or "" */
};

struct kernel_launch {
    struct predict_kernel kernel;
    struct predict_launch launch;
    struct kernel_module module; /* the kernel's, if it is the launch's own */
    struct {
        void *memory; /* of `file` */
        size_t bytes;
        int file;
    } filled[2 * PREDICT_ARGUMENTS_MAX]; /* owned: contents of buffers */
    size_t filled_count;
    bool unsaid[PREDICT_ARGUMENTS_MAX]; /* of launch.buffer: nobody has said what is in it */
    size_t unsaid_count;
    void *structs[PREDICT_ARGUMENTS_MAX]; /* owned: those passed by value */
};

/* Work-items and work-groups of a request that has global and local. STATUS_USAGE otherwise. */
enum status kernel_launch_shape(const struct predict_request *request,
                                struct predict_launch *launch, struct error *error);

/* Reads the request's SPIR-V, or compiles its OpenCL C, as `vebench kernel` does: with sub-groups
 * of `lanes`, or, of SPIR-V and for 0, as the module says. The caller frees module->spirv. */
enum status kernel_module_read(const struct predict_request *request, unsigned lanes,
                               struct kernel_module *module, struct error *error);

/* Reads the module and the texts of the request. Buffers of which they do not say what is in them
 * are filled with zeros. STATUS_USAGE for texts that cannot be read, and for scalar arguments of
 * the kernel that are not given. */
enum status kernel_launch_make(struct kernel_launch *made, struct predictor *predictor,
                               const struct predict_request *request,
                               struct predict_signature *signature, struct error *error);

/* The same with a module that has been read, which has to stay for as long as the launch. */
enum status kernel_launch_of(struct kernel_launch *made, const struct kernel_module *module,
                             struct predictor *predictor, const struct predict_request *request,
                             struct predict_signature *signature, struct error *error);

/* Makes `other` the same launch with random numbers where nobody has said what is in a buffer:
 * numbers that are elements of the smallest buffer, should they be. Owned by `made`. */
enum status kernel_launch_fill(struct kernel_launch *made, struct predict_launch *other,
                               struct error *error);

void kernel_launch_free(struct kernel_launch *made);

/* Sub-group sizes that rows have. */
#define OWN_SIZES_MOST 8

/* The rows of results that are of the kernel of a request. */
struct own_rows {
    struct own_module {
        unsigned lanes;
        char sha256[SHA256_HEX_BYTES]; /* "": there is none */
        struct kernel_module module;   /* owned */
    } module[OWN_SIZES_MOST];
    size_t module_count;
    struct neighbours neighbours;
    struct kernel_launch made[NEIGHBOURS_MOST]; /* owned: of the neighbours, which stay for as long
                                                   as the predictor predicts */
    size_t made_count;
    struct launch_sample nearest; /* where there are neighbours */

    /* Rows of a kernel of the name that are not used, because: */
    size_t other_digest;  /* it is another kernel, or that of another source */
    size_t other_options; /* it was compiled with others */
    size_t unmeasured;    /* they are not ok, or have no interval */
    size_t unsaid;        /* they do not say what the launch was, or it cannot be predicted */
    struct error why;     /* of the last of these; or "" */
};

/* Whether there are rows to look at: the request names some, or the model has some of a kernel of
 * that name. */
bool own_rows_asked(const struct model *model, const struct predict_request *request);

/* Finds the launches of the request's kernel in the model and in request->rows that are nearest to
 * `sample`, and predicts them. STATUS_FAILED for files that cannot be read, and for results of
 * another device than the model's. */
enum status own_rows_find(struct own_rows *rows, const struct model *model,
                          const struct predict_request *request, const struct launch_sample *sample,
                          struct error *error);

void own_rows_free(struct own_rows *rows);

#endif
