/* How this library and the interface above it say what went wrong. */
#ifndef VESIM_IMAGE_ERROR_H
#define VESIM_IMAGE_ERROR_H

#include <stddef.h>

/* Writes one line. Returns -1, for the caller to return. */
int image_error(char *error, size_t error_size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
