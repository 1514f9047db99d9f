/* The YAML of a device binary. */
#ifndef VEBENCH_ZEBIN_INFO_H
#define VEBENCH_ZEBIN_INFO_H

#include "predict/zebin.h"

/* Fills all but the code of `kernel` from the text of .ze_info. Same errors as zebin_find(). */
enum status zebin_read_info(const char *text, size_t bytes, const char *name,
                            struct zebin_kernel *kernel, struct error *error);

#endif
