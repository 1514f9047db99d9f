/* A job: a kernel of the user's, or several that run one after the other, the launches that are
 * compared, and what they must compute.
 * From its description in words, as the command line or a file gives it, a job makes a family of
 * benchmarks with one operation, which a sweep measures like any other. docs/your-kernel.md is for
 * users. */
#ifndef VEBENCH_JOB_H
#define VEBENCH_JOB_H

#include "family/family.h"
#include "job/contents.h"
#include "spirv/spirv-kernel.h"

#define JOB_WORDS_MAX  32
#define JOB_SHAPES_MAX 32
#define JOB_SIZES_MAX  8
#define JOB_NAME_BYTES 160

/* Kernels that a job launches one after the other. */
#define JOB_LAUNCHES_MAX 8

/* Bytes before and behind each buffer that the kernel must leave alone. */
#define JOB_GUARD_BYTES 4096

struct job_words {
    const char *word[JOB_WORDS_MAX];
    size_t count;
};

/* One of several launches; NULL or none where the job's words hold. */
struct job_launch_words {
    const char *where; /* "FILE:LINE", for messages */
    const char *source, *kernel, *global, *local;
    struct job_words arguments; /* "NAME=X": the job's argument X, or a number */
    bool is_timed; /* its time alone counts; if no launch is, that of all of them as a whole */
};

/* The words of a description; NULL or none where there are none. Borrowed. */
struct job_request {
    const char *source;         /* .cl, or SPIR-V */
    const char *kernel;         /* NULL: the only one */
    const char *global;         /* "X", "X,Y" or "X,Y,Z" */
    const char *sizes;          /* of sub-groups: "8,16,32" */
    const char *grf;            /* registers of a thread: "128,256" */
    const char *caches;         /* "warm,flushed,cold" */
    const char *tolerance;      /* relative to the largest element; NULL: bits are compared */
    const char *reference;      /* a file with one kernel, of the same arguments */
    struct job_words locals;    /* work-groups: "X", "X,Y", "X,Y,Z" or "64:1024:x2" */
    struct job_words arguments; /* "NAME=VALUE" or "INDEX=VALUE" */
    struct job_words buffers;   /* "NAME=CONTENTS", "NAME=@EXPECTED" */
    struct job_words defines;   /* "NAME=V1,V2" */
    struct job_words options;   /* of the driver's compiler */
    const struct job_launch_words *launches; /* whose arguments have the job's names; NULL: one */
    size_t launch_count;
};

/* The work-items of a work-group and of the launch. */
struct job_shape {
    unsigned local[3], global[3];
    bool divides; /* the global size is a multiple */
};

enum job_argument_kind { JOB_BUFFER, JOB_LOCAL, JOB_NUMBER, JOB_DATA };

struct job_argument {
    enum job_argument_kind kind;
    size_t buffer;    /* its index */
    uint64_t value;   /* of the number */
    size_t bytes;     /* of the number, the data or the local memory: */
    bool is_per_item; /* of which each work-item of the work-group has so many */
    void *data;       /* owned */
};

struct job_buffer {
    char name[SPIRV_NAME_BYTES];
    struct contents contents;
    bool has_contents;
    const char *expected; /* path of what it must hold afterwards; NULL: nobody says */
    size_t bytes;         /* without its guards */
    struct image_plan image;
    bool is_image; /* which has no guards */
    unsigned element_bytes;
    bool is_float, is_output;
    bool is_only_stored; /* by the job's only launch: what it held before makes no difference */
};

/* A launch of a kernel: the job's only one, or one of several. */
struct job_launch {
    const struct job_launch_words *words; /* NULL: the job's */
    struct spirv_kernel kernel;
    struct job_argument argument[SPIRV_ARGUMENTS_MAX];
    uint64_t only_stored; /* arguments, a bit each, through which the kernel only stores, however
                             it is defined */
    bool has_global, has_local; /* of its own: */
    unsigned global[3], local[3];
};

struct job;

/* One of the compared ways: what is defined, which options, and, where two work-groups have equally
 * many work-items, which shape. */
struct job_variant {
    const struct job *job;
    const struct job_launch *launch; /* whose kernel it is */
    char name[JOB_NAME_BYTES];
    char module[JOB_NAME_BYTES];
    char options[JOB_NAME_BYTES];
    char operation[JOB_NAME_BYTES]; /* launches that are held against each other have the same */
    enum caches caches;
    const char *define[JOB_WORDS_MAX]; /* "NAME=VALUE" */
    char *define_text;                 /* owned: what they point into */
    const struct job_shape *shape;     /* NULL: the only one of its configuration's size */
};

/* What the outputs are compared with, in memory that all processes of a sweep share. */
struct job_reference;

struct job {
    const struct job_request *request;
    struct job_launch launch[JOB_LAUNCHES_MAX];
    size_t launch_count;
    size_t subject; /* the launch that is timed, or the last of those that are */
    bool times_all;
    struct job_shape shape[JOB_SHAPES_MAX];
    size_t shape_count;
    unsigned size[JOB_SIZES_MAX];
    size_t size_count;
    struct job_buffer buffer[BUFFERS_MAX];
    size_t buffer_count;
    double tolerance; /* 0: bits are compared */
    bool records;     /* its outputs become the reference */
    bool has_reference;
    struct job_reference *reference; /* owned by the job that others are not compared with */

    /* What the family points to; owned. The variants that are compared come first, those of the
     * subject; behind them are, for each of these, the job's other launches. */
    struct job_variant *variant;
    struct variant *variants;
    size_t variant_count; /* that are compared */
    const struct variant **parts;
    struct spirv_module *modules;
    size_t module_count;
    struct buffer_plan plan[BUFFERS_MAX];
    struct axis axes[COMMON_AXES];
    char *texts[COMMON_AXES + 1];
    char **points;
    char title[JOB_NAME_BYTES]; /* "KERNEL", or "KERNEL+KERNEL" of a sequence that is timed */
    char family_name[JOB_NAME_BYTES + 8];
    struct family family;
};

/* Reads the words, compiles the source for each sub-group size, and makes the family. What a
 * compiler refuses of several is the reason of the rows that need it; STATUS_FAILED if it refuses
 * all. STATUS_USAGE for words that cannot be read and arguments that are missing. `request` is
 * borrowed. */
enum status job_open(struct job *job, const struct job_request *request, struct error *error);
void job_close(struct job *job);

/* STATUS_USAGE for a word about an argument that no launch of `job` has, nor one of `other`, which
 * may be NULL. */
enum status job_check_words(const struct job *job, const struct job *other, struct error *error);

/* Makes `recorder` the job whose outputs the others are compared with: the same, or that of
 * --reference. Its buffers get the contents of the job's. */
enum status job_record(struct job *job, struct job *recorder, struct error *error);

/* Have the outputs been recorded? */
bool job_is_recorded(const struct job *job);

/* Do all outputs have expected contents of their own, so that no reference is needed? */
bool job_is_expected(const struct job *job);

/* The shape of a launch of the kernel that is compared. */
const struct job_shape *job_launch_shape(const struct job *job, const struct job_variant *variant,
                                         unsigned workgroup_size);

/* The work-items of a variant's kernel: its launch's own, or those of the shape. */
void job_launch_items(const struct job_variant *variant, const struct job_shape *shape,
                      struct job_shape *items);

/* The index of the variant of a launch that runs with a compared one. */
size_t job_part_variant(const struct job *job, size_t compared, size_t launch);

/* A work-item's element of memory as a text: "1.5", "0x2a". */
void job_element_text(const struct job_buffer *buffer, const void *memory, size_t index, char *text,
                      size_t bytes);

#endif
