/* Requests to the node that several tests make. A failure fails the test, except where an errno is
 * returned. */
#ifndef TEST_I915_H
#define TEST_I915_H

#include <i915_drm.h>
#include <stddef.h>
#include <stdint.h>

#define ADDRESS   UINT64_C(0x100000) /* where tests put their first buffer */
#define BATCH_END 0x05000000u

extern int node_fd; /* open while a TEST() runs */

int open_node(void **state);
int close_node(void **state);

#define TEST(function) cmocka_unit_test_setup_teardown(function, open_node, close_node)

/* The errno of the request, or 0. */
int request(unsigned long number, void *argument);

uint32_t create(uint64_t size);
void close_buffer(uint32_t handle);
/* For the caller to unmap. */
void *map(uint32_t handle, size_t size);

struct drm_i915_gem_exec_object2 pinned(uint32_t handle, uint64_t address);
/* The last of the objects is the batch. The errno, or 0. */
int execute(struct drm_i915_gem_exec_object2 *objects, uint32_t count, uint32_t context);
int wait_for(uint32_t handle, int64_t timeout_ns);
uint32_t create_context(void);
/* Writes a batch that stores `value` at a GPU address. */
void store_batch(uint32_t *batch, uint64_t address, uint32_t value);

#endif
