/* Files as a whole. A test that cannot read or write one fails. */
#ifndef TESTS_SUPPORT_WHOLE_FILE_H
#define TESTS_SUPPORT_WHOLE_FILE_H

#include <stddef.h>

/* The file as text, which may not be empty; the caller frees it. */
char *whole_file_read(const char *path);

void whole_file_write(const char *path, const void *bytes, size_t count);

#endif
