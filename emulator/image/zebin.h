/* Intel's device binary ("zebin"): an ELF file with a section of machine code for each kernel and
 * one of YAML that says how a launch hands over what. Layout: intel-graphics-compiler,
 * documentation/zebin. */
#ifndef VESIM_ZEBIN_H
#define VESIM_ZEBIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "vesim/vesim.h"

#define ZEBIN_PAYLOADS_MAX 128
#define ZEBIN_SURFACES_MAX 32

/* What hardware has at the most: bytes of scratch memory of a thread (the pitch of a scratch
 * surface), of shared local memory of a work-group, and of the work-item ids of a thread: three
 * words for each lane, in whole registers. */
#define ZEBIN_SCRATCH_MAX    (256u << 10)
#define ZEBIN_SLM_MAX        (1u << 20)
#define ZEBIN_PER_THREAD_MAX 512u

enum payload_kind {
    PAYLOAD_OTHER, /* nothing that a plain kernel reads: stays 0 */
    PAYLOAD_GLOBAL_ID_OFFSET,
    PAYLOAD_LOCAL_SIZE,
    PAYLOAD_ENQUEUED_LOCAL_SIZE,
    PAYLOAD_GLOBAL_SIZE,
    PAYLOAD_GROUP_COUNT,
    PAYLOAD_WORK_DIMENSIONS,
    PAYLOAD_PRIVATE_BASE, /* where the work-items' own arrays lie, those of a thread side by side */
    PAYLOAD_INDIRECT,     /* address of the cross-thread data that come in no register (Xe3P) */
    PAYLOAD_SCRATCH,      /* address of the surface state of the scratch memory (Xe3P) */
    PAYLOAD_VALUE,        /* of an argument */
    PAYLOAD_POINTER,      /* an argument that points to global or constant memory */
    PAYLOAD_LOCAL,        /* an argument that points to shared local memory */
    PAYLOAD_SURFACE,      /* where the surface state of an argument's memory lies ("bindless") */
};

/* A piece of the cross-thread data. */
struct payload {
    enum payload_kind kind;
    uint32_t offset, size; /* bytes */
    uint32_t source;       /* first byte within the argument's value */
    uint32_t argument;     /* its index, of the last four kinds */
};

/* What a kernel needs of a launch. */
struct zebin_kernel {
    const uint8_t *code; /* in the binary */
    size_t code_bytes;
    unsigned simd_width;     /* lanes */
    unsigned required_width; /* sub-group size that the source asks for; 0: none */
    unsigned grf_count;
    unsigned barriers;
    uint32_t slm_bytes;          /* without those of arguments */
    uint32_t scratch_bytes;      /* of a thread, spilled registers and private arrays */
    uint32_t private_bytes;      /* of a thread, private arrays in global memory */
    uint32_t inline_bytes;       /* of the cross-thread data that come in a register */
    uint32_t skip_bytes;         /* of code that loads local ids; not run if hardware makes them */
    uint32_t cross_thread_bytes; /* whole registers */
    uint32_t per_thread_bytes;   /* of local ids */
    bool has_local_ids;
    struct payload payload[ZEBIN_PAYLOADS_MAX];
    size_t payload_count;
    struct {
        uint32_t index, argument;
    } surface[ZEBIN_SURFACES_MAX]; /* the binding table */
    size_t surface_count;
    uint32_t argument_count; /* one more than the largest index of an argument */
};

/* Finds a kernel. It borrows `binary`. 0, or -1 with a line in `error`, with the names there are,
 * where there is none of that name, and for what is no such binary or asks for what is not known
 * here. */
int zebin_find(const uint8_t *binary, size_t bytes, const char *name, struct zebin_kernel *kernel,
               char *error, size_t error_size);

/* Name of kernel `index` in the order of the binary, which it lies in; NULL after the last, and for
 * what is no such binary. */
const char *zebin_kernel_name(const uint8_t *binary, size_t bytes, size_t index);

#endif
