/* The plain kernels of plain-kernels.cl, and the parts of a program that runs them for
 * against-others.c: worker.c, which takes requests, and one of the backends, which runs
 * kernels. */
#ifndef TESTS_PERF_PLAIN_H
#define TESTS_PERF_PLAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct plain_kernel {
    const char *name;
    bool is_float;
    uint32_t count;              /* the argument */
    uint32_t items[2], local[2]; /* work-items, and those of a work-group */
    uint32_t in_words, out_words;
    float factor; /* 0: the kernel takes none */
};

extern const struct plain_kernel plain_kernels[]; /* up to the one without a name */

/* A worker reads requests from its standard input. For each it launches the kernel, again and again
 * until so much time has passed, and writes the reply, followed by the output. It ends when its
 * input ends. */
struct plain_request {
    uint32_t index; /* of the kernel */
    double wall_s;
};

/* Times of the launches alone, in all threads of the process. */
struct plain_times {
    double processor_s, wall_s;
};

struct plain_reply {
    struct plain_times first, mean; /* of the first launch, and of all */
};

/* Backends. Errors end the program. */
void backend_open(const char *path);
/* Everything up to the launch; both inputs have in_words, the output starts as zeros. */
void backend_prepare(const struct plain_kernel *kernel, const uint32_t *a, const uint32_t *b);
void backend_launch(void); /* and waits for the end; any number of times */
void backend_finish(uint32_t *out);

_Noreturn void fail(const char *what, const char *detail);
void *read_file(const char *path, size_t *bytes); /* NUL behind it */

#endif
