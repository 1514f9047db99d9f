/* Whether a program can be given the emulated GPU: the dynamic loader has to take the preloaded
 * library into it. */
#ifndef VESIM_PROGRAM_FILE_H
#define VESIM_PROGRAM_FILE_H

#include <stddef.h>

/* Finds `name` as execvp() does, with the PATH of this process. Returns 0, or -1 where there is no
 * such program. */
int program_find(const char *name, char *path, size_t size);

/* Why the loader would not preload anything into the program at `path`, as words that follow its
 * name: "is statically linked, ...". NULL where it would, and where that cannot be told. */
const char *program_refuses_preload(const char *path);

#endif
