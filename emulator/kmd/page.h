/* Pages of memory as the kernel has them on x86-64; addresses and sizes in ioctls are multiples. */
#ifndef VESIM_PAGE_H
#define VESIM_PAGE_H

#include <stdint.h>

#define PAGE_BYTES UINT64_C(4096)
#define PAGE_MASK  (PAGE_BYTES - 1)

#endif
