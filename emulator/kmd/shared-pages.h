/* Pages of a buffer that another process can map: those of a file without a name. */
#ifndef VESIM_SHARED_PAGES_H
#define VESIM_SHARED_PAGES_H

#include <stddef.h>
#include <stdint.h>

/* Moves shared anonymous memory, wherever this process has mapped it, to the start of `fd`, a file
 * of that size and empty. Others may use the memory meanwhile; only unmapping it must wait. Returns
 * 0 or a negative errno. */
int shared_pages_move(uint8_t *memory, size_t size, int fd);

#endif
