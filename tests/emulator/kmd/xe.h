/* Requests to the node of xe that several tests make. A failure fails the test. */
#ifndef TEST_XE_H
#define TEST_XE_H

#include <drm.h>

#include "kmd/xe-uapi.h"

#define XE(number, type) DRM_IOWR(DRM_COMMAND_BASE + (number), type)

/* The reply of `*size` bytes, for the caller to free. */
void *xe_query(enum xe_query_kind kind, uint32_t *size);

/* A buffer in one of the regions of a mask. */
uint32_t xe_create_buffer(uint64_t size, uint32_t placement);

uint32_t xe_create_vm(void);

#endif
