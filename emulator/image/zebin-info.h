/* The YAML of a device binary. */
#ifndef VESIM_ZEBIN_INFO_H
#define VESIM_ZEBIN_INFO_H

#include "image/zebin.h"

/* Fills all but the code of `kernel` from the text of .ze_info. 0, or -1 as zebin_find(). */
int zebin_read_info(const char *text, size_t bytes, const char *name, struct zebin_kernel *kernel,
                    char *error, size_t error_size);

#endif
