/* A name by which LD_PRELOAD can give the library. */
#ifndef VESIM_LIBRARY_PATH_H
#define VESIM_LIBRARY_PATH_H

#include <stddef.h>

/* LD_PRELOAD separates by spaces and colons and knows no quotes. Where `path` holds one, makes a
 * link to it in a folder of the user's own and puts that name into `path`. Returns 0, or -1 with
 * what is wrong in `error`. */
int library_path_for_preload(char *path, size_t size, char *error, size_t error_size);

#endif
