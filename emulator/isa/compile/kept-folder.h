/* The folder with the files of kept-code.h: it is there when it is needed, and does not grow
 * without end. */
#ifndef VESIM_KEPT_FOLDER_H
#define VESIM_KEPT_FOLDER_H

#include <stdint.h>

/* Bytes of files that a folder holds: some 100,000 blocks. */
#define KEPT_FOLDER_LIMIT (UINT64_C(1) << 30)

/* Makes the folder, and those that it lies in, for this user alone, where they are missing. */
void kept_folder_make(const char *folder);

/* If there are more than `limit` bytes, removes files until there are at most three quarters of
 * that, those first that have not been used for the longest time. */
void kept_folder_trim(const char *folder, uint64_t limit);

#endif
