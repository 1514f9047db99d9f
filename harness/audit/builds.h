/* Modules compiled for targets, side by side, each in a process: the compiler is not meant to be
 * used by several threads, and one that crashes takes only its module with it. */
#ifndef VEBENCH_ISA_BUILDS_H
#define VEBENCH_ISA_BUILDS_H

#include "audit/target.h"
#include "predict/compiler.h"

struct isa_build {
    const char *compiler; /* its name for the target; borrowed, as are the next two */
    const void *spirv;
    const char *options; /* NULL: none */
    size_t bytes;        /* of the module */
    struct compiled compiled;
    struct error error; /* its status is that of the compilation */
};

struct isa_builds {
    struct isa_build *build; /* owned */
    size_t count, room;
};

/* Adds a module to compile, if it is not there yet, and gets its index. */
enum status isa_builds_add(struct isa_builds *builds, const struct isa_target *target,
                           const void *spirv, size_t bytes, const char *options, size_t *index,
                           struct error *error);

/* Compiles all of them, in so many processes at a time. What the compiler refuses fails only its
 * build. */
enum status isa_builds_compile(struct isa_builds *builds, unsigned processes, struct error *error);
void isa_builds_free(struct isa_builds *builds);

#endif
